"""Which value of a claim goes with which thing: “$35.50 for HB-1 and $20.00 for HB-2” against the two records of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from claimx.match.evidence import Fit
from claimx.types import Action, Mismatch, SlotType
from claimx.values import compare

_THINGS = (SlotType.ID, SlotType.CONTACT, SlotType.PERSON)
_VALUES = (SlotType.MONEY, SlotType.DATE, SlotType.TIME, SlotType.PERCENT)


def mispaired(action: Action, fits: Sequence[Fit]) -> Mismatch | None:
    """Return the value that a claim gives to one thing and the calls to another of their kind.

    `fits` are the calls that worked, of one tool. Only arguments count, and only the very field that holds the value in
    the other thing's record: it must stand in the told thing's record, too, with another value.
    """
    for thing, value in _pairs(action):
        mine = _paths(fits, thing)
        if not mine:
            continue
        theirs = _paths(fits, value)
        if not theirs or {_record(p) for p in mine} & {_record(p) for p in theirs}:
            continue
        told = action.slots[value]
        fields = {p.rpartition(".")[2] for p in theirs if _form(_record(p)) in {_form(_record(q)) for q in mine}}
        records = {_record(p) for p in mine}
        held = [
            leaf
            for f in fits
            for leaf in f.call.view.args
            if _record(leaf.path) in records and leaf.path.rpartition(".")[2] in fields
        ]
        if held and all(compare(told.type, told.text, str(leaf.value)).is_different for leaf in held):
            name = action.slots[thing].text
            other = held[0]
            return Mismatch(
                str(told.type), told.text, other.value, other.path, f"{name} has {other.value!r}, not {told.text!r}"
            )
    return None


def _pairs(action: Action) -> Iterator[tuple[int, int]]:
    """Pairs of a thing and a value, by their places among the slots, where the words leave no doubt of which goes with which."""
    for kind in _THINGS:
        things = [i for i, s in enumerate(action.slots) if s.type is kind]
        for sort in _VALUES:
            values = [i for i, s in enumerate(action.slots) if s.type is sort]
            if not things or len(things) != len(values):
                continue
            order = sorted((action.slots[i].start, i in things) for i in (*things, *values))
            turns = [is_thing for _, is_thing in order]
            takes_turns = all(a != b for a, b in pairwise(turns))
            if takes_turns or "respectively" in action.text:
                yield from zip(
                    sorted(things, key=lambda i: action.slots[i].start),
                    sorted(values, key=lambda i: action.slots[i].start),
                    strict=True,
                )


def _paths(fits: Sequence[Fit], slot: int) -> list[str]:
    return [p for f in fits if ".args." in (p := f.agreement.held.get(slot, ""))]


def _record(path: str) -> str:
    return path.rpartition(".")[0]


def _form(record: str) -> str:
    """A record's path without which call and which item it is of."""
    return re.sub(r"\[\d+\]", "[]", record.partition(".args")[2])
