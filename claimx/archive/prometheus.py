"""A summary as metrics for the textfile collector of Prometheus' node exporter."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from claimx.archive.atomic import write_atomic
from claimx.errors import InputError

_HELP = {
    "claimx_runs": "Runs by verdict.",
    "claimx_rejected_records": "Records that were not scored, by why.",
    "claimx_rate": "Share of runs (false_claims: of claims).",
    "claimx_rate_low": "Lower bound of the 95 % interval of claimx_rate.",
    "claimx_rate_high": "Upper bound of the 95 % interval of claimx_rate.",
    "claimx_tool_claims": "Claims by tool and status.",
    "claimx_new_kinds": "Kinds of false claims that the baseline did not have.",
    "claimx_history_left_out": "Earlier scores that could not be read, so that the alarm went without them.",
    "claimx_alarm": "1 for a tool whose false claims spike.",
    "claimx_score_seconds": "How long scoring took.",
    "claimx_score_end_time_seconds": "When scoring ended (seconds since 1970).",
}
_STATUSES = ("confirmed", "unverified", "unmatched", "misquoted", "tool_failed", "never_ran")


def write_metrics(
    path: Path, summary: Mapping[str, Any], *, seconds: float, clock: Callable[[], float] = time.time
) -> None:
    """Write the metrics file whole or not at all. Raises InputError when it cannot be written."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(path, to_metrics(summary, seconds=seconds, now=clock()).encode("utf-8"))
        path.chmod(0o644)  # the collector runs as another user
    except OSError as e:
        raise InputError(f"{path}: cannot be written ({e.strerror})") from e


def to_metrics(summary: Mapping[str, Any], *, seconds: float, now: float) -> str:
    """Return the metrics in the text exposition format."""
    lines: list[str] = []
    last = ""
    for name, labels, value in _samples(summary, seconds, now):
        if name != last:
            lines += [f"# HELP {name} {_HELP[name]}", f"# TYPE {name} gauge"]
            last = name
        inside = ",".join(f'{k}="{_escaped(v)}"' for k, v in labels.items())
        lines.append(f"{name}{{{inside}}} {value}" if inside else f"{name} {value}")
    return "\n".join(lines) + "\n"


def _samples(summary: Mapping[str, Any], seconds: float, now: float) -> Iterator[tuple[str, dict[str, str], float]]:
    for verdict, n in summary["verdicts"].items():
        yield "claimx_runs", {"verdict": verdict}, n
    for kind, n in summary["rejected"].items():
        yield "claimx_rejected_records", {"kind": kind}, n
    for name, key in (("claimx_rate", "rate"), ("claimx_rate_low", "low"), ("claimx_rate_high", "high")):
        for of, rate in summary["rates"].items():
            if rate[key] is not None:
                yield name, {"of": of}, rate[key]
    for tool, data in summary["tools"].items():
        for status in _STATUSES:
            if data.get(status):
                yield "claimx_tool_claims", {"tool": tool, "status": status}, data[status]
    if summary.get("baseline"):
        yield "claimx_new_kinds", {}, summary["baseline"]["new_kinds"]
    if summary.get("history"):
        yield "claimx_history_left_out", {}, len(summary["history"]["left_out"])
    for alarm in summary.get("alarms") or ():
        yield "claimx_alarm", {"tool": alarm["tool"]}, 1
    yield "claimx_score_seconds", {}, round(seconds, 3)
    yield "claimx_score_end_time_seconds", {}, round(now, 3)


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
