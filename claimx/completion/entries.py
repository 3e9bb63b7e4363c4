"""Completion states on ledger entries, so that claims are judged by the state of record, not by a call's own words."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from claimx.completion.document import Completion
from claimx.completion.receipt import AttemptReceipt, RuntimeStatus
from claimx.match.results import Outcome
from claimx.types import CallStatus, LedgerEntry


def with_states(entries: Iterable[LedgerEntry], documents: Iterable[Completion]) -> list[LedgerEntry]:
    """Return the entries, those with the state of their action that a receipt names by its call id or receipt id."""
    states = {i: d.state for d in documents for r in d.receipts for i in (r.call_id, r.receipt_id) if i is not None}
    return [replace(e, state=states[e.id]) if e.id in states else e for e in entries]


def entries_of(document: Completion) -> list[LedgerEntry]:
    """Return a ledger entry for each attempt, for runs of which no other ledger is kept: the target stands for the
    arguments, the outcome for the result."""
    return [
        LedgerEntry(
            id=r.call_id or r.receipt_id,
            tool=r.tool,
            args=dict(r.target),
            result=None,
            status=_status_of(r),
            started_at=r.started_at,
            ended_at=r.finished_at,
            error=r.outcome.detail if r.outcome.failed else None,
            extra={"action_id": r.action_id, "receipt_id": r.receipt_id},
            state=document.state,
        )
        for r in document.receipts
    ]


def _status_of(receipt: AttemptReceipt) -> CallStatus:
    if receipt.runtime_status is RuntimeStatus.TIMEOUT:
        return CallStatus.TIMEOUT
    if receipt.outcome.kind is Outcome.UNKNOWN:
        return CallStatus.UNKNOWN
    return CallStatus.SUCCESS if receipt.outcome.may_have_effect else CallStatus.ERROR
