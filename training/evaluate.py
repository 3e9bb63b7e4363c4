"""Scores of predictions against labelled replies, per group, with the metrics that the project reports everywhere.

claim   asserted, past or present, by the agent; found when the triggers overlap, one to one
done    the same, past alone
action  every labelled action, whatever its attributes
joint   share of the actions found whose tense, modality and actor are all right
slot    type and exact span over all slots and values
link    (claim, slot) pairs: the right value attached to the right claim
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from claimx.annotate.example import Example

Predicted = tuple[list[dict[str, Any]], list[dict[str, Any]]]
"""Actions and values of one reply in the corpus' shape; an action may carry `score`, its probability to be a claim."""


def is_claim(action: dict[str, Any]) -> bool:
    """Whether an action in the corpus' shape is a claim."""
    return action["modality"] == "asserted" and action["tense"] != "future" and action["actor"] == "agent"


def is_done(action: dict[str, Any]) -> bool:
    """Whether an action is a claim about the past."""
    return is_claim(action) and action["tense"] == "past"


def pair(gold: Sequence[dict[str, Any]], predicted: Sequence[dict[str, Any]]) -> list[tuple[int, int]]:
    """Pair overlapping triggers one to one, the longest overlap first."""
    options = []
    for i, g in enumerate(gold):
        for j, p in enumerate(predicted):
            a, b = g["trigger"], p["trigger"]
            n = min(a["end"], b["end"]) - max(a["start"], b["start"])
            if n > 0:
                options.append((-n, abs(a["start"] - b["start"]), i, j))
    left: set[int] = set()
    right: set[int] = set()
    out = []
    for _, _, i, j in sorted(options):
        if i not in left and j not in right:
            left.add(i)
            right.add(j)
            out.append((i, j))
    return out


def _prf(tp: int, fp: int, fn: int) -> dict[str, float]:
    p = tp / (tp + fp) if tp + fp else 1.0
    r = tp / (tp + fn) if tp + fn else 1.0
    return {"p": p, "r": r, "f1": 2 * p * r / (p + r) if p + r else 0.0}


def _typed(actions: list[dict[str, Any]], values: list[dict[str, Any]]) -> set[tuple[str, int, int]]:
    out = {(s["type"], s["start"], s["end"]) for a in actions for s in a["slots"]}
    return out | {(v["type"], v["start"], v["end"]) for v in values}


def counts_of(example: Example, predicted: Predicted) -> Counter[Any]:
    """Count one reply's hits and misses; counts of several replies add up, and `figures_of` turns them into scores."""
    n: Counter[Any] = Counter()
    actions, values = predicted
    for name, keep in (("claim", is_claim), ("done", is_done), ("action", lambda a: True)):
        gs, ps = [a for a in example.actions if keep(a)], [a for a in actions if keep(a)]
        pairs = pair(gs, ps)
        n[name, "tp"] += len(pairs)
        n[name, "fp"] += len(ps) - len(pairs)
        n[name, "fn"] += len(gs) - len(pairs)
        if name == "claim":
            n["exact"] += len(pairs) == len(gs) == len(ps)
            _count_links(n, gs, ps, pairs)
        if name == "action":
            _count_attributes(n, gs, ps, pairs)
    g, p = _typed(example.actions, example.values), _typed(actions, values)
    for t in {x[0] for x in g | p}:
        a, b = {x for x in g if x[0] == t}, {x for x in p if x[0] == t}
        for key, count in (("tp", len(a & b)), ("fp", len(b - a)), ("fn", len(a - b))):
            n["slot", key] += count
            n["type", t, key] += count
    n["replies"] += 1
    return n


def _count_links(n: Counter[Any], gs: list[Any], ps: list[Any], pairs: list[tuple[int, int]]) -> None:
    back = {j: i for i, j in pairs}
    gl = {(i, s["type"], s["start"], s["end"]) for i, g in enumerate(gs) for s in g["slots"]}
    pl = {(back.get(j, -1 - j), s["type"], s["start"], s["end"]) for j, p in enumerate(ps) for s in p["slots"]}
    n["link", "tp"] += len(gl & pl)
    n["link", "fp"] += len(pl - gl)
    n["link", "fn"] += len(gl - pl)


def _count_attributes(n: Counter[Any], gs: list[Any], ps: list[Any], pairs: list[tuple[int, int]]) -> None:
    for i, j in pairs:
        right = {k: gs[i][k] == ps[j][k] for k in ("tense", "modality", "actor")}
        for k, ok in right.items():
            n["attribute", k] += ok
        n["attribute", "joint"] += all(right.values())
        n["attributes"] += 1
        if gs[i]["object"]:
            g, p = gs[i]["object"], ps[j]["object"]
            n["objects"] += 1
            n["object"] += bool(p) and g["start"] < p["end"] and p["start"] < g["end"]


