"""The inline markup in which replies are labelled by hand, and its compiler to character offsets.

A source file is a sequence of records, each a header line and the reply below it:

    === id=r-0001 domain=retail voice=formal
    We have ⟦issued|A1 paa⟧ a ⟦refund|O1⟧ of ⟦$64|MONEY1⟧ for order ⟦#4821|ID1⟧. Total: ⟦$64|MONEY⟧

`⟦text|A<n> xyz⟧` is the trigger of action n with a three-letter code for tense (p past, r present, f future), modality
(a asserted, n negated, p possible, c conditional, o offered, d directive, q attributed) and actor (a agent, u user,
o other); `⟦text|O<n>⟧` its object; `⟦text|TYPE<n>⟧` a slot of it; `⟦text|TYPE⟧` a value of no action. An object or slot
shared by several actions names them all: `⟦order|O1,2⟧`. Marks do not nest.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from claimx.errors import CorpusError
from claimx.types import SlotType

TENSES = {"p": "past", "r": "present", "f": "future"}
MODALITIES = {
    "a": "asserted",
    "n": "negated",
    "p": "possible",
    "c": "conditional",
    "o": "offered",
    "d": "directive",
    "q": "attributed",
}
ACTORS = {"a": "agent", "u": "user", "o": "other"}

_MARK = re.compile(r"⟦([^⟦⟧|]*(?:\|[^⟦⟧|]*)*?)\|([A-Z]+)([\d,]*)(?: ([a-z]{3}))?⟧")
_HEADER = re.compile(r"^=== ?(.*)$", re.MULTILINE)


@dataclass(slots=True)
class Record:
    """One labelled reply in the corpus' own shape; `meta` holds id, domain, voice and what else the header says."""

    text: str
    actions: list[dict[str, Any]]
    values: list[dict[str, Any]]
    meta: dict[str, str] = field(default_factory=dict)
    line: int = 0

    def to_dict(self) -> dict[str, Any]:
        return {**self.meta, "text": self.text, "actions": self.actions, "values": self.values}


def compile_markup(marked: str) -> tuple[str, list[dict[str, Any]], list[dict[str, Any]]]:
    """Return the bare text with its actions and its values of no action; raise CorpusError on a faulty mark.

    >>> text, actions, values = compile_markup("I ⟦sent|A1 paa⟧ ⟦$5|MONEY1⟧.")
    >>> text, actions[0]["trigger"]["start"], actions[0]["slots"][0]["type"]
    ('I sent $5.', 2, 'MONEY')
    """
    out: list[str] = []
    length = at = 0
    triggers: dict[str, dict[str, Any]] = {}
    objects: dict[str, dict[str, Any]] = {}
    slots: dict[str, list[dict[str, Any]]] = {}
    values: list[dict[str, Any]] = []
    for m in _MARK.finditer(marked):
        before = marked[at : m.start()]
        out.append(before)
        length += len(before)
        quote, kind, numbers, code = m.groups()
        if not quote or quote != quote.strip():
            raise CorpusError(f"mark {m.group()!r}: the text is empty or has spaces at an end")
        span = {"text": quote, "start": length, "end": length + len(quote)}
        out.append(quote)
        length += len(quote)
        at = m.end()
        keys = [n for n in numbers.split(",") if n]
        if kind == "A":
            if len(keys) != 1 or not code:
                raise CorpusError(f"mark {m.group()!r}: a trigger is written ⟦text|A1 paa⟧")
            tense, modality, actor = tuple(code)
            if tense not in TENSES or modality not in MODALITIES or actor not in ACTORS:
                raise CorpusError(
                    f"mark {m.group()!r}: unknown code {code!r} (tense p r f, modality a n p c o d q, actor a u o)"
                )
            if keys[0] in triggers:
                raise CorpusError(f"mark {m.group()!r}: action {keys[0]} has two triggers")
            triggers[keys[0]] = {
                "trigger": span,
                "tense": TENSES[tense],
                "modality": MODALITIES[modality],
                "actor": ACTORS[actor],
            }
        elif kind == "O":
            if not keys:
                raise CorpusError(f"mark {m.group()!r}: an object names its action, as in ⟦refund|O1⟧")
            for key in keys:
                if key in objects:
                    raise CorpusError(f"mark {m.group()!r}: action {key} has two objects")
                objects[key] = span
        elif kind in SlotType.__members__:
            if code:
                raise CorpusError(f"mark {m.group()!r}: only triggers carry a code")
            slot = {"type": kind, **span}
            if not keys:
                values.append(slot)
            for key in keys:
                slots.setdefault(key, []).append(slot)
        else:
            known = ", ".join(SlotType.__members__)
            raise CorpusError(f"mark {m.group()!r}: unknown type {kind!r} (known: A, O, {known})")
    out.append(marked[at:])
    text = "".join(out)
    if "⟦" in text or "⟧" in text:
        i = min(x for x in (text.find("⟦"), text.find("⟧")) if x >= 0)
        raise CorpusError(f"a mark that cannot be read near {text[max(0, i - 20) : i + 40]!r}")
    loose = (objects.keys() | slots.keys()) - triggers.keys()
    if loose:
        raise CorpusError(
            f"objects or slots of action {', '.join(sorted(loose))}, which has no trigger: mark its verb as in "
            f"⟦sent|A{min(loose)} paa⟧, or correct the number"
        )
    actions = [{**t, "object": objects.get(k), "slots": slots.get(k, [])} for k, t in triggers.items()]
    actions.sort(key=lambda a: a["trigger"]["start"])
    return text, actions, values


