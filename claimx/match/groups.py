"""Groups that a call went to, and whether the run shows who is in them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from claimx.match.call import Call
from claimx.match.fields import is_object, unwrapped
from claimx.types import Mismatch, Slot, SlotType
from claimx.values import Person, fold, parse, same

_TO = re.compile(r"(?:^|_)(?:to|cc|bcc)$|recipient|group|list|audience|channel", re.I)
_MEMBERS = re.compile(r"members?$|participants?$|subscribers?$|people$|users?$|recipients?$|attendees?$", re.I)


def left_out_of_group(slot: Slot, call: Call, calls: Sequence[Call]) -> Mismatch | None:
    """Return the mismatch where a call went to a group whose members the run lists, and a person told of is none of them."""
    if slot.type is not SlotType.PERSON:
        return None
    for leaf in call.view.args:
        if not _TO.search(leaf.key) or not isinstance(leaf.value, str):
            continue
        for other in calls:
            for path, members in _members_of(fold(leaf.value), other):
                if members and all(map(lambda m: _is_other(slot.text, m), members)):
                    why = f"{leaf.value!r} has {len(members)} members, listed at {path}: {slot.text!r} is none of them"
                    return Mismatch("PERSON", slot.text, leaf.value, leaf.path, why)
    return None


def _members_of(group: str, call: Call) -> Iterator[tuple[str, list[Any]]]:
    """The lists of members that a result gives of a group, with their paths."""
    if call.result.failed or not call.entry.captured or group not in call.view.raw or call.is_cut():
        return
    for path, record in _records(unwrapped(call.entry.result), f"{call.id}.result", 0):
        if any(isinstance(v, str) and fold(v) == group for v in record.values()):
            for key, value in record.items():
                if isinstance(value, list) and _MEMBERS.search(str(key)):
                    yield f"{path}.{key}", value


def _records(value: Any, path: str, depth: int) -> Iterator[tuple[str, Mapping[str, Any]]]:
    if depth > 4:
        return
    if is_object(value):
        yield path, value
    inner: Iterable[tuple[object, Any]] = value.items() if is_object(value) else ()
    if isinstance(value, list):
        inner = enumerate(value)
    for k, v in inner:
        yield from _records(v, f"{path}[{k}]" if isinstance(k, int) else f"{path}.{k}", depth + 1)


def _is_other(told: str, member: Any) -> bool:
    """Whether a listed member is surely another person."""
    mine, theirs = parse(SlotType.PERSON, told), parse(SlotType.PERSON, member)
    return isinstance(mine, Person) and isinstance(theirs, Person) and same(mine, theirs).is_different
