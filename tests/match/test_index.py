"""The search over all calls at once leaves out no call that holds a value."""

from __future__ import annotations

import pytest

from claimx.match.evidence import scene_of
from claimx.match.figures import is_grouped, is_spaced, stands_in, without_signs
from claimx.match.finding import find
from claimx.match.options import MatchOptions
from claimx.match.view import view_of
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
    {"fee_cents": "1,850"},
    {"fee_cents": "1 950"},
]
AMOUNTS = ["$18.50", "$19.50", "$1,234.50", "€1.234,50", "$512", "$5.12", "$5", "$7.77"]


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


@pytest.mark.parametrize(
    ("text", "grouped"),
    [
        ("1,250.00", True), ("1.250", True), ("1'250", True), ("1’250", True), ("1 250,50", True), ("1,25,000", True),
        ("12.50 on 2026-03-02 at 10:30:15", False), ("1.5, 250", False), (",250", False), ("1,2504", False), ("", False),
    ],
)  # fmt: skip
def test_thousands_that_are_set_off_are_seen(text: str, grouped: bool) -> None:
    assert is_grouped(text) is grouped


@pytest.mark.parametrize("amounts", [(20, 20.0), (20.0, 20)])
def test_a_value_is_read_as_it_is_written_whatever_was_read_before(amounts: tuple[float, float]) -> None:
    entries = (LedgerEntry("c1", "pay", {"amount": x}) for x in amounts)
    read = [view_of(e).read(SlotType.MONEY, 0, None) for e in entries]
    assert [r.text for r in read if r is not None] == [str(x) for x in amounts]
