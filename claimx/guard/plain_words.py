"""Words of everyday language, which name no record: the word "order" in a request is no order."""

from __future__ import annotations

from claimx.guard.field_names import (
    ADDRESS_WORDS,
    CONTACT_WORDS,
    ID_WORDS,
    MONEY_WORDS,
    NUMBER_WORDS,
    NUMBERED,
    PARTIES,
)
from claimx.verb_families import FAMILY_OF
from claimx.verbs import lemma

_FUNCTION = frozenset(
    "a about above after again all also am an and any are as at back be because been before being below best between both but by can could "
    "did do does doing done down each either else enough even ever every few first for from further get give go going good got had has "
    "have having he hello help her here hers hey hi him his how i if in into is it its itself just last latest least less let like look made "
    "make many may me mine more most much must my myself need needs never new next no nobody none nor not nothing now of off often ok okay "
    "old on once one only or other our ours out over own per please put quite rather really regards right said same say see seems send she "
    "should since so some somebody someone something soon still such sure take than thank thanks that the their them then there these they "
    "thing things this those though through time to today together tomorrow tonight too two under until up upon us use very want wants was "
    "way we well were what when where whether which while who whole whom whose why will with within without would yes yesterday yet you your "
    "yours yourself monday tuesday wednesday thursday friday saturday sunday morning evening afternoon week month year day days broken wrong "
    "late lost damaged missing delivered shipped pending open closed active new urgent different another".split()
)
_NOUNS = (ADDRESS_WORDS | CONTACT_WORDS | ID_WORDS | MONEY_WORDS | NUMBER_WORDS | NUMBERED | PARTIES) | frozenset(
    "thing record records purchase purchases name names email message number order money item product phone call chat question problem issue "
    "request delivery bill bank money price store shop company website page link file document form list team person people friend".split()
)


def is_plain_word(text: str) -> bool:
    """Whether a text is one word of everyday language in small letters or at the head of a sentence.

    >>> [is_plain_word(t) for t in ("order", "Orders", "please", "refunded", "acme-tools", "mike", "ACME")]
    [True, True, True, True, False, False, False]
    """
    word = text.strip()
    if not word.isalpha() or word.isupper():
        return False
    word = word.lower()
    single = word.removesuffix("s")
    return word in _FUNCTION or word in _NOUNS or single in _NOUNS or single in _FUNCTION or lemma(word) in FAMILY_OF
