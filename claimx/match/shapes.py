"""What a tool's definition says: the families of its name's verbs, its nouns, the words of description and parameters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from claimx.match.nouns import STOP, TEXT_WORD, fold_noun, singular
from claimx.types import SlotType, Tool
from claimx.values.keys import parts_of
from claimx.verbs import EVENT_NOUNS, FAMILIES, READING, TOOL_WORDS, family, lemma

#: Words that are nouns in front of another verb: `order_cancel`, `ticket_create`, `email_send`.
_NOUN_FIRST = frozenset(
    "order book email mail message return file report note record schedule request ticket user account customer invoice payment "
    "booking reservation refund bill plan quote charge credit transfer cart product item calendar event contact comment issue post page search list".split()
)
_VERB_LAST = frozenset("create send update delete cancel add remove get list search issue close open submit lookup refund confirm edit reschedule set".split())  # fmt: skip
#: The same where no other word of the name is a verb.
_VERB_LAST_ALONE = frozenset(
    "append merge trash archive transition assign invite insert patch fetch capture void approve reject publish rotate retrieve finalize "
    "dispatch convert escalate solve resolve upload download rename upsert replace terminate reboot restart modify amend adjust extend renew "
    "reissue import enroll enrol suspend activate deactivate redeem withdraw rebook change "
    "compare calculate estimate check verify validate review preview view show read track release block unblock freeze unfreeze".split()
)
#: Nouns made of a verb that stand in front of the verb of a name: `reminder_create`, `viewing_book`.
_EVENT_NOUNS_FIRST = frozenset(
    "reminder viewing listing booking reservation meeting notification delivery registration subscription escalation verification transfer "
    "shipping shipment billing refill appointment call reading".split()
)
#: Nouns first of which the last word says what is looked up: `order_status`, `booking_details`.
_RECORDS = (_NOUN_FIRST | _EVENT_NOUNS_FIRST) - frozenset(
    "email mail message report book search list issue post record note file".split()
)
_LOOKED_UP = frozenset("status info details detail history availability eligibility policy policies".split())
#: Words that ask for another deed when they stand first: `request_change` changes nothing yet.
_ASKING = frozenset({"request", "schedule"})
#: Whose interface a tool belongs to: no word of what it does, unless it is all that the name says.
_VENDORS = frozenset(
    "jira slack gmail stripe github gitlab bitbucket twilio salesforce zendesk hubspot notion linear shopify aws gcp azure k8s kubernetes "
    "trello asana google microsoft outlook discord telegram whatsapp intercom freshdesk airtable sendgrid mailchimp paypal quickbooks xero "
    "docusign confluence ec2 s3 rds servicenow monday clickup pipedrive".split()
)
_MODIFIERS = frozenset("pending delivered current existing active selected through via using given by to for of the and or with all my user's".split())  # fmt: skip
#: A tool named after a method stands for a whole interface.
_HTTP = {"POST": "create order submit schedule add request save send book", "PUT": "update set save create", "PATCH": "update set", "DELETE": "delete cancel", "GET": "get"}  # fmt: skip
#: First words of descriptions that say how a tool answers, not what it does.
_TELLING = frozenset("return returns use uses used this a an the tool call calls please note helper".split())


@dataclass(frozen=True, slots=True, eq=False)
class ToolShape:
    """A tool as words. `verbs` and `literal` are singular words of its name, `nouns` and the rest folded to groups."""

    name: str
    families: tuple[str, ...]
    verbs: frozenset[str]
    literal: frozenset[str]
    nouns: frozenset[str]
    verbal: frozenset[str]
    description_families: frozenset[str]
    description: frozenset[str]
    parameters: frozenset[str]
    about: str
    #: Types of values that its parameters or its name speak of, those that tell most first.
    takes: tuple[SlotType, ...] = ()
    #: Whether the tool only looks things up; one that reports a theft or a fault does not.
    reads: bool = False
    #: All the words by which a claim's object may be named, in its name and in its definition.
    words: frozenset[str] = frozenset()


def shape_of(tool: Tool) -> ToolShape:
    """Read a tool's definition; cached by its content."""
    schema = tool.parameters
    if schema is None:
        return _shape(tool.name, tool.description, ())
    properties = schema.get("properties", schema)
    return _shape(tool.name, tool.description, tuple(map(str, properties)) if isinstance(properties, Mapping) else ())


