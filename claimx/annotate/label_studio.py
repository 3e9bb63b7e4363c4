"""Label Studio: the labelling configuration, tasks with predictions, and its JSON export."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from xml.sax.saxutils import quoteattr

from claimx.annotate.marks import ACTION, ATTRIBUTES, KINDS, LINK, Mark, Marked, marks_of
from claimx.annotate.selection import Candidate

_COLOURS = ("#d62728", "#9467bd", "#1f77b4", "#2ca02c", "#ff7f0e", "#bcbd22", "#17becf", "#8c564b", "#e377c2", "#7f7f7f",
            "#393b79", "#637939")  # fmt: skip


def make_config() -> str:
    """Return the labelling configuration (XML): a label a span type, choices for what an ACTION is described by."""
    labels = "\n".join(
        f"    <Label value={quoteattr(kind)} background={quoteattr(colour)}/>"
        for kind, colour in zip(KINDS, _COLOURS, strict=True)
    )
    choices = "\n".join(
        f'  <Choices name="{name}" toName="text" perRegion="true" whenTagName="label" whenLabelValue="{ACTION}" '
        f'choice="single-radio" required="true" showInline="true">\n'
        + "\n".join(f"    <Choice value={quoteattr(v)}/>" for v in values)
        + "\n  </Choices>"
        for name, values in ATTRIBUTES.items()
    )
    return (
        f'<View>\n  <Relations>\n    <Relation value="{LINK}"/>\n  </Relations>\n  <Labels name="label" toName="text">\n'
        f'{labels}\n  </Labels>\n  <Text name="text" value="$text" granularity="word"/>\n{choices}\n</View>\n'
    )


def make_task(candidate: Candidate, *, model: str) -> dict[str, Any]:
    """Return one task; the model's labels are its prediction."""
    e = candidate.example
    data = {"text": e.text, "id": e.id, "domain": e.domain, "why": "; ".join(candidate.reasons)}
    prediction = {"model_version": model, "score": round(1.0 - candidate.worth, 4), "result": result_of(marks_of(e))}
    return {"data": data, "predictions": [prediction]}


def result_of(marked: Marked) -> list[dict[str, Any]]:
    """Write marks as regions, the choices of a region under its id, and relations."""
    out: list[dict[str, Any]] = []
    for m in marked.marks:
        at = {"start": m.start, "end": m.end, "text": m.quote}
        base = {"id": m.key, "to_name": "text"}
        out.append({**base, "from_name": "label", "type": "labels", "value": {**at, "labels": [m.kind]}})
        out += [
            {**base, "from_name": name, "type": "choices", "value": {**at, "choices": [value]}}
            for name, value in m.attributes.items()
        ]
    out += [
        {"type": "relation", "from_id": a, "to_id": b, "direction": "right", "labels": [LINK]} for a, b in marked.links
    ]
    return out


def read_task(task: Mapping[str, Any]) -> tuple[str, str, str, Marked] | None:
    """Read a task of the JSON export: (id, text, domain, marks); None when nobody labelled it, or skipped it.

    Of several annotations the one changed last counts. Raises ValueError on a shape that is not that of the export.
    """
    data = task.get("data")
    if not isinstance(data, Mapping) or not isinstance(data.get("text"), str):
        raise ValueError("a task needs data.text: export as JSON, not as JSON-MIN or CSV")
    done = task.get("annotations", task.get("completions"))
    if not isinstance(done, list):
        raise ValueError("a task needs 'annotations': export as JSON, not as JSON-MIN or CSV")
    kept = [a for a in done if isinstance(a, Mapping) and not a.get("was_cancelled")]
    if not kept:
        return None
    last = max(kept, key=lambda a: str(a.get("updated_at") or a.get("created_at") or ""))
    key = data.get("id") or task.get("id") or ""
    return str(key), data["text"], str(data.get("domain") or ""), marks_from(last.get("result") or [])


def marks_from(result: Sequence[Mapping[str, Any]]) -> Marked:
    """Read regions, their choices and relations."""
    out = Marked()
    choices: dict[str, dict[str, str]] = {}
    for item in result:
        value = item.get("value") or {}
        match item.get("type"):
            case "labels":
                kinds = value.get("labels") or [""]
                out.marks.append(
                    Mark(str(item["id"]), str(kinds[0]), int(value["start"]), int(value["end"]), value.get("text"))
                )
            case "choices" if value.get("choices"):
                own = choices.setdefault(str(item["id"]), {})
                own[str(item["from_name"])] = str(value["choices"][0])
            case "relation":
                out.links.append((str(item["from_id"]), str(item["to_id"])))
    for m in out.marks:
        m.attributes = choices.get(m.key, {})
    return out
