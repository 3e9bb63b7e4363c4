"""Tags to spans, attributes and links."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from claimx.extract.decode import Calibration, Scores, attributes_of, best_tags, links_of, spans_of, whole_words
from claimx.extract.labels import LINK_WIDTH, TAGS, tag_id
from claimx.types import Actor, Modality, Tense


def scores(n: int) -> Scores:
    zeros = np.zeros((n, LINK_WIDTH), dtype=np.float32)
    flat = np.zeros(n, dtype=np.float32)
    heads = [np.zeros((n, k), dtype=np.float32) for k in (len(TAGS), 3, 7, 3)]
    return Scores(*heads, zeros, zeros.copy(), flat, np.zeros(16, dtype=np.float32), np.zeros(n, dtype=bool))


@given(hnp.arrays(np.float32, st.tuples(st.integers(1, 12), st.just(len(TAGS))), elements=st.floats(-9, 9, width=32)))
def test_every_tag_sequence_is_valid(logits: np.ndarray) -> None:
    previous = "O"
    for tag in (TAGS[i] for i in best_tags(logits)):
        if tag.startswith("I-"):
            assert previous[2:] == tag[2:]
        previous = tag


def test_an_inside_tag_without_a_start_gets_one() -> None:
    logits = np.zeros((3, len(TAGS)), dtype=np.float32)
    logits[0, 0] = logits[2, 0] = 5
    logits[1, tag_id("I", "DATE")] = 5
    logits[1, tag_id("B", "DATE")] = 4
    assert [TAGS[i] for i in best_tags(logits)] == ["O", "B-DATE", "O"]


def test_neighbouring_spans_of_one_type_stay_apart() -> None:
    tags = [tag_id("B", "ID"), tag_id("I", "ID"), tag_id("B", "ID"), 0]
    p = np.full((4, len(TAGS)), 1 / len(TAGS), dtype=np.float32)
    assert [(s.type, s.first, s.last) for s in spans_of(tags, p)] == [("ID", 0, 2), ("ID", 2, 3)]


@pytest.mark.parametrize(
    ("tags", "inside", "expected"),
    [
        (["B-ACTION", "O", "O"], [False, True, True], ["B-ACTION", "I-ACTION", "I-ACTION"]),  # com|plain
        (["O", "B-ACTION", "O"], [False, True, False], ["O", "O", "O"]),  # sy|mpath|ize begins nowhere
        (["B-NAME", "B-OBJECT", "I-OBJECT"], [False, True, False], ["B-NAME", "I-NAME", "I-OBJECT"]),
        (["B-COUNT", "B-NAME", "O"], [False, False, True], ["B-COUNT", "B-NAME", "I-NAME"]),  # 16|G|iB
        (["B-DATE", "I-DATE", "B-DATE"], [False, False, False], ["B-DATE", "I-DATE", "B-DATE"]),
    ],
)
def test_no_span_begins_or_ends_within_a_word(tags: list[str], inside: list[bool], expected: list[str]) -> None:
    path = np.array([TAGS.index(t) for t in tags])
    assert [TAGS[i] for i in whole_words(path, np.array(inside))] == expected


@pytest.mark.parametrize(("threshold", "claims"), [(0.5, True), (0.95, False)])
def test_attributes_follow_from_whether_the_claim_reaches_the_threshold(threshold: float, claims: bool) -> None:
    s = scores(1)
    s.tense[0, 0], s.modality[0, 0], s.actor[0, 0] = 4, 4, 4
    s.modality[0, 1] = 2
    tense, modality, actor, p = attributes_of(s, 0, 1.0, Calibration(claim_threshold=threshold))
    assert 0.5 < p < 0.95
    is_claim = tense is not Tense.FUTURE and modality is Modality.ASSERTED and actor is Actor.AGENT
    assert is_claim is claims


def test_a_link_is_none_when_none_scores_best_unless_it_must() -> None:
    s = scores(5)
    s.null[3] = 1.0
    triggers = np.array([0, 4])
    assert links_of(s, np.array([3]), triggers, must=[False]) == [None]
    assert links_of(s, np.array([3]), triggers, must=[True])[0] in (0, 1)
    assert links_of(s, np.array([3]), np.array([], dtype=np.int64), must=[True]) == [None]


def test_a_link_prefers_the_favoured_distance() -> None:
    s = scores(9)
    s.distance_bias[7] = 2.0  # a trigger up to two pieces before the span
    assert links_of(s, np.array([4]), np.array([3, 8]), must=[False]) == [0]