def figures_of(n: Mapping[Any, int]) -> dict[str, Any]:
    """Turn summed counts into scores. All figures are shares between 0 and 1."""
    n = Counter(n)
    out: dict[str, Any] = {
        k: _prf(n[k, "tp"], n[k, "fp"], n[k, "fn"]) for k in ("claim", "done", "action", "slot", "link")
    }
    total = n["attributes"] or 1
    out["attributes"] = {k: n["attribute", k] / total for k in ("tense", "modality", "actor", "joint")}
    out["object"] = n["object"] / (n["objects"] or 1)
    out["exact"] = n["exact"] / (n["replies"] or 1)
    types = sorted({k[1] for k in n if isinstance(k, tuple) and k[0] == "type"})
    out["types"] = {t: _prf(n["type", t, "tp"], n["type", t, "fp"], n["type", t, "fn"])["f1"] for t in types}
    out["replies"] = n["replies"]
    return out


def score(examples: Sequence[Example], predictions: Sequence[Predicted]) -> dict[str, Any]:
    """Score predictions in the order of the examples."""
    total: Counter[Any] = Counter()
    for e, predicted in zip(examples, predictions, strict=True):
        total.update(counts_of(e, predicted))
    return figures_of(total)


def score_by(
    examples: Sequence[Example], predictions: Sequence[Predicted], key: Callable[[Example], str]
) -> dict[str, dict[str, Any]]:
    """Score each group of examples by itself."""
    groups: dict[str, tuple[list[Example], list[Predicted]]] = {}
    for e, p in zip(examples, predictions, strict=True):
        g = groups.setdefault(key(e), ([], []))
        g[0].append(e)
        g[1].append(p)
    return {k: score(*g) for k, g in sorted(groups.items())}


def flat(scores: dict[str, Any]) -> dict[str, float]:
    """The headline figures under one name each."""
    out = {f"{k}_{m}": scores[k][m] for k in ("claim", "done") for m in ("p", "r", "f1")}
    out |= {f"{k}_f1": scores[k]["f1"] for k in ("action", "slot", "link")}
    return out | scores["attributes"] | {"object": scores["object"], "exact": scores["exact"]}


def confusions(examples: Iterable[Example], predictions: Iterable[Predicted]) -> Counter[str]:
    """Count attributes of found actions that are read wrong, as "actor agent → user"."""
    out: Counter[str] = Counter()
    for e, (actions, _) in zip(examples, predictions, strict=True):
        for i, j in pair(e.actions, actions):
            for k in ("tense", "modality", "actor"):
                if e.actions[i][k] != actions[j][k]:
                    out[f"{k} {e.actions[i][k]} → {actions[j][k]}"] += 1
    return out


def calibration_error(examples: Iterable[Example], predictions: Iterable[Predicted], *, bins: int = 10) -> float:
    """Expected calibration error of the claim score over all predicted triggers, with equal-width bins."""
    hits: list[tuple[float, bool]] = []
    for e, (actions, _) in zip(examples, predictions, strict=True):
        claims = [a for a in e.actions if is_claim(a)]
        right = {j for _, j in pair(claims, actions)}
        hits += [(a.get("score", 1.0), j in right) for j, a in enumerate(actions)]
    error = 0.0
    for b in range(bins):
        inside = [(s, ok) for s, ok in hits if b / bins <= s < (b + 1) / bins or (b == bins - 1 and s == 1.0)]
        if inside:
            mean = sum(s for s, _ in inside) / len(inside)
            share = sum(ok for _, ok in inside) / len(inside)
            error += abs(mean - share) * len(inside) / len(hits)
    return error


def seqeval_report(tags_gold: list[list[str]], tags_predicted: list[list[str]]) -> dict[str, float]:
    """Span scores over BIO tags by the seqeval library (strict IOB2)."""
    from seqeval.metrics import f1_score, precision_score, recall_score
    from seqeval.scheme import IOB2

    kw = {"mode": "strict", "scheme": IOB2, "zero_division": 0}
    return {
        "p": float(precision_score(tags_gold, tags_predicted, **kw)),
        "r": float(recall_score(tags_gold, tags_predicted, **kw)),
        "f1": float(f1_score(tags_gold, tags_predicted, **kw)),
    }
