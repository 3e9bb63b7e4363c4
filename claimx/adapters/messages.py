"""One list of messages, whatever dialects stand in it: each message is read by the dialect that it shows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Protocol

from claimx.adapters import anthropic, chat, gemini, genai_parts, langchain, responses, vercel
from claimx.adapters.conversation import Conversation
from claimx.adapters.plain import mapping


class Dialect(Protocol):
    """What reads messages of one kind."""

    NAME: str

    def fits(self, message: Mapping[str, Any], /) -> bool: ...

    def tells(self, message: Mapping[str, Any], /) -> bool: ...

    def feed(self, message: Mapping[str, Any], conversation: Conversation, where: str = "") -> None: ...


#: The most telling first; what fits none but has a role is read as Chat Completions.
DIALECTS: tuple[Any, ...] = (langchain, responses, gemini, vercel, genai_parts, anthropic, chat)


def dialect_of(message: Any) -> Any:
    """Return the dialect of one message, None when it is no message at all."""
    data = mapping(message)
    return next((d for d in DIALECTS if d.fits(data)), None)


def is_message(value: Any) -> bool:
    """Whether a value is a message of some dialect."""
    return dialect_of(value) is not None


def name_of(messages: Iterable[Any]) -> str | None:
    """Return the name of the dialect that a list of messages shows: the first telling one; None when none is a message."""
    found = None
    for message in messages:
        dialect = dialect_of(message)
        if dialect is None:
            continue
        if dialect.tells(mapping(message)):
            return str(dialect.NAME)
        found = found or str(dialect.NAME)
    return found


def feed_all(
    messages: Iterable[Any], conversation: Conversation, *, name: str = "messages", only: str | None = None
) -> None:
    """Add messages to a conversation; what is no message is told with its place, and passed over.

    `name` is what the list is called in its record, empty for a message that is a record by itself. `only` names the
    dialect that all of them are to be read by.
    """
    forced = next((d for d in DIALECTS if only == d.NAME), None)
    for i, message in enumerate(messages):
        where = f"{name}[{i}]: " if name else ""
        data = mapping(message)
        dialect = (
            forced
            if forced is not None and (forced.fits(data) or (dialect_of(data) is None and "role" in data))
            else dialect_of(data)
        )
        if dialect is None:
            keys = ", ".join(sorted(map(str, data))[:8]) or type(message).__name__
            conversation.problem(
                f"{where}no message is known by these fields ({keys}): it is left out",
                field=f"{name}[{i}]" if name else None,
            )
            continue
        dialect.feed(data, conversation, where)
