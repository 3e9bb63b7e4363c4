"""`claimx guard check`: the calls of recorded or proposed runs under guard."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from typing import Any

from claimx.cli.io import Faults, Sink, exit_code, good_records
from claimx.errors import InputError
from claimx.guard import Decision, Policy, replay
from claimx.ledger.binding import open_to_the_guard
from claimx.records import open_input, read_records
from claimx.report.counting import counted
from claimx.types import Run


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    guard = commands.add_parser(
        "guard", help="hold calls against the tools that exist and what their run has seen", allow_abbrev=False
    )
    inner = guard.add_subparsers(required=True, metavar="COMMAND")
    check = inner.add_parser(
        "check",
        help="decide on each call of runs, with what the run had seen before it",
        description="Replay each run: every call of its ledger, then every call of its field 'calls' (which only ask to "
        "run), is held against the tools and against what the run had seen by then: earlier results, the user's words, "
        "the field 'seen'. Exit code: 0 nothing refused, 1 something refused, 2 wrong usage or unreadable input.",
        allow_abbrev=False,
    )
    check.add_argument("input", nargs="?", default="-", help="JSONL file or one JSON object; - or nothing: stdin")
    check.add_argument("--out", metavar="FILE", help="write JSON lines to FILE (- for stdout) instead of a report")
    check.add_argument("--policy", metavar="FILE", help="JSON object: writes, reads, fields, hand_over, absent, ...")
    check.add_argument("--keys", metavar="FILE", help="refuse runs whose signed ledger does not verify with these keys")
    check.add_argument(
        "--all-bound",
        action="store_true",
        help="with --keys: refuse runs of which the signed rows leave something open",
    )
    check.add_argument("--strict-tools", action="store_true", help="refuse recorded calls of tools that are not listed")
    check.set_defaults(run=_check)


def _check(args: argparse.Namespace) -> int:
    from claimx.cli.sources import Proofs, proved_by

    policy = _policy(args.policy) if args.policy else None
    proofs = Proofs()
    parse = proved_by(args.keys, complete=args.all_bound, told=proofs, also_open=open_to_the_guard)

    def read(data: Any, *, line: int | None = None) -> tuple[Run, list[Decision]]:
        if isinstance(data, dict) and not {"reply", "text", "ledger", "calls"} & data.keys():
            raise _no_run(data, line)
        run = parse({"reply": "", **data} if isinstance(data, dict) else data, line=line)
        return run, replay(run, policy=policy, strict_tools=args.strict_tools, line=line)

    faults = Faults()
    count = calls = refused = 0
    with open_input(args.input) as stream, Sink(args.out) as sink:
        for record, (run, decisions) in good_records(read_records(stream), faults, read):
            count += 1
            calls += len(decisions)
            bad = [d for d in decisions if not d.allowed]
            refused += len(bad)
            name = run.id or str(record.line)
            if sink.file is not None:
                sink.write({"id": name, "ok": not bad, "calls": [d.to_dict() for d in decisions], **proofs.of(run)})
            else:
                _print(name, decisions)
    if sink.path is None and count:
        sys.stdout.write(f"{refused} of {counted(calls, 'call')} refused\n")
    return exit_code(count, faults, flagged=refused > 0)


def _no_run(data: dict[str, Any], line: int | None) -> InputError:
    where = f"line {line}: " if line else ""
    message = (
        f"{where}this is no run (fields: {', '.join(map(str, data)) or 'none'}): its recorded calls stand in 'ledger', those that ask to run "
        "in 'calls'"
    )
    return InputError(message, line=line, field="ledger")


def _print(name: str, decisions: Sequence[Decision]) -> None:
    for d in decisions:
        mark = "ok     " if d.allowed else "refused"
        sys.stdout.write(f"{name}  {mark}  {d.call_id or '-'}  {d.tool}\n")
        for r in d.refusals:
            sys.stdout.write(f"    {r.code}: {r.message}\n")
        for s in d.sightings:
            sys.stdout.write(f"    {s.field} = {s.value}: seen at {s.path}\n")


def _policy(path: str) -> Policy:
    with open_input(path) as f:
        raw = f.read()
    try:
        return Policy.from_dict(json.loads(raw))
    except ValueError as e:
        raise InputError(f"{path}: not JSON ({e}): a policy is one JSON object") from e
    except InputError as e:
        raise InputError(f"{path}: {e}", field=e.field) from e
