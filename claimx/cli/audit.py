"""`claimx audit`: structured claims about calls against what the ledger recorded of them."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from typing import Any

from claimx.cli.io import Faults, Sink, exit_code, good_records
from claimx.errors import InputError, VerificationError


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    audit = commands.add_parser(
        "audit",
        help="hold structured claims (this call returned that) against a ledger",
        description="Hold structured claims against a ledger: FABRICATED if no such call was executed, MISQUOTED if it "
        "recorded something else, OK, or UNVERIFIED where nothing was stored to compare. Exit code: 0 nothing "
        "fabricated or misquoted, 1 something is, 2 wrong usage or unreadable input.",
        allow_abbrev=False,
    )
    audit.add_argument("input", nargs="?", default="-", help="JSON lines of claims; - or nothing: stdin")
    audit.add_argument("--ledger", required=True, metavar="LEDGER", help="a ledger's file or URL, or a file of runs")
    audit.add_argument("--by-field", action="store_true", help="compare the fields that are claimed, not whole results")
    audit.add_argument("--keys", metavar="FILE", help="refuse a ledger that does not verify with these keys")
    audit.add_argument("--out", metavar="FILE", help="write JSON lines to FILE (- for stdout) instead of a report")
    audit.set_defaults(run=_audit)


def _audit(args: argparse.Namespace) -> int:
    from claimx.ledger import AuditVerdict, Claimed, audit
    from claimx.records import open_input, read_records

    ledger = _ledger(args.ledger, args.keys)
    faults, findings = Faults(), []

    def read(data: Any, *, line: int | None = None) -> list[Claimed]:
        return [Claimed.from_dict(c, line=line) for c in _spread(data, line)]

    with open_input(args.input) as stream, Sink(args.out) as sink:
        for _, claims in good_records(read_records(stream), faults, read):
            for claim in claims:
                entries = (e for c, es in ledger.items() if claim.conversation in (None, c) for e in es)
                (finding,) = audit([claim], entries, by_field=args.by_field)
                findings.append(finding)
                if sink.file is not None:
                    sink.write(finding.to_dict())
    if args.out is None and findings:
        from claimx.report.ledger import print_findings

        print_findings(findings)
    wrong = any(f.verdict in (AuditVerdict.FABRICATED, AuditVerdict.MISQUOTED) for f in findings)
    return exit_code(len(findings), faults, flagged=wrong)


def _ledger(address: str, key_file: str | None) -> dict[str, list[Any]]:
    """The calls of each conversation. Raises VerificationError where keys are given and one doesn't verify."""
    from claimx.cli.sources import conversations_of
    from claimx.ledger import Keyring, check_proof, verify

    keys = Keyring.load(key_file) if key_file else None
    out: dict[str, list[Any]] = {}
    for found in conversations_of(address):
        if keys is not None and found.run is not None:
            check_proof(found.run, keys)
        elif keys is not None:
            fault = verify(found.rows or [], keys, conversation=found.name).fault
            if fault is not None:
                raise VerificationError(f"{address}: row {fault.id} is {fault.kind}: {fault.reason}")
        known = {e.id for e in out.setdefault(found.name, [])}
        out[found.name] += [e for e in found.entries if e.id not in known]
    return out


def _spread(data: Any, line: int | None) -> Iterator[Any]:
    """A record is one claim, or a stored conversation with its `claims`."""
    if not isinstance(data, Mapping) or "claims" not in data:
        yield data
        return
    where = f"line {line}: " if line else ""
    if not isinstance(data["claims"], list):
        message = f"{where}field 'claims' is {type(data['claims']).__name__}, expected a list"
        raise InputError(message, line=line, field="claims")
    conversation = data.get("conversation", data.get("id"))
    for claim in data["claims"]:
        yield {"conversation": conversation, **claim} if isinstance(claim, Mapping) else claim
