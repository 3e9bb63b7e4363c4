"""Words for states, in classes: what a claim says came about against what a record says."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache

from claimx.values.comparison import Comparison, different_because, same_because, unknown_because
from claimx.values.keys import words_of


class Phase(StrEnum):
    """Whether a state means that the thing is done, still open, or did not work."""

    DONE = "done"
    OPEN = "open"
    FAILED = "failed"


class State(StrEnum):
    """A class of words for one state."""

    CANCELLED = "cancelled"
    CLOSED = "closed"
    DONE = "done"
    APPROVED = "approved"
    ACTIVE = "active"
    INACTIVE = "inactive"
    DELIVERED = "delivered"
    SHIPPED = "shipped"
    SENT = "sent"
    REFUNDED = "refunded"
    BOOKED = "booked"
    DELETED = "deleted"
    PAID = "paid"
    CREATED = "created"
    UPDATED = "updated"
    OPENED = "opened"
    DRAFT = "draft"
    SCHEDULED = "scheduled"
    PENDING = "pending"
    RUNNING = "running"
    FAILED = "failed"

    @property
    def phase(self) -> Phase | None:
        """Whether the state is done, open or failed; None for `open` and `new`, which say how a thing stands, not
        how far."""
        return _PHASES.get(self, Phase.DONE)


_PHASES = {
    **dict.fromkeys((State.DRAFT, State.SCHEDULED, State.PENDING, State.RUNNING), Phase.OPEN),
    State.FAILED: Phase.FAILED, State.OPENED: None,
}  # fmt: skip
_WORDS = {
    State.CANCELLED: "cancelled canceled cancel cancelling canceling cancellation void voided "
    "terminated withdrawn rescinded revoked",
    State.CLOSED: "closed close closing closure resolved resolve solved",
    State.DONE: "done complete completed completion finished success succeeded successful "
    "successfully ok processed executed applied "
    "passed passing fulfilled settled captured posted merged deployed installed ended concluded finalised finalized",
    State.APPROVED: "approved accepted authorised authorized granted confirmed verified validated",
    State.ACTIVE: "active activated enabled enable enabling live online on reactivated unlocked "
    "unblocked resumed subscribed",
    State.INACTIVE: "inactive disabled disable off deactivated offline stopped paused suspended "
    "blocked locked frozen unsubscribed revoked",
    State.DELIVERED: "delivered arrived",
    State.SHIPPED: "shipped dispatched transit",
    State.SENT: "sent send sending mailed emailed texted notified published forwarded delivered_to",
    State.REFUNDED: "refunded refund refunding reimbursed credited reversed",
    State.BOOKED: "booked reserved ticketed rebooked",
    State.DELETED: "deleted delete removed erased purged destroyed",
    State.PAID: "paid charged billed",
    State.CREATED: "created added registered generated issued",
    State.UPDATED: "updated changed modified edited saved",
    State.OPENED: "open opened reopened new unresolved",
    State.DRAFT: "draft drafted drafts",
    State.SCHEDULED: "scheduled rescheduled",
    State.PENDING: "pending queued queue enqueued requested awaiting awaits waiting wait hold onhold "
    "review reviewing submitted staged "
    "unconfirmed tentative held unpaid proposed incomplete partial partially backlog todo planned "
    "unsent unapproved unverified undelivered_yet",
    State.RUNNING: "running progress inprogress processing initiated started starting executing ongoing working",
    State.FAILED: "failed fail failure failing declined rejected refused denied error errored errors "
    "bounced undelivered undeliverable "
    "expired unsuccessful aborted invalid unauthorized unauthorised forbidden timeout timedout "
    "crashed cancelled_by_system",
}  # fmt: skip
_STATE_OF = {word: state for state, words in reversed(_WORDS.items()) for word in words.split()}
_NEGATIONS = frozenset({"not", "non", "un", "never", "no", "yet", "cannot", "isn", "wasn", "hasn"})
#: What a recorded state (right) implies beyond itself: a delivered parcel was shipped.
_IMPLIED = {
    State.DELIVERED: {State.SHIPPED, State.SENT},
    State.SHIPPED: {State.SENT},
    State.PAID: {State.APPROVED},
    State.SCHEDULED: {State.BOOKED, State.CREATED, State.UPDATED},
    State.BOOKED: {State.SCHEDULED, State.CREATED},
    State.APPROVED: {State.BOOKED, State.SCHEDULED},
    State.OPENED: {State.CREATED},
    State.DRAFT: {State.CREATED},
    State.CANCELLED: {State.CLOSED, State.INACTIVE, State.REFUNDED},
    State.CLOSED: {State.DONE},
    State.ACTIVE: {State.CREATED, State.UPDATED, State.DONE},
    State.INACTIVE: {State.CANCELLED, State.CLOSED, State.UPDATED},
    State.DELETED: {State.CANCELLED, State.CLOSED},
    State.CREATED: {State.OPENED, State.BOOKED, State.SCHEDULED, State.DRAFT},
}  # fmt: skip
#: Recorded states that only say that the work was done, whatever the work was.
_GENERIC = frozenset({State.DONE, State.APPROVED, State.UPDATED})
_OPPOSED = (
    {State.ACTIVE, State.INACTIVE}, {State.ACTIVE, State.CANCELLED}, {State.ACTIVE, State.DELETED},
    {State.BOOKED, State.CANCELLED},
    {State.OPENED, State.CLOSED}, {State.OPENED, State.CANCELLED}, {State.OPENED, State.DONE},
    {State.APPROVED, State.CANCELLED},
    {State.SCHEDULED, State.CANCELLED}, {State.SHIPPED, State.CANCELLED}, {State.DELIVERED, State.CANCELLED},
    {State.SENT, State.DRAFT},
    {State.DONE, State.CANCELLED}, {State.CREATED, State.DELETED}, {State.PAID, State.REFUNDED},
    {State.OPENED, State.DELETED},
)  # fmt: skip


@lru_cache(maxsize=4096)
def state_class(text: str) -> State | None:
    """Return the class of a state word or status field, None when it holds none. Failed and open words win over done.

    >>> [str(state_class(t)) for t in ("Canceled", "pending_review", "on hold", "inProgress", "blue", "not sent")]
    ['cancelled', 'pending', 'pending', 'running', 'None', 'pending']
    """
    words = words_of(text[:100].replace("'t", " not"))
    if not words or len(words) > 6:
        return None
    found = [_STATE_OF[w] for w in words if w in _STATE_OF]
    if _NEGATIONS & set(words):
        return State.PENDING if found else None
    for phase in (Phase.FAILED, Phase.OPEN):
        hit = next((f for f in found if f.phase is phase), None)
        if hit:
            return hit
    return found[0] if found else None


@lru_cache(maxsize=4096)
def phase_of(text: str) -> Phase | None:
    """Return the phase that a state word stands for, None when it is no known state.

    >>> phase_of("queued"), phase_of("closed"), phase_of("declined")
    (<Phase.OPEN: 'open'>, <Phase.DONE: 'done'>, <Phase.FAILED: 'failed'>)
    """
    state = state_class(text)
    return state.phase if state else None


def same_state(claimed: str, recorded: str) -> Comparison:
    """Hold what a claim says came about (its verb or state word) against a recorded status.

    >>> same_state("closed", "pending_review").reason
    "'closed' goes further than 'pending_review'"
    >>> [same_state("shipped", s).outcome.value for s in ("delivered", "completed", "declined", "draft", "blue")]
    ['same', 'same', 'different', 'different', 'unknown']
    """
    mine, theirs = state_class(claimed), state_class(recorded)
    if mine is None or theirs is None:
        return unknown_because(f"{(claimed if mine is None else recorded)!r} is no known state")
    if mine is theirs or mine in _IMPLIED.get(theirs, ()):
        return same_because(f"{recorded!r} is {claimed!r}")
    if theirs is State.FAILED:
        return different_because(f"{recorded!r} says that it failed, not {claimed!r}")
    if {mine, theirs} in _OPPOSED:
        return different_because(f"{recorded!r} is not {claimed!r}")
    if theirs.phase is Phase.OPEN:
        if mine.phase is Phase.OPEN:
            return same_because(f"both {claimed!r} and {recorded!r} are not done yet")
        if mine in (State.CREATED, State.UPDATED, State.OPENED):
            return unknown_because(f"{recorded!r} says little about {claimed!r}")
        return different_because(f"{claimed!r} goes further than {recorded!r}")
    if theirs in _GENERIC and mine.phase is Phase.DONE:
        return same_because(f"{recorded!r} says that it was done")
    if mine is State.DELIVERED and theirs in (State.SHIPPED, State.SENT):
        return different_because(f"{claimed!r} goes further than {recorded!r}")
    return unknown_because(f"{recorded!r} says little about {claimed!r}")
