"""Metrics that Prometheus' own parser reads back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from archive_doubles import make_run, mixed

from claimx.archive.prometheus import to_metrics, write_metrics
from claimx.errors import InputError


def samples(text: str) -> dict[tuple[str, str], float]:
    parser = pytest.importorskip("prometheus_client.parser")
    families = parser.text_string_to_metric_families(text)
    return {
        (s.name, ",".join(f"{k}={v}" for k, v in sorted(s.labels.items()))): s.value
        for f in families
        for s in f.samples
    }


def test_the_metrics_hold_runs_rates_tools_and_alarms(scored: Callable[..., Any]) -> None:
    before = [scored([make_run(n) for n in range(300)], out=f"n{i}").folder for i in range(2)]
    summary = scored(mixed(400), baseline=before[0], history=before).summary
    found = samples(to_metrics(summary, seconds=1.5, now=1767225600.0))
    assert found["claimx_runs", "verdict=fabricated"] == 40
    assert found["claimx_rate", "of=misquoted"] == 0.1
    assert 0.1 < found["claimx_rate_high", "of=misquoted"] < 0.14
    assert found["claimx_tool_claims", "status=misquoted,tool=issue_refund"] == 40
    assert found["claimx_alarm", "tool=issue_refund"] == 1
    assert found["claimx_new_kinds", ""] == 2
    assert found["claimx_score_end_time_seconds", ""] == 1767225600


def test_names_with_quotes_and_line_breaks_are_escaped(scored: Callable[..., Any]) -> None:
    name = 'refund "x"\\\n'
    run = {"id": "a", "reply": "I refunded $3.", "tools": [name], "ledger": []}
    found = samples(to_metrics(scored([run]).summary, seconds=0, now=0))
    tools = {k[1] for k in found if k[0] == "claimx_tool_claims"}
    assert tools <= {f"status=never_ran,tool={name}"}


def test_a_place_that_cannot_be_written_is_told(scored: Callable[..., Any], tmp_path: Path) -> None:
    summary = scored(mixed(10)).summary
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="cannot be written"):
        write_metrics(tmp_path / "file" / "x.prom", summary, seconds=0)
    write_metrics(tmp_path / "new" / "x.prom", summary, seconds=0)
    assert (tmp_path / "new" / "x.prom").stat().st_mode & 0o777 == 0o644
