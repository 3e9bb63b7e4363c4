"""Which changes of a run its reply tells of: by a claim, by another assertion, by a word or a value that only they have."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence, Set

from claimx.match.evidence import Fit, Scene, fits_of
from claimx.match.finding import find
from claimx.match.nouns import STOP, TEXT_WORD, fold_noun
from claimx.match.tools import MAY
from claimx.types import Action, Extraction, Modality, Slot, SlotType
from claimx.values import fold

#: What tells of a thing as done, or as what comes of it; a denial, an offer or a condition does not.
_TELLING = (Modality.ASSERTED, Modality.ATTRIBUTED)
_VALUES = (SlotType.ID, SlotType.NAME, SlotType.PERSON, SlotType.CONTACT, SlotType.MONEY)


def unreported(
    scene: Scene,
    extraction: Extraction,
    named: Iterable[str],
    turn: int | None,
    fitting: Mapping[int, Sequence[Fit]] | None = None,
) -> tuple[str, ...]:
    """Return the ids of the changes of a reply's turn that it does not tell of. `named` are those that claims took, `fitting`
    the calls that fit an action, where they are known already, by its `id()`."""
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
    words = _words(scene.reply, [a for a in extraction.actions if a.modality not in _TELLING])
    ready = fitting or {}
    told = {
        f.call.id for a in telling for f in (ready[id(a)] if id(a) in ready else fits_of(a, scene)[1]) if _tells(a, f)
    }
    carriers = Counter(n for t in {c.tool: c for c in scene.calls}.values() for n in t.shape.nouns)
    only = {n for n, k in carriers.items() if k == 1} & words
    untold = [c for c in left if c.id not in told and only.isdisjoint(c.shape.nouns)]
    valued = _by_value(scene, extraction, telling, {c.tool for c in untold}) if untold else set()
    return tuple(c.id for c in untold if c.tool not in valued)


def _tells(action: Action, fit: Fit) -> bool:
    """Whether an assertion may be of a call: one that names a value is of the calls that hold it."""
    if any(s.type in _VALUES for s in action.slots):
        return bool(fit.agreement.held)
    return fit.base >= MAY or bool(fit.agreement.held) or fit.names


def _words(reply: str, untold: Iterable[Action]) -> set[str]:
    """The folded words of a reply without its clauses that tell of nothing done."""
    text = reply
    for a in untold:
        text = text[: a.start] + " " * (a.end - a.start) + text[a.end :]
    return {fold_noun(w) for w in TEXT_WORD.findall(text) if w.lower() not in STOP}


def _by_value(scene: Scene, extraction: Extraction, telling: Iterable[Action], tools: Set[str]) -> set[str]:
    """Those of some tools whose calls alone hold some value of the reply that the user did not give."""
    given = fold(scene.user or "")
    out: set[str] = set()
    for s in (*extraction.values, *(s for a in telling for s in a.slots)):
        if s.type not in _VALUES or fold(s.text.strip("`*#\"' ")) in given:
            continue
        tool = _one_tool(s, scene, tools)
        if tool is not None:
            out.add(tool)
    return out


def _one_tool(slot: Slot, scene: Scene, tools: Set[str]) -> str | None:
    """The one tool whose calls hold a value, where it is among `tools`; None where several do, none, or another."""
    calls = scene.index.calls_for(slot, scene.now)
    if all(c.tool not in tools for c in calls):
        return None
    tool = None
    # Where the value was looked for before, the answer is there.
    for c in sorted(calls, key=lambda c: (slot.type, slot.text, scene.now) not in c.view.found):
        if c.tool != tool and find(slot, c.view, now=scene.now):
            if tool is not None or c.tool not in tools:
                return None
            tool = c.tool
    return tool