@lru_cache(maxsize=8192)
def _shape(name: str, description: str, parameters: tuple[str, ...]) -> ToolShape:
    plain = name.rsplit("__", 1)[-1] if name.startswith("mcp__") else name
    space, _, plain = plain.replace("/", ".").replace(":", ".").rpartition(".")
    words = parts_of(plain)
    vendor = words[:1] if len(words) > 1 and words[0] in _VENDORS else ()
    words = words[len(vendor) :]
    at = _verb_at(words)
    families: list[str] = []
    unknown, made = "", None
    if at is not None:
        families.append(_family_at(words, at))
        joins = [i for i, w in enumerate(words) if w in {"and", "or"} and i > at]
        if words[-1] == "request" and 0 < at < len(words) - 1:
            families.append("request")  # `account_delete_request` asks for it
        families += [_family_at(words, i + 1) for i in joins if i + 1 < len(words) and _is_verb(words[i + 1])]
    http = next((w for w in _HTTP if re.search(rf"(?<![A-Za-z]){w}$", name)), None)
    if http:
        families = _HTTP[http].split()
        words = ()
    elif at is None and any(w in _SERVICES for w in words):
        families.append(next(_SERVICES[w] for w in words if w in _SERVICES))
    elif at is None and words:
        # A verb that no table knows: `RentMovie`, `defrag_disk`.
        at = 0
        unknown = lemma(words[0])
        made = (
            EVENT_NOUNS.get(words[-1])
            if len(words) > 1 and words[-1] in _OPENED and _NOUN_END.search(words[0])
            else None
        )
    rest = [w for i, w in enumerate(words) if i != at]
    named = [w for w in (*parts_of(space), *rest) if w not in STOP and w not in _MODIFIERS and not w.isdigit() and len(w) > 1]  # fmt: skip
    named += [w for w in vendor if not named]
    if at is not None and words and words[at] in _SENDERS:
        named.append(words[at])
    said = [w.lower() for w in TEXT_WORD.findall(description[:600])]
    first = _family_of(said[0]) if said and said[0] not in _TELLING else None
    if first and not families:
        families.append(first)
    elif unknown and not families:
        families += [unknown, made] if made else [unknown]
    elif first and families[0] in READING and first not in READING and first in FAMILIES:
        # `GetRide`: "Book a ride to ..." writes, whatever its name says.
        families.insert(0, first)
    found = (_family_of(w) for w in said[:14] if w not in _TELLING)
    verbs = {lemma(words[at])} if at is not None and words else set()
    nouns = frozenset(fold_noun(w) for w in named)
    taken = frozenset(fold_noun(w) for p in parameters for w in parts_of(p) if w not in STOP)
    literal, verbal = frozenset(singular(w) for w in named), frozenset(lemma(w) for w in named)
    told = frozenset(fold_noun(w) for w in said if w not in STOP)
    return ToolShape(
        name,
        tuple(dict.fromkeys(families)),
        frozenset(verbs),
        literal,
        nouns,
        verbal,
        frozenset(f for f in found if f),
        told,
        taken,
        ", ".join(sorted(nouns)[:3]),
        tuple(kind for kind, words_of_kind in _TAKING.items() if words_of_kind & (taken | nouns)),
        bool(families) and families[0] in READING and families[0] != "report",
        literal | nouns | verbal | told | taken,
    )


_TAKING: dict[SlotType, frozenset[str]] = {
    SlotType.CONTACT: frozenset({"email", "recipient", "phone", "to", "customer", "participant"}),
    SlotType.MONEY: frozenset({"amount", "price", "refund", "payment", "total", "cents", "fee"}),
    SlotType.DATE: frozenset({"date", "day", "start", "time", "appointment", "deadline", "due"}),
    SlotType.TIME: frozenset({"time", "start", "hour", "slot", "appointment"}),
    SlotType.PERCENT: frozenset({"percent", "discount", "rate", "level", "brightness"}),
    SlotType.DURATION: frozenset({"duration", "minute", "hour", "night", "second"}),
}


