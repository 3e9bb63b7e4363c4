"""CrewAI as it is, with a model that says what it is told to.

CrewAI's install is a gigabyte and holds other packages back, so it is no part of the test extra; with it installed:
`pytest -m integration tests/integrations/test_crewai.py`.
"""

from __future__ import annotations

import os
from typing import Any

import pytest

os.environ.setdefault("CREWAI_DISABLE_TELEMETRY", "true")
pytest.importorskip("crewai")

from crewai import Agent, BaseLLM, Crew, Task
from crewai.hooks import get_after_tool_call_hooks
from crewai.tools import tool

from claimx.integrations.crewai import CrewReceipts

from . import desk
from .desk import FALSE, MAIL_FAILED, TRUE, WRONG

pytestmark = [pytest.mark.model, pytest.mark.integration, pytest.mark.filterwarnings("ignore")]

issue_refund, send_email = tool("issue_refund")(desk.issue_refund), tool("send_email")(desk.send_email)
REFUND = 'Thought: refund\nAction: issue_refund\nAction Input: {"order_id": "HB-20417", "amount": 64.0}'
MAIL = 'Thought: mail\nAction: send_email\nAction Input: {"to": "dana@example.com", "subject": "Refund"}'


class Scripted(BaseLLM):
    """Says one thing after another, the last one for ever."""

    said: list[str]
    count: int = 0

    def call(self, messages: Any, *args: Any, **kwargs: Any) -> str:
        self.count += 1
        return self.said[min(self.count, len(self.said)) - 1]

    def supports_function_calling(self) -> bool:
        return False

    def supports_stop_words(self) -> bool:
        return False


def final(reply: str) -> str:
    return f"Thought: I now know the final answer\nFinal Answer: {reply}"


def crew_of(*said: str, guardrail: Any = None) -> Crew:
    llm = Scripted(model="scripted", said=list(said))
    agent = Agent(role="desk", goal="help", backstory="a desk", llm=llm, tools=[issue_refund, send_email])
    task = Task(description="Refund order HB-20417", expected_output="a reply", agent=agent, guardrail=guardrail)
    return Crew(agents=[agent], tasks=[task], verbose=False)


def kickoff(receipts: CrewReceipts, *said: str, guardrail: Any = None) -> Any:
    crew = crew_of(*said, guardrail=guardrail)
    with receipts.watch(crew):
        return crew.kickoff()


@pytest.mark.parametrize(("reply", "verdict"), [(TRUE, "ok"), (FALSE, "fabricated"), (WRONG, "misquoted")])
def test_a_crews_output_is_held_against_what_its_tools_did(checker: Any, reply: str, verdict: str) -> None:
    receipts = CrewReceipts(checker=checker)
    result = kickoff(receipts, REFUND, final(reply))
    assert receipts.check(result).verdict == verdict
    (entry,) = receipts.capture.ledger
    assert (entry.tool, entry.status, entry.args) == (
        "issue_refund",
        "success",
        {"order_id": "HB-20417", "amount": 64.0},
    )
    assert {t.name for t in receipts.capture.tools} >= {"issue_refund", "send_email"}
    assert get_after_tool_call_hooks() == []


def test_a_tool_that_raised_has_failed(checker: Any) -> None:
    receipts = CrewReceipts(checker=checker)
    receipt = receipts.check(kickoff(receipts, MAIL, final(MAIL_FAILED)))
    assert {e.status for e in receipts.capture.ledger} == {"error"}
    assert [c.status for c in receipt.claims] == ["tool_failed"]


def test_the_guardrail_has_the_agent_write_again(checker: Any) -> None:
    receipts = CrewReceipts(checker=checker)
    result = kickoff(receipts, REFUND, final(FALSE), final(TRUE), guardrail=receipts.guardrail())
    assert result.raw == TRUE


def test_calls_of_another_crew_are_left_out(checker: Any) -> None:
    receipts, other = CrewReceipts(checker=checker), CrewReceipts(checker=checker)
    with receipts.watch(crew_of(final("Hello."))):
        kickoff(other, REFUND, final(TRUE))
    assert (len(receipts.capture.ledger), len(other.capture.ledger)) == (0, 1)
