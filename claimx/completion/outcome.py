"""What one attempt came to, as a type: never a silence, never prose."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from claimx.match.results import Outcome, classify_result
from claimx.types import LedgerEntry

#: The outcomes that an attempt may have; those of look-ups (found, not_found) are none.
OUTCOMES = (
    Outcome.ACCEPTED,
    Outcome.PENDING,
    Outcome.REJECTED,
    Outcome.RETRYABLE_FAILURE,
    Outcome.PERMANENT_FAILURE,
    Outcome.UNKNOWN,
)
#: Failures that leave it open whether the write was committed before the answer was lost.
_LOST = re.compile(
    r"time[d -]?\s?out|connection (?:reset|aborted|closed|lost)|broken pipe|end of file|\b(?:502|503|504)\b|bad gateway|unavailable",
    re.I,
)
#: Failures that say by themselves that nothing was begun.
_TURNED_AWAY = re.compile(r"rate limit|too many requests|\b429\b|overloaded|connection refused|throttl", re.I)
_CODES = ("status_code", "statusCode", "http_status", "code", "provider_code")
_OPERATIONS = ("operation_id", "operationId", "request_id", "id")


@dataclass(frozen=True, slots=True)
class TypedOutcome:
    """The outcome of one attempt. `detail` is for operators, `safe_reason` may be told to a user; `operation_id` is the
    provider's name for what it began."""

    kind: Outcome
    detail: str = ""
    safe_reason: str = ""
    provider_code: str | None = None
    operation_id: str | None = None

    def __post_init__(self) -> None:
        if self.kind not in OUTCOMES:
            raise ValueError(f"{self.kind} is no outcome of a write: expected one of {', '.join(OUTCOMES)}")

    @property
    def retryable(self) -> bool:
        """Whether the call did not complete and had no effect, so that another attempt may be made."""
        return self.kind is Outcome.RETRYABLE_FAILURE

    @property
    def failed(self) -> bool:
        """Whether the outcome itself proves that unchanged input will not help."""
        return self.kind in (Outcome.REJECTED, Outcome.PERMANENT_FAILURE)

    @property
    def may_have_effect(self) -> bool:
        return self.kind in (Outcome.ACCEPTED, Outcome.PENDING, Outcome.UNKNOWN)

    def to_dict(self) -> dict[str, Any]:
        return {
            "kind": str(self.kind),
            "retryable": self.retryable,
            "detail": self.detail,
            "safe_reason": self.safe_reason,
            "provider_code": self.provider_code,
            "operation_id": self.operation_id,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        return cls(
            Outcome(data["kind"]),
            data.get("detail", ""),
            data.get("safe_reason", ""),
            data.get("provider_code"),
            data.get("operation_id"),
        )


def as_outcome(given: TypedOutcome | Outcome | str) -> TypedOutcome:
    """Read what a team's own classifier returned. Raises ValueError for what is no outcome."""
    return given if isinstance(given, TypedOutcome) else TypedOutcome(Outcome(given))


def outcome_of_result(result: Any) -> TypedOutcome:
    """Read the outcome of a returned value off its structure.

    An empty value and bare prose are unknown: neither says what happened. So is a failure that leaves open whether the
    write was committed.

    >>> [str(outcome_of_result(r).kind) for r in ({"ok": True}, {"status": "pending"}, "", "done", {"error": "gateway timeout"})]
    ['accepted', 'pending', 'unknown', 'unknown', 'unknown']
    >>> [str(outcome_of_result(r).kind) for r in ({"error": "429 too many requests"}, {"error": "forbidden"}, {"ok": False})]
    ['retryable_failure', 'rejected', 'permanent_failure']
    """
    if isinstance(result, TypedOutcome):
        return result
    if result is None or result in ("", {}, []):
        return TypedOutcome(Outcome.UNKNOWN, "the tool returned nothing: an empty result is no outcome")
    code, operation = _first(result, _CODES), _first(result, _OPERATIONS)
    found = classify_result(LedgerEntry("attempt", "attempt", None, result))
    if found.outcome is Outcome.ACCEPTED and isinstance(result, str) and found.exit_code is None:
        detail = f"the tool returned prose ({result[:80]!r}): it says nothing that can be relied on"
        return TypedOutcome(Outcome.UNKNOWN, detail, "", code, operation)
    return TypedOutcome(_refined(found.outcome, f"{found.reason} {result}"), found.reason, "", code, operation)


def outcome_of_error(error: BaseException, *, no_effect: tuple[type[BaseException], ...] = ()) -> TypedOutcome:
    """Read the outcome of an exception: unknown, unless it is of a kind that is raised before anything was sent.

    >>> str(outcome_of_error(TimeoutError()).kind), str(outcome_of_error(ConnectionRefusedError()).kind)
    ('unknown', 'retryable_failure')
    """
    detail = f"{type(error).__name__}: {error}".rstrip(": ")
    if isinstance(error, (ConnectionRefusedError, *no_effect)):
        return TypedOutcome(Outcome.RETRYABLE_FAILURE, detail)
    return TypedOutcome(Outcome.UNKNOWN, detail)


def _refined(kind: Outcome, text: str) -> Outcome:
    if kind in (Outcome.RETRYABLE_FAILURE, Outcome.PERMANENT_FAILURE):
        if _TURNED_AWAY.search(text[:600]):
            return Outcome.RETRYABLE_FAILURE
        if _LOST.search(text[:600]) or kind is Outcome.RETRYABLE_FAILURE:
            return Outcome.UNKNOWN
    return kind if kind in OUTCOMES else Outcome.ACCEPTED


def _first(result: Any, names: tuple[str, ...]) -> str | None:
    if not isinstance(result, Mapping):
        return None
    value = next((result[n] for n in names if isinstance(result.get(n), str | int)), None)
    return None if value is None or isinstance(value, bool) else str(value)
