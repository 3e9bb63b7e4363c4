"""The calls of one conversation: found by their ids, open until their results come, and bounded in what is kept of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from claimx.adapters.found import listed
from claimx.adapters.weight import held
from claimx.types import LedgerEntry

#: Characters of arguments and results kept of one conversation; beyond it the oldest results are let go.
MAX_KEPT = 48_000_000


@dataclass(slots=True)
class Call:
    """A call as it is known so far. `message` is the one that it was made in, `named` the id that the record gave it."""

    entry: LedgerEntry
    message: int
    named: str
    done: bool = False
    size: int = 0
    #: What the arguments weigh; -1: not weighed yet.
    of_args: int = -1
    place: int = 0
    #: The first message whose texts were written with the result known.
    since: int = 0


class Calls:
    """All calls in their order. `open` are those without a result by their place, `fresh` those of the message at hand;
    `repeated`, `answered` and `orphans` are ids that were odd, and `let_go` counts results that are no longer held.
    `lost` says why calls may be missing of those that were made."""

    def __init__(self) -> None:
        self.all: list[Call] = []
        self.by_id: dict[str, list[Call]] = {}
        self.open: dict[int, Call] = {}
        self.fresh: list[Call] = []
        self.repeated: list[str] = []
        self.answered: list[str] = []
        self.orphans: list[str] = []
        self.let_go = 0
        self.lost: list[str] = []
        self._ids: set[str] = set()
        self._kept = 0
        self._oldest = 0

    def add(self, call: Call) -> None:
        """Take a call that was made."""
        call.place = len(self.all)
        self.all.append(call)
        if not call.done:
            self.open[call.place] = call
            self.fresh.append(call)
        self._ids.add(call.entry.id)
        self.by_id.setdefault(call.named or call.entry.id, []).append(call)
        self.keep(call)

    def unique(self, id: str) -> str:
        """Return an id that stands for no other call."""
        if id not in self._ids:
            return id
        number = 2
        while f"{id}~{number}" in self._ids:
            number += 1
        return f"{id}~{number}"

    def waiting(self, id: Any, tool: str | None) -> Call | None:
        """Return the call that a result belongs to: of its id, or without one the first open call of the tool."""
        if id in (None, ""):
            waiting = next((c for c in self.open.values() if tool is None or c.entry.tool == tool), None)
            if waiting is None:
                self.orphans.append(tool or "without id")
            return waiting
        named = self.by_id.get(str(id), [])
        # An id may come back turn by turn, and the call of an earlier turn never have ended.
        latest = max((c.message for c in named if not c.done), default=0)
        found = next((c for c in named if not c.done and c.message == latest), None)
        if found is None:
            (self.answered if named else self.orphans).append(str(id))
        return found

    @property
    def missing(self) -> str | None:
        """Why calls may be missing so far, None where nothing shows that any are."""
        if self.lost:
            return self.lost[0]
        return "it holds results of calls that it does not hold" if self.orphans else None

    def settle(self, call: Call) -> None:
        """Take a call's entry with its result in it."""
        call.done = True
        self.open.pop(call.place, None)
        self.keep(call)

    def oddities(self, missing: Iterable[str]) -> Iterator[str]:
        """Tell what was odd: of ids and results, of calls whose results are `missing` by their ids, of what was let go."""
        for names, what in (
            (self.repeated, "ids stand for more than one call; the calls are told apart by their order"),
            (self.answered, "calls have more than one result; the first is kept"),
            (self.orphans, "results belong to no call, and are left out"),
            (list(missing), "calls have no result, and count as open"),
        ):
            if names:
                yield f"{len(names)} {what} ({listed(names)})"
        if self.let_go:
            yield f"{self.let_go} of the oldest results were let go: the conversation is too long to keep whole"

    def keep(self, call: Call) -> None:
        """Weigh what a call holds, and let the oldest results go when all weigh too much."""
        if call.of_args < 0:
            args, call.of_args = held(call.entry.args)
            if args is not call.entry.args:
                call.entry = replace(call.entry, args=args)
        result, of_result = held(call.entry.result)
        if result is not call.entry.result:
            call.entry = replace(call.entry, result=result)
        size = call.of_args + of_result
        self._kept += size - call.size
        call.size = size
        while self._kept > MAX_KEPT and self._oldest < len(self.all) - 1:
            old = self.all[self._oldest]
            self._oldest += 1
            if old.size > 2_000 and old.done and old is not call:
                old.entry = replace(old.entry, args=None, result=None, captured=False)
                self._kept -= old.size
                old.size = old.of_args = 0
                self.let_go += 1
