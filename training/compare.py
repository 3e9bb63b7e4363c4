"""Two models on the same replies: bootstrap intervals, paired differences, and no word of "better" inside the noise.

Replies are drawn with replacement, the same draws for both models; an interval is the middle 95 % of 1,000 draws (the
percentile bootstrap: Efron, Tibshirani, An Introduction to the Bootstrap, 1993; on replies as the unit: Koehn 2004).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from claimx.training.evaluate import Predicted, calibration_error, counts_of, figures_of, flat
from claimx.training.predict import predict_all

from claimx.annotate.example import Example
from claimx.extract.model import load_model

#: A difference is called one only where at least this many replies are read differently.
FEWEST_CHANGED = 6
#: The figures a verdict is drawn from; the others are shown.
HEADLINES = ("claim_p", "claim_f1", "action_f1", "joint", "slot_f1")


@dataclass(frozen=True, slots=True)
class Figure:
    """A score with its interval; `other`, `difference` and `verdict` are None without a second model."""

    value: float
    low: float
    high: float
    other: float | None = None
    difference: tuple[float, float, float] | None = None
    verdict: str | None = None

    def to_dict(self) -> dict[str, Any]:
        out: dict[str, Any] = {"value": round(self.value, 4), "interval": [round(self.low, 4), round(self.high, 4)]}
        if self.difference is not None and self.other is not None:
            value, low, high = self.difference
            out |= {
                "against": round(self.other, 4), "difference": round(value, 4),
                "difference_interval": [round(low, 4), round(high, 4)], "verdict": self.verdict,
            }  # fmt: skip
        return out


@dataclass(slots=True)
class Group:
    """The figures of one source, or of all."""

    name: str
    replies: int
    changed: int
    figures: dict[str, Figure] = field(default_factory=dict)


@dataclass(slots=True)
class Comparison:
    """All groups, the whole first, what the models read, and the sentence to take away."""

    groups: list[Group]
    predictions: list[Predicted]
    other: list[Predicted] | None
    calibration_error: float
    summary: str

    def to_dict(self) -> dict[str, Any]:
        return {
            "summary": self.summary,
            "calibration_error": round(self.calibration_error, 4),
            "groups": {
                g.name: {"replies": g.replies, "changed": g.changed, **{k: f.to_dict() for k, f in g.figures.items()}}
                for g in self.groups
            },
        }


def predictions_of(folder: Path | str | None, examples: Sequence[Example]) -> list[Predicted]:
    """Read examples with a model folder (None: the shipped one), as production does."""
    model = load_model(folder)
    return predict_all(examples, [model.score(e.text) for e in examples], model.calibration)


def compare(
    examples: Sequence[Example],
    predictions: list[Predicted],
    other: list[Predicted] | None = None,
    *,
    by: Callable[[Example], str] | None = None,
    draws: int = 1000,
    seed: int = 0,
) -> Comparison:
    """Score predictions, as a whole and by `by`, beside `other` predictions of the same examples."""
    ours = [counts_of(e, p) for e, p in zip(examples, predictions, strict=True)]
    theirs = None if other is None else [counts_of(e, p) for e, p in zip(examples, other, strict=True)]
    names = ["all"] + (sorted({by(e) for e in examples}) if by else [])
    groups = []
    for name in names:
        at = [i for i, e in enumerate(examples) if name == "all" or (by is not None and by(e) == name)]
        rng = np.random.default_rng(seed)
        groups.append(
            _group(name, [ours[i] for i in at], None if theirs is None else [theirs[i] for i in at], draws, rng)
        )
    if len(groups) == 2:
        groups.pop()  # a single source is the whole
    ece = calibration_error(examples, predictions)
    return Comparison(groups, predictions, other, ece, _summary(groups[0], compared=other is not None))


def _group(
    name: str, ours: list[Counter[Any]], theirs: list[Counter[Any]] | None, draws: int, rng: np.random.Generator
) -> Group:
    n = len(ours)
    weights = rng.multinomial(n, np.full(n, 1 / n), size=draws)
    value, drawn = _scored(ours, weights)
    changed = 0 if theirs is None else sum(a != b for a, b in zip(ours, theirs, strict=True))
    group = Group(name, n, changed)
    against = None if theirs is None else _scored(theirs, weights)
    for key in value:
        low, high = np.percentile(drawn[key], [2.5, 97.5])
        if against is None:
            group.figures[key] = Figure(value[key], float(low), float(high))
            continue
        gap = drawn[key] - against[1][key]
        d_low, d_high = (float(x) for x in np.percentile(gap, [2.5, 97.5]))
        verdict = "noise"
        if changed >= FEWEST_CHANGED:
            verdict = "better" if d_low > 0 else "worse" if d_high < 0 else "noise"
        difference = (value[key] - against[0][key], d_low, d_high)
        group.figures[key] = Figure(value[key], float(low), float(high), against[0][key], difference, verdict)
    return group


def _scored(counts: list[Counter[Any]], weights: np.ndarray) -> tuple[dict[str, float], dict[str, np.ndarray]]:
    """Scores of all replies, and of each draw of them (draws,), from counts that add up."""
    keys = sorted({k for c in counts for k in c}, key=str)
    table = np.array([[c[k] for k in keys] for c in counts], dtype=np.int64)
    whole = flat(figures_of(dict(zip(keys, table.sum(0).tolist(), strict=True))))
    rows = [flat(figures_of(dict(zip(keys, row, strict=True)))) for row in (weights @ table).tolist()]
    return whole, {k: np.array([r[k] for r in rows]) for k in whole}


def _summary(group: Group, *, compared: bool) -> str:
    if not compared:
        f = group.figures["claim_f1"]
        return f"claims F1 {f.value:.3f} ({f.low:.3f} to {f.high:.3f}) on {group.replies} replies"
    if group.changed < FEWEST_CHANGED:
        return f"no difference can be told: {group.changed} of {group.replies} replies are read differently"
    said = {v: [k for k in HEADLINES if group.figures[k].verdict == v] for v in ("better", "worse")}
    if said["better"] and not said["worse"]:
        return f"better in {', '.join(said['better'])}; the rest is inside the noise"
    if said["worse"] and not said["better"]:
        return f"worse in {', '.join(said['worse'])}; the rest is inside the noise"
    if said["better"]:
        return f"better in {', '.join(said['better'])}, worse in {', '.join(said['worse'])}"
    return f"no difference outside the noise on {group.replies} replies: neither better nor worse can be said"