#: Services whose name stands for what is done through them.
_SERVICES = dict.fromkeys("slack gmail sms twilio sendgrid whatsapp telegram discord teams".split(), "send") | {"jira": "create", "trello": "create", "linear": "create"}  # fmt: skip
#: Events that a tool brings about by creating their record: `create_refund`.
_EVENTS = frozenset("refund book order pay transfer schedule exchange return cancel charge deploy".split())
_SENDERS = {"email", "mail", "sms", "message", "text", "refund", "call", "note", "invoice", "quote"}


#: Records that a tool opens which is named by them alone: `maintenance_ticket`.
_OPENED = frozenset({"ticket", "complaint"})
#: How nouns end that no verb is: `triage_ticket` opens none.
_NOUN_END = re.compile(r"(?:nce|ment|tion|ity|ware)$")
#: Verbs that may stand between a record and a part of it: `order_update_status`.
_VERB_INSIDE = frozenset("create send update delete cancel add remove get set modify change edit".split())
_VERB_BEHIND_EVENTS = _VERB_LAST | _VERB_LAST_ALONE | {"book", "set", "schedule", "pause"}


def _is_verb(word: str) -> bool:
    return word in TOOL_WORDS or lemma(word) in TOOL_WORDS


def _is_plural(word: str) -> bool:
    """Whether a word is the plural of things: the first word of `pins_add`."""
    return len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is"))


def _family_of(word: str) -> str | None:
    return TOOL_WORDS.get(word) or TOOL_WORDS.get(lemma(word))


def _verb_at(words: tuple[str, ...]) -> int | None:
    if not words:
        return None
    if len(words) > 1 and words[0] in _RECORDS:
        last = len(words) - 1
        if (
            words[-1] in _LOOKED_UP
            and words[0] not in _ASKING
            and not any(_is_verb(w) and w not in _NOUN_FIRST for w in words[1:-1])
        ):
            return last
        if words[1] in _VERB_INSIDE and words[0] not in _ASKING:
            return 1
        if words[0] in _EVENT_NOUNS_FIRST and words[-1] in _VERB_BEHIND_EVENTS:
            return last
    if (
        len(words) > 1
        and (words[-1] in _VERB_LAST or (lemma(words[-1]) in _VERB_LAST and words[-1].endswith(("tion", "al"))))
        and (words[0] in _NOUN_FIRST or not _is_verb(words[0]) or _is_plural(words[0]))
    ):
        return len(words) - 1
    if (
        len(words) > 1
        and words[-1] in _VERB_LAST_ALONE
        and not (words[-1] == "change" and words[0] in _ASKING)
        and not any(_is_verb(w) and w not in _NOUN_FIRST and not _is_plural(w) for w in words[:-1])
    ):
        return len(words) - 1
    if _is_verb(words[0]) and not (_is_plural(words[0]) and any(map(_is_verb, words[1:]))):
        return 0
    for i, w in enumerate(words):
        if (
            i
            and _is_verb(w)
            and not _is_plural(w)
            and (w not in _NOUN_FIRST or (w in {"list", "search"} and i < len(words) - 1))
        ):
            return i
    return next((i for i, w in enumerate(words) if _is_verb(w) and not (i and _is_plural(w))), None)


def _family_at(words: tuple[str, ...], at: int) -> str:
    joined = f"{words[at]}_{words[at + 1]}" if at + 1 < len(words) else ""
    if joined in TOOL_WORDS:
        return TOOL_WORDS[joined]
    rest = [w for w in (words[at + 1 :] or words[:at]) if w not in _MODIFIERS and w not in STOP]
    own = _family_of(words[at]) or ("get" if words[at] in _LOOKED_UP else lemma(words[at]))
    if not rest:
        return own
    if own in {"create", "add", "request"} and len(rest) > 1 and rest[-1] == "request":
        return "request"
    if own in {"create", "add", "request"} and EVENT_NOUNS.get(singular(rest[-1]), "create") in _EVENTS:
        return EVENT_NOUNS[singular(rest[-1])]
    named = family(words[at], " ".join(rest), "")
    return named if named in FAMILIES and own not in READING else own
