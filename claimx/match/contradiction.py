"""How a call contradicts a claimed value: a field that plays the same part holds another one."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from functools import lru_cache

from claimx.match.fields import Leaf
from claimx.match.nouns import STOP, TEXT_WORD, singular
from claimx.match.numbered import can_name, is_of_a_kind, other_link
from claimx.match.view import NAMES_RECORD, CallView, read_slot
from claimx.types import Action, Mismatch, Slot, SlotType
from claimx.values import is_minor_key, same
from claimx.values.keys import parts_of

#: Keys under which a value of the type stands when it plays the part that the claim speaks of.
_ROLES: dict[SlotType, re.Pattern[str]] = {
    SlotType.MONEY: re.compile(r"amount|price|total|cost|fee|refund|balance|paid|charge|credit|limit|budget|salary|cents|minor|sum|value|deposit|fare", re.I),
    SlotType.ID: re.compile(r"(?:^|_)(?:id|ids|number|no|nr|ref|reference|code|key|sku|pnr|uuid|hash|sha|ticket|order|invoice|booking|reservation|"
                            r"confirmation|transaction|tracking|account|case|claim|policy|card|last4|last_four)(?:$|_)|id$|Id$", re.I),
    SlotType.DATE: re.compile(r"date|day|start|end|due|when|time|until|from|depart|arriv|check_?in|check_?out|deadline|expir|valid|begin|(?:_|^)(?:at|on)$", re.I),
    SlotType.TIME: re.compile(r"time|start|end|when|hour|depart|arriv|begin|until|(?:_|^)at$|slot", re.I),
    SlotType.CONTACT: re.compile(r"mail|(?:^|_)to$|recipient|phone|number|contact|address|cc|url|link|invitee|attendee|participants", re.I),
    SlotType.PERSON: re.compile(r"(?:^|_)to$|recipient|assignee|attendee|invitee|owner|beneficiary|payee|(?:first|last|full|customer|user|patient|contact)_?name$|^name$|participants|customer$|doctor|provider", re.I),
    SlotType.PERCENT: re.compile(r"percent|pct|rate|discount|share|brightness|level|volume|%|ratio|fraction", re.I),
    SlotType.DURATION: re.compile(r"duration|timeout|length|minutes|hours|days|seconds|ms$|nights|period|interval|delay|eta", re.I),
}  # fmt: skip
#: Fields that count whatever the call is about, and those that count what was left out.
_AMOUNT_KEY = re.compile(r"(?:count|quantity|qty|n|num|number|number_of\w*|num_\w+|total|size|level|value|volume|speed|party_?size|position|brightness|percentage)$", re.I)  # fmt: skip
#: Fields that count things of their own name: they say nothing of other things that a claim names and counts.
_COUNTED_KEY = re.compile(r"(?:seats|guests|people|replicas|copies|nights|bags|rooms|tickets|licen[cs]es)$", re.I)
#: Fields that hold a mark or a reading, of which a claim gives the bare number.
_MARK_KEY = re.compile(r"score|grade|mark|points|rating|reading", re.I)
_REST = frozenset(
    {
        "remaining",
        "left",
        "failed",
        "skipped",
        "error",
        "max",
        "min",
        "limit",
        "old",
        "before",
        "after",
        "previous",
        "id",
        "per",
    }
)
_MEASURED = re.compile(r"\d+(?:[.,]\d+)?\s*([A-Za-zµ]{1,12})")
_DEGREES = frozenset({"degree", "celsius", "fahrenheit", "c", "f"})
_DEGREE_KEYS = frozenset({"celsius", "fahrenheit", "temperature", "temp", "degree", "c", "f", "setpoint"})
_PERIODS = frozenset({"day", "hour", "minute", "second", "week", "month", "year", "time", "degree"})
_JOINTS = frozenset({"in", "of", "for", "from", "across", "on", "at", "to", "and", "with"})


def contradiction(
    slot: Slot,
    view: CallView,
    rivals: Sequence[Slot] = (),
    *,
    things: frozenset[str] = frozenset(),
    now: datetime | None = None,
    reading: bool = False,
    clause: str = "",
) -> Mismatch | None:
    """Return how a call contradicts a slot, None when it holds nothing comparable.

    Only values that play the same part count (by their key), arguments before the result. `rivals` are slots of the
    same type that the call does hold: their values answer for themselves and contradict nobody. `things` are the nouns
    that a count counts. `reading` tells of a look-up, whose dates may be the bounds of a search. `clause` is the claim's
    text: a number that it does not speak of names nothing.
    """
    claimed = read_slot(slot, now)
    if claimed is None:
        return None
    if slot.type is SlotType.PERCENT:
        shown = re.fullmatch(r"0?(\.\d{2,})\s*%", slot.text.strip())
        share = next(
            (
                x
                for x in view.leaves
                if shown and re.search(rf"(?<!\d)0?{re.escape(shown.group(1))}\b(?!\s*%)", str(x.value))
            ),
            None,
        )
        if share is not None:
            return Mismatch(
                "PERCENT", slot.text, share.value, share.path, "a share of one told as per cent: off by a factor of 100"
            )
    if slot.type is SlotType.NAME:
        return _name_contradiction(slot, view)
    if any(_plays(slot, x, things, True) for x in view.kept_back):
        return None  # the value that plays the part is there, and nobody may read it
    n_args = len(view.args)
    others = [r for r in (read_slot(r, now) for r in rivals) if r is not None]
    best: tuple[int, Mismatch] | None = None
    for i, leaf in enumerate(view.leaves):
        in_args = i < n_args
        if slot.type in _WHEN and not speaks_of_when(leaf.key, view, reading=reading):
            continue
        if (not in_args and leaf.depth > 2) or not _plays(slot, leaf, things, in_args):
            continue
        if slot.type is SlotType.ID and not can_name(leaf, clause):
            continue
        recorded = view.read(slot.type, i, now)
        if recorded is None or type(recorded) is not type(claimed):
            continue
        if any(same(r, recorded).is_same for r in others if type(r) is type(recorded)):
            continue
        found = same(claimed, recorded)
        if not found.is_different or (slot.type is SlotType.ID and not alike_ids(slot.text, str(leaf.value))):
            continue
        rank = (0 if in_args else 10) + leaf.depth + (0 if "differ" in found.reason or "swapped" in found.reason else 1)
        wrong = Mismatch(str(slot.type), slot.text, leaf.value, leaf.path, found.reason)
        if best is None or rank < best[0]:
            best = (rank, wrong)
    if best is None and slot.type is SlotType.ID:
        return other_link(slot, view, clause)
    return best[1] if best else None


@lru_cache(maxsize=8192)
def _has_role(kind: SlotType, key: str) -> bool:
    if kind is SlotType.MONEY:
        # `refund_id` names a refund, it says nothing of how much.
        return (bool(_ROLES[kind].search(key)) or is_minor_key(key)) and not NAMES_RECORD.search(key)
    return bool(_ROLES[kind].search(key))


_WHEN = (SlotType.DATE, SlotType.TIME)
#: When a record was made or changed, which no claim speaks of.
_BOOKKEEPING = re.compile(
    r"created|updated|modified|issued|requested|recorded|logged|fetched|generated|timestamp|^now$|today", re.I
)
#: Two bounds of a search: what was found lies between them.
_BOUND = re.compile(r"start|from|after|since|begin|end|until|before|(?:^|_)to$|min|max", re.I)


def speaks_of_when(key: str, view: CallView, *, reading: bool = False) -> bool:
    """Whether a date or time under a key may be the one that a claim speaks of."""
    if _BOOKKEEPING.search(key):
        return False
    return not reading or not _BOUND.search(key) or sum(bool(_BOUND.search(x.key)) for x in view.args) < 2


def _plays(slot: Slot, leaf: Leaf, things: frozenset[str], in_args: bool) -> bool:
    """Whether a field plays the part that the slot speaks of."""
    if slot.type is SlotType.ID and in_args and leaf.depth <= 1 and is_of_a_kind(slot.text, leaf.value):
        return True
    if slot.type is not SlotType.COUNT:
        return _has_role(slot.type, leaf.key)
    if isinstance(leaf.value, str):
        # "10 mg": a number with the unit that the claim counts in.
        measured = _MEASURED.fullmatch(leaf.value.strip())
        return measured is not None and singular(measured.group(1).lower()) in things
    if not isinstance(leaf.value, int | float) or isinstance(leaf.value, bool):
        return False
    words = {singular(w) for w in parts_of(leaf.key)}
    if things & words and not words & _REST:
        return True
    if things & _DEGREES and words & _DEGREE_KEYS:
        return True
    if not in_args or leaf.depth > 1 or things & _PERIODS:
        return False
    return bool(_AMOUNT_KEY.match(leaf.key)) or (
        not things and bool(_COUNTED_KEY.match(leaf.key) or _MARK_KEY.fullmatch(leaf.key))
    )


def following(action: Action, slot: Slot) -> frozenset[str]:
    """The nouns that a count counts: the words right behind it, and the claim's object where it stands there."""
    at = slot.end - action.start
    if not 0 <= at <= len(action.text):
        return frozenset()
    behind = re.match(r"[\s°*_`]*((?:[A-Za-z][\w'-]*[\s*_`]*){0,3})", action.text[at:])
    words = [singular(w) for w in TEXT_WORD.findall(behind.group(1))] if behind else []
    words = [w for i, w in enumerate(words) if w not in STOP and not (i and words[i - 1] in _JOINTS)]
    if "°" in action.text[at : at + 3]:
        words.append("degree")
    return frozenset(words)


