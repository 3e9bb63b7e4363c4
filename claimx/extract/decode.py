"""From the model's numbers to labelled stretches of text: valid tag sequences, attributes at triggers, links.

Nothing here looks at words. Arrays are indexed by piece; probabilities are those of the heads after calibration.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from claimx.extract.labels import ACTION, ACTORS, DISTANCES, LINK_WIDTH, MODALITIES, OBJECT, SPAN_TYPES, TAGS, TENSES
from claimx.types import Actor, Modality, Tense

Floats = npt.NDArray[np.float32]

_TYPE_OF_TAG = np.array([-1, *(i // 2 for i in range(len(TAGS) - 1))])
_IS_INSIDE = np.array([False, *(bool(i % 2) for i in range(len(TAGS) - 1))])
#: _ALLOWED[a, b]: tag b may follow tag a. I-X follows only B-X or I-X.
_ALLOWED = ~_IS_INSIDE[None, :] | (_TYPE_OF_TAG[:, None] == _TYPE_OF_TAG[None, :])
_FORBIDDEN = np.where(_ALLOWED, 0.0, -1e4).astype(np.float32)
_EDGES = np.array(DISTANCES)

#: The joint attribute combinations that make an action a claim, as a mask (tense, modality, actor).
_CLAIM = np.zeros((len(TENSES), len(MODALITIES), len(ACTORS)), dtype=bool)
_CLAIM[:, MODALITIES.index(Modality.ASSERTED), ACTORS.index(Actor.AGENT)] = True
_CLAIM[TENSES.index(Tense.FUTURE)] = False
#: Every combination in the mask's order, and the indexes of those that claim and of the others.
_COMBINATIONS = [(t, m, a) for t in TENSES for m in MODALITIES for a in ACTORS]
_CLAIMING, _OTHERS = np.flatnonzero(_CLAIM), np.flatnonzero(~_CLAIM)
_ROOT = np.sqrt(LINK_WIDTH)


@dataclass(frozen=True, slots=True)
class Scores:
    """The heads' outputs for a whole reply, windows already joined.

    `tags` (pieces, 25), `tense` (pieces, 3), `modality` (pieces, 7), `actor` (pieces, 3) are logits; `query` and `key`
    (pieces, width) are the link projections, `null` (pieces,) each piece's score for belonging to no action and
    `distance_bias` (16,) the link bias by bucket of `DISTANCES`. `inside` (pieces,) says which pieces go on with a word.
    """

    tags: Floats
    tense: Floats
    modality: Floats
    actor: Floats
    query: Floats
    key: Floats
    null: Floats
    distance_bias: Floats
    inside: npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class RawSpan:
    """A labelled run of pieces, end exclusive, with the mean probability of its tags."""

    type: str
    first: int
    last: int
    score: float


@dataclass(slots=True)
class RawAction:
    """A trigger with its attributes, the claim's probability, and the spans linked to it."""

    trigger: RawSpan
    tense: Tense
    modality: Modality
    actor: Actor
    claim_score: float
    object: RawSpan | None = None
    slots: list[RawSpan] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Calibration:
    """What validation fixed: temperatures of the heads, the bias on O, and the claim threshold."""

    tags: float = 1.0
    attributes: float = 1.0
    trigger_bias: float = 0.0
    claim_threshold: float = 0.5


def softmax(x: Floats) -> Floats:
    """Softmax over the last axis."""
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    out: Floats = e / e.sum(axis=-1, keepdims=True)
    return out


def best_tags(logits: Floats) -> npt.NDArray[np.int64]:
    """Return the best valid tag sequence (pieces,): the plain argmax where it is valid, else by Viterbi.

    >>> x = np.zeros((2, len(TAGS)), dtype=np.float32); x[0, 0] = 2; x[1, 2] = 1; x[1, 1] = 0.5
    >>> [TAGS[i] for i in best_tags(x)]
    ['O', 'B-ACTION']
    """
    path: npt.NDArray[np.int64] = logits.argmax(axis=-1)
    if not len(path):
        return path
    before = np.concatenate(([0], path[:-1]))
    wrong = ~_ALLOWED[before, path]
    if not wrong.any():
        return path
    # Only the stretches between confident O's around a fault need the search.
    outside = path == 0
    for at in np.flatnonzero(wrong):
        lo = at
        while lo > 0 and not outside[lo - 1]:
            lo -= 1
        hi = at
        while hi < len(path) and not outside[hi]:
            hi += 1
        path[lo:hi] = _viterbi(logits[lo:hi])
    return path


def _viterbi(logits: Floats) -> npt.NDArray[np.int64]:
    back = np.zeros(logits.shape, dtype=np.int64)
    score = logits[0] + _FORBIDDEN[0]
    for t in range(1, len(logits)):
        total = score[:, None] + _FORBIDDEN
        back[t] = total.argmax(axis=0)
        score = total[back[t], np.arange(total.shape[1])] + logits[t]
    path = np.zeros(len(logits), dtype=np.int64)
    path[-1] = score.argmax()
    for t in range(len(logits) - 1, 0, -1):
        path[t - 1] = back[t, path[t]]
    return path


