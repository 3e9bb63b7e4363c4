"""CrewAI: tool-call hooks that fill a capture, and a task guardrail over it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from claimx.errors import MissingExtraError
from claimx.integrations.capture import Capture
from claimx.integrations.plain import plain
from claimx.integrations.replies import feedback
from claimx.types import CallStatus, Receipt

if TYPE_CHECKING:
    from claimx.checker import Checker

#: How CrewAI words what did not work to the model; its hooks get no status.
_FAILED = ("Error executing tool", "Tool execution blocked", "I encountered an error while trying to use the tool")


class CrewReceipts:
    """The receipts of one crew.

        receipts = CrewReceipts()
        task = Task(..., guardrail=receipts.guardrail())
        crew = Crew(agents=[...], tasks=[task])
        with receipts.watch(crew):
            result = crew.kickoff()
        receipt = receipts.check(result)

    CrewAI's hooks are global: `watch` adds them, and takes them away at its end; calls of other crews are left out. With
    the guardrail a flagged output goes back to the agent with the reasons, as often as the task allows.
    """

    def __init__(self, *, checker: Checker | None = None, keep_results: bool = True) -> None:
        self.capture = Capture(checker=checker, keep_results=keep_results)
        self._crew: Any = None
        self._open: dict[int, str] = {}

    def watch(self, crew: Any) -> CrewReceipts:
        """Name the crew to watch; its tools become known. Use in a `with` statement."""
        self._crew = crew
        for holder in (*(getattr(crew, "agents", None) or ()), *(getattr(crew, "tasks", None) or ())):
            self.capture.know(*(getattr(holder, "tools", None) or ()))
        return self

    def __enter__(self) -> CrewReceipts:
        hooks = _hooks()
        hooks.register_before_tool_call_hook(self._before)
        hooks.register_after_tool_call_hook(self._after)
        return self

    def __exit__(self, *_: object) -> None:
        hooks = _hooks()
        hooks.unregister_before_tool_call_hook(self._before)
        hooks.unregister_after_tool_call_hook(self._after)

    def guardrail(self) -> Any:
        """Return a task guardrail: (True, output), or (False, what to tell the agent)."""

        def claimx_guardrail(output: Any) -> tuple[bool, Any]:
            receipt = self.capture.check(_text(output))
            return (True, output) if receipt.ok else (False, feedback(receipt))

        claimx_guardrail.__annotations__.clear()  # CrewAI compares them with types of its own
        return claimx_guardrail

    def check(self, result: Any, *, user: str | None = None) -> Receipt:
        """Check a crew's or a task's output, or a text."""
        return self.capture.check(_text(result), user=user)

    def _before(self, context: Any) -> None:
        if self._is_ours(context):
            self.capture.know(context.tool)
            self._open[id(context.tool_input)] = self.capture.begin(None, context.tool_name, context.tool_input)

    def _after(self, context: Any) -> None:
        if not self._is_ours(context):
            return
        call = self._open.pop(id(context.tool_input), None)
        if call is None:
            call = self.capture.begin(None, context.tool_name, context.tool_input)
        told = str(context.tool_result or "")
        raw = getattr(context, "raw_tool_result", None)
        if told.lstrip().startswith(_FAILED):
            self.capture.end(call, told, status=CallStatus.ERROR, error=told[:2000])
        else:
            self.capture.end(call, told if raw is None else raw)

    def _is_ours(self, context: Any) -> bool:
        crew = getattr(context, "crew", None)
        return self._crew is None or crew is None or crew is self._crew or getattr(crew, "id", 0) == self._crew.id


def _hooks() -> Any:
    try:
        from crewai import hooks
    except ImportError as e:
        raise MissingExtraError("crewai", "crewai") from e
    return hooks


def _text(output: Any) -> str:
    raw = getattr(output, "raw", output)
    data = plain(raw)
    return data if isinstance(data, str) else str(data if data is not None else "")
