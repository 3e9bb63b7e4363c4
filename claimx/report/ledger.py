"""Recorded calls, verifications and audits for people in a terminal."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.text import Text

from claimx.ledger import AuditVerdict, Finding, Verification
from claimx.report.counting import counted
from claimx.types import CallStatus, LedgerEntry

if TYPE_CHECKING:
    from claimx.completion import Verified

STYLES: dict[str, str] = {
    CallStatus.SUCCESS: "green",
    CallStatus.ERROR: "bold red",
    CallStatus.TIMEOUT: "yellow",
    CallStatus.UNKNOWN: "yellow",
    AuditVerdict.OK: "bold green",
    AuditVerdict.MISQUOTED: "bold magenta",
    AuditVerdict.FABRICATED: "bold white on red",
    AuditVerdict.UNVERIFIED: "yellow",
}


def print_calls(conversation: str, entries: Sequence[LedgerEntry], *, console: Console | None = None) -> None:
    """Print the calls of a conversation, nested ones indented."""
    out = console or Console()
    out.print(Text.assemble(("conversation ", "dim"), (conversation, "bold"), f"  {counted(len(entries), 'call')}"))
    depth: dict[str, int] = {}
    for e in entries:
        depth[e.id] = depth.get(e.parent_id or "", -1) + 1
        took = e.extra.get("duration_ms")
        line = Text.assemble(
            (f" {str(e.started_at or '-')[11:19]:8} ", "dim"),
            "  " * depth[e.id],
            (e.id, "cyan"),
            "  ",
            (str(e.status), STYLES[e.status]),
            ("" if took is None else f"  {took:.0f} ms", "dim"),
        )
        told = e.error if e.error is not None else _short(e.result) if e.captured else "(not stored)"
        line.append(f"\n{'':10}{'  ' * depth[e.id]}{_short(e.args)} -> {told}")
        out.print(line, soft_wrap=True)


def print_verification(found: Verification, *, console: Console | None = None) -> None:
    """Print one line for a conversation that verifies, and what is wrong with one that doesn't."""
    out = console or Console()
    if found.fault is not None:
        f = found.fault
        out.print(Text.assemble((f" {f.kind.upper()} ", "bold white on red"), f" {f.id} (row {f.seq}): {f.reason}"))
        return
    if not found.checked_signatures:
        signed = "signatures not checked: give --keys" if found.signed_by else "not signed"
    else:
        signed = "signed by " + ", ".join(f"{k} ({n})" for k, n in found.signed_by.items())
    line = f" {found.conversation}: {counted(found.rows, 'row')}, {counted(found.calls, 'call')}, {signed}; head {found.head}"
    if found.unfinished:
        line += f"; of unknown outcome: {', '.join(found.unfinished)}"
    out.print(Text.assemble((" VERIFIED ", "bold green"), line), soft_wrap=True)


def print_states(path: str, found: Verified, *, console: Console | None = None) -> None:
    """Print one line for a file of completion states that verifies, or a line for each fault."""
    out = console or Console()
    for fault in found.faults:
        out.print(Text.assemble((" ALTERED ", "bold white on red"), f" {path}: {fault}"), soft_wrap=True)
    if found.ok:
        key = "chained with a key" if found.has_key else "chained without a key"
        line = f" {path}: {counted(found.records, 'record')} of actions, {key}; head {found.head}"
        out.print(Text.assemble((" VERIFIED ", "bold green"), line), soft_wrap=True)


def print_findings(findings: Sequence[Finding], *, console: Console | None = None) -> None:
    """Print one line a claim, and the totals."""
    out = console or Console()
    for f in findings:
        out.print(Text.assemble((f" {f.verdict} ", STYLES[f.verdict]), f" {f.claim.call}: {f.reason}"), soft_wrap=True)
    totals = [f"{n} {v}" for v in AuditVerdict if (n := sum(f.verdict is v for f in findings))]
    out.print(f"{counted(len(findings), 'claim')}: {', '.join(totals)}")


def _short(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 200 else f"{text[:197]}..."
