"""Claims to have invited somebody, borne out by an event that was made: who is on its list, where it has one."""

from __future__ import annotations

import re
from collections.abc import Sequence

from claimx.match import wording
from claimx.match.evidence import Fit
from claimx.types import Action, JudgedClaim, Mismatch, Slot, SlotType
from claimx.verbs import lemma

_LISTED = re.compile(r"attendee|invite|participant|guest|recipient|member|(?:^|_)(?:to|cc|bcc|emails?|with)$", re.I)
_INVITING = frozenset("invite add notify send share assign".split())
_TOLD = frozenset("invite invitation invitee attendee participant guest".split())
_NAME = re.compile(r"[A-Z][^\W\d_]*(?:[ .'’-][^\W\d_]+)*\.?")
_GROUP = re.compile(
    r"\b(?:teams?|all|everyone|everybody|group|staff|dep(?:t|artment)|list|channel|crew|board|others?)\b", re.I
)


def judge_invited(action: Action, good: Sequence[Fit]) -> JudgedClaim | None:
    """Return the status of a claim to have invited people whom no call names, None for any other claim.

    `good` are the calls that worked, the best first.
    """
    words = action.trigger.text.split()
    if not words or lemma(words[0]) != "invite":
        return None
    people = [
        s
        for i, s in enumerate(action.slots)
        if s.type in (SlotType.PERSON, SlotType.CONTACT) and not any(i in f.agreement.held for f in good)
    ]
    best = good[0].call
    if not people or not best.shape.verbs.isdisjoint(_INVITING):
        return None
    listed = [x for x in best.view.leaves if isinstance(x.value, str) and (_LISTED.search(x.key) or _in_list(x.path))]
    if not listed:
        if not best.told.isdisjoint(_TOLD):
            return None
        return wording.unmatched(action, (), f"{best.id} ({best.tool}) records nobody as invited")
    names = [str(x.value) for x in listed]
    person = people[0]
    if any(_is_short_for(person, n) or not _can_tell(person, n) for n in names):
        return wording.unmatched(action, (), f"whether {person.text!r} is one of {', '.join(names[:5])!r} is not known")
    wrong = Mismatch(
        str(person.type), person.text, ", ".join(names[:5]), listed[0].path, f"{person.text!r} is not among them"
    )
    return wording.misquoted(action, best, [wrong])


def _in_list(path: str) -> bool:
    """Whether a value stands in a list of people, as a field of one of them."""
    return "[" in path and bool(_LISTED.search(path.partition("[")[0].rpartition(".")[2]))


def _is_short_for(person: Slot, name: str) -> bool:
    """Whether a told name may be short for a recorded one: Lena for Magdalena."""
    return any(w in name.lower() for w in person.text.lower().split() if len(w) > 2)


def _can_tell(person: Slot, name: str) -> bool:
    """Whether one who was told is recognised among such names: an address need not show whose it is."""
    if person.type is SlotType.CONTACT:
        return "@" in name and "@" in person.text
    return _NAME.fullmatch(name.strip()) is not None and not _GROUP.search(name)