@lru_cache(maxsize=16384)
def alike_ids(a: str, b: str) -> bool:
    """Identifiers contradict each other only when they look alike: same letters in front, about the same length."""
    x, y = re.sub(r"[\s#\-_]", "", a.lower()), re.sub(r"[\s#\-_]", "", b.lower())
    if abs(len(x) - len(y)) > 1:
        return False
    head = [re.match(r"[a-z]*", s).group() for s in (x, y)]  # type: ignore[union-attr]
    mixed = [any(c.isdigit() for c in s) for s in (x, y)]
    if not all(mixed):
        return False
    return head[0] == head[1] or (len(x) == len(y) and not x.isdigit() and not y.isdigit())


def _name_contradiction(slot: Slot, view: CallView) -> Mismatch | None:
    """Channels, files and airport codes have a shape by which two of them can be told apart; other names have not."""
    text = slot.text.strip("`'\"")
    shapes = (
        (text.startswith("#"), lambda v: v.startswith("#"), r"channel|room|to"),
        (
            bool(re.fullmatch(r"[A-Z]{3}", text)),
            lambda v: bool(re.fullmatch(r"[A-Z]{3}", v)),
            r"origin|destination|from|to|airport",
        ),
    )
    for fits, alike, keys in shapes:
        if not fits:
            continue
        leaves = [x for x in view.args if isinstance(x.value, str) and re.search(keys, x.key, re.I)]
        if leaves and all(alike(x.value) for x in leaves) and len(leaves) <= 2:
            other = leaves[-1]
            return Mismatch("NAME", slot.text, other.value, other.path, f"{slot.text!r} is not {other.value!r}")
    return None


