"""`claimx score`: whole archives, with rates, a report and conditions for the night shift."""

from __future__ import annotations

import argparse
import signal
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from claimx.cli.io import add_format, complain
from claimx.errors import InputError

#: As shells tell of Ctrl-C and of a polite kill.
STOPPED, TERMINATED = 130, 143


class _Terminated(KeyboardInterrupt):
    """A SIGTERM, as schedulers and service managers send it: it ends the work as Ctrl-C does."""


if TYPE_CHECKING:
    from claimx.archive import Outcome, Selection, Settings


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    score = commands.add_parser(
        "score",
        help="score whole archives of runs: rows for SQL, rates, a report",
        description="Score archives, of every format that 'claimx check' reads, into a folder: receipts/*.parquet (one row a "
        "run), rejected.jsonl, notes.jsonl, summary.json and report.html. Exit code: 0 done, 1 --fail-if holds, 2 wrong usage, or something could not be read or written.",
        allow_abbrev=False,
    )
    score.add_argument(
        "archive",
        nargs="+",
        metavar="ARCHIVE",
        help="files (.jsonl .json .eval .parquet, .gz .zst), folders, globs, saved datasets",
    )
    add_format(score)
    score.add_argument("--out", required=True, metavar="DIR", help="folder of the output")
    score.add_argument(
        "--resume", action="store_true", help="finish what was begun in DIR; begin it when there is nothing"
    )
    score.add_argument("--model", metavar="DIR", help="model folder (default: the model shipped with claimx)")
    pick = score.add_argument_group("which runs")
    pick.add_argument(
        "--sample", type=float, default=1.0, metavar="SHARE", help="score this share of the runs, chosen by their ids"
    )
    pick.add_argument("--seed", type=int, default=0, metavar="N", help="another seed, another sample (default 0)")
    pick.add_argument("--since", metavar="TIME", help="runs from this day or time on")
    pick.add_argument("--until", metavar="TIME", help="runs up to the end of this day, or before this time")
    pick.add_argument(
        "--where", metavar="CONDITION", help="runs whose fields fulfil it: \"model == 'm-1' and calls > 0\""
    )
    pick.add_argument(
        "--map",
        action="append",
        default=[],
        metavar="FACET=PATH",
        help="where time, agent, model or version stand: agent=meta.bot",
    )
    work = score.add_argument_group("how")
    work.add_argument("--engine", choices=["local", "ray"], default="local", help="processes here, or a Ray cluster")
    work.add_argument("--workers", type=int, metavar="N", help="processes or actors (default: the CPUs at hand)")
    work.add_argument(
        "--ray-address", metavar="ADDRESS", help="cluster to join (default: one of its own on this machine)"
    )
    work.add_argument("--strict-values", action="store_true", help="flag values that nothing in the run holds")
    work.add_argument("--ignore-tool", action="append", default=[], metavar="NAME", help="never list it as unreported")
    work.add_argument(
        "--sure",
        type=float,
        default=0.7,
        metavar="P",
        help="hold no claim against the agent below this (default 0.7)",
    )
    tell = score.add_argument_group("what is told")
    tell.add_argument(
        "--baseline",
        metavar="DIR",
        help="an earlier --out: what it did not have is new; of a glob, the last finished one before this",
    )
    tell.add_argument(
        "--history",
        action="append",
        default=[],
        metavar="GLOB",
        help="earlier --outs, for the alarm (in the order of their names)",
    )
    tell.add_argument(
        "--window",
        type=int,
        default=14,
        metavar="N",
        help="how many of them, or buckets of time, the alarm looks back (default 14)",
    )
    tell.add_argument(
        "--fail-if",
        action="append",
        default=[],
        metavar="CONDITION",
        help="exit with 1 if it holds: 'fabricated_rate > 0.01'",
    )
    tell.add_argument("--prometheus", metavar="FILE", help="write metrics for the textfile collector")
    tell.add_argument(
        "--report-runs", type=int, default=10_000, metavar="N", help="flagged runs in the report (default 10000)"
    )
    tell.add_argument("--no-report", action="store_true", help="leave report.html out")
    tell.add_argument("--quiet", action="store_true", help="no progress, no summary")
    tell.add_argument("--json", action="store_true", help="progress and summary as JSON lines on standard output")
    score.set_defaults(run=_score)


