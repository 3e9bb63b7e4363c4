"""The command line: each command is a thin shell over a function of the library.

Exit codes: 0 nothing flagged, 1 something flagged, 2 wrong usage or unreadable input.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, TextIO

from claimx._version import __version__
from claimx.errors import ClaimxError, InputError
from claimx.records import Record, open_input, parse_run, read_records, reply_of

OK, FLAGGED, BAD_INPUT = 0, 1, 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    args = _parser().parse_args(argv)
    try:
        return int(args.run(args))
    except ClaimxError as e:
        _complain(str(e))
        return BAD_INPUT
    except BrokenPipeError:
        sys.stderr.close()
        return OK


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="claimx", description="Catch AI agents claiming what they never did.", allow_abbrev=False
    )
    parser.add_argument("--version", action="version", version=f"claimx {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    check = commands.add_parser(
        "check",
        help="hold the claims of replies against the ledgers of their runs",
        description="Hold the claims of each run's reply against its ledger. Without --out a report for people is "
        "printed. Exit code: 0 nothing flagged, 1 something flagged, 2 wrong usage or unreadable input.",
        allow_abbrev=False,
    )
    _add_input(check)
    check.add_argument("--explain", action="store_true", help="show the tools considered for each claim, and why")
    check.add_argument("--strict-values", action="store_true", help="flag values that nothing in the run holds")
    check.add_argument("--ignore-tool", action="append", default=[], metavar="NAME", help="never list it as unreported")
    check.set_defaults(run=_check)

    extract = commands.add_parser(
        "extract",
        help="list the actions that replies mention, with tense, modality, actor and values",
        description="Extract the actions and values of each reply. Without --out a table for people is printed.",
        allow_abbrev=False,
    )
    _add_input(extract)
    extract.set_defaults(run=_extract)
    return parser


def _add_input(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("input", nargs="?", default="-", help="JSONL file or one JSON object; - or nothing: stdin")
    parser.add_argument("--out", metavar="FILE", help="write JSON lines to FILE (- for stdout) instead of a report")
    parser.add_argument("--model", metavar="DIR", help="model folder (default: the model shipped with claimx)")
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="replies read at a time (default 1)")


def _extractor(args: argparse.Namespace) -> Any:
    from claimx.extract import Extractor

    if args.threads < 1:
        raise InputError(f"--threads is {args.threads}, expected 1 or more")
    return Extractor(args.model, threads=args.threads)


class _Faults:
    """Counts and reports faulty records as they come."""

    def __init__(self) -> None:
        self.count = 0

    def report(self, error: InputError) -> None:
        self.count += 1
        _complain(str(error))


def _good(records: Iterable[Record], faults: _Faults, read: Any) -> Iterator[tuple[Record, Any]]:
    """Yield the records that `read` accepts with what it made of them; report the others."""
    for record in records:
        if record.error is not None:
            faults.report(record.error)
            continue
        try:
            yield record, read(record.data, line=record.line)
        except InputError as e:
            faults.report(e)


def _extract(args: argparse.Namespace) -> int:
    extractor = _extractor(args)
    faults = _Faults()
    count = 0
    with open_input(args.input) as stream, _Sink(args.out) as sink:
        for batch in _batches(_good(read_records(stream), faults, reply_of)):
            for (record, text), found in zip(batch, extractor.extract_many([t for _, t in batch]), strict=True):
                count += 1
                row = {"id": record.data.get("id", str(record.line)), **found.to_dict()}
                if sink.file is not None:
                    sink.write(row)
                else:
                    from claimx.report.terminal import print_extraction

                    print_extraction(str(row["id"]), text, found)
    return _ended(count, faults)


def _check(args: argparse.Namespace) -> int:
    from claimx.checker import Checker

    checker = Checker(_extractor(args), strict_values=args.strict_values, ignore_tools=args.ignore_tool)
    faults = _Faults()
    receipts: list[Any] = []
    flagged = count = 0
    with open_input(args.input) as stream, _Sink(args.out) as sink:
        for batch in _batches(_good(read_records(stream), faults, parse_run)):
            for (record, run), receipt in zip(batch, checker.check_many([r for _, r in batch]), strict=True):
                count += 1
                flagged += not receipt.ok
                if sink.file is not None:
                    row = receipt.to_dict(explain=args.explain)
                    sink.write({**row, "id": row["id"] or str(record.line)})
                else:
                    from claimx.report.terminal import print_receipt

                    print_receipt(run, receipt, explain=args.explain, name=run.id or str(record.line))
                    receipts.append(receipt)
    if len(receipts) > 1:
        from claimx.report.terminal import print_totals

        print_totals(receipts)
    return _ended(count, faults, flagged=flagged > 0)


def _ended(count: int, faults: _Faults, *, flagged: bool = False) -> int:
    """Return the exit code after `count` good records; say so when the input held none at all."""
    if not count and not faults.count:
        _complain("the input holds no record")
        return BAD_INPUT
    return BAD_INPUT if faults.count else FLAGGED if flagged else OK


def _batches(items: Iterable[Any], size: int = 64) -> Iterator[list[Any]]:
    """Small batches keep the output flowing while several threads have work."""
    batch: list[Any] = []
    for item in items:
        batch.append(item)
        if len(batch) >= size:
            yield batch
            batch = []
    if batch:
        yield batch


class _Sink:
    """Where JSON lines go: a file, standard output, or nowhere."""

    def __init__(self, path: str | None) -> None:
        self.path = path
        self.file: TextIO | None = None

    def __enter__(self) -> _Sink:
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


def _complain(message: str) -> None:
    sys.stderr.write(f"claimx: {message}\n")


if __name__ == "__main__":
    sys.exit(main())
