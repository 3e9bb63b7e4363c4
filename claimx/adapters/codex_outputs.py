"""What came back of a command of Codex: its exit code and status, read out of the texts that its versions write."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from claimx.adapters.content import result_of
from claimx.adapters.plain import first, mapping
from claimx.types import CallStatus

_CODE = re.compile(r"^(?:Exit code: |Process exited with code )(-?\d{1,9})\s*$", re.MULTILINE)
_RUNNING = re.compile(r"^Process running with session ID (\S+)\s*$", re.MULTILINE)
_OUTPUT = re.compile(r"^(?:Total output lines: \d+\n)?Output:\n", re.MULTILINE)
_LATE = re.compile(r"\s*(?:error: )?command timed out\b", re.I)
_FAILED = re.compile(
    r"\s*(?:aborted|failed|error|exec_command failed|apply_patch verification failed|execution error|"
    r"err: |unsupported call|patch rejected)\b",
    re.IGNORECASE,
)


def outcome_of(output: Any) -> tuple[Any, CallStatus, str | None]:
    """Return a command's result and status, and the session of one that still runs.

    >>> outcome_of('{"output": "2 passed", "metadata": {"exit_code": 0}}')[0]
    {'exit_code': 0, 'output': '2 passed'}
    >>> outcome_of("Exit code: 1\\nWall time: 2 seconds\\nOutput:\\n1 failed")[:2]
    ({'exit_code': 1, 'output': '1 failed'}, <CallStatus.ERROR: 'error'>)
    """
    data = mapping(output)
    success = data.get("success")
    said = first(data, "content", "output") if data else output
    said = result_of(said)
    if not isinstance(said, str):
        return said, CallStatus.ERROR if success is False else CallStatus.SUCCESS, None
    inner = _envelope(said)
    if inner is not None:
        code, said = mapping(inner.get("metadata")).get("exit_code"), result_of(inner.get("output"))
        status = CallStatus.ERROR if (code or success is False) else CallStatus.SUCCESS
        status = CallStatus.TIMEOUT if code and _is_late(said) else status
        return ({"exit_code": code, "output": said} if code is not None else said), status, None
    head = said[:600]
    running, code_, body = _RUNNING.search(head), _CODE.search(head), _OUTPUT.search(said[:2000])
    rest = said[body.end() :] if body else said
    if code_:
        number = int(code_.group(1))
        ended = CallStatus.TIMEOUT if number and _is_late(rest) else CallStatus.ERROR if number else CallStatus.SUCCESS
        return {"exit_code": number, "output": rest}, ended, None
    if running:
        return {"output": rest}, CallStatus.UNKNOWN, running.group(1)
    if _is_late(said):
        return said, CallStatus.TIMEOUT, None
    failed = success is False or _FAILED.match(said) is not None
    return said, CallStatus.ERROR if failed else CallStatus.SUCCESS, None


def _is_late(said: Any) -> bool:
    return isinstance(said, str) and _LATE.match(said) is not None


def _envelope(said: str) -> Mapping[str, Any] | None:
    if not said.startswith("{"):
        return None
    try:
        value = json.loads(said)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and "output" in value and "metadata" in value else None
