"""The Vercel AI SDK's messages, as the npm package `ai` 6 wrote them with its own mock model (vercel/record.mjs)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from claimx.errors import InputError
from claimx.integrations.vercel import runs_of_messages

FOLDER = Path(__file__).parent / "vercel"


@pytest.mark.parametrize("name", ["model-messages", "ui-messages"])
def test_both_kinds_of_messages_give_the_same_runs(name: str) -> None:
    first, last = runs_of_messages(json.loads((FOLDER / f"{name}.json").read_text()), tools=["cancelOrder"])
    assert (first.reply, first.ledger) == ("I will refund it.", ())
    assert last.user == "Refund order HB-20417 and mail me"
    refund, mail = last.ledger
    assert (refund.tool, refund.status, refund.args) == (
        "issueRefund",
        "success",
        {"orderId": "HB-20417", "amount": 64},
    )
    assert refund.result == {"orderId": "HB-20417", "amount": 64, "status": "succeeded"}
    assert (mail.tool, mail.status, mail.error) == ("sendEmail", "error", "SMTP connection refused")
    assert [t.name for t in last.tools] == ["cancelOrder"]


@pytest.mark.model
def test_the_reply_is_held_against_them(checker: Any) -> None:
    *_, last = runs_of_messages(json.loads((FOLDER / "ui-messages.json").read_text()))
    assert sorted(c.status for c in checker.check(last).claims) == ["confirmed", "tool_failed"]


@pytest.mark.parametrize(
    ("part", "status", "result"),
    [
        ({"type": "tool-pay", "state": "input-available", "input": {}}, "unknown", None),
        ({"type": "tool-pay", "state": "output-available", "output": 1}, "success", 1),
        ({"type": "tool-pay", "state": "output-available", "output": 1, "preliminary": True}, "unknown", 1),
        ({"type": "tool-pay", "state": "output-denied"}, "error", None),
        ({"type": "dynamic-tool", "toolName": "pay", "state": "output-error", "errorText": "no"}, "error", "no"),
        ({"type": "tool-call", "toolName": "pay", "input": {}}, "unknown", None),
        (
            {"type": "tool-result", "toolName": "pay", "output": {"type": "error-json", "value": {"a": 1}}},
            "error",
            {"a": 1},
        ),
        ({"type": "tool-result", "toolName": "pay", "output": {"type": "text", "value": "ok"}}, "success", "ok"),
    ],
)
def test_the_state_of_a_part_is_its_calls_status(part: dict[str, Any], status: str, result: Any) -> None:
    messages = [
        {"role": "assistant", "content": [{"toolCallId": "x", **part}]},
        {"role": "assistant", "content": "Done."},
    ]
    (run,) = runs_of_messages(messages)
    (entry,) = run.ledger
    assert (entry.tool, entry.status, entry.result) == ("pay", status, result)


@pytest.mark.parametrize("message", [{"content": "x"}, "x", {"role": "assistant"}, {"role": "assistant", "content": 7}])
def test_what_is_no_message_is_named(message: Any) -> None:
    with pytest.raises(InputError, match="message 2: "):
        runs_of_messages([{"role": "user", "content": "x"}, message])
