"""Pydantic AI: an output validator that checks the reply against the run's own messages."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from claimx.errors import MissingExtraError
from claimx.integrations.capture import Capture
from claimx.integrations.plain import plain
from claimx.integrations.replies import Policy, annotated, feedback, require
from claimx.types import CallStatus, LedgerEntry, Receipt, Run, Tool

if TYPE_CHECKING:
    from claimx.checker import Checker

_STATUS = {
    "success": CallStatus.SUCCESS, "failed": CallStatus.ERROR, "denied": CallStatus.ERROR, "retried": CallStatus.ERROR,
    "interrupted": CallStatus.UNKNOWN,
}  # fmt: skip


def make_output_validator(
    on_flagged: Policy = "revise",
    *,
    checker: Checker | None = None,
    text: Callable[[Any], str] | None = None,
    seen: Callable[[Receipt], None] | None = None,
) -> Callable[[Any, Any], Any]:
    """Return a function for `agent.output_validator`.

    A flagged reply is sent back to the model with the reasons (revise, while retries are left, then raised), annotated, or
    raises UnsupportedClaimError (block). `text` reads the reply off a structured output (default: its text fields); only
    text outputs can be annotated. `seen` gets every receipt. Raises MissingExtraError without pydantic-ai.
    """
    try:
        from pydantic_ai import ModelRetry, RunContext
    except ImportError as e:
        raise MissingExtraError("pydantic-ai-slim", "pydantic-ai") from e
    capture = Capture(checker=checker)

    async def claims(ctx: Any, output: Any) -> Any:
        if ctx.partial_output:
            return output
        run = run_of_messages(ctx.messages, (text or _text)(output), tools=tools_of(ctx.agent))
        receipt = await capture.checker.acheck(run)
        if seen is not None:
            seen(receipt)
        if receipt.ok:
            return output
        if on_flagged == "annotate" and isinstance(output, str):
            return annotated(output, receipt)
        if on_flagged == "revise" and ctx.retry < ctx.max_retries:
            raise ModelRetry(feedback(receipt))
        require(receipt)
        return output

    # Pydantic AI reads the first parameter's annotation to see that it takes a context.
    claims.__annotations__["ctx"] = RunContext[Any]
    return claims


def check_result(result: Any, *, tools: Iterable[Any] = (), checker: Checker | None = None) -> Receipt:
    """Check the result of a finished run (`agent.run_sync(...)`); `tools` names what was never called."""
    run = run_of_messages(result.all_messages(), _text(result.output), tools=tools)
    return Capture(checker=checker).checker.check(run)


def run_of_messages(messages: Sequence[Any], reply: str, *, tools: Iterable[Any] = ()) -> Run:
    """Return a reply as a run, with the calls that the messages report. A call without a return is unknown."""
    ledger: dict[str, LedgerEntry] = {}
    user, turn = None, 0
    for message in messages:
        for part in message.parts:
            kind = part.part_kind
            if kind == "user-prompt":
                user, turn = (part.content if isinstance(part.content, str) else user), turn + 1
            elif kind in ("tool-call", "builtin-tool-call") and not _is_output(part):
                key = part.tool_call_id
                ledger[key] = LedgerEntry(key, part.tool_name, _args(part.args), status=CallStatus.UNKNOWN, turn=turn)
            elif kind in ("tool-return", "builtin-tool-return", "retry-prompt") and part.tool_call_id in ledger:
                known = ledger[part.tool_call_id]
                outcome = getattr(part, "outcome", None) or ("retried" if kind == "retry-prompt" else "success")
                status = _STATUS.get(outcome, CallStatus.UNKNOWN)
                content = plain(part.content)
                error = str(content)[:2000] if status is CallStatus.ERROR else None
                ledger[known.id] = LedgerEntry(
                    known.id, known.tool, known.args, content, status, error=error, turn=known.turn
                )
    return Run(reply=reply, ledger=tuple(ledger.values()), tools=Capture(tools=tools).tools, user=user)


def tools_of(agent: Any) -> list[Tool]:
    """Return the function tools of an agent, those of wrapped and combined toolsets included."""
    found: list[Tool] = []
    waiting = list(getattr(agent, "toolsets", None) or ())
    while waiting:
        toolset = waiting.pop()
        waiting += getattr(toolset, "toolsets", None) or ()
        inner = getattr(toolset, "wrapped", None)
        if inner is not None:
            waiting.append(inner)
        tools = getattr(toolset, "tools", None)
        for name, tool in tools.items() if isinstance(tools, dict) else ():
            found.append(Tool(name, str(getattr(tool, "description", "") or "")))
    return found


def _is_output(part: Any) -> bool:
    """Whether a call only hands over the structured output."""
    return str(part.tool_name).startswith("final_result") or getattr(part, "tool_kind", None) == "output"


def _args(args: Any) -> Any:
    if not isinstance(args, str):
        return plain(args)
    try:
        return json.loads(args)
    except ValueError:
        return args


def _text(output: Any) -> str:
    data = plain(output)
    if isinstance(data, dict):
        return "\n".join(v for v in data.values() if isinstance(v, str))
    return data if isinstance(data, str) else ""
