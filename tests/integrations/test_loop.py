"""A plain loop over functions."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any

import pytest

from claimx.errors import InputError
from claimx.integrations.loop import ToolBox

from .desk import FALSE, MAIL_FAILED, TRUE, WRONG, get_order, issue_refund, send_email

pytestmark = pytest.mark.model


def box(checker: Any) -> ToolBox:
    out = ToolBox([issue_refund, send_email, get_order], checker=checker)
    out.call("issue_refund", {"order_id": "HB-20417", "amount": 64.0}, id="c1")
    return out


@pytest.mark.parametrize(("reply", "verdict"), [(TRUE, "ok"), (FALSE, "fabricated"), (WRONG, "misquoted")])
def test_replies_are_held_against_the_calls(checker: Any, reply: str, verdict: str) -> None:
    assert box(checker).check(reply).verdict == verdict


def test_what_a_tool_raises_is_noted_and_raised(checker: Any) -> None:
    b = box(checker)
    with pytest.raises(ConnectionError, match="refused"):
        b.call("send_email", {"to": "dana@example.com", "subject": "Refund"})
    assert b.capture.ledger[1].error == "ConnectionError: SMTP connection refused"
    (claim,) = b.check(MAIL_FAILED).claims
    assert claim.status == "tool_failed"


def test_an_unknown_tool_is_named(checker: Any) -> None:
    with pytest.raises(
        InputError, match="no tool named 'cancel_order'; there are: get_order, issue_refund, send_email"
    ):
        box(checker).call("cancel_order")


def test_wrapped_tools_keep_their_signature_and_note_arguments_by_name(checker: Any) -> None:
    def ship(order_id: str, /, *items: str, express: bool = False, **more: Any) -> str:
        return "shipped"

    b = ToolBox({"ship_order": ship}, checker=checker)
    wrapped = b.wrapped("ship_order")
    assert inspect.signature(wrapped) == inspect.signature(ship)
    assert wrapped("HB-1", "mug", "lamp", express=True, note="x") == "shipped"
    assert b.capture.ledger[0].args == {
        "order_id": "HB-1", "items": ["mug", "lamp"], "express": True, "more": {"note": "x"},
    }  # fmt: skip
    b2 = ToolBox({"issue_refund": issue_refund}, checker=checker)
    assert b2.wrapped("issue_refund")("HB-1", amount=5)["amount"] == 5
    assert b2.capture.ledger[0].args == {"order_id": "HB-1", "amount": 5}


def test_asynchronous_tools_end_when_they_are_awaited(checker: Any) -> None:
    async def wire(amount: float) -> str:
        await asyncio.sleep(0)
        if amount < 0:
            raise ValueError("negative")
        return "done"

    async def story() -> ToolBox:
        b = ToolBox([wire], checker=checker)
        assert await b.acall("wire", {"amount": 5}) == "done"
        with pytest.raises(ValueError, match="negative"):
            await b.wrapped("wire")(-5)
        task = asyncio.create_task(b.acall("wire", {"amount": 7}))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await b.acheck("Hi.")).ok
        return b

    assert [e.status for e in asyncio.run(story()).capture.ledger] == ["success", "error", "unknown"]
