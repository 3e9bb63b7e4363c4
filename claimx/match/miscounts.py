"""Figures of a look-up told with a slip: 1,842 sign-ups where the query counts 1,482."""

from __future__ import annotations

import re
from collections.abc import Sequence

from claimx.match.call import Call
from claimx.match.contradiction import following
from claimx.match.evidence import Fit, Scene
from claimx.match.finding import find
from claimx.match.handwork import command_of
from claimx.match.nouns import singular
from claimx.match.view import NAMES_RECORD, read_slot
from claimx.types import Action, Mismatch, SlotType
from claimx.values import Count, near_miss

#: Shorter numbers are near to many others by chance, and of longer results some number always is near.
_LEAST = 100
_MOST_NUMBERS = 30


def miscounted(action: Action, found: Sequence[Fit], scene: Scene) -> Mismatch | None:
    """Return the counted figure of a look-up that a claim tells with one slip, None where the number may come from elsewhere.

    A number that some call or the user gives, or that two figures of the run add up to or differ by, is let stand.
    """
    for slot in action.slots:
        value = read_slot(slot) if slot.type is SlotType.COUNT else None
        if not isinstance(value, Count) or value.vague or value.high is not None or value.number < _LEAST:
            continue
        told = int(value.number)
        if told != value.number or slot.text.lstrip("~").replace(",", "") in (scene.user or "").replace(",", ""):
            continue
        if any(find(slot, c.view, now=scene.now) for c in scene.calls):
            continue
        told_by = (x for f in found for x in f.call.view.results if not NAMES_RECORD.search(x.key))
        figures = [(n, x.path) for x in told_by if (n := _figure(x.value)) is not None]
        if not figures or len(figures) > _MOST_NUMBERS or _is_derived(told, scene):
            continue
        for n, path in figures:
            slip = near_miss(str(told), str(n))
            if slip is not None and not _is_rounded(told, n):
                return Mismatch("COUNT", slot.text, n, path, slip)
    return None


def _is_rounded(told: int, recorded: int) -> bool:
    """Whether a round number is a recorded one rounded: 1,200 of 1,204."""
    zeros = len(str(told)) - len(str(told).rstrip("0"))
    unit = int("1" + "0" * zeros)
    return zeros > 0 and abs(told - recorded) < unit


_FLAG = re.compile(r"--([a-z][a-z-]*)[= ](\d+)\b")


def other_flag(action: Action, call: Call) -> Mismatch | None:
    """A number of things that a command line gives otherwise than a claim: `--replicas=6` of “10 replicas”."""
    command = command_of(call) if call.deeds else ""
    counts = [(s, v) for s in action.slots if s.type is SlotType.COUNT and isinstance(v := read_slot(s), Count)]
    given = set(re.findall(r"\d+", command)) if "--" in command else set()
    if any(str(int(v.number)) in given for _, v in counts):
        return None  # of “from 10 replicas to 6” the command gives what it came to
    for slot, value in counts if given else ():
        if value.vague:
            continue
        things = following(action, slot)
        for flag, number in _FLAG.findall(command):
            if not things.isdisjoint(map(singular, flag.split("-"))):
                return Mismatch("COUNT", slot.text, int(number), f"{call.id}.args", f"it was told --{flag} {number}")
    return None


def _figure(value: object) -> int | None:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 12 and value[0] != "0":
        value = int(value)
    return value if type(value) is int and value >= _LEAST else None


def _is_derived(told: int, scene: Scene) -> bool:
    """Whether figures of the run make a number: two of them, or all under one name."""
    known: set[int] = set()
    by_key: dict[str, int] = {}
    for call in scene.calls:
        known |= {s.size for s in call.view.sizes}
        for x in call.view.results:
            text = str(x.value)
            if type(x.value) is int or (text.isascii() and text.isdigit() and len(text) < 12):
                known.add(int(text))
                by_key[x.key] = by_key.get(x.key, 0) + int(text)
    return told in by_key.values() or any(told - n in known or n - told in known for n in known)
