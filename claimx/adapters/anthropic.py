"""Messages of Anthropic's API: content blocks, client and server tools, MCP tools, `is_error`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from claimx.adapters import chat
from claimx.adapters.content import result_of, text_of, without_blobs
from claimx.adapters.conversation import Conversation
from claimx.adapters.found import ELSEWHERE
from claimx.adapters.plain import mapping, sequence, text, word
from claimx.types import CallStatus

NAME = "anthropic"
_OWN = frozenset({"thinking", "redacted_thinking", "container_upload", "compaction", "fallback", "mcp_tool_listing"})


def fits(message: Mapping[str, Any]) -> bool:
    """Whether a message's content holds blocks that only this API has."""
    return isinstance(word(message, "role"), str) and any(
        _is_own(word(b, "type")) for b in sequence(message.get("content"))
    )


tells = fits


def _is_own(kind: Any) -> bool:
    return kind in _OWN or _is_use(kind) or _is_result(kind)


def _is_use(kind: Any) -> bool:
    """Whether a block is a call: of a client's tool, a server's, an MCP server's, or of those that newer versions add."""
    return isinstance(kind, str) and kind.endswith("tool_use")


def _is_result(kind: Any) -> bool:
    return isinstance(kind, str) and kind.endswith("tool_result")


def feed(
    message: Mapping[str, Any],
    conversation: Conversation,
    where: str = "",
    *,
    at: Any = None,
    key: object = None,
    **extra: Any,
) -> None:
    """Add a message to a conversation. Messages of one `key` are parts of one; `extra` is kept with each call."""
    content = message.get("content")
    role = word(message, "role")
    if role in chat.AGENT:
        conversation.message(key)
        if isinstance(content, str):
            conversation.say(content, at=at)
        for block in map(mapping, sequence(content)):
            _agent_block(block, conversation, at, extra)
    elif role in chat.USER:
        blocks = [mapping(b) for b in sequence(content)]
        for block in blocks:
            if _is_result(word(block, "type")):
                _result(block, conversation, at)
        said = content if isinstance(content, str) else text_of([b for b in blocks if word(b, "type") == "text"])
        if said.strip():
            conversation.user(said)
        else:
            conversation.message()
    else:
        chat.feed(message, conversation, where)


def _agent_block(block: Mapping[str, Any], conversation: Conversation, at: Any, extra: Mapping[str, Any]) -> None:
    kind = word(block, "type")
    if kind == "text":
        conversation.say(str(block.get("text") or ""), at=at)
    elif kind == "compaction" and conversation.is_fresh:
        conversation.lacks(ELSEWHERE)
    elif _is_use(kind):
        server = text(block.get("server_name")) or text(block.get("toolset_name"))
        conversation.call(
            block.get("id"), str(block.get("name") or "unnamed"), block.get("input"), at=at, server=server, **extra
        )
    elif _is_result(kind):
        _result(block, conversation, at)


def _result(block: Mapping[str, Any], conversation: Conversation, at: Any) -> None:
    """A result, of a client's tool or of a server's: the latter tell an error by the type of their content."""
    content = block.get("content")
    inner = mapping(content)
    kind = str(word(inner, "type") or "")
    failed = bool(block.get("is_error")) or kind.endswith("_error")
    result = result_of(content)
    if kind.endswith("code_execution_result") and "return_code" in inner:
        result = without_blobs({k: v for k, v in inner.items() if k != "type"})
    conversation.result(
        block.get("tool_use_id"),
        result,
        status=CallStatus.ERROR if failed else CallStatus.SUCCESS,
        error=(text(inner.get("error_code")) or text(result)) if failed else None,
        at=at,
    )


def known_tools(listed: Any) -> list[Any]:
    """Return the tool definitions of a request; server tools are told by their name alone."""
    return [t for t in map(mapping, sequence(listed)) if t.get("name")]
