"""Whatever happened to a file on its way: claimx's own errors alone are raised, and what stands beside the damage is read."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from claimx.adapters import read_runs
from claimx.adapters.formats import BY_NAME
from claimx.errors import InputError
from claimx.types import Run
from tests.adapters.sessions import SESSION, TAU, TAU2  # type: ignore[import-not-found]
from tests.adapters.test_coding_agents import rollout, session  # type: ignore[import-not-found]
from tests.adapters.test_fixtures import FILES, FIXTURES  # type: ignore[import-not-found]

VERCEL = Path(__file__).parent.parent / "integrations" / "vercel"
RUN = {"id": "r", "reply": "Sent.", "tools": ["send_email"], "user": "Mail it", "now": "2026-01-01T00:00:00Z",
       "ledger": [{"id": "c", "tool": "send_email", "args": {"to": "a"}, "result": "ok", "status": "success"}]}  # fmt: skip


def nested(depth: int) -> Any:
    value: Any = "x"
    for i in range(depth):
        value = [value] if i % 2 else {"a": value}
    return value


ODD = (
    None, True, 0, -1.5, "", "x", "[]", '{"a": 1}', [], {}, [None], [[]], {"a": None}, [{"type": "text"}], {"role": "user"}, "\ud800", "²",
    10**30, 10**400, "9" * 5000, float("nan"), float("inf"), "\0", "a" * 70_000, nested(60), nested(900), {"type": ["x"]}, {"role": {}},
)  # fmt: skip


def samples() -> dict[str, tuple[str, list[Any]]]:
    """name -> format, rows. A document is one row."""
    out: dict[str, tuple[str, list[Any]]] = {"claimx": ("claimx", [RUN])}
    for name, (format, _, _) in FILES.items():
        text = (FIXTURES / name).read_text(encoding="utf-8")
        out[name] = format, [json.loads(text)] if name.endswith(".json") else [json.loads(x) for x in text.splitlines()]
    for kind in ("model", "ui"):
        out[f"vercel-{kind}"] = "vercel", [{"messages": json.loads((VERCEL / f"{kind}-messages.json").read_text())}]
    more = (("claude-code", session()), ("codex", rollout()), ("tau-bench", TAU), ("tau2-bench", [TAU2]))
    return {**out, **{name: (name, rows) for name, rows in more}}


SAMPLES = samples()


def test_every_format_has_a_sample() -> None:
    assert {format for format, _ in SAMPLES.values()} == set(BY_NAME)


def lines(rows: list[Any]) -> bytes:
    return b"".join(json.dumps(r).encode() + b"\n" for r in rows)


def other(rows: list[Any]) -> list[Any]:
    """The same story of another session, trace or thread, so that it is a conversation of its own."""
    text = json.dumps(rows)
    for trace in set(re.findall(r'"(?:0x)?([0-9a-f]{32})"', text)):
        text = text.replace(trace, trace[::-1])
    for trace in set(re.findall(r'"traceId": "([A-Za-z0-9+/]{22}==)"', text)):
        text = text.replace(trace, "A" + trace[1:])
    for id in set(re.findall(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", text)) - {SESSION}:
        text = text.replace(id, id[:-6] + id[:-7:-1])
    text = text.replace(SESSION[:8], "77777777").replace(SESSION[:4], "7777").replace("rollout-1", "rollout-2")
    return list(
        json.loads(
            re.sub(r'("(?:trace_?[iI]d|id)": )"trace-1"', r'\1"trace-2"', text)
            .replace('"s-1"', '"s-2"')
            .replace('"t-1"', '"t-2"')
        )
    )


def told(runs: list[Run]) -> set[tuple[Any, ...]]:
    """What of the runs must not change: the texts and how their calls ended."""
    return {(r.reply, tuple((e.tool, json.dumps(e.args), str(e.status), e.error) for e in r.ledger)) for r in runs}


def read(data: bytes, format: str | None) -> list[Run]:
    """Read everything; only claimx's own errors may come of it."""
    runs: list[Run] = []
    said: list[str] = []
    try:
        for found in read_runs(data, format, "all"):
            assert (found.run is None) != (found.error is None)
            if found.run is not None:
                runs.append(found.run)
                assert len({e.id for e in found.run.ledger}) == len(found.run.ledger)
                json.dumps(found.run.to_dict())
            said.append(str(found.error or ""))
    except InputError as e:
        said.append(str(e))
    assert max(map(len, said), default=0) < 1000
    return runs


@st.composite
def damage(draw: st.DrawFn) -> tuple[str, bytes, list[Any]]:
    """A sample with one thing changed: a value dropped, replaced, doubled, or the text cut."""
    name = draw(st.sampled_from(sorted(SAMPLES)))
    rows = copy.deepcopy(SAMPLES[name][1])
    kind = draw(st.sampled_from(["drop", "replace", "replace", "double", "cut"]))
    if kind == "cut":
        at = draw(st.integers(0, len(rows) - 1))
        row = json.dumps(rows[at]).encode()
        cut = row[: draw(st.integers(0, len(row) - 1))]
        return name, lines(rows[:at]) + cut + b"\n" + lines(rows[at + 1 :]), rows
    inner: Any = rows
    for _ in range(draw(st.integers(1, 7))):
        keys = list(inner) if isinstance(inner, dict) else list(range(len(inner)))
        holder, key = inner, draw(st.sampled_from(keys))
        inner = holder[key]
        if not isinstance(inner, dict | list) or not inner:
            break
    if kind == "drop":
        del holder[key]
    elif kind == "double" and isinstance(holder, list):
        holder.insert(key, copy.deepcopy(inner))
    else:
        holder[key] = draw(st.sampled_from(ODD))
    return name, lines(rows), rows


@settings(max_examples=250, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), database=None)
@given(damage())
def test_damage_gives_errors_of_claimx_and_costs_no_other_conversation(found: tuple[str, bytes, list[Any]]) -> None:
    name, data, _ = found
    format, rows = SAMPLES[name]
    read(data, None)
    whole = lines(other(rows))
    assert told(read(whole, format)) <= told(read(data + whole, format))


@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck), database=None)
@given(
    st.sampled_from(sorted(SAMPLES)),
    st.sampled_from(sorted(BY_NAME)),
    st.sampled_from(["utf-8", "utf-16", "utf-8-sig", "latin-1"]),
)
def test_another_format_and_another_encoding_are_told_or_read(name: str, format: str, encoding: str) -> None:
    text = lines(SAMPLES[name][1]).decode().replace("refund", "réfund")
    read(text.encode(encoding), format)
