"""From text to an Extraction: the model's spans become actions with clauses, verb families and read values."""

from __future__ import annotations

from claimx.extract.clauses import clauses_of
from claimx.extract.decode import RawAction, RawSpan, decode
from claimx.extract.encoding import Encoding
from claimx.extract.language import foreign_stretches
from claimx.extract.model import Model
from claimx.types import Action, Extraction, Slot, SlotType, TextSpan
from claimx.values import normalise
from claimx.verbs import family


def read(model: Model, text: str) -> Extraction:
    """Extract the actions and values of one reply. Text that is not English is marked as foreign and gives none."""
    if not text.strip():
        return Extraction()
    language, foreign = foreign_stretches(text)
    encoding, scores = model.score(text)
    actions, values = decode(scores, model.calibration)

    def is_english(span: RawSpan) -> bool:
        start, end = encoding.offsets[span.first][0], encoding.offsets[span.last - 1][1]
        return not any(s < end and start < e for s, e in foreign)

    kept = [a for a in actions if is_english(a.trigger)]
    lost = [s for a in actions if not is_english(a.trigger) for s in a.slots]
    return Extraction(
        actions=_actions_of(text, encoding, kept),
        values=tuple(_slot_of(text, encoding, v) for v in sorted([*values, *lost], key=lambda v: v.first)),
        language=language,
        foreign=foreign,
    )


def _span_of(text: str, encoding: Encoding, span: RawSpan) -> TextSpan:
    start, end = encoding.offsets[span.first][0], encoding.offsets[span.last - 1][1]
    return TextSpan(text[start:end], start, end)


def _slot_of(text: str, encoding: Encoding, span: RawSpan) -> Slot:
    at = _span_of(text, encoding, span)
    kind = SlotType(span.type)
    return Slot(kind, at.text, at.start, at.end, normalise(kind, at.text), span.score)


def _actions_of(text: str, encoding: Encoding, actions: list[RawAction]) -> tuple[Action, ...]:
    triggers = [_span_of(text, encoding, a.trigger) for a in actions]
    objects = [_span_of(text, encoding, a.object) if a.object else None for a in actions]
    slots = [tuple(_slot_of(text, encoding, s) for s in a.slots) for a in actions]
    groups = [
        [(t.start, t.end), *([(o.start, o.end)] if o else []), *((s.start, s.end) for s in ss)]
        for t, o, ss in zip(triggers, objects, slots, strict=True)
    ]
    out = []
    for action, trigger, target, own, (start, end) in zip(
        actions, triggers, objects, slots, clauses_of(text, groups), strict=True
    ):
        out.append(
            Action(
                text=text[start:end],
                start=start,
                end=end,
                trigger=trigger,
                object=target,
                verb=family(trigger.text, target.text if target else None, text[start:end]),
                tense=action.tense,
                modality=action.modality,
                actor=action.actor,
                slots=own,
                score=action.claim_score,
            )
        )
    return tuple(out)
