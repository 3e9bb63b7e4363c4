"""A receipt as a row of the output, and back."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from typing import Any

from claimx.archive.intake import Item
from claimx.types import (
    Action,
    Actor,
    ClaimStatus,
    JudgedClaim,
    JudgedValue,
    Mismatch,
    Modality,
    Receipt,
    Run,
    Slot,
    SlotType,
    Tense,
    TextSpan,
    Verdict,
)

#: Calls and characters of their args and results that a flagged run keeps as evidence.
MAX_CALLS, MAX_EVIDENCE = 24, 1_200
_MAX_PHRASING = 160


def row_of(item: Item, receipt: Receipt) -> dict[str, Any]:
    """Return the row of a run. Its keys are the columns of `claimx.archive.schema.COLUMNS`."""
    return {
        "id": item.run.id,
        "file": item.file,
        "line": item.line,
        "time": item.facets.time,
        "agent": item.facets.agent,
        "model": item.facets.model,
        "version": item.facets.version,
        "verdict": str(receipt.verdict),
        "ok": receipt.ok,
        "summary": receipt.summary,
        "language": receipt.language,
        "reply": item.run.reply,
        "claims": [_claim(c, item.run.reply) for c in receipt.claims],
        "ungrounded": [v.slot.text for v in receipt.values if not v.is_grounded],
        "unreported": list(receipt.unreported),
        "calls": [] if receipt.ok else _evidence(item.run, receipt),
    }


def kind_of(claim: JudgedClaim) -> str:
    """Return what is counted as one kind of claim: status, tool, verb, and the types of the values that differ."""
    slots = "+".join(sorted({m.slot for m in claim.mismatches}))
    return "|".join((str(claim.status), claim.tool or "", claim.action.verb, slots))


def phrasing_of(action: Action, reply: str) -> str:
    """Return a clause with its values masked, so that wordings can be counted."""
    parts, at = [], action.start
    for slot in sorted(action.slots, key=lambda s: s.start):
        if slot.start >= at and slot.end <= action.end:
            parts += [reply[at : slot.start].lower(), f"<{slot.type}>"]
            at = slot.end
    parts.append(reply[at : action.end].lower())
    text = " ".join("".join(parts).split())
    return text if len(text) <= _MAX_PHRASING else text[: _MAX_PHRASING - 1] + "…"


def receipt_of(row: Mapping[str, Any]) -> Receipt:
    """Return the receipt that a row holds. What a row leaves out (normalised values outside of claims) is lost."""
    reply = row["reply"]
    return Receipt(
        id=row["id"],
        verdict=Verdict(row["verdict"]),
        summary=row["summary"],
        claims=tuple(_judged(c, reply) for c in row["claims"] or ()),
        values=tuple(JudgedValue(Slot(SlotType.NAME, t, 0, 0)) for t in row["ungrounded"] or ()),
        unreported=tuple(row["unreported"] or ()),
        language=row["language"],
    )


def _claim(claim: JudgedClaim, reply: str) -> dict[str, Any]:
    action = claim.action
    return {
        "status": str(claim.status),
        "flagged": claim.is_flagged,
        "kind": kind_of(claim),
        "tool": claim.tool,
        "verb": action.verb,
        "text": action.text,
        "phrasing": phrasing_of(action, reply),
        "start": action.start,
        "end": action.end,
        "trigger_start": action.trigger.start,
        "trigger_end": action.trigger.end,
        "object_start": action.object.start if action.object else None,
        "object_end": action.object.end if action.object else None,
        "tense": str(action.tense),
        "modality": str(action.modality),
        "actor": str(action.actor),
        "score": action.score,
        "reason": claim.reason,
        "calls": list(claim.calls),
        "slots": [
            {"type": str(s.type), "text": s.text, "start": s.start, "end": s.end, "value": _json(s.value)}
            for s in action.slots
        ],
        "mismatches": [
            {
                "slot": m.slot,
                "claimed": str(m.claimed),
                "recorded": _json(m.recorded),
                "path": m.path,
                "reason": m.reason,
            }
            for m in claim.mismatches
        ],
    }


def _judged(data: Mapping[str, Any], reply: str) -> JudgedClaim:
    def span(start: int, end: int) -> TextSpan:
        return TextSpan(reply[start:end], start, end)

    action = Action(
        text=data["text"],
        start=data["start"],
        end=data["end"],
        trigger=span(data["trigger_start"], data["trigger_end"]),
        object=None if data["object_start"] is None else span(data["object_start"], data["object_end"]),
        verb=data["verb"],
        tense=Tense(data["tense"]),
        modality=Modality(data["modality"]),
        actor=Actor(data["actor"]),
        slots=tuple(
            Slot(SlotType(s["type"]), s["text"], s["start"], s["end"], json.loads(s["value"])) for s in data["slots"]
        ),
        score=data["score"],
    )
    return JudgedClaim(
        action=action,
        status=ClaimStatus(data["status"]),
        reason=data["reason"],
        tool=data["tool"],
        calls=tuple(data["calls"]),
        mismatches=tuple(Mismatch(**{**m, "recorded": json.loads(m["recorded"])}) for m in data["mismatches"]),
    )


def _evidence(run: Run, receipt: Receipt) -> list[dict[str, Any]]:
    """The calls that flagged claims name come first, then the others, in the order of the ledger."""
    named = {c for claim in receipt.flagged for c in claim.calls}
    ordered = sorted(run.ledger, key=lambda e: e.id not in named)[:MAX_CALLS]
    return [
        {"id": e.id, "tool": e.tool, "status": str(e.status), "args": _short(e.args), "result": _short(e.result)}
        for e in ordered
    ]


def _short(value: Any) -> str:
    text = value if isinstance(value, str) else _json(value)
    return text if len(text) <= MAX_EVIDENCE else text[:MAX_EVIDENCE] + f"… ({len(text):,} characters)"


def _json(value: Any) -> str:
    try:
        return json.dumps(value, ensure_ascii=False, default=str, allow_nan=False)
    except ValueError:  # NaN and the infinities, which Python reads and JSON does not know
        return json.dumps(_finite(value), ensure_ascii=False, default=str)


def _finite(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {k: _finite(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(v) for v in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value
