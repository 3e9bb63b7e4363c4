"""The rules: which state follows from receipts and checks, and whether another write may begin. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from claimx.completion.document import Completion
from claimx.completion.evidence import Evidence
from claimx.completion.receipt import AttemptReceipt
from claimx.completion.verification import Finding
from claimx.match.results import Outcome
from claimx.types import CompletionState


class Move(StrEnum):
    """What may be done next about a step."""

    WRITE = "write"
    READ = "read"
    WAIT = "wait"
    STOP = "stop"


@dataclass(frozen=True, slots=True)
class Plan:
    """The next move. `at` is when it may be made, `attempt` the number of the write, `why` the reason."""

    move: Move
    at: float = 0.0
    attempt: int = 0
    why: str = ""


def plan_write(e: Evidence, step: str) -> Plan:
    """Say whether a step's write may begin. A second write never begins while it is open whether the first took effect."""
    done = complete(e)
    if done.settled or done.state is CompletionState.VERIFIED:
        return Plan(Move.STOP, why=done.reason)
    if any(o.step == step for o in e.in_flight):
        return Plan(Move.STOP, why="an attempt of it is under way")
    for other in e.intent.steps[: e.intent.steps.index(step)]:
        last = e.last(other)
        if last is None or not _is_through(e, last):
            return Plan(Move.STOP, why=f"step {other!r} comes before it and is not through")
    last = e.last(step)
    if last is None:
        return Plan(Move.WRITE, e.now, 1, "no attempt was made yet")
    if _is_through(e, last):
        return Plan(Move.STOP, why="its write was accepted, or its effect is there")
    return _plan_again(e, step, last)


def _plan_again(e: Evidence, step: str, last: AttemptReceipt) -> Plan:
    """After a failure without effect, or one that leaves it open: read before another write."""
    tried = last.attempt
    checks = e.checks_since(_scope(e, step))
    found = e.finding(_scope(e, step))
    unknown = _is_open(e, last)
    if e.contract.verify is not None and not checks:
        return Plan(Move.READ, e.now, why="the state is read before another write")
    if unknown and (found is None or found.finding is not Finding.ABSENT):
        if e.contract.verify is None:
            return Plan(Move.STOP, why="whether the first write took effect is not known, and nothing can tell")
        return _plan_read(e, _scope(e, step))
    if _is_spent(e, step):
        return Plan(Move.STOP, why=f"{tried} of {e.contract.attempts} attempts were made, or their time is over")
    return Plan(Move.WRITE, last.finished_at + e.contract.delay(tried), tried + 1, "the last attempt had no effect")


def plan_read(e: Evidence) -> Plan:
    """Say whether and when the whole action's state is to be read next."""
    done = complete(e)
    if done.settled or e.missing or e.contract.verify is None or e.deadline is None:
        return Plan(Move.STOP, why=done.reason)
    return _plan_read(e, "")


def _plan_read(e: Evidence, scope: str) -> Plan:
    checks = e.checks_since(scope)
    deadline = e.deadline if e.deadline is not None else e.now
    if not checks:
        return Plan(Move.READ, e.now, why="it was not read yet")
    if checks[-1].checked_at >= deadline:
        return Plan(Move.STOP, why="the time within which it must show is over")
    due = min(checks[-1].checked_at + e.contract.delay(len(checks)), deadline)
    return Plan(Move.READ if due <= e.now else Move.WAIT, due, why="it does not show yet")


def complete(e: Evidence) -> Completion:
    """Return the state that follows from all that is known of an action."""
    known = [r for s in e.intent.steps if (r := e.last(s)) is not None]
    if not e.receipts and not e.in_flight:
        return _state(e, CompletionState.FAILED, "not executed: there is no receipt of an attempt", executed=False)
    failed = next((r for r in known if r.outcome.failed and not _may_have_landed(e, r)), None)
    if failed is not None:
        reason = f"{_name(failed)} was {failed.outcome.kind}: {failed.outcome.detail}"
        held = e.finding("")
        disputed = held is not None and held.finding is Finding.HOLDS
        return _state(e, CompletionState.FAILED, reason, settled=True, told=failed, disputed=disputed)
    if e.in_flight:
        o = e.in_flight[0]
        return _state(
            e, CompletionState.UNVERIFIED, f"attempt {o.attempt} of {o.step or e.intent.operation} is under way"
        )
    turned_away = next((r for r in known if r.outcome.retryable and not _is_through(e, r) and not _is_open(e, r)), None)
    if turned_away is not None:
        reason = f"{_name(turned_away)} had no effect: {turned_away.outcome.detail}"
        spent, had = _is_spent(e, turned_away.step), any(r.outcome.may_have_effect for r in e.receipts)
        return _state(e, CompletionState.FAILED, reason, settled=spent, told=turned_away, executed=had)
    missing = e.missing
    if missing:
        return _state(e, CompletionState.UNVERIFIED, f"step {missing[0]!r} was not attempted yet")
    return _by_state_of_record(e, known)


