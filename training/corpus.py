"""Reading labelled replies: the project's corpus in `data/`, and labels joined with text that is kept elsewhere."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from claimx.errors import CorpusError
from claimx.extract.labels import ACTORS, MODALITIES, TENSES
from claimx.types import SlotType


@dataclass(frozen=True, slots=True)
class Example:
    """A labelled reply. `actions` and `values` have the corpus' shape, offsets are code points into `text`."""

    id: str
    text: str
    actions: list[dict[str, Any]]
    values: list[dict[str, Any]]
    origin: str = ""
    domain: str = ""
    voice: str = ""
    part: str = ""
    family: str = ""
    flip: str = ""
    meta: dict[str, Any] = field(default_factory=dict)

    def spans(self) -> Iterator[tuple[str, int, int]]:
        """Every labelled stretch once, as (type, start, end)."""
        seen: set[tuple[str, int, int]] = set()
        for a in self.actions:
            items = [("ACTION", a["trigger"])]
            items += [("OBJECT", a["object"])] if a["object"] else []
            items += [(s["type"], s) for s in a["slots"]]
            seen |= {(kind, s["start"], s["end"]) for kind, s in items}
        seen |= {(v["type"], v["start"], v["end"]) for v in self.values}
        yield from sorted(seen, key=lambda s: (s[1], s[2], s[0]))

    def to_dict(self) -> dict[str, Any]:
        out = {"id": self.id, "text": self.text, "actions": self.actions, "values": self.values}
        for key in ("origin", "domain", "voice", "part", "family", "flip"):
            out[key] = getattr(self, key)
        return {**out, **self.meta}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Example:
        names = ("origin", "domain", "voice", "part", "family", "flip")
        meta = {k: v for k, v in data.items() if k not in {"id", "text", "actions", "values", *names}}
        fields = {k: data.get(k) or "" for k in names}
        return cls(data["id"], data["text"], data["actions"], data["values"], meta=meta, **fields)


def faults_of(example: Example) -> list[str]:
    """List what is wrong with a labelled reply: labels out of the schema, offsets that miss, overlaps."""
    out = []
    text = example.text

    def check(what: str, span: dict[str, Any]) -> None:
        start, end = span["start"], span["end"]
        if not 0 <= start < end <= len(text):
            out.append(f"{what}: offsets {start}-{end} are outside the text of {len(text)} characters")
        elif text[start:end] != span["text"]:
            out.append(f"{what}: the text at {start}-{end} is {text[start:end]!r}, not {span['text']!r}")

    for i, a in enumerate(example.actions):
        where = f"actions[{i}]"
        check(f"{where}.trigger", a["trigger"])
        if a["object"]:
            check(f"{where}.object", a["object"])
        for key, allowed in (("tense", TENSES), ("modality", MODALITIES), ("actor", ACTORS)):
            if a[key] not in {str(x) for x in allowed}:
                out.append(f"{where}.{key}: {a[key]!r} is not one of {', '.join(allowed)}")
    for what, slots in [(f"actions[{i}].slots", a["slots"]) for i, a in enumerate(example.actions)] + [
        ("values", example.values)
    ]:
        for j, s in enumerate(slots):
            check(f"{what}[{j}]", s)
            if s["type"] not in SlotType.__members__:
                out.append(f"{what}[{j}].type: {s['type']!r} is not one of {', '.join(SlotType.__members__)}")
    spans = list(example.spans())
    for (k1, s1, e1), (k2, s2, e2) in itertools.pairwise(spans):
        if s2 < e1:
            out.append(f"{k1} {text[s1:e1]!r} and {k2} {text[s2:e2]!r} overlap")
    return out


def read_jsonl(path: Path) -> list[Example]:
    """Read examples from a JSONL file; raise CorpusError that names the first faulty line."""
    out = []
    with path.open(encoding="utf-8") as f:
        for number, line in enumerate(f, 1):
            if not line.strip():
                continue
            try:
                example = Example.from_dict(json.loads(line))
                faults = faults_of(example)
            except (ValueError, KeyError, TypeError) as e:
                raise CorpusError(f"{path.name}:{number}: not a corpus record ({type(e).__name__}: {e})") from e
            if faults:
                raise CorpusError(f"{path.name}:{number}: {faults[0]}")
            out.append(example)
    return out


def write_jsonl(path: Path, examples: Iterable[Example]) -> int:
    """Write examples as JSONL; return their number."""
    n = 0
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as f:
        for e in examples:
            f.write(json.dumps(e.to_dict(), ensure_ascii=False, separators=(",", ":")) + "\n")
            n += 1
    return n


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
