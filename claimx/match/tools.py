"""Which tool fits a claim: verb family, object, values, description and parameters against the tool's name.

A score of `FITS` and more lets a tool's absence be held against the agent; from `MAY` on a call of it may confirm.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from claimx.types import Action, Candidate, SlotType, Tool
from claimx.verbs import EVENT_NOUNS, FAMILIES, READING, TOOL_WORDS, VAGUE, lemma

FITS = 0.6
MAY = 0.45

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_STOP = frozenset(
    "the a an of to for in on with and or by from at as is it its be this that your my our their any all new via into tool api function "
    "given using use s info details detail data mcp server".split()
)
#: Nouns that tools and replies use for the same thing; the first word stands for its group.
_GROUPS = (
    "email mail mails emails e-mail inbox message_email", "message messages msg dm sms text chat announcement slack",
    "reservation reservations booking bookings flight flights trip itinerary ticket_air seat seats",
    "ticket tickets case cases issue issues incident incidents", "order orders purchase purchases basket",
    "appointment appointments meeting meetings event events calendar visit consultation viewing session slot",
    "refund refunds reimbursement", "payment payments transfer transfers transaction transactions money fund funds payout wire",
    "address addresses location", "item items product products cart", "account accounts profile user users",
    "customer customers client clients contact contacts lead leads", "file files document documents doc script code module",
    "test tests suite pytest", "subscription subscriptions plan plans membership", "card cards", "policy policies",
    "note notes comment comments", "task tasks todo todos", "reminder reminders alarm timer", "light lights lamp",
    "temperature thermostat climate heating", "human agent representative specialist team", "record records row rows entry entries",
    "report reports summary", "parcel package shipment delivery", "password credentials", "branch repo repository",
    "deployment release service", "discount coupon code_promo voucher", "invoice invoices bill bills", "page site website url web",
    "baggage bag bags luggage", "pull_request pr pulls", "result results", "certificate certificates",
)  # fmt: skip
_GROUP_OF = {w: g.split()[0] for g in _GROUPS for w in g.split()}

#: Families that can name the same event. Within a group a call may confirm; the same family alone may accuse.
_NEAR: tuple[frozenset[str], ...] = tuple(
    frozenset(g.split())
    for g in (
        "send notify", "create submit add save book schedule order request upload report", "update set add save exchange rollback do submit",
        "update delete add create", "cancel delete close disable", "refund return cancel pay transfer charge", "transfer pay send",
        "get verify calculate summarize report download confirm", "book schedule order create update", "escalate transfer assign notify create",
        "run verify get commit install deploy", "deploy upload push run", "enable disable set play do", "assign update add", "close update",
        "approve verify update confirm", "move update", "copy save", "exchange return update order", "add update create set submit",
        "ship send order", "pay transfer send order charge", "upload send notify", "refill request order create submit", "request submit create",
        "charge pay", "redeem submit", "click get submit", "install run add", "restart enable run",
    )
)  # fmt: skip


def is_near(a: str, b: str) -> bool:
    """Whether two families may name the same event."""
    return a == b or any(a in g and b in g for g in _NEAR)


@dataclass(frozen=True, slots=True)
class ToolShape:
    """What a tool's definition says: families of its name's verbs, its nouns, the description's and parameters' words."""

    name: str
    families: tuple[str, ...]
    nouns: frozenset[str]
    description_families: frozenset[str]
    description: frozenset[str]
    parameters: frozenset[str]

    @property
    def reads(self) -> bool:
        """Whether the tool only looks things up."""
        return bool(self.families) and self.families[0] in READING


def words_of(name: str) -> list[str]:
    """Split a name in any convention into lower-case words.

    >>> words_of("mcp__github__createPullRequest"), words_of("orders.cancel-v2")
    (['mcp', 'github', 'create', 'pull', 'request'], ['orders', 'cancel', 'v', '2'])
    """
    return [w.lower() for w in _WORD.findall(name)]


def fold_noun(word: str) -> str:
    """Reduce a noun to its group, or to its singular."""
    w = word.lower().strip("'-")
    if w in _GROUP_OF:
        return _GROUP_OF[w]
    if len(w) > 3 and w.endswith("s") and not w.endswith("ss"):
        w = w[:-3] + "y" if w.endswith("ies") else w[:-1]
    return _GROUP_OF.get(w, w)


_RUNNERS = frozenset(
    "shell bash terminal exec python sql http browser computer code_interpreter powershell command cmd".split()
)
_SENDERS = {
    "email": "send",
    "mail": "send",
    "sms": "send",
    "message": "send",
    "slack": "send",
    "jira": "create",
    "notify": "notify",
}


@lru_cache(maxsize=8192)
def _shape(name: str, description: str, parameters: tuple[str, ...]) -> ToolShape:
    plain = name.rsplit("__", 1)[-1] if name.startswith("mcp__") else name
    space, _, plain = plain.replace("/", ".").rpartition(".")
    words = words_of(plain)
    families: list[str] = []
    nouns: set[str] = {fold_noun(w) for w in words_of(space) if w not in _STOP and len(w) > 2}
    for i, w in enumerate(words):
        base = lemma(w)
        joined = f"{w}_{words[i + 1]}" if i + 1 < len(words) else ""
        if joined in TOOL_WORDS:
            families.append(TOOL_WORDS[joined])
        elif w in _SENDERS and i > 0:
            nouns.add(fold_noun(w))
        elif w in TOOL_WORDS or base in TOOL_WORDS:
            found = TOOL_WORDS.get(w) or TOOL_WORDS[base]
            # After the first verb, words are objects: `cancel_order`, `get_refund_status`.
            if not families or (
                i == len(words) - 1 and found not in {families[0], "get"} and len(words) == 2 and words[0] in _GROUP_OF
            ):
                families.append(found)
            if families and (i > 0):
                nouns.add(fold_noun(w))
        if w not in _STOP and w not in TOOL_WORDS and not w.isdigit() and len(w) > 1:
            nouns.add(fold_noun(w))
    if not families:
        sender = next((_SENDERS[w] for w in words if w in _SENDERS), None)
        if sender:
            families.append(sender)
    if words and families and words[0] in _GROUP_OF:
        nouns.add(fold_noun(words[0]))
    said = re.findall(r"[A-Za-z][A-Za-z'-]*", description[:600])
    said_families = frozenset(TOOL_WORDS[lemma(w)] for w in said[:12] if lemma(w) in TOOL_WORDS)
    if not families and said:
        first = next((TOOL_WORDS[lemma(w)] for w in said[:4] if lemma(w) in TOOL_WORDS), None)
        if first:
            families.append(first)
    return ToolShape(
        name,
        tuple(families),
        frozenset(nouns),
        said_families,
        frozenset(fold_noun(w) for w in said if w.lower() not in _STOP),
        frozenset(fold_noun(w) for p in parameters for w in words_of(p) if w not in _STOP),
    )


def shape_of(tool: Tool) -> ToolShape:
    """Read a tool's definition; cached by its content."""
    schema = tool.parameters or {}
    properties = schema.get("properties", schema) if isinstance(schema, Mapping) else {}
    names = tuple(map(str, properties)) if isinstance(properties, Mapping) else ()
    return _shape(tool.name, tool.description, names)


