"""Pydantic AI as it is, with its own function and test models."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

pytest.importorskip("pydantic_ai")

from pydantic import BaseModel
from pydantic_ai import Agent, ModelRetry
from pydantic_ai.exceptions import UnexpectedModelBehavior
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ToolCallPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel

from claimx.errors import UnsupportedClaimError
from claimx.integrations.pydantic_ai import check_result, make_output_validator, run_of_messages, tools_of
from claimx.types import Receipt

from . import desk
from .desk import FALSE, TRUE, WRONG

pytestmark = [pytest.mark.model, pytest.mark.integration]

REFUND = ToolCallPart("issue_refund", {"order_id": "HB-20417", "amount": 64.0}, tool_call_id="call_1")


def send_email(to: str, subject: str) -> str:
    """Send an e-mail."""
    raise ModelRetry("SMTP connection refused")


def agent_of(*said: Any, **options: Any) -> Agent[None, Any]:
    """An agent that says one thing after another, the last one for ever."""
    steps = [s if isinstance(s, list) else [TextPart(s)] for s in said]

    def model(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        done = sum(isinstance(m, ModelResponse) for m in messages)
        return ModelResponse(parts=steps[min(done, len(steps) - 1)])

    return Agent(FunctionModel(model), tools=[desk.issue_refund, send_email, desk.get_order], **options)


def run(agent: Agent[None, Any], prompt: str) -> Any:
    return asyncio.run(agent.run(prompt))


@pytest.mark.parametrize(("reply", "verdict"), [(TRUE, "ok"), (FALSE, "fabricated"), (WRONG, "misquoted")])
def test_a_finished_run_is_held_against_its_messages(checker: Any, reply: str, verdict: str) -> None:
    agent = agent_of([REFUND], reply)
    result = run(agent, "Refund order HB-20417")
    assert check_result(result, tools=tools_of(agent), checker=checker).verdict == verdict


def test_the_tools_of_an_agent_are_known() -> None:
    found = {t.name: t.description for t in tools_of(agent_of("Hi"))}
    assert found == {
        "issue_refund": "Refund an order.",
        "send_email": "Send an e-mail.",
        "get_order": "Look an order up.",
    }


def test_the_validator_has_the_model_write_again(checker: Any) -> None:
    seen: list[Receipt] = []
    agent = agent_of([REFUND], FALSE, TRUE)
    agent.output_validator(make_output_validator(checker=checker, seen=seen.append))
    result = run(agent, "Refund order HB-20417")
    assert result.output == TRUE
    assert [r.verdict for r in seen] == ["fabricated", "ok"]
    told = [p for m in result.all_messages() for p in m.parts if "does not support" in str(getattr(p, "content", ""))]
    assert "send_email" in str(told[0].content)


def test_a_model_that_insists_is_refused(checker: Any) -> None:
    agent = agent_of([REFUND], FALSE)
    agent.output_validator(make_output_validator(checker=checker))
    with pytest.raises((UnsupportedClaimError, UnexpectedModelBehavior)):
        run(agent, "Refund order HB-20417")


def test_blocking_raises_at_once_and_annotating_adds_a_note(checker: Any) -> None:
    agent = agent_of([REFUND], FALSE, TRUE)
    agent.output_validator(make_output_validator("block", checker=checker))
    with pytest.raises(UnsupportedClaimError, match="never ran") as e:
        run(agent, "Refund order HB-20417")
    assert e.value.receipt.verdict == "fabricated"
    agent = agent_of([REFUND], FALSE)
    agent.output_validator(make_output_validator("annotate", checker=checker))
    assert run(agent, "Refund order HB-20417").output.endswith("(never ran)]")


def test_a_tool_that_asked_for_a_retry_has_failed(checker: Any) -> None:
    mail = ToolCallPart("send_email", {"to": "dana@example.com", "subject": "Refund"}, tool_call_id="call_2")
    agent = agent_of([mail], "I've sent a confirmation email to dana@example.com.")
    result = run(agent, "Mail me")
    read = run_of_messages(result.all_messages(), result.output, tools=tools_of(agent))
    assert [(e.tool, e.status) for e in read.ledger] == [("send_email", "error")]
    assert "SMTP connection refused" in str(read.ledger[0].error)
    assert [c.status for c in checker.check(read).claims] == ["tool_failed"]


def test_structured_outputs_are_read_and_handing_them_over_is_no_call(checker: Any) -> None:
    class Answer(BaseModel):
        message: str
        confidence: float

    final = ToolCallPart("final_result", {"message": FALSE, "confidence": 0.9}, tool_call_id="call_5")
    seen: list[Receipt] = []
    agent = agent_of([REFUND], [final], output_type=Answer)
    agent.output_validator(make_output_validator("block", checker=checker, seen=seen.append))
    with pytest.raises(UnsupportedClaimError):
        run(agent, "Refund order HB-20417")
    picked = agent_of([REFUND], [final], output_type=Answer)
    picked.output_validator(make_output_validator("block", checker=checker, text=lambda a: "Hello.", seen=seen.append))
    assert run(picked, "Refund order HB-20417").output.confidence == 0.9
    assert [r.verdict for r in seen] == ["fabricated", "ok"]


def test_partial_outputs_of_a_stream_are_left_alone(checker: Any) -> None:
    seen: list[Receipt] = []
    agent = Agent(TestModel(custom_output_text=FALSE), tools=[desk.get_order])
    agent.output_validator(make_output_validator("annotate", checker=checker, seen=seen.append))

    async def story() -> str:
        async with agent.run_stream("Hello") as stream:
            return [t async for t in stream.stream_output()][-1]

    assert FALSE in asyncio.run(story())
    assert len(seen) <= 2
