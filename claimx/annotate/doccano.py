"""doccano: JSONL of a sequence labelling project with relations, both ways.

As in Prodigy, an action's attributes stand in its label: ACTION:past:asserted:agent.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from claimx.annotate.marks import LINK, Mark, Marked, marks_of
from claimx.annotate.prodigy import all_labels, full_label, split_label
from claimx.annotate.selection import Candidate


def make_labels() -> list[dict[str, str]]:
    """Return the project's span types, in the form of doccano's label import."""
    colours = {"ACTION": "#d62728", "OBJECT": "#9467bd"}
    return [
        {"text": label, "backgroundColor": colours.get(label.split(":")[0], "#1f77b4"), "textColor": "#ffffff"}
        for label in all_labels()
    ]


def make_task(candidate: Candidate) -> dict[str, Any]:
    """Return one document with entities and relations; their ids are unique in the document."""
    e = candidate.example
    marked = marks_of(e)
    ids = {m.key: n for n, m in enumerate(marked.marks, 1)}
    entities = [
        {"id": ids[m.key], "label": full_label(m), "start_offset": m.start, "end_offset": m.end} for m in marked.marks
    ]
    relations = [
        {"id": n, "from_id": ids[a], "to_id": ids[b], "type": LINK} for n, (a, b) in enumerate(marked.links, 1)
    ]
    return {"text": e.text, "entities": entities, "relations": relations,
            "claimx_id": e.id, "domain": e.domain, "why": "; ".join(candidate.reasons)}  # fmt: skip


def read_task(task: Mapping[str, Any]) -> tuple[str, str, str, Marked] | None:
    """Read a line of the export: (id, text, domain, marks)."""
    if not isinstance(task.get("text"), str) or not isinstance(task.get("entities"), list):
        raise ValueError("a line needs 'text' and 'entities': export the project as JSONL with relations")
    out = Marked()
    for s in task["entities"]:
        kind, attributes = split_label(str(s.get("label", "")))
        out.marks.append(Mark(str(s["id"]), kind, int(s["start_offset"]), int(s["end_offset"]), None, attributes))
    out.links = [(str(r["from_id"]), str(r["to_id"])) for r in task.get("relations") or ()]
    return str(task.get("claimx_id") or task.get("id") or ""), task["text"], str(task.get("domain") or ""), out
