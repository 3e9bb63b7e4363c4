"""The search over all calls at once leaves out no call that holds a value."""

from __future__ import annotations

import pytest

from claimx.match.evidence import scene_of
from claimx.match.figures import is_spaced, stands_in, without_signs
from claimx.match.finding import find
from claimx.match.options import MatchOptions
from claimx.types import LedgerEntry, Run, Slot, SlotType

RESULTS = [
    {"total": 1234.5},
    {"total": "1,234.50"},
    {"total": "1 234,50 EUR"},
    {"amount_cents": 123450},
    "Paid 1234.50 in all",
    '{"sums":[3,1234.5]}',
    {"total": "1.2k"},
    {"order": "A-1234"},
    {"at": "2026-12-03T12:34:50"},
    {"total": 512},
    {"total": 5.12},
    {"fee": "5"},
]
AMOUNTS = ["$1,234.50", "€1.234,50", "$512", "$5.12", "$5", "$7.77"]


@pytest.mark.parametrize("text", AMOUNTS)
@pytest.mark.parametrize("others", [0, 40])
def test_every_call_that_holds_an_amount_may_hold_it(text: str, others: int) -> None:
    """Also when so many amounts are asked for that the numbers are listed once."""
    calls = tuple(LedgerEntry(f"c{i}", "pay", {}, r) for i, r in enumerate(RESULTS))
    scene = scene_of(Run("", calls), MatchOptions())
    for n in range(others):
        scene.index.may_hold(Slot(SlotType.MONEY, f"${900 + n}.25", 0, 1))
    slot = Slot(SlotType.MONEY, text, 0, len(text))
    may = scene.index.may_hold(slot)
    assert may is not None
    holding = {c.index for c in scene.calls if find(slot, c.view)}
    assert holding <= may
    assert len(may) < len(calls)
    assert bool(holding) == (text != "$7.77")


@pytest.mark.parametrize(
    ("figure", "text", "stands"),
    [
        ("12", "rows: 12", True), ("12", "rows: 120", False), ("12", "at 12:30", False), ("12", "2026-12-03", False),
        ("12", "A-12, 12", True), ("12", "312 and 12", True), ("12", "", False),
    ],
)  # fmt: skip
def test_a_number_stands_by_itself(figure: str, text: str, stands: bool) -> None:
    assert stands_in(figure, text) is stands


@pytest.mark.parametrize(
    ("text", "spaced", "bare"),
    [
        ("1 250", True, "1250"), ("a 250", False, "a 250"), (" 250", False, " 250"), ("1,250.5", False, "12505"),
        ("x, 1 2500", False, "x 1 2500"), ("3\u202f250,10", True, "325010"),
    ],
)  # fmt: skip
def test_numbers_are_joined_across_their_signs(text: str, spaced: bool, bare: str) -> None:
    assert is_spaced(text) is spaced
    assert without_signs(text) == bare
