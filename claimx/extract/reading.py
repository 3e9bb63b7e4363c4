"""From text to an Extraction: the model's spans become actions with clauses, verb families and read values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice

from claimx.extract.clauses import clauses_of, code_of
from claimx.extract.decode import RawAction, RawSpan, decode
from claimx.extract.encoding import Encoding
from claimx.extract.language import foreign_stretches
from claimx.extract.model import Model
from claimx.types import Action, Extraction, Slot, SlotType, TextSpan
from claimx.values import normalise
from claimx.verbs import family


def read(model: Model, text: str) -> Extraction:
    """Extract the actions and values of one reply.

    Text that is not English is marked as foreign and gives none; fenced code of a named language gives values alone.
    """
    if not text.strip():
        return Extraction()
    language, foreign = foreign_stretches(text)
    encoding, scores = model.score(text)
    actions, values = decode(scores, model.calibration)

    silent = [*foreign, *code_of(text)]

    def says_something(span: RawSpan) -> bool:
        start, end = encoding.offsets[span.first][0], encoding.offsets[span.last - 1][1]
        return not any(s < end and start < e for s, e in silent)

    kept: list[RawAction] = []
    lost: list[RawSpan] = []
    for a in actions:
        if says_something(a.trigger):
            kept.append(a)
        else:
            lost += a.slots
    return Extraction(
        actions=_actions_of(text, encoding, kept),
        values=tuple(_slot_of(text, encoding, v) for v in sorted([*values, *lost], key=lambda v: v.first)),
        language=language,
        foreign=foreign,
    )


def read_stream(
    model: Model, texts: Iterable[str], *, threads: int = 1, batch_size: int = 64
) -> Iterator[tuple[str, Extraction]]:
    """Read a stream of replies in order, `threads` at a time, each by itself at its exact length.

    An answer never depends on what else is read. The stream is drawn `batch_size` texts ahead when there are several threads.
    """
    if threads <= 1:
        for text in texts:
            yield text, read(model, text)
        return
    with ThreadPoolExecutor(threads) as pool:
        waiting = iter(texts)
        while batch := list(islice(waiting, batch_size)):
            yield from zip(batch, pool.map(partial(read, model), batch), strict=True)


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
