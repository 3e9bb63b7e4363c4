"""What an extractor reads off a reply: actions with their attributes and values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from claimx.types.kinds import Actor, Modality, SlotType, Tense


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
