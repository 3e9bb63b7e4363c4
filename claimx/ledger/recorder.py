"""The ledger: records what an executor runs, on its side of the model, and gives it back as entries and runs."""

from __future__ import annotations

import functools
import time
import uuid
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import AbstractContextManager
from datetime import datetime
from pathlib import Path
from types import TracebackType
from typing import Any, ParamSpec, TypeVar, overload

from claimx.errors import LedgerError
from claimx.ledger import context
from claimx.ledger.canonical import plain
from claimx.ledger.capture import Capture, Redact
from claimx.ledger.folding import fold, make_run
from claimx.ledger.hiding import HIDDEN, Hidden
from claimx.ledger.keyring import Keyring
from claimx.ledger.keys import Signer
from claimx.ledger.recording import Recording
from claimx.ledger.row import Kind, Row
from claimx.ledger.stores import MemoryStore, Store, open_store
from claimx.ledger.wrapping import wrap
from claimx.ledger.writing import Writer, utc_now
from claimx.types import LedgerEntry, Run, Tool

P = ParamSpec("P")
R = TypeVar("R")
#: Of these, runs are made of what `user` and `assistant` said.
_ROLES = ("user", "assistant", "system", "developer", "tool")


class Ledger:
    """Records calls in a store. One ledger serves any number of threads, tasks and conversations.

    `store` is a Store or its address (see `open_store`), None for one in memory. `conversation` names where calls are
    recorded unless `in_conversation` says otherwise; None makes up a name. `signer` is a Signer, or a Keyring whose
    active key signs. `redact`, `hash_args`, `hash_key`, `max_chars` and `max_bytes` are those of
    `claimx.ledger.capture.Capture`, `capture_results=False` keeps digests only. `labels` are written with every
    call and message (tenant, release, policy version).

    A store that fails never breaks a tool: `on_error` is called with the LedgerError (by default it is logged). With
    `fail_closed=True` nothing runs unrecorded and no result is handed on whose row isn't written: the LedgerError is
    raised instead. `clock` and `timer` give the time of day and seconds to measure by.
    """

    def __init__(
        self,
        store: Store | str | Path | None = None,
        *,
        conversation: str | None = None,
        signer: Signer | Keyring | None = None,
        redact: Redact | None = None,
        hash_args: bool | Collection[str] = (),
        hash_key: bytes | None = None,
        capture_results: bool = True,
        max_chars: int = 20_000,
        max_bytes: int = 256_000,
        fail_closed: bool = False,
        on_error: Callable[[LedgerError], None] | None = None,
        labels: Mapping[str, Any] | None = None,
        clock: Callable[[], datetime] = utc_now,
        timer: Callable[[], float] = time.perf_counter,
    ) -> None:
        self.capture = Capture(redact, hash_args, hash_key, capture_results, max_chars, max_bytes)
        self.conversation = context.checked_name(conversation or f"conv_{uuid.uuid4().hex[:12]}", "a conversation")
        self.store: Store = (
            MemoryStore() if store is None else open_store(store) if isinstance(store, str | Path) else store
        )
        self._writer = Writer(self.store, signer, fail_closed=fail_closed, on_error=on_error, clock=clock, timer=timer)
        self._labels = dict(labels or {})
        self._tools: dict[str, Tool] = {}

    # -- recording -------------------------------------------------------------------------------------------------

    @overload
    def tool(self, fn: Callable[P, R], /) -> Callable[P, R]: ...

    @overload
    def tool(
        self,
        fn: None = None,
        /,
        *,
        name: str | None = None,
        omit: Iterable[str] = (),
        timeout: float | None = None,
        labels: Mapping[str, Any] | None = None,
    ) -> Callable[[Callable[P, R]], Callable[P, R]]: ...

    @overload
    def tool(
        self,
        fn: Callable[P, R],
        /,
        *,
        name: str | None = None,
        omit: Iterable[str] = (),
        timeout: float | None = None,
        labels: Mapping[str, Any] | None = None,
    ) -> Callable[P, R]: ...

    def tool(
        self,
        fn: Callable[..., Any] | None = None,
        /,
        *,
        name: str | None = None,
        omit: Iterable[str] = (),
        timeout: float | None = None,
        labels: Mapping[str, Any] | None = None,
    ) -> Any:
        """Wrap a tool so that each of its calls is recorded; use it as a decorator or on a finished function.

        Plain and async functions, generators of either kind, and callable objects keep their signature and their
        behaviour. `omit` names parameters that are no business of the ledger (a client, a framework's context);
        `timeout` ends an async tool after so many seconds with TimeoutError.
        """

        def decorate(fn: Callable[..., Any]) -> Callable[..., Any]:
            tool = context.checked_name(name or _name_of(fn), "a tool")
            self._tools[tool] = Tool(tool, (getattr(fn, "__doc__", None) or "").strip().split("\n")[0])
            return wrap(fn, lambda args: self.call(tool, args, labels=labels), frozenset(omit), timeout)

        return decorate if fn is None else decorate(fn)

    def call(
        self,
        tool: str,
        args: Any = None,
        *,
        call_id: str | None = None,
        parent_id: str | None = None,
        labels: Mapping[str, Any] | None = None,
    ) -> Recording:
        """Record what happens in a `with` (or `async with`) block as one call of a tool.

        `call_id` is the id that the provider gave the call, `parent_id` the receipt id of the call it belongs to (by
        default the one around it).
        """
        fields: dict[str, Any] = {"tool": context.checked_name(tool, "a tool"), "nonce": uuid.uuid4().hex}
        call_id, parent_id = call_id or context.take_call_id(), parent_id or context.PARENT.get()
        fields |= {k: v for k, v in (("call_id", call_id), ("parent_id", parent_id)) if v}
        fields |= self._labelled(labels)
        around = HIDDEN.get()
        hidden = around if around is not None else Hidden()
        kept = self._writer.kept(lambda: self.capture.args(args, tool, hidden), "args")
        fields |= kept if kept is not None else {"captured": False}
        return Recording(self._writer, self.capture, self._current(), fields, hidden)

    def message(self, role: str, text: str) -> None:
        """Record what was said: role "user" or "assistant". An assistant's message is what `check` can be run on.

        Raises LedgerError for a text that is none, and for a role that would keep a reply from being found.
        """
        if not isinstance(text, str):
            raise LedgerError(
                f"a message is the text of what was said, not {type(text).__name__}: join the texts of its parts, and leave out "
                "messages without any"
            )
        if not isinstance(role, str) or role not in _ROLES:
            raise LedgerError(f"the role of a message is one of {', '.join(_ROLES)}, not {role!r:.80}")
        said = self._writer.kept(lambda: self.capture.message(text), "message")
        fields: dict[str, Any] = {"role": role, "text": said or "", "nonce": uuid.uuid4().hex}
        if said is None:
            fields["captured"] = False
        if role == "assistant":
            fields["tools"] = plain([t.to_dict() for t in self._tools.values()])
        self._writer.write(self._current(), Kind.MESSAGE, fields | self._labelled(None))

    def offer(self, *tools: Any) -> None:
        """Name tools that the agent could call though this ledger wraps none of them: names, pairs or definitions.

        They are recorded with every reply, so that a signed run binds them.
        """
        self._tools |= {t.name: t for t in map(Tool.from_any, tools)}

    def checkpoint(self) -> Row | None:
        """Record that nothing is missing up to here; return the row, whose digest can be kept elsewhere.

        A chain alone can't tell that its end was cut off: see `verify`'s `complete` and `head`.
        """
        return self._writer.write(self._current(), Kind.CHECKPOINT, {"nonce": uuid.uuid4().hex} | self._labelled(None))

    def in_conversation(self, name: str) -> AbstractContextManager[None]:
        """Record the calls made inside under another conversation."""
        return context.set_conversation(name)

    def under(self, parent_id: str | None, conversation: str | None = None) -> AbstractContextManager[None]:
        """Record the calls made inside as children of a call that was made elsewhere (`current_call` there), in its
        conversation: for workers in other processes. In threads use `carry` or `CarryingPool`, which bring both along."""
        return context.taken_up(parent_id, conversation)

    def provider_call(self, call_id: str) -> AbstractContextManager[None]:
        """Give the next call made inside the id under which the provider knows it."""
        return context.set_call_id(call_id)

    # -- reading ---------------------------------------------------------------------------------------------------

    def rows(self, conversation: str | None = None) -> list[Row]:
        """Return the rows of a conversation as they are stored."""
        return self.store.read(conversation or self._current())

    def entries(self, conversation: str | None = None) -> list[LedgerEntry]:
        """Return the calls of a conversation in the order in which they started."""
        return fold(self.rows(conversation))

    def run(self, reply: str, *, tools: Iterable[Any] = (), user: str | None = None) -> Run:
        """Return a run to check: a reply with the calls so far, the known tools, and the rows that prove it."""
        listed = {t.name: t for t in (*self._tools.values(), *(Tool.from_any(t) for t in tools))}
        return make_run(self.rows(), reply, tools=listed.values(), user=user)

    def close(self) -> None:
        """Finish what is being written and let go of the store."""
        self._writer.close()
        self.store.close()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # -- inside ----------------------------------------------------------------------------------------------------

    def _current(self) -> str:
        return context.CONVERSATION.get() or self.conversation

    def _labelled(self, labels: Mapping[str, Any] | None) -> dict[str, Any]:
        both = {**self._labels, **(labels or {})}
        return {"labels": plain(both)} if both else {}


def _name_of(fn: Callable[..., Any]) -> str:
    while isinstance(fn, functools.partial):
        fn = fn.func
    return str(getattr(fn, "__name__", type(fn).__name__))
