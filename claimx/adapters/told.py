"""What a conversation has told so far, for those who read it: its calls by their ids, its tools, what the user asked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from claimx.adapters.asked import Asked
from claimx.adapters.calls import Calls
from claimx.adapters.toolbox import Toolbox
from claimx.types import LedgerEntry, Tool


class Told:
    """What is known of a conversation at a time."""

    def __init__(self, tools: Iterable[Any]) -> None:
        self._tools = Toolbox(tools)
        self._calls = Calls()
        self._asked = Asked()
        #: Texts of the agent that ended.
        self._count = 0

    @property
    def entries(self) -> tuple[LedgerEntry, ...]:
        """All calls so far."""
        return tuple(c.entry for c in self._calls.all)

    @property
    def missing(self) -> str | None:
        """Why calls may be missing so far."""
        return self._calls.missing

    @property
    def tools(self) -> tuple[Tool, ...]:
        """All tools known so far."""
        return self._tools.all

    @property
    def asked(self) -> str | None:
        """What the user said last."""
        return self._asked.words

    def has(self, id: str) -> bool:
        """Whether a call of this id is recorded."""
        return id in self._calls.by_id

    def is_done(self, id: str) -> bool:
        """Whether a call of this id is recorded with a result."""
        return any(c.done for c in self._calls.by_id.get(id, ()))

    def waits(self, id: str) -> bool:
        """Whether a call of this id is recorded without a result."""
        return any(not c.done for c in self._calls.by_id.get(id, ()))

    def entry(self, id: str) -> LedgerEntry | None:
        """The last call recorded under this id, None when there is none."""
        named = self._calls.by_id.get(id)
        return named[-1].entry if named else None
