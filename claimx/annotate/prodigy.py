"""Prodigy: tasks for its relations interface (`rel.manual`) and what `db-out` gives back.

Prodigy gives a span one label, so an action's attributes stand in it: ACTION:past:asserted:agent.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from itertools import pairwise, product
from typing import Any

from claimx.annotate.marks import ACTION, ATTRIBUTES, KINDS, LINK, Mark, Marked, marks_of
from claimx.annotate.selection import Candidate

_PIECE = re.compile(r"\w+|[^\w\s]")


def full_label(mark: Mark) -> str:
    """Write a mark's kind and attributes as one label."""
    return ":".join([mark.kind, *(mark.attributes[k] for k in ATTRIBUTES)] if mark.kind == ACTION else [mark.kind])


def split_label(label: str) -> tuple[str, dict[str, str]]:
    """Read what `full_label` wrote.

    >>> split_label("ACTION:past:asserted:agent")
    ('ACTION', {'tense': 'past', 'modality': 'asserted', 'actor': 'agent'})
    """
    kind, *rest = label.split(":")
    return kind, dict(zip(ATTRIBUTES, rest, strict=False))


def all_labels() -> list[str]:
    """Every label that a span may carry."""
    combined = [":".join([ACTION, *values]) for values in product(*ATTRIBUTES.values())]
    return [*combined, *KINDS[1:]]


def make_task(candidate: Candidate) -> dict[str, Any]:
    """Return one task with tokens, spans and relations; tokens are cut where spans begin and end."""
    e = candidate.example
    marked = marks_of(e)
    tokens = _tokens(e.text, {p for m in marked.marks for p in (m.start, m.end)})
    spans = {m.key: _span(m, tokens) for m in marked.marks}
    relations = [
        {"head": spans[b]["token_end"], "child": spans[a]["token_end"], "head_span": spans[b], "child_span": spans[a],
         "label": LINK}
        for a, b in marked.links
    ]  # fmt: skip
    meta = {"id": e.id, "domain": e.domain, "why": "; ".join(candidate.reasons)}
    return {"text": e.text, "tokens": tokens, "spans": list(spans.values()), "relations": relations, "meta": meta}


def _tokens(text: str, cuts: set[int]) -> list[dict[str, Any]]:
    out: list[dict[str, Any]] = []
    for m in _PIECE.finditer(text):
        edges = [m.start(), *sorted(c for c in cuts if m.start() < c < m.end()), m.end()]
        for start, end in pairwise(edges):
            blank = end < len(text) and text[end].isspace()
            out.append({"text": text[start:end], "start": start, "end": end, "id": len(out), "ws": blank})
    return out


def _span(m: Mark, tokens: list[dict[str, Any]]) -> dict[str, Any]:
    covered = [t["id"] for t in tokens if t["start"] < m.end and t["end"] > m.start]
    return {
        "text": m.quote, "start": m.start, "end": m.end, "token_start": covered[0], "token_end": covered[-1],
        "label": full_label(m),
    }  # fmt: skip


def read_task(task: Mapping[str, Any]) -> tuple[str, str, str, Marked] | None:
    """Read a line of `db-out`: (id, text, domain, marks); None when it was rejected or ignored."""
    if not isinstance(task.get("text"), str):
        raise ValueError("a line needs 'text'")
    if task.get("answer", "accept") != "accept":
        return None
    text = task["text"]
    out = Marked()
    for n, s in enumerate(task.get("spans") or (), 1):
        kind, attributes = split_label(str(s.get("label", "")))
        out.marks.append(Mark(f"m{n}", kind, int(s["start"]), int(s["end"]), s.get("text"), attributes))
    tokens = task.get("tokens") or []
    for r in task.get("relations") or ():
        ends = [_at(r, end, tokens, out.marks) for end in ("child", "head")]
        out.links.append((ends[0], ends[1]))
    meta = task.get("meta") or {}
    return str(meta.get("id") or task.get("_input_hash") or ""), text, str(meta.get("domain") or ""), out


def _at(relation: Mapping[str, Any], end: str, tokens: list[Any], marks: list[Mark]) -> str:
    """The mark at one end of a relation, by its span where it is told, else by its token."""
    span = relation.get(f"{end}_span")
    at = span if isinstance(span, Mapping) else None
    token = relation.get(end)
    if at is None and isinstance(token, int) and 0 <= token < len(tokens):
        at = tokens[token]
    if at is not None:
        for m in marks:
            if m.start <= int(at["start"]) < m.end:
                return m.key
    return f"token {token}"
