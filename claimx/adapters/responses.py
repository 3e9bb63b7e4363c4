"""Items of OpenAI's Responses API: messages, function, custom, MCP, shell and built-in calls, and their outputs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from claimx.adapters import chat
from claimx.adapters.content import args_of, command_of, result_of, text_of, without_blobs
from claimx.adapters.conversation import Conversation
from claimx.adapters.found import ELSEWHERE, shown
from claimx.adapters.plain import first, mapping, sequence, text, word
from claimx.types import CallStatus

NAME = "openai-responses"
#: Built-in calls: item type -> (tool, fields that say what was asked, fields that say what came back).
_BUILT_IN: dict[str, tuple[str, tuple[str, ...], tuple[str, ...]]] = {
    "web_search_call": ("web_search", ("action",), ()),
    "file_search_call": ("file_search", ("queries",), ("results",)),
    "code_interpreter_call": ("code_interpreter", ("code",), ("outputs",)),
    "image_generation_call": ("image_generation", ("revised_prompt", "action"), ("result", "error")),
}
#: Calls with an output item of their own: type -> (tool, field that says what was asked).
_ASKED: dict[str, tuple[str, str]] = {
    "local_shell_call": ("local_shell", "action"),
    "shell_call": ("shell", "action"),
    "apply_patch_call": ("apply_patch", "operation"),
    "computer_call": ("computer", "action"),
    "tool_search_call": ("tool_search", "arguments"),
    "program": ("program", "code"),
}
_OUTPUTS = frozenset(
    {"function_call_output", "custom_tool_call_output", "local_shell_call_output", "shell_call_output",
     "apply_patch_call_output", "computer_call_output", "tool_search_output", "program_output"}
)  # fmt: skip
_CALLS = frozenset({"function_call", "custom_tool_call", "mcp_call", *_BUILT_IN, *_ASKED})
_SILENT = frozenset(
    {"reasoning", "mcp_approval_request", "mcp_approval_response", "item_reference", "compaction", "mcp_list_tools", "additional_tools"}
)  # fmt: skip
_PARTS = frozenset({"input_text", "output_text", "refusal", "input_image", "input_file"})
_ENDS = {"failed": CallStatus.ERROR, "incomplete": CallStatus.UNKNOWN}


def fits(item: Mapping[str, Any]) -> bool:
    """Whether an item is one of this API: by its type; a message also by its parts, for Anthropic's have that type too."""
    kind = word(item, "type")
    if kind == "message":
        return isinstance(word(item, "role"), str) and (isinstance(item.get("content"), str) or tells(item))
    return kind in _CALLS or kind in _OUTPUTS or kind in _SILENT or _is_newer(item)


def is_call(item: Mapping[str, Any]) -> bool:
    """Whether an item is a call, or what came back of one."""
    kind = word(item, "type")
    return kind in _CALLS or kind in _OUTPUTS or _is_newer(item)


def _is_newer(item: Mapping[str, Any]) -> bool:
    """Whether an item is a call, or what came back, of a kind that is not known here: newer versions add some."""
    kind = word(item, "type") or ""
    return (
        "role" not in item
        and kind.endswith(("_call", "_call_output"))
        and ("call_id" in item or {"id", "status"} <= item.keys())
    )


def tells(item: Mapping[str, Any]) -> bool:
    """Whether an item shows that it is of this API and no other."""
    parts = sequence(item.get("content"))
    return word(item, "type") != "message" or any(word(p, "type") in _PARTS for p in parts)


