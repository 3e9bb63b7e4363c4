"""Vercel AI SDK: the messages that the npm package `ai` keeps, as runs.

Both kinds are read: model messages (`response.messages`: `role` and `content`) and UI messages (a chat's `parts`). Each step
with text is a run, held against the calls of the steps before it; the last run is the final reply.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from claimx.adapters import Conversation, vercel
from claimx.adapters.plain import to_plain
from claimx.errors import InputError
from claimx.types import Run

_ROLES = ("system", "user", "assistant", "tool")


def runs_of_messages(messages: Iterable[Any], *, tools: Iterable[Any] = ()) -> list[Run]:
    """Return the runs of a conversation, in order. Raises InputError for what is not a message of `ai`."""
    talk = Conversation(turns="all", tools=tools)
    for number, message in enumerate(messages, 1):
        data = to_plain(message)
        if not isinstance(data, Mapping) or data.get("role") not in _ROLES:
            raise InputError(
                f"message {number}: no message of the AI SDK: expected 'role' with 'content' or 'parts'", field="role"
            )
        if not isinstance(data.get("parts", data.get("content")), str | list):
            raise InputError(f"message {number}: neither 'content' nor 'parts' holds a text or a list", field="content")
        vercel.feed(data, talk)
    return [f.run for f in talk.finish() if f.run is not None]
