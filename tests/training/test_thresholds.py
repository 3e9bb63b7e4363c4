"""Bias and threshold are searched together, and what is found is what plain decoding gives."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from claimx.extract.decode import Calibration, Scores
from claimx.extract.model import load_model

pytestmark = pytest.mark.train


@pytest.fixture(scope="module")
def read() -> tuple[list[Any], list[Any]]:
    """Replies of the corpus as the shipped model scores them, made less sure of itself so that thresholds matter."""
    from claimx.training.build import load_split

    examples = random.Random(5).sample([e for e in load_split("test") if len(e.text) < 200], 24)
    model, noise = load_model(), np.random.default_rng(5)

    def blurred(scores: Scores) -> Scores:
        return replace(scores, **{
            k: getattr(scores, k) * 0.5 + noise.normal(0, 1.2, getattr(scores, k).shape).astype(np.float32)
            for k in ("tags", "tense", "modality", "actor")
        })  # fmt: skip

    return examples, [(encoding, blurred(scores)) for encoding, scores in (model.score(e.text) for e in examples)]


def test_of_the_pairs_that_are_as_good_as_the_best_the_plainest_is_chosen(
    read: tuple[list[Any], list[Any]],
) -> None:
    from claimx.training.evaluate import flat, score
    from claimx.training.predict import predict_all
    from claimx.training.thresholds import BIASES, NOISE, THRESHOLDS, calibrate, quality

    examples, scored = read
    found, figures = calibrate(examples, scored)

    def of(bias: float, threshold: float) -> dict[str, float]:
        tried = replace(found, trigger_bias=bias, claim_threshold=threshold)
        return flat(score(examples, predict_all(examples, scored, tried)))

    table = {at: of(*at) for at in itertools.product(BIASES, THRESHOLDS)}
    qualities = {at: quality(figures) for at, figures in table.items()}
    chosen = found.trigger_bias, found.claim_threshold
    best = max(qualities.values())
    assert qualities[chosen] >= best - NOISE - 1e-9
    as_good = [at for at, q in qualities.items() if q >= best - NOISE + 1e-9]
    plainest = min(as_good, key=lambda at: (abs(at[0]), abs(at[1] - 0.5)))
    assert (abs(chosen[0]), abs(chosen[1] - 0.5)) <= (abs(plainest[0]), abs(plainest[1] - 0.5))
    assert len({round(v, 6) for v in qualities.values()}) > 10, (
        "a table on which the choice hardly matters proves nothing"
    )
    assert {k: v for k, v in figures.items() if k != "ece"} == pytest.approx(of(*chosen))


def test_the_temperature_is_the_one_of_the_least_calibration_error(read: tuple[list[Any], list[Any]]) -> None:
    from claimx.training.evaluate import calibration_error
    from claimx.training.predict import predict_all
    from claimx.training.thresholds import TEMPERATURES, calibrate

    examples, scored = read
    found, figures = calibrate(examples, scored)
    errors = {
        t: calibration_error(examples, predict_all(examples, scored, Calibration(attributes=t))) for t in TEMPERATURES
    }
    assert figures["ece"] == pytest.approx(min(errors.values()))
    assert errors[found.attributes] == min(errors.values())


def test_where_nothing_turns_on_them_no_bias_and_a_half_are_kept() -> None:
    from claimx.training.thresholds import calibrate

    from claimx.annotate.example import Example

    model = load_model()
    found, _ = calibrate([Example("e", "Hello.", [], [])], [model.score("Hello.")])
    assert (found.trigger_bias, found.claim_threshold) == (0.0, 0.5)
