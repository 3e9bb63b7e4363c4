"""The OpenAI Agents SDK as it is, with its own scripted model."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

pytest.importorskip("agents")

from agents import Agent, OutputGuardrailTripwireTriggered, RunConfig, Runner, function_tool
from agents.testing import ScriptedModel, assistant_message, function_call
from pydantic import BaseModel

from claimx.integrations.openai_agents import AgentReceipts

from . import desk
from .desk import FALSE, MAIL_FAILED, TRUE, WRONG

pytestmark = [pytest.mark.model, pytest.mark.integration]

QUIET = RunConfig(tracing_disabled=True)
TOOLS = [function_tool(desk.issue_refund), function_tool(desk.send_email), function_tool(desk.get_order)]
REFUND = function_call("issue_refund", {"order_id": "HB-20417", "amount": 64.0}, call_id="call_1")
MAIL = function_call("send_email", {"to": "dana@example.com", "subject": "Refund"}, call_id="call_2")


def agent_of(*steps: Any, **options: Any) -> Agent[Any]:
    options.setdefault("tools", TOOLS)
    return Agent(name="desk", model=ScriptedModel(steps), **options)


def run(agent: Agent[Any], receipts: AgentReceipts) -> Any:
    return asyncio.run(Runner.run(agent, "Refund order HB-20417", hooks=receipts.hooks, run_config=QUIET))


@pytest.mark.parametrize(("reply", "verdict"), [(TRUE, "ok"), (FALSE, "fabricated"), (WRONG, "misquoted")])
def test_a_runs_output_is_held_against_what_its_tools_did(checker: Any, reply: str, verdict: str) -> None:
    receipts = AgentReceipts(checker=checker)
    result = run(agent_of([REFUND], [assistant_message(reply)]), receipts)
    assert receipts.check(result).verdict == verdict
    (entry,) = receipts.capture.ledger
    assert (entry.id, entry.status, entry.args) == ("call_1", "success", {"order_id": "HB-20417", "amount": 64.0})
    known = {t.name: t for t in receipts.capture.tools}
    assert known["send_email"].description == "Send an e-mail."
    assert known["send_email"].parameters is not None


def test_a_tool_that_raised_has_failed_though_the_model_gets_a_text(checker: Any) -> None:
    receipts = AgentReceipts(checker=checker)
    receipt = receipts.check(run(agent_of([MAIL], [assistant_message(MAIL_FAILED)]), receipts))
    assert [e.status for e in receipts.capture.ledger] == ["error"]
    assert [c.status for c in receipt.claims] == ["tool_failed"]


def test_a_tool_that_timed_out_is_a_timeout(checker: Any) -> None:
    @function_tool(timeout=0.05)
    async def wire_money(amount: float) -> str:
        """Wire money."""
        await asyncio.sleep(5)
        return "done"

    wire = function_call("wire_money", {"amount": 250.0}, call_id="call_9")
    receipts = AgentReceipts(checker=checker)
    result = run(
        agent_of([wire], [assistant_message("I've wired $250 to your account.")], tools=[wire_money]), receipts
    )
    assert [e.status for e in receipts.capture.ledger] == ["timeout"]
    assert receipts.check(result).verdict == "unverified"


def test_calls_made_at_once_end_each_as_it_did(checker: Any) -> None:
    receipts = AgentReceipts(checker=checker)
    again = function_call("issue_refund", {"order_id": "HB-1", "amount": 5.0}, call_id="call_3")
    run(agent_of([REFUND, MAIL, again], [assistant_message("Done.")]), receipts)
    found = {
        e.id: (e.status, (e.result or {}).get("order_id") if isinstance(e.result, dict) else None)
        for e in receipts.capture.ledger
    }
    assert found == {"call_1": ("success", "HB-20417"), "call_2": ("error", None), "call_3": ("success", "HB-1")}


def test_the_guardrail_trips_on_a_flagged_output_alone(checker: Any) -> None:
    receipts = AgentReceipts(checker=checker)
    agent = agent_of([REFUND], [assistant_message(FALSE)])
    guarded = receipts.guard(agent)
    assert agent.output_guardrails == []
    with pytest.raises(OutputGuardrailTripwireTriggered) as e:
        run(guarded, receipts)
    assert e.value.guardrail_result.output.output_info["verdict"] == "fabricated"
    receipts = AgentReceipts(checker=checker)
    result = run(receipts.guard(agent_of([REFUND], [assistant_message(TRUE)])), receipts)
    assert result.output_guardrail_results[0].output.output_info["ok"] is True


def test_a_streamed_run_is_captured_alike(checker: Any) -> None:
    async def story() -> Any:
        receipts = AgentReceipts(checker=checker)
        agent = agent_of([REFUND], [assistant_message(FALSE)])
        result = Runner.run_streamed(agent, "Refund it", hooks=receipts.hooks, run_config=QUIET)
        async for _ in result.stream_events():
            pass
        return receipts.check(result)

    assert asyncio.run(story()).verdict == "fabricated"


def test_the_agent_that_took_over_has_its_tools_known(checker: Any) -> None:
    receipts = AgentReceipts(checker=checker)
    billing = Agent(name="billing", model=ScriptedModel([[REFUND], [assistant_message(FALSE)]]), tools=TOOLS)
    handoff = function_call("transfer_to_billing", {}, call_id="call_0")
    first = agent_of([handoff], tools=[], handoffs=[billing])
    assert receipts.check(run(first, receipts)).verdict == "fabricated"


def test_the_text_fields_of_a_structured_output_are_its_reply(checker: Any) -> None:
    class Answer(BaseModel):
        message: str
        confidence: float

    receipts = AgentReceipts(checker=checker)
    text = Answer(message=FALSE, confidence=0.9).model_dump_json()
    result = run(agent_of([REFUND], [assistant_message(text)], output_type=Answer), receipts)
    assert receipts.check(result).verdict == "fabricated"


def test_calls_that_the_provider_ran_are_read_off_the_items(checker: Any) -> None:
    class Raw:
        def __init__(self, **fields: Any) -> None:
            self.__dict__.update(fields)

        def model_dump(self, mode: str) -> dict[str, Any]:
            return dict(self.__dict__)

    class Item:
        type = "tool_call_item"
        raw_item = Raw(type="web_search_call", id="ws_1", status="completed", action={"query": "order HB-20417"})

    class Result:
        new_items = (Item(), Item())
        final_output = "I searched the web for your order."
        input = "Find my order"

    receipts = AgentReceipts(checker=checker)
    receipts.check(Result())
    assert [(e.tool, e.status, e.args) for e in receipts.capture.ledger] == [
        ("web_search", "success", {"query": "order HB-20417"})
    ]
