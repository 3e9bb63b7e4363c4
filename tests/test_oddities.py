"""Misspelt and missing fields are told with their line and the nearest known field; fields of one's own are not."""

from __future__ import annotations

import json
from typing import Any

import pytest

from claimx.adapters import read_runs
from claimx.errors import InputError
from claimx.oddities import oddities
from claimx.records import parse_run

CALL = {"id": "c1", "tool": "send_email", "args": {}, "result": {"ok": True}, "status": "success"}
RUN: dict[str, Any] = {
    "id": "r",
    "reply": "Sent.",
    "tools": ["send_email"],
    "ledger": [CALL],
    "user": "Go",
    "now": "2026-05-03",
}


def entry(**fields: Any) -> dict[str, Any]:
    return {**RUN, "ledger": [{**CALL, **fields}]}


def without(*names: str, **fields: Any) -> dict[str, Any]:
    return {**{k: v for k, v in RUN.items() if k not in names}, **fields}


@pytest.mark.parametrize(
    ("run", "told"),
    [
        (without("tools", tools_=["a"]), [("tools_", "did you mean 'tools'?")]),
        (without("ledger", ledgr=[]), [("ledgr", "did you mean 'ledger'?")]),
        (without("ledger", tool_calls=[]), [("tool_calls", "did you mean 'ledger'?")]),
        (without("ledger"), [("ledger", "counts as empty")]),
        ({**RUN, "now": 1714}, [("now", "no ISO 8601 time")]),
        ({**RUN, "ledger": [{"tool": "a", "arg": {}}]}, [("ledger[0].arg", "did you mean 'args'?")]),
        ({**RUN, "ledger": [{"tool": "a", "arguments": {}}, {"tool": "a", "arguments": {}}]}, [("ledger[0].arguments", "'args'?")]),
        ({**RUN, "ledger": [{"tool": "a", "args": {}, "Result:": 1}]}, [("ledger[0].Result:", "did you mean 'result'?")]),
        ({**RUN, "ledger": [CALL, CALL]}, [("ledger", "2 calls with the id 'c1'")]),
        (entry(state="verifed"), [("ledger[0].state", "did you mean 'verified'?")]),
        (RUN, []),
        ({**RUN, "agent": {"model": "m"}, "turn": 2, "tags": ["a"], "tool": "x"}, []),
        (entry(duration_ms=4, turn=1, span="s", state="waiting"), []),
        (without("user", "now", "tools", "id"), []),
    ],
)  # fmt: skip
def test_what_is_odd_is_told(run: dict[str, Any], told: list[tuple[str, str]]) -> None:
    found = list(oddities(run))
    assert [f for f, _ in found] == [f for f, _ in told]
    assert all(part in odd for (_, odd), (_, part) in zip(found, told, strict=True))


def test_a_tool_written_with_a_colon_is_named_in_the_error() -> None:
    with pytest.raises(InputError, match=r"line 3: field 'ledger\[0\]': .*'tool'.*fields: tool:.*did you mean"):
        parse_run({"reply": "x", "ledger": [{"tool:": "a"}]}, line=3)


@pytest.mark.parametrize("status", ["done", "", "Success"])
def test_a_status_that_is_none_is_named_with_line_field_and_the_values_allowed(status: str) -> None:
    with pytest.raises(InputError) as caught:
        parse_run({"reply": "x", "ledger": [{"tool": "a", "status": status}]}, line=7)
    assert str(caught.value) == (
        f"line 7: field 'ledger[0].status': 'status' is {status!r}, expected success, error, timeout or unknown"
    )
    assert caught.value.field == "ledger[0].status"


def test_the_same_oddity_on_many_lines_is_told_a_few_times_and_counted() -> None:
    lines = "".join(json.dumps({"reply": "x", "ledger": [], "tools_": []}) + "\n" for _ in range(40))
    found = list(read_runs(lines.encode()))
    notes = [str(f.error) for f in found if f.is_note]
    assert sum(f.run is not None for f in found) == 40
    assert len(notes) == 6
    assert notes[0] == "line 1: field 'tools_' is not read: did you mean 'tools'?"
    assert notes[-1].startswith("line 40: 35 more like this: field 'tools_'")
