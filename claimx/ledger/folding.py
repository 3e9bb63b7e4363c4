"""From rows to what the checker reads: entries (one a call) and runs (a reply with the calls before it)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from claimx.errors import LedgerError
from claimx.ledger.row import Kind, Row
from claimx.types import CallStatus, LedgerEntry, Run, Tool

#: Where a run carries the rows that prove its ledger.
CHAIN = "chain"
_ALSO = ("call_id", "labels", "args_digest", "args_cut", "duration_ms", "result_digest", "result_cut")


def fold(rows: Iterable[Row]) -> list[LedgerEntry]:
    """Return the calls that rows record, in the order in which they started.

    A call without a last row has status unknown: the process died, or it is still running. Raises LedgerError for
    rows that can't be read.
    """
    started: dict[str, Mapping[str, Any]] = {}
    finished: dict[str, Mapping[str, Any]] = {}
    turns: dict[str, int] = {}
    turn = 0
    for row in rows:
        if row.damage is not None:
            raise LedgerError(f"a row cannot be read ({row.damage}): see `claimx ledger verify`")
        if row.kind == Kind.STARTED:
            started.setdefault(row.id, row.body)
            turns.setdefault(row.id, turn)
        elif row.kind == Kind.FINISHED:
            finished.setdefault(row.id, row.body)
        elif row.kind == Kind.MESSAGE and row.body.get("role") == "user":
            turn += 1
    return [_entry(i, s, finished.get(i, {}), turns[i]) for i, s in started.items()]


def _entry(id: str, start: Mapping[str, Any], end: Mapping[str, Any], turn: int) -> LedgerEntry:
    both = {**end, **start}
    return LedgerEntry(
        id=id,
        tool=str(start.get("tool")),
        args=start.get("args"),
        result=end.get("result"),
        status=CallStatus(end["status"]) if end.get("status") in list(CallStatus) else CallStatus.UNKNOWN,
        started_at=start.get("started_at"),
        ended_at=end.get("ended_at"),
        error=end.get("error"),
        parent_id=start.get("parent_id"),
        turn=turn or None,
        captured=start.get("captured", True) and end.get("captured", True),
        extra={k: both[k] for k in _ALSO if k in both},
    )


def make_run(
    rows: Sequence[Row], reply: str, *, tools: Iterable[Tool] = (), user: str | None = None, id: str | None = None
) -> Run:
    """Return the run of a reply that came after the rows; signed rows go with it as its proof."""
    said = [r.body.get("text") for r in rows if r.kind == Kind.MESSAGE and r.body.get("role") == "user"]
    signed = any(r.signature is not None for r in rows)
    return Run(
        reply=reply,
        ledger=tuple(fold(rows)),
        tools=tuple(tools),
        id=id if id is not None else (rows[0].conversation if rows else ""),
        user=user if user is not None else (str(said[-1]) if said else None),
        extra={CHAIN: [r.to_dict() for r in rows]} if signed else {},
    )


def runs_of(rows: Sequence[Row]) -> Iterator[Run]:
    """Yield a run for each recorded message of the assistant, with the calls and tools before it."""
    replies = [i for i, r in enumerate(rows) if r.kind == Kind.MESSAGE and r.body.get("role") == "assistant"]
    for i in replies:
        row = rows[i]
        name = row.conversation if len(replies) == 1 else f"{row.conversation}#{row.seq}"
        tools = [Tool.from_any(t) for t in row.body.get("tools", ())]
        yield make_run(rows[: i + 1], str(row.body.get("text")), tools=tools, id=name)
