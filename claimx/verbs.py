"""Canonical families of verbs: what kind of event a trigger with its object names.

`family` decides from trigger, object and clause; what no table knows falls back to the trigger's lemma. The words are in
`claimx.verb_families`, what the words around a verb make of it in `claimx.verb_senses`.
"""

from __future__ import annotations

import re
from functools import lru_cache

from claimx.verb_families import (
    EVENT_NOUNS,
    FAMILIES,
    FAMILY_OF,
    IRREGULAR,
    LIGHT,
    LIGHT_NOUNS,
    READING,
    TOOL_WORDS,
    VAGUE,
    WITH_OBJECT,
)
from claimx.verb_senses import has_senses, sense_of

__all__ = ["EVENT_NOUNS", "FAMILIES", "READING", "TOOL_WORDS", "VAGUE", "family", "lemma"]


#: Stems of more than one syllable that lose an e before -ed and -ing: "exclud", "sampl", "combin", "activat".
_SILENT_E = re.compile(
    r"(?:[^aeo]at|creat|[^aeiou]in|[^aeiou][ou]d|[aeiouy][^aeiou]+id|ib|[^aeiou]ir|[^aeiou]ar|[^aeo]ur|[aeiou][^aeiou]+ut|[aeiou][^aeiou]+ok|[bdfgkptz]l)$"
)
_DOUBLED_L = re.compile(r"[aeiou][^aeiou]+(?:ell|[gnt]all)$")
#: Light verbs that bring into being what their object names.
_MAKING = frozenset(
    "issue make put put_in place initiate start begin raise set_up setup request get have give arrange apply".split()
)
#: Heads of objects that are things, whatever event stands before them: "a payment plan", "the booking page".
_THINGS = frozenset("plan link method form page rule template confirmation reminder policy number address file".split())


@lru_cache(maxsize=4096)
def lemma(word: str) -> str:
    """Reduce an inflected verb, or a noun made of one, to its base form by rule and table.

    >>> [lemma(w) for w in ("cancelled", "emailing", "Applied", "sent", "closes", "Cancellation", "re-ran", "stopped")]
    ['cancel', 'email', 'apply', 'send', 'close', 'cancel', 'rerun', 'stop']
    """
    w = word.lower().replace("’", "'").strip("'-").replace("re-", "re")
    if w in IRREGULAR:
        return IRREGULAR[w]
    if w in FAMILY_OF:
        return w
    for suffix, length in (("ied", 3), ("ies", 3)):
        if w.endswith(suffix) and len(w) > length + 1:
            return w[:-length] + "y"
    for suffix in ("ing", "ed", "es", "s", "er"):
        if not w.endswith(suffix) or w.endswith("eed") or len(w) - len(suffix) < 2:
            continue
        stem = w[: -len(suffix)]
        options = [stem, stem + "e"]
        if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "ls":
            options.insert(0, stem[:-1])
        elif len(stem) > 3 and stem[-1] == stem[-2]:
            options.append(stem[:-1])
        known = next((o for o in options if o in FAMILY_OF), None)
        if known:
            return known
        if suffix == "s":
            return stem if not w.endswith("ss") else w
        if suffix in {"ed", "ing"}:
            vowels = sum(c in "aeiouy" for c in stem)
            doubled = len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "lsz"
            if doubled or (_DOUBLED_L.search(stem) and not stem.endswith("install")):
                return stem[:-1]
            silent = stem[-1] in "cvszgu" or (
                vowels == 1
                and len(stem) > 2
                and stem[-1] not in "aeiouywx"
                and stem[-2] in "aeiouy"
                and stem[-3] not in "aeiouy"
            )
            silent = silent or (bool(_SILENT_E.search(stem)) and len(stem) > 4)
            return stem + "e" if silent and not stem.endswith(("ss", "ng", "zz")) else stem
    return w


def _last_word(text: str | None) -> str:
    words = re.findall(r"[A-Za-z][A-Za-z'-]*", text or "")
    return words[-1].lower() if words else ""


def _noun(word: str) -> str | None:
    for w in (word, word.rstrip("s"), word[:-2] if word.endswith("es") else word, re.sub(r"ies$", "y", word)):
        if w in LIGHT_NOUNS:
            return LIGHT_NOUNS[w]
    return None


_ACTIVE = re.compile(
    r"\b(?:i|we|i['’]ve|we['’]ve|i have|we have|and|to)\s+(?:(?:just|also|already|now|\w+ly)\s+)?$", re.I
)
#: What is built by a tool chain rather than made by hand.
_BUILT = frozenset(
    "project app application binary code solution package workspace image target bundle library crate wheel sdist installer".split()
)
#: Behind these a word is a noun: "the swap went through".
_ARTICLE = re.compile(r"\b(?:the|your|this|that|his|her|their)\s+$", re.I)
#: Verbs that say so little that a particle makes another word of them, in a table or not: "came back", "got around".
_EMPTY = frozenset("get come go take bring leave hand write give hang time".split())
_PARTICLES = frozenset(
    "up down off on out back over in away through ahead by past around together aside online".split()
)
#: Events that are set ("the refund is set to go back", "your reservation is now set").
_SET_EVENTS = frozenset("refund book schedule pay transfer order return exchange".split())


def _is_after(trigger: str, object: str | None, context: str) -> bool:
    """Whether the object stands behind the trigger: "confirmed your details", not "your booking is confirmed"."""
    if not object:
        return False
    at, target = context.find(trigger), context.find(object)
    return not 0 <= target < at


def _parts(word: str) -> list[str]:
    """ "Clean-up" is "clean up"; a "check-in" is an event of its own."""
    head, _, tail = word.partition("-")
    return [head, tail] if tail.lower() in _PARTICLES and word.lower() not in LIGHT_NOUNS else [word]


