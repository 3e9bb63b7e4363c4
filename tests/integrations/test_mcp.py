"""MCP as it is: a client of an in-memory server."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

pytest.importorskip("mcp")

from mcp import Client
from mcp.server.mcpserver import MCPServer

from claimx.integrations.mcp import RecordedSession, outcome_of

from . import desk
from .desk import FALSE, MAIL_FAILED, TRUE, WRONG

pytestmark = [pytest.mark.model, pytest.mark.integration]


def server() -> MCPServer:
    out = MCPServer("desk")
    for function in (desk.issue_refund, desk.send_email, desk.get_order):
        out.tool()(function)
    return out


REFUND = {"order_id": "HB-20417", "amount": 64.0}


@pytest.mark.parametrize(("reply", "verdict"), [(TRUE, "ok"), (FALSE, "fabricated"), (WRONG, "misquoted")])
@pytest.mark.parametrize("inner", [False, True], ids=["client", "session"])
def test_replies_are_held_against_the_calls_of_a_session(checker: Any, reply: str, verdict: str, inner: bool) -> None:
    async def story() -> str:
        async with Client(server()) as client:
            session = RecordedSession(client.session if inner else client, checker=checker)
            result = await session.call_tool("issue_refund", REFUND)
            assert result.structured_content["status"] == "succeeded"
            receipt = await session.check(reply)
            assert {t.name for t in session.claimx.tools} == {"issue_refund", "send_email", "get_order"}
            assert session.claimx.tools[0].parameters is not None or receipt
            return str(receipt.verdict)

    assert asyncio.run(story()) == verdict


def test_a_tool_that_raised_on_the_server_has_failed(checker: Any) -> None:
    async def story() -> Any:
        async with Client(server()) as client:
            session = RecordedSession(client, checker=checker)
            await session.list_tools()
            await session.call_tool("send_email", {"to": "dana@example.com", "subject": "Refund"})
            assert session.claimx.ledger[0].status == "error"
            return await session.check(MAIL_FAILED)

    (claim,) = asyncio.run(story()).claims
    assert claim.status == "tool_failed"


def test_a_call_that_is_cut_off_is_noted_and_raised(checker: Any) -> None:
    hang = MCPServer("slow")

    @hang.tool()
    async def wire_money(amount: float) -> str:
        """Wire money."""
        await asyncio.sleep(60)
        return "done"

    async def story() -> RecordedSession:
        async with Client(hang) as client:
            session = RecordedSession(client, checker=checker)
            with pytest.raises(TimeoutError):
                async with asyncio.timeout(0.2):
                    await session.call_tool("wire_money", {"amount": 5.0})
            return session

    assert [e.status for e in asyncio.run(story()).claimx.ledger] == ["unknown"]


def test_sessions_share_a_ledger_and_everything_else_is_the_sessions_own(checker: Any) -> None:
    async def story() -> None:
        async with Client(server()) as one, Client(server()) as two:
            first = RecordedSession(one, checker=checker)
            second = RecordedSession(two, capture=first.claimx)
            await first.call_tool("get_order", {"order_id": "HB-20417"})
            await second.call_tool("issue_refund", REFUND)
            assert [e.tool for e in first.claimx.ledger] == ["get_order", "issue_refund"]
            assert first.protocol_version == one.protocol_version

    asyncio.run(story())


def test_results_of_older_clients_are_read_too() -> None:
    class Block:
        text = "sold out"

    class Old:
        isError = True
        structuredContent = None
        content = (Block(),)

    old = Old()
    old.content = [Block()]  # type: ignore[assignment]
    assert outcome_of(old) == ("sold out", "error")
