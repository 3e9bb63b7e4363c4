"""Traces of AgentDojo: one task's messages, with calls as `function` and `args`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from claimx.adapters import messages
from claimx.adapters.conversation import Conversation
from claimx.adapters.found import Found, Reading, fault
from claimx.adapters.plain import mapping, sequence, text, word
from claimx.records import Record

NAME = "agentdojo"


def matches(sample: Sequence[Any]) -> bool:
    """Whether records name a suite and a user task beside their messages."""
    return any(_is_trace(mapping(r)) for r in sample)


def _is_trace(data: Mapping[str, Any]) -> bool:
    return isinstance(data.get("messages"), list) and "suite_name" in data and "user_task_id" in data


def read(records: Iterable[Record], reading: Reading) -> Iterator[Found]:
    """Read traces."""
    for record in records:
        data = mapping(record.data)
        if record.error is not None:
            yield Found(record.line, error=record.error)
            continue
        if not _is_trace(data):
            yield fault(record.line, "no trace of AgentDojo: expected suite_name, user_task_id and messages")
            continue
        names = ("suite_name", "user_task_id", "injection_task_id", "attack_type")
        id = "/".join(str(data[n]) for n in names if text(data.get(n)))
        conversation = Conversation(id=id, line=record.line, turns=reading.turns)
        conversation.tell(model=data.get("pipeline_name"))
        messages.feed_all([_message(mapping(m)) for m in sequence(data["messages"])], conversation)
        yield from conversation.finish()


def _message(message: Mapping[str, Any]) -> Any:
    """A tool's message tells its call's id, or repeats the call; the text of an error stands apart from its content."""
    if word(message, "role") != "tool":
        return message
    call = mapping(message.get("tool_call"))
    return {**message, "tool_call_id": message.get("tool_call_id") or call.get("id"), "name": call.get("function")}
