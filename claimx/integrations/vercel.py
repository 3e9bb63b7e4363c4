"""Vercel AI SDK: the messages that the npm package `ai` keeps, as runs.

Both kinds are read: model messages (`response.messages`: `role` and `content`) and UI messages (a chat's `parts`). Each step
with text is a run, held against the calls of the steps before it; the last run is the final reply. What is lost: reasoning,
files, sources, and data parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from claimx.errors import InputError
from claimx.integrations.capture import Capture
from claimx.types import CallStatus, LedgerEntry, Run

_UI_STATUS = {
    "output-available": CallStatus.SUCCESS,
    "output-error": CallStatus.ERROR,
    "output-denied": CallStatus.ERROR,
}
_FAILED = {"error-text", "error-json", "execution-denied"}


def runs_of_messages(messages: Iterable[Any], *, tools: Iterable[Any] = ()) -> list[Run]:
    """Return the runs of a conversation, in order. Raises InputError for what is not a message of `ai`."""
    known = Capture(tools=tools).tools
    ledger: dict[str, LedgerEntry] = {}
    runs: list[Run] = []
    user, turn = None, 0
    for number, message in enumerate(messages, 1):
        role = message.get("role") if isinstance(message, Mapping) else None
        if role not in ("system", "user", "assistant", "tool"):
            raise InputError(
                f"message {number}: no message of the AI SDK: expected 'role' with 'content' or 'parts'", field="role"
            )
        steps = list(_steps(message, number))
        if role == "user":
            said = "\n".join(t for t in (_text(s) for s in steps) if t)
            user, turn = said or user, turn + 1
        for step in steps if role in ("assistant", "tool") else ():
            text = _text(step) if role == "assistant" else ""
            if text:
                runs.append(Run(text, tuple(ledger.values()), known, id=f"{message.get('id') or number}", user=user))
            for part in step:
                _note(part, ledger, turn)
    return runs


def _steps(message: Mapping[str, Any], number: int) -> Iterator[list[Mapping[str, Any]]]:
    """Yield the parts of a message, a list for each step of the model."""
    content = message.get("parts", message.get("content"))
    if isinstance(content, str):
        content = [{"type": "text", "text": content}]
    if not isinstance(content, list):
        raise InputError(f"message {number}: neither 'content' nor 'parts' holds a text or a list", field="content")
    step: list[Mapping[str, Any]] = []
    for part in content:
        if not isinstance(part, Mapping):
            continue
        if part.get("type") == "step-start":
            yield step
            step = []
        step.append(part)
    yield step


def _text(step: list[Mapping[str, Any]]) -> str:
    texts = (str(p.get("text") or "").strip() for p in step if p.get("type") == "text")
    return "\n\n".join(t for t in texts if t)


def _note(part: Mapping[str, Any], ledger: dict[str, LedgerEntry], turn: int) -> None:
    """Note a call, a result, or (in UI messages) both in one part."""
    kind, call = str(part.get("type") or ""), str(part.get("toolCallId") or "")
    if not call:
        return
    if kind == "tool-call":
        ledger[call] = LedgerEntry(
            call, str(part.get("toolName")), part.get("input"), status=CallStatus.UNKNOWN, turn=turn
        )
    elif kind == "tool-result":
        output = part.get("output")
        output = output if isinstance(output, Mapping) else {"type": "json", "value": output}
        failed = output.get("type") in _FAILED
        value = output.get("value", output.get("reason"))
        before = ledger.get(call)
        args = before.args if before else part.get("input")
        _settle(
            ledger,
            call,
            str(part.get("toolName")),
            args,
            value,
            CallStatus.ERROR if failed else CallStatus.SUCCESS,
            turn,
        )
    elif kind == "dynamic-tool" or kind.startswith("tool-"):
        name = str(part.get("toolName") or kind.removeprefix("tool-"))
        status = _UI_STATUS.get(str(part.get("state")), CallStatus.UNKNOWN)
        if part.get("preliminary") is True:
            status = CallStatus.UNKNOWN
        value = part.get("errorText") if status is CallStatus.ERROR else part.get("output")
        _settle(ledger, call, name, part.get("input"), value, status, turn)


def _settle(
    ledger: dict[str, LedgerEntry], call: str, name: str, args: Any, value: Any, status: CallStatus, turn: int
) -> None:
    error = str(value)[:2000] if status is CallStatus.ERROR else None
    ledger[call] = LedgerEntry(call, name, args, value, status, error=error, turn=turn)
