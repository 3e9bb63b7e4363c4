"""Messages of the Vercel AI SDK: model messages (typed parts in `content`) and a chat's UI messages (typed `parts`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from claimx.adapters import chat
from claimx.adapters.content import args_of, result_of
from claimx.adapters.conversation import Conversation
from claimx.adapters.plain import first, mapping, sequence, text, word
from claimx.types import CallStatus

NAME = "vercel"
_ROLES = frozenset({"system", "user", "assistant", "tool"})
#: Parts of a UI message beside text and tools.
_UI = frozenset({"step-start", "dynamic-tool", "tool-invocation", "source-url", "source-document"})
_MODEL = frozenset({"tool-call", "tool-result", "tool-error", "tool-approval-request", "tool-approval-response"})
_FAILED = frozenset({"error-text", "error-json", "execution-denied"})
_DONE = frozenset({"output-available", "result"})
_REFUSED = frozenset({"output-error", "output-denied"})


def fits(message: Mapping[str, Any]) -> bool:
    """Whether a message has parts of the kinds of this SDK, or text parts as its UI messages write them."""
    if word(message, "role") not in _ROLES:
        return False
    if tells(message):
        return True
    parts = [mapping(p) for p in sequence(message.get("parts"))]
    return bool(parts) and all(word(p, "type") == "text" and "text" in p for p in parts)


def tells(message: Mapping[str, Any]) -> bool:
    """Whether a message shows that it is of this SDK and no other."""
    parts, content = sequence(message.get("parts")), sequence(message.get("content"))
    if any(_is_ui(mapping(p)) for p in parts) or any("toolName" in mapping(t) for t in _invocations(message)):
        return True
    return any(word(p, "type") in _MODEL and ("toolCallId" in p or "approvalId" in p) for p in content)


def _is_ui(part: Mapping[str, Any]) -> bool:
    kind = word(part, "type") or ""
    return (
        kind in _UI
        or (kind.startswith("tool-") and "toolCallId" in part)
        or (kind.startswith("data-") and "data" in part)
    )


def feed(message: Mapping[str, Any], conversation: Conversation, where: str = "") -> None:
    """Add a message to a conversation."""
    role = word(message, "role")
    if role not in _ROLES:
        chat.feed(message, conversation, where)
        return
    held = first(message, "parts", "content")
    parts = [{"type": "text", "text": held}] if isinstance(held, str) else [mapping(p) for p in sequence(held)]
    if not sequence(message.get("parts")):
        parts = [*_invocations(message), *parts]
    # Where no part marks the steps, what is written after a call may well know its result.
    is_model = "parts" not in message and not _invocations(message)
    is_marked = is_model or any(word(p, "type") == "step-start" for p in parts)
    at = first(message, "createdAt", "created_at")
    if role == "user":
        conversation.user("\n".join(str(p.get("text") or "") for p in parts if word(p, "type") == "text"))
    elif role != "system":
        if role == "assistant":
            conversation.message()
        for part in parts:
            kind = word(part, "type")
            if kind == "step-start":
                conversation.message()
            elif kind == "text" and role == "assistant":
                conversation.say(str(part.get("text") or ""), at=at)
            else:
                _tool_part(part, conversation, at, is_marked)


def _invocations(message: Mapping[str, Any]) -> list[Any]:
    """The calls that version 4 kept beside a UI message's text, as parts."""
    return [{**mapping(t), "type": "tool-invocation"} for t in sequence(message.get("toolInvocations"))]


def _tool_part(part: Mapping[str, Any], conversation: Conversation, at: Any, is_marked: bool) -> None:
    """A call, a result, or (in UI messages) both in one part."""
    kind = word(part, "type") or ""
    if kind == "tool-call":
        _call(part, conversation, at, word(part, "toolName"))
    elif kind in ("tool-result", "tool-error"):
        _call(part, conversation, at, word(part, "toolName"))
        _result(part, conversation, at, is_marked)
    elif kind in ("tool-invocation", "dynamic-tool") or (kind.startswith("tool-") and kind not in _MODEL):
        inner = mapping(part.get("toolInvocation")) or part
        _call(inner, conversation, at, word(inner, "toolName") or kind.removeprefix("tool-"))
        _state(inner, conversation, at, is_marked)


def _call(part: Mapping[str, Any], conversation: Conversation, at: Any, name: str | None) -> None:
    """Tell a call once: a result names its tool as well."""
    if not conversation.has(str(part.get("toolCallId"))):
        args = args_of(first(part, "input", "args", "rawInput"))
        conversation.call(part.get("toolCallId"), name or "unnamed", args, at=at)


def _state(part: Mapping[str, Any], conversation: Conversation, at: Any, is_marked: bool) -> None:
    """How a call of a UI message stands: done, refused, or still open."""
    state = word(part, "state") or ""
    if state in _REFUSED:
        said = text(part.get("errorText")) or text(mapping(part.get("approval")).get("reason"))
        error = said or ("denied by the user" if state == "output-denied" else None)
        _came_back(part, conversation, at, is_marked, said, CallStatus.ERROR, error)
    elif state in _DONE:
        status = CallStatus.UNKNOWN if part.get("preliminary") is True else CallStatus.SUCCESS
        _came_back(part, conversation, at, is_marked, result_of(first(part, "output", "result")), status)


def _result(part: Mapping[str, Any], conversation: Conversation, at: Any, is_marked: bool) -> None:
    """A result: version 5 and later say by its type whether it is an error, earlier ones by `isError`."""
    output = first(part, "output", "result", "error")
    typed = mapping(output) if "output" in part and word(output, "type") else {}
    result = result_of(first(typed, "value", "reason") if typed else output)
    failed = word(typed, "type") in _FAILED or part.get("isError") is True or word(part, "type") == "tool-error"
    denied = "denied by the user" if word(typed, "type") == "execution-denied" else None
    error = (text(result) or denied) if failed else None
    _came_back(part, conversation, at, is_marked, result, CallStatus.ERROR if failed else CallStatus.SUCCESS, error)


def _came_back(
    part: Mapping[str, Any],
    conversation: Conversation,
    at: Any,
    is_marked: bool,
    result: Any,
    status: CallStatus,
    error: str | None = None,
) -> None:
    is_clients = is_marked and part.get("providerExecuted") is not True
    name = word(part, "toolName")
    conversation.result(
        part.get("toolCallId"), result, status=status, error=error, at=at, tool=name, is_clients=is_clients
    )
