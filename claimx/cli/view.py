"""`claimx view`: one receipt, in the terminal or as an HTML page."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from claimx.cli.io import FLAGGED, OK, add_format, complain, make_extractor
from claimx.errors import InputError, InputNote
from claimx.types import LedgerEntry, Receipt, Run

if TYPE_CHECKING:
    from claimx.adapters import Found


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    view = commands.add_parser(
        "view",
        help="show one receipt, in the terminal or as an HTML page",
        description="Show the receipt of one run: of a file of runs, messages or traces, which is checked now, or of a folder that "
        "'claimx score' wrote. Exit code: 0 nothing flagged, 1 something flagged, 2 wrong usage or unreadable input.",
        allow_abbrev=False,
    )
    view.add_argument("run_", metavar="RUN", help="a file of runs, - for stdin, or the --out folder of a score")
    view.add_argument(
        "--id", metavar="ID", help="which run (default: the first of a file, the first flagged one of a folder)"
    )
    add_format(view)
    view.add_argument("--html", metavar="FILE", help="write an HTML page to FILE (- for stdout)")
    view.add_argument("--model", metavar="DIR", help="model folder (default: the model shipped with claimx)")
    view.set_defaults(run=_view, threads=1)


def _view(args: argparse.Namespace) -> int:
    run, receipt = _scored(Path(args.run_), args.id) if Path(args.run_).is_dir() else _checked(args)
    if args.html:
        from claimx.report.receipt_html import receipt_html

        page = receipt_html(receipt, reply=run.reply, calls=run.ledger, page=True)
        if args.html == "-":
            # In signs that every encoding has: a pipe's need not be the one that the page names.
            sys.stdout.write(page.encode("ascii", "xmlcharrefreplace").decode("ascii"))
        else:
            try:
                Path(args.html).write_text(page, encoding="utf-8", errors="replace")
            except OSError as e:
                raise InputError(f"{args.html}: cannot be written ({e.strerror})") from e
            complain(f"{receipt.verdict}; the receipt is in {args.html}")
    else:
        from claimx.report.terminal import print_receipt

        print_receipt(run, receipt, name=receipt.id)
    return OK if receipt.ok else FLAGGED


def _checked(args: argparse.Namespace) -> tuple[Run, Receipt]:
    from claimx.adapters import read_runs
    from claimx.checker import Checker

    read = read_runs(args.run_, args.format, args.turns)
    for found in read:
        if found.run is not None and args.id in (None, _name_of(found)):
            if args.id is None:
                _tell_more(args, read)
            return found.run, Checker(make_extractor(args)).check(found.run)
        if found.error is not None and args.id is None and not isinstance(found.error, InputNote):
            raise found.error
    raise InputError(f"{args.run_}: holds no run" + (f" with the id {args.id!r}" if args.id else ""))


def _name_of(found: Found) -> str:
    """What `--id` calls a run: its id, else the line that it stands on."""
    return "" if found.run is None else found.run.id or str(found.line)


def _tell_more(args: argparse.Namespace, rest: Iterator[Found]) -> None:
    """Say that there is more than the run that is shown, and how to see it. Of the rest only the next run is read."""
    following = next((_name_of(f) for f in rest if f.run is not None), None)
    if following is not None:
        named = "" if args.run_ == "-" else f" {args.run_}"
        complain(
            f"the first run of several: --id {following} shows the next, 'claimx check{named}' all of them, one after the other"
        )


def _scored(folder: Path, id: str | None) -> tuple[Run, Receipt]:
    from claimx.archive.lookup import find_row
    from claimx.archive.rows import receipt_of

    row = find_row(folder, id)
    calls = tuple(LedgerEntry.from_dict(c) for c in row["calls"] or ())
    return Run(row["reply"], calls, id=row["id"]), receipt_of(row)
