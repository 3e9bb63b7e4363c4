"""Words for states, in classes: what a claim says came about against what a record says."""

from __future__ import annotations

import re
from enum import StrEnum


class Phase(StrEnum):
    """Whether a state means that the thing is done, still open, or did not work."""

    DONE = "done"
    OPEN = "open"
    FAILED = "failed"


_CLASSES: tuple[tuple[str, Phase, str], ...] = (
    ("cancelled", Phase.DONE, "cancelled canceled void voided cancellation terminated"),
    ("closed", Phase.DONE, "closed resolved solved"),
    ("done", Phase.DONE, "done complete completed finished success succeeded successful ok processed executed applied passed "
     "fulfilled settled captured posted saved updated created merged"),
    ("approved", Phase.DONE, "approved accepted authorised authorized granted confirmed verified"),
    ("active", Phase.DONE, "active enabled live on running deployed online up activated"),
    ("inactive", Phase.DONE, "inactive disabled off stopped deactivated offline paused suspended blocked locked frozen"),
    ("delivered", Phase.DONE, "delivered received arrived"),
    ("sent", Phase.DONE, "sent dispatched shipped mailed emailed notified published"),
    ("refunded", Phase.DONE, "refunded reimbursed credited reversed returned"),
    ("booked", Phase.DONE, "booked reserved ticketed scheduled"),
    ("deleted", Phase.DONE, "deleted removed erased purged archived"),
    ("paid", Phase.DONE, "paid charged"),
    ("pending", Phase.OPEN, "pending queued requested awaiting waiting hold onhold review draft drafted staged processing "
     "progress inprogress submitted initiated started unconfirmed tentative held enqueued unpaid proposed scheduling "
     "incomplete partial partially not_started"),
    ("failed", Phase.FAILED, "failed failure declined rejected refused denied error errored bounced undelivered expired "
     "unsuccessful aborted invalid unauthorized forbidden timeout timedout"),
)  # fmt: skip
_CLASS_OF = {word: name for name, _, words in _CLASSES for word in words.split()}
_PHASE_OF = {name: phase for name, phase, _ in _CLASSES}
_SPLIT = re.compile(r"[^a-z]+")


def state_class(text: str) -> str | None:
    """Return the class of a state word or status field, None when it holds none. Open and failed words win over done.

    >>> state_class("Canceled"), state_class("pending_review"), state_class("on hold"), state_class("blue")
    ('cancelled', 'pending', 'pending', None)
    """
    snake = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", text[:80]).lower()
    words = [w for w in _SPLIT.split(snake) if w]
    if not words or len(words) > 5:
        return None
    found = [_CLASS_OF[w] for w in words if w in _CLASS_OF]
    if any(w in {"not", "non", "un", "never", "no"} for w in words):
        return "pending" if found else None
    for phase in (Phase.FAILED, Phase.OPEN):
        hit = next((f for f in found if _PHASE_OF[f] is phase), None)
        if hit:
            return hit
    return found[0] if found else None


def phase_of(text: str) -> Phase | None:
    """Return the phase that a state word stands for, None when it is no known state.

    >>> phase_of("queued"), phase_of("closed"), phase_of("declined")
    (<Phase.OPEN: 'open'>, <Phase.DONE: 'done'>, <Phase.FAILED: 'failed'>)
    """
    name = state_class(text)
    return _PHASE_OF[name] if name else None
