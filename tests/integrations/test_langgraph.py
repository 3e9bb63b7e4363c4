"""LangGraph and LangChain as they are: a real graph, ToolNode, a fake chat model with bound tools."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest

pytest.importorskip("langgraph")

from langchain_core.language_models.fake_chat_models import FakeMessagesListChatModel
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langchain_core.tools import BaseTool, tool
from langchain_core.utils.function_calling import convert_to_openai_tool
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition
from langgraph.types import Command

from claimx.integrations.langchain import outcome_of, run_of_messages
from claimx.integrations.langgraph import GraphReceipts, make_claims_edge, make_claims_node, messages_of, tools_of

from . import desk
from .desk import FALSE, TRUE, WRONG

pytestmark = [pytest.mark.model, pytest.mark.integration]

TOOLS = [tool(desk.issue_refund), tool(desk.send_email), tool(desk.get_order)]
REFUND = {"name": "issue_refund", "args": {"order_id": "HB-20417", "amount": 64.0}, "id": "call_1", "type": "tool_call"}
MAIL = {
    "name": "send_email",
    "args": {"to": "dana@example.com", "subject": "Refund"},
    "id": "call_2",
    "type": "tool_call",
}
ASK = {"messages": [HumanMessage("Refund order HB-20417 and mail me")]}


class FakeModel(FakeMessagesListChatModel):
    """Says what it is told to, and binds tools as real chat models do."""

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Any:
        return self.bind(tools=[convert_to_openai_tool(t) for t in tools], **kwargs)


def graph_of(*said: AIMessage, tools: Sequence[BaseTool] = TOOLS, after: Any = None, edge: Any = None) -> Any:
    """A support agent; `after` is a node that its final message passes."""
    model = FakeModel(responses=list(said)).bind_tools(tools)

    def agent(state: MessagesState) -> dict[str, Any]:
        return {"messages": [model.invoke(state["messages"])]}

    graph = StateGraph(MessagesState)
    graph.add_node("agent", agent)
    graph.add_node("tools", ToolNode(tools, handle_tool_errors=True))
    graph.add_edge(START, "agent")
    graph.add_edge("tools", "agent")
    if after is None:
        graph.add_conditional_edges("agent", tools_condition)
    else:
        graph.add_node("claims", after)
        graph.add_node("person", lambda _: {"messages": [AIMessage("A person takes over.")]})
        graph.add_conditional_edges("agent", tools_condition, {"tools": "tools", END: "claims"})
        graph.add_conditional_edges("claims", edge or make_claims_edge())
    return graph.compile()


def calls(*which: dict[str, Any]) -> AIMessage:
    return AIMessage("", tool_calls=list(which))


@pytest.mark.parametrize(("reply", "verdict"), [(TRUE, "ok"), (FALSE, "fabricated"), (WRONG, "misquoted")])
def test_a_graphs_reply_is_held_against_what_its_tools_did(checker: Any, reply: str, verdict: str) -> None:
    receipts = GraphReceipts(checker=checker)
    result = graph_of(calls(REFUND), AIMessage(reply)).invoke(ASK, config=receipts.config())
    receipt = receipts.check(result)
    assert receipt.verdict == verdict
    (entry,) = receipts.capture.ledger
    assert (entry.id, entry.tool, entry.status) == ("call_1", "issue_refund", "success")
    assert entry.args == {"order_id": "HB-20417", "amount": 64.0}


def test_tools_that_were_bound_and_never_called_are_known_with_their_descriptions(checker: Any) -> None:
    receipts = GraphReceipts(checker=checker)
    graph_of(AIMessage("Hello.")).invoke(ASK, config=receipts.config())
    known = {t.name: t for t in receipts.capture.tools}
    assert set(known) == {"issue_refund", "send_email", "get_order"}
    assert known["send_email"].description == "Send an e-mail."
    assert set(known["send_email"].parameters["properties"]) == {"to", "subject"}


def test_the_tools_of_a_graph_are_discovered_subgraphs_included(checker: Any) -> None:
    outer = StateGraph(MessagesState)
    outer.add_node("desk", graph_of(AIMessage("Hello.")))
    outer.add_edge(START, "desk")
    assert {t.name for t in tools_of(outer.compile())} == {"issue_refund", "send_email", "get_order"}
    receipts = GraphReceipts(checker=checker).discover(outer.compile())
    assert receipts.check("I've sent you a confirmation email.").verdict == "fabricated"


def test_a_tool_that_raised_has_failed_whether_handled_or_not(checker: Any) -> None:
    receipts = GraphReceipts(checker=checker)
    graph = graph_of(calls(REFUND, MAIL), AIMessage(FALSE))
    receipt = receipts.check(graph.invoke(ASK, config=receipts.config()))
    assert [(e.tool, e.status) for e in receipts.capture.ledger if e.tool == "send_email"] == [("send_email", "error")]
    assert sorted(c.status for c in receipt.claims) == ["confirmed", "tool_failed"]
    assert "SMTP connection refused" in next(c.reason for c in receipt.claims if c.status == "tool_failed")


def test_a_tool_message_with_an_error_is_an_error() -> None:
    told = ToolMessage("quota exceeded", tool_call_id="x", status="error")
    assert outcome_of(told) == ("quota exceeded", "error")
    assert outcome_of(Command(update={"messages": [told]}), "x") == ("quota exceeded", "error")
    assert outcome_of(Command(update={"seen": 1})) == ({"seen": 1}, "success")
    assert outcome_of({"update": 1}) == ({"update": 1}, "success")
    assert outcome_of(ToolMessage([{"type": "text", "text": "a"}], tool_call_id="x")) == ("a", "success")


def test_asynchronous_runs_and_streams_are_captured_alike(checker: Any) -> None:
    async def story(kind: str) -> GraphReceipts:
        receipts = GraphReceipts(checker=checker)
        graph = graph_of(calls(REFUND), AIMessage(FALSE))
        if kind == "ainvoke":
            await graph.ainvoke(ASK, config=receipts.config())
        elif kind == "astream":
            async for _ in graph.astream(ASK, config=receipts.config(), stream_mode="messages"):
                pass
        else:
            list(graph.stream(ASK, config=receipts.config(), stream_mode="updates"))
        return receipts

    for kind in ("ainvoke", "astream", "stream"):
        receipts = asyncio.run(story(kind))
        assert [(e.tool, e.status) for e in receipts.capture.ledger] == [("issue_refund", "success")], kind
        assert receipts.check(FALSE).verdict == "fabricated"


def test_a_cancelled_run_leaves_its_call_unknown(checker: Any) -> None:
    started = asyncio.Event()

    @tool
    async def wire_money(amount: float) -> str:
        """Wire money."""
        started.set()
        await asyncio.sleep(60)
        return "done"

    wire = {"name": "wire_money", "args": {"amount": 250.0}, "id": "call_9", "type": "tool_call"}

    async def story() -> GraphReceipts:
        receipts = GraphReceipts(checker=checker)
        graph = graph_of(calls(wire), AIMessage("Done."), tools=[wire_money])
        task = asyncio.create_task(graph.ainvoke(ASK, config=receipts.config()))
        await started.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return receipts

    receipts = asyncio.run(story())
    assert [(e.id, e.status) for e in receipts.capture.ledger] == [("call_9", "unknown")]
    assert receipts.check("I've wired $250 to your account.").verdict == "unverified"


def test_calls_of_an_agent_that_works_as_a_tool_carry_the_call_that_started_it(checker: Any) -> None:
    inner = graph_of(calls(REFUND), AIMessage("Refunded."))

    @tool
    def ask_billing(task: str) -> str:
        """Hand a task to the billing agent."""
        return str(inner.invoke({"messages": [HumanMessage(task)]})["messages"][-1].content)

    hand = {"name": "ask_billing", "args": {"task": "refund"}, "id": "call_5", "type": "tool_call"}
    receipts = GraphReceipts(checker=checker)
    result = graph_of(calls(hand), AIMessage(TRUE), tools=[ask_billing]).invoke(ASK, config=receipts.config())
    assert [(e.tool, e.parent_id) for e in receipts.capture.ledger] == [
        ("ask_billing", None),
        ("issue_refund", "call_5"),
    ]
    assert receipts.check(result).verdict == "ok"


def test_a_config_keeps_the_callbacks_that_it_had(checker: Any) -> None:
    receipts = GraphReceipts(checker=checker)
    other = GraphReceipts(checker=checker)
    config = receipts.config(other.config({"tags": ["a"]}))
    assert config["tags"] == ["a"]
    graph_of(calls(REFUND), AIMessage(TRUE)).invoke(ASK, config=config)
    assert len(receipts.capture.ledger) == len(other.capture.ledger) == 1


def test_a_run_is_read_off_messages_alone() -> None:
    messages = [
        HumanMessage("Refund it"),
        calls(REFUND, MAIL),
        ToolMessage('{"status": "succeeded"}', tool_call_id="call_1", name="issue_refund"),
        AIMessage(TRUE),
    ]
    run = run_of_messages(messages, tools=TOOLS)
    assert [(e.id, e.tool, e.status) for e in run.ledger] == [
        ("call_1", "issue_refund", "success"), ("call_2", "send_email", "unknown"),
    ]  # fmt: skip
    assert (run.reply, run.user, len(run.tools)) == (TRUE, "Refund it", 3)
    same = run_of_messages([*messages[:-1], AIMessage(TRUE, tool_calls=[{**MAIL, "id": "call_3"}])])
    assert [e.id for e in same.ledger] == ["call_1", "call_2"]  # its own calls come after the text


def test_a_node_annotates_a_flagged_reply_and_leaves_the_others(checker: Any) -> None:
    node = make_claims_node("annotate", tools=TOOLS, checker=checker)
    result = graph_of(calls(REFUND), AIMessage(FALSE), after=node).invoke(ASK)
    last = result["messages"][-1]
    assert last.content.startswith(FALSE)
    assert last.content.endswith("(never ran)]")
    assert last.response_metadata["claimx"]["verdict"] == "fabricated"
    result = graph_of(calls(REFUND), AIMessage(TRUE), after=node).invoke(ASK)
    assert result["messages"][-1].content == TRUE
    assert result["messages"][-1].response_metadata["claimx"]["ok"] is True
    assert [m.type for m in result["messages"]] == ["human", "ai", "tool", "ai"]


def test_a_node_blocks_and_an_edge_routes_the_refusal(checker: Any) -> None:
    node = make_claims_node("block", tools=TOOLS, checker=checker, refusal="I can't confirm that.")
    edge = make_claims_edge(supported=END, unsupported="person")
    result = graph_of(calls(REFUND), AIMessage(FALSE), after=node, edge=edge).invoke(ASK)
    assert [m.content for m in result["messages"][-2:]] == ["I can't confirm that.", "A person takes over."]
    result = graph_of(calls(REFUND), AIMessage(TRUE), after=node, edge=edge).invoke(ASK)
    assert result["messages"][-1].content == TRUE
    state = {
        "messages": [
            HumanMessage("x"),
            calls(REFUND),
            ToolMessage("ok", tool_call_id="call_1"),
            AIMessage(FALSE, id="a"),
        ]
    }
    (refused,) = node(state)["messages"]
    assert (refused.content, refused.id) == ("I can't confirm that.", "a")
    assert refused.response_metadata["claimx"]["reply"] == FALSE
    assert edge({"messages": [refused]}) == "person"
    assert edge({"messages": [AIMessage(TRUE)]}) == END
    assert edge({"messages": []}) == END


def test_a_node_has_the_model_write_again_a_limited_number_of_times(checker: Any) -> None:
    node = make_claims_node("revise", tools=TOOLS, checker=checker, most=1)
    graph = graph_of(calls(REFUND), AIMessage(FALSE), AIMessage(TRUE), after=node)
    messages = graph.invoke(ASK)["messages"]
    assert [m.type for m in messages] == ["human", "ai", "tool", "ai", "human", "ai"]
    assert "send_email" in messages[4].content
    assert messages[-1].content == TRUE
    stubborn = graph_of(calls(REFUND), AIMessage(FALSE), AIMessage(FALSE), after=node).invoke(ASK)["messages"]
    assert [m.type for m in stubborn] == ["human", "ai", "tool", "ai", "human", "ai"]
    assert stubborn[-1].content.endswith("(never ran)]")


def test_a_model_that_overwrites_its_message_does_not_go_round_for_ever(checker: Any) -> None:
    same = AIMessage(FALSE, id="always")
    node = make_claims_node("revise", tools=TOOLS, checker=checker)
    messages = graph_of(same, after=node).invoke(ASK, config={"recursion_limit": 12})["messages"]
    assert [m.type for m in messages] == ["human", "ai", "human"]
    assert "[Not supported by what was done" in messages[1].content


def test_a_node_prefers_what_the_handler_noted(checker: Any) -> None:
    receipts = GraphReceipts(checker=checker)
    node = make_claims_node("annotate", receipts=receipts)
    result = graph_of(calls(REFUND, MAIL), AIMessage(FALSE), after=node).invoke(ASK, config=receipts.config())
    assert result["messages"][-1].content.endswith("(tool failed)]")


def test_a_node_passes_a_message_with_calls() -> None:
    node = make_claims_node()
    assert node({"messages": [calls(REFUND)]}) == {"messages": []}
    assert node({"messages": []}) == {"messages": []}


def test_states_of_any_shape_give_their_messages() -> None:
    message = AIMessage("x")

    class State:
        messages = (message,)

    assert messages_of({"messages": [message]}) == messages_of([message]) == messages_of(message) == [message]
    assert messages_of(State()) == [message]
    assert messages_of("text") == []
