"""What ran and was not told of: the writes of the turn that the reply ends, not those of turns that had replies of their own."""

from __future__ import annotations

from typing import Any

import pytest

from claimx.match import judge
from claimx.records import parse_run
from claimx.types import Extraction


def entry(id: str, turn: Any = None, **more: Any) -> dict[str, Any]:
    return {"id": id, "tool": "issue_refund", "args": {}, "result": {"ok": True}, "turn": turn, **more}


@pytest.mark.parametrize(
    ("ledger", "turn", "ids"),
    [
        ([entry("a"), entry("b")], None, ["a", "b"]),  # no turns are kept
        ([entry("a", 1), entry("b", 2)], 2, ["b"]),
        ([entry("a", 1), entry("b", 2)], None, ["b"]),  # the last turn is the reply's
        ([entry("a", 1), entry("b", 2)], 3, []),  # nothing ran in the reply's own turn
        ([entry("a", 1), entry("b")], 1, ["a", "b"]),  # whose turn is not known may be of this one
        ([entry("a", 1), entry("b", 1, tool="get_order")], 1, ["a"]),
        ([entry("a", "one"), entry("b", 2)], None, ["b"]),
    ],
)
def test_only_calls_of_the_replys_turn_are_unreported(ledger: list[Any], turn: int | None, ids: list[str]) -> None:
    run = parse_run({"reply": "Anything else?", "ledger": ledger, **({"turn": turn} if turn else {})})
    assert list(judge(Extraction((), ()), run).unreported) == ids
