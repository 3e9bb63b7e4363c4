"""The alarm: tools whose false claims spike against the trailing window."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from claimx.archive.intervals import p_higher

#: An alarm needs so many false claims, so high a multiple of the window's rate, and chance to explain it less often than
#: this once in all tools together (a Bonferroni bound).
LEAST, TIMES, SURE = 3, 2.0, 0.001


@dataclass(frozen=True, slots=True)
class Point:
    """One night, or one bucket of time: for each tool its claims and how many of them were false."""

    name: str
    tools: Mapping[str, tuple[int, int]]


def alarms_of(
    summary: Mapping[str, Any], nights: Sequence[tuple[Path, Mapping[str, Any]]], *, window: int = 14
) -> list[dict[str, Any]]:
    """Return the tools that spike against the summaries of earlier nights, or without any against the archive's own past."""
    if nights:
        points = [_whole(before, folder.name) for folder, before in nights[-window:]] + [_whole(summary, "this score")]
    else:
        points = _buckets(summary)
        # A last bucket too thin for any alarm hides none: it may be a single run whose clock was wrong.
        while points and sum(claims for claims, _ in points[-1].tools.values()) < LEAST:
            points.pop()
        points = points[-window - 1 :]
    return spikes(points)


def spikes(points: Sequence[Point]) -> list[dict[str, Any]]:
    """Return the tools whose last point is a spike against all points before it, the least likely by chance first."""
    if len(points) < 2:
        return []
    last = points[-1]
    out = []
    for tool, (claims, wrong) in sorted(last.tools.items()):
        before = [p.tools.get(tool, (0, 0)) for p in points[:-1]]
        claims_before, wrong_before = sum(c for c, _ in before), sum(w for _, w in before)
        if wrong < LEAST or not claims_before:
            continue
        rate, usual = wrong / claims, wrong_before / claims_before
        p = p_higher(wrong, claims, wrong_before, claims_before)
        if rate >= TIMES * usual and p * len(last.tools) < SURE:
            out.append(
                {
                    "tool": tool,
                    "at": last.name,
                    "claims": claims,
                    "false": wrong,
                    "rate": round(rate, 6),
                    "usual": round(usual, 6),
                    "claims_before": claims_before,
                    "false_before": wrong_before,
                    "points": len(before),
                    "p": p,
                }
            )
    return sorted(out, key=lambda a: (a["p"], a["tool"]))


def _whole(summary: Mapping[str, Any], name: str) -> Point:
    return Point(name, {t: (d["claims"], _wrong(d["rates"])) for t, d in summary["tools"].items()})


def _wrong(rates: Mapping[str, Mapping[str, Any]]) -> int:
    return int(rates["fabricated"]["count"]) + int(rates["misquoted"]["count"])


def _buckets(summary: Mapping[str, Any]) -> list[Point]:
    time = summary.get("time")
    if not time:
        return []
    return [
        Point(
            start,
            {
                t: (s["claims"][i], s["fabricated"][i] + s["misquoted"][i])
                for t, s in time["tools"].items()
                if s["claims"][i]
            },
        )
        for i, start in enumerate(time["starts"])
    ]
