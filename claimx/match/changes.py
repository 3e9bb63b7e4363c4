"""Claims of a change from one value to another: the call gives the new one, the old one stands in what was there before.

A call that sets a limit of 800 says nothing against "from $500 to $800". What was there before may be shown by an
earlier look-up of the same thing, or by a field of the call that names it: `previous_limit`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from itertools import pairwise

from claimx.match.call import Call
from claimx.match.fields import Leaf
from claimx.match.nouns import TEXT_WORD
from claimx.match.view import CallView, read_slot
from claimx.types import Action, Mismatch, Slot, SlotType
from claimx.values import Name, same
from claimx.values.keys import parts_of
from claimx.verbs import lemma

_BEFORE_OLD = re.compile(
    r"(?:\b(?:from|von|vom|desde|de|du|da|dal|dalla|van)\b\s+(?:[\w'’]+\s+){0,2}|(?P<arrow>[:,(]\s*|^|\s))[*_`\"“‘'(]*$",
    re.I,
)
_BETWEEN = re.compile(
    r"[*_`\"”’')]*\s*(?:(?:to|auf|nach|zu|zum|zur|à|au|a|al|alla|para|naar)\s+(?:[\w'’]+\s+){0,2}|(?P<arrow>→|->|=>)\s*)[*_`\"“‘'(]*",
    re.I,
)
_CHANGING = frozenset(
    "change move rebook reschedule raise increase reduce lower cut upgrade downgrade switch update shift push postpone bring adjust bump "
    "shorten drop scale rename reassign correct edit swap modify amend convert revise relocate delay decrease alter transfer migrate".split()
)
#: The same in other languages, by how their participles begin.
_CHANGED = re.compile(
    r"(?:um)?ge(?:änder|senk|wijzigd|wechsel|bucht|stell|zog)|verschob|verleg|erhöh|verplaats|verhoog|verlaag|reduzier|aktualisier|cambi|modific|modifi|"
    r"reprogram|aument|subi|baj|reduc|reduzi|réduit|augment|déplac|report|chang|pass[ée]|alter|mud|spost|aggiorn|ridott|traslad|mov",
    re.I,
)
#: Things that reach from one time to another: what stands between "from" and "to" is their extent.
_EXTENTS = re.compile(
    r"\b(?:hours|shifts?|windows?|periods?|availability|dates|ranges?|slots?|schedules?|stays?|block|leave|vacation|holidays?)\b",
    re.I,
)
_WHEN = (SlotType.TIME, SlotType.DATE)
_TOWARDS = re.compile(r"\b(?:to|for|on|until)\b", re.I)


def changes(action: Action) -> tuple[tuple[int, int], ...]:
    """Return the pairs of slots of a claim that tell a change: where the old value stands, and where the new one."""
    if len(action.slots) < 2:
        return ()
    spans = tuple([(s.type, s.start - action.start, s.end - action.start) for s in action.slots])
    return _changes(action.text, action.trigger.text, action.trigger.end - action.start, spans)


@lru_cache(maxsize=1024)
def _changes(
    text: str, trigger: str, after: int, spans: tuple[tuple[SlotType, int, int], ...]
) -> tuple[tuple[int, int], ...]:
    words = trigger.split()
    if not words or not (lemma(words[0]) in _CHANGING or any(map(_CHANGED.match, words))):
        return ()
    out = []
    for i, j in pairwise(sorted(range(len(spans)), key=lambda i: spans[i][1])):
        (kind, start, end), (other, start_of_new, _) = spans[i], spans[j]
        leading = _BEFORE_OLD.search(text[: max(0, start)])
        joint = _BETWEEN.fullmatch(text[max(0, end) : max(0, start_of_new)])
        if kind is not other or joint is None or leading is None:
            continue
        if leading.group("arrow") is not None and joint.group("arrow") is None:
            continue
        if kind in _WHEN and (_EXTENTS.search(text) or _TOWARDS.search(text[max(0, after) : leading.start()])):
            continue
        if any(k is SlotType.MONEY for n, (k, _, _) in enumerate(spans) if n not in (i, j)):
            continue  # money moved from one account to another
        out.append((i, j))
    return tuple(out)


def old_values(action: Action) -> frozenset[int]:
    """The slots that tell what was there before a change."""
    return frozenset(i for i, _ in changes(action))


_FORMER = frozenset("from old previous prev former before original origin source current initial prior".split())
_LATTER = frozenset("to new target after next destination updated".split())


def is_former(key: str) -> bool:
    """Whether a field names what was there before: `old_plan`, `from`."""
    return not _FORMER.isdisjoint(parts_of(key))


def _key(path: str) -> str:
    return re.sub(r"\[\d+\]$", "", path).rpartition(".")[2]


def wrong_change(
    action: Action, call: Call, held: dict[int, str], calls: Sequence[Call], now: datetime | None
) -> list[Mismatch]:
    """Return what contradicts the old and the new values of the changes that a claim tells. `held` are the paths at which
    the call holds the claim's values."""
    out = []
    for i, j in changes(action):
        old, new = action.slots[i], action.slots[j]
        found = None
        if i in held and j in held:
            found = _turned_round(old, held[i], held[j])
        elif j in held:
            found = _other_before(old, new, _key(held[j]), call, calls, now)
        elif i in held:
            found = _kept(action, old, new, held[i], call, now)
        else:
            found = _other_after(action, old, new, call, calls, now)
        if found is not None:
            out.append(found)
    return out


