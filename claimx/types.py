"""The words of the project as types: actions, slots, ledger entries, runs and receipts. Standard library only.

Every type that leaves the process has `to_dict` and `from_dict`; the JSON shapes are those of the documentation
("What claimx reads, writes and means"). Offsets are Unicode code points into the reply as given, end exclusive.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Self


class SlotType(StrEnum):
    """What kind of value a slot carries."""

    ID = "ID"
    MONEY = "MONEY"
    DATE = "DATE"
    TIME = "TIME"
    DURATION = "DURATION"
    COUNT = "COUNT"
    PERCENT = "PERCENT"
    CONTACT = "CONTACT"
    PERSON = "PERSON"
    NAME = "NAME"


class Tense(StrEnum):
    """The time of an event as the reply presents it."""

    PAST = "past"
    PRESENT = "present"
    FUTURE = "future"


class Modality(StrEnum):
    """How the reply commits to an event."""

    ASSERTED = "asserted"
    NEGATED = "negated"
    POSSIBLE = "possible"
    CONDITIONAL = "conditional"
    OFFERED = "offered"
    DIRECTIVE = "directive"
    ATTRIBUTED = "attributed"


class Actor(StrEnum):
    """Who carries the event out."""

    AGENT = "agent"
    USER = "user"
    OTHER = "other"


class CallStatus(StrEnum):
    """What the executor recorded about a call."""

    SUCCESS = "success"
    ERROR = "error"
    TIMEOUT = "timeout"
    UNKNOWN = "unknown"


class CompletionState(StrEnum):
    """Whether what a call was to bring about is shown to hold: by the system of record, never by the call's own words."""

    VERIFIED = "verified"
    UNVERIFIED = "unverified"
    FAILED = "failed"


class ClaimStatus(StrEnum):
    """What the ledger says about a claim."""

    CONFIRMED = "confirmed"
    UNVERIFIED = "unverified"
    UNMATCHED = "unmatched"
    MISQUOTED = "misquoted"
    TOOL_FAILED = "tool_failed"
    NEVER_RAN = "never_ran"


FLAGGED = frozenset({ClaimStatus.MISQUOTED, ClaimStatus.TOOL_FAILED, ClaimStatus.NEVER_RAN})


class Verdict(StrEnum):
    """What a receipt says about a whole run."""

    OK = "ok"
    UNVERIFIED = "unverified"
    UNCHECKED = "unchecked"
    MISQUOTED = "misquoted"
    FABRICATED = "fabricated"


@dataclass(frozen=True, slots=True)
class TextSpan:
    """A stretch of the reply."""

    text: str
    start: int
    end: int

    def to_dict(self) -> dict[str, Any]:
        return {"text": self.text, "start": self.start, "end": self.end}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        return cls(data["text"], data["start"], data["end"])


@dataclass(frozen=True, slots=True)
class Slot:
    """A typed value in the reply. `value` is its normalised form as plain JSON, None when it could not be read."""

    type: SlotType
    text: str
    start: int
    end: int
    value: dict[str, Any] | None = None
    score: float | None = None

    def to_dict(self) -> dict[str, Any]:
        out: dict[str, Any] = {
            "type": str(self.type),
            "text": self.text,
            "start": self.start,
            "end": self.end,
            "value": self.value,
        }
        if self.score is not None:
            out["score"] = round(self.score, 4)
        return out

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        return cls(
            SlotType(data["type"]), data["text"], data["start"], data["end"], data.get("value"), data.get("score")
        )


