"""A claim read again beside its reply: names that were cut, lengths taken apart, the event that its words make together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from claimx.match.phrasal import phrasal_verb
from claimx.types import Action, Slot, SlotType
from claimx.verbs import EVENT_NOUNS, VAGUE, lemma

_ONE_WORD = (SlotType.ID, SlotType.NAME, SlotType.CONTACT)


def whole(action: Action, reply: str, *, asks: bool) -> Action:
    """Widen names and numbers that an extractor cut inside of a word: “HX” of “HX-204B” names nothing.

    `asks` tells that some tool of the run makes requests.
    """
    slots = tuple(_widened(s, reply) if s.type in _ONE_WORD else s for s in _joined(action.slots, reply))
    slots = _with_degrees(action, slots)
    verb = phrasal_verb(action)
    if verb is None:
        verb = _event_of(action) if action.verb in VAGUE | {"run"} else _with_object(action, asks)
    return action if (slots, verb) == (action.slots, action.verb) else replace(action, slots=slots, verb=verb)


_HANDED_ON = re.compile(
    r"[\s*_`]*(?:it|them|that|this|down|over|through|to|into|on(?! (?:the (?:first|second|last)|ci|main|master|all|both|every|my|retry|rerun))|as(?! (?:expected|before|well))|"
    r"in(?! (?:about|around|under|less|just|only|roughly|nearly|over|all|both|total|full|ci|\d|an?\b|(?:\w+ )?\w+ (?:seconds?|minutes?|hours?|ms))))\b",
    re.I,
)
#: A sentence's subject: “The return for the hose ...”.
_SUBJECT = re.compile(
    r"\W*(?:(?:the|your|our|an?|this|that)\s+)(?:[\w-]+\s+){0,2}?(\w+)\s+(?:for|of|to|on|from|has|have|was|were|is|are)\b",
    re.I,
)


#: What is left for somebody rather than let be, and how a request is made.
_LEFT = frozenset("note comment message review voicemail feedback reply tip".split())
#: What is given types, and is not typed in.
_TYPED = frozenset(
    "prop function parameter argument variable component hook signature module method class return response attribute".split()
)
_MADE = frozenset("submit file create put raise send lodge make open log enter place issue".split())


def _with_object(action: Action, asks: bool) -> str:
    """The event that a verb and its object make together: leaving a note adds one, submitting a refund request asks for one."""
    if action.object is None or not action.object.text.split() or not action.trigger.text.split():
        return action.verb
    thing = action.object.text.lower().split()[-1].strip("`*'\".,")
    if action.verb == "leave" and thing.removesuffix("s") in _LEFT:
        return "add"
    told = lemma(action.trigger.text.split()[0])
    if told == "type" and thing.removesuffix("s") in _TYPED:
        return "update"
    made = thing.removesuffix("s") == "request" and len(action.object.text.split()) > 1 and told in _MADE
    return "request" if asks and (made or told == "request") else action.verb


def _event_of(action: Action) -> str:
    """The event that the subject of a vague verb names: “the return has been processed” tells of a return.

    What is “passed as a parameter” is no check that passed.
    """
    if action.verb == "run":
        passed = action.trigger.text.lower() in {"pass", "passed", "passing"} and _HANDED_ON.match(
            action.text[max(0, action.trigger.end - action.start) :]
        )
        return "pass" if passed else "run"
    m = _SUBJECT.match(action.text[: max(0, action.trigger.start - action.start)])
    noun = m.group(1).lower() if m else ""
    return EVENT_NOUNS.get(noun, action.verb) if noun != "request" else action.verb


_MEASURING = (SlotType.COUNT, SlotType.DURATION)
_AND = re.compile(r"\s+(?:and\s+)?")
_SHARE = re.compile(r"(?:a |an )?(?:half|quarter)\b|a$", re.I)


#: A temperature, which is no type of value of its own.
_DEGREES = re.compile(r"(?<![\w.,-])-?\d{1,3}(?:[.,]\d)?(?=\s?(?:°|degrees?\b))")


def _with_degrees(action: Action, slots: Sequence[Slot]) -> tuple[Slot, ...]:
    """The slots with the temperature that the clause tells behind its verb, where the extractor left it out."""
    if "°" not in action.text and "degree" not in action.text:
        return tuple(slots)
    at = max(0, action.trigger.end - action.start)
    told = [(action.start + m.start(), action.start + m.end()) for m in _DEGREES.finditer(action.text, at)]
    fresh = [(a, b) for a, b in told if not any(s.start < b and a < s.end for s in slots)]
    if len(told) != 1 or not fresh:
        return tuple(slots)
    a, b = fresh[0]
    return (*slots, Slot(SlotType.COUNT, action.text[a - action.start : b - action.start], a, b))


def _joined(slots: Sequence[Slot], reply: str) -> list[Slot]:
    """Put together a length of time that an extractor took apart: “one and a half hours” is no half hour."""
    out: list[Slot] = []
    for s in slots:
        last = out[-1] if out else None
        if (
            last is not None
            and last.type in _MEASURING
            and s.type is SlotType.DURATION
            and 0 <= s.start - last.end <= 5
            and _AND.fullmatch(reply[last.end : s.start])
            and _SHARE.match(s.text)
        ):
            out[-1] = replace(s, text=reply[last.start : s.end], start=last.start, value=None)
        else:
            out.append(s)
    return out


def _widened(slot: Slot, reply: str) -> Slot:
    start, end = slot.start, slot.end
    if reply[start:end] != slot.text or not slot.text:
        return slot
    while start and slot.text[0].isalnum() and reply[start - 1].isalnum():
        start -= 1
    while end < len(reply) and reply[end - 1].isalnum() and reply[end].isalnum():
        end += 1
    return slot if end - start == len(slot.text) else replace(slot, text=reply[start:end], start=start, end=end)
