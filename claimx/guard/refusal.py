"""A refused call as the model gets it back: what was wrong, what exists, what to do when nothing fits, whether to retry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Self


class Retry(StrEnum):
    """What the caller may do next, the mildest first."""

    FIX_AND_RETRY = "fix_and_retry"
    LOOK_UP_AND_RETRY = "look_up_and_retry"
    DO_NOT_RETRY = "do_not_retry"


class Code(StrEnum):
    """Why the guard itself refuses. Rules add codes of their own: `wrong_customer`, `amount_unmatched`."""

    UNKNOWN_TOOL = "unknown_tool"
    UNREADABLE_ARGUMENTS = "unreadable_arguments"
    UNKNOWN_PARAMETER = "unknown_parameter"
    MISSING_PARAMETER = "missing_parameter"
    INVALID_VALUE = "invalid_value"
    UNKNOWN_ID = "unknown_id"
    UNKNOWN_AMOUNT = "unknown_amount"
    UNKNOWN_CONTACT = "unknown_contact"
    UNKNOWN_VALUE = "unknown_value"
    WRONG_CUSTOMER = "wrong_customer"
    OWNER_UNKNOWN = "owner_unknown"
    AMOUNT_UNMATCHED = "amount_unmatched"
    NOT_ALLOWED = "not_allowed"
    RULE_FAILED = "rule_failed"


@dataclass(frozen=True, slots=True)
class Refusal:
    """One reason to refuse a call. `field` is the path of the argument, `available` and `nearest` what exists instead."""

    code: str
    message: str
    retry: Retry = Retry.FIX_AND_RETRY
    field: str | None = None
    given: Any = None
    available: tuple[str, ...] = ()
    nearest: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        out: dict[str, Any] = {"code": str(self.code), "message": self.message, "retry": str(self.retry)}
        if self.field is not None:
            out["field"] = self.field
            out["given"] = self.given
        for name in ("available", "nearest"):
            if getattr(self, name):
                out[name] = list(getattr(self, name))
        return out

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        return cls(
            data["code"],
            data["message"],
            Retry(data["retry"]),
            data.get("field"),
            data.get("given"),
            tuple(data.get("available", ())),
            tuple(data.get("nearest", ())),
        )


@dataclass(frozen=True, slots=True)
class Sighting:
    """Where this run saw the value of an argument: the argument's path, the value's path, and how the two agree."""

    field: str
    value: Any
    path: str
    reason: str = ""

    def to_dict(self) -> dict[str, Any]:
        return {"field": self.field, "value": self.value, "path": self.path, "reason": self.reason}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        return cls(data["field"], data["value"], data["path"], data.get("reason", ""))


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether a call may run, with the evidence for each argument that was traced and the reasons against it."""

    tool: str
    call_id: str | None = None
    refusals: tuple[Refusal, ...] = ()
    sightings: tuple[Sighting, ...] = field(default=())
    writes: bool = True

    @property
    def allowed(self) -> bool:
        return not self.refusals

    @property
    def error(self) -> dict[str, Any]:
        """The structured error to hand back to the model; empty when the call is allowed."""
        if not self.refusals:
            return {}
        first = self.refusals[0]
        order = list(Retry)
        retry = max((r.retry for r in self.refusals), key=order.index)
        out: dict[str, Any] = {
            "tool_use_id": self.call_id,
            "is_error": True,
            "code": str(first.code),
            "message": " ".join(dict.fromkeys(r.message for r in self.refusals)),
            "retry": str(retry),
            "tool": self.tool,
        }
        details = {k: v for k, v in first.to_dict().items() if k not in out}
        if len(self.refusals) > 1:
            details["reasons"] = [r.to_dict() for r in self.refusals]
        return {**out, **details}

    def to_dict(self) -> dict[str, Any]:
        return {
            "tool": self.tool,
            "call_id": self.call_id,
            "allowed": self.allowed,
            "writes": self.writes,
            "refusals": [r.to_dict() for r in self.refusals],
            "sightings": [s.to_dict() for s in self.sightings],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        return cls(
            data["tool"],
            data.get("call_id"),
            tuple(Refusal.from_dict(r) for r in data.get("refusals", ())),
            tuple(Sighting.from_dict(s) for s in data.get("sightings", ())),
            data.get("writes", True),
        )


def listed(names: Sequence[object], most: int = 12, *, total: int | None = None) -> str:
    """Write names with commas; the ones beyond `most` as a number. `total` counts them all where `names` are only the
    first.

    >>> listed(["a", "b", "c"], 2), listed(["a", "b"], 2, total=9)
    ('a, b and 1 more', 'a, b and 7 more')
    """
    count = len(names) if total is None else total
    head = ", ".join(str(n) for n in names[:most])
    return f"{head} and {count - most} more" if count > most else head or "none"
