"""Recorded streams: the fragments of one answer joined to the message that they make, before anybody reads it.

Chunks of Chat Completions and events of Anthropic's Messages become a message, events of Responses the response that
they end with, chunks of Gemini with one response's id one response. What is no fragment passes as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Protocol

from claimx.adapters.content import args_of
from claimx.adapters.plain import first, mapping, sequence, text, word
from claimx.records import Record


class _Answer(Protocol):
    """An answer on its way: takes fragments, tells when it has ended, gives the records that it makes, cut or not."""

    def take(self, data: Mapping[str, Any]) -> bool: ...

    def whole(self) -> Iterator[Any]: ...


def joined(records: Iterable[Record]) -> Iterator[Record]:
    """Yield records, those of a stream as one where its first stood."""
    answer: _Answer | None = None
    kind, line = "", 0
    for record in records:
        data = mapping(record.data) if record.error is None else {}
        now = _kind_of(data)
        if answer is not None and (now != kind or word(data, "type") in _BEGINS):
            yield from (Record(line, made) for made in answer.whole())
            answer = None
        if not now:
            yield record
            continue
        if answer is None:
            answer, kind, line = _ANSWERS[now.partition(" ")[0]](), now, record.line
        if answer.take(data):
            yield from (Record(line, made) for made in answer.whole())
            answer = None
    if answer is not None:
        yield from (Record(line, made) for made in answer.whole())


def whole_messages(values: list[Any]) -> list[Any]:
    """Return a list of messages, those of a stream among them joined; the same list where there are none."""
    if not any(_kind_of(mapping(v)) for v in values):
        return values
    return [r.data for r in joined(Record(0, v) for v in values)]


_BEGINS = ("message_start", "response.created")
_EVENTS = frozenset(
    {"message_start", "content_block_start", "content_block_delta", "content_block_stop", "message_delta", "message_stop", "ping"}
)  # fmt: skip


def _kind_of(data: Mapping[str, Any]) -> str:
    """What a record is a fragment of: the kind of stream with the name of the answer; nothing for any other record.

    >>> _kind_of({"object": "chat.completion.chunk", "id": "c1"}), _kind_of({"role": "user", "content": "Hi"})
    ('chat c1', '')
    """
    kind = word(data, "type")
    if kind is None:
        if word(data, "object") == "chat.completion.chunk":
            return f"chat {data.get('id')}"
        named = first(data, "responseId", "response_id")
        return f"gemini {named}" if named and isinstance(data.get("candidates"), list) else ""
    if kind.startswith("response.") and not {"response", "item_id", "item", "part"}.isdisjoint(data):
        return "responses"
    if kind == "AIMessageChunk":
        return f"langchain {data.get('id')}"
    return "anthropic" if kind in _EVENTS else ""


class _Chat:
    """Chunks of Chat Completions, of the first choice."""

    def __init__(self) -> None:
        self.said: list[str] = []
        self.calls: list[dict[str, Any]] = []
        self.legacy: dict[str, Any] = {"id": None, "name": "", "arguments": []}
        self.created: Any = None

    def take(self, data: Mapping[str, Any]) -> bool:
        self.created = self.created or data.get("created")
        for option in map(mapping, sequence(data.get("choices"))):
            if option.get("index") not in (0, None):
                continue
            delta = mapping(option.get("delta"))
            self.said.append(text(delta.get("content")) or text(delta.get("refusal")) or "")
            for part in map(mapping, sequence(delta.get("tool_calls"))):
                self.piece(part)
            _piece(self.legacy, mapping(delta.get("function_call")))
        return False

    def piece(self, part: Mapping[str, Any]) -> None:
        """Take a piece of a call."""
        kind = "custom" if isinstance(part.get("custom"), Mapping) else "function"
        _piece(self._call_of(part, kind), mapping(part.get(kind)))

    def _call_of(self, part: Mapping[str, Any], kind: str) -> dict[str, Any]:
        """The call that a piece belongs to: of its index and its id, for some count all calls as 0, or none at all."""
        index, id = part.get("index"), part.get("id")
        call = next((c for c in reversed(self.calls) if c["index"] == index), None)
        if call is None or (id and call["id"] and id != call["id"]):
            call = {"index": index, "id": None, "kind": kind, "name": "", "arguments": []}
            self.calls.append(call)
        call["id"] = call["id"] or id
        return call

    def whole(self) -> Iterator[Any]:
        calls = []
        for c in self.calls:
            given = "input" if c["kind"] == "custom" else "arguments"
            told = {"name": c["name"], given: "".join(c["arguments"])}
            calls.append({"id": c["id"], "type": c["kind"], c["kind"]: told})
        message: dict[str, Any] = {"role": "assistant", "content": "".join(self.said), "created": self.created}
        if self.legacy["name"]:
            message["function_call"] = {**self.legacy, "arguments": "".join(self.legacy["arguments"])}
        yield {**message, "tool_calls": calls} if calls else message


class _LangChain:
    """Chunks of LangChain's messages; a whole message may be one."""

    def __init__(self) -> None:
        self.first: Mapping[str, Any] = {}
        self.said: list[Any] = []
        self.given: list[Any] = []
        self.chat = _Chat()

    def take(self, data: Mapping[str, Any]) -> bool:
        self.first = self.first or data
        content = data.get("content")
        self.said += [content] if isinstance(content, str) else sequence(content)
        self.given += sequence(data.get("tool_calls"))
        for part in map(mapping, sequence(data.get("tool_call_chunks"))):
            told = {"name": part.get("name"), "arguments": part.get("args")}
            self.chat.piece({"index": part.get("index"), "id": part.get("id"), "function": told})
        return False

    def whole(self) -> Iterator[Any]:
        is_text = all(isinstance(s, str) for s in self.said)
        content = "".join(self.said) if is_text else self.said
        pieces = [{"id": c["id"], "name": c["name"], "args": args_of("".join(c["arguments"]))} for c in self.chat.calls]
        yield {**self.first, "type": "ai", "content": content, "tool_calls": pieces or self.given}


