"""What the current model reads in a reply, in the shape of labels: a person corrects instead of starting from nothing."""

from __future__ import annotations

from typing import Any

from claimx.annotate.example import Example
from claimx.types import Extraction, Slot, TextSpan


def prelabel(key: str, text: str, found: Extraction, **fields: Any) -> Example:
    """Turn an extraction into an example; `fields` are its origin, domain, voice, part."""
    actions = [
        {
            "trigger": _span(a.trigger),
            "object": _span(a.object) if a.object else None,
            "tense": str(a.tense),
            "modality": str(a.modality),
            "actor": str(a.actor),
            "slots": [_slot(s) for s in a.slots],
        }
        for a in found.actions
    ]
    return Example(key, text, actions, [_slot(v) for v in found.values], **fields)


def _span(span: TextSpan | Slot) -> dict[str, Any]:
    return {"text": span.text, "start": span.start, "end": span.end}


def _slot(slot: Slot) -> dict[str, Any]:
    return {"type": str(slot.type), **_span(slot)}
