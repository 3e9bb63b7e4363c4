"""The completion contract of an operation: how its outcomes are read, what must hold in the end, how long that may take."""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from claimx.completion.freshness import Freshness
from claimx.completion.intent import Intent
from claimx.completion.outcome import TypedOutcome
from claimx.completion.verification import Verifier
from claimx.errors import CompletionError, MissingExtraError
from claimx.match.results import Outcome


@dataclass(frozen=True, slots=True)
class Wording:
    """Words for an operation, for what is told to users: “The {request} was accepted, but {thing} is not yet confirmed
    {done}.”"""

    request: str = "request"
    thing: str = "it"
    done: str = "done"


@dataclass(frozen=True, slots=True)
class Contract:
    """What makes an operation done.

    operation       its name
    postcondition   in words, for records and people
    verify          reads the system of record (see `Verifier`); without it nothing is ever verified
    observe         reads the record's version before the first write; may be asynchronous
    freshness       what a read must show to count
    classify        (step, result) -> outcome; by default it is read off the result's structure
    no_effect       exceptions that are raised before anything was sent
    attempts        most attempts of one step
    write_budget    seconds from the first attempt within which another may begin
    visibility      seconds after the last attempt within which the state must show
    lease           seconds after which an attempt that never came back counts as lost
    backoff         waits between reads and before further writes, as one of tenacity's wait strategies; by default
                    doubling from half a second to ten seconds
    high_risk       whether a disagreement of receipt and state needs a person
    """

    operation: str
    postcondition: str = ""
    verify: Verifier | None = None
    observe: Callable[[Intent], int | Awaitable[int | None] | None] | None = None
    freshness: Freshness = field(default_factory=Freshness)
    classify: Callable[[str, Any], TypedOutcome | Outcome | str] | None = None
    no_effect: tuple[type[BaseException], ...] = ()
    attempts: int = 3
    write_budget: float = 60.0
    visibility: float = 30.0
    lease: float = 120.0
    backoff: Any = None
    high_risk: bool = False
    version: str = "1"
    wording: Wording = field(default_factory=Wording)
    versions: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.attempts < 1:
            raise ValueError(f"attempts is {self.attempts}, expected 1 or more")
        for name in ("verify", "observe", "classify"):
            if getattr(self, name) is not None and not callable(getattr(self, name)):
                raise ValueError(
                    f"{name} of {self.operation!r} is {getattr(self, name)!r:.80}, expected something to call, or None"
                )
        for name in ("write_budget", "visibility", "lease"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name} is {getattr(self, name)}, expected seconds, 0 or more")

    def delay(self, times: int) -> float:
        """Return the seconds to wait after the `times`-th read or attempt. Raises CompletionError when `backoff` gives none."""
        try:
            from tenacity import RetryCallState, Retrying, wait_exponential
        except ImportError as e:
            raise MissingExtraError("tenacity", "completion") from e
        strategy = self.backoff if self.backoff is not None else wait_exponential(multiplier=0.5, max=10)
        state = RetryCallState(Retrying(), None, (), {})
        state.attempt_number = max(1, times)
        try:
            seconds = float(strategy(state))
        except (TypeError, ValueError, AttributeError) as e:
            raise CompletionError(
                f"backoff of {self.operation!r} gives no seconds ({e}): give one of tenacity's wait strategies"
            ) from e
        if not 0 <= seconds < math.inf:
            raise CompletionError(f"backoff of {self.operation!r} gives {seconds} seconds, expected 0 or more")
        return seconds
