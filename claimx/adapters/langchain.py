"""Messages of LangChain: objects, `messages_to_dict`, `dumpd`, `model_dump`; content blocks of its newer versions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from claimx.adapters import anthropic, chat, gemini, responses
from claimx.adapters.content import args_of, result_of, text_of
from claimx.adapters.conversation import Conversation
from claimx.adapters.found import shown
from claimx.adapters.plain import mapping, sequence, text, word
from claimx.types import CallStatus

NAME = "langchain"
_KINDS = {"human": "user", "ai": "assistant", "AIMessageChunk": "assistant", "HumanMessageChunk": "user", "system": "system",
          "tool": "tool", "ToolMessageChunk": "tool", "function": "function", "chat": "chat", "remove": "remove"}  # fmt: skip
_CLASSES = {"HumanMessage": "human", "AIMessage": "ai", "AIMessageChunk": "ai", "SystemMessage": "system", "ToolMessage": "tool",
            "FunctionMessage": "function", "ChatMessage": "chat", "RemoveMessage": "remove"}  # fmt: skip


def fits(message: Mapping[str, Any]) -> bool:
    """Whether a message has a type of LangChain's instead of a role, or is one of its serialised constructors."""
    return _class_of(message) is not None or (
        "role" not in message and word(message, "type") in _KINDS and ("content" in message or "data" in message)
    )


tells = fits


def _class_of(message: Mapping[str, Any]) -> str | None:
    path = message.get("id")
    if message.get("lc") and word(message, "type") == "constructor" and isinstance(path, list) and path:
        return _CLASSES.get(str(path[-1]))
    return None


def feed(message: Mapping[str, Any], conversation: Conversation, where: str = "") -> None:
    """Add a message to a conversation."""
    kind = _class_of(message)
    data: Mapping[str, Any] = message
    if kind is not None:
        data = mapping(message.get("kwargs"))
    else:
        kind = str(word(message, "type"))
        if isinstance(message.get("data"), Mapping):
            data = message["data"]
    role = _KINDS.get(kind)
    if role == "chat":
        chat.feed({**data, "role": word(data, "role")}, conversation, where)
    elif role == "assistant":
        _agent(data, conversation)
    elif role in ("tool", "function"):
        failed = word(data, "status") == "error"
        content = result_of(data.get("content"))
        conversation.result(
            data.get("tool_call_id"),
            data["artifact"] if content in ("", None, []) and data.get("artifact") is not None else content,
            status=CallStatus.ERROR if failed else CallStatus.SUCCESS,
            error=text(content) if failed else None,
            tool=text(data.get("name")),
        )
    elif role == "user":
        conversation.user(text_of(data.get("content")))
    elif role is None:
        conversation.problem(f"{where}type {shown(kind)!r} is no known message: it is left out", field="type")


def _agent(data: Mapping[str, Any], conversation: Conversation) -> None:
    """An agent's message. Its calls stand in `tool_calls`; blocks of the provider repeat them or add those of its servers."""
    conversation.message()
    agent = text(data.get("name"))
    named = {str(mapping(c).get("id")) for c in sequence(data.get("tool_calls"))}
    for item in sequence(mapping(data.get("additional_kwargs")).get("tool_outputs")):
        if responses.is_call(mapping(item)):
            responses.feed(item, conversation)
    content = data.get("content")
    if isinstance(content, str):
        conversation.say(content)
    for block in sequence(content):
        kind = word(block, "type")
        if isinstance(block, str) or kind in ("text", "output_text", "refusal"):
            conversation.say(text_of([block]))
        elif kind == "server_tool_call":
            conversation.call(
                block.get("id"), str(block.get("name") or "unnamed"), args_of(block.get("args")), agent=agent
            )
        elif kind == "server_tool_result":
            status = CallStatus.ERROR if word(block, "status") == "error" else CallStatus.SUCCESS
            conversation.result(block.get("tool_call_id"), result_of(block.get("output")), status=status)
        elif kind == "tool_call" and str(block.get("id")) not in named:
            conversation.call(
                block.get("id"), str(block.get("name") or "unnamed"), args_of(block.get("args")), agent=agent
            )
        elif kind in ("executable_code", "code_execution_result"):
            gemini.feed_part(_code(block), conversation)
        elif not {str(mapping(block).get(k)) for k in ("id", "call_id")} & named and responses.is_call(mapping(block)):
            responses.feed(block, conversation)
        elif str(mapping(block).get("id")) not in named and anthropic.fits({"role": "assistant", "content": [block]}):
            anthropic.feed({"role": "assistant", "content": [block]}, conversation, key=id(data))
    calls = sequence(data.get("tool_calls"))
    if not calls:
        calls = sequence(mapping(data.get("additional_kwargs")).get("tool_calls"))
    for call_id, name, args in chat.calls_of({"tool_calls": calls, **_legacy(data)}):
        conversation.call(call_id, name, args, agent=agent)
    for call in map(mapping, sequence(data.get("invalid_tool_calls"))):
        given = conversation.call(
            call.get("id"), str(call.get("name") or "unnamed"), args_of(call.get("args")), agent=agent
        )
        why = text(call.get("error")) or "the arguments could not be read"
        conversation.result(call.get("id") or given, None, status=CallStatus.ERROR, error=why)


def _code(block: Mapping[str, Any]) -> Mapping[str, Any]:
    """A block of code that the provider ran, or what came of it, as the provider's own part."""
    if word(block, "type") == "executable_code":
        return {"executable_code": {"code": block.get("executable_code"), "language": block.get("language")}}
    # The number of the outcome: 1 is well, 2 failed, 3 took too long.
    outcome = {2: "FAILED", 3: "DEADLINE", "2": "FAILED", "3": "DEADLINE"}.get(
        block.get("outcome"), block.get("outcome")
    )
    return {"code_execution_result": {"output": block.get("code_execution_result"), "outcome": outcome}}


def _legacy(data: Mapping[str, Any]) -> dict[str, Any]:
    legacy = mapping(data.get("additional_kwargs")).get("function_call")
    return {"function_call": legacy} if legacy and not sequence(data.get("tool_calls")) else {}
