"""OpenAI Agents SDK: run hooks that fill a capture, and an output guardrail over it."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from claimx.errors import MissingExtraError
from claimx.integrations.capture import Capture
from claimx.integrations.plain import plain
from claimx.types import CallStatus, Receipt, Tool

if TYPE_CHECKING:
    from claimx.checker import Checker

#: How the SDK words a tool's failure to the model when the tool has no handler of its own.
_FAILED = ("An error occurred while running the tool", "Error running tool")
_DONE = {"completed": CallStatus.SUCCESS, "failed": CallStatus.ERROR, "incomplete": CallStatus.ERROR}


class AgentReceipts:
    """The receipts of one run.

        receipts = AgentReceipts()
        result = await Runner.run(receipts.guard(agent), "Refund order 4821", hooks=receipts.hooks)
        receipt = receipts.check(result)

    `guard` returns the agent with an output guardrail that trips on a flagged reply; without it nothing is held back.
    """

    def __init__(self, *, checker: Checker | None = None, keep_results: bool = True) -> None:
        self.capture = Capture(checker=checker, keep_results=keep_results)
        self.hooks = _hooks_class()(self.capture)

    def guard(self, agent: Any) -> Any:
        """Return a copy of an agent with the output guardrail added."""
        return agent.clone(output_guardrails=[*agent.output_guardrails, self.output_guardrail()])

    def output_guardrail(self) -> Any:
        """Return a guardrail that checks the final output; its `output_info` is the receipt as JSON data."""
        from agents import GuardrailFunctionOutput, OutputGuardrail

        async def claimx_guardrail(context: Any, agent: Any, output: Any) -> Any:
            receipt = await self.capture.acheck(_text(output))
            return GuardrailFunctionOutput(output_info=receipt.to_dict(), tripwire_triggered=not receipt.ok)

        return OutputGuardrail(guardrail_function=claimx_guardrail, name="claimx")

    def check(self, result: Any, *, user: str | None = None) -> Receipt:
        """Check a run's final output (or a text); the provider's own tools are read off the run's items first."""
        for item in getattr(result, "new_items", None) or ():
            self._note_hosted(item)
        given = getattr(result, "input", None)
        said = user if user is not None else given if isinstance(given, str) else None
        return self.capture.check(_text(getattr(result, "final_output", result)), user=said)

    def _note_hosted(self, item: Any) -> None:
        """Note a call that the provider ran itself (a search, a sandbox), which no hook reports."""
        raw = getattr(item, "raw_item", None)
        kind = str(getattr(raw, "type", "") or "")
        if getattr(item, "type", "") != "tool_call_item" or not kind.endswith("_call") or kind == "function_call":
            return
        call, status = str(getattr(raw, "id", "") or ""), str(getattr(raw, "status", "") or "")
        if any(e.id == call for e in self.capture.ledger):
            return
        data = plain(raw)
        name = str(data.get("name") or kind.removesuffix("_call"))
        key = self.capture.begin(call or None, name, data.get("action") or data.get("arguments") or data.get("queries"))
        result = data.get("results") or data.get("output") or data.get("outputs")
        self.capture.end(key, result, status=_DONE.get(status, CallStatus.UNKNOWN), error=data.get("error"))


@lru_cache(maxsize=1)
def _hooks_class() -> Any:
    try:
        from agents import RunHooks
    except ImportError as e:
        raise MissingExtraError("openai-agents", "openai-agents") from e

    class ClaimxHooks(RunHooks):  # type: ignore[misc, unused-ignore]
        """Notes the tools of every agent that takes part, and the calls of local tools."""

        def __init__(self, capture: Capture) -> None:
            self.capture = capture
            self._open: dict[tuple[int, str], list[str]] = {}

        async def on_agent_start(self, context: Any, agent: Any) -> None:
            tools = await agent.get_all_tools(context)
            self.capture.know(*(_tool_of(t) for t in tools))

        async def on_tool_start(self, context: Any, agent: Any, tool: Any) -> None:
            self.capture.know(_tool_of(tool))
            args = _parsed(getattr(context, "tool_arguments", None))
            call = self.capture.begin(getattr(context, "tool_call_id", None), tool.name, args)
            self._open.setdefault((id(context), tool.name), []).append(call)

        async def on_tool_end(self, context: Any, agent: Any, tool: Any, result: Any) -> None:
            calls = self._open.get((id(context), tool.name))
            if not calls:
                return
            text = result if isinstance(result, str) else ""
            if text.startswith(f"Tool '{tool.name}' timed out"):
                self.capture.end(calls.pop(), text, status=CallStatus.TIMEOUT, error=text)
            elif text.startswith(_FAILED):
                self.capture.end(calls.pop(), text, status=CallStatus.ERROR, error=text)
            else:
                self.capture.end(calls.pop(), result)

    return ClaimxHooks


def _tool_of(tool: Any) -> Tool:
    schema = getattr(tool, "params_json_schema", None)
    return Tool(tool.name, str(getattr(tool, "description", "") or ""), schema if isinstance(schema, dict) else None)


def _parsed(text: Any) -> Any:
    try:
        return json.loads(text)
    except (TypeError, ValueError):
        return text


def _text(output: Any) -> str:
    """Return the text of a final output; of a structured one its text fields, a line each."""
    data = plain(output)
    if isinstance(data, dict):
        return "\n".join(v for v in data.values() if isinstance(v, str))
    return data if isinstance(data, str) else str(data if data is not None else "")