def _turned_round(old: Slot, at_old: str, at_new: str) -> Mismatch | None:
    was, came = parts_of(_key(at_old)), parts_of(_key(at_new))
    if _LATTER.isdisjoint(was) or not _FORMER.isdisjoint(was) or _FORMER.isdisjoint(came):
        return None
    return Mismatch(str(old.type), old.text, old.text, at_old, "the call goes the other way round")


def _other_before(
    old: Slot, new: Slot, key: str, call: Call, calls: Sequence[Call], now: datetime | None
) -> Mismatch | None:
    """What stood there before, as the call itself or the last look-up of the same thing tells it."""
    for leaf, value_is_other in _compared(old, call.view, now):
        if is_former(leaf.key) and value_is_other and call.id + ".result" in leaf.path:
            return Mismatch(str(old.type), old.text, leaf.value, leaf.path, "it was another one before")
    about = _names(call.view.args, key)
    shown: list[Leaf] = []
    for c in calls[: call.index]:
        if not c.reads or c.result.failed or about.isdisjoint(_names(c.view.leaves, key)):
            continue
        compared = [(x, other) for x, other in _compared(old, c.view, now) if x.key.lower() == key.lower()]
        if any(not other for _, other in compared):
            return None
        shown += [x for x, _ in compared]
    values = {str(x.value).lower() for x in shown}
    if len(values) != 1 or _is(new, shown[-1], now):
        return None
    return Mismatch(str(old.type), old.text, shown[-1].value, shown[-1].path, "it was another one before")


def _names(leaves: Iterable[Leaf], key: str) -> frozenset[str]:
    """Values by which two calls may be known to be about one thing."""
    return frozenset(
        text
        for x in leaves
        if x.key.lower() != key.lower() and not isinstance(x.value, bool) and len(text := str(x.value).lower()) > 1
    )


_PLAIN = re.compile(r"[A-Za-z][A-Za-z +-]{1,30}")


def _compared(slot: Slot, view: CallView, now: datetime | None) -> Iterable[tuple[Leaf, bool]]:
    """The fields that can be held against a value, each with whether it is another one."""
    claimed = read_slot(slot, now)
    if claimed is None:
        return
    for i, leaf in enumerate(view.leaves):
        if isinstance(claimed, Name):
            if isinstance(leaf.value, str) and _PLAIN.fullmatch(leaf.value):
                # Of names only plain words tell that two are not the same.
                said, given = (set(parts_of(x)) for x in (slot.text, leaf.value))
                yield leaf, said.isdisjoint(given)
            continue
        recorded = view.read(slot.type, i, now)
        if recorded is not None and type(recorded) is type(claimed):
            found = same(claimed, recorded)
            if found.is_different or found.is_same:
                yield leaf, found.is_different


def _is(slot: Slot, leaf: Leaf, now: datetime | None) -> bool:
    value, recorded = read_slot(slot, now), str(leaf.value)
    if value is None or isinstance(value, Name):
        return recorded.lower() == slot.text.lower()
    read = read_slot(Slot(slot.type, recorded, 0, len(recorded)), now)
    return read is not None and same(value, read).is_same


_LASTING = re.compile(r"duration|minutes|length|hours", re.I)
_VALUES = (SlotType.MONEY, SlotType.PERCENT, SlotType.TIME, SlotType.DATE, SlotType.COUNT, SlotType.DURATION)


def _is_named(action: Action, key: str) -> bool:
    """Whether a claim speaks of what a field is called after: an `assignee` of what was reassigned."""
    stems = {w.lower().removeprefix("re")[:5] for w in TEXT_WORD.findall(action.text)}
    return any(len(w) > 3 and w.removeprefix("re")[:5] in stems for w in parts_of(key))


def _kept(action: Action, old: Slot, new: Slot, path: str, call: Call, now: datetime | None) -> Mismatch | None:
    """The call sets what was told as the old value, and the new one nowhere."""
    leaf = next((x for x in call.view.args if x.path == path), None)
    if leaf is None or is_former(leaf.key):
        return None
    others = [x for x in call.view.args if x is not leaf]
    if old.type in _VALUES:
        alike = [x for x, other in _compared(old, call.view, now) if other and x in others]
        if alike or (old.type in _WHEN and any(_LASTING.search(x.key) for x in others)):
            return None
        if old.type is SlotType.COUNT and not _is_named(action, leaf.key):
            return None
    elif not _is_named(action, leaf.key) or any(not _LATTER.isdisjoint(parts_of(x.key)) for x in others):
        return None
    return Mismatch(str(new.type), new.text, leaf.value, path, "the call gives what was to be changed")


def _other_after(
    action: Action, old: Slot, new: Slot, call: Call, calls: Sequence[Call], now: datetime | None
) -> Mismatch | None:
    """The call sets a third value: under the name of what the claim changes, or under which a look-up shows the old one."""
    before = {
        x.key.lower()
        for c in calls[: call.index]
        if c.reads and not c.result.failed
        for x, other in _compared(old, c.view, now)
        if not other
    }
    for leaf, other in _compared(new, call.view, now):
        if not other or leaf not in call.view.args or is_former(leaf.key):
            continue
        if leaf.key.lower() in before or (not isinstance(read_slot(new, now), Name) and _is_named(action, leaf.key)):
            return Mismatch(str(new.type), new.text, leaf.value, leaf.path, "the call sets another one")
    return None
