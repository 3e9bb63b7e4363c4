"""Pieces, features and windows."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from claimx.extract.encoding import windows_of
from claimx.extract.features import BOUNDARIES, CASES, FEATURE_SIZES, features_of


@given(st.integers(0, 3000), st.integers(20, 400), st.integers(2, 19))
def test_windows_keep_every_piece_once(length: int, window: int, overlap: int) -> None:
    kept = [i for s, e, a, b in windows_of(length, window=window, overlap=overlap) for i in range(a, b)]
    assert kept == list(range(length))
    for s, e, a, b in windows_of(length, window=window, overlap=overlap):
        assert 0 <= s <= a < b <= e <= length
        assert e - s <= window


@given(st.text(max_size=200))
def test_features_stay_within_their_vocabularies(text: str) -> None:
    offsets = [(i, i + 1) for i in range(len(text))]
    rows = features_of(text, offsets)
    assert rows.shape == (len(text), 3)
    assert all((rows[:, k] < FEATURE_SIZES[k]).all() for k in range(3))


def test_features_tell_case_breaks_chunks_and_lines() -> None:
    text = "Sent it\n\n- SU-88421: $64"
    words = ["Sent", "it", "-", "SU", "-", "88421", ":", "$", "64"]
    offsets, at = [], 0
    for w in words:
        at = text.index(w, at)
        offsets.append((at, at + len(w)))
        at += len(w)
    rows = features_of(text, offsets)
    case, boundary = rows[:, 0] // len(BOUNDARIES), rows[:, 0] % len(BOUNDARIES)
    assert [CASES[c] for c in case[:2]] == ["title", "lower"]
    assert BOUNDARIES[boundary[2]] == "paragraph"
    assert CASES[case[3]] == "upper"
    assert rows[2, 2] == rows[8, 2] != rows[0, 2]
    assert rows[7, 1] == rows[8, 1] == 2
