"""The closed vocabularies: what a slot, an action, a call, a claim and a reply can be."""

from __future__ import annotations

from enum import StrEnum


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


class Verdict(StrEnum):
    """What a receipt says about a whole run."""

    OK = "ok"
    UNVERIFIED = "unverified"
    UNCHECKED = "unchecked"
    MISQUOTED = "misquoted"
    FABRICATED = "fabricated"


FLAGGED = frozenset({ClaimStatus.MISQUOTED, ClaimStatus.TOOL_FAILED, ClaimStatus.NEVER_RAN})
