"""Words of tool names and of claims: splitting names of any convention, and nouns that stand for the same thing."""

from __future__ import annotations

import re
from functools import lru_cache

TEXT_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]*")

#: Words that name nothing by themselves, in tool names and in prose.
STOP = frozenset(
    "the a an of to for in on with and or by from at as is it its be this that these those your my our their his her any all new via "
    "into tool api function given using use s mcp server i we you has have had been was were are will now not no also successfully "
    "there here their them they he she so if then than".split()
)
#: Words that speak of a record without saying of what: an object of these alone leaves open what was acted on.
BLAND = frozenset(
    "info information detail data request thing everything one it id number v change update result option all both rest work job "
    "matter process step action operation activity amount difference price total".split()
)
#: Nouns that tools and replies use for the same thing; the first word stands for its group.
_GROUPS = (
    "email mail mails emails e-mail gmail", "message messages msg dm sms text texts chat announcement slack whatsapp",
    "reservation reservations booking bookings itinerary", "flight flights", "hotel hotels room rooms accommodation",
    "ticket tickets case cases issue issues incident incidents jira", "order orders purchase purchases",
    "appointment appointments meeting meetings event events calendar visit visits consultation viewing session sessions slot slots call calls callback",
    "refund refunds reimbursement reimbursements", "payment payments transfer transfers transaction transactions money fund funds payout wire amount",
    "address addresses location", "product products item items goods", "cart carts basket", "account accounts profile profiles user users",
    "customer customers client clients contact contacts lead leads crm",
    "file files document documents doc docs", "script scripts code module", "test tests suite pytest",
    "subscription subscriptions plan plans membership memberships", "card cards", "policy policies", "note notes",
    "comment comments", "task tasks todo todos", "reminder reminders alarm alarms timer timers", "light lights lamp lamps lighting",
    "temperature thermostat climate heating heater ac", "human agent agents representative specialist person",
    "record records row rows entry entries", "report reports", "parcel parcels package packages shipment shipments delivery deliveries",
    "password passwords credentials", "repo repos repository repositories", "deployment deployments release releases",
    "discount discounts coupon coupons voucher vouchers promo", "invoice invoices bill bills receipt receipts",
    "page pages webpage webpages site sites website websites", "baggage baggages bag bags luggage suitcase suitcases",
    "pull_request pr prs pulls", "doctor doctors provider providers physician cardiologist", "car cars vehicle vehicles ride rides cab taxi",
    "restaurant restaurants", "movie movies film films", "song songs track tracks music playlist", "participant participants attendee attendees invitee invitees",
    "certificate certificates cert", "prescription prescriptions refill refills medication medications", "statement statements",
    "member members collaborator collaborators", "door doors lock locks", "blind blinds shade shades curtain curtains shutter shutters",
    "fee fees charge charges", "list lists", "photo photos picture pictures image images", "server servers instance instances host",
    "database databases db", "branch branches", "commit commits", "insurance", "seat seats", "channel channels",
    "quote quotes estimate estimates", "pipeline pipelines ci workflow workflows", "chart charts plot plots graph graphs figure figures", "query queries", "survey surveys", "form forms", "claim claims", "application applications", "waitlist queue",
)  # fmt: skip
_GROUP_OF = {w: g.split()[0] for g in _GROUPS for w in g.split()}
_MEMBERS = {g.split()[0]: tuple(w for w in g.split() if len(w) > 2) for g in _GROUPS}
#: Groups of which one holds or implies the other: a weaker tie than one group.
_RELATED = (
    "reservation flight", "reservation hotel", "reservation seat", "order product", "order parcel", "cart product", "cart order",
    "subscription account", "account customer", "account password", "customer order", "email message", "payment invoice",
    "payment card", "payment refund", "message channel", "doctor appointment", "prescription doctor", "refund fee", "repo branch",
    "appointment task", "appointment reminder", "file report", "file note", "file script", "file invoice", "message note", "reservation restaurant",
    "reservation car", "account address", "report record", "human ticket", "discount order", "comment ticket", "page file", "fee payment",
    "reservation appointment", "pipeline test", "light brightness", "temperature hotel", "parcel address", "reservation ticket", "order ticket", "list product", "pull_request branch", "commit branch", "claim ticket", "form application",
)  # fmt: skip
_PAIRS = [tuple(p.split()) for p in _RELATED]
_NONE: frozenset[str] = frozenset()
_TIES = {
    noun: frozenset(b if a == noun else a for a, b in _PAIRS if noun in (a, b))
    for noun in {n for p in _PAIRS for n in p}
}


@lru_cache(maxsize=16384)
def singular(word: str) -> str:
    """Reduce a plural noun to its singular, by rule.

    >>> [singular(w) for w in ("orders", "policies", "address", "boxes")]
    ['order', 'policy', 'address', 'box']
    """
    w = word.lower().replace("’", "'").removesuffix("'s").strip("'-")
    if len(w) <= 3 or not w.endswith("s") or w.endswith(("ss", "us", "is")):
        return w
    if w.endswith("ies"):
        return w[:-3] + "y"
    if w.endswith(("xes", "ches", "shes", "sses")):
        return w[:-2]
    return w[:-1]


@lru_cache(maxsize=16384)
def fold_noun(word: str) -> str:
    """Reduce a noun to the name of its group, or to its singular.

    >>> fold_noun("bookings"), fold_noun("Suitcase"), fold_noun("turbines")
    ('reservation', 'baggage', 'turbine')
    """
    w = word.lower().strip("'-")
    if w in _GROUP_OF:
        return _GROUP_OF[w]
    w = singular(w)
    return _GROUP_OF.get(w, w)


def members_of(folded: str) -> tuple[str, ...]:
    """The words that a folded noun stands for, itself among them.

    >>> members_of("record"), members_of("turbine")
    (('record', 'records', 'row', 'rows', 'entry', 'entries'), ('turbine',))
    """
    return _MEMBERS.get(folded, (folded,))


def ties_of(folded: str) -> frozenset[str]:
    """The nouns that hold or imply a folded noun, or are held or implied by it."""
    return _TIES.get(folded, _NONE)


#: What a verb acts on by its own meaning.
IMPLIED = {
    "dim": "brightness", "brighten": "brightness", "warm": "temperature", "heat": "temperature", "cool": "temperature", "plot": "chart",
    "chart": "chart", "visualize": "chart", "visualise": "chart", "rename": "name", "email": "email", "text": "message", "message": "message",
    "invoice": "invoice", "refund": "refund", "price": "price", "enrol": "course", "enroll": "course", "relocate": "address", "invite": "member",
    "subscribe": "subscription", "unsubscribe": "subscription", "tweet": "tweet", "commit": "commit", "merge": "pull_request",
}  # fmt: skip
