"""Spans as they come, grouped into traces: a trace is read once its root has come and others have followed, or at the end."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from claimx.adapters.conversation import weight
from claimx.adapters.found import Found, Reading, note
from claimx.adapters.steps import Step, runs_of
from claimx.types import LedgerEntry

#: Traces and characters held before the oldest traces are read, and sessions whose calls are remembered.
MAX_TRACES, MAX_HELD, MAX_SESSIONS = 2_000, 48_000_000, 500


@dataclass(slots=True)
class _Open:
    line: int
    steps: list[Step] = field(default_factory=list)
    size: int = 0
    has_root: bool = False


def read_steps(steps: Iterable[tuple[int, Step | Found]], reading: Reading) -> Iterator[Found]:
    """Group steps by trace and give the runs of each trace; what could not be read passes through."""
    held: OrderedDict[str, _Open] = OrderedDict()
    sessions: OrderedDict[str, tuple[LedgerEntry, ...]] = OrderedDict()
    closed: OrderedDict[str, bool] = OrderedDict()
    size = 0
    for line, step in steps:
        if isinstance(step, Found):
            yield step
            continue
        if step.trace in closed and not closed[step.trace]:
            closed[step.trace] = True
            yield note(line, f"trace {step.trace}: a span came after the trace had been read")
        trace = held.setdefault(step.trace, _Open(line))
        own = sum(map(weight, (step.asked, step.answered, step.args, step.result, step.output)))
        trace.steps.append(step)
        trace.size += own
        trace.has_root = trace.has_root or not step.parent
        size += own
        while len(held) > MAX_TRACES or (size > MAX_HELD and len(held) > 1):
            key = next((k for k, t in held.items() if t.has_root), next(iter(held)))
            size -= held[key].size
            closed[key] = False
            if len(closed) > MAX_TRACES:
                closed.popitem(last=False)
            yield from _read(key, held.pop(key), sessions, reading)
    while held:
        key, trace = held.popitem(last=False)
        yield from _read(key, trace, sessions, reading)


def _read(
    key: str, trace: _Open, sessions: OrderedDict[str, tuple[LedgerEntry, ...]], reading: Reading
) -> Iterator[Found]:
    session = next((s.session for s in trace.steps if s.session), None)
    earlier = sessions.get(session, ()) if session else ()
    found, entries = runs_of(trace.steps, id=key, line=trace.line, turns=reading.turns, earlier=earlier)
    if session:
        sessions[session] = entries
        sessions.move_to_end(session)
        if len(sessions) > MAX_SESSIONS:
            sessions.popitem(last=False)
    yield from found
