"""LangGraph: receipts of a graph's replies, and a node with an edge that annotate, block or send them back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from claimx.integrations.capture import Capture
from claimx.integrations.langchain import make_handler, run_of_messages
from claimx.integrations.plain import text_of
from claimx.integrations.replies import REFUSAL, Policy, annotated, feedback
from claimx.types import Receipt

if TYPE_CHECKING:
    from claimx.checker import Checker

#: Where a checked message carries its receipt, and our feedback its mark.
KEY = "claimx"


class GraphReceipts:
    """The receipts of one conversation with a graph.

        receipts = GraphReceipts()
        result = graph.invoke(inputs, config=receipts.config())
        receipt = receipts.check(result)

    Works alike with ainvoke, stream and astream. Tools are discovered from what models are bound to and what is called;
    `discover(graph)` reads them off the graph's ToolNodes, so that one never bound nor called is known too.
    """

    def __init__(self, *, tools: Iterable[Any] = (), checker: Checker | None = None, keep_results: bool = True) -> None:
        self.capture = Capture(tools=tools, checker=checker, keep_results=keep_results)
        self.handler = make_handler(self.capture)

    def config(self, config: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """Return a config with the handler among its callbacks. A list of callbacks is extended, a manager copied."""
        out = dict(config or {})
        callbacks = out.get("callbacks")
        if callbacks is None or isinstance(callbacks, list):
            out["callbacks"] = [*(callbacks or []), self.handler]
        else:
            out["callbacks"] = callbacks.copy()
            out["callbacks"].add_handler(self.handler, inherit=True)
        return out

    def discover(self, graph: Any) -> GraphReceipts:
        """Add the tools of a graph's ToolNodes, subgraphs included; return self."""
        self.capture.know(*tools_of(graph))
        return self

    def check(self, result: Any, *, user: str | None = None) -> Receipt:
        """Check a reply: a state with messages, a list of them, a message or a text."""
        messages = messages_of(result)
        reply = result if isinstance(result, str) else text_of(messages[-1].content) if messages else ""
        said = [m for m in messages if getattr(m, "type", "") == "human" and _mark(m) is None]
        return self.capture.check(reply, user=user if user is not None or not said else text_of(said[-1].content))


def tools_of(graph: Any) -> list[Any]:
    """Return the tools of a compiled graph's ToolNodes, subgraphs included."""
    found: list[Any] = []
    for node in dict(getattr(graph, "nodes", None) or {}).values():
        inner = getattr(node, "bound", node)
        by_name = getattr(inner, "tools_by_name", None)
        if isinstance(by_name, Mapping):
            found += by_name.values()
        elif getattr(inner, "nodes", None):
            found += tools_of(inner)
    return found


def messages_of(state: Any) -> list[Any]:
    """Return the messages of a graph's state: a mapping or an object with `messages`, a list, or one message."""
    if isinstance(state, str):
        return []
    found = state.get("messages") if isinstance(state, Mapping) else getattr(state, "messages", state)
    return list(found) if isinstance(found, Sequence) and not isinstance(found, str) else [found]


def make_claims_node(
    on_flagged: Policy = "annotate",
    *,
    tools: Iterable[Any] = (),
    checker: Checker | None = None,
    receipts: GraphReceipts | None = None,
    most: int = 2,
    refusal: str = REFUSAL,
) -> Callable[[Any], dict[str, Any]]:
    """Return a node that checks the last message of the state against the calls before it.

    The message comes back with its receipt in `response_metadata["claimx"]`; a flagged one is annotated, replaced by a
    refusal, or (revise) followed by words for the model, at most `most` times since the user spoke, then annotated.
    `tools` names what the agent can call. With `receipts` the calls are those that the handler noted, else those of the
    state's messages.
    """
    listed = tuple(tools)
    capture = receipts.capture if receipts is not None else Capture(tools=listed, checker=checker)

    def claims(state: Any) -> dict[str, Any]:
        messages = messages_of(state)
        # Feedback comes last when the model's new message took the place of its old one, under the same id: then it is over.
        asked = messages.pop() if messages and _is_feedback(messages[-1]) else None
        while asked is not None and messages and getattr(messages[-1], "type", "") != "ai":
            messages.pop()
        last = messages[-1] if messages else None
        if last is None or getattr(last, "type", "") != "ai" or getattr(last, "tool_calls", None):
            return {"messages": []}
        run = run_of_messages([m for m in messages if _mark(m) is None], tools=capture.tools)
        if receipts is not None:
            run = replace(run, ledger=capture.ledger)
        receipt = capture.checker.check(run)
        left = most - _asked(messages) if asked is None else 0
        answers = _answers(last, receipt, on_flagged, left, refusal)
        closed = [] if asked is None else [asked.model_copy(update={"additional_kwargs": {KEY: "closed"}})]
        return {"messages": [*answers, *closed]}

    return claims


def make_claims_edge(supported: str = "__end__", unsupported: str = "agent") -> Callable[[Any], str]:
    """Return a conditional edge for behind a claims node: to `unsupported` when the last message asks the model to write
    again or was refused, to `supported` otherwise."""

    def route(state: Any) -> str:
        messages = messages_of(state)
        last = messages[-1] if messages else None
        told = getattr(last, "response_metadata", None) or {}
        refused = bool((told.get(KEY) or {}).get("refused"))
        return unsupported if last is not None and (_is_feedback(last) or refused) else supported

    return route


def _answers(last: Any, receipt: Receipt, on_flagged: Policy, left: int, refusal: str) -> list[Any]:
    from langchain_core.messages import HumanMessage

    told: dict[str, Any] = {**receipt.to_dict()}
    content = last.content
    after: list[Any] = []
    if not receipt.ok:
        if on_flagged == "block":
            content, told = refusal, {**told, "refused": True, "reply": text_of(last.content)}
        elif on_flagged == "revise" and left > 0:
            after = [HumanMessage(feedback(receipt), additional_kwargs={KEY: "feedback"})]
        else:
            content = annotated(text_of(last.content), receipt)
    metadata = {**(last.response_metadata or {}), KEY: told}
    return [last.model_copy(update={"content": content, "response_metadata": metadata}), *after]


def _asked(messages: Sequence[Any]) -> int:
    """How often the model was asked to write again since the user spoke."""
    count = 0
    for message in reversed(messages):
        if getattr(message, "type", "") == "human":
            if _mark(message) is None:
                break
            count += 1
    return count


def _is_feedback(message: Any) -> bool:
    return bool(_mark(message) == "feedback")


def _mark(message: Any) -> Any:
    return (getattr(message, "additional_kwargs", None) or {}).get(KEY)
