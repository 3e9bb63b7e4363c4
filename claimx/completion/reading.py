"""One read of the system of record: what the verifier says of it, weighed and ready to be kept."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy

from claimx.completion.evidence import Evidence
from claimx.completion.flow import Do, Flow
from claimx.completion.freshness import seconds, weigh
from claimx.completion.keeping import Keeping
from claimx.completion.verification import Check, CheckRecord, Finding, Reading, Subject, Verifier


def read_state(
    e: Evidence, scope: str, verify: Verifier, keeping: Keeping, clock: Callable[[], float]
) -> Flow[CheckRecord]:
    """Ask a verifier about an action, or about the step `scope` of it. One that fails is unavailable."""
    subject = deepcopy(Subject(e.intent, scope, e.receipts))  # what it does to it, it does to a copy
    try:
        found = yield Do(lambda: verify(subject))
        check = weigh(Check.from_any(found), e.contract.freshness, e.intent, e.receipts, clock())
    except Exception as error:
        check = Check(Finding.UNAVAILABLE, f"the verifier failed: {type(error).__name__}: {error}")
    reading = check.reading or Reading()
    return CheckRecord(
        action_id=e.intent.action_id,
        step=scope,
        finding=check.finding,
        reason=keeping.text(check.reason, e.intent.operation),
        checked_at=clock(),
        after=len(e.receipts),
        version=reading.version,
        source=reading.source,
        as_of=seconds(reading),
        consistent=reading.consistent,
        evidence=keeping.evidence(reading.evidence, e.intent.operation),
    )
