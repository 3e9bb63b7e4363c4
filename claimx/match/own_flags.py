"""Flags of a result that are off: whether they tell of what the call was to do, or of something else about the thing.

`cancelled: false` of a trip that was rebooked is the state of the trip; of one that was to be cancelled it is a failure.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache

from claimx.match.fields import Leaf
from claimx.values import Phase, phase_of
from claimx.values.keys import parts_of
from claimx.verbs import lemma

#: Verbs that each of these flags answers for; of other verbs it tells how the thing stands.
_DEEDS: Mapping[str, frozenset[str]] = {
    flag: frozenset(verbs.split())
    for flags, verbs in (
        (
            "deleted removed",
            "delete remove drop erase purge clear uninstall discard trash destroy unlink detach forget",
        ),
        ("cancelled canceled", "cancel void abort stop terminate end unsubscribe withdraw revoke close kill"),
        ("refunded", "refund return credit reverse reimburse pay issue process"),
    )
    for flag in flags.split()
}
#: Flags of how far a thing has come, which say nothing of a call that only made it or changed it.
_PROGRESS: Mapping[str, frozenset[str]] = {
    flag: frozenset(verbs.split())
    for flag, verbs in (
        ("delivered", "deliver send notify email mail message post push ship text sms dispatch forward"),
        (
            "sent",
            "send notify email mail message post share text sms dispatch forward reply deliver remind invite submit",
        ),
        ("posted", "post publish comment reply share send"),
        ("completed", "complete finish close resolve mark do execute run process"),
        ("accepted", "accept approve"),
        ("processed", "process pay refund charge transfer"),
        ("committed", "commit"),
    )
}
_MAKING = frozenset(
    "create add make open start schedule update edit assign rename insert draft prepare place order book rebook reschedule propose "
    "offer set generate register plan change modify move amend raise file log".split()
)


def is_of_another_deed(flag: str, verbs: Collection[str]) -> bool:
    """Whether a flag (in lower case) that is off says nothing of a call whose tool is named by these verbs.

    >>> is_of_another_deed("cancelled", {"rebook"}), is_of_another_deed("cancelled", {"cancel"}), is_of_another_deed("sent", {"create"})
    (True, False, True)
    """
    if not verbs:
        return False
    if flag in _DEEDS:
        return _DEEDS[flag].isdisjoint(verbs)
    return flag in _PROGRESS and _PROGRESS[flag].isdisjoint(verbs) and not _MAKING.isdisjoint(verbs)


@lru_cache(maxsize=4096)
def deed_of(key: str) -> str:
    """The deed that a flag is called after, empty where it is called otherwise.

    >>> deed_of("published"), deed_of("isLocked"), deed_of("sent"), deed_of("title")
    ('publish', 'lock', 'send', '')
    """
    words = list(parts_of(key))
    if len(words) > 1 and words[0] in ("is", "was", "been", "has"):
        words = words[1:]
    if len(words) != 1:
        return ""
    base = lemma(words[0])
    return base if base != words[0] else ""


#: States of what will be done later, beside those that are open.
_LATER = frozenset("scheduled planned upcoming".split())
_STATE_KEYS = frozenset("status state stage phase".split())


def is_waiting(word: object) -> bool:
    """Whether a state says that something is to be done later."""
    return isinstance(word, str) and (word.lower() in _LATER or phase_of(word) is Phase.OPEN)


def waits(value: Mapping[str, object]) -> bool:
    """Whether a record's state says that something is to be done later."""
    return any(str(k).lower() in _STATE_KEYS and is_waiting(v) for k, v in value.items())


def is_off(base: str, leaves: Sequence[Leaf]) -> Iterator[Leaf]:
    """Yield what a result holds against a deed told as done: the state that waits beside a flag that is off, else the flag."""
    for leaf in leaves:
        if leaf.value is not False or leaf.depth > _DEEPEST or "[" in leaf.path or deed_of(leaf.key) != base:
            continue
        beside = leaf.path.rpartition(".")[0]
        state = (x for x in leaves if x.path.rpartition(".")[0] == beside and x.key.lower() in _STATE_KEYS)
        yield next((x for x in state if is_waiting(x.value)), leaf)


_DEEPEST = 3
