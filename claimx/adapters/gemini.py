"""Contents of Gemini: parts with text, function calls and responses, code execution; field names of Python and of JSON."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from claimx.adapters import chat
from claimx.adapters.content import without_blobs
from claimx.adapters.conversation import Conversation
from claimx.adapters.found import shown
from claimx.adapters.plain import first, mapping, sequence, text, word
from claimx.types import CallStatus

NAME = "gemini"
_FIELDS = (
    "text", "function_call", "functionCall", "function_response", "functionResponse", "executable_code", "executableCode",
    "code_execution_result", "codeExecutionResult", "tool_call", "toolCall", "tool_response", "toolResponse", "inline_data",
    "inlineData", "file_data", "fileData",
)  # fmt: skip


def fits(content: Mapping[str, Any]) -> bool:
    """Whether a content has parts of the kinds of this API, told by their fields and not by a type.

    Beside one that is known there may be others: newer versions add kinds, and signatures have parts of their own.
    """
    parts = sequence(content.get("parts"))
    return all(isinstance(p, Mapping) and "type" not in p for p in parts) and any(
        k in p for p in parts for k in _FIELDS
    )


tells = fits


def feed(content: Mapping[str, Any], conversation: Conversation, where: str = "") -> None:
    """Add a content to a conversation. A function's response may have the role `user`, `function` or `tool`."""
    parts = [mapping(p) for p in sequence(content.get("parts"))]
    role = word(content, "role")
    agent = role in chat.AGENT or (role is None and any(_call_of(p) for p in parts))
    if not agent and role is not None and role not in chat.ROLES:
        chat.feed(content, conversation, where)
        return
    if agent:
        conversation.message()
    said = []
    for part in parts:
        if part.get("thought"):
            continue
        if agent and text(part.get("text")):
            conversation.say(part["text"])
        elif text(part.get("text")):
            said.append(part["text"])
        else:
            feed_part(part, conversation, where)
    if said and role not in chat.SYSTEM:
        conversation.user("\n".join(said))


def _call_of(part: Mapping[str, Any]) -> Any:
    return first(part, "function_call", "functionCall", "executable_code", "executableCode", "tool_call", "toolCall")


def feed_part(part: Mapping[str, Any], conversation: Conversation, where: str = "") -> None:
    """Add a call, or what came back of one, to a conversation."""
    call = mapping(first(part, "function_call", "functionCall"))
    code = mapping(first(part, "executable_code", "executableCode"))
    server = mapping(first(part, "tool_call", "toolCall"))
    if call:
        conversation.call(call.get("id"), str(call.get("name") or "unnamed"), call.get("args") or {})
    elif code:
        conversation.call(
            code.get("id"), "code_execution", {"code": code.get("code"), "language": code.get("language")}
        )
    elif server:
        name = str(first(server, "tool_type", "toolType") or "tool").lower()
        conversation.call(server.get("id"), name, server.get("args") or {})
    elif any(k in part for k in _FIELDS):
        _back(part, conversation)
    elif (strange := chat.call_in(part)) is not None:
        conversation.problem(f"{where}part {shown(strange)!r} is no known kind of call: it is left out", field="parts")


def _back(part: Mapping[str, Any], conversation: Conversation) -> None:
    response = mapping(first(part, "function_response", "functionResponse"))
    ran = mapping(first(part, "code_execution_result", "codeExecutionResult"))
    server = mapping(first(part, "tool_response", "toolResponse"))
    if response:
        value = response.get("response")
        error = value.get("error") if isinstance(value, Mapping) and len(value) == 1 else None
        status = CallStatus.ERROR if error else CallStatus.SUCCESS
        name = text(response.get("name"))
        if first(response, "will_continue", "willContinue") is True:
            return  # a word in between: the function still runs
        conversation.result(response.get("id"), without_blobs(value), status=status, error=text(error), tool=name)
    elif ran:
        outcome = str(ran.get("outcome") or "").upper()
        status = (
            CallStatus.TIMEOUT
            if "DEADLINE" in outcome
            else CallStatus.ERROR
            if "FAILED" in outcome
            else CallStatus.SUCCESS
        )
        conversation.result(ran.get("id"), ran.get("output"), status=status, tool="code_execution")
    elif server:
        name = str(first(server, "tool_type", "toolType") or "tool").lower()
        conversation.result(server.get("id"), without_blobs(server.get("response")), tool=name)


def known_tools(listed: Any) -> list[Any]:
    """Return the function declarations of a request's tools, with the schema under the name that claimx reads."""
    out = []
    for tool in map(mapping, sequence(listed)):
        for d in map(mapping, sequence(first(tool, "function_declarations", "functionDeclarations"))):
            schema = first(d, "parameters", "parameters_json_schema", "parametersJsonSchema")
            out.append({"name": d.get("name"), "description": d.get("description"), "parameters": schema})
    return out
