"""Replies cut into pieces: whole, in order, with the right claim on each."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimx.report.marking import Mark, Piece, pieces_of, visible


def test_a_claim_its_trigger_and_its_values_are_told_apart() -> None:
    reply = "Hi. I refunded $64 today."
    mark = Mark(4, 24, (6, 14), ((15, 18, True),), True)
    assert pieces_of(reply, [mark]) == [
        Piece("Hi. "),
        Piece("I ", 0, "claim"),
        Piece("refunded", 0, "trigger"),
        Piece(" ", 0, "claim"),
        Piece("$64", 0, "wrong"),
        Piece(" today", 0, "claim"),
        Piece("."),
    ]


def test_of_two_claims_in_one_clause_each_keeps_its_own_words() -> None:
    reply = "I booked and paid it"
    pieces = pieces_of(reply, [Mark(0, 20, (2, 8)), Mark(0, 20, (13, 17), (), True)])
    assert [(p.text, p.claim) for p in pieces] == [("I ", 1), ("booked", 0), (" and ", 1), ("paid", 1), (" it", 1)]


def test_a_huge_reply_keeps_its_start_and_what_is_around_its_flagged_claims() -> None:
    reply = "a" * 50_000 + "I refunded it" + "b" * 900_000 + "I mailed it" + "c" * 10
    marks = [Mark(50_000, 50_013, (50_002, 50_010), (), True), Mark(950_013, 950_024, (950_015, 950_021), (), True)]
    pieces = pieces_of(reply, marks, most=3000)
    assert sum(len(p.text) for p in pieces if p.role != "gap") < 3000
    assert [p.text for p in pieces if p.role == "trigger"] == ["refunded", "mailed"]
    assert sum(int(p.text) for p in pieces if p.role == "gap") + sum(
        len(p.text) for p in pieces if p.role != "gap"
    ) == len(reply)


def test_a_claim_as_long_as_the_reply_is_cut_too() -> None:
    reply = "x" * 1_000_000
    pieces = pieces_of(reply, [Mark(0, len(reply), (0, 5), (), True)], most=6000)
    assert sum(len(p.text) for p in pieces) < 13_000


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("paid \u202e001$", "paid ⟨U+202E⟩001$"),
        ("a\u2066b\u2069", "a⟨U+2066⟩b⟨U+2069⟩"),
        ("nul\x00esc\x1b[31m", "nul⟨U+0000⟩esc⟨U+001B⟩[31m"),
        ("zero\u200bwidth", "zero⟨U+200B⟩width"),
        ("lone \ud83d", "lone ⟨U+D83D⟩"),
        ("line\nbreak\tand 👩\u200d💻 ok", "line\nbreak\tand 👩\u200d💻 ok"),
        ("שלום ok", "שלום ok"),
    ],
)
def test_characters_that_reorder_hide_or_control_are_shown(text: str, shown: str) -> None:
    assert visible(text) == shown


spans = st.tuples(st.integers(0, 60), st.integers(0, 60)).map(lambda s: (min(s), max(s)))
marks = st.builds(
    lambda c, t, v, f: Mark(*c, t, tuple((*x, f) for x in v), f),
    spans,
    spans,
    st.lists(spans, max_size=2),
    st.booleans(),
)


@settings(max_examples=60)
@given(st.text(max_size=60), st.lists(marks, max_size=4))
def test_the_pieces_of_a_reply_are_the_reply(reply: str, marks: list[Mark]) -> None:
    pieces = pieces_of(reply, marks)
    assert "".join(p.text for p in pieces) == visible(reply)
    assert all(-1 <= p.claim < len(marks) for p in pieces)
