"""Noise that real replies carry, applied while training: case, emphasis marks, quotes, line noise, refilled values."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from claimx.annotate.example import Example


def rewrite(example: Example, edits: Sequence[tuple[int, int, str]]) -> Example:
    """Replace stretches of the text and move every label along; edits are (start, end, new text), not overlapping.

    An edit that covers a label's whole span changes what the label quotes; an insertion at an edge stays outside it.
    """
    edits = sorted(edits)

    def moved(at: int, *, is_end: bool) -> int:
        shift = 0
        for start, end, new in edits:
            if end < at or (end == at and (start < end or not is_end)):
                shift += len(new) - (end - start)
            elif start < at < end:
                raise ValueError("an edit cuts through a label")
        return at + shift

    out, last = [], 0
    for start, end, new in edits:
        out += [example.text[last:start], new]
        last = end
    text = "".join([*out, example.text[last:]])

    def span(old: dict[str, Any]) -> dict[str, Any]:
        s, e = moved(old["start"], is_end=False), moved(old["end"], is_end=True)
        return {**old, "text": text[s:e], "start": s, "end": e}

    return _with_spans(example, text, span)


def _with_spans(example: Example, text: str, span: Callable[[dict[str, Any]], dict[str, Any]]) -> Example:
    """Copy an example with another text, every labelled span put through `span`."""
    actions = [
        {
            **a,
            "trigger": span(a["trigger"]),
            "object": span(a["object"]) if a["object"] else None,
            "slots": [span(s) for s in a["slots"]],
        }
        for a in example.actions
    ]
    return replace(example, text=text, actions=actions, values=[span(v) for v in example.values])


def lower(example: Example, rng: random.Random) -> Example:
    """All lower case, as some agents and voice transcripts write. Length-changing letters are left alone."""
    text = "".join(c.lower() if len(c.lower()) == 1 else c for c in example.text)
    return _same_length(example, text)


def upper_trigger_lines(example: Example, rng: random.Random) -> Example:
    """Title Case, as headings and template bots write."""
    text = "".join(
        c.upper() if len(c.upper()) == 1 and (i == 0 or not example.text[i - 1].isalnum()) else c
        for i, c in enumerate(example.text)
    )
    return _same_length(example, text)


def _same_length(example: Example, text: str) -> Example:
    def span(s: dict[str, Any]) -> dict[str, Any]:
        return {**s, "text": text[s["start"] : s["end"]]}

    return _with_spans(example, text, span)


def straighten(example: Example, rng: random.Random) -> Example:
    """Swap straight and typographic quotes and dashes; one character for one."""
    if "’" in example.text or "“" in example.text:
        table = str.maketrans("’‘“”–—", "''\"\"--")
    else:
        table = str.maketrans({"'": "’", '"': rng.choice("“”")})
    return _same_length(example, example.text.translate(table))


def emphasise(example: Example, rng: random.Random) -> Example:
    """Put markdown marks around some labelled values, objects or triggers."""
    mark = rng.choice(["**", "**", "`", "*"])
    edits = []
    for kind, start, end in example.spans():
        before, after = example.text[max(0, start - 1) : start], example.text[end : end + 1]
        if before in {"*", "`", "_"} or after in {"*", "`", "_"}:
            continue
        if rng.random() < (0.15 if kind in {"ACTION", "OBJECT"} else 0.5):
            edits += [(start, start, mark), (end, end, mark)]
    return _insert_around(example, edits)


def plain(example: Example, rng: random.Random) -> Example:
    """Take emphasis marks away."""
    edits = []
    i = example.text.find("**")
    while i >= 0:
        edits.append((i, i + 2, ""))
        i = example.text.find("**", i + 2)
    try:
        return rewrite(example, edits) if edits else example
    except ValueError:
        return example


def _insert_around(example: Example, edits: list[tuple[int, int, str]]) -> Example:
    """Insert marks outside of spans: at a start before it, at an end after it."""
    if not edits:
        return example
    at = sorted(p for p, _, _ in edits)
    mark = edits[0][2]
    out, last = [], 0
    for p in at:
        out += [example.text[last:p], mark]
        last = p
    text = "".join([*out, example.text[last:]])

    def span(s: dict[str, Any]) -> dict[str, Any]:
        start = s["start"] + len(mark) * sum(p <= s["start"] for p in at)
        return {**s, "start": start, "end": start + s["end"] - s["start"]}

    inner = set(at)
    spans = [(s, e) for _, s, e in example.spans()]
    if any(s < p < e for s, e in spans for p in inner):
        return example
    # Where one span ends just where the next starts, a mark would fall into the wrong one.
    if {s for s, _ in spans} & {e for _, e in spans}:
        return example
    return _with_spans(example, text, span)


def mix(
    *, refill: Callable[[Example, random.Random], Example] | None = None, rate: float = 0.5
) -> Callable[[Example, random.Random], Example]:
    """Return an augmenter that leaves a share of 1 - `rate` of the readings alone and changes the others."""

    def augment(example: Example, rng: random.Random) -> Example:
        if rng.random() >= rate:
            return example
        if refill is not None and rng.random() < 0.6:
            example = refill(example, rng)
        roll = rng.random()
        if roll < 0.12:
            example = lower(example, rng)
        elif roll < 0.16:
            example = upper_trigger_lines(example, rng)
        elif roll < 0.30:
            example = straighten(example, rng)
        elif roll < 0.48:
            example = emphasise(example, rng)
        elif roll < 0.58:
            example = plain(example, rng)
        return example

    return augment


def refill(example: Example, rng: random.Random, *, share: float = 0.5) -> Example:
    """Put other values into some slots, alike in kind: what the text says of a value must not depend on the value.

    The same text is replaced by the same value throughout. Names keep to their kind (a file stays a file), counts stay
    plural or singular, so that the sentence around them still reads well.
    """
    from claimx.training.fillers import FILES, MAKERS, PLACES

    new: dict[tuple[str, str], str] = {}
    edits = []
    for kind, start, end in example.spans():
        if kind not in MAKERS:
            continue
        old = example.text[start:end]
        if (kind, old) not in new:
            made = old
            if rng.random() < share:
                if kind == "NAME":
                    is_file = "/" in old or ("." in old and " " not in old)
                    made = rng.choice(FILES) if is_file else old
                    if not is_file and len(old) == 3 and old.isupper():
                        made = rng.choice([p for p in PLACES if len(p) == 3])
                elif kind == "COUNT":
                    made = old if old.lower() in {"1", "one", "a", "an", "both", "no"} else MAKERS[kind](rng)
                    if made.lower() in {"1", "one"}:
                        made = old
                elif kind == "CONTACT":
                    made = MAKERS[kind](rng)
                    while ("@" in made) != ("@" in old):
                        made = MAKERS[kind](rng)
                elif kind == "DATE":
                    relative = old.lower() in {"today", "tomorrow", "yesterday"}
                    made = old if relative else MAKERS[kind](rng)
                    if made in {"today", "tomorrow", "yesterday"}:
                        made = old
                else:
                    made = MAKERS[kind](rng)
            new[kind, old] = made
        if new[kind, old] != old:
            edits.append((start, end, new[kind, old]))
    return rewrite(example, edits) if edits else example