def nouns_of(action: Action) -> tuple[list[str], list[str]]:
    """Nouns of a claim, folded: those of its object, and the other words of its clause."""
    target = re.findall(r"[A-Za-z][A-Za-z'-]*", action.object.text) if action.object else []
    main = [fold_noun(w) for w in target if w.lower() not in _STOP]
    at = action.trigger.start - action.start
    clause = (
        action.text[:at] + " " + action.text[at + len(action.trigger.text) :]
        if 0 <= at <= len(action.text)
        else action.text
    )
    rest = [fold_noun(w) for w in re.findall(r"[A-Za-z][A-Za-z-]+", clause[:300]) if w.lower() not in _STOP]
    return main, [w for w in rest if w not in main]


def rank_tools(
    action: Action, tools: Sequence[Tool], *, hints: Mapping[str, Iterable[str]] | None = None, floor: float = 0.3
) -> list[Candidate]:
    """Rank the tools that could have carried a claim out, best first, with scores in 0..1 and the reasons.

    `hints` maps a verb family, an object or "family object" to tool names that carry it.
    """
    main, rest = nouns_of(action)
    verb = action.verb
    taught = _taught(verb, action, hints)
    out = []
    for tool in tools:
        shape = shape_of(tool)
        if tool.name in taught:
            out.append(Candidate(tool.name, 1.0, ("named by a tool hint",)))
            continue
        score, reasons = _score(action, verb, main, rest, shape)
        if score >= floor:
            out.append(Candidate(tool.name, min(score, 1.0), tuple(reasons)))
    out = _promote_only(action, out, tools)
    out.sort(key=lambda c: (-c.score, c.tool))
    return out


def _promote_only(action: Action, ranked: list[Candidate], tools: Sequence[Tool]) -> list[Candidate]:
    """Where a single tool has the claim's own verb, little doubt is left which one is meant."""
    if action.verb in READING or action.verb in VAGUE:
        return ranked
    base = lemma(action.trigger.text.split()[0]) if action.trigger.text.split() else ""
    own = [t.name for t in tools if action.verb in shape_of(t).families[:1] or base in words_of(t.name)]
    if len(own) != 1:
        return ranked
    return [
        Candidate(c.tool, min(1.0, c.score + 0.2), (*c.reasons, f"no other tool can {action.verb}"))
        if c.tool == own[0]
        else c
        for c in ranked
    ]


