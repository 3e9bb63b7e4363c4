"""Records that hold conversations: a conversation a record, or one message a line of a single conversation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from claimx.adapters import documents, fragments, messages
from claimx.adapters.conversation import Conversation
from claimx.adapters.found import ELSEWHERE, UNREADABLE, Found, Reading, fault, listed
from claimx.records import Record


def name_of(sample: Sequence[Any]) -> str | None:
    """Return the dialect that the first conversations show, None when they are none."""
    found = None
    for record in fragments.joined(Record(0, r) for r in sample):
        document = documents.unfold(record.data)
        name = messages.name_of(document.messages) if document else None
        if document and name and any(_tells(m) for m in document.messages):
            return name
        found = found or name
    return found


def _tells(message: Any) -> bool:
    dialect = messages.dialect_of(message)
    return dialect is not None and bool(dialect.tells(message))


def read(records: Iterable[Record], reading: Reading, only: str | None = None) -> Iterator[Found]:
    """Read conversations. Records that are bare messages are together one conversation, responses among them included.

    Responses that follow one another are conversations of their own.
    """
    running: Conversation | None = None
    talks = False
    is_cut = False
    known: set[str] = set()
    for record in fragments.joined(records):
        if record.error is not None:
            yield Found(record.line, error=record.error)
            if running is not None:
                running.lacks(UNREADABLE)
            is_cut = True
            continue
        data = record.data
        if isinstance(data, Mapping) and messages.is_message(data) and documents.tools_of(data) == []:
            if running is None:
                running = Conversation(line=record.line, turns=reading.turns)
                if is_cut:
                    running.lacks(UNREADABLE)
            running.line = record.line
            talks = True
            messages.feed_all([data], running, name="", only=only)
            yield from running.drain()
            continue
        answer = documents.answer_of(data)
        if running is not None and talks and answer is not None:
            running.line = record.line
            running.about.update(answer.about)
            if documents.is_continued(data, known):
                running.lacks(ELSEWHERE)
            for tool in answer.tools:
                running.tool(tool)
            messages.feed_all(answer.messages, running, only=only)
            yield from running.drain()
            continue
        if running is not None:
            yield from running.finish()
            running, talks = None, False
            known.clear()
        document = answer or documents.unfold(data)
        if document is None:
            yield fault(
                record.line, f"no conversation here (fields: {_keys(data)}): expected messages, contents, or items"
            )
            continue
        conversation = Conversation(id=document.id, line=record.line, turns=reading.turns, tools=document.tools)
        conversation.about.update(document.about)
        if documents.is_continued(data, known):
            conversation.lacks(ELSEWHERE)
        messages.feed_all(document.messages, conversation, only=only)
        if answer is None:
            yield from conversation.finish()
        else:
            running = conversation
    if running is not None:
        yield from running.finish()


def _keys(data: Any) -> str:
    return listed(sorted(map(str, data))) if isinstance(data, Mapping) else type(data).__name__
