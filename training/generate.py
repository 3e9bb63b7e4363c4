"""A seeded grammar that puts events into every frame of saying and not saying that they were done.

Each frame fixes tense, modality and actor; events and values are free. It teaches scope: that the frame decides, not the
verb. Frames are marked sentences with `{B}`, `{P}`, `{G}` for the event's base, past and -ing form, `{O}` for its object
and `{T}` for its tail of values.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass

from claimx.training.events import EVENTS
from claimx.training.fillers import MAKERS, make_date, make_person

from claimx.annotate.example import Example
from claimx.annotate.markup import compile_markup


@dataclass(frozen=True, slots=True)
class Event:
    """An event with its forms; particles are joined with `~` in the table."""

    domain: str
    base: str
    past: str
    ing: str
    object: str
    tail: str


def events() -> list[Event]:
    """Read the table of events."""
    out = []
    for domain, table in EVENTS.items():
        for line in table.strip().splitlines():
            verbs, target, tail = (x.strip() for x in line.split("|"))
            base, past, ing = (v.replace("~", " ") for v in verbs.split())
            out.append(Event(domain, base, past, ing, target, tail))
    return out


#: code -> frames. `<V>` is replaced by the marked trigger; the frame's own other actions are marked in place.
FRAMES: dict[str, list[str]] = {
    "paa": [
        "I've {P} your {O} {T}.", "I have {P} the {O} {T}.", "Your {O} {T} has been {P}.", "Your {O} {T} has been successfully {P}.",
        "The {O} {T} has now been {P}.", "The {O} {T} is now {P}.", "We've {P} the {O} {T} for you.", "{O^} {T} {P}.", "{O^} {P}: {T}",
        "✅ {O^} {T} {P}", "- {O^} {T}: {P}", "I went ahead and {P} the {O} {T}.", "Done! The {O} {T} was {P}.", "{P^} the {O} {T}.",
        "I just {P} the {O} {T} as requested.", "The {O} got {P} {T}.", "As requested, the {O} {T} was {P} a moment ago.",
        "Good news: your {O} {T} has been {P}.", "Here's where things stand: the {O} {T} has already been {P}.",
        "Earlier in this chat I {P} the {O} {T}.", "It's taken care of, I {P} the {O} {T}.", "All set. Your {O} {T} is {P}.",
        "Great news, your {O} has been {P} {T}!", "Both requests went through: the {O} {T} was {P}.",
        "Not only did I look into it, I also {P} the {O} {T}.", "Status of the {O} {T}: {P}", "**{O^}** {T} - {P} ✔",
        "A {O} was {P} {T}.", "A {O} has been {P} {T}.", "An {O} {T} was {P} too.", "The {O} was {P} {T}.", "The {O} {T} was {P} successfully.", "i {P} the {O} {T}", "ok, {P} the {O} {T}", "We were able to get the {O} {T} {P}.", "{O^} successfully {P} {T}.",
        "The {O} that I {P} {T} is listed below.", "Since you confirmed, I {P} the {O} {T}.",
        "Although the first attempt was slow, the {O} {T} has been {P}.", "Per your instructions, we {P} the {O} {T} today~DATE.",
    ],
    "raa": [
        "I'm {G} the {O} {T} now.", "I am currently {G} your {O} {T}.", "The {O} {T} is being {P} right now.", "We're {G} the {O} {T} as we speak.",
        "{G^} the {O} {T}...",
    ],
    "faa": [
        "I'll {B} the {O} {T}.", "I will {B} the {O} {T} shortly.", "Let me {B} the {O} {T}.", "I'm going to {B} the {O} {T} next.",
        "The {O} {T} will be {P} soon.", "We'll have the {O} {T} {P} by then.", "One moment while I {B} the {O} {T}.", "Now I'll {B} the {O} {T}.",
        "Next, I will {B} the {O} {T}.", "Your {O} {T} is going to be {P}.", "I'm about to {B} the {O} {T}.",
    ],
    "foa": [
        "Would you like me to {B} the {O} {T}?", "Shall I {B} the {O} {T}?", "Do you want me to {B} your {O} {T}?", "I'd be happy to {B} the {O} {T}.",
        "Should I go ahead with {G} the {O} {T}?", "Want me to {B} the {O} {T}?", "If you'd like, I can {B} the {O} {T}.",
        "Can I {B} the {O} {T} for you?", "Let me know if you want the {O} {T} {P}.",
    ],
    "fca": [
        "Once that arrives, I'll {B} the {O} {T}.", "If you reply yes, I will {B} the {O} {T}.", "As soon as this is settled, the {O} {T} will be {P}.",
        "If everything looks right, we'd {B} the {O} {T}.", "After your approval, the {O} {T} would be {P}.",
        "Assuming I {P} the {O} {T}, you would still owe the rest.", "Had the system allowed it, I would have {P} the {O} {T}.",
        "Before I {B} the {O} {T}, I need your date of birth.", "When the form is in, I'll {B} the {O} {T}.",
    ],
    "pna": [
        "I haven't {P} the {O} {T}.", "I did **not** {B} the {O} {T}.", "The {O} {T} has not been {P}.", "I couldn't {B} the {O} {T}.",
        "I was unable to {B} the {O} {T}.", "I tried to {B} the {O} {T}, but the system refused.", "The {O} {T} was never {P}.",
        "Your {O} {T} could not be {P}.", "The {O} {T} failed to be {P}.", "No {O} was {P} {T}.", "I didn't {B} the {O} {T}.",
        "The {O} {T} is not {P} yet.", "❌ {O^} {T} not {P}", "I stopped before {G} the {O} {T}.", "We left it alone instead of {G} the {O} {T}.",
        "Unfortunately, the {O} {T} wasn't {P}.", "I almost {P} the {O} {T}, then noticed the mismatch.",
    ],
    "rna": [
        "I can't {B} the {O} {T}.", "I'm unable to {B} the {O} {T}.", "We do not {B} an {O} {T} here.", "I cannot {B} the {O} {T} without your consent.",
        "I'm not able to {B} your {O} {T}.", "I don't have permission to {B} the {O} {T}.",
    ],
    "fna": ["I won't {B} the {O} {T}.", "I will not be {G} the {O} {T}.", "The {O} {T} won't be {P}."],
    "fpa": [
        "I can {B} the {O} {T}.", "I could {B} the {O} {T}.", "We may {B} the {O} {T}.", "The {O} {T} can be {P}.", "I might {B} the {O} {T} later.",
        "The {O} {T} is eligible to be {P}.",
    ],
    "ppa": [
        "The {O} {T} appears to have been {P}.", "I believe I {P} the {O} {T}, but I can't be sure.", "The {O} {T} should have been {P}.",
        "It looks like the {O} {T} may have been {P}.", "It's possible that the {O} {T} was {P} already.",
    ],
    "fdu": [
        "Please {B} the {O} {T}.", "You'll need to {B} the {O} {T} yourself.", "You should {B} the {O} {T} before then.",
        "Make sure to {B} the {O} {T}.", "{B^} the {O} {T} and try again.", "You must {B} the {O} {T} in the app.", "1. {B^} the {O} {T}.",
        "Don't {B} the {O} {T} yet.", "Try to {B} the {O} {T} first.",
    ],
    "fda": ["I must {B} the {O} {T} first.", "I need to {B} the {O} {T} before anything else.", "We have to {B} the {O} {T} by law."],
    "fpu": ["You can {B} the {O} {T} in the portal.", "You could {B} the {O} {T} online.", "You may {B} the {O} {T} at any time."],
    "fou": ["Would you like to {B} the {O} {T}?", "Do you want to {B} the {O} {T}?", "Which {O} would you like to {B} {T}?"],
    "fcu": ["If you {B} the {O} {T}, the price changes.", "Once you {B} the {O} {T}, it takes effect.", "In case you {B} the {O} {T}, keep the receipt."],
    "fqu": ["You asked to {B} the {O} {T}.", "I understand you want to {B} the {O} {T}.", "You'd like to {B} the {O} {T}, correct?",
            "I see that you wish to {B} your {O} {T}."],
    "pqu": ["You mentioned that you {P} the {O} {T}.", "You said you already {P} the {O} {T}.", "You told me you {P} the {O} {T} last week~DATE."],
    "pau": ["You {P} the {O} {T}.", "You have already {P} the {O} {T}.", "According to our records you {P} the {O} {T}.", "Thanks, you {P} the {O} {T} correctly."],
    "pqa": [
        "You asked whether I {P} the {O} {T}.", "Example reply: \"I have {P} the {O} {T}.\"", "You could write: 'We {P} the {O} {T}.'",
        "The draft reads: “We have {P} the {O} {T}.”", "You wrote that I {P} the {O} {T}.",
    ],
    "pao": [
        "{WHO} {P} the {O} {T}.", "The {O} {T} was {P} by {WHO} on {WHEN}.", "Our records show that the {O} {T} was {P} on {WHEN}.",
        "The seller {P} the {O} {T}.", "Your bank {P} the {O} {T} on {WHEN}.", "The {O} {T} was {P} on {WHEN}, before you contacted us.",
        "The previous owner {P} the {O} {T}.", "A colleague already {P} the {O} {T}.", "CI {P} the {O} {T} overnight.",
    ],
    "fao": ["{WHO} will {B} the {O} {T}.", "A specialist will {B} the {O} {T} for you.", "Your provider is going to {B} the {O} {T}."],
    "pqo": ["{WHO} told you they {P} the {O} {T}.", "The log says the {O} {T} was {P}.", "The notice claims the {O} {T} was {P}."],
    "rao": ["The courier is {G} the {O} {T}."],
}  # fmt: skip

CHATTER = [
    "Thanks for waiting.", "Thank you for your patience!", "Is there anything else I can help you with?", "Let me know if you have any questions.",
    "I understand how frustrating this is.", "Sorry about the wait.", "Sure!", "Of course.", "Have a great day!", "Hope that helps.",
    "Feel free to reach out any time.", "Here is the summary.", "Great question.", "Absolutely.", "Thanks for the details.",
    "I appreciate your understanding.", "Got it.", "No problem at all.", "Please provide your order number so I can continue.",
]  # fmt: skip
FACTS = [
    "Total: ⟦{MONEY}|MONEY⟧", "The balance is ⟦{MONEY}|MONEY⟧.", "Your membership level is ⟦{NAME}|NAME⟧.", "Opening hours: ⟦{TIME}|TIME⟧ to ⟦{TIME}|TIME⟧.",
    "- Reference: ⟦{ID}|ID⟧", "- Contact: ⟦{CONTACT}|CONTACT⟧", "The warranty lasts ⟦{DURATION}|DURATION⟧.", "There are ⟦{COUNT}|COUNT⟧ seats left.",
    "The fee is ⟦{PERCENT}|PERCENT⟧ of the price.", "It takes ⟦{DURATION}|DURATION⟧.", "| ⟦{NAME}|NAME⟧ | ⟦{COUNT}|COUNT⟧ | ⟦{MONEY}|MONEY⟧ |",
    "Your contact person is ⟦{PERSON}|PERSON⟧.", "The next session is on ⟦{DATE}|DATE⟧ at ⟦{TIME}|TIME⟧.",
]  # fmt: skip

_SLOT = re.compile(r"\{([A-Z]+)\}")
_CLAIMING = {"paa", "raa"}


def _fill(text: str, rng: random.Random, number: int | None) -> str:
    """Fill `{TYPE}` with values, marked as slots of action `number` (unmarked inside marks that stand already)."""
    return _SLOT.sub(lambda m: f"⟦{MAKERS[m[1]](rng)}|{m[1]}{number}⟧" if number else MAKERS[m[1]](rng), text)


def sentence(frame: str, code: str, event: Event, number: int, rng: random.Random, *, tail: bool = True) -> str:
    """Put an event into a frame: a marked sentence whose action has the given number."""

    def trigger(form: str, *, capital: bool = False) -> str:
        return f"⟦{form[0].upper() + form[1:] if capital else form}|A{number} {code}⟧"

    target = f"⟦{event.object}|O{number}⟧"
    capital_target = f"⟦{event.object[0].upper() + event.object[1:]}|O{number}⟧"
    out = frame.replace("{T}", _fill(event.tail, rng, number) if tail else "")
    for key, form in (("B", event.base), ("P", event.past), ("G", event.ing)):
        out = out.replace(f"{{{key}^}}", trigger(form, capital=True)).replace(f"{{{key}}}", trigger(form))
    out = out.replace("{O^}", capital_target).replace("{O}", target)
    out = out.replace("{WHO}", f"⟦{make_person(rng)}|PERSON{number}⟧").replace(
        "{WHEN}", f"⟦{make_date(rng)}|DATE{number}⟧"
    )
    out = re.sub(r"(today|last week)~DATE", rf"⟦\1|DATE{number}⟧", out)
    return re.sub(r" +([.,:!?])", r"\1", re.sub(r"  +", " ", out)).strip()


def _reply(rng: random.Random, pool: list[Event], frames: dict[str, list[str]]) -> tuple[str, str]:
    domain = rng.choice(sorted({e.domain for e in pool}))
    mine = [e for e in pool if e.domain == domain]
    with_claim = rng.random() < 0.5
    parts: list[str] = []
    for n in range(1, rng.choice([1, 1, 2, 2, 3, 4, 5]) + 1):
        codes = sorted(frames) if not with_claim else sorted(_CLAIMING) * 4 + sorted(frames)
        if not with_claim:
            codes = [c for c in codes if c not in _CLAIMING]
        code = rng.choice(codes)
        parts.append(sentence(rng.choice(frames[code]), code, rng.choice(mine), n, rng, tail=rng.random() < 0.75))
        if rng.random() < 0.25:
            parts.append(_SLOT.sub(lambda m: MAKERS[m[1]](rng), rng.choice(FACTS)))
    if rng.random() < 0.4:
        parts.insert(0, rng.choice(CHATTER))
    if rng.random() < 0.4:
        parts.append(rng.choice(CHATTER))
    style = rng.random()
    if style < 0.2 and len(parts) > 2:
        body = "\n".join(p if p[0] in "-|✅❌1" else f"{rng.choice(['- ', '* ', '• '])}{p}" for p in parts)
        text = f"{rng.choice(['## Update', '**Summary**', 'Summary:', 'Details:'])}\n{body}"
    elif style < 0.35:
        text = "\n\n".join(parts)
    else:
        text = ""
        for p in parts:
            text += ("\n" if p[0] in "-|✅❌1" or text.endswith(("|", "\n")) else " " if text else "") + p
    return domain, text.strip()


def generate(count: int = 1200, *, seed: int = 11) -> Iterator[Example]:
    """Yield generated replies for training; frames kept for validation never occur in them.

    The last frame of every longer list and one event in eight are held out and make up a tenth in the split validation.
    """
    rng = random.Random(seed)
    everything = events()
    held_events = everything[::8]
    train_events = [e for i, e in enumerate(everything) if i % 8]
    train_frames = {k: v[:-1] if len(v) > 4 else v for k, v in FRAMES.items()}
    held_frames = {k: v[-1:] if len(v) > 4 else v for k, v in FRAMES.items()}
    for i in range(count):
        held = i % 10 == 9
        domain, marked = _reply(rng, held_events if held else train_events, held_frames if held else train_frames)
        text, actions, values = compile_markup(marked)
        yield Example(
            f"gen-{i:05d}", text, actions, values, origin="generated", domain=domain, voice="grammar", part="grammar",
            meta={"split": "validation" if held else "train"},
        )  # fmt: skip
