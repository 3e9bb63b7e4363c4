"""What happened in one conversation, in order, and the runs it gives: each text of the agent against the calls before it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from claimx.adapters.calls import Call
from claimx.adapters.found import UNREADABLE, UNSEEN_AGENT, Found, Turns, fault, note, shown
from claimx.adapters.moments import iso
from claimx.adapters.replies import OpenText, Reply
from claimx.adapters.told import Told
from claimx.types import CallStatus, LedgerEntry


class Conversation(Told):
    """Takes events in the order in which they happened; gives runs.

    A text is held against the calls that were made before it. A call in the text's own message counts only once its
    result is there: what is written beside a call was written before it ran. Calls of earlier turns stay in the ledger.
    `id` names the runs; `line` is where the conversation stands. `earlier` are calls of the turns before this one.
    """

    def __init__(
        self,
        *,
        id: str = "",
        line: int = 0,
        turns: Turns = "last",
        tools: Iterable[Any] = (),
        earlier: Iterable[LedgerEntry] = (),
    ) -> None:
        self.id = id
        self.line = line
        self.turns: Turns = turns
        super().__init__(tools)
        self._text = OpenText()
        self._message = 0
        self._key: object = None
        self._last: Reply | None = None
        self._out: list[Found] = []
        self._seen: dict[str, Call] = {}
        self.muted = False
        self.owner: str | None = None
        self.agent: str | None = None
        #: What the records say of the run beside it: `agent`, `model`, `version`, fields of their own. Runs bear it as extra.
        self.about: dict[str, Any] = {}
        #: When things happen that tell no time of their own.
        self.clock: Any = None
        for entry in earlier:
            self._calls.add(Call(entry, 0, entry.id, done=True))

    @property
    def is_fresh(self) -> bool:
        """Whether the agent has done and said nothing yet."""
        return not (self._calls.all or self._count or self._text.parts)

    def tell(self, **about: Any) -> None:
        """The records say which agent, model or version this is; what is not text says nothing."""
        self.about.update({k: v for k, v in about.items() if isinstance(v, str) and v})

    def tool(self, definition: Any) -> None:
        """Add a tool that the agent could have called. What is no definition is passed over."""
        self._tools.add(definition)

    def user(self, text: str) -> None:
        """The user spoke: a new turn, unless the agent has not answered yet."""
        if self.muted:
            return
        self.message()
        self._asked.add(text)

    def message(self, key: object = None) -> None:
        """A new message to the user begins. Messages with the same key, not None, are one."""
        if self.muted or (key is not None and key == self._key):
            return
        self._close()
        self._key = key
        self._message += 1
        self._calls.fresh.clear()

    def say(self, text: str, *, line: int = 0, at: Any = None) -> None:
        """The agent wrote to its user."""
        if self.muted:
            return
        self._asked.answered()
        if text:
            self._text.add(text, line=line or self.line, at=iso(at or self.clock))

    def call(
        self,
        id: Any,
        tool: str,
        args: Any,
        *,
        at: Any = None,
        parent: str | None = None,
        **extra: Any,
    ) -> str:
        """The agent called a tool. Returns the id under which the call is recorded."""
        self._asked.answered()
        self._close()
        named = str(id) if id not in (None, "") else ""
        own = self._calls.unique(named or f"c{len(self._calls.all) + 1}")
        if named and own != named:
            self._calls.repeated.append(named)
        parent = parent or self.owner
        extra = {k: v for k, v in {"agent": self.agent, **extra}.items() if v is not None}
        at, turn = iso(at or self.clock), self._asked.turn or None
        entry = LedgerEntry(own, tool, args, None, CallStatus.UNKNOWN, at, parent_id=parent, turn=turn, extra=extra)
        self._calls.add(Call(entry, self._message, named))
        return own

    def result(
        self,
        id: Any,
        result: Any,
        *,
        status: CallStatus = CallStatus.SUCCESS,
        error: str | None = None,
        at: Any = None,
        tool: str | None = None,
        is_clients: bool = False,
    ) -> bool:
        """A call came back. Without an id the first open call of the tool is meant. False when there is none.

        With `is_clients` the tool ran where the model does not: what it writes in the same message knows nothing of it,
        even if the result is told before the message's end.
        """
        self._close()
        call = self._calls.waiting(id, tool)
        if call is None:
            return False
        if is_clients:
            call.since = call.message + 1
        old = call.entry
        call.entry = LedgerEntry(
            old.id, old.tool, old.args, result, status, old.started_at, iso(at or self.clock), error, old.parent_id, old.turn,
            old.captured, old.extra, old.state,
        )  # fmt: skip
        self._calls.settle(call)
        return True

    @contextmanager
    def inside(self, owner: str | None, agent: str | None = None) -> Iterator[None]:
        """What comes now is a sub-agent's: its calls belong to the call that started it, its texts reach no user."""
        before = self.muted, self.owner, self.agent
        self.muted, self.owner, self.agent = True, owner, agent
        try:
            yield
        finally:
            self.muted, self.owner, self.agent = before

    def amend(self, id: str, result: Any, status: CallStatus) -> None:
        """The result of a call became known later than it came back."""
        for call in self._calls.by_id.get(id, ())[-1:]:
            call.entry = replace(call.entry, result=result, status=status)
            self._calls.settle(call)

    def problem(self, message: str, *, line: int = 0, field: str | None = None) -> None:
        """Something of the conversation could not be read, and may have been a call."""
        self.lacks(UNREADABLE)
        self._out.append(fault(line or self.line, message, field=field))

    def lacks(self, why: str) -> None:
        """The record lacks calls, or may: what is written from now on is not held against their absence."""
        self._close()
        self._calls.lost.append(why)

    def is_unseen(self, id: str) -> None:
        """What was done within a call, a sub-agent's work, is not in the record."""
        self._close()
        for call in self._calls.by_id.get(id, ())[-1:]:
            call.entry = replace(call.entry, extra={**call.entry.extra, "calls_missing": UNSEEN_AGENT})

    def drain(self) -> Iterator[Found]:
        """Give what is ready, in order."""
        out, self._out = self._out, []
        yield from out

    def finish(self) -> Iterator[Found]:
        """Close the conversation: give the remaining runs, and notes on what was odd."""
        self._close()
        if self._last is not None:
            self._out.append(self._found(self._last))
            self._last = None
        elif not self._count:
            self._out.append(note(self.line, f"{self._named}no text of the agent to check"))
        for oddity in self._calls.oddities(c.entry.id for c in self._seen.values() if not c.done):
            self._out.append(note(self.line, self._named + oddity))
        yield from self.drain()

    @property
    def _named(self) -> str:
        return f"{shown(self.id, 60)}: " if self.id else ""

    def _close(self) -> None:
        """The open text ends: what it is held against stands now."""
        if not self._text.parts:
            return
        text, self._text = self._text, OpenText()
        whole = text.whole
        if not whole.strip():
            return
        without = frozenset(c.place for c in self._calls.fresh if not c.done or c.since > self._message)
        open_ = {place: c for place, c in self._calls.open.items() if place not in without}
        self._seen.update({c.entry.id: c for c in open_.values()})
        self._count += 1
        told = Reply(
            whole,
            text.line or self.line,
            text.at,
            len(self._calls.all),
            without,
            {place: c.entry for place, c in open_.items()},
            self._asked.words,
            self._asked.turn,
            f"{self.id or self.line or 'run'}#{self._count}" if self.turns == "all" else self.id,
            dict(self.about),
            self._calls.missing,
        )
        if self.turns == "all":
            self._out.append(self._found(told))
        else:
            self._last = told

    def _found(self, told: Reply) -> Found:
        return Found(told.line, told.run(self._calls, self.tools))
