"""What ran and was not told of: the writes of the turn that the reply ends, not those of turns that had replies of their own."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

from claimx.match import judge
from claimx.records import parse_run
from claimx.types import Extraction

_spec = importlib.util.spec_from_file_location(
    "claimx_case_reading", Path(__file__).parent.parent / "cases" / "reading.py"
)
assert _spec is not None
assert _spec.loader is not None
reading = importlib.util.module_from_spec(_spec)
sys.modules["claimx_case_reading"] = reading
_spec.loader.exec_module(reading)


def entry(id: str, turn: Any = None, **more: Any) -> dict[str, Any]:
    return {"id": id, "tool": "issue_refund", "args": {}, "result": {"ok": True}, "turn": turn, **more}


@pytest.mark.parametrize(
    ("ledger", "turn", "ids"),
    [
        ([entry("a"), entry("b")], None, ["a", "b"]),  # no turns are kept
        ([entry("a", 1), entry("b", 2)], 2, ["b"]),
        ([entry("a", 1), entry("b", 2)], None, ["b"]),  # the last turn is the reply's
        ([entry("a", 1), entry("b", 2)], 3, []),  # nothing ran in the reply's own turn
        ([entry("a", 1), entry("b")], 1, ["a", "b"]),  # whose turn is not known may be of this one
        ([entry("a", 1), entry("b", 1, tool="get_order")], 1, ["a"]),
        ([entry("a", "one"), entry("b", 2)], None, ["b"]),
    ],
)
def test_only_calls_of_the_replys_turn_are_unreported(ledger: list[Any], turn: int | None, ids: list[str]) -> None:
    run = parse_run({"reply": "Anything else?", "ledger": ledger, **({"turn": turn} if turn else {})})
    assert list(judge(Extraction((), ()), run).unreported) == ids


@pytest.mark.parametrize(
    ("marked", "ids"),
    [
        ("I ⟦cancelled|A1 paa⟧ the ⟦lesson|O1⟧.", ["b"]),  # the mail has no word in the reply
        ("I ⟦cancelled|A1 paa⟧ the ⟦lesson|O1⟧. You will ⟦get|A2 faa⟧ an ⟦email|O2⟧ shortly.", []),
        (
            "I ⟦cancelled|A1 paa⟧ the ⟦lesson|O1⟧ and wrote to ⟦ines@quay.example|CONTACT⟧.",
            [],
        ),  # a value of this call alone
        (
            "I ⟦cancelled|A1 paa⟧ the ⟦lesson|O1⟧. I did not ⟦send|A2 pna⟧ any ⟦email|O2⟧.",
            ["b"],
        ),  # a denial tells nothing
        ("I ⟦cancelled|A1 paa⟧ the ⟦lesson|O1⟧. Shall I ⟦send|A2 foa⟧ an ⟦email|O2⟧?", ["b"]),
    ],
)
def test_a_call_is_told_where_something_of_the_reply_names_it(marked: str, ids: list[str]) -> None:
    text, extraction = reading.extraction_of(marked)
    ledger = [
        entry("a", tool="cancel_lesson", args={"lesson": "L-7"}),
        entry("b", tool="send_email", args={"to": "ines@quay.example"}),
    ]
    receipt = judge(extraction, parse_run({"reply": text, "ledger": ledger}))
    assert list(receipt.unreported) == ids


def test_a_failing_check_is_quoted_against_the_word_that_tells_it_as_passing() -> None:
    text, extraction = reading.extraction_of("I ⟦ran|A1 paa⟧ the ⟦tests|O1⟧ and they are green.")
    ledger = [{"id": "c1", "tool": "bash", "args": {"command": "pytest"}, "result": "7 passed, 2 failed"}]
    [claim] = judge(extraction, parse_run({"reply": text, "ledger": ledger})).claims
    assert claim.reason == "c1.result is '2 failed', the reply says 'green': its output reports failures"
