"""What came of scoring, told to people or machines, and the exit code that says so."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from claimx.cli.io import BAD_INPUT, FLAGGED, OK, complain, write_out
from claimx.report.counting import counted

if TYPE_CHECKING:
    from claimx.archive import Outcome

#: Files that could not be read to their end, of which each is told; rejected.jsonl has all.
MOST_BROKEN = 20

#: Why records were not scored, as a sentence says it.
WHY = {
    "record": "faulty",
    "file": "broken off",
    "conflict": "with the id of another run",
    "crash": "on which scoring failed",
}


def tell_outcome(
    outcome: Outcome, held: Sequence[str], *, json_lines: bool, quiet: bool, formats: Mapping[str, int]
) -> int:
    """Tell the summary and every reason to doubt it; return the exit code. `held` are conditions of --fail-if that hold,
    `formats` how many files were taken for what."""
    summary = outcome.summary
    if json_lines:
        event = {
            "event": "summary",
            "out": outcome.folder.as_posix(),
            "seconds": round(outcome.seconds, 3),
            "failed": list(held),
            "formats": dict(formats),
        }
        write_out(json.dumps({**event, "summary": summary}) + "\n")
    elif not quiet:
        from claimx.report.terminal import print_summary

        print_summary(summary, outcome.folder, seconds=outcome.seconds, kept=outcome.kept)
    if set(formats) - {"claimx"} and not quiet:
        files = ", ".join(f"{n:,} as {f}" for f, n in sorted(formats.items(), key=lambda x: (-x[1], x[0])))
        complain(f"files read: {files}")
    _tell_left_out(outcome)
    _tell_history(summary.get("history"))
    for alarm in summary["alarms"]:
        complain(
            f"alarm: {alarm['tool']}: {alarm['false']} of {alarm['claims']} claims false "
            f"({alarm['rate']:.1%}), usually {alarm['usual']:.1%}"
        )
    for text in held:
        complain(f"--fail-if holds: {text}")
    empty = not summary["read"] and not summary["notes"]
    if empty:
        complain("the archive holds no record")
    return BAD_INPUT if outcome.broken or empty else FLAGGED if held else OK


def _tell_left_out(outcome: Outcome) -> None:
    summary = outcome.summary
    rejected = {k: n for k, n in summary["rejected"].items() if k != "duplicate"}
    if rejected:
        parts = ", ".join(f"{n:,} {WHY.get(k, k)}" for k, n in rejected.items())
        total = sum(rejected.values())
        were = "was" if total == 1 else "were"
        complain(f"{counted(total, 'record')} {were} not scored ({parts}): see {outcome.folder / 'rejected.jsonl'}")
    for reject in outcome.broken[:MOST_BROKEN]:
        complain(f"{reject.file}: line {reject.line}: {reject.reason}")
    if len(outcome.broken) > MOST_BROKEN:
        complain(f"{len(outcome.broken) - MOST_BROKEN} more files could not be read to their end")
    for changed in summary["changed"][:MOST_BROKEN]:
        complain(f"{changed['file']}: {changed['what']}")
    if summary["changed_files"] > MOST_BROKEN:
        complain(f"{summary['changed_files'] - MOST_BROKEN} more files changed meanwhile: see notes.jsonl")
    for name in summary["unseen"]:
        complain(f"--where: no run has a field {name!r}: is it spelt so?")
    for name, path in summary["unmapped"].items():
        complain(f"--map: no run has a {name} at {path!r}: is it spelt so?")
    if summary["runs"] and summary["skipped"].get("no_time"):
        n = summary["skipped"]["no_time"]
        complain(
            f"{counted(n, 'run')} {'was' if n == 1 else 'were'} left out by --since or --until for having no time: --map time=PATH says where it stands"
        )
    if summary["read"] and not summary["runs"] and summary["skipped"]:
        parts = ", ".join(f"{n:,} by {k.replace('no_time', 'having no time')}" for k, n in summary["skipped"].items())
        complain(f"no run was chosen (left out: {parts})")


def _tell_history(history: Mapping[str, Any] | None) -> None:
    """Tell which earlier scores the alarm went without: it costs the night nothing, but the alarm some of its sureness."""
    left_out = history["left_out"] if history else []
    for left in left_out[:MOST_BROKEN]:
        complain(f"--history: left out: {left['file']} {left['reason']}: {left['remedy']}")
    if len(left_out) > MOST_BROKEN:
        complain(f"--history: {len(left_out) - MOST_BROKEN} more earlier scores were left out: see summary.json")
    if history and not history["read"]:
        complain("--history: no earlier score could be read: the alarm looks at the times within this archive")
