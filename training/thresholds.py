"""The one figure by which models are chosen, and the thresholds that it chooses on validation replies."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from claimx.training.evaluate import calibration_error, flat, score
from claimx.training.predict import predict_all

from claimx.annotate.example import Example
from claimx.extract.decode import Calibration


def quality(scores: dict[str, float]) -> float:
    """The one figure that training and thresholds are chosen by: claims first, all actions and attributes beside them.

    Claims count by their F0.5: a claim read where none is made may end as a false accusation, which is worse than a miss.
    """
    p, r = scores["claim_p"], scores["claim_r"]
    claims = 1.25 * p * r / (0.25 * p + r) if p + r else 0.0
    return claims + 0.3 * scores["action_f1"] + 0.3 * scores["joint"]


def calibrate(examples: Sequence[Example], scored: Sequence[Any]) -> tuple[Calibration, dict[str, float]]:
    """Choose temperature, trigger bias and claim threshold on validation scores.

    The temperature minimises the calibration error of the claim score; bias and threshold then maximise `quality`.
    """
    errors = {
        t: calibration_error(examples, predict_all(examples, scored, Calibration(attributes=t)))
        for t in (0.8, 1.0, 1.25, 1.5, 2.0)
    }
    t = min(errors, key=errors.__getitem__)

    def best_of(choices: Sequence[Calibration]) -> Calibration:
        return max(choices, key=lambda c: quality(flat(score(examples, predict_all(examples, scored, c)))))

    # One after the other: the two hardly interact, and every try decodes all replies.
    found = best_of([Calibration(attributes=t, trigger_bias=b) for b in (-0.5, 0.0, 0.5, 1.0)])
    thresholds = (0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7)
    found = best_of([replace(found, claim_threshold=x) for x in thresholds])
    final = score(examples, predict_all(examples, scored, found))
    return found, {**flat(final), "ece": errors[t]}
