"""A recorded run under guard: each call is checked with what the run had seen before it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from claimx.errors import InputError
from claimx.guard.guard import Guard
from claimx.guard.policy import Policy
from claimx.guard.refusal import Decision
from claimx.types import CallStatus, Run, Tool


def replay(
    run: Run, *, policy: Policy | None = None, strict_tools: bool = False, line: int | None = None
) -> list[Decision]:
    """Return the decision on every call of a run: those of its ledger, then those of its field `calls`, which ask to run.

    The user's words count as seen, and so does what stands in the run's field `seen`. `strict_tools` refuses calls of
    the ledger whose tool the run does not list. Raises InputError when `calls` cannot be read.
    """
    tools = {t.name: t for t in run.tools}
    if not strict_tools:
        for e in run.ledger:
            tools.setdefault(e.tool, Tool(e.tool))
    proposed = _calls_of(run, line)
    guard = Guard(tools.values() if run.tools else None, policy=policy)
    guarded = guard.run(user=run.user or (), config=run.extra.get("seen"))
    decisions = []
    for e in run.ledger:
        decisions.append(guarded.check(e.tool, e.args, call_id=e.id))
        failed = e.status in (CallStatus.ERROR, CallStatus.TIMEOUT)
        guarded.saw(e.result if e.captured else None, call_id=e.id, tool=e.tool, args=e.args, failed=failed)
    decisions += [guarded.check(tool, args, call_id=call_id) for tool, args, call_id in proposed]
    return decisions


def _calls_of(run: Run, line: int | None) -> list[tuple[str, Any, str | None]]:
    where = f"line {line}: " if line else ""
    listed = run.extra.get("calls", [])
    if not isinstance(listed, list):
        raise InputError(
            f"{where}field 'calls' is {type(listed).__name__}, expected a list of calls", line=line, field="calls"
        )
    out = []
    for i, c in enumerate(listed):
        name = f"calls[{i}]"
        if not isinstance(c, Mapping) or not isinstance(c.get("tool"), str) or not c["tool"]:
            message = f"{where}field {name!r} is no call: it needs 'tool' (a name) and may have 'args' and 'id'"
            raise InputError(message, line=line, field=name)
        out.append((c["tool"], c.get("args"), str(c["id"]) if c.get("id") is not None else None))
    return out
