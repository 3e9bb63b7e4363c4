"""The Vercel AI SDK's messages among the others: recognised, read from a file, every version's way to tell a call."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from claimx.adapters import detect, read_runs
from claimx.types import Run

#: What the npm package `ai` 6 wrote (record.mjs beside it).
RECORDED = Path(__file__).parent.parent / "integrations" / "vercel"


def runs_of(source: Any, turns: Any = "all") -> list[Run]:
    found = list(read_runs(source, turns=turns))
    assert [str(f.error) for f in found if f.error and not f.is_note] == []
    return [f.run for f in found if f.run]


@pytest.mark.parametrize("name", ["model-messages", "ui-messages"])
def test_both_kinds_are_recognised_and_read_alike(name: str) -> None:
    path = RECORDED / f"{name}.json"
    assert detect(path).format == "vercel"
    first, last = runs_of(path)
    assert (first.reply, first.ledger) == ("I will refund it.", ())
    assert last.user == "Refund order HB-20417 and mail me"
    assert [(e.tool, str(e.status), e.error) for e in last.ledger] == [
        ("issueRefund", "success", None),
        ("sendEmail", "error", "SMTP connection refused"),
    ]
    assert last.ledger[0].args == {"orderId": "HB-20417", "amount": 64}


@pytest.mark.parametrize("name", ["model-messages", "ui-messages"])
def test_a_stored_chat_a_request_and_messages_one_a_line_are_read_the_same(name: str) -> None:
    messages = json.loads((RECORDED / f"{name}.json").read_text())
    (alone,) = runs_of(RECORDED / f"{name}.json", "last")
    for source in ({"id": "chat-1", "messages": messages}, {"body": {"messages": messages}}, iter(messages)):
        (run,) = runs_of(source, "last")
        assert (run.reply, run.ledger) == (alone.reply, alone.ledger)


def ui(*parts: dict[str, Any], **more: Any) -> list[dict[str, Any]]:
    return [{"id": "u", "role": "user", "parts": [{"type": "text", "text": "Pay"}]},
            {"id": "a", "role": "assistant", "parts": list(parts), **more}]  # fmt: skip


STEP, PAY = {"type": "step-start"}, {"type": "tool-pay", "toolCallId": "c", "state": "output-available", "output": 1}
PAID = {"type": "text", "text": "Paid."}


@pytest.mark.parametrize(
    ("messages", "ids"),
    [
        (ui(STEP, PAY, STEP, PAID), ["c"]),
        (ui(STEP, PAY, PAID), []),  # written in the step that asked for the call
        (ui(STEP, {**PAY, "providerExecuted": True}, PAID), ["c"]),
        (ui(PAY, PAID), ["c"]),  # nothing marks the steps
        ([{"role": "user", "content": "Pay"},
          {"role": "assistant", "content": "Paid.", "toolInvocations": [
              {"state": "result", "toolCallId": "c", "toolName": "pay", "args": {}, "result": 1}]}], ["c"]),
        (ui({"type": "tool-invocation", "toolInvocation": {"state": "result", "toolCallId": "c", "toolName": "pay", "args": {}, "result": 1}}, PAID), ["c"]),
    ],
)  # fmt: skip
def test_a_text_is_held_against_the_calls_whose_results_it_could_know(messages: Any, ids: list[str]) -> None:
    (run,) = runs_of(messages)
    assert [(e.id, e.tool, e.result) for e in run.ledger] == [(i, "pay", 1) for i in ids]


def test_texts_alone_are_read_as_what_they_are() -> None:
    (run,) = runs_of(ui(PAID))
    assert (run.reply, run.user) == ("Paid.", "Pay")


@pytest.mark.parametrize(
    "odd", [None, 7, "x", {}, {"type": None}, {"type": "tool-pay"}, {"type": "tool-result", "toolCallId": "z"}]
)
def test_odd_parts_cost_no_other(odd: Any) -> None:
    messages = ui(STEP, odd, PAY, STEP, PAID)
    (run,) = [f.run for f in read_runs(messages, "vercel") if f.run]
    assert "c" in [e.id for e in run.ledger]
