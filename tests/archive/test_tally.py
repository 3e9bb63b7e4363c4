"""Counts that add up, and stay small where every run is of a kind of its own."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from archive_doubles import make_run

from claimx.archive.summary import LISTED
from claimx.archive.tally import KindTally, Limits, Tally


def of(n: int, **options: Any) -> Tally:
    kind = KindTally(1, 1, Counter({f"wording {n:05}": 1}), [f"r{n}"])
    return Tally(
        facets=Counter({("agent", f"a{n:05}", "ok"): 1}),
        kinds={f"never_ran|t{n:05}|do|": kind, "never_ran|t|do|": kind},
    )


def test_rare_kinds_wordings_and_values_are_let_go_and_frequent_ones_stay() -> None:
    total = Tally(limits=Limits(10, 10, 10))
    for n in range(200):
        total.add(of(n))
        if n % 3 == 0:
            total.add(Tally(facets=Counter({("agent", "often", "ok"): 1})))
    assert len(total.kinds) < 20
    assert total.kinds["never_ran|t|do|"].count == 200
    assert len(total.kinds["never_ran|t|do|"].phrasings) < 20
    assert len(total.facets) < 20
    assert total.facets["agent", "often", "ok"] == 67


def test_a_summary_lists_so_many_and_tells_how_many_it_leaves_out(scored: Callable[..., Any]) -> None:
    rows = [make_run(n, "invented", agent=f"agent-{n}") for n in range(LISTED + 30)]
    summary = scored(rows).summary
    assert len(summary["agents"]) == LISTED
    assert summary["left_out"] == {"agents": 30}
    assert summary["verdicts"]["fabricated"] == LISTED + 30
