"""The project's own scores, on predictions whose figures can be counted by hand."""

from __future__ import annotations

import copy

from claimx.training.evaluate import calibration_error, flat, score, seqeval_report

from claimx.annotate.example import Example
from claimx.annotate.markup import compile_markup

TEXT, ACTIONS, VALUES = compile_markup(
    "I ⟦sent|A1 paa⟧ the ⟦invoice|O1⟧ ⟦INV-7|ID1⟧. I'll ⟦call|A2 faa⟧ ⟦Ana|PERSON2⟧. Total ⟦$5|MONEY⟧."
)
EXAMPLE = Example("e", TEXT, ACTIONS, VALUES)


def test_a_perfect_prediction_scores_one_throughout() -> None:
    figures = flat(score([EXAMPLE], [(ACTIONS, VALUES)]))
    assert set(figures.values()) == {1.0}


def test_each_kind_of_error_lowers_its_own_figure() -> None:
    actions = copy.deepcopy(ACTIONS)
    actions[1].update(tense="past")
    figures = flat(score([EXAMPLE], [(actions, VALUES)]))
    assert (figures["claim_p"], figures["claim_r"]) == (0.5, 1.0)
    assert figures["tense"] == figures["joint"] == 0.5
    assert figures["slot_f1"] == figures["action_f1"] == 1.0
    assert figures["exact"] == 0.0

    moved = copy.deepcopy(ACTIONS)
    loose = moved[0]["slots"].pop()
    figures = flat(score([EXAMPLE], [(moved, [*VALUES, loose])]))
    assert figures["link_f1"] == 0.0
    assert figures["slot_f1"] == 1.0

    figures = flat(score([EXAMPLE], [(ACTIONS[1:], [])]))
    assert (figures["claim_p"], figures["claim_r"]) == (1.0, 0.0)
    assert 0 < figures["slot_f1"] < 1


def test_calibration_error_is_the_gap_between_score_and_share() -> None:
    sure = [{**ACTIONS[0], "score": 0.95}, {**ACTIONS[1], "score": 0.05}]
    assert abs(calibration_error([EXAMPLE], [(sure, VALUES)]) - 0.05) < 1e-9
    wrong = [{**ACTIONS[0], "score": 0.05}, {**ACTIONS[1], "score": 0.95}]
    assert abs(calibration_error([EXAMPLE], [(wrong, VALUES)]) - 0.95) < 1e-9


def test_seqeval_counts_whole_spans() -> None:
    gold = [["B-ACTION", "O", "B-ID", "I-ID"]]
    assert seqeval_report(gold, gold)["f1"] == 1.0
    half = seqeval_report(gold, [["B-ACTION", "O", "B-ID", "O"]])
    assert (half["p"], half["r"]) == (0.5, 0.5)
