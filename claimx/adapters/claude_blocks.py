"""The blocks of a Claude Code message: their text, how a call ended, and long texts cut to what is needed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from claimx.types import CallStatus

#: Characters kept of one text in arguments or results: the head and the tail, where commands say how they ended.
MOST_TEXT = 24_000
_TIMED_OUT = ("command timed out", "timed out after", "timeout:")


def blocks_of(content: Any) -> list[Mapping[str, Any]]:
    """Return the blocks of a message's content, a bare text as one text block."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [b for b in content if isinstance(b, Mapping)] if isinstance(content, list) else []


def text_in(blocks: list[Mapping[str, Any]]) -> str:
    """Join the text blocks."""
    texts = (str(b.get("text") or "").strip() for b in blocks if b.get("type") == "text")
    return "\n\n".join(t for t in texts if t)


def text_of(content: Any) -> Any:
    """Return a result's content as text; what holds no text (an image) by the types of its blocks."""
    if content is None or isinstance(content, str):
        return content
    blocks = blocks_of(content)
    texts = [str(b.get("text") or "") for b in blocks if b.get("type") == "text"]
    return "\n".join(texts) if texts else f"[{', '.join(str(b.get('type')) for b in blocks)}]" if blocks else ""


def status_of(block: Mapping[str, Any], told: Any, text: Any) -> tuple[CallStatus, str | None]:
    """Return a call's status and error from its result block and from `told`, the executor's own record of it.

    What was started in the background is unknown: how it ended stands elsewhere.

    >>> status_of({"is_error": True}, None, "Exit code 1\\nE  assert 2 == 3")[0]
    <CallStatus.ERROR: 'error'>
    >>> status_of({}, {"interrupted": True}, "")
    (<CallStatus.UNKNOWN: 'unknown'>, 'interrupted')
    """
    detail = text if isinstance(text, str) else ""
    if block.get("is_error") is True:
        late = any(w in detail[:400].lower() for w in _TIMED_OUT)
        return (CallStatus.TIMEOUT if late else CallStatus.ERROR), detail[:400] or None
    if isinstance(told, Mapping):
        if told.get("interrupted") is True:
            return CallStatus.UNKNOWN, "interrupted"
        if told.get("backgroundTaskId") or told.get("isAsync") is True:
            return CallStatus.UNKNOWN, None
    return CallStatus.SUCCESS, None


def shortened(value: Any) -> Any:
    """Return a value with the middle of very long texts left out, so that a large file needs little memory."""
    if isinstance(value, str):
        if len(value) <= MOST_TEXT:
            return value
        head, tail = MOST_TEXT * 2 // 3, MOST_TEXT // 3
        return f"{value[:head]}\n[… {len(value) - head - tail} characters left out …]\n{value[-tail:]}"
    if isinstance(value, Mapping):
        return {k: shortened(v) for k, v in value.items()}
    if isinstance(value, list):
        return [shortened(v) for v in value]
    return value
