"""Any value may stand anywhere: what is read is a run or a told error, never a crash."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from claimx.adapters import read_runs
from claimx.errors import InputError
from tests.adapters.sessions import TAU, TAU2  # type: ignore[import-not-found]
from tests.adapters.test_coding_agents import rollout, session  # type: ignore[import-not-found]

FIXTURES = Path(__file__).parent / "fixtures"
ODD = (
    None,
    True,
    0,
    -1.5,
    "",
    "x",
    "[]",
    '{"a": 1}',
    [],
    {},
    [None],
    [[]],
    {"a": None},
    [{"type": "text"}],
    {"role": "user"},
    "\ud800",
    10**30,
)


def sources() -> Iterator[tuple[str, Any]]:
    for path in sorted(FIXTURES.glob("*.json*")):
        text = path.read_text(encoding="utf-8")
        rows = json.loads(text) if path.suffix == ".json" else [json.loads(x) for x in text.splitlines()]
        yield path.name, rows if isinstance(rows, list) else [rows]
    yield from (("claude-code", session()), ("codex", rollout()), ("tau", TAU), ("tau2", [TAU2]))


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield at
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, v in inner:
        yield from places(v, (*at, key))


def changed(value: Any, at: tuple[Any, ...], to: Any) -> Any:
    value = copy.deepcopy(value)
    inner = value
    for key in at[:-1]:
        inner = inner[key]
    inner[at[-1]] = to
    return value


@pytest.mark.parametrize(("name", "rows"), list(sources()), ids=lambda x: x if isinstance(x, str) else "")
def test_an_odd_value_anywhere_is_read_or_told(name: str, rows: list[Any]) -> None:
    rng = random.Random(name)
    every = [p for p in places(rows) if p]
    for at in rng.sample(every, min(len(every), 25)):
        for odd in rng.sample(ODD, 3):
            source = changed(rows, at, odd)
            try:
                found = list(read_runs(iter(source), turns="all"))
            except InputError:
                continue
            for f in found:
                assert (f.run is None) != (f.error is None)
                if f.run is not None:
                    assert f.run.reply.strip()
                    assert len({e.id for e in f.run.ledger}) == len(f.run.ledger)
                    json.dumps(f.run.to_dict())
