"""Texts of the agent: as one is written, and as it stands with the calls that it is held against."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from claimx.adapters.calls import Calls
from claimx.adapters.content import join
from claimx.types import LedgerEntry, Run, Tool


@dataclass(slots=True)
class OpenText:
    """A text whose end has not come: its pieces, the line of the first, the time of the last."""

    parts: list[str] = field(default_factory=list)
    line: int = 0
    at: str | None = None

    def add(self, text: str, *, line: int, at: str | None) -> None:
        """Take a piece."""
        self.line = self.line or line
        self.at = at or self.at
        self.parts.append(text)

    @property
    def whole(self) -> str:
        """The pieces as one text."""
        return join(self.parts)


@dataclass(slots=True)
class Reply:
    """A text that ended, with what it is held against: all of the first `before` calls but those in `without`.

    `open` are the calls that had no result when it was written, as they were then, `missing` says why others may not be told.
    """

    text: str
    line: int
    at: str | None
    before: int
    without: frozenset[int]
    open: dict[int, LedgerEntry]
    user: str | None
    turn: int
    name: str
    about: dict[str, Any]
    missing: str | None = None

    def run(self, calls: Calls, tools: Iterable[Tool]) -> Run:
        """Return the text as a run, of a conversation's calls and tools so far."""
        before = enumerate(islice(calls.all, self.before))
        ledger = tuple(self.open.get(i, c.entry) for i, c in before if i not in self.without)
        extra = {**self.about, **({"turn": self.turn} if self.turn else {})}
        if self.missing:
            extra["calls_missing"] = self.missing
        return Run(self.text, ledger, tuple(tools), id=self.name, user=self.user, now=self.at, extra=extra)
