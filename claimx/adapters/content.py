"""The contents of messages: what the agent wrote, what a call was given, what came back."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from claimx.adapters.plain import sequence, word

_TEXT_TYPES = frozenset({None, "text", "input_text", "output_text", "refusal", "summary_text"})
#: Blobs in a result are of no use to a check; a longer string under one of these keys is told by its length.
_BLOB_KEYS = frozenset({"data", "image_url", "url", "file_data", "base64", "result", "b64_json"})
_MOST_BLOB = 2_000
#: Characters kept of one text result: more than a check reads of a call. Head and tail stay.
MAX_RESULT = 400_000


def text_of(content: Any) -> str:
    """Return what is written in a content: a string, or the text parts of a list. Thinking and files are no text.

    >>> text_of([{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "Done."}, {"type": "text", "text": "Sent."}])
    'Done. Sent.'
    """
    if isinstance(content, str):
        return content
    if isinstance(content, Mapping):
        content = [content]
    return join(part for part in map(_part_text, sequence(content)) if part)


def _part_text(part: Any) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, Mapping) or word(part, "type") not in _TEXT_TYPES:
        return ""
    for key in ("text", "refusal", "content"):
        value = part.get(key)
        if isinstance(value, Mapping):
            value = value.get("value")
        if isinstance(value, str):
            return value
    return ""


def join(parts: Iterable[str]) -> str:
    """Join pieces of one text. Sentences that would run into each other are kept apart.

    >>> join(["On ", "Monday."]), join(["Done.", "Next"])
    ('On Monday.', 'Done. Next')
    """
    out = ""
    for part in parts:
        if out and part and out[-1] in ".!?:;)" and part[0].isalnum():
            out += " "
        out += part
    return out


def args_of(raw: Any) -> Any:
    """Return the arguments of a call; a string that holds a JSON object is opened, any other string stays a string.

    >>> args_of('{"a": 1}'), args_of("SELECT 1"), args_of(""), args_of(None)
    ({'a': 1}, 'SELECT 1', {}, {})
    """
    if raw is None:
        return {}
    if not isinstance(raw, str):
        return raw
    stripped = raw.strip()
    if not stripped:
        return {}
    if stripped[0] in "{[":
        try:
            return json.loads(stripped)
        except (ValueError, RecursionError):
            return raw
    return raw


def opened(value: Any) -> Any:
    """Return the JSON inside a string, whatever it is; text that is no JSON, and no text, as it is."""
    if isinstance(value, str):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value


def result_of(content: Any) -> Any:
    """Return a tool's result: text parts as one text, blobs by their length, everything else as it is.

    >>> result_of([{"type": "text", "text": '{"ok": true}'}])
    '{"ok": true}'
    """
    parts = content if isinstance(content, list) else None
    if parts and all(
        isinstance(p, str) or (isinstance(p, Mapping) and word(p, "type") in _TEXT_TYPES - {None}) for p in parts
    ):
        return clipped("\n".join(_part_text(p) for p in parts))
    return without_blobs(content)


def clipped(value: Any, most: int = MAX_RESULT) -> Any:
    """Return a text without its middle when it is longer than any check reads."""
    if not isinstance(value, str) or len(value) <= most:
        return value
    head, tail = most * 3 // 4, most // 4
    return f"{value[:head]}\n[{len(value) - head - tail} characters left out]\n{value[-tail:]}"


def without_blobs(value: Any, key: str = "", depth: int = 0) -> Any:
    """Return a value with encoded files replaced by their length."""
    if isinstance(value, str):
        if len(value) > _MOST_BLOB and key in _BLOB_KEYS and " " not in value[:_MOST_BLOB]:
            return f"<{len(value)} characters of data>"
        return clipped(value)
    if depth > 30:
        return value
    if isinstance(value, Mapping):
        return {k: without_blobs(v, k, depth + 1) for k, v in value.items()}
    if isinstance(value, list):
        return [without_blobs(v, key, depth + 1) for v in value]
    return value


def command_of(argv: Any) -> Any:
    """Return a command line as one string; what a shell was told to run, where it is `bash -lc ...`.

    >>> command_of(["bash", "-lc", "pytest -q && ls"]), command_of(["ls", "a b"])
    ('pytest -q && ls', "ls 'a b'")
    """
    if not isinstance(argv, list) or not argv or not all(isinstance(a, str) for a in argv):
        return argv
    if len(argv) == 3 and argv[1] in ("-lc", "-c", "-Command", "/c"):
        return argv[2]
    import shlex

    return shlex.join(argv)
