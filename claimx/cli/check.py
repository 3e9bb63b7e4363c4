"""`claimx check`: the claims of replies against the ledgers of their runs."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from typing import Any

from claimx.adapters import Found
from claimx.cli.io import Faults, Sink, add_input, batches, complain, exit_code, good_runs, make_extractor
from claimx.cli.matching import add_options, options_of
from claimx.cli.sources import Proofs, proved_by
from claimx.errors import InputError


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    check = commands.add_parser(
        "check",
        help="hold the claims of replies against the ledgers of their runs",
        description="Hold the claims of each run's reply against its ledger. Without --out a report for people is "
        "printed. Exit code: 0 nothing flagged, 1 something flagged, 2 wrong usage or unreadable input.",
        allow_abbrev=False,
    )
    add_input(check)
    check.add_argument("--explain", action="store_true", help="show the tools considered for each claim, and why")
    add_options(check)
    check.add_argument("--keys", metavar="FILE", help="refuse runs whose signed ledger does not verify with these keys")
    check.add_argument(
        "--all-bound",
        action="store_true",
        help="with --keys: refuse runs of which the signed rows leave something open",
    )
    check.add_argument(
        "--claude-code",
        metavar="SESSION",
        help="check a session of Claude Code: last (the newest), the start of its id, or the path of its transcript",
    )
    check.set_defaults(run=_check)


def _check(args: argparse.Namespace) -> int:
    from claimx.checker import Checker

    checker = Checker(make_extractor(args), options=options_of(args))
    faults = Faults()
    receipts: list[Any] = []
    flagged = count = 0
    proofs = Proofs()
    runs = _runs(args, faults, proofs)
    with Sink(args.out) as sink:
        for batch in batches(runs):
            read = [f.run for f in batch]
            for found, run, receipt in zip(batch, read, checker.check_many(read), strict=True):
                count += 1
                flagged += not receipt.ok
                if sink.file is not None:
                    row = receipt.to_dict(explain=args.explain)
                    sink.write({**row, "id": row["id"] or str(found.line), **proofs.of(run)})
                else:
                    from claimx.report.terminal import print_receipt

                    print_receipt(run, receipt, explain=args.explain, name=run.id or str(found.line))
                    receipts.append(receipt)
    if len(receipts) > 1:
        from claimx.report.terminal import print_totals

        print_totals(receipts)
    if args.out not in (None, "-") and count:
        complain(f"{count} run{'s' if count > 1 else ''} checked, {flagged} flagged; receipts written to {args.out}")
    return exit_code(count, faults, flagged=flagged > 0)


def _runs(args: argparse.Namespace, faults: Faults, proofs: Proofs) -> Iterator[Found]:
    """Return the runs to check. Keys can prove claimx's own runs alone, so with them no other format is taken."""
    if args.keys is not None and (args.claude_code is not None or args.format not in (None, "claimx")):
        raise InputError(
            "--keys proves runs exported from a signed ledger: it goes with neither --claude-code nor --format"
        )
    if args.claude_code is not None:
        from claimx.adapters.claude_sessions import find_session

        args.input, args.format = str(find_session(args.claude_code)), "claude-code"
        if args.input != args.claude_code:
            complain(f"{args.input}: the session that is read")
    if args.keys is not None:
        args.format = "claimx"
    return good_runs(args, faults, proved_by(args.keys, complete=args.all_bound, told=proofs))
