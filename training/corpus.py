"""Labels that quote their reply, joined with text that is kept elsewhere; and splits that cut through no family."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from claimx.annotate.example import Example
from claimx.errors import CorpusError


def _find(text: str, quote: str, n: int) -> tuple[int, int]:
    """The n-th occurrence of `quote`, at word boundaries where there are any such (the labelling guidelines' rule)."""
    hits: dict[bool, list[tuple[int, int]]] = {True: [], False: []}
    at = text.find(quote)
    while at >= 0:
        end = at + len(quote)
        left = at == 0 or not (text[at - 1].isalnum() and quote[0].isalnum())
        right = end == len(text) or not (text[end].isalnum() and quote[-1].isalnum())
        hits[False].append((at, end))
        if left and right:
            hits[True].append((at, end))
        at = text.find(quote, at + 1)
    found = hits[True] or hits[False]
    if not 1 <= n <= len(found):
        raise CorpusError(f"{quote!r} occurs {len(found)} times, not {n}")
    return found[n - 1]


def from_quotes(label: dict[str, Any], text: str, **fields: str) -> Example:
    """Turn a label that quotes the reply (`{"trigger": "issued", "n": 1, ...}`) into an example with offsets."""

    def span(quote: str, n: int) -> dict[str, Any]:
        start, end = _find(text, quote, n)
        return {"text": quote, "start": start, "end": end}

    def slot(item: list[Any]) -> dict[str, Any]:
        kind, quote, n = ([*item, 1])[:3]
        return {"type": kind, **span(quote, n)}

    actions = [
        {
            "trigger": span(a["trigger"], a.get("n", 1)),
            "object": span(a["object"], a.get("object_n", 1)) if a.get("object") else None,
            **{k: a[k] for k in ("tense", "modality", "actor")},
            "slots": [slot(s) for s in a.get("slots", [])],
        }
        for a in label["actions"]
    ]
    actions.sort(key=lambda a: a["trigger"]["start"])
    return Example(label["id"], text, actions, [slot(v) for v in label.get("values", [])], **fields)


def read_quoted(replies: Path, labels: Path, *, origin: str) -> list[Example]:
    """Read replies and their quoting labels from two JSONL files, joined by id."""
    with replies.open(encoding="utf-8") as f:
        texts = {r["id"]: r for r in map(json.loads, f)}
    out = []
    with labels.open(encoding="utf-8") as f:
        for label in map(json.loads, f):
            run = texts[label["id"]]
            source = run.get("source", "")
            out.append(from_quotes(label, run["reply"], origin=origin, domain=source, part=source))
    return out


def split_off(examples: list[Example], share: float, *, seed: int) -> tuple[list[Example], list[Example]]:
    """Split by family (by id where there is none) so that no family stands on both sides: (rest, share)."""
    groups: dict[str, list[Example]] = {}
    for e in examples:
        groups.setdefault(e.family or e.id, []).append(e)
    names = sorted(groups)
    random.Random(seed).shuffle(names)
    cut, taken = share * len(examples), 0
    rest: list[Example] = []
    held: list[Example] = []
    for name in names:
        if taken < cut:
            held += groups[name]
            taken += len(groups[name])
        else:
            rest += groups[name]
    return rest, held
