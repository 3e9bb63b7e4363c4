"""What newer versions of the APIs, and other servers in their shape, write otherwise: no call of theirs is lost."""

from __future__ import annotations

from typing import Any

import pytest

from claimx.adapters import read_runs
from claimx.types import CallStatus, Run

ARGS = {"order_id": "HB-20417", "amount": 64}
TEXT = '{"order_id": "HB-20417", "amount": 64}'
SAID = "I've refunded $64 for order HB-20417."
USER = {"role": "user", "content": "Refund it."}
SIGNED = {"functionCall": {"name": "issue_refund", "args": ARGS}}
GEMINI_BACK = {"functionResponse": {"name": "issue_refund", "response": {"ok": True}}}
ITEM = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": SAID}]}
CHAT = {"role": "assistant", "content": SAID}


def chunk(id: str = "c1", **delta: Any) -> dict[str, Any]:
    return {"object": "chat.completion.chunk", "id": id, "choices": [{"index": 0, "delta": delta}]}


def piece(**fields: Any) -> dict[str, Any]:
    return chunk(tool_calls=[fields])


def gemini(*extra: Any, back: Any = GEMINI_BACK) -> list[Any]:
    return [
        {"role": "user", "parts": [{"text": "Refund it."}]},
        {"role": "model", "parts": [SIGNED, *extra]},
        *({"role": "user", "parts": [b]} for b in (back if isinstance(back, list) else [back])),
        {"role": "model", "parts": [{"text": SAID}, *extra]},
    ]


def last(messages: Any) -> Run:
    return [f.run for f in read_runs([messages]) if f.run][-1]


BACK = {"role": "tool", "tool_call_id": "a", "content": "ok"}
HEAD = {"id": "a", "function": {"name": "issue_refund", "arguments": TEXT}}
MAIL = {"id": "b", "function": {"name": "send_email", "arguments": '{"to": "d@e.f"}'}}
MAIL_BACK = {"role": "tool", "tool_call_id": "b", "content": "sent"}

ONE_REFUND = {
    "gemini: a signature's own part": gemini({"thoughtSignature": "abc"}),
    "gemini: an empty part": gemini({}),
    "gemini: a part of a kind to come": gemini({"newPart": {"x": 1}}),
    "gemini: a word in between": gemini(
        back=[
            {"functionResponse": {"name": "issue_refund", "willContinue": True, "response": {"status": "pending"}}},
            GEMINI_BACK,
        ]
    ),
    "responses: a kind of call to come": [
        {"type": "hosted_call", "call_id": "a", "name": "issue_refund", "arguments": TEXT},
        {"type": "hosted_call_output", "call_id": "a", "output": '{"ok": true}'},
        ITEM,
    ],
    "responses: a kind that holds its result": [
        {"type": "issue_refund_call", "id": "a", "status": "completed", "input": ARGS, "output": "ok"},
        ITEM,
    ],
    "anthropic: a kind of call to come": [
        USER,
        {"role": "assistant", "content": [{"type": "hosted_tool_use", "id": "a", "name": "issue_refund", "input": ARGS}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "ok"}]},
        {"role": "assistant", "content": [{"type": "text", "text": SAID}]},
    ],
    "langchain: a call of an MCP server": [
        {"type": "human", "content": "Refund it."},
        {
            "type": "ai",
            "content": [
                {"type": "mcp_call", "id": "a", "name": "issue_refund", "arguments": TEXT, "output": "ok"},
                {"type": "text", "text": SAID},
            ],
        },
    ],
    "langchain: an output kept beside": [
        {"type": "human", "content": "Refund it."},
        {
            "type": "ai",
            "content": SAID,
            "additional_kwargs": {
                "tool_outputs": [{"type": "mcp_call", "id": "a", "name": "issue_refund", "arguments": TEXT, "output": "ok"}]
            },
        },
    ],
    "langchain: a call among the blocks only": [
        {"type": "ai", "content": [{"type": "tool_call", "id": "a", "name": "issue_refund", "args": ARGS}]},
        {"type": "tool", "tool_call_id": "a", "content": "ok"},
        {"type": "ai", "content": SAID},
    ],
    "langchain: a call among the blocks and beside": [
        {
            "type": "ai",
            "content": [{"type": "function_call", "call_id": "a", "id": "fc", "name": "issue_refund", "arguments": TEXT}],
            "tool_calls": [{"id": "a", "name": "issue_refund", "args": ARGS}],
        },
        {"type": "tool", "tool_call_id": "a", "content": "ok"},
        {"type": "ai", "content": SAID},
    ],
    "langchain: chunks": [
        {
            "type": "AIMessageChunk",
            "id": "1",
            "content": "",
            "tool_calls": [{"id": "a", "name": "issue_refund", "args": {}}],
            "tool_call_chunks": [{"index": 0, "id": "a", "name": "issue_refund", "args": TEXT[:9]}],
        },
        {
            "type": "AIMessageChunk",
            "id": "1",
            "content": "",
            "tool_call_chunks": [{"index": 0, "id": None, "name": None, "args": TEXT[9:]}],
        },
        {"type": "tool", "tool_call_id": "a", "content": "ok"},
        {"type": "AIMessageChunk", "id": "2", "content": SAID[:9]},
        {"type": "AIMessageChunk", "id": "2", "content": SAID[9:]},
    ],
    "chunks: a name told each time": [
        USER,
        piece(index=0, id="a", function={"name": "issue_refund", "arguments": TEXT[:9]}),
        piece(index=0, id="a", function={"name": "issue_refund", "arguments": TEXT[9:]}),
        BACK,
        chunk("c2", content=SAID),
    ],
    "chunks: a legacy call": [
        USER,
        chunk(function_call={"name": "issue_refund", "arguments": ""}),
        chunk(function_call={"arguments": TEXT}),
        {"role": "function", "name": "issue_refund", "content": "ok"},
        chunk("c2", content=SAID),
    ],
    "an id of an earlier call that never ended": [
        USER,
        {"role": "assistant", "content": None, "tool_calls": [{"id": "a", "function": {"name": "get", "arguments": "{}"}}]},
        {"role": "user", "content": "Never mind."},
        {"role": "assistant", "content": None, "tool_calls": [HEAD]},
        BACK,
        CHAT,
    ],
}  # fmt: skip


