"""What a claim speaks of: its verb, the words of its object and of its clause, read once for all tools."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from claimx.match.nouns import BLAND, STOP, TEXT_WORD, fold_noun, singular
from claimx.match.phrasal import is_on_hold
from claimx.types import Action, SlotType
from claimx.verbs import EVENT_NOUNS, lemma

#: The folded nouns of events and the families that they name.
EVENT_OF = {fold_noun(n): f for n, f in EVENT_NOUNS.items()}


@dataclass(frozen=True, slots=True)
class Gist:
    """What a claim speaks of: its verb, the words of its object (head last) and the nouns of its clause."""

    verb: str
    base: str
    literal: tuple[str, ...]
    main: tuple[str, ...]
    clause: frozenset[str]
    clause_words: frozenset[str]
    kinds: frozenset[SlotType]
    object_words: tuple[str, ...] = ()
    #: The last noun of the object that does not merely repeat the event.
    head: str = ""


def base_of(action: Action) -> str:
    """The base form of a trigger's first word, empty where it has none."""
    words = action.trigger.text.split()
    return lemma(words[0]) if words else ""


def gist_of(action: Action) -> Gist:
    """Read a claim's words once for all tools."""
    trigger = action.trigger.text
    base = base_of(action) or action.verb
    if is_on_hold(action):
        base = "hold"
    target = [w for w in TEXT_WORD.findall(action.object.text) if w.lower() not in STOP] if action.object else []
    pairs = [(singular(w), fold_noun(w)) for w in target]
    # An object that repeats the event ("made a reservation", "processed your return") says nothing of what was acted on.
    pairs = [(s, f) for s, f in pairs if f not in BLAND and s not in BLAND]
    at = action.trigger.start - action.start
    text = action.text
    if 0 <= at <= len(text):
        text = text[:at] + " " + text[at + len(trigger) :]
    said = [w for w in TEXT_WORD.findall(text[:400]) if w.lower() not in STOP]
    words = [w for w in said if w.lower() not in BLAND]
    clause = set(map(fold_noun, said))
    main = tuple(f for _, f in pairs)
    verb = _verb_of(action, main)
    return Gist(
        verb, base, tuple(s for s, _ in pairs), main, frozenset(clause - set(main) - BLAND), frozenset(singular(w) for w in words),
        frozenset(s.type for s in action.slots), tuple(s for s in (singular(w) for w in target)),
        next((f for f in reversed(main) if EVENT_OF.get(f) != verb), ""),
    )  # fmt: skip


def _verb_of(action: Action, main: Sequence[str]) -> str:
    """Money that is sent is transferred."""
    if (
        action.verb == "send"
        and any(s.type is SlotType.MONEY for s in action.slots)
        and (not main or main[-1] == "payment")
    ):
        return "transfer"
    return action.verb