def _by_state_of_record(e: Evidence, known: Sequence[AttemptReceipt]) -> Completion:
    found = e.finding("")
    unknown = [r for r in known if _is_open(e, r)]
    if found is not None and found.finding is Finding.HOLDS:
        disputed = any(not r.outcome.may_have_effect for r in known)
        reason = found.reason or "the postcondition holds"
        return _state(e, CompletionState.VERIFIED, reason, settled=True, disputed=disputed)
    if found is None:
        scopes = [_scope(e, r.step) for r in unknown]
        found = next((c for s in scopes if (c := e.finding(s)) is not None), None)
    if found is not None:
        said = "" if unknown else "the write was accepted, but "
        again = found.finding is Finding.ABSENT and bool(unknown) and not _is_spent(e, unknown[0].step)
        reason = f"{said}the postcondition is false: {found.reason or found.finding}"
        return _state(e, CompletionState.FAILED, reason, settled=not again, disputed=not unknown)
    if e.contract.verify is None:
        return _state(e, CompletionState.UNVERIFIED, "no postcondition is defined for it, so nothing can show it")
    last = next(iter(e.checks_since("")[-1:]), None)
    said = "its outcome is not known" if unknown else "it was accepted"
    seen = f"; the last read: {last.finding}{f' ({last.reason})' if last.reason else ''}" if last else "; not read yet"
    over = "; the time within which it must show is over" if _is_late(e) else ""
    return _state(e, CompletionState.UNVERIFIED, f"{said}{seen}{over}")


def _is_late(e: Evidence) -> bool:
    """Whether the state was read when it should have shown by, and did not show."""
    checks = e.checks_since("")
    return bool(checks) and e.deadline is not None and checks[-1].checked_at >= e.deadline


def _state(
    e: Evidence,
    state: CompletionState,
    reason: str,
    *,
    settled: bool = False,
    executed: bool | None = None,
    disputed: bool = False,
    told: AttemptReceipt | None = None,
) -> Completion:
    due, late = None, state is CompletionState.UNVERIFIED and _is_late(e)
    if e.in_flight and state is CompletionState.UNVERIFIED:
        due = min(o.lease_until for o in e.in_flight)
    elif state is CompletionState.UNVERIFIED and e.missing and e.deadline is not None:
        # Its other steps are for the application to attempt: when none comes in time, a person must look.
        late, due = e.now >= e.deadline, None if e.now >= e.deadline else e.deadline
    is_open = state is CompletionState.UNVERIFIED and not late and not e.missing and not e.in_flight
    if is_open and e.contract.verify is not None and e.deadline is not None:
        checks = e.checks_since("")
        due = min(checks[-1].checked_at + e.contract.delay(len(checks)), e.deadline) if checks else e.now
    return Completion(
        intent=e.intent,
        state=state,
        reason=reason,
        receipts=e.receipts,
        checks=e.checks,
        safe_reason=told.outcome.safe_reason if told is not None else "",
        postcondition=e.contract.postcondition,
        settled=settled,
        executed=bool(e.receipts or e.in_flight) if executed is None else executed,
        disputed=disputed,
        escalated=late or (disputed and e.contract.high_risk),
        next_check_at=due,
        deadline=e.deadline,
        revision=len(e.openings) + len(e.receipts) + len(e.checks),
    )


def _scope(e: Evidence, step: str) -> str:
    """What is read to clear a step up: the whole action where it has no other steps."""
    return "" if len(e.intent.steps) == 1 else step


def _is_through(e: Evidence, last: AttemptReceipt) -> bool:
    """Whether a step's write was accepted, or its effect is there."""
    if last.outcome.kind in (Outcome.ACCEPTED, Outcome.PENDING):
        return True
    found = e.finding(_scope(e, last.step))
    return found is not None and found.finding is Finding.HOLDS


def _is_open(e: Evidence, last: AttemptReceipt) -> bool:
    """Whether it is open if a step took effect: unknown, or failed after an attempt that may have had an effect."""
    if _is_through(e, last):
        return False
    return last.outcome.kind is Outcome.UNKNOWN or _may_have_landed(e, last)


def _may_have_landed(e: Evidence, last: AttemptReceipt) -> bool:
    """Whether an attempt before the last may have had its effect after it was looked for."""
    return any(r.outcome.may_have_effect for r in e.receipts if r.step == last.step and r is not last)


def _is_spent(e: Evidence, step: str) -> bool:
    mine = [r for r in e.receipts if r.step == step]
    over = bool(mine) and e.now > mine[0].started_at + e.contract.write_budget
    return over or len(mine) >= e.contract.attempts


def _name(receipt: AttemptReceipt) -> str:
    return f"attempt {receipt.attempt} of {receipt.step or receipt.tool}"
