"""Events that a result states in so many words: “The statement has been posted to your inbox.”"""

from __future__ import annotations

import re
from collections.abc import Set

from claimx.match.evidence import Scene
from claimx.match.gist import gist_of
from claimx.match.nouns import TEXT_WORD, fold_noun, singular
from claimx.types import Action
from claimx.values.keys import parts_of
from claimx.verbs import lemma

_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_DONE = re.compile(r"\b(?:has|have|was|were|is|are|been|successfully)\b", re.I)
#: Words of a sentence that tells one event, where “refunds are issued” tells what is usual.
_EVENT = re.compile(r"\b(?:has|have|was|were|been|successfully)\b", re.I)
_NOT = re.compile(r"\b(?:not|no|never|cannot|failed|unable|will|if|once|when|before)\b|n['’]t\b", re.I)
#: What tools are called that give a piece of work to another agent, whose report tells what that one did.
_AGENTS = frozenset("agent agents subagent subagents delegate delegation worker handoff".split())
_MOST_RELAYED = 8000
#: Longer results are documents, whose sentences tell of other things.
_MOST = 600


def told_in_prose(action: Action, scene: Scene) -> str | None:
    """Return the path of a short result that states a claim's event itself, None where none does."""
    gist = gist_of(action)
    nouns = {gist.head} if gist.head else set(gist.main) or gist.clause
    if not nouns:
        return None
    for call in scene.calls:
        relays = call.tool.lower() == "task" or not _AGENTS.isdisjoint(parts_of(call.tool))
        if call.result.failed or (call.is_internal and not relays):
            continue
        for leaf in call.view.results:
            if not isinstance(leaf.value, str) or not 8 < len(leaf.value) <= (_MOST_RELAYED if relays else _MOST):
                continue
            for sentence in _SENTENCE.split(leaf.value):
                if (
                    not _NOT.search(sentence)
                    and _tells(gist.base, sentence, relays=relays)
                    and any(fold_noun(w) in nouns for w in TEXT_WORD.findall(sentence))
                    and not _is_usual(nouns, sentence)
                ):
                    return leaf.path
    return None


def _tells(base: str, sentence: str, *, relays: bool) -> bool:
    """Whether a sentence tells a deed as done: with a verb of being, as a log does (“pushed image”), with its time or place
    (“issued on 3 March”), and in another agent's report by any past form, which its advice has not."""
    words = TEXT_WORD.findall(sentence)
    if relays:
        return any(_is_past(w, base) for w in words)
    if not any(lemma(w) == base for w in words):
        return False
    return (
        bool(_DONE.search(sentence))
        or _is_past(words[0], base)
        or any(_is_past(m.group(1), base) for m in _TELLING.finditer(sentence))
    )


def _is_past(word: str, base: str) -> bool:
    low = word.lower()
    return lemma(low) == base and (low in _SAME if low == base else not low.endswith(("ing", "s", "er", "ion", "ment")))


#: Verbs whose past form is their base.
_SAME = frozenset("set put cut reset shut let split upset cast".split())
_TELLING = re.compile(r"\b([A-Za-z]{3,}(?:ed|en|nt))\s+(?:on|to|at|by|from|for)\b")


#: What is said of some things and not of their kind: "your refunds", "both orders", "2 parcels", "already".
_THESE = re.compile(
    r"\b(?:the|this|these|that|those|your|his|her|their|its|our|my|both|already|now|just|today|yesterday)\b|\d|[“\"'‘#]",
    re.I,
)
#: What makes a kind of what is named with one of the words above, and a rule of what is said of it.
_ANY = re.compile(
    r"\b(?:within|up to|usually|normally|typically|always|generally|automatically|as soon as|same day|free of charge|business days?|"
    r"working days?|per|may|can|must|should)\b",
    re.I,
)
_KIND = re.compile(r"^\W*(?:an?|any|each|every|all|most|some|no)\b", re.I)
#: What tells an event only of the things that a rule speaks of: "orders that have been returned".
_OF_WHICH = re.compile(r"\b(?:that|which|who)\s+(?:(?:has|have|had)(?: been)?|was|were|is|are)\b", re.I)


def _is_usual(nouns: Set[str], sentence: str) -> bool:
    """Whether a sentence tells of a kind of things what a claim tells of some of them: “Refunds are issued within five days”."""
    sentence = _OF_WHICH.sub("", sentence)
    if _EVENT.search(sentence):
        return False
    named = [m for m in TEXT_WORD.finditer(sentence) if fold_noun(m.group()) in nouns]
    if not named:
        return False
    first = sentence[: named[0].start()]
    if _THESE.search(first):
        return False
    if _KIND.search(first) or _ANY.search(sentence):
        return True
    plural = named[0].group().lower() != singular(named[0].group())
    return plural and not _THESE.search(_TO_WHOM.sub("", sentence[named[0].end() :]))


#: Of whom, where and when a rule speaks: "to the original card", "the same day".
_TO_WHOM = re.compile(
    r"\b(?:to|on|in|by|with|from|for|at|of|before|after)\s+(?:\w+\s+){0,2}?(?:the|your|their|its|this)\b|\bthe (?:same|next|first|original)\b",
    re.I,
)