@pytest.mark.parametrize("messages", ONE_REFUND.values(), ids=ONE_REFUND)
def test_the_call_and_its_result_are_read(messages: list[Any]) -> None:
    run = last(messages)
    assert run.reply == SAID
    assert [(e.args, e.status) for e in run.ledger if e.tool == "issue_refund"] == [(ARGS, CallStatus.SUCCESS)]
    assert "pending" not in str(run.ledger)


TWO = {
    "chunks without an index": [USER, piece(**HEAD), piece(**MAIL), BACK, MAIL_BACK, chunk("c2", content=SAID)],
    "chunks that all count as 0": [
        USER, piece(index=0, **HEAD), piece(index=0, **MAIL), BACK, MAIL_BACK, chunk("c2", content=SAID),
    ],
    "results by the tool's name, in another order": [
        USER,
        {"role": "assistant", "content": "", "tool_calls": [{"function": c["function"]} for c in (HEAD, MAIL)]},
        {"role": "tool", "tool_name": "send_email", "content": "sent"},
        {"role": "tool", "tool_name": "issue_refund", "content": "ok"},
        CHAT,
    ],
}  # fmt: skip


@pytest.mark.parametrize("messages", TWO.values(), ids=TWO)
def test_calls_made_together_are_told_apart(messages: list[Any]) -> None:
    assert [(e.tool, e.result) for e in last(messages).ledger] == [("issue_refund", "ok"), ("send_email", "sent")]


def test_a_custom_call_in_chunks_keeps_its_text() -> None:
    chunks = [
        piece(index=0, id="a", type="custom", custom={"name": "run_sql", "input": "SELECT"}),
        piece(index=0, custom={"input": " 1"}),
    ]
    run = last([USER, *chunks, BACK, chunk("c2", content="It is 1.")])
    assert [(e.tool, e.args, e.result) for e in run.ledger] == [("run_sql", {"input": "SELECT 1"}, "ok")]


def test_code_that_gemini_ran_for_langchain_is_a_call() -> None:
    blocks = [
        {"type": "executable_code", "executable_code": "1/0", "language": "PYTHON"},
        {"type": "code_execution_result", "code_execution_result": "ZeroDivisionError", "outcome": 2},
        {"type": "text", "text": "It failed."},
    ]
    (entry,) = last([{"type": "human", "content": "Run it."}, {"type": "ai", "content": blocks}]).ledger
    assert (entry.tool, entry.result, entry.status) == ("code_execution", "ZeroDivisionError", CallStatus.ERROR)


def test_how_a_call_ended_that_was_broken_off_is_not_known() -> None:
    call = {"type": "function_call", "call_id": "a", "name": "issue_refund", "arguments": TEXT}
    back = {"type": "function_call_output", "call_id": "a", "status": "incomplete", "output": ""}
    assert last([call, back, ITEM]).ledger[0].status is CallStatus.UNKNOWN


def test_a_response_cut_within_its_text_gives_what_came() -> None:
    events = [
        {"type": "response.created", "response": {"id": "r", "output": []}},
        {"type": "response.output_text.delta", "item_id": "m", "delta": "I've refunded "},
        {"type": "response.output_text.delta", "item_id": "m", "delta": "$64"},
    ]
    assert last(events).reply == "I've refunded $64"


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("<think>I've cancelled it.</think>\n\nShall I?", "Shall I?"),
        ("Write <think>x</think> in front.", "Write <think>x</think> in front."),
        ("<think>no end", "<think>no end"),
    ],
)
def test_thoughts_in_front_of_a_text_are_none_of_it(said: str, told: str) -> None:
    assert last([USER, {"role": "assistant", "content": said}]).reply == told
