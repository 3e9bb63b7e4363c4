"""A labelled reply as annotation tools see it: marks on a text and links between them; and the way back, validated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from claimx.annotate.example import Example, faults_of
from claimx.types import Actor, Modality, SlotType, Tense

ACTION, OBJECT = "ACTION", "OBJECT"
KINDS: tuple[str, ...] = (ACTION, OBJECT, *(str(t) for t in SlotType))
#: What every ACTION is described by, with the values of each.
ATTRIBUTES: dict[str, tuple[str, ...]] = {
    "tense": tuple(map(str, Tense)),
    "modality": tuple(map(str, Modality)),
    "actor": tuple(map(str, Actor)),
}
#: The one kind of link: from an object or value to its action.
LINK = "of"


@dataclass(slots=True)
class Mark:
    """A labelled stretch. `quote` is what the tool says it covers, None when it says nothing; `key` is unique in a reply."""

    key: str
    kind: str
    start: int
    end: int
    quote: str | None = None
    attributes: dict[str, str] = field(default_factory=dict)


@dataclass(slots=True)
class Marked:
    """Marks and links, (from key, to key), of one reply."""

    marks: list[Mark] = field(default_factory=list)
    links: list[tuple[str, str]] = field(default_factory=list)


def marks_of(example: Example) -> Marked:
    """Lay an example out as marks: every stretch once, its links beside it."""
    out = Marked()
    known: dict[tuple[str, int, int], str] = {}

    def mark(kind: str, span: dict[str, Any]) -> str:
        at = (kind, span["start"], span["end"])
        if at not in known:
            known[at] = f"m{len(known) + 1}"
            out.marks.append(Mark(known[at], kind, span["start"], span["end"], span["text"]))
        return known[at]

    for a in example.actions:
        action = mark(ACTION, a["trigger"])
        out.marks[-1].attributes = {k: a[k] for k in ATTRIBUTES}
        for kind, span in [(OBJECT, a["object"])] * bool(a["object"]) + [(s["type"], s) for s in a["slots"]]:
            out.links.append((mark(kind, span), action))
    for v in example.values:
        mark(v["type"], v)
    return out


def example_of(key: str, text: str, marked: Marked, **fields: Any) -> tuple[Example, list[str]]:
    """Put marks back together; return the example and what is wrong with it, in words for the person who labelled it."""
    faults: list[str] = []
    spans: dict[str, dict[str, Any]] = {}
    kinds: dict[str, str] = {}
    actions: dict[str, dict[str, Any]] = {}
    for m in marked.marks:
        if m.kind not in KINDS:
            near = get_close_matches(m.kind.upper(), KINDS, 1)
            hint = f": did you mean {near[0]}?" if near else f" ({', '.join(KINDS)})"
            faults.append(f"label {m.kind!r} is not in the schema{hint}")
            continue
        span = _span_of(m, text, faults)
        if span is None:
            continue
        spans[m.key], kinds[m.key] = span, m.kind
        if m.kind == ACTION:
            actions[m.key] = {
                "trigger": span, "object": None, **_attributes_of(m, span["text"], faults), "slots": [],
            }  # fmt: skip
    linked = _attach(marked.links, spans, kinds, actions, faults)
    values = []
    for k, span in spans.items():
        if k in linked or kinds[k] == ACTION:
            continue
        if kinds[k] == OBJECT:
            faults.append(f"the object {span['text']!r} is linked to no action")
        else:
            values.append({"type": kinds[k], **span})
    ordered = sorted(actions.values(), key=lambda a: int(a["trigger"]["start"]))
    for a in ordered:
        a["slots"].sort(key=lambda s: int(s["start"]))
    example = Example(key, text, ordered, sorted(values, key=lambda v: int(v["start"])), **fields)
    return example, faults or faults_of(example)


def _span_of(m: Mark, text: str, faults: list[str]) -> dict[str, Any] | None:
    """The stretch of a mark, blanks at its edges left out; offsets in UTF-16 units are read as such where they must be."""
    start, end = m.start, m.end
    wanted = m.quote.strip() if m.quote else None
    if wanted is not None and text[start:end].strip() != wanted:
        moved = _from_utf16(text, start, end)
        if moved is not None and text[moved[0] : moved[1]].strip() == wanted:
            start, end = moved
    if not 0 <= start < end <= len(text):
        faults.append(f"{m.kind}: offsets {m.start}-{m.end} are outside the text of {len(text)} characters")
        return None
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start == end:
        faults.append(f"{m.kind} at {m.start}-{m.end} covers blanks alone")
        return None
    if wanted is not None and text[start:end] != wanted:
        faults.append(
            f"{m.kind}: the text at {m.start}-{m.end} is {text[start:end]!r}, the label was put on {wanted!r}"
        )
        return None
    return {"text": text[start:end], "start": start, "end": end}


def _from_utf16(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Read offsets that count a character beyond the basic plane twice, as JavaScript does."""
    if text.isascii():
        return None
    raw = text.encode("utf-16-le", "surrogatepass")
    try:
        head, body = raw[: 2 * start].decode("utf-16-le"), raw[2 * start : 2 * end].decode("utf-16-le")
    except UnicodeDecodeError:
        return None
    return len(head), len(head) + len(body)


def _attributes_of(m: Mark, quote: str, faults: list[str]) -> dict[str, str]:
    out = {}
    for name, allowed in ATTRIBUTES.items():
        value = m.attributes.get(name, "")
        if value not in allowed:
            said = f"{value!r} is not one of" if value else "is missing: choose one of"
            faults.append(f"the {name} of {quote!r} {said} {', '.join(allowed)}")
        out[name] = value
    return out


def _attach(
    links: Sequence[tuple[str, str]],
    spans: dict[str, dict[str, Any]],
    kinds: dict[str, str],
    actions: dict[str, dict[str, Any]],
    faults: list[str],
) -> set[str]:
    """Give objects and values to their actions, whichever way a link was drawn; return the keys that found a home."""
    linked: set[str] = set()
    for pair in dict.fromkeys(links):
        if not all(k in spans for k in pair):
            if all(k not in kinds for k in pair) or not faults:
                faults.append(f"a link joins {pair[0]!r} and {pair[1]!r}, one of which is no label of this reply")
            continue
        ends = [k for k in pair if kinds[k] == ACTION]
        if len(ends) != 1:
            a, b = (spans[k]["text"] for k in pair)
            faults.append(f"the link between {a!r} and {b!r} must join an action with its object or value")
            continue
        home = actions[ends[0]]
        other = pair[1] if pair[0] == ends[0] else pair[0]
        if kinds[other] != OBJECT:
            home["slots"].append({"type": kinds[other], **spans[other]})
        elif home["object"] is not None:
            faults.append(f"the action {home['trigger']['text']!r} has two objects")
        else:
            home["object"] = spans[other]
        linked.add(other)
    return linked
