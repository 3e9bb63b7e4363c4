"""What the commands share: input options, exit codes, faulty records, and where JSON lines go."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from claimx.errors import InputError, InputNote
from claimx.records import Record

if TYPE_CHECKING:
    from claimx.adapters import Found

OK, FLAGGED, BAD_INPUT = 0, 1, 2


def add_input(parser: argparse.ArgumentParser) -> None:
    """Declare what `good_runs` reads, and where the output goes."""
    parser.add_argument(
        "input",
        nargs="?",
        default="-",
        help="JSON or JSON Lines: runs, messages, traces, sessions; - or nothing: stdin",
    )
    add_format(parser)
    parser.add_argument("--out", metavar="FILE", help="write JSON lines to FILE (- for stdout) instead of a report")
    parser.add_argument("--model", metavar="DIR", help="model folder (default: the model shipped with claimx)")
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="replies read at a time (default 1)")


def add_format(parser: argparse.ArgumentParser, *, turns: str = "last") -> None:
    """Declare how the input is read; `turns` is the default."""
    from claimx.adapters.formats import BY_NAME

    parser.add_argument(
        "--format", choices=list(BY_NAME), metavar="NAME", help="format of the input (default: recognised)"
    )
    parser.add_argument(
        "--turns",
        choices=["last", "all"],
        default=turns,
        help="last text of each conversation, or every text (default: %(default)s)",
    )


def make_extractor(args: argparse.Namespace) -> Any:
    from claimx.extract import Extractor

    if args.threads < 1:
        raise InputError(f"--threads is {args.threads}, expected 1 or more")
    return Extractor(args.model, threads=args.threads)


class Faults:
    """Counts and reports faulty records as they come."""

    def __init__(self) -> None:
        self.count = 0
        self.notes = 0

    def report(self, error: InputError) -> None:
        """Tell an error and count it; a note is told alone."""
        if isinstance(error, InputNote):
            self.notes += 1
        else:
            self.count += 1
        complain(str(error))


def good_records(records: Iterable[Record], faults: Faults, read: Any) -> Iterator[tuple[Record, Any]]:
    """Yield the records that `read` accepts with what it made of them; report the others."""
    for record in records:
        if record.error is not None:
            faults.report(record.error)
            continue
        try:
            yield record, read(record.data, line=record.line)
        except InputError as e:
            faults.report(e)


def good_runs(args: argparse.Namespace, faults: Faults, parse: Any) -> Iterator[Found]:
    """Return the runs of the input; report what could not be read, and which foreign format was taken.

    The input is opened and recognised at once, so that no output is begun for an input that cannot be read.
    """
    runs = _good_runs(args, faults, parse)
    first = next(runs, None)
    return runs if first is None else chain([first], runs)


def _good_runs(args: argparse.Namespace, faults: Faults, parse: Any) -> Iterator[Found]:
    yield from runs_in(args.input, args.format, args.turns, faults, parse)


def runs_in(name: str, form: str | None, turns: Any, faults: Faults, parse: Any) -> Iterator[Found]:
    """Yield the runs of a file (`-`: standard input) as `good_runs` does, opened when the first is asked for."""
    from claimx.adapters import read_runs

    def told(detection: Any) -> None:
        if detection.format != "claimx" and form is None:
            complain(f"{name}: read as {detection.format} ({detection.title.replace('`', '')})")

    for found in read_runs(name, form, turns, parse=parse, told=told):
        if found.error is not None:
            faults.report(found.error)
        else:
            yield found


def exit_code(count: int, faults: Faults, *, flagged: bool = False) -> int:
    """Return the exit code after `count` good records; say so when the input held none at all."""
    if not count and not faults.count and not faults.notes:
        complain("the input holds no record")
        return BAD_INPUT
    return BAD_INPUT if faults.count else FLAGGED if flagged else OK


def batches(items: Iterable[Any], size: int = 64) -> Iterator[list[Any]]:
    """Small batches keep the output flowing while several threads have work."""
    batch: list[Any] = []
    for item in items:
        batch.append(item)
        if len(batch) >= size:
            yield batch
            batch = []
    if batch:
        yield batch


class Sink:
    """Where JSON lines go: a file, standard output, or nowhere."""

    def __init__(self, path: str | None) -> None:
        self.path = path
        self.file: TextIO | None = None

    def __enter__(self) -> Sink:
        if self.path == "-":
            self.file = sys.stdout
        elif self.path is not None:
            try:
                self.file = Path(self.path).open("w", encoding="utf-8", errors="backslashreplace")
            except OSError as e:
                raise InputError(f"{self.path}: cannot be written ({e.strerror})") from e
        return self

    def __exit__(self, *_: object) -> None:
        if self.file is not None and self.file is not sys.stdout:
            self.file.close()

    def write(self, row: dict[str, Any]) -> None:
        assert self.file is not None  # noqa: S101  callers look first
        self.file.write(json.dumps(row, ensure_ascii=False, default=str) + "\n")


def write_out(text: str) -> None:
    """Write to standard output at once. A reader that went away costs the text, not the work nor its exit code."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def complain(message: str) -> None:
    """Tell people what is wrong. What a file's name or a record smuggles in never reaches the terminal as a command."""
    safe = "".join(c if c.isprintable() or c in "\n\t" else ascii(c)[1:-1] for c in message)
    sys.stderr.write(f"claimx: {safe}\n")
