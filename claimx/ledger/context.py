"""What surrounds a call: its conversation, the call it runs inside of, and the id the provider gave it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from claimx.errors import LedgerError

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
def inside(parent: str | None) -> Iterator[None]:
    """Record the calls made inside as children of a call; None leaves the parent as it is."""
    if parent is None:
        yield
        return
    token = PARENT.set(parent)
    try:
        yield
    finally:
        PARENT.reset(token)


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
