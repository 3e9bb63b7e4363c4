"""The guard around dispatchers and tools, synchronous and asynchronous."""

from __future__ import annotations

import asyncio
import functools
import importlib
import sys
from pathlib import Path
from typing import Any

import pytest

from claimx.errors import GuardError
from claimx.guard import Guard, wrap, wrap_tool

sys.path.insert(0, str(Path(__file__).parent))
desk = importlib.import_module("desk")
sys.path.pop(0)


class Desk:
    """A dispatcher that keeps what it ran."""

    def __init__(self) -> None:
        self.ran: list[tuple[str, Any, dict[str, Any]]] = []

    def __call__(self, name: str, args: Any, **named: Any) -> Any:
        self.ran.append((name, args, named))
        return desk.ORDER if name == "get_order" else {"ok": True}


class AsyncDesk(Desk):
    async def __call__(self, name: str, args: Any, **named: Any) -> Any:  # type: ignore[override]
        await asyncio.sleep(0)
        return super().__call__(name, args, **named)


def test_a_dispatcher_runs_what_the_run_saw_and_answers_what_it_did_not() -> None:
    inner = Desk()
    dispatch = wrap(Guard(desk.TOOLS).run(), inner)
    assert dispatch("issue_refund", desk.GOOD, call_id="t0")["code"] == "unknown_id"
    assert dispatch("get_order", {"order_id": "SU-88421"}, call_id="t1") is desk.ORDER
    assert dispatch("issue_refund", desk.GOOD, call_id="t2") == {"ok": True}
    refused = dispatch("issue_refund", {**desk.GOOD, "order_id": "SU-88412"}, tool_call_id="t3")
    assert (refused["tool_use_id"], refused["code"], refused["is_error"]) == ("t3", "unknown_id", True)
    assert "seen at t1.result.order_id" in refused["message"]
    assert [(n, k) for n, _, k in inner.ran] == [("get_order", {"call_id": "t1"}), ("issue_refund", {"call_id": "t2"})]


def test_an_asynchronous_dispatcher_likewise() -> None:
    inner = AsyncDesk()
    dispatch = wrap(Guard(desk.TOOLS).run(user="SU-88421"), inner)

    async def main() -> list[Any]:
        await dispatch("get_order", {"order_id": "SU-88421"})
        return [await dispatch("issue_refund", desk.GOOD), await dispatch("cancel_order", {})]

    done, refused = asyncio.run(main())
    assert done == {"ok": True}
    assert refused["code"] == "unknown_tool"
    assert [n for n, _, _ in inner.ran] == ["get_order", "issue_refund"]


def test_a_refusal_may_be_raised_instead() -> None:
    dispatch = wrap(Guard(desk.TOOLS).run(), Desk(), raises=True)
    with pytest.raises(GuardError, match="No tool named cancel_order") as e:
        dispatch("cancel_order", {})
    assert e.value.error["code"] == "unknown_tool"


def test_a_guard_that_does_not_enforce_lets_the_call_run_and_tells() -> None:
    told, inner = [], Desk()
    guard = Guard(desk.TOOLS, enforce=False, on_decision=told.append)
    assert wrap(guard.run(), inner)("issue_refund", desk.GOOD) == {"ok": True}
    assert [d.allowed for d in told] == [False]
    assert len(inner.ran) == 1


def test_an_exception_of_the_tool_goes_through_and_proves_nothing() -> None:
    def dispatch(name: str, args: Any) -> Any:
        raise RuntimeError("SU-88421 is locked")

    run = Guard(desk.TOOLS).run()
    with pytest.raises(RuntimeError, match="locked"):
        wrap(run, dispatch)("get_order", {"order_id": "SU-88421"})
    assert not run.check("issue_refund", desk.GOOD).allowed


def test_a_tool_that_is_called_with_its_own_arguments() -> None:
    ran = []

    def get_order(order_id: str) -> Any:
        return desk.ORDER

    def issue_refund(order_id: str, amount_cents: int, **more: Any) -> str:
        ran.append((order_id, amount_cents))
        return "done"

    run = Guard(desk.TOOLS).run()
    refund = wrap_tool(run, issue_refund)
    assert refund("SU-88421", amount_cents=6400)["code"] == "unknown_id"
    wrap_tool(run, get_order)("SU-88421")
    assert refund("SU-88421", 6400) == "done"
    assert refund("SU-88421", 6400, speed="now")["code"] == "unknown_parameter"
    assert refund.__name__ == "issue_refund"
    assert ran == [("SU-88421", 6400)]


def test_an_asynchronous_tool_likewise() -> None:
    async def send_email(to: str, subject: str = "", body: str = "") -> str:
        return "sent"

    run = Guard(desk.TOOLS).run(user="mail me at ann@example.com")
    send = wrap_tool(run, send_email)
    assert asyncio.run(send("ann@example.com")) == "sent"
    assert asyncio.run(send("bob@example.com"))["code"] == "unknown_contact"
    assert asyncio.run(send("ann@example.com", bcc="x@example.com"))["code"] == "unknown_parameter"


def test_a_partial_is_as_asynchronous_as_what_it_wraps() -> None:
    inner = AsyncDesk()
    dispatch = wrap(Guard(desk.TOOLS).run(), functools.partial(inner.__call__))
    assert asyncio.run(dispatch("get_order", {}))["order_id"] == "SU-88421"


def test_what_a_dispatcher_returns_is_not_touched() -> None:
    class Odd:
        def to_dict(self) -> int:
            return 3

    odd = Odd()
    assert wrap(Guard().run(), lambda name, args: odd)("get_thing", {}) is odd
