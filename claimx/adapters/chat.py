"""Messages in the shape of OpenAI's Chat Completions, and the many that follow it: roles, `tool_calls`, `tool` messages."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from claimx.adapters.content import args_of, result_of, text_of
from claimx.adapters.conversation import Conversation
from claimx.adapters.found import shown
from claimx.adapters.plain import first, mapping, sequence, text, word
from claimx.types import CallStatus

NAME = "openai-chat"
USER = frozenset({"user", "human", "customer"})
AGENT = frozenset({"assistant", "ai", "model", "agent", "bot"})
TOOL = frozenset({"tool", "function", "ipython", "observation"})
SYSTEM = frozenset({"system", "developer"})
ROLES = USER | AGENT | TOOL | SYSTEM

#: What open models write of their thoughts in front of a text.
_THOUGHTS = re.compile(r"^\s*<(think|thinking|thought)>.*?</\1>\s*", re.S)
_CALL = re.compile(r"(?i:tool|function)|_call$|Call$")


def fits(message: Mapping[str, Any]) -> bool:
    """Whether a message has a role and something to it."""
    return isinstance(word(message, "role"), str)


def tells(message: Mapping[str, Any]) -> bool:
    """Whether a message shows that it is of this shape and no other."""
    return word(message, "role") in TOOL or "tool_calls" in message or "function_call" in message


def feed(message: Mapping[str, Any], conversation: Conversation, where: str = "") -> None:
    """Add a message to a conversation."""
    role = word(message, "role")
    at = first(message, "timestamp", "created_at", "created")
    if role in SYSTEM:
        return
    if role in USER:
        conversation.user(text_of(message.get("content")))
    elif role in AGENT:
        conversation.message()
        said = text_of(message.get("content")) or text_of(message.get("refusal"))
        conversation.say(_THOUGHTS.sub("", said, count=1), at=at)
        for kind in filter(None, map(call_in, sequence(message.get("content")))):
            conversation.problem(
                f"{where}content holds {shown(kind)!r}, no known kind of call: it is left out", field="content"
            )
        for id, name, args in calls_of(message):
            conversation.call(id, name, args, at=at, agent=text(message.get("name")))
    elif role in TOOL:
        status, error = status_of(message)
        conversation.result(
            first(message, "tool_call_id", "call_id", "id") if role != "function" else message.get("tool_call_id"),
            result_of(message.get("content")),
            status=status,
            error=error,
            at=at,
            tool=text(first(message, "name", "tool_name", "function")),
        )
    else:
        conversation.problem(
            f"{where}role {shown(role)!r} is not known (known: {', '.join(sorted(ROLES))}): the message is left out",
            field="role",
        )


def call_in(part: Any) -> str | None:
    """The kind of a part of a content that looks like a call, or like what came back of one."""
    data = mapping(part)
    kinds = [word(data, "type")] if word(data, "type") else [k for k in data if "text" not in data]
    return next((k for k in kinds if isinstance(k, str) and _CALL.search(k)), None)


def calls_of(message: Mapping[str, Any]) -> Iterator[tuple[Any, str, Any]]:
    """Yield id, tool and arguments of the calls in an agent's message."""
    for call in sequence(message.get("tool_calls")):
        call = mapping(call)
        spec = next((call[k] for k in ("function", "custom") if isinstance(call.get(k), Mapping)), call)
        name = text(spec.get("name")) or text(call.get("function")) or text(call.get("tool_name"))
        if name:
            yield call.get("id"), name, _args_of(spec)
    legacy = mapping(message.get("function_call"))
    if text(legacy.get("name")):
        yield None, legacy["name"], args_of(legacy.get("arguments"))


def _args_of(spec: Mapping[str, Any]) -> Any:
    args = args_of(first(spec, "arguments", "args", "input", "parameters"))
    return {"input": args} if isinstance(args, str) and "input" in spec else args


def status_of(message: Mapping[str, Any]) -> tuple[CallStatus, str | None]:
    """Read what a tool's message says of its call: an error where it is marked as one, else that it came back."""
    error = message.get("error")
    if isinstance(error, Mapping):
        said = text(error.get("message")) or text(word(error, "type"))
        timed_out = word(error, "type") == "timeout"
        return (CallStatus.TIMEOUT if timed_out else CallStatus.ERROR), said
    if error or message.get("is_error") or message.get("isError") or word(message, "status") == "error":
        return CallStatus.ERROR, text(error)
    return CallStatus.SUCCESS, None
