"""Which changes of a run its reply tells of: by a claim, by another assertion, by a word or a value that only they have."""

from __future__ import annotations

from collections.abc import Iterable

from claimx.match.call import Call
from claimx.match.evidence import Scene, fits_of
from claimx.match.finding import find
from claimx.match.nouns import STOP, TEXT_WORD, fold_noun
from claimx.match.tools import MAY
from claimx.types import Action, Extraction, Modality, SlotType
from claimx.values import fold

#: What tells of a thing as done, or as what comes of it; a denial, an offer or a condition does not.
_TELLING = (Modality.ASSERTED, Modality.ATTRIBUTED)
_VALUES = (SlotType.ID, SlotType.NAME, SlotType.PERSON, SlotType.CONTACT, SlotType.MONEY)


def unreported(scene: Scene, extraction: Extraction, named: Iterable[str], turn: int | None) -> tuple[str, ...]:
    """Return the ids of the changes of a reply's turn that it does not tell of. `named` are those that claims took."""
    known = set(named)
    left = [
        c
        for c in scene.calls
        if (turn is None or c.entry.turn in (None, turn))
        and not (c.reads or c.result.failed or c.id in known or c.tool in scene.options.ignore_tools)
    ]
    if not left:
        return ()
    telling = [a for a in extraction.actions if a.modality in _TELLING]
    told = {f.call.id for a in telling for f in fits_of(a, scene)[1] if f.base >= MAY or f.agreement.held or f.names}
    words = _words(scene.reply, [a for a in extraction.actions if a.modality not in _TELLING])
    return tuple(c.id for c in left if c.id not in told and not _is_named(c, words, scene, extraction))


def _words(reply: str, untold: Iterable[Action]) -> set[str]:
    """The folded words of a reply without its clauses that tell of nothing done."""
    text = reply
    for a in untold:
        text = text[: a.start] + " " * (a.end - a.start) + text[a.end :]
    return {fold_noun(w) for w in TEXT_WORD.findall(text) if w.lower() not in STOP}


def _is_named(call: Call, words: set[str], scene: Scene, extraction: Extraction) -> bool:
    """Whether the reply has a word of the tool's name, or a value, that no other call of the run has."""
    others = [c for c in scene.calls if c.tool != call.tool]
    own = call.shape.nouns.difference(*(c.shape.nouns for c in others))
    if not own.isdisjoint(words):
        return True
    given = fold(scene.user or "")
    values = [*extraction.values, *(s for a in extraction.actions if a.modality in _TELLING for s in a.slots)]
    for s in values:
        if s.type not in _VALUES or fold(s.text.strip("`*#\"' ")) in given:
            continue
        if find(s, call.view, now=scene.now) and not any(find(s, c.view, now=scene.now) for c in others):
            return True
    return False
