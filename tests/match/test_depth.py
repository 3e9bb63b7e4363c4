"""Arguments and results nested more deeply than a program can walk cost no verdict."""

from __future__ import annotations

from typing import Any

import pytest

from claimx.match import judge
from claimx.records import parse_run
from claimx.types import Action, Actor, Extraction, Modality, Tense, TextSpan

REPLY = "I sent the email."
SENT = Action(
    REPLY, 0, 17, TextSpan("sent", 2, 6), TextSpan("email", 11, 16), "send", Tense.PAST, Modality.ASSERTED, Actor.AGENT
)


def nested(depth: int, *, inner: Any = 1, of: type = dict) -> Any:
    value = inner
    for _ in range(depth):
        value = {"x": value} if of is dict else [value]
    return value


@pytest.mark.parametrize("of", [dict, list])
@pytest.mark.parametrize("depth", [100, 3_000, 50_000])
@pytest.mark.parametrize("field", ["args", "result"])
def test_the_outer_levels_of_what_is_nested_too_deeply_are_read(field: str, depth: int, of: type) -> None:
    call = {"id": "c1", "tool": "send_email", "args": {}, "result": {"ok": True}, field: nested(depth, of=of)}
    receipt = judge(Extraction((SENT,)), parse_run({"reply": REPLY, "ledger": [call]}))
    assert [str(c.status) for c in receipt.claims] == ["confirmed"]


@pytest.mark.parametrize("depth", [3_000])
def test_a_failure_beside_it_still_counts(depth: int) -> None:
    result = {"ok": False, "error": "mailbox full", "trace": nested(depth)}
    call = {"id": "c1", "tool": "send_email", "args": {}, "result": result}
    receipt = judge(Extraction((SENT,)), parse_run({"reply": REPLY, "ledger": [call]}))
    assert [str(c.status) for c in receipt.claims] == ["tool_failed"]