def _taught(verb: str, action: Action, hints: Mapping[str, Iterable[str]] | None) -> set[str]:
    if not hints:
        return set()
    target = action.object.text.lower() if action.object else ""
    keys = {verb, f"{verb} {target}".strip(), target, lemma(action.trigger.text)}
    return {t for k, ts in hints.items() if k.lower() in keys and k for t in ([ts] if isinstance(ts, str) else ts)}


def _score(action: Action, verb: str, main: list[str], rest: list[str], shape: ToolShape) -> tuple[float, list[str]]:
    reasons: list[str] = []
    reading = verb in READING
    base = lemma(action.trigger.text.split()[0]) if action.trigger.text.split() else verb
    words = words_of(shape.name)
    literal = base in words and (words[0] == base or not shape.families or shape.families[0] == verb)
    if not shape.families:
        score = 0.1 if shape.description_families else 0.15
        if verb in shape.description_families:
            score = 0.35
            reasons.append(f"its description speaks of {verb}")
    elif verb in shape.families or literal:
        score = 0.45 if verb == shape.families[0] or literal else 0.35
        reasons.append(f"{action.trigger.text!r} is {shape.families[0]!r} like its name")
    elif (verb in VAGUE or verb not in FAMILIES) and not shape.reads:
        score = 0.25
        reasons.append(f"{action.trigger.text!r} may stand for any deed")
    elif any(is_near(verb, f) for f in shape.families):
        score = 0.3
        reasons.append(f"{verb!r} and {shape.families[0]!r} can name the same event")
    elif verb == "request" and not shape.reads:
        score = 0.25
        reasons.append("what was requested may be its deed")
    elif verb in shape.description_families:
        score = 0.25
        reasons.append(f"its description speaks of {verb}")
    else:
        return 0.0, []
    if reading != shape.reads and shape.families and not (reading and verb == "verify"):
        if shape.reads:
            # Read tools never carry a write.
            return 0.0, []
        score -= 0.25
        reasons.append("it writes, the claim only reads")
    nouns = shape.nouns
    loose = [w for w in rest if w in nouns]
    said = [w for w in main if w in shape.description or w in shape.parameters]
    # A trigger that names its own object ("emailed", "refunded") stands for the noun as well.
    own = fold_noun(base) in nouns or verb in nouns
    # An object that repeats the event ("made a reservation") says nothing of what the tool acts on.
    main = [w for w in main if _EVENT_OF.get(w) != verb or w in nouns]
    hit = [w for w in main if w in nouns]
    if hit:
        literal_noun = any(w in words_of(shape.name) or w + "s" in words_of(shape.name) for w in _literal_nouns(action))
        score += 0.35 if literal_noun else 0.27
        reasons.append(f"both name {', '.join(hit)}")
    elif verb in {"schedule", "book"} and "appointment" in nouns:
        score += 0.3
        reasons.append("it keeps the calendar")
    elif own and not main:
        score += 0.3
        reasons.append(f"{action.trigger.text!r} names what it acts on")
    elif own:
        score += 0.2
        reasons.append(f"{action.trigger.text!r} names what it acts on")
    elif loose:
        score += 0.2
        reasons.append(f"its clause names {', '.join(loose[:3])}")
    elif said:
        score += 0.15
        reasons.append(f"its description or parameters name {', '.join(said[:3])}")
    elif nouns and main:
        score -= 0.1
        reasons.append(f"it is about {', '.join(sorted(nouns)[:3])}, not {', '.join(main)}")
    elif not nouns:
        score += 0.15
    if said and hit:
        score += 0.05
    kinds = {s.type for s in action.slots}
    for kind, names in _PARAMETER_KINDS.items():
        if kind in kinds and names & (shape.parameters | nouns):
            score += 0.06
            reasons.append(f"it takes a {kind.lower()}")
    return score, reasons


def _literal_nouns(action: Action) -> list[str]:
    return [w.lower() for w in re.findall(r"[A-Za-z][A-Za-z'-]*", action.object.text)] if action.object else []


_EVENT_OF = {fold_noun(n): f for n, f in EVENT_NOUNS.items()}

_PARAMETER_KINDS: dict[SlotType, frozenset[str]] = {
    SlotType.CONTACT: frozenset({"email", "recipient", "phone", "to", "contact", "customer"}),
    SlotType.MONEY: frozenset({"amount", "price", "refund", "payment", "total"}),
    SlotType.DATE: frozenset({"date", "day", "start", "time", "appointment"}),
    SlotType.PERCENT: frozenset({"percent", "discount", "rate"}),
}