@dataclass(frozen=True, slots=True)
class Action:
    """An event that a reply mentions, with its attributes and values.

    `text` is the clause it stands in; `score` the probability that the action is a claim (0 to 1).
    """

    text: str
    start: int
    end: int
    trigger: TextSpan
    object: TextSpan | None
    verb: str
    tense: Tense
    modality: Modality
    actor: Actor
    slots: tuple[Slot, ...] = ()
    score: float = 1.0

    @property
    def is_claim(self) -> bool:
        """Whether the agent asserts that it did or is doing this: only claims are held against the ledger."""
        return self.modality is Modality.ASSERTED and self.tense is not Tense.FUTURE and self.actor is Actor.AGENT

    def moved(self, by: int) -> Self:
        """Return the action as it stands in a text that has `by` more characters in front."""
        if not by:
            return self

        def at(span: TextSpan) -> TextSpan:
            return replace(span, start=span.start + by, end=span.end + by)

        return replace(
            self,
            start=self.start + by,
            end=self.end + by,
            trigger=at(self.trigger),
            object=at(self.object) if self.object else None,
            slots=tuple(replace(s, start=s.start + by, end=s.end + by) for s in self.slots),
        )

    def to_dict(self) -> dict[str, Any]:
        return {
            "text": self.text,
            "start": self.start,
            "end": self.end,
            "trigger": self.trigger.to_dict(),
            "object": self.object.to_dict() if self.object else None,
            "verb": self.verb,
            "tense": str(self.tense),
            "modality": str(self.modality),
            "actor": str(self.actor),
            "claim": self.is_claim,
            "score": round(self.score, 4),
            "slots": [s.to_dict() for s in self.slots],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        return cls(
            text=data["text"],
            start=data["start"],
            end=data["end"],
            trigger=TextSpan.from_dict(data["trigger"]),
            object=TextSpan.from_dict(data["object"]) if data.get("object") else None,
            verb=data["verb"],
            tense=Tense(data["tense"]),
            modality=Modality(data["modality"]),
            actor=Actor(data["actor"]),
            slots=tuple(Slot.from_dict(s) for s in data.get("slots", ())),
            score=data.get("score", 1.0),
        )


@dataclass(frozen=True, slots=True)
class Extraction:
    """What an extractor found in one reply: actions, values of no action, and the language it was read as.

    `language` is an ISO 639-1 code; `foreign` holds (start, end) stretches in a language that is not supported.
    """

    actions: tuple[Action, ...] = ()
    values: tuple[Slot, ...] = ()
    language: str = "en"
    foreign: tuple[tuple[int, int], ...] = ()

    @property
    def claims(self) -> tuple[Action, ...]:
        return tuple(a for a in self.actions if a.is_claim)

    def to_dict(self) -> dict[str, Any]:
        return {
            "actions": [a.to_dict() for a in self.actions],
            "values": [v.to_dict() for v in self.values],
            "language": self.language,
            "foreign": [list(f) for f in self.foreign],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        return cls(
            actions=tuple(Action.from_dict(a) for a in data.get("actions", ())),
            values=tuple(Slot.from_dict(v) for v in data.get("values", ())),
            language=data.get("language", "en"),
            foreign=tuple((f[0], f[1]) for f in data.get("foreign", ())),
        )


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that the agent could have called; `parameters` is its JSON schema where one is known."""

    name: str
    description: str = ""
    parameters: Mapping[str, Any] | None = None

    def to_dict(self) -> dict[str, Any]:
        out: dict[str, Any] = {"name": self.name}
        if self.description:
            out["description"] = self.description
        if self.parameters is not None:
            out["parameters"] = dict(self.parameters)
        return out

    @classmethod
    def from_any(cls, data: Any) -> Self:
        """Read a name, a (name, description) pair, a plain or OpenAI-style mapping, or an object with `.name`."""
        if isinstance(data, cls):
            return data
        if isinstance(data, str):
            return cls(data)
        if isinstance(data, Mapping):
            inner = data.get("function")
            spec = inner if isinstance(inner, Mapping) else data
            name = spec.get("name")
            if not isinstance(name, str) or not name:
                raise ValueError(f"a tool needs a name, got keys {sorted(map(str, spec))}")
            schema = spec.get("parameters") or spec.get("input_schema") or spec.get("inputSchema")
            return cls(name, str(spec.get("description") or ""), schema if isinstance(schema, Mapping) else None)
        if isinstance(data, Sequence) and data and isinstance(data[0], str):
            return cls(data[0], str(data[1]) if len(data) > 1 and data[1] else "")
        name = getattr(data, "name", None)
        if isinstance(name, str) and name:
            return cls(name, str(getattr(data, "description", "") or ""))
        raise ValueError(f"a tool is a name, a pair, a mapping or an object with .name, not {type(data).__name__}")


_CALL_STATUSES = frozenset(CallStatus)
_ENTRY_FIELDS = frozenset(
    {"id", "tool", "args", "result", "status", "started_at", "ended_at", "error", "parent_id", "turn", "captured"}
)


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """One call as the executor recorded it. `result` is any JSON value or text, None when nothing was stored; `state` is
    the completion state of the action that the call belongs to, None when nobody keeps one."""

    id: str
    tool: str
    args: Any = None
    result: Any = None
    status: CallStatus = CallStatus.SUCCESS
    started_at: str | float | None = None
    ended_at: str | float | None = None
    error: str | None = None
    parent_id: str | None = None
    turn: int | None = None
    captured: bool = True
    extra: Mapping[str, Any] = field(default_factory=dict)
    state: CompletionState | None = None

    def to_dict(self) -> dict[str, Any]:
        out: dict[str, Any] = {
            "id": self.id,
            "tool": self.tool,
            "args": self.args,
            "result": self.result,
            "status": str(self.status),
        }
        for key in ("started_at", "ended_at", "error", "parent_id", "turn"):
            value = getattr(self, key)
            if value is not None:
                out[key] = value
        if not self.captured:
            out["captured"] = False
        if self.state is not None:
            out["state"] = str(self.state)
        return {**self.extra, **out}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], *, default_id: str = "c1") -> Self:
        known = _ENTRY_FIELDS
        # Other words under `state` are a recorder's own: they stay where they are.
        state = None
        if "state" in data:
            state = next((s for s in CompletionState if data["state"] == s), None)
            known = known if state is None else known | {"state"}
        tool = data.get("tool")
        if not isinstance(tool, str) or not tool:
            keys = [str(k) for k in data]
            near = next(
                (k for k in keys if k.strip().lower().strip(" :_-.") in ("tool", "tools", "tool_name", "name")), None
            )
            hint = f"; did you mean 'tool' by {near!r}?" if near is not None and near != "tool" else ""
            listed = ", ".join(keys[:8]) or "none"
            raise ValueError(
                f"a ledger entry needs 'tool', the name of the tool that was called (fields: {listed}){hint}"
            )
        status = data.get("status", "success")
        if status is not None and not isinstance(status, str):
            raise ValueError(f"'status' is {type(status).__name__}, expected success, error, timeout or unknown")
        aliases = {"ok": "success", "failed": "error", "failure": "error"}
        if status is not None and aliases.get(status, status) not in _CALL_STATUSES:
            raise ValueError(f"'status' is {status!r}, expected success, error, timeout or unknown")
        return cls(
            id=str(data["id"]) if data.get("id") is not None else default_id,
            tool=tool,
            args=data.get("args"),
            result=data.get("result"),
            status=CallStatus(aliases.get(status, status)) if status is not None else CallStatus.UNKNOWN,
            started_at=data.get("started_at"),
            ended_at=data.get("ended_at"),
            error=data.get("error"),
            parent_id=data.get("parent_id"),
            turn=data.get("turn"),
            captured=data.get("captured", True),
            extra={k: v for k, v in data.items() if k not in known},
            state=state,
        )


@dataclass(frozen=True, slots=True)
class Run:
    """A reply with the ledger and the tools of its run; `now` is an ISO 8601 time that relative dates are read against."""

    reply: str
    ledger: tuple[LedgerEntry, ...] = ()
    tools: tuple[Tool, ...] = ()
    id: str = ""
    user: str | None = None
    now: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        out: dict[str, Any] = {**self.extra, "id": self.id, "reply": self.reply}
        out["tools"] = [t.to_dict() for t in self.tools]
        out["ledger"] = [e.to_dict() for e in self.ledger]
        for key in ("user", "now"):
            if getattr(self, key) is not None:
                out[key] = getattr(self, key)
        return out


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


@dataclass(frozen=True, slots=True)
class Candidate:
    """A tool that was considered for a claim, with its score (0 to 1) and the reasons for it."""

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
