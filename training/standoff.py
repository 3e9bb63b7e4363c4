"""Labels apart from their text: what the repository may carry of replies whose text must stay outside of it.

A stand-off record holds the reply's id, a digest of its text, and labels by offsets alone. It is joined with a file of
replies (`{"id", "reply"}` a line) that the user has; a reply whose digest differs is refused.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from claimx.annotate.example import Example, faults_of
from claimx.errors import CorpusError


def digest(text: str) -> str:
    """Tagged digest of a reply's text."""
    return "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:24]


def strip(example: Example) -> dict[str, Any]:
    """Return an example without any of its text."""

    def at(span: dict[str, Any] | None) -> list[int] | None:
        return [span["start"], span["end"]] if span else None

    return {
        "id": example.id,
        "source": example.domain,
        "digest": digest(example.text),
        "actions": [
            [at(a["trigger"]), at(a["object"]), a["tense"], a["modality"], a["actor"], [[s["type"], *(at(s) or [])] for s in a["slots"]]]
            for a in example.actions
        ],
        "values": [[v["type"], *(at(v) or [])] for v in example.values],
    }  # fmt: skip


def restore(record: dict[str, Any], text: str) -> Example:
    """Join a stand-off record with its text; raise CorpusError when the text is another one."""
    if digest(text) != record["digest"]:
        raise CorpusError(f"{record['id']}: the reply's text has changed since it was labelled")

    def span(at: list[int]) -> dict[str, Any]:
        return {"text": text[at[0] : at[1]], "start": at[0], "end": at[1]}

    actions = [
        {
            "trigger": span(trigger), "object": span(target) if target else None, "tense": tense, "modality": modality,
            "actor": actor, "slots": [{"type": s[0], **span(s[1:])} for s in slots],
        }
        for trigger, target, tense, modality, actor, slots in record["actions"]
    ]  # fmt: skip
    values = [{"type": v[0], **span(v[1:])} for v in record["values"]]
    source = record.get("source", "")
    return Example(record["id"], text, actions, values, origin="real", domain=source, part=source)


def write(path: Path, examples: Iterable[Example]) -> int:
    """Write stand-off records; return their number."""
    rows = [strip(e) for e in examples]
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("w", encoding="utf-8") as f:
        f.writelines(json.dumps(r, ensure_ascii=False, separators=(",", ":")) + "\n" for r in rows)
    return len(rows)


def join(labels: Path, replies: Path) -> list[Example]:
    """Join stand-off labels with a file of replies. Replies without labels are passed over; missing ones are an error."""
    with replies.open(encoding="utf-8") as f:
        texts = {r["id"]: r["reply"] for r in map(json.loads, f)}
    out = []
    with labels.open(encoding="utf-8") as f:
        for record in map(json.loads, f):
            if record["id"] not in texts:
                raise CorpusError(f"{replies}: no reply {record['id']!r}")
            example = restore(record, texts[record["id"]])
            faults = faults_of(example)
            if faults:
                raise CorpusError(f"{record['id']}: {faults[0]}")
            out.append(example)
    return out