def _piece(call: dict[str, Any], told: Mapping[str, Any]) -> None:
    """Add a piece to a call; a name comes once, in pieces, or whole each time."""
    name = text(told.get("name")) or ""
    call["name"] += "" if name == call["name"] else name
    call["arguments"].append(text(told.get("arguments")) or text(told.get("input")) or "")


class _Anthropic:
    """Events of Anthropic's Messages."""

    def __init__(self) -> None:
        self.blocks: dict[str, dict[str, Any]] = {}
        self.pieces: dict[str, list[str]] = {}

    def take(self, data: Mapping[str, Any]) -> bool:
        kind, at = word(data, "type"), str(data.get("index"))
        if kind == "content_block_start":
            self.blocks[at], self.pieces[at] = dict(mapping(data.get("content_block"))), []
        elif kind == "content_block_delta" and at in self.blocks:
            delta = mapping(data.get("delta"))
            self.pieces[at].append(text(delta.get("text")) or text(delta.get("partial_json")) or "")
        return kind == "message_stop"

    def whole(self) -> Iterator[Any]:
        blocks = []
        for at, block in self.blocks.items():
            pieces = "".join(self.pieces[at])
            if word(block, "type") == "text":
                block["text"] = (text(block.get("text")) or "") + pieces
            elif pieces and (word(block, "type") or "").endswith("tool_use"):
                block["input"] = args_of(pieces)
            blocks.append(block)
        if blocks:
            yield {"role": "assistant", "content": blocks}


class _Responses:
    """Events of Responses: the response that the last one bears, of a stream that was cut the items that were done."""

    def __init__(self) -> None:
        self.items: list[Any] = []
        self.open: dict[str, list[str]] = {}
        self.response: Any = None

    def take(self, data: Mapping[str, Any]) -> bool:
        kind = word(data, "type")
        if kind == "response.output_item.done" and isinstance(data.get("item"), Mapping):
            self.items.append(data["item"])
            self.open.pop(str(data["item"].get("id")), None)
        elif kind in ("response.output_text.delta", "response.refusal.delta"):
            self.open.setdefault(str(data.get("item_id")), []).append(text(data.get("delta")) or "")
        if kind in ("response.completed", "response.incomplete", "response.failed"):
            self.response = data.get("response")
            return True
        return False

    def whole(self) -> Iterator[Any]:
        told = mapping(self.response)
        if sequence(told.get("output")):
            yield told
        elif self.items or self.open:
            said = ([{"type": "output_text", "text": "".join(pieces)}] for pieces in self.open.values())
            cut = [{"type": "message", "role": "assistant", "content": parts} for parts in said]
            yield {**told, "output": [*self.items, *cut]}


class _Gemini:
    """Chunks of Gemini, of the first candidate."""

    def __init__(self) -> None:
        self.response: dict[str, Any] = {}
        self.parts: list[Any] = []

    def take(self, data: Mapping[str, Any]) -> bool:
        self.response = {**data, **self.response}
        self.parts += sequence(_content_of(data).get("parts"))
        return False

    def whole(self) -> Iterator[Any]:
        content = {**_content_of(self.response), "parts": self.parts}
        yield {**self.response, "candidates": [{"content": content}]} if self.parts else self.response


def _content_of(data: Mapping[str, Any]) -> Mapping[str, Any]:
    options = sequence(data.get("candidates"))
    return mapping(mapping(options[0] if options else None).get("content"))


_ANSWERS: dict[str, type[_Chat] | type[_Anthropic] | type[_LangChain] | type[_Responses] | type[_Gemini]] = {
    "chat": _Chat, "anthropic": _Anthropic, "responses": _Responses, "gemini": _Gemini, "langchain": _LangChain,
}  # fmt: skip