def feed(item: Mapping[str, Any], conversation: Conversation, where: str = "") -> None:
    """Add an item to a conversation."""
    kind = word(item, "type")
    id = first(item, "call_id", "id")
    if kind == "message":
        if word(item, "role") in chat.AGENT:
            conversation.message()
            conversation.say(text_of(item.get("content")), at=item.get("created_at"))
        else:
            chat.feed(item, conversation, where)
    elif kind in ("function_call", "custom_tool_call"):
        raw = item.get("arguments") if kind == "function_call" else {"input": item.get("input")}
        namespace = text(item.get("namespace"))
        conversation.call(id, str(item.get("name") or "unnamed"), args_of(raw), namespace=namespace)
    elif kind == "mcp_call":
        conversation.call(
            id, str(item.get("name") or "unnamed"), args_of(item.get("arguments")), server=item.get("server_label")
        )
        status = _status_of(item)
        if item.get("output") is not None or status is not CallStatus.SUCCESS or word(item, "status") == "completed":
            conversation.result(id, result_of(item.get("output")), status=status, error=_said(item.get("error")))
    elif kind in _BUILT_IN:
        tool, asked, back = _BUILT_IN[kind]
        conversation.call(id, tool, {k: item[k] for k in asked if item.get(k) is not None})
        found = {k: item[k] for k in back if item.get(k) is not None}
        if word(item, "status") in (None, "completed", *_ENDS):
            # A request that did not ask for them gets no results back: then all that is known is how the call ended.
            told = without_blobs(found) or {"status": word(item, "status") or "completed"}
            conversation.result(id, told, status=_status_of(item))
    elif kind in _ASKED:
        tool, key = _ASKED[kind]
        conversation.call(id, tool, _asked(args_of(first(item, key, "actions"))))
    elif kind in _OUTPUTS:
        result = _outcome(first(item, "output", "result", "tools"))
        conversation.result(id, result, status=_status_of(item), tool=text(item.get("name")))
    elif kind in ("mcp_list_tools", "additional_tools", "tool_search_output"):
        for tool_ in sequence(item.get("tools")):
            conversation.tool(tool_)
    elif _is_newer(item):
        _newer(item, str(kind), id, conversation)
    elif kind == "item_reference" or (kind == "compaction" and conversation.is_fresh):
        conversation.lacks(ELSEWHERE)
    elif kind not in _SILENT:
        conversation.problem(f"{where}type {shown(kind)!r} is no known item: it is left out", field="type")


def _newer(item: Mapping[str, Any], kind: str, id: Any, conversation: Conversation) -> None:
    """A call of a kind that is not known here, by the names that such fields have in all others."""
    back = first(item, "output", "outputs", "result", "results")
    status = _status_of(item)
    if kind.endswith("_call"):
        asked = args_of(first(item, "arguments", "input", "action", "operation", "code", "query", "queries"))
        tool = text(item.get("name")) or kind.removesuffix("_call")
        conversation.call(id, tool, _asked(asked) if asked else {}, server=text(item.get("server_label")))
        if back is None and status is CallStatus.SUCCESS:
            return
    conversation.result(id, _outcome(back), status=status, error=_said(item.get("error")))


def _status_of(item: Mapping[str, Any]) -> CallStatus:
    """How a call ended; of one that was broken off nobody knows."""
    if item.get("error") is not None:
        return CallStatus.ERROR
    return _ENDS.get(word(item, "status") or "", CallStatus.SUCCESS)


def _asked(action: Any) -> Any:
    """Return what a shell or an editor was asked, with command lines as text."""
    if not isinstance(action, Mapping):
        return {"input": action}
    kept = {k: v for k, v in action.items() if k != "type" and v is not None}
    commands = kept.pop("commands", None)
    if isinstance(commands, list):
        kept["command"] = "\n".join(map(str, commands))
    elif isinstance(kept.get("command"), list):
        kept["command"] = command_of(kept["command"])
    return kept


def _outcome(output: Any) -> Any:
    """Return an output; of a shell's list of outputs the text and the exit code that is not zero, if any."""
    runs = [mapping(o) for o in output] if isinstance(output, list) else []
    if runs and all("outcome" in r or "stdout" in r for r in runs):
        codes = [mapping(r.get("outcome")).get("exit_code") for r in runs]
        timed = any(mapping(r.get("outcome")).get("type") == "timeout" for r in runs)
        found: dict[str, Any] = {"output": "\n".join(f"{r.get('stdout') or ''}{r.get('stderr') or ''}" for r in runs)}
        numbers = [c for c in codes if isinstance(c, int)]
        if numbers:
            found["exit_code"] = next((c for c in numbers if c), 0)
        if timed:
            found["error"] = "timed out"
        return found
    return result_of(output)


def _said(error: Any) -> str | None:
    if isinstance(error, str):
        return error
    data = mapping(error)
    return text(data.get("message")) or text_of(data.get("content")) or text(word(data, "type"))