#: Fields that name the device, place or thing that a call acts on.
_TARGET_KEY = re.compile(r"(?:^|_)(?:entity|entity_id|device|device_id|target|area|room|zone|appliance|service|host|server|environment|env|cluster)$", re.I)  # fmt: skip


def other_target(action: Action, view: CallView, elsewhere: Callable[[], str]) -> Mismatch | None:
    """Return the mismatch when a claim's object is told apart by a word that the call's target contradicts.

    "The landing light" against `light.pantry`: one shared noun, and on each side a word that the other lacks.
    `elsewhere` tells what else is said in the run: a word that stands there may be another name of the target.
    """
    if action.object is None:
        return None
    said = [singular(w) for w in TEXT_WORD.findall(action.object.text) if w.lower() not in STOP]
    if len(said) < 2:
        return None
    for leaf in view.args:
        if not _TARGET_KEY.search(leaf.key) or not isinstance(leaf.value, str) or len(leaf.value) > 60:
            continue
        words = {singular(w) for w in parts_of(leaf.value)}
        rest, own = set(said) - words, words - set(said) - {"main", "all", "the"}
        if set(said) & words and rest and own and not any(w in elsewhere() for w in rest):
            return Mismatch(
                "NAME",
                action.object.text,
                leaf.value,
                leaf.path,
                f"{' '.join(sorted(rest))!r} is not {' '.join(sorted(own))!r}",
            )
    return None
