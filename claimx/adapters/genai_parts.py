"""Messages as OpenTelemetry's GenAI conventions write them: a role and typed parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from claimx.adapters import chat
from claimx.adapters.content import args_of, result_of
from claimx.adapters.conversation import Conversation
from claimx.adapters.found import shown
from claimx.adapters.plain import first, mapping, sequence, word

NAME = "otel-genai"


def fits(message: Mapping[str, Any]) -> bool:
    """Whether a message has a role and parts that each have a type."""
    parts = sequence(message.get("parts"))
    return isinstance(word(message, "role"), str) and bool(parts) and all("type" in mapping(p) for p in parts)


tells = fits


def feed(message: Mapping[str, Any], conversation: Conversation, where: str = "") -> None:
    """Add a message to a conversation."""
    role = word(message, "role")
    if role not in chat.ROLES:
        chat.feed(message, conversation, where)
        return
    if role in chat.AGENT:
        conversation.message()
    said = []
    for part in map(mapping, sequence(message.get("parts"))):
        kind = word(part, "type")
        if kind == "text":
            words = str(first(part, "content", "text") or "")
            if role in chat.AGENT:
                conversation.say(words)
            else:
                said.append(words)
        elif kind in ("tool_call", "server_tool_call"):
            args = first(part, "arguments", "server_tool_call")
            conversation.call(part.get("id"), str(part.get("name") or "unnamed"), args_of(args))
        elif kind in ("tool_call_response", "server_tool_call_response"):
            value = first(part, "response", "result", "server_tool_call_response")
            conversation.result(part.get("id"), result_of(value), tool=part.get("name"))
        elif (strange := chat.call_in(part)) is not None:
            conversation.problem(
                f"{where}part {shown(strange)!r} is no known kind of call: it is left out", field="parts"
            )
    if role in chat.USER and said:
        conversation.user("\n".join(said))