def _score(args: argparse.Namespace) -> int:
    import claimx.archive as room
    from claimx.archive.selection import parse_bound
    from claimx.archive.summary import known_names, names_of
    from claimx.cli.outcome import tell_outcome
    from claimx.match import MatchOptions

    if args.workers is not None and args.workers < 1:
        raise InputError(f"--workers is {args.workers}, expected 1 or more")
    if args.window < 1:
        raise InputError(f"--window is {args.window}, expected 1 or more")
    if args.report_runs < 0:
        raise InputError(f"--report-runs is {args.report_runs}, expected 0 or more")
    for option in ("out", "model", "since", "until", "where", "baseline", "prometheus", "ray_address"):
        if getattr(args, option) == "":  # of a variable that was never set: as if nothing had been asked for
            raise InputError(f"--{option.replace('_', '-')} is empty")
    fail_if = [room.Condition(c, option="--fail-if") for c in args.fail_if]
    for condition in fail_if:
        condition.require_fields(known_names())
        if "new_kinds" in condition.names and not args.baseline:
            raise InputError(f"--fail-if {condition.text!r}: new_kinds needs --baseline")
    selection = room.Selection(
        sample=args.sample,
        seed=args.seed,
        since=parse_bound(args.since, option="--since") if args.since else None,
        until=parse_bound(args.until, option="--until", end=True) if args.until else None,
        where=room.Condition(args.where, option="--where") if args.where else None,
    )
    options = MatchOptions(ignore_tools=frozenset(args.ignore_tool), strict_values=args.strict_values, sure=args.sure)
    settings = room.Settings(args.model, options)
    formats: Counter[str] = Counter()
    try:
        with _stoppable():
            outcome = _run(args, settings, selection, formats)
            if not args.no_report:
                from claimx.report.page import write_report

                write_report(outcome.folder, outcome.summary, most=args.report_runs)
    except KeyboardInterrupt as e:
        complain(f"stopped; what was done is kept in {args.out}: the same command with --resume goes on from there")
        return TERMINATED if isinstance(e, _Terminated) else STOPPED
    names = names_of(outcome.summary)
    held = [c.text for c in fail_if if c.matches(names)]
    fault = _write_metrics(args.prometheus, outcome) if args.prometheus else None
    code = tell_outcome(outcome, held, json_lines=args.json, quiet=args.quiet, formats=formats)
    if fault is not None:
        raise fault
    return code


@contextmanager
def _stoppable() -> Iterator[None]:
    """End on SIGTERM as on Ctrl-C: files in their places, workers ended, one sentence."""

    def stop(number: int, frame: object) -> None:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)  # one is enough
        raise _Terminated

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL if before is None else before)


def _write_metrics(path: str, outcome: Outcome) -> InputError | None:
    """Write the metrics. A collector's folder that cannot be written is told last, and costs nothing else."""
    from claimx.archive.prometheus import write_metrics

    try:
        write_metrics(Path(path), outcome.summary, seconds=outcome.seconds)
    except InputError as e:
        return e
    return None


def _run(args: argparse.Namespace, settings: Settings, selection: Selection, formats: Counter[str]) -> Outcome:
    import claimx.archive as room
    from claimx.adapters import read_runs
    from claimx.archive.facets import parse_map
    from claimx.cli.nights import find_baseline, find_history
    from claimx.cli.progress import shown

    with shown(json_lines=args.json, quiet=args.quiet) as on_progress:
        return room.score(
            args.archive,
            args.out,
            settings=settings,
            selection=selection,
            reader=partial(read_runs, format=args.format, turns=args.turns, told=lambda d: formats.update([d.format])),
            reading={"format": args.format, "turns": args.turns},
            paths=parse_map(_pairs(args.map)),
            engine=_engine(args, settings),
            workers=args.workers,
            resume=args.resume,
            baseline=find_baseline(args.baseline, Path(args.out)),
            history=find_history(args.history, Path(args.out)),
            window=args.window,
            on_progress=on_progress,
        )


def _engine(args: argparse.Namespace, settings: Any) -> Any:
    if args.engine == "local":
        if args.ray_address:
            raise InputError("--ray-address needs --engine ray")
        return None
    from claimx.archive.on_ray import RayEngine

    return RayEngine(settings, address=args.ray_address, workers=args.workers)


def _pairs(given: list[str]) -> dict[str, str]:
    pairs = {}
    for text in given:
        name, sign, path = text.partition("=")
        if not (sign and name and path):
            raise InputError(f"--map {text!r}: expected FACET=PATH, such as agent=metadata.bot")
        pairs[name] = path
    return pairs
