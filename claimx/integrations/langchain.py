"""LangChain: a callback handler that fills a capture, and runs from lists of messages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from claimx.errors import MissingExtraError
from claimx.integrations.capture import Capture
from claimx.integrations.plain import plain, text_of
from claimx.types import CallStatus, LedgerEntry, Run


def make_handler(capture: Capture) -> Any:
    """Return a callback handler that notes the tools a model is bound to and every call of a tool.

    Give it in `config={"callbacks": [handler]}`. Raises MissingExtraError without langchain-core.
    """
    return _handler_class()(capture)


@lru_cache(maxsize=1)
def _handler_class() -> Any:
    try:
        from langchain_core.callbacks import BaseCallbackHandler
    except ImportError as e:
        raise MissingExtraError("langchain-core", "langgraph") from e

    class ClaimxCallbackHandler(BaseCallbackHandler):
        """Notes what LangChain's executor reports; `run_inline` keeps its order under asyncio."""

        run_inline = True
        raise_error = False

        def __init__(self, capture: Capture) -> None:
            self.capture = capture
            self._above: dict[Any, Any] = {}
            self._calls: dict[Any, str] = {}

        def on_chain_start(
            self, serialized: Any, inputs: Any, *, run_id: Any, parent_run_id: Any = None, **_: Any
        ) -> None:
            self._above[run_id] = parent_run_id

        def on_chat_model_start(self, serialized: Any, messages: Any, *, run_id: Any, **kwargs: Any) -> None:
            given = kwargs.get("invocation_params") or {}
            self.capture.know(*(given.get("tools") or ()), *(given.get("functions") or ()))

        def on_tool_start(
            self,
            serialized: Any,
            input_str: str,
            *,
            run_id: Any,
            parent_run_id: Any = None,
            inputs: Any = None,
            **kwargs: Any,
        ) -> None:
            told = serialized if isinstance(serialized, Mapping) else {}
            name = str(kwargs.get("name") or told.get("name") or "tool")
            self._above[run_id] = parent_run_id
            self.capture.know((name, told.get("description") or ""))
            args = inputs if inputs is not None else input_str
            self._calls[run_id] = self.capture.begin(
                kwargs.get("tool_call_id"), name, args, parent=self._caller(parent_run_id)
            )

        def on_tool_end(self, output: Any, *, run_id: Any, **_: Any) -> None:
            call = self._calls.get(run_id)
            if call is not None:
                result, status = outcome_of(output, call)
                self.capture.end(
                    call, result, status=status, error=str(result)[:2000] if status is CallStatus.ERROR else None
                )

        def on_tool_error(self, error: BaseException, *, run_id: Any, **_: Any) -> None:
            call = self._calls.get(run_id)
            if call is None:
                return
            if type(error).__name__ in ("GraphInterrupt", "NodeInterrupt", "GraphBubbleUp"):
                self.capture.end(call, None, status=CallStatus.UNKNOWN, error="interrupted")
            else:
                self.capture.fail(call, error)

        def _caller(self, run: Any) -> str | None:
            """The call inside which a run was started: an agent that works as a tool of another."""
            while run is not None:
                if run in self._calls:
                    return self._calls[run]
                run = self._above.get(run)
            return None

    return ClaimxCallbackHandler


def outcome_of(output: Any, call: str | None = None) -> tuple[Any, CallStatus]:
    """Return the result and the status that a tool's output stands for: a ToolMessage, a Command with one, any value."""
    update = getattr(output, "update", None)
    if isinstance(update, Mapping) and not isinstance(output, Mapping):
        told = [m for m in update.get("messages") or () if getattr(m, "type", None) == "tool"]
        own = [m for m in told if getattr(m, "tool_call_id", None) == call]
        output = (own or told or [plain(update)])[0]
    if getattr(output, "type", None) == "tool" and hasattr(output, "content"):
        failed = getattr(output, "status", "success") == "error"
        content = (
            output.content if isinstance(output.content, str) else text_of(output.content) or plain(output.content)
        )
        return content, CallStatus.ERROR if failed else CallStatus.SUCCESS
    return plain(output), CallStatus.SUCCESS


def run_of_messages(messages: Sequence[Any], *, tools: Iterable[Any] = ()) -> Run:
    """Return the last message of a conversation as a run, with the calls that its messages report before it.

    A call without a ToolMessage is unknown. Prefer a capture where there is one: messages hold only what the graph kept.
    """
    ledger: dict[str, LedgerEntry] = {}
    user, turn = None, 0
    for i, message in enumerate(messages):
        kind = getattr(message, "type", "")
        if kind == "human":
            user, turn = text_of(message.content), turn + 1
        elif kind == "ai" and i < len(messages) - 1:
            for n, call in enumerate(getattr(message, "tool_calls", None) or ()):
                key = call.get("id") or f"m{i}.{n}"
                ledger[key] = LedgerEntry(
                    key, call["name"], plain(call.get("args")), status=CallStatus.UNKNOWN, turn=turn
                )
        elif kind == "tool":
            key = str(getattr(message, "tool_call_id", ""))
            result, status = outcome_of(message)
            known = ledger.get(key) or LedgerEntry(
                key or f"m{i}", str(getattr(message, "name", None) or "tool"), turn=turn
            )
            error = str(result)[:2000] if status is CallStatus.ERROR else None
            ledger[known.id] = LedgerEntry(
                known.id, known.tool, known.args, result, status, error=error, turn=known.turn
            )
    capture = Capture(tools=tools)
    reply = text_of(messages[-1].content) if messages else ""
    return Run(reply=reply, ledger=tuple(ledger.values()), tools=capture.tools, user=user)
