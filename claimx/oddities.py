"""What is odd about a run in its JSON shape and costs nothing: told, so that a misspelt field is not taken for an empty one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from functools import lru_cache
from typing import Any

from claimx.types import CompletionState

_RUN = ("reply", "ledger", "tools", "user", "now")
_ENTRY = ("tool", "args", "result", "status", "error", "started_at", "ended_at", "parent_id", "state")
#: What other people call fields of an entry.
_MEANT = {"arguments": "args", "params": "args", "parameters": "args", "input": "args", "output": "result", "response": "result",
          "calls": "ledger", "tool_calls": "ledger", "ok": "status", "success": "status"}  # fmt: skip
#: How alike a name must be to a known one to be called misspelt (difflib's ratio).
_ALIKE = 0.75
_MOST = 4
#: Names of this many characters in all are remembered with what was found; a record of more is looked through afresh.
_REMEMBERED = 2_000


def oddities(data: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield fields of a run that is read all the same, each with what is odd about it and what was made of it."""
    for name, near in _misspelt(data, _RUN):
        yield name, f"is not read: did you mean {near!r}?"
    if "ledger" not in data and not any(near == "ledger" for _, near in _misspelt(data, _RUN)):
        yield "ledger", "is missing and counts as empty: write [] if no call was made"
    if data.get("now") is not None and not isinstance(data["now"], str):
        yield "now", "is no ISO 8601 time in a string: it is not read"
    entries = [e for e in data.get("ledger") or () if isinstance(e, Mapping)]
    told: Counter[str] = Counter()
    for i, entry in enumerate(data.get("ledger") or ()):
        if not isinstance(entry, Mapping):
            continue
        for name, near in _misspelt(entry, _ENTRY):
            told[name] += 1
            if told[name] == 1:
                yield f"ledger[{i}].{name}", f"is not read: did you mean {near!r}?"
    for name, count in Counter(str(e["id"]) for e in entries if e.get("id") is not None).items():
        if count > 1:
            yield "ledger", f"has {count} calls with the id {name[:40]!r}: the later ones are given ids of their own"
            break
    for i, entry in enumerate(entries):
        state = entry.get("state")
        if not isinstance(state, str) or state in list(CompletionState):
            continue
        meant = get_close_matches(state, list(CompletionState), 1, 0.8)
        if meant:
            yield f"ledger[{i}].state", f"is {state[:40]!r} and not read: did you mean {str(meant[0])!r}?"
            break


def _misspelt(data: Mapping[str, Any], known: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Fields that are like a known one which the record lacks; other further fields are free."""
    names = tuple(map(str, data))
    return _alike(names, known) if sum(map(len, names)) <= _REMEMBERED else _alike.__wrapped__(names, known)


@lru_cache(maxsize=1024)  # the records of an archive have few sets of names among them
def _alike(names: tuple[str, ...], known: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    missing = [k for k in known if k not in names]
    out = []
    for name in names:
        if name in known or name in ("id", "text", "turn"):
            continue
        bare = name.strip().lower().strip(" :_-.")
        meant = bare if bare in missing else _MEANT.get(bare)
        near = [meant] if meant in missing else get_close_matches(bare, missing, 1, _ALIKE)
        if near and near[0] is not None:
            out.append((name, near[0]))
    return tuple(out[:_MOST])
