"""A receipt as a row of the output, and back."""

from __future__ import annotations

import json
import math
import re
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
_STRICT = json.JSONEncoder(ensure_ascii=False, default=str, allow_nan=False)


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
    """Return a clause with its values masked, so that wordings can be counted: those that the extraction found, widened to
    whole words and numbers, then what has the form of a value in the rest."""
    parts, at = [], action.start
    for slot in sorted(action.slots, key=lambda s: s.start):
        start, end = _whole(slot.start, slot.end, reply)
        start, end = max(start, action.start), min(end, action.end)
        if end <= at or slot.start >= action.end:
            continue
        if start < at:  # what was masked before reached into this one: both are one word
            at = end
            continue
        parts += [_masked(reply[at:start]), f"<{slot.type}>"]
        at = end
    parts.append(_masked(reply[at : action.end]))
    text = " ".join("".join(parts).split())
    return text if len(text) <= _MAX_PHRASING else text[: _MAX_PHRASING - 1] + "…"


_TAIL = re.compile(r"(?:\w|(?<=\w)[.,:/@-](?=\w))*")
_HEAD = re.compile(r"[\w.,:/@#-]*\Z")
#: How far a value may reach beyond what was found of it, in characters.
_REACH = 40


def _whole(start: int, end: int, reply: str) -> tuple[int, int]:
    """Widen a slot to the whole word or number that it was cut inside of."""
    if end > start and reply[end - 1 : end].isalnum() and reply[end : end + 1].isalnum():
        tail = _TAIL.match(reply, end, end + _REACH)
        end = tail.end() if tail else end
    elif reply[end - 1 : end].isdigit():
        more = re.compile(r"[.,]\d[\d.,]*(?<=\d)").match(reply, end, end + _REACH)
        end = more.end() if more else end
    if reply[start : start + 1].isalnum() and reply[max(0, start - 1) : start].isalnum():
        head = _HEAD.search(reply[max(0, start - _REACH) : start])
        start -= len(head.group().lstrip(".,:/@#-")) if head else 0
    return start, end


_VALUES = re.compile(
    r"(?P<CONTACT>[\w.+-]+@[\w-]+(?:\.[\w-]+)+|https?://\S*[\w/])"
    r"|(?P<MONEY>[$€£¥₹]\s?\d(?:[\d.,]*\d)?|\b\d(?:[\d.,]*\d)?\s?(?:[$€£¥₹]|(?i:usd|eur|gbp|dollars?|euros?|pounds?)\b))"
    r"|(?P<PERCENT>\b\d[\d.,]*\s?%)"
    r"|(?P<DATE>\b\d{4}-\d{2}-\d{2}\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b)|(?P<TIME>\b\d{1,2}:\d{2}(?::\d{2})?\b)"
    r"|(?P<ID>#\w*\d[\w-]*|\b(?=[\w-]*\d)(?=[\w-]*[^\W\d_])\w+(?:-\w+)*\b|\b\d+(?:-\d+)+\b)|(?P<COUNT>\b\d(?:[\d.,]*\d)?\b)"
)
_ORDINARY = re.compile(r"(?i)\d+(?:st|nd|rd|th)|\d+-[a-z]+")


def _masked(text: str) -> str:
    """Mask what has the form of a value; ordinals and the like ("2nd", "5-star") are words."""

    def mask(m: re.Match[str]) -> str:
        return m.group().lower() if _ORDINARY.fullmatch(m.group()) else f"<{m.lastgroup}>"

    out, at = [], 0
    for m in _VALUES.finditer(text):
        out += [text[at : m.start()].lower(), mask(m)]
        at = m.end()
    return "".join([*out, text[at:].lower()])


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
        return _STRICT.encode(value)
    except ValueError:  # NaN and the infinities, which Python reads and JSON does not know
        return json.dumps(_finite(value), ensure_ascii=False, default=str)


def _finite(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {k: _finite(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(v) for v in value]
    return str(value) if isinstance(value, float) and not math.isfinite(value) else value
