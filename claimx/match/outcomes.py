"""What a call may come to, and how it is known."""

from __future__ import annotations

from enum import StrEnum
from typing import NamedTuple


class Outcome(StrEnum):
    """What a call came to."""

    ACCEPTED = "accepted"
    PENDING = "pending"
    REJECTED = "rejected"
    RETRYABLE_FAILURE = "retryable_failure"
    PERMANENT_FAILURE = "permanent_failure"
    UNKNOWN = "unknown"
    FOUND = "found"
    NOT_FOUND = "not_found"


FAILURES = frozenset({Outcome.REJECTED, Outcome.RETRYABLE_FAILURE, Outcome.PERMANENT_FAILURE})


class Result(NamedTuple):
    """An outcome with the reason and the path that shows it. `state` is the status word found, `exit_code` a command's,
    `partial` the path of what was left over where only some of several things worked, `failed_items` the paths of the
    records of those that failed where each has its own, `noop` whether nothing was changed. One is made a call, so that it
    is no dataclass."""

    outcome: Outcome
    reason: str
    path: str
    state: str | None = None
    exit_code: int | None = None
    partial: str = ""
    noop: bool = False
    failed_items: tuple[str, ...] = ()

    @property
    def failed(self) -> bool:
        return self.outcome in FAILURES
