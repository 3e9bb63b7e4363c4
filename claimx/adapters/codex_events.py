"""Events of `codex exec --json`: items that began and ended, each with what came of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from claimx.adapters.content import args_of, result_of
from claimx.adapters.conversation import Conversation
from claimx.adapters.found import UNREADABLE
from claimx.adapters.plain import first, mapping, sequence, text, word
from claimx.types import CallStatus

#: Items that are neither words to the user nor deeds of the agent.
_SILENT = frozenset({"reasoning", "todo_list", "error"})


def fits(data: Mapping[str, Any]) -> bool:
    """Whether a line is an event of a thread, a turn or an item."""
    kind = word(data, "type")
    return kind == "thread.started" or (kind in ("item.started", "item.updated", "item.completed") and "item" in data)


def feed(data: Mapping[str, Any], conversation: Conversation) -> None:
    """Add an event to a conversation; an item counts once it is complete, a call from when it began."""
    item = mapping(data.get("item"))
    kind = first(item, "type", "item_type")
    id = str(item.get("id") or "")
    done = word(data, "type") == "item.completed"
    if kind in ("agent_message", "assistant_message"):
        if done:
            conversation.message()
            conversation.say(str(item.get("text") or ""))
        return
    call = _call_of(str(kind), item)
    if call is None:
        if done and kind not in _SILENT:
            conversation.lacks(UNREADABLE)
        return
    if not conversation.has(id):
        conversation.call(id, *call)
    if done:
        failed = word(item, "status") in ("failed", "declined") or item.get("error") is not None
        result: Any = result_of(first(item, "result", "changes", "agents_states"))
        if kind == "command_execution":
            result = {"exit_code": item.get("exit_code"), "output": result_of(item.get("aggregated_output"))}
        error = text(mapping(item.get("error")).get("message"))
        conversation.result(id, result, status=CallStatus.ERROR if failed else CallStatus.SUCCESS, error=error)
        if kind == "collab_tool_call" and not failed:
            conversation.is_unseen(id)


def _call_of(kind: str, item: Mapping[str, Any]) -> tuple[str, Any] | None:
    if kind == "command_execution":
        return "shell", {"command": item.get("command")}
    if kind == "file_change":
        changes = [mapping(c) for c in sequence(item.get("changes"))]
        one = {"path": changes[0].get("path")} if len(changes) == 1 else {}
        return "apply_patch", {**one, "changes": changes}
    if kind == "mcp_tool_call":
        return str(item.get("tool") or "unnamed"), args_of(item.get("arguments"))
    if kind == "collab_tool_call":
        # What a sub-agent itself does stands in the stream of its own thread.
        asked = {k: item[k] for k in ("prompt", "receiver_thread_ids") if item.get(k)}
        return str(item.get("tool") or "unnamed"), asked
    if kind == "web_search":
        return "web_search", {"query": item.get("query")}
    return None
