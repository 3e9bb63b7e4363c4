"""What one line of Claude Code holds: whose words it is, its text, and how a call ended by the executor's own record."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from claimx.adapters.content import clipped, result_of
from claimx.adapters.plain import first, mapping, sequence, text, word
from claimx.types import CallStatus

#: Texts of the client that stand where a user's words would.
_CLIENTS = re.compile(
    r"\s*(?:<(?:command-|local-command|system-reminder|task-notification|bash-)|\[Request interrupted|Caveat:|Stop hook feedback)"
)
_BY_HAND = re.compile(r"<bash-input>(.*)</bash-input>", re.S)
_SHOWN = re.compile(r"<bash-stdout>(.*?)</bash-stdout>\s*(?:<bash-stderr>(.*)</bash-stderr>)?", re.S)
_EXIT = re.compile(r"^(?:Error: )?Exit code (\d{1,9})\b\n?")
_TIMED_OUT = ("command timed out", "timed out after", "timeout:")
_NAMES = frozenset({"session_id", "uuid", "parentUuid", "parent_tool_use_id"})
#: Characters kept of an error's text beside the result.
_MOST_ERROR = 400


def is_message(data: Mapping[str, Any]) -> bool:
    """Whether a line is a message of a session; the others are the client's own: titles, snapshots, queues.

    >>> is_message({"type": "user", "uuid": "u1", "sessionId": "s", "message": {"role": "user", "content": "Hi"}})
    True
    >>> is_message({"role": "user", "content": "Hi"})
    False
    """
    if data.get("type") not in ("user", "assistant"):
        return False
    message = data.get("message")
    if type(message) is not dict and not isinstance(message, Mapping):
        return False
    return "sessionId" in data or not _NAMES.isdisjoint(data)


def blocks_of(data: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the blocks of a line's message, a bare text as one text block."""
    content = mapping(data.get("message")).get("content")
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [b for b in sequence(content) if type(b) is dict or isinstance(b, Mapping)]


def text_in(blocks: list[Mapping[str, Any]]) -> str:
    """Join the text blocks."""
    texts = (str(b.get("text") or "").strip() for b in blocks if word(b, "type") == "text")
    return "\n\n".join(t for t in texts if t)


def is_said(data: Mapping[str, Any]) -> bool:
    """Whether a line holds words of the user, not results, notes of the client or a sub-agent's prompt."""
    if word(data, "type") != "user" or data.get("isMeta") or data.get("isCompactSummary") or data.get("isSidechain"):
        return False
    blocks = blocks_of(data)
    said = text_in(blocks)
    return bool(said) and not is_clients(said) and not any(is_result(b) for b in blocks)


def is_clients(said: str) -> bool:
    """Whether a text in the user's name is the client's own."""
    return _CLIENTS.match(said) is not None


def by_hand(said: str) -> tuple[str | None, str | None]:
    """The command that the user ran by hand, or what it showed, where a line of the client tells it.

    >>> by_hand("<bash-input>pytest -q</bash-input>"), by_hand("<bash-stdout>2 passed</bash-stdout><bash-stderr></bash-stderr>")
    (('pytest -q', None), (None, '2 passed'))
    """
    command, back = _BY_HAND.fullmatch(said.strip()), _SHOWN.fullmatch(said.strip())
    shown = None if back is None else "\n".join(t.strip() for t in back.groups() if t and t.strip())
    return (command.group(1) if command else None), shown


def is_result(block: Mapping[str, Any]) -> bool:
    """Whether a block is the result of a call."""
    return (word(block, "type") or "").endswith("tool_result")


def outcome_of(
    block: Mapping[str, Any], told: Mapping[str, Any], *, is_shell: bool
) -> tuple[Any, CallStatus, str | None]:
    """Return a call's result, status and error from its block and from `told`, the executor's own record of it.

    A command's result has its exit code. What was started in the background or interrupted is unknown: how it ended
    stands elsewhere, or nowhere.

    >>> outcome_of({"content": "Exit code 1\\n1 failed", "is_error": True}, {}, is_shell=True)[:2]
    ({'exit_code': 1, 'output': '1 failed'}, <CallStatus.ERROR: 'error'>)
    >>> outcome_of({"content": "ok"}, {"interrupted": True}, is_shell=False)[1:]
    (<CallStatus.UNKNOWN: 'unknown'>, 'interrupted')
    """
    result = result_of(block.get("content"))
    said = result if isinstance(result, str) else ""
    code = _EXIT.match(said) if is_shell else None
    if code:
        result = {"exit_code": int(code.group(1)), "output": said[code.end() :]}
    if block.get("is_error"):
        late = any(w in said[:_MOST_ERROR].lower() for w in _TIMED_OUT)
        error = None if code else text(clipped(said, _MOST_ERROR * 4))
        return result, CallStatus.TIMEOUT if late else CallStatus.ERROR, error
    if told.get("interrupted") is True:
        return result, CallStatus.UNKNOWN, "interrupted"
    if first(told, "backgroundTaskId", "backgroundedByUser") or told.get("isAsync") is True:
        return result, CallStatus.UNKNOWN, None
    if is_shell and code is None:
        result = {"exit_code": 0, "output": result}
    return result, CallStatus.SUCCESS, None


def time_of(data: Mapping[str, Any]) -> str | None:
    """Return when a line was written: ISO 8601 times of one form, which sort as text."""
    return text(data.get("timestamp"))
