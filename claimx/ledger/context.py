"""What surrounds a call: its conversation, the call it runs inside of, and the id the provider gave it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from contextvars import ContextVar, copy_context
from typing import ParamSpec, TypeVar

from claimx.errors import LedgerError
from claimx.ledger.hiding import HIDDEN, Hidden

P = ParamSpec("P")
R = TypeVar("R")

#: Longest name of a conversation or a tool.
MAX_NAME = 200

CONVERSATION: ContextVar[str | None] = ContextVar("claimx_conversation", default=None)
PARENT: ContextVar[str | None] = ContextVar("claimx_parent", default=None)
_CALL_ID: ContextVar[list[str] | None] = ContextVar("claimx_call_id", default=None)


@contextmanager
def set_conversation(name: str) -> Iterator[None]:
    """Record the calls made inside under this conversation."""
    token = CONVERSATION.set(checked_name(name, "a conversation"))
    try:
        yield
    finally:
        CONVERSATION.reset(token)


@contextmanager
def inside(parent: str | None, hidden: Hidden | None = None) -> Iterator[None]:
    """Record the calls made inside as children of a call; None leaves the parent as it is. `hidden` is what was kept back
    of the arguments of this call and those around it."""
    token = PARENT.set(parent) if parent is not None else None
    kept = HIDDEN.set(hidden) if hidden is not None else None
    try:
        yield
    finally:
        if kept is not None:
            HIDDEN.reset(kept)
        if token is not None:
            PARENT.reset(token)


@contextmanager
def taken_up(parent: str | None, conversation: str | None) -> Iterator[None]:
    """Record the calls made inside under a parent and a conversation that were noted elsewhere."""
    with inside(parent):
        if conversation is None:
            yield
        else:
            with set_conversation(conversation):
                yield


def current_call() -> str | None:
    """Return the receipt id of the call that this code runs in, None outside of any."""
    return PARENT.get()


def carry(fn: Callable[P, R]) -> Callable[P, R]:
    """Bind a function to the call, conversation and provider's id that surround it now, for a thread that knows none of
    them: `pool.submit(carry(look_up), "SU-1")`, `pool.map(carry(look_up), orders)`, `Thread(target=carry(work))`.

    Tasks and `asyncio.to_thread` carry them by themselves.
    """
    around = copy_context()

    @functools.wraps(fn)
    def carried(*args: P.args, **kwargs: P.kwargs) -> R:
        return around.copy().run(fn, *args, **kwargs)  # a copy: one context can't be entered by two threads at once

    return carried


class CarryingPool(ThreadPoolExecutor):
    """A ThreadPoolExecutor whose threads know the call that each task was given in.

    As a loop's default executor (`loop.set_default_executor(CarryingPool())`) it does so for `loop.run_in_executor`.
    """

    def submit(self, fn: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> Future[R]:
        return super().submit(carry(fn), *args, **kwargs)


@contextmanager
def set_call_id(call_id: str) -> Iterator[None]:
    """Give the next call made inside the id under which the provider knows it; calls inside that one don't get it."""
    token = _CALL_ID.set([call_id])
    try:
        yield
    finally:
        _CALL_ID.reset(token)


def take_call_id() -> str | None:
    """Return the provider's id for the call that starts now, once."""
    waiting = _CALL_ID.get()
    return waiting.pop() if waiting else None


def checked_name(name: str, what: str) -> str:
    """Return a name that every store can keep. Raises LedgerError for any other."""
    if not isinstance(name, str) or not 0 < len(name) <= MAX_NAME or not name.isprintable():
        raise LedgerError(f"{what} is named by 1 to {MAX_NAME} printable characters, not {name!r:.80}")
    return name