def whole_words(path: npt.NDArray[np.int64], inside: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """Let every piece inside of a word go with the word's first, in place: no span begins or ends within one.

    >>> [TAGS[i] for i in whole_words(np.array([1, 0, 0, 1]), np.array([False, True, False, True]))]
    ['B-ACTION', 'I-ACTION', 'O', 'O']
    """
    for i in np.flatnonzero(inside):
        before = path[i - 1]
        path[i] = 2 + 2 * _TYPE_OF_TAG[before] if before else 0
    return path


def spans_of(tags: Sequence[int], probabilities: Floats) -> list[RawSpan]:
    """Read the spans off a valid tag sequence."""
    out: list[RawSpan] = []
    i = 0
    while i < len(tags):
        kind = int(_TYPE_OF_TAG[tags[i]])
        if kind < 0:
            i += 1
            continue
        j = i + 1
        while j < len(tags) and _IS_INSIDE[tags[j]] and _TYPE_OF_TAG[tags[j]] == kind:
            j += 1
        score = float(probabilities[i:j, 1 + 2 * kind : 3 + 2 * kind].sum()) / (j - i)
        out.append(RawSpan(SPAN_TYPES[kind], i, j, score))
        i = j
    return out


def attributes_at(
    scores: Scores, pieces: npt.NDArray[np.int64], trigger_scores: Sequence[float], calibration: Calibration
) -> list[tuple[Tense, Modality, Actor, float]]:
    """Read tense, modality and actor at each trigger (its first piece), and the probability that it is a claim.

    The three heads are read jointly: when the claim's probability reaches the threshold the best claiming combination
    is taken, otherwise the best of the others, so that `claim` always follows from the attributes.
    """
    if not len(pieces):
        return []
    t = calibration.attributes
    joint = (
        softmax(scores.tense[pieces] / t)[:, :, None, None]
        * softmax(scores.modality[pieces] / t)[:, None, :, None]
        * softmax(scores.actor[pieces] / t)[:, None, None, :]
    ).reshape(len(pieces), -1)
    claims = joint[:, _CLAIMING].sum(axis=1).tolist()
    best, other = joint[:, _CLAIMING].argmax(axis=1).tolist(), joint[:, _OTHERS].argmax(axis=1).tolist()
    out = []
    for p, score, i, j in zip(claims, trigger_scores, best, other, strict=True):
        claim = p * score
        out.append((*_COMBINATIONS[_CLAIMING[i] if claim >= calibration.claim_threshold else _OTHERS[j]], claim))
    return out


def attributes_of(
    scores: Scores, piece: int, trigger_score: float, calibration: Calibration
) -> tuple[Tense, Modality, Actor, float]:
    """Read one trigger as `attributes_at` does."""
    return attributes_at(scores, np.array([piece], dtype=np.int64), [trigger_score], calibration)[0]


def links_of(
    scores: Scores, pieces: npt.NDArray[np.int64], triggers: npt.NDArray[np.int64], *, must: Sequence[bool]
) -> list[int | None]:
    """Return for each span (its first piece) the index in `triggers` (first pieces) of its action, None when of none.

    `must` leaves no choice but an action: objects always have one.
    """
    if not len(triggers) or not len(pieces):
        return [None] * len(pieces)
    x = scores.query[pieces] @ scores.key[triggers].T / _ROOT
    x = x + scores.distance_bias[np.searchsorted(_EDGES, triggers[None, :] - pieces[:, None], side="right")]
    best = x.argmax(axis=1)
    kept = x.max(axis=1) > scores.null[pieces]
    return [b if m or k else None for b, k, m in zip(best.tolist(), kept.tolist(), must, strict=True)]


def decode(scores: Scores, calibration: Calibration) -> tuple[list[RawAction], list[RawSpan]]:
    """Return the actions in reading order and the spans that belong to no action."""
    logits = scores.tags / calibration.tags
    if calibration.trigger_bias:
        logits = logits.copy()
        logits[:, 1:3] += calibration.trigger_bias
    probabilities = softmax(logits)
    spans = spans_of(whole_words(best_tags(logits), scores.inside).tolist(), probabilities)
    triggering = [s for s in spans if s.type == ACTION]
    others = [s for s in spans if s.type != ACTION]
    triggers = np.array([s.first for s in triggering], dtype=np.int64)
    attributes = attributes_at(scores, triggers, [s.score for s in triggering], calibration)
    actions = [RawAction(span, *read) for span, read in zip(triggering, attributes, strict=True)]
    values: list[RawSpan] = []
    taken: list[list[RawSpan]] = [[] for _ in actions]
    firsts = np.array([s.first for s in others], dtype=np.int64)
    homes = links_of(scores, firsts, triggers, must=[s.type == OBJECT for s in others])
    for span, home in zip(others, homes, strict=True):
        if span.type == OBJECT:
            if home is not None:
                taken[home].append(span)
        elif home is None:
            values.append(span)
        else:
            actions[home].slots.append(span)
    for action, objects in zip(actions, taken, strict=True):
        if objects:
            action.object = _nearest(objects, action.trigger.first)
    return actions, values


def _nearest(spans: list[RawSpan], piece: int) -> RawSpan:
    return min(spans, key=lambda s: abs(s.first - piece))