def _with_particle(first: str, words: list[str], trigger: str, context: str) -> tuple[str, str]:
    """Join a verb and its particle where the pair is a word of its own; return it with the particle."""
    particle = next((w.lower() for w in words[1:] if w.lower() in _PARTICLES), "")
    behind = False
    if not particle and context and first in {"turn", "switch", "put", "set", "call", "roll", "send"}:
        # "turned the lights off": the particle may stand behind the object.
        after = context[context.find(trigger) + len(trigger) :] if trigger in context else ""
        m = re.search(r"\b(off|on|up|down|back|in|out)\b\s*(?:[.,!]|$)", after[:60])
        particle, behind = (m.group(1), True) if m else ("", False)
    if particle == "ahead" or (first == "take" and "care" in trigger.lower()):
        return "take_care", particle
    if first == "take" and words[-1].lower() == "place":
        return "take_place", particle
    joined = f"{first}_{particle}" if particle else first
    if particle and (joined in FAMILY_OF or has_senses(joined) or (first in _EMPTY and not behind)):
        return joined, particle
    return first, particle


def _is_after_known(trigger: str, object: str | None, context: str) -> bool:
    return bool(context) and _is_after(trigger, object, context)


def family(trigger: str, object: str | None = None, context: str = "") -> str:
    """Return the canonical family of an event, from its trigger, its object and the clause around it.

    >>> family("issued", "refund"), family("put in", "ticket"), family("reversed", "charge"), family("Cancellation")
    ('refund', 'create', 'refund', 'cancel')
    >>> family("turned off", "lights"), family("defragged")
    ('disable', 'defrag')
    """
    words = [w for w in re.findall(r"[A-Za-z][A-Za-z'’-]*", trigger) for w in _parts(w)]
    if not words:
        return trigger.strip().lower() or "do"
    first = lemma(words[0])
    if first == "go" and len(words) > 1 and words[1].lower() == "ahead":
        # "went ahead and reversed": the deed is the second verb.
        words = words[3:] if len(words) > 3 else words
        first = lemma(words[0]) if words[0].lower() not in {"go", "goes", "went", "gone", "going"} else "go_ahead"
    elif first in {"get", "gets", "be", "been", "being"} and len(words) > 1:
        if lemma(words[1]) in FAMILY_OF:
            first, words = lemma(words[1]), words[1:]
        elif words[1].lower() == "through":
            first = "go" if first != "get" else "get"
    if (
        len(words) == 2
        and words[1].lower() in EVENT_NOUNS
        and first not in LIGHT
        and not words[0].endswith(("ed", "ing"))
    ):
        # "credit check", "sim swap": the last noun is the event.
        return EVENT_NOUNS[words[1].lower()]
    verb, particle = _with_particle(first, words, trigger, context)
    if first == "all":
        return "do"
    if (
        len(words) == 1
        and words[0].lower()
        in {"build", "builds", "built", "compiled", "lint", "typecheck", "tests", "test", "suite", "compiles", "clean"}
        and not object
    ):
        return "run"
    noun = _last_word(object)
    if len(words) == 1 and _noun(words[0].lower()) and _ARTICLE.search(context[: max(0, context.find(trigger))]):
        # "the swap went through": the trigger is a noun.
        return str(_noun(words[0].lower()))
    if verb == "go_through" and _noun(noun) and not _is_after_known(trigger, object, context):
        return str(_noun(noun))
    if words[0].lower() == "migration":
        return "run"
    sense = sense_of(verb, trigger, object, context)
    if sense and not (sense == "update" and verb == "make" and _noun(noun)):
        return sense
    if (
        verb == "confirm"
        and not _is_after(trigger, object, context)
        and not _ACTIVE.search(context[: max(0, context.find(trigger))])
    ):
        return "confirm"
    if verb == "build" and noun in _BUILT:
        return "run"
    if verb in LIGHT or verb in {"request", "mark"} or FAMILY_OF.get(verb) == "do":
        parts = re.findall(r"[A-Za-z][A-Za-z'-]*", object or "")
        named = [_noun(w.lower()) for w in (parts[-1:] if noun in _THINGS else parts)]
        # "a return request" asks for a return: the request itself names no event where another noun does.
        telling = [n for n in named if n and n != "request"] or [n for n in named if n]
        if verb == "request" and telling and telling[-1] in READING:
            return "request"
        if telling == ["request"] and FAMILY_OF.get(verb) in {"do", "close"}:
            # "processed your request": which one, it does not say.
            return "do"
        if telling[-1:] == ["create"] and verb not in {"submit", *_MAKING}:
            # A ticket that is processed stands already.
            telling = []
        if telling:
            return telling[-1]
        marked = re.search(r"\bfor (?:a |an |the )?(\w+)", context) if verb in {"mark", "request", "submit"} else None
        if marked and _noun(marked.group(1).lower()) not in {None, "create"}:
            return str(_noun(marked.group(1).lower()))
        if verb not in FAMILY_OF:
            return {"issue": "create", "put": "add" if object else "do"}.get(verb, "do")
    if verb == "set" and noun and _noun(noun) in _SET_EVENTS:
        return str(_noun(noun))
    if first in _EMPTY and "_" in verb and verb not in FAMILY_OF:
        return verb
    found = FAMILY_OF.get(verb) or _noun(_last_word(trigger)) or FAMILY_OF.get(first)
    if found is None:
        return _noun(first) or (verb if "_" in verb else f"{first}_{particle}" if particle in words[1:] else first)
    return WITH_OBJECT.get((found, noun), found)