def to_markup(text: str, actions: list[dict[str, Any]], values: list[dict[str, Any]]) -> str:
    """Write labels back as inline markup: the inverse of `compile_markup`, with actions numbered in reading order."""
    marks: dict[tuple[int, int], dict[str, Any]] = {}
    codes = [{v: k for k, v in table.items()} for table in (TENSES, MODALITIES, ACTORS)]
    for n, a in enumerate(actions, 1):
        t = a["trigger"]
        code = "".join(table[a[key]] for table, key in zip(codes, ("tense", "modality", "actor"), strict=True))
        marks[t["start"], t["end"]] = {"kind": "A", "numbers": [n], "code": code}
        for kind, span in [("O", a["object"])] * bool(a.get("object")) + [(s["type"], s) for s in a["slots"]]:
            marks.setdefault((span["start"], span["end"]), {"kind": kind, "numbers": []})["numbers"].append(n)
    for v in values:
        marks.setdefault((v["start"], v["end"]), {"kind": v["type"], "numbers": []})
    out, at = [], 0
    for (start, end), mark in sorted(marks.items()):
        if start < at:
            raise CorpusError(f"labels overlap at {text[start:end]!r}")
        numbers = ",".join(map(str, mark["numbers"]))
        code = f" {mark['code']}" if "code" in mark else ""
        out += [text[at:start], f"⟦{text[start:end]}|{mark['kind']}{numbers}{code}⟧"]
        at = end
    return "".join([*out, text[at:]])


def parse_source(source: str, *, name: str = "<text>") -> Iterator[Record | CorpusError]:
    """Yield every record of a source text; a record that cannot be compiled is yielded as its CorpusError."""
    heads = list(_HEADER.finditer(source))
    if not heads:
        yield CorpusError(f"{name}: no record (a record starts with a line '=== domain=... voice=...')")
        return
    for head, following in zip(heads, [*heads[1:], None], strict=True):
        line = source.count("\n", 0, head.start()) + 1
        body = source[head.end() : following.start() if following else len(source)].strip("\n")
        meta: dict[str, str] = {}
        for part in head.group(1).split():
            key, eq, value = part.partition("=")
            if eq:
                meta[key] = value
        try:
            missing = {"domain", "voice"} - meta.keys()
            if missing:
                raise CorpusError(f"the header lacks {', '.join(sorted(missing))}")
            if not body.strip():
                raise CorpusError("the reply is empty")
            text, actions, values = compile_markup(body)
        except CorpusError as e:
            yield CorpusError(f"{name}:{line}: {e}")
            continue
        yield Record(text, actions, values, meta, line)
