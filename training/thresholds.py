"""The one figure by which models are chosen, and the thresholds that it chooses on validation replies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from claimx.training.evaluate import Predicted, calibration_error, counts_of, figures_of, flat
from claimx.training.predict import shaped

from claimx.annotate.example import Example
from claimx.extract.decode import Calibration, RawAction, RawSpan, Scores, attributes_of, decode
from claimx.extract.encoding import Encoding

#: What is tried: every trigger bias with every claim threshold.
BIASES = (-0.5, -0.25, 0.0, 0.25, 0.5, 0.75, 1.0)
THRESHOLDS = (0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7)
TEMPERATURES = (0.8, 1.0, 1.25, 1.5, 2.0)
#: Differences of quality that are taken for none: less than its standard error on a thousand replies.
NOISE = 0.01
_NEVER, _ALWAYS = 2.0, 0.0

_Scored = tuple[Encoding, Scores]
_Decoded = tuple[list[RawAction], list[RawSpan]]


def quality(scores: dict[str, float]) -> float:
    """The one figure that training and thresholds are chosen by: claims first, all actions and attributes beside them.

    Claims count by their F0.5: a claim read where none is made may end as a false accusation, which is worse than a miss.
    """
    p, r = scores["claim_p"], scores["claim_r"]
    claims = 1.25 * p * r / (0.25 * p + r) if p + r else 0.0
    return claims + 0.3 * scores["action_f1"] + 0.3 * scores["joint"]


class _Readings:
    """One reply's attributes by trigger piece and temperature, read both as a claim and as none: nothing else decides on them."""

    def __init__(self, scores: Scores) -> None:
        self.scores = scores
        self.known: dict[tuple[int, float], tuple[Any, Any]] = {}

    def at(self, a: RawAction, temperature: float, threshold: float) -> RawAction:
        """A decoded action as `decode` gives it at this temperature and claim threshold."""
        key = a.trigger.first, temperature
        if key not in self.known:
            self.known[key] = tuple(
                attributes_of(self.scores, key[0], 1.0, Calibration(attributes=temperature, claim_threshold=x))
                for x in (_ALWAYS, _NEVER)
            )  # type: ignore[assignment]
        claiming, other = self.known[key]
        probability = claiming[3] * a.trigger.score
        read = claiming if probability >= threshold else other
        return RawAction(a.trigger, *read[:3], probability, a.object, a.slots)


def calibrate(examples: Sequence[Example], scored: Sequence[_Scored]) -> tuple[Calibration, dict[str, float]]:
    """Choose temperature, trigger bias and claim threshold on validation scores.

    The temperature minimises the calibration error of the claim score. Of the pairs of bias and threshold whose `quality` is the
    best, or no more than `NOISE` behind it, the plainest is taken: the least bias, then the threshold nearest to a half, then the better.
    Replies are decoded once a bias.
    """
    readings = [_Readings(s) for _, s in scored]
    plain = [decode(s, Calibration()) for _, s in scored]
    errors = {t: calibration_error(examples, _read(examples, scored, readings, plain, t)) for t in TEMPERATURES}
    t = min(errors, key=errors.__getitem__)
    tried = {}
    for bias in BIASES:
        decoded = [decode(s, Calibration(trigger_bias=bias)) for _, s in scored] if bias else plain
        for threshold, counts in _sweep(examples, scored, readings, decoded, t):
            tried[bias, threshold] = flat(figures_of(counts))
    of = {at: round(quality(figures), 9) for at, figures in tried.items()}
    good = [at for at in tried if of[at] >= max(of.values()) - NOISE]
    best = max(good, key=lambda at: (-abs(at[0]), -abs(at[1] - 0.5), of[at]))
    bias, threshold = best
    found = Calibration(attributes=t, trigger_bias=bias, claim_threshold=threshold)
    return found, {**tried[best], "ece": errors[t]}


def _read(
    examples: Sequence[Example],
    scored: Sequence[_Scored],
    readings: Sequence[_Readings],
    decoded: Sequence[_Decoded],
    t: float,
) -> list[Predicted]:
    """Predictions at one temperature and a threshold of a half."""
    return [
        shaped(encoding, e.text, [r.at(a, t, 0.5) for a in actions], values)
        for e, (encoding, _), r, (actions, values) in zip(examples, scored, readings, decoded, strict=True)
    ]


def _sweep(
    examples: Sequence[Example],
    scored: Sequence[_Scored],
    readings: Sequence[_Readings],
    decoded: Sequence[_Decoded],
    t: float,
) -> Iterator[tuple[float, Counter[Any]]]:
    """Yield each threshold with the counts of all replies; only replies with an action that it turns are counted again."""
    counts: list[Counter[Any]] = [Counter() for _ in examples]
    total: Counter[Any] = Counter()
    turns: list[list[float]] = [[] for _ in examples]
    before: float | None = None
    for threshold in THRESHOLDS:
        for i, (e, (encoding, _), r, (actions, values)) in enumerate(
            zip(examples, scored, readings, decoded, strict=True)
        ):
            if before is not None and not any(before <= p < threshold for p in turns[i]):
                continue
            read = [r.at(a, t, threshold) for a in actions]
            turns[i] = [a.claim_score for a in read]
            total.subtract(counts[i])
            counts[i] = counts_of(e, shaped(encoding, e.text, read, values))
            total.update(counts[i])
        before = threshold
        yield threshold, total
