"""What a call did on the side: `reopen_claim(waive_penalty=true)` waives a penalty, `{"card_status": "frozen"}` tells of a freeze.

Fields are read one by one, so that a flag which is off, a count of none and a word inside of a document state nothing.
"""

from __future__ import annotations

import re
from collections.abc import Set
from functools import lru_cache

from claimx.match.call import Call
from claimx.match.deciding import decided_in, names_deed
from claimx.match.fields import Leaf
from claimx.match.gist import Gist
from claimx.match.index import Index
from claimx.match.kinship import APART
from claimx.match.nouns import TEXT_WORD, fold_noun, members_of
from claimx.types import Action, SlotType
from claimx.values import fold
from claimx.values.keys import parts_of
from claimx.verbs import READING, TOOL_WORDS, lemma

_OFF = frozenset({"", "false", "no", "none", "null", "off", "0", "never", "n/a", "pending", "todo"})
_SENTENCE = re.compile(r"(?<=[.!?])\s+|[\n;|]+")
_NOT = re.compile(r"\b(?:not|no|never|cannot|failed|unable|will|if|once|when|before|un\w+ed)\b|n['’]t\b", re.I)
_STATES = frozenset({"status", "state", "outcome"})
_VALUES = (SlotType.ID, SlotType.MONEY, SlotType.CONTACT)
_PLACES = (SlotType.CONTACT, SlotType.NAME, SlotType.PERSON, SlotType.ID)
#: Families whose claims a field may carry that merely holds what they name: `role: "viewer"` in a policy that was set.
_GIVING = frozenset("approve assign add set enable update send save notify request".split())

#: Families that pass something on to a place that an argument of another deed may name.
_PASSING_ON = frozenset("send assign submit".split())


def may_state(gist: Gist, action: Action, index: Index) -> frozenset[int]:
    """Which calls may state a claim's event on the side: those in whose raw text its verb stands, and its object."""
    if gist.verb in READING and gist.verb != "report":
        return frozenset()
    word = action.trigger.text.split()[0].lower()[:4] if action.trigger.text.split() else ""
    found = index.saying(gist.base[:4]) | (index.saying(word) if len(word) >= 3 else frozenset())
    if not gist.head:
        return found | (index.with_any() if gist.verb in _PASSING_ON and action.slots else frozenset())
    if not found and gist.verb not in _GIVING:
        return found
    named = frozenset().union(
        *(index.saying(w[:4] if len(w) > 3 else w) for w in {*members_of(gist.head), *gist.object_words})
    )
    if gist.verb not in _GIVING:
        return found & named
    if found <= named:
        return named
    # What was given may stand in a list called after the verb, or with the place that the claim names; else its object is named.
    places = [p for s in action.slots if s.type in _PLACES and len(p := fold(s.text.strip("`*#\"' "))) > 2]
    listed = frozenset().union(*(index.listing(stem) for stem in {gist.base[:4], word} if stem))
    return named | found & (listed | index.odd | frozenset().union(*map(index.quoting, places)))


def states(gist: Gist, action: Action, call: Call) -> str | None:
    """Return the path of the argument or the field of the result that states a claim's event, None where none does."""
    for leaf in call.view.args:
        if _states(gist, action, leaf) or _decides(gist, action, call, leaf):
            return leaf.path
    for leaf in () if call.result.failed else call.view.results:
        if _states(gist, action, leaf) or (isinstance(leaf.value, str) and _in_words(gist, action, leaf.value)):
            return leaf.path
    return _gives(gist, action, call)


def _decides(gist: Gist, action: Action, call: Call, leaf: Leaf) -> bool:
    """Whether an argument names the claim's deed, done to what the call speaks of: `event: "APPROVE"`, `service: "turn_off"`."""
    if decided_in(leaf.key, leaf.value) != gist.verb and not _is_word_for(gist, action, leaf):
        return False
    return not gist.head or gist.head in call.shape.nouns | call.shape.verbs or gist.head in call.said


def _is_word_for(gist: Gist, action: Action, leaf: Leaf) -> bool:
    """Whether such an argument has the claim's own verb, which no table may know: `action: "snooze"`."""
    words = parts_of(leaf.value) if isinstance(leaf.value, str) and names_deed(leaf.key) else ()
    told = action.trigger.text.lower().split()[1:]
    return 0 < len(words) <= 3 and lemma(words[0]) == gist.base and all(w in words for w in told)


