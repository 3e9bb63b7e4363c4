"""Evaluation logs of Inspect: the samples' conversations, with the calls that sub-agents made from the events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from claimx.adapters import messages
from claimx.adapters.chat import status_of
from claimx.adapters.content import result_of
from claimx.adapters.conversation import Conversation
from claimx.adapters.found import Found, Reading, fault
from claimx.adapters.moments import seconds
from claimx.adapters.plain import mapping, sequence, text, word
from claimx.records import Record

NAME = "inspect"
_HEADER = frozenset({"eval", "plan"})


def matches(sample: Sequence[Any]) -> bool:
    """Whether records are logs, or samples of one."""
    return any(_is_log(mapping(r)) or _is_sample(mapping(r)) for r in sample)


def _is_log(data: Mapping[str, Any]) -> bool:
    return isinstance(data.get("eval"), Mapping) and ("samples" in data or "plan" in data or "status" in data)


def _is_sample(data: Mapping[str, Any]) -> bool:
    return "epoch" in data and isinstance(data.get("messages"), list) and "target" in data


def read(records: Iterable[Record], reading: Reading) -> Iterator[Found]:
    """Read logs and samples."""
    for record in records:
        data = mapping(record.data)
        if record.error is not None:
            yield Found(record.line, error=record.error)
        elif _is_sample(data):
            yield from _sample(data, record.line, reading)
        elif _is_log(data):
            samples = data.get("samples")
            if samples is None:
                yield fault(record.line, "the log holds no samples: it was written, or read, with its header alone")
            for sample in sequence(samples):
                yield from _sample(mapping(sample), record.line, reading)
        elif not _HEADER & set(data):
            yield fault(record.line, "neither a log nor a sample of Inspect")


def _sample(data: Mapping[str, Any], line: int, reading: Reading) -> Iterator[Found]:
    id = f"{data.get('id')}/{data.get('epoch', 1)}"
    events = [mapping(e) for e in sequence(data.get("events"))]
    tools = [t for e in events if e.get("event") == "model" for t in sequence(e.get("tools"))]
    attachments = mapping(data.get("attachments"))
    conversation = Conversation(id=id, line=line, turns=reading.turns, tools=tools)
    conversation.tell(model=mapping(data.get("output")).get("model"))
    listed = [_resolved(m, attachments) for m in sequence(data.get("messages"))]
    told = {str(mapping(c).get("id")) for m in listed for c in sequence(mapping(m).get("tool_calls"))}
    works = [e for e in events if e.get("event") == "tool"]
    for message in listed:
        m = mapping(message)
        if word(m, "role") == "tool" and str(m.get("tool_call_id")) in told:
            _sub_agents(conversation, str(m["tool_call_id"]), works, told, attachments)
        if word(m, "role") == "assistant" and isinstance(m.get("content"), list):
            m = {**m, "content": [p for p in m["content"] if word(p, "type") == "text"]}
        messages.feed_all([m], conversation)
    yield from conversation.finish()


def _sub_agents(
    conversation: Conversation,
    owner: str,
    works: list[Mapping[str, Any]],
    told: set[str],
    attachments: Mapping[str, Any],
) -> None:
    """Calls made while a call of the conversation was under way, and told by events alone, are its sub-agent's."""
    around = next((w for w in works if w.get("id") == owner), None)
    if around is None:
        return
    start, end = seconds(around.get("timestamp")), seconds(around.get("completed"))
    nested = [mapping(e) for e in sequence(around.get("events")) if mapping(e).get("event") == "tool"]
    within = [w for w in works if str(w.get("id")) not in told and start <= seconds(w.get("timestamp")) <= end]
    for work in nested + within:
        if conversation.has(str(work.get("id"))):
            continue
        with conversation.inside(owner, text(work.get("agent"))):
            id = conversation.call(
                work.get("id"), str(work.get("function") or "unnamed"), work.get("arguments"), at=work.get("timestamp")
            )
        status, error = status_of(work)
        result = result_of(_resolved(work.get("result"), attachments))
        conversation.result(work.get("id") or id, result, status=status, error=error, at=work.get("completed"))


def _resolved(value: Any, attachments: Mapping[str, Any], depth: int = 0) -> Any:
    """Put long texts back that the log keeps apart under a digest."""
    if not attachments or depth > 20:
        return value
    if isinstance(value, str):
        return (
            attachments.get(value.removeprefix("attachment://"), value) if value.startswith("attachment://") else value
        )
    if isinstance(value, Mapping):
        return {k: _resolved(v, attachments, depth + 1) for k, v in value.items()}
    if isinstance(value, list):
        return [_resolved(v, attachments, depth + 1) for v in value]
    return value
