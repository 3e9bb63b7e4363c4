"""`claimx ledger`: what was recorded, whether it is still what was written, and runs made of it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from claimx.cli.io import BAD_INPUT, FLAGGED, OK, Faults, Sink, complain, exit_code, good_records
from claimx.errors import CompletionError, LedgerError
from claimx.report.counting import counted

if TYPE_CHECKING:
    from claimx.cli.sources import CompletionFile
    from claimx.completion import Verified
    from claimx.ledger import Keyring, Row


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command and what it does."""
    ledger = commands.add_parser(
        "ledger", help="show, verify and export recorded calls; make keys to sign them with", allow_abbrev=False
    )
    verbs = ledger.add_subparsers(required=True, metavar="VERB")
    show = _verb(verbs, "show", "list the recorded calls", _show)
    show.add_argument("--out", metavar="FILE", help="write JSON lines to FILE (- for stdout) instead of a table")

    verify = _verb(
        verbs,
        "verify",
        "derive digests, links and signatures anew, of a ledger or of completion states, and name the first fault",
        _verify,
    )
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
    from claimx.ledger.folding import unreadable

    count = damaged = 0
    with Sink(args.out) as sink:
        for conversation in conversations_of(args.ledger, only=args.conversation):
            count += 1
            for number, row in enumerate(conversation.rows or (), 1):
                if row.damage is not None:
                    damaged += 1
                    complain(f"{args.ledger}: conversation {conversation.name!r}: {unreadable(number, row)}")
            entries = conversation.readable
            if sink.file is None:
                from claimx.report.ledger import print_calls

                print_calls(conversation.name, entries)
                continue
            for entry in entries:
                sink.write({"conversation": conversation.name, **entry.to_dict()})
    return BAD_INPUT if damaged else OK if count else _empty(args.ledger)


def _verify(args: argparse.Namespace) -> int:
    from claimx.cli.sources import completions_in, conversations_of
    from claimx.ledger import Keyring, verify

    keys = Keyring.load(args.keys) if args.keys else None
    states = completions_in(args.ledger)
    chains = [] if states and not states.is_ledger else conversations_of(args.ledger, only=args.conversation)
    noted: str | None = args.head  # it is of one chain; where none has it, any may be the one that was cut
    if noted is not None:
        chains = list(chains)
    in_chain = noted is not None and any(r.digest == noted for c in chains for r in c.rows or ())
    outcome_of_states = None
    if states and (args.conversation is None or not states.is_ledger):
        outcome_of_states = _verify_states(args, states, keys, None if in_chain else noted)
        if noted is not None and not in_chain and not any(noted in f for f in outcome_of_states.faults):
            noted = None
    count = faults = 0
    with Sink(args.out) as sink:
        for found in chains:
            if found.rows is None:
                raise LedgerError(f"{args.ledger}: run {found.name!r} carries no signed rows to verify")
            head = noted if not in_chain or noted in {r.digest for r in found.rows} else None
            outcome = verify(found.rows, keys, conversation=found.name, head=head, complete=args.complete)
            count += 1
            faults += not outcome.ok
            if sink.file is not None:
                sink.write(outcome.to_dict())
            else:
                from claimx.report.ledger import print_verification

                print_verification(outcome)
        if states and outcome_of_states:
            count += 1
            faults += not outcome_of_states.ok
            if sink.file is not None:
                sink.write({"completions": str(states.path), **outcome_of_states.to_dict()})
            else:
                from claimx.report.ledger import print_states

                print_states(str(states.path), outcome_of_states)
    if not count:
        return _empty(args.ledger)
    return FLAGGED if faults else OK


def _verify_states(
    args: argparse.Namespace, states: CompletionFile, keys: Keyring | None, head: str | None
) -> Verified:
    """Verify the completion states in a file."""
    from claimx.completion import verify_file
    from claimx.ledger import HmacKey

    if not states.is_ledger and (args.conversation is not None or args.complete):
        option = "--conversation" if args.conversation is not None else "--complete"
        raise LedgerError(
            f"{args.ledger}: {option} is for ledgers, and this keeps completion states: note its head for --head"
        )
    secrets = [k for k in keys.keys.values() if isinstance(k, HmacKey)] if keys is not None else []
    try:
        return verify_file(states.path, secrets, head=head)
    except CompletionError as e:
        raise (
            CompletionError(f"{e}; --keys takes a key file that holds it (hmac-sha256)") if not secrets else e
        ) from None


def _export(args: argparse.Namespace) -> int:
    from claimx.cli.sources import open_existing
    from claimx.ledger import make_run, runs_of
    from claimx.ledger.folding import CHAIN
    from claimx.records import open_input, parse_run, read_records

    faults, count, silent, broken = Faults(), 0, 0, 0
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
                        if _left_out(args.ledger, said.id, rows):
                            broken += 1
                            continue
                        if not rows:
                            complain(f"{args.ledger}: conversation {said.id!r} has no rows: its ledger is empty")
                        run = make_run(rows, said.reply, tools=said.tools, user=said.user, id=said.id)
                        put(replace(run, now=said.now, extra={**said.extra, **run.extra}))
                        count += 1
                return BAD_INPUT if broken else exit_code(count, faults)
            names = store.conversations() if args.conversation is None else [args.conversation]
            for name in names:
                rows = store.read(name)
                if _left_out(args.ledger, name, rows):
                    broken += 1
                    continue
                runs = list(runs_of(rows))
                silent += not runs
                for run in runs:
                    put(run)
                    count += 1
    finally:
        store.close()
    if silent:
        hold = counted(silent, "conversation") + (" holds" if silent == 1 else " hold")
        complain(f"{hold} no reply: record replies with Ledger.message, or give --replies")
    return OK if count and not broken else BAD_INPUT


def _left_out(address: str, name: str, rows: Sequence[Row]) -> bool:
    """Whether a conversation is left out of what is exported because one of its rows can't be read; say so."""
    from claimx.ledger.folding import unreadable

    number = next((n for n, r in enumerate(rows, 1) if r.damage is not None), None)
    if number is None:
        return False
    complain(f"{address}: conversation {name!r} is left out: {unreadable(number, rows[number - 1])}")
    return True


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
