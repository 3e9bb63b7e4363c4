"""Events that a result states in so many words: “The statement has been posted to your inbox.”"""

from __future__ import annotations

import re

from claimx.match.evidence import Scene
from claimx.match.gist import gist_of
from claimx.match.nouns import TEXT_WORD, fold_noun
from claimx.types import Action
from claimx.values.keys import parts_of
from claimx.verbs import lemma

_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_DONE = re.compile(r"\b(?:has|have|was|were|is|are|been|successfully)\b", re.I)
#: How a line of a log begins that tells what was done: “pushed image”.
_PARTICIPLE = re.compile(r"\w+(?:ed|t|nt|lt)$", re.I)
_NOT = re.compile(r"\b(?:not|no|never|cannot|failed|unable|will|if|once|when|before)\b|n['’]t\b", re.I)
#: What tools are called that give a piece of work to another agent, whose report tells what that one did.
_AGENTS = frozenset("agent agents subagent subagents delegate delegation worker handoff".split())
_MOST_RELAYED = 8000
#: Longer results are documents, whose sentences tell of other things.
_MOST = 600


def _participle(base: str, sentence: str) -> bool:
    """Whether a deed stands in a sentence as a participle with what it was done to or when: “issued on 3 March”."""
    return any(lemma(m.group(1)) == base and m.group(1).lower() != base for m in _TELLING.finditer(sentence))


_TELLING = re.compile(r"\b([A-Za-z]{3,}(?:ed|en|nt))\s+(?:on|to|at|by|from|for)\b")


def told_in_prose(action: Action, scene: Scene) -> str | None:
    """Return the path of a short result that states a claim's event itself, None where none does."""
    gist = gist_of(action)
    nouns = {gist.head} if gist.head else set(gist.main) or gist.clause
    if not nouns:
        return None
    for call in scene.calls:
        if call.result.failed:
            continue
        relays = call.is_internal or not _AGENTS.isdisjoint(parts_of(call.tool))
        for leaf in call.view.results:
            if not isinstance(leaf.value, str) or not 8 < len(leaf.value) <= (_MOST_RELAYED if relays else _MOST):
                continue
            for sentence in _SENTENCE.split(leaf.value):
                words = TEXT_WORD.findall(sentence)
                if (
                    (
                        relays
                        or _DONE.search(sentence)
                        or _participle(gist.base, sentence)
                        or (words and _PARTICIPLE.match(words[0]) and lemma(words[0]) == gist.base)
                    )
                    and not _NOT.search(sentence)
                    and any(lemma(w) == gist.base for w in words)
                    and any(fold_noun(w) in nouns for w in words)
                ):
                    return leaf.path
    return None
