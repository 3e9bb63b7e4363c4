"""What holds a conversation: a list of messages, a request, a response, both, a log's line around them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from claimx.adapters import anthropic, gemini, messages
from claimx.adapters.fragments import whole_messages
from claimx.adapters.plain import first, mapping, sequence

_IDS = ("id", "conversation_id", "thread_id", "session_id", "custom_id", "trace_id", "response_id", "responseId")
#: Fields that belong to a run or a message itself, and those whose members tell of it.
_NOT_ABOUT = frozenset(
    {
        *_IDS,
        "reply",
        "text",
        "tools",
        "ledger",
        "user",
        "now",
        "turn",
        "type",
        "role",
        "content",
        "object",
        "input",
        "output",
    }
)
_MANY = frozenset({"metadata", "agent", "model"})
#: Envelopes: a batch's line, a proxy's log, what a graph or a callback keeps.
_WITHIN = ("body", "state", "values", "data", "result", "conversation", "payload")


@dataclass(slots=True)
class Document:
    """The messages of one conversation, the tools that a request offers, the name the record bears, and its plain fields."""

    messages: list[Any]
    tools: list[Any] = field(default_factory=list)
    id: str = ""
    about: dict[str, Any] = field(default_factory=dict)


def unfold(record: Any, depth: int = 0) -> Document | None:
    """Find the conversation in a record; None when it holds none."""
    if isinstance(record, list):
        flat = _flat(record)
        return Document(flat) if flat and messages.is_message(flat[0]) else None
    data = mapping(record)
    if not data or depth > 3:
        return None
    found = _exchange(data, depth) or _request(data) or _response(data) or _within(data, depth)
    if found is None and messages.is_message(data):
        found = Document([data])
    if found is not None:
        named = first(data, *_IDS)
        found.id = found.id or (str(named) if isinstance(named, str | int) else "")
        found.about = {**about(data), **found.about}
    return found


def answer_of(data: Any) -> Document | None:
    """Return what a record answers when it is a model's response and nothing else: no request, no history beside it."""
    data = mapping(data)
    if not any(isinstance(data.get(k), list) for k in ("choices", "candidates", "output")) or _history(data):
        return None
    return None if _exchange(data, 1) or _request(data) else unfold(data)


def _flat(values: list[Any]) -> list[Any]:
    """Messages of a list: streams joined, and of whole responses that stand among them what they answer."""
    out = []
    for value in whole_messages(values):
        answer = None if messages.is_message(value) else answer_of(value)
        out += [value] if answer is None else answer.messages
    return out


def is_continued(record: Any, known: set[str], depth: int = 0) -> bool:
    """Whether what a record holds goes on from a response, or a conversation at its provider's, that is not in `known`.

    The ids of responses in it become known.
    """
    if isinstance(record, list):
        return any([is_continued(r, known, depth + 1) for r in record if isinstance(r, Mapping)])
    data = mapping(record)
    before = data.get("previous_response_id")
    goes_on = (isinstance(before, str) and before not in known) or bool(mapping(data.get("conversation")).get("id"))
    if isinstance(data.get("id"), str) and "output" in data:
        known.add(data["id"])
    inner = (data.get(k) for k in ("request", "body", "kwargs", "response") if depth < 3)
    return any([is_continued(v, known, depth + 1) for v in inner if isinstance(v, Mapping)]) or goes_on


def about(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a record that say something of the run: short values by themselves, and its metadata."""
    return {
        k: v
        for k, v in data.items()
        if k not in _NOT_ABOUT and ((isinstance(v, str | int | float) and len(str(v)) <= 300) or k in _MANY)
    }


def _exchange(data: Mapping[str, Any], depth: int) -> Document | None:
    """A request with its response."""
    for asked, answered in (
        ("request", "response"),
        ("kwargs", "response"),
        ("body", "response"),
        ("input", "response"),
    ):
        if data.get(asked) is None or data.get(answered) is None:
            continue
        request, response = unfold(data[asked], depth + 1), unfold(data[answered], depth + 1)
        if request and response:
            said = {**request.about, **response.about}
            return Document(request.messages + response.messages, request.tools + response.tools, request.id, said)
    return None


def _request(data: Mapping[str, Any]) -> Document | None:
    """A request, or a log of a whole conversation; with the response's messages where the same record holds them."""
    for key in ("messages", "contents", "input", "items"):
        held = data.get(key)
        if key == "input" and isinstance(held, str) and isinstance(data.get("output"), list):
            held = [{"role": "user", "content": held}]
        if isinstance(held, list) and any(messages.is_message(m) for m in held[:20]):
            break
        if (
            isinstance(held, list)
            and len(held) == 1
            and isinstance(held[0], list)
            and held[0]
            and messages.is_message(held[0][0])
        ):
            held = held[0]
            break
    else:
        return None
    after = _response(data)
    tools = tools_of(data)
    more = [m for m in after.messages if m not in held] if after else []
    return Document(_flat([*held, *more]), tools)


def _response(data: Mapping[str, Any]) -> Document | None:
    """A response: of Chat Completions, Responses, Messages, Gemini."""
    for key, inner in (("choices", "message"), ("candidates", "content")):
        options = sequence(data.get(key))
        if options and isinstance(mapping(options[0]).get(inner), Mapping):
            return Document([*_history(data), options[0][inner]], tools_of(data))
    output = data.get("output")
    if isinstance(output, list) and any(messages.is_message(o) for o in output):
        return Document(output, tools_of(data))
    for key in ("response", "output", "message"):
        inner_ = data.get(key)
        if isinstance(inner_, Mapping):
            if messages.is_message(inner_):
                return Document([inner_])
            nested = _response(inner_) if inner_ is not data else None
            if nested is not None:
                return nested
        elif key == "response" and isinstance(inner_, list) and any(messages.is_message(m) for m in _flat(inner_)):
            return Document(_flat(inner_))
    return None


def _history(data: Mapping[str, Any]) -> list[Any]:
    return sequence(first(data, "automatic_function_calling_history", "automaticFunctionCallingHistory"))


def _within(data: Mapping[str, Any], depth: int) -> Document | None:
    for key in _WITHIN:
        if isinstance(data.get(key), Mapping | list):
            found = unfold(data[key], depth + 1)
            if found is not None:
                return found
    return None


def tools_of(data: Mapping[str, Any]) -> list[Any]:
    """Return the tool definitions of a request, in whatever dialect."""
    config = mapping(data.get("config"))
    listed = sequence(first(data, "tools", "functions")) or sequence(config.get("tools"))
    listed = listed or sequence(mapping(data.get("invocation_params")).get("tools"))
    declared = gemini.known_tools(listed)
    if declared:
        return declared
    named = [t for t in listed if isinstance(t, str)]
    openai = [t for t in listed if isinstance(mapping(t).get("function"), Mapping)]
    return named + openai + [t for t in anthropic.known_tools(listed) if t not in openai]
