"""`claimx ledger`: what was recorded, whether it is still what was written, and runs made of it."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

from claimx.cli.io import BAD_INPUT, FLAGGED, OK, Faults, Sink, complain, exit_code, good_records
from claimx.errors import LedgerError


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command and what it does."""
    ledger = commands.add_parser(
        "ledger", help="show, verify and export recorded calls; make keys to sign them with", allow_abbrev=False
    )
    verbs = ledger.add_subparsers(required=True, metavar="VERB")
    show = _verb(verbs, "show", "list the recorded calls", _show)
    show.add_argument("--out", metavar="FILE", help="write JSON lines to FILE (- for stdout) instead of a table")

    verify = _verb(verbs, "verify", "derive digests, links and signatures anew and name the first fault", _verify)
    verify.add_argument("--keys", metavar="FILE", help="key file; without it signatures are not checked")
    verify.add_argument("--head", metavar="DIGEST", help="a digest noted earlier, which the chain must hold")
    verify.add_argument("--complete", action="store_true", help="the chain must end with a checkpoint")
    verify.add_argument("--out", metavar="FILE", help="write JSON lines to FILE (- for stdout) instead of a report")

    export = _verb(verbs, "export", "write the runs that `claimx check` reads, with their signed rows", _export)
    export.add_argument("--replies", metavar="FILE", help="JSON lines with 'id' (the conversation) and 'reply'")
    export.add_argument("--no-proof", action="store_true", help="leave out the signed rows")
    export.add_argument("--out", metavar="FILE", default="-", help="where to write (default: stdout)")

    keygen = verbs.add_parser("keygen", help="make a key file, or rotate its key", allow_abbrev=False)
    keygen.add_argument("file", metavar="FILE")
    keygen.add_argument("--algorithm", choices=["ed25519", "hmac-sha256"], default="ed25519")
    keygen.add_argument("--id", metavar="ID", help="id of the new key (default: key-1, key-2, ...)")
    keygen.add_argument(
        "--rotate", action="store_true", help="add a key to FILE; the one that signed so far is retired"
    )
    keygen.add_argument("--public", metavar="OUT", help="write the public halves to OUT, for those who only verify")
    keygen.set_defaults(run=_keygen)


def _verb(verbs: Any, name: str, help: str, run: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = verbs.add_parser(name, help=help, description=help, allow_abbrev=False)
    parser.add_argument("ledger", metavar="LEDGER", help="FILE.db, FILE.jsonl, postgresql://..., redis://..., or runs")
    parser.add_argument("--conversation", metavar="NAME", help="this one only")
    parser.set_defaults(run=run)
    return parser


def _show(args: argparse.Namespace) -> int:
    from claimx.cli.sources import conversations_of

    count = 0
    with Sink(args.out) as sink:
        for conversation in conversations_of(args.ledger, only=args.conversation):
            count += 1
            if sink.file is None:
                from claimx.report.ledger import print_calls

                print_calls(conversation.name, conversation.entries)
                continue
            for entry in conversation.entries:
                sink.write({"conversation": conversation.name, **entry.to_dict()})
    return OK if count else _empty(args.ledger)


def _verify(args: argparse.Namespace) -> int:
    from claimx.cli.sources import conversations_of
    from claimx.ledger import Keyring, verify

    keys = Keyring.load(args.keys) if args.keys else None
    count = faults = 0
    with Sink(args.out) as sink:
        for found in conversations_of(args.ledger, only=args.conversation):
            if found.rows is None:
                raise LedgerError(f"{args.ledger}: run {found.name!r} carries no signed rows to verify")
            outcome = verify(found.rows, keys, conversation=found.name, head=args.head, complete=args.complete)
            count += 1
            faults += not outcome.ok
            if sink.file is not None:
                sink.write(outcome.to_dict())
            else:
                from claimx.report.ledger import print_verification

                print_verification(outcome)
    if not count:
        return _empty(args.ledger)
    return FLAGGED if faults else OK


def _export(args: argparse.Namespace) -> int:
    from claimx.cli.sources import open_existing
    from claimx.ledger import make_run, runs_of
    from claimx.ledger.folding import CHAIN
    from claimx.records import open_input, parse_run, read_records

    faults, count, silent = Faults(), 0, 0
    store = open_existing(args.ledger)
    try:
        with Sink(args.out) as sink:

            def put(run: Any) -> None:
                extra = {k: v for k, v in run.extra.items() if not (args.no_proof and k == CHAIN)}
                sink.write(replace(run, extra=extra).to_dict())

            if args.replies:
                with open_input(args.replies) as stream:
                    for _, said in good_records(read_records(stream), faults, parse_run):
                        if args.conversation not in (None, said.id):
                            continue
                        rows = store.read(said.id)
                        if not rows:
                            complain(f"{args.ledger}: conversation {said.id!r} has no rows: its ledger is empty")
                        run = make_run(rows, said.reply, tools=said.tools, user=said.user, id=said.id)
                        put(replace(run, now=said.now, extra={**said.extra, **run.extra}))
                        count += 1
                return exit_code(count, faults)
            names = store.conversations() if args.conversation is None else [args.conversation]
            for name in names:
                runs = list(runs_of(store.read(name)))
                silent += not runs
                for run in runs:
                    put(run)
                    count += 1
    finally:
        store.close()
    if silent:
        complain(f"{silent} conversations hold no reply: record it with Ledger.message, or give --replies")
    return OK if count else BAD_INPUT


def _keygen(args: argparse.Namespace) -> int:
    from claimx.ledger import Keyring, make_key

    ring = Keyring.load(args.file) if args.rotate or (args.public and Path(args.file).exists()) else None
    if ring is None or args.rotate:
        key = make_key(args.algorithm, args.id or f"key-{len(ring.keys) + 1 if ring else 1}")
        ring = ring.rotated(key) if ring is not None else Keyring.of(key)
        ring.save(args.file, replace=args.rotate)
    if args.public:
        ring.public().save(args.public, replace=True)
    return OK


def _empty(address: str) -> int:
    complain(f"{address}: the ledger holds no conversation")
    return BAD_INPUT
