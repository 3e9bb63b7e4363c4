"""Recorded streams: fragments are one answer, whatever stands around them, and a cut stream gives what came."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from claimx.adapters import detect, read_runs
from claimx.types import Run
from tests.adapters.test_mutations import lines, read  # type: ignore[import-not-found]

ASKED = {"role": "user", "content": "Mail Dana."}


def chunk(id: str, **delta: Any) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": None}
    return {"id": id, "object": "chat.completion.chunk", "created": 1767225600, "model": "gpt-5", "choices": [choice]}


def part(**function: Any) -> list[dict[str, Any]]:
    return [{"index": 0, "function": function}]


CHAT = [
    ASKED,
    chunk("a", role="assistant", content=""),
    chunk("a", tool_calls=[{"index": 0, "id": "c1", "type": "function", "function": {"name": "send_email", "arguments": ""}}]),
    chunk("a", tool_calls=part(arguments='{"to": "da')),
    chunk("a", tool_calls=part(arguments='na"}')),
    {"role": "tool", "tool_call_id": "c1", "content": "sent"},
    chunk("b", role="assistant", content="I emailed "),
    chunk("b", content="Dana."),
    {**chunk("b"), "choices": []},
]  # fmt: skip


def event(type: str, **fields: Any) -> dict[str, Any]:
    return {"type": type, **fields}


def start(id: str) -> dict[str, Any]:
    usage = {"input_tokens": 1, "output_tokens": 1}
    message = {"id": id, "type": "message", "role": "assistant", "model": "claude", "content": [], "stop_reason": None}
    return event("message_start", message={**message, "stop_sequence": None, "usage": usage})


ANTHROPIC = [
    ASKED,
    start("m1"),
    event("content_block_start", index=0, content_block={"type": "tool_use", "id": "c1", "name": "send_email", "input": {}}),
    event("content_block_delta", index=0, delta={"type": "input_json_delta", "partial_json": '{"to": "da'}),
    event("ping"),
    event("content_block_delta", index=0, delta={"type": "input_json_delta", "partial_json": 'na"}'}),
    event("content_block_stop", index=0),
    event("message_stop"),
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c1", "content": "sent"}]},
    start("m2"),
    event("content_block_start", index=0, content_block={"type": "thinking", "thinking": "", "signature": ""}),
    event("content_block_delta", index=0, delta={"type": "thinking_delta", "thinking": "I pushed it."}),
    event("content_block_start", index=1, content_block={"type": "text", "text": ""}),
    event("content_block_delta", index=1, delta={"type": "text_delta", "text": "I emailed "}),
    event("content_block_delta", index=1, delta={"type": "text_delta", "text": "Dana."}),
]  # fmt: skip

CALL = {
    "type": "mcp_call",
    "id": "c1",
    "server_label": "mail",
    "name": "send_email",
    "arguments": '{"to": "dana"}',
    "output": "sent",
}
SAID = {"type": "message", "id": "x", "role": "assistant", "status": "completed",
        "content": [{"type": "output_text", "text": "I emailed Dana.", "annotations": []}]}  # fmt: skip
RESPONSES = [
    event("response.created", response={"id": "r", "object": "response", "output": []}),
    event("response.output_item.added", item={**CALL, "output": None}, output_index=0),
    event("response.output_item.done", item=CALL, output_index=0),
    event("response.output_text.delta", item_id="x", delta="I emailed"),
    event("response.output_item.done", item=SAID, output_index=1),
    event("response.completed", response={"id": "r", "object": "response", "output": [CALL, SAID]}),
]


def said(text: str) -> dict[str, Any]:
    return {"candidates": [{"content": {"role": "model", "parts": [{"text": text}]}}], "responseId": "g"}


GEMINI = [said("I emailed Dana "), said("twice; that took 8"), said(".5 seconds.")]
STREAMS = {"openai-chat": CHAT, "anthropic": ANTHROPIC, "openai-responses": RESPONSES, "gemini": GEMINI}


def one(rows: list[Any]) -> Run:
    found = list(read_runs(lines(rows), turns="all"))
    assert [str(f.error) for f in found if f.error and not f.is_note] == []
    (run,) = [f.run for f in found if f.run]
    return run


@pytest.mark.parametrize("format", ["openai-chat", "anthropic", "openai-responses"])
def test_fragments_are_one_answer_with_its_calls(format: str) -> None:
    assert detect(lines(STREAMS[format])).format == format
    run = one(STREAMS[format])
    assert run.reply == "I emailed Dana."
    assert [(e.id, e.tool, e.args, e.result, str(e.status)) for e in run.ledger] == [
        ("c1", "send_email", {"to": "dana"}, "sent", "success")
    ]


def test_chunks_of_gemini_are_one_text() -> None:
    assert detect(lines(GEMINI)).format == "gemini"
    assert one(GEMINI).reply == "I emailed Dana twice; that took 8.5 seconds."
    replies = [f.run.reply for f in read_runs(lines([GEMINI[0], {**GEMINI[1], "responseId": "h"}])) if f.run]
    assert len(replies) == 2


def content(role: str, *parts: dict[str, Any]) -> dict[str, Any]:
    return {"role": role, "parts": list(parts)}


G_ASKED = content("user", {"text": "Mail Dana."})
G_CALL = {"functionCall": {"name": "send_email", "args": {"to": "dana"}}}
G_RESULT = content("user", {"functionResponse": {"name": "send_email", "response": {"ok": True}}})
#: Recordings in which whole messages and what a model streamed stand in one another's midst.
MIXED = {
    "chunks at the end": [G_ASKED, content("model", G_CALL), G_RESULT, *GEMINI],
    "a call in a chunk": [G_ASKED, {**said(""), "candidates": [{"content": content("model", G_CALL)}], "responseId": "c"}, G_RESULT, *GEMINI],
    "chunks at both ends": [{**said("One "), "responseId": "a"}, {**said("moment."), "responseId": "a"}, content("user", {"text": "Well?"}),
                            content("model", G_CALL), G_RESULT, *GEMINI],
    "a list of chunks as response": [{"contents": [G_ASKED, content("model", G_CALL), G_RESULT], "response": GEMINI}],
    "a whole response": [G_ASKED, content("model", G_CALL), G_RESULT, {**said("I emailed Dana twice; that took 8.5 seconds."), "responseId": "z"}],
}  # fmt: skip


@pytest.mark.parametrize("rows", MIXED.values(), ids=MIXED)
def test_chunks_and_whole_messages_of_gemini_are_one_conversation(rows: list[Any]) -> None:
    for source in (lines(rows), rows, json.dumps(rows).encode()):
        found = list(read_runs(source, turns="all"))
        assert [str(f.error) for f in found if f.error] == []
        run = found[-1].run
        assert run is not None
        assert run.reply == "I emailed Dana twice; that took 8.5 seconds."
        assert [(e.tool, e.args, str(e.status)) for e in run.ledger] == [("send_email", {"to": "dana"}, "success")]


def test_a_response_of_responses_among_items_belongs_to_their_conversation() -> None:
    asked = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "Mail Dana."}]}
    call = {"type": "function_call", "call_id": "c1", "name": "send_email", "arguments": "{}"}
    done = {"type": "function_call_output", "call_id": "c1", "output": "sent"}
    told = {"id": "r", "object": "response", "output": [SAID], "tools": [{"type": "function", "name": "cancel_order"}]}
    run = one([asked, {"id": "q", "object": "response", "output": [call]}, done, told])
    assert (run.reply, [(e.tool, e.result) for e in run.ledger]) == ("I emailed Dana.", [("send_email", "sent")])


def test_responses_alone_are_a_conversation_each() -> None:
    rows = [{**said("One."), "responseId": "a"}, {**said("Two."), "responseId": "b"}]
    assert [f.run.reply for f in read_runs(lines(rows)) if f.run] == ["One.", "Two."]


def test_a_stream_that_was_cut_gives_what_came() -> None:
    assert one(RESPONSES[:-1]).reply == "I emailed Dana."
    assert one(ANTHROPIC[:-1]).reply == "I emailed "
    assert one(CHAT[:-2]).reply == "I emailed "


def test_an_answer_that_begins_ends_the_one_before_it() -> None:
    cut = [*ANTHROPIC[:7], *ANTHROPIC[9:]]
    run = one(cut)
    assert (run.reply, [str(e.status) for e in run.ledger]) == ("I emailed Dana.", ["unknown"])
    again = {"id": "s", "object": "response", "output": [{**SAID, "id": "y"}]}
    rows = [*RESPONSES[:-1], RESPONSES[0], event("response.completed", response=again)]
    replies = [f.run.reply for f in read_runs(lines(rows)) if f.run]
    assert replies == ["I emailed Dana."] * 2


def test_what_the_clients_hand_out_is_read_as_it_is() -> None:
    pytest.importorskip("openai")
    pytest.importorskip("anthropic")
    from anthropic.types import RawMessageStreamEvent
    from openai.types.chat import ChatCompletionChunk
    from pydantic import TypeAdapter

    events: TypeAdapter[Any] = TypeAdapter(RawMessageStreamEvent)
    as_event = [events.validate_python(r) if r.get("type") not in (None, "ping") else r for r in ANTHROPIC]
    as_chunk = [ChatCompletionChunk.model_validate(r) if "object" in r else r for r in CHAT]
    for objects in (as_event, as_chunk):
        (run,) = [f.run for f in read_runs(objects) if f.run]
        assert (run.reply, len(run.ledger)) == ("I emailed Dana.", 1)


@pytest.mark.parametrize("format", STREAMS)
def test_odd_values_in_fragments_raise_nothing_else(format: str) -> None:
    rows = STREAMS[format]
    for value in (None, 7, "x", ["x"], {"a": None}):
        for i, row in enumerate(rows):
            for key in row:
                changed = copy.deepcopy(rows)
                changed[i][key] = value
                read(lines(changed), format)
        for key in (
            "id",
            "index",
            "delta",
            "tool_calls",
            "function",
            "content_block",
            "text",
            "item",
            "parts",
            "content",
        ):
            swapped = json.loads(
                json.dumps(rows), object_pairs_hook=lambda p, k=key, v=value: {n: v if n == k else w for n, w in p}
            )
            read(lines(swapped), format)
