"""What comes out: each claim and value with its status, its reasons and the calls that bear it out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Self

from claimx.types.kinds import FLAGGED, ClaimStatus, Verdict
from claimx.types.text import Action, Slot


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One value or outcome of a claim that the ledger contradicts. `path` leads from the entry's id to the value."""

    slot: str
    claimed: str
    recorded: Any
    path: str
    reason: str = ""

    def to_dict(self) -> dict[str, Any]:
        return {
            "slot": self.slot,
            "claimed": self.claimed,
            "recorded": self.recorded,
            "path": self.path,
            "reason": self.reason,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        return cls(data["slot"], data["claimed"], data["recorded"], data["path"], data.get("reason", ""))


class Candidate(NamedTuple):
    """A tool that was considered for a claim, with its score (0 to 1) and the reasons for it. Many are made for each claim."""

    tool: str
    score: float
    reasons: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {"tool": self.tool, "score": round(self.score, 4), "reasons": list(self.reasons)}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        return cls(data["tool"], data["score"], tuple(data.get("reasons", ())))


@dataclass(frozen=True, slots=True)
class JudgedClaim:
    """A claim with what the ledger says of it, and why."""

    action: Action
    status: ClaimStatus
    reason: str
    tool: str | None = None
    calls: tuple[str, ...] = ()
    mismatches: tuple[Mismatch, ...] = ()
    candidates: tuple[Candidate, ...] = ()

    @property
    def is_flagged(self) -> bool:
        return self.status in FLAGGED

    def to_dict(self, *, explain: bool = False) -> dict[str, Any]:
        out = {
            **self.action.to_dict(),
            "status": str(self.status),
            "tool": self.tool,
            "calls": list(self.calls),
            "reason": self.reason,
            "mismatches": [m.to_dict() for m in self.mismatches],
        }
        if explain:
            out["candidates"] = [c.to_dict() for c in self.candidates]
        return out

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        return cls(
            action=Action.from_dict(data),
            status=ClaimStatus(data["status"]),
            reason=data["reason"],
            tool=data.get("tool"),
            calls=tuple(data.get("calls", ())),
            mismatches=tuple(Mismatch.from_dict(m) for m in data.get("mismatches", ())),
            candidates=tuple(Candidate.from_dict(c) for c in data.get("candidates", ())),
        )


@dataclass(frozen=True, slots=True)
class JudgedValue:
    """A value of no action: grounded with the path where this run saw it, or ungrounded (`path` None)."""

    slot: Slot
    path: str | None = None

    @property
    def is_grounded(self) -> bool:
        return self.path is not None

    def to_dict(self) -> dict[str, Any]:
        status = "grounded" if self.is_grounded else "ungrounded"
        return {**self.slot.to_dict(), "status": status, "path": self.path}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        return cls(Slot.from_dict(data), data.get("path"))


@dataclass(frozen=True, slots=True)
class Receipt:
    """The outcome of checking one run."""

    id: str
    verdict: Verdict
    summary: str
    claims: tuple[JudgedClaim, ...] = ()
    values: tuple[JudgedValue, ...] = ()
    unreported: tuple[str, ...] = ()
    language: str = "en"
    extra: Mapping[str, Any] = field(default_factory=dict)

    @property
    def ok(self) -> bool:
        """True unless something is flagged: `ok`, `unverified` and `unchecked` block nobody."""
        return self.verdict not in (Verdict.MISQUOTED, Verdict.FABRICATED)

    @property
    def flagged(self) -> tuple[JudgedClaim, ...]:
        return tuple(c for c in self.claims if c.is_flagged)

    def to_dict(self, *, explain: bool = False) -> dict[str, Any]:
        return {
            **self.extra,
            "id": self.id,
            "verdict": str(self.verdict),
            "ok": self.ok,
            "summary": self.summary,
            "language": self.language,
            "claims": [c.to_dict(explain=explain) for c in self.claims],
            "values": [v.to_dict() for v in self.values],
            "unreported": list(self.unreported),
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        return cls(
            id=data["id"],
            verdict=Verdict(data["verdict"]),
            summary=data["summary"],
            claims=tuple(JudgedClaim.from_dict(c) for c in data.get("claims", ())),
            values=tuple(JudgedValue.from_dict(v) for v in data.get("values", ())),
            unreported=tuple(data.get("unreported", ())),
            language=data.get("language", "en"),
        )