def _states(gist: Gist, action: Action, leaf: Leaf) -> bool:
    keys, about = _field(leaf.key, leaf.path.rpartition(".")[0].partition(".")[2])
    value = leaf.value
    if _is_deed(gist.base, gist.verb, keys):
        if value is False or str(value).strip().lower() in _OFF:
            return False
        if len(keys) == 1 and keys[0] != gist.base and leaf.path.endswith("]") and gist.verb in _GIVING:
            return True  # a list of what was put there: `attachments`
        if value is True or isinstance(value, int | float):
            return _named(gist, about) and value > 0
        return _holds_place(action, value) or (bool(gist.head) and _named(gist, about | _words(value)))
    if not isinstance(value, str) or len(value) > 60 or (_STATES.isdisjoint(keys) and " " in value.strip()):
        return False
    return bool(gist.head) and gist.head in about and any(lemma(w) == gist.base for w in TEXT_WORD.findall(value))


@lru_cache(maxsize=16384)
def _field(key: str, container: str) -> tuple[tuple[str, ...], frozenset[str]]:
    """The words of a field's name, and the folded ones of its name and of what holds it."""
    keys = parts_of(key)
    return keys, frozenset(fold_noun(w) for w in (*keys, *parts_of(container)))


@lru_cache(maxsize=16384)
def _is_deed(base: str, verb: str, keys: tuple[str, ...]) -> bool:
    """Whether a field is called after the claim's verb: `waive_penalty`, `penalty_waived`, `sent_to`, `attachments`."""
    for w in keys:
        if lemma(w) == base or (len(base) >= 5 and w.startswith(base[:5])):
            return True
    verbs = [f for w in keys[:1] if (f := TOOL_WORDS.get(lemma(w))) is not None]
    return len(keys) > 1 and verb in verbs


def _named(gist: Gist, about: Set[str]) -> bool:
    """Whether a field speaks of the claim's object; a claim without one is spoken of by its verb alone."""
    return gist.head in about if gist.head else True


def _words(value: object) -> set[str]:
    return {fold_noun(w) for w in TEXT_WORD.findall(str(value)[:200])}


def _holds_place(action: Action, value: object) -> bool:
    """Whether a field holds one of the names, addresses or numbers that the claim gives."""
    text = fold(str(value)[:400])
    return any(s.type in _PLACES and len(s.text) > 2 and fold(s.text.strip("`*#\"' ")) in text for s in action.slots)


def _in_words(gist: Gist, action: Action, value: str) -> bool:
    """Whether a sentence of a result states the event: “SMS sent to guest.”"""
    for sentence in _SENTENCE.split(value[:4000]) if len(value) > 12 else ():
        words = TEXT_WORD.findall(sentence)
        if len(words) > 40 or not any(lemma(w) == gist.base for w in words) or _NOT.search(sentence):
            continue
        if any(fold_noun(w) == gist.head for w in words) if gist.head else _holds_value(action, sentence):
            return True
    return False


def _holds_value(action: Action, sentence: str) -> bool:
    low = fold(sentence)
    return any(s.type in _VALUES and fold(s.text.strip("`*#$€£\"' ")) in low for s in action.slots)


def _gives(gist: Gist, action: Action, call: Call) -> str | None:
    """The argument that holds just what a claim says was given: the viewer role, to somebody whom the call names, too."""
    if gist.verb not in _GIVING or call.result.failed or (gist.head and gist.head in call.shape.nouns):
        return None
    if any((gist.verb, f) in APART for f in call.shape.families) or not action.slots:
        return None
    text = set(fold(action.text).replace("-", " ").split())
    raw = call.view.raw
    if not all(fold(s.text.strip("`*#\"' ")) in raw for s in action.slots if s.type in _PLACES):
        return None
    if not gist.head:
        # "... and sent it to Linden": the place is an argument of its own.
        names = [fold(s.text.strip("`*\"' ")) for s in action.slots if s.type is SlotType.NAME]
        whole = (x.path for x in call.view.args if isinstance(x.value, str) and fold(x.value) in names)
        return next(whole, None) if gist.verb in _PASSING_ON else None
    for leaf in call.view.args:
        if not isinstance(leaf.value, str) or fold_noun(leaf.key) != gist.head or len(leaf.value) > 40:
            continue
        words = set(fold(leaf.value).replace("-", " ").replace("_", " ").split())
        if words and words <= text:
            return leaf.path
    return None
