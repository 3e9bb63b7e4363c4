"""A labelled reply: the one shape in which labels travel between annotation, corpus, training and scores."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from claimx.errors import CorpusError
from claimx.types import Actor, Modality, SlotType, Tense


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
        for key, allowed in (("tense", Tense), ("modality", Modality), ("actor", Actor)):
            if a[key] not in {str(x) for x in allowed}:
                out.append(f"{where}.{key}: {a[key]!r} is not one of {', '.join(map(str, allowed))}")
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
