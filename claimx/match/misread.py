"""Values told from a record that holds almost the same: a swapped digit, a shifted day, an amount that no sum explains.

Used only for values that stand nowhere in the run, neither in a call nor in the user's words.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime
from difflib import SequenceMatcher

from claimx.match.amounts import misread_amount
from claimx.match.call import Call
from claimx.match.contradiction import speaks_of_when
from claimx.match.finding import DOTTED
from claimx.match.numbered import can_name
from claimx.match.view import CallView, read_slot
from claimx.types import Mismatch, Slot, SlotType
from claimx.values import Contact, Date, Identifier, Money, Person, Time, near_miss, parse, same

#: Days by which a told date may miss a recorded one and still mean it: in what was done, and in what was read.
_NEAR_DONE = 31
_NEAR_READ = 7


def misread(
    slot: Slot,
    view: CallView,
    everything: Sequence[Call],
    *,
    now: datetime | None = None,
    near: Sequence[str] = (),
    reading: bool = False,
    clause: str = "",
) -> Mismatch | None:
    """Return the record's value that a slot misreads, None when the call holds nothing close enough to say so.

    `near` are paths at which the call holds the claim's other values, `clause` is the claim's text.
    """
    if DOTTED.fullmatch(slot.text):
        slot = replace(slot, type=SlotType.ID)
    claimed = read_slot(slot, now)
    if isinstance(claimed, Identifier) and len(claimed.core) >= 4:
        return _identifier(slot, claimed, view, clause)
    if isinstance(claimed, Contact) and claimed.kind == "email":
        return _contact(slot, claimed, view)
    if isinstance(claimed, Date):
        return _date(slot, claimed, view, reading)
    if isinstance(claimed, Time):
        return _time(slot, claimed, view, reading)
    if isinstance(claimed, Money):
        return misread_amount(slot, claimed, view, everything, near)
    if isinstance(claimed, Person) and len(claimed.words) > 1:
        return _person(slot, claimed, view)
    return None


#: Fields that name a party of a call. Whom else a claim may speak of is not known: only a name much like theirs is theirs, misread.
_PARTY = re.compile(
    r"(?:^|_)(?:candidate|applicant|student|pupil|employee|member|passenger|tenant|guest|client|payer|holder)(?:_?name)?$|"
    r"^(?:full_?|display_?)?name$",
    re.I,
)


def _person(slot: Slot, claimed: Person, view: CallView) -> Mismatch | None:
    for i, leaf in enumerate(view.leaves):
        if not isinstance(leaf.value, str) or not _PARTY.search(leaf.key):
            continue
        recorded = view.read(SlotType.PERSON, i, None)
        if not isinstance(recorded, Person) or len(recorded.words) != len(claimed.words) or recorded.handle:
            continue
        found = same(claimed, recorded)
        alike = SequenceMatcher(None, " ".join(claimed.words), " ".join(recorded.words)).ratio()
        initials = [[w[0] for w in p.words] for p in (claimed, recorded)]
        if found.is_different and initials[0] == initials[1] and alike >= _LIKE_NAMES:
            return Mismatch("PERSON", slot.text, leaf.value, leaf.path, found.reason)
    return None


#: How like two names with the same initials must be for one to be a misreading of the other.
_LIKE_NAMES = 0.6


def _identifier(slot: Slot, claimed: Identifier, view: CallView, clause: str) -> Mismatch | None:
    if not any(c.isdigit() for c in claimed.core):
        return None
    # What stands before an id may be its name: "MRN A8841".
    cores = {"".join(c for c in t.lower() if c.isalnum()) for t in (claimed.core, slot.text.split()[-1])}
    cores = {c for c in cores if len(c) >= 4 and any(x.isdigit() for x in c)}
    for token, bare, leaf in view.tokens:
        for core in cores if bare not in cores else ():
            slip = near_miss(core, bare) if abs(len(bare) - len(core)) <= 1 else None
            if slip and can_name(leaf, clause):
                return Mismatch("ID", slot.text, token if len(str(leaf.value)) > 60 else leaf.value, leaf.path, slip)
    return None


def _contact(slot: Slot, claimed: Contact, view: CallView) -> Mismatch | None:
    host = claimed.core.rpartition("@")[2]
    for leaf in view.leaves:
        if isinstance(leaf.value, str) and "@" in leaf.value and len(leaf.value) < 200:
            other = parse(SlotType.CONTACT, leaf.value)
            if isinstance(other, Contact) and other.kind == "email" and other.core != claimed.core:
                slip = near_miss(claimed.core, other.core)
                if slip or other.core.rpartition("@")[2] == host:
                    return Mismatch("CONTACT", slot.text, leaf.value, leaf.path, slip or "another address")
    return None


def _calendar(d: Date) -> date | None:
    if d.year is None or d.month is None or d.day is None:
        return None
    try:
        return date(d.year, d.month, d.day)
    except ValueError:
        return None


def _date(slot: Slot, claimed: Date, view: CallView, reading: bool) -> Mismatch | None:
    wanted = _calendar(claimed)
    if wanted is None:
        return None
    best: tuple[int, Mismatch] | None = None
    for leaf in view.leaves:
        if not isinstance(leaf.value, str) or not re.match(r"\d{4}-\d{2}-\d{2}", leaf.value):
            continue
        if not speaks_of_when(leaf.key, view, reading=reading):
            continue
        other = parse(SlotType.DATE, leaf.value[:10])
        day = _calendar(other) if isinstance(other, Date) else None
        if day is None:
            continue
        off = abs((day - wanted).days)
        if off > 31 and (day.month, day.day) == (wanted.month, wanted.day):
            return Mismatch("DATE", slot.text, leaf.value, leaf.path, "the year differs")
        if 0 < off <= (_NEAR_READ if reading else _NEAR_DONE) and (best is None or off < best[0]):
            best = (off, Mismatch("DATE", slot.text, leaf.value, leaf.path, f"{off} day{'s' if off > 1 else ''} off"))
    return best[1] if best else None


def _time(slot: Slot, claimed: Time, view: CallView, reading: bool) -> Mismatch | None:
    """Noon told for midnight: exactly twelve hours off a recorded time, which no zone is likely to explain."""
    for leaf in view.leaves:
        if isinstance(leaf.value, str) and ":" in leaf.value and len(leaf.value) < 40:
            if not speaks_of_when(leaf.key, view, reading=reading):
                continue
            other = parse(SlotType.TIME, leaf.value)
            if isinstance(other, Time) and abs(other.minutes - claimed.minutes) == 12 * 60:
                return Mismatch("TIME", slot.text, leaf.value, leaf.path, "twelve hours off")
    return None
