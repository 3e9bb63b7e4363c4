"""What the words around a verb make of it: "put on hold" suspends, "put in the basket" adds. Data, with one look-up."""

from __future__ import annotations

import re

_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|tue|wed|thu|fri|sat|sun)\b|tomorrow|noon|next week|the \d{1,2}(?:st|nd|rd|th)\b|\d{1,2}:\d\d|\d{1,2}/\d{1,2}\b|\d{1,2} (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
_TEAM = r"\b(?:to|with) [^.;,]{0,40}?\b(?:team|department|folks|desk|specialist|supervisor|manager|support|colleagues?|agent|human|billing|engineers?|engineering)\b"
_MONEY = r"(?:deposits?|debits?|payments?|fees?|amounts?|money|funds|charges?|sum|balance|difference|overpayment)$"
_MESSAGE = r"(?:notes?|messages?|e-?mails?|mails?|texts?|lines?|sms|letters?|repl(?:y|ies)|newsletters?|invitations?|reminders?)$"
_GOODS = r"(?:goods|orders?|parcels?|packages?|keys?|items?)$"
_EVENT = r"(?:appointments?|meetings?|calls?|visits?|viewings?|sessions?|class(?:es)?|lessons?|interviews?|mri|scans?|check-?ups?|showings?)$"
_PLACE = r"(?:rooms?|tables?|seats?|slots?|spots?|vans?|trucks?|cars?|cabins?|flights?|tickets?)$"
_TEST = r"\b(?:tests?|checks?|suite|build|lint|linter|tree|typecheck|pipeline|ci)$"
_PATH = r"\b(?:in|into|under|to) (?:[^.;]{0,40}\b(?:folder|drive|documents|directory)\b|[`\"']?(?:[\w~-]*/[\w./-]+|\w+\.\w{2,7}\b))"
_TO_STORE = r"^\s*to [`\"']?(?:[\w~-]*/[\w./-]+|\w+\.\w{2,7}\b)"
_PAGE = r"(?:pages?|sites?|website|url|tabs?|menu|settings|portal|screen|form)$"
_BARRIER = r"(?:doors?|gates?|garage|blinds?|curtains?|windows?|locks?|valves?|shutters?)$"
_BIN = r"\b(?:in|into|to) (?:the |your )?(?:trash|bin|recycle bin|rubbish|wastebasket)\b"
_BACK_ON_ACCOUNT = r"\d\s*back\b|\bback (?:on|to|in|into|onto) (?:your|the|his|her|their|my) (?:\w+ )?(?:card|paypal|account|balance|wallet)"

_ON_ACCOUNT = (
    r"^\s*(?:on|to|in|into|onto) (?:your|the|his|her|their|my) (?:\w+ )?(?:card|paypal|account|balance|wallet)\b"
)
#: What has an end of its own, which is set and cancels nothing.
_ENDS_BY_ITSELF = r"\b(?:meetings?|calls?|events?|appointments?|shifts?|links?|codes?|coupons?|vouchers?|tokens?|sessions?|offers?|sales?|passwords?|keys?|invit\w+|campaigns?|timers?|polls?|auctions?)\b"
_TO_END = r"\bto (?:end|lapse|expire|terminate|cancel)\b"

#: Verb -> (where to look, pattern, family), the first that fits decides. `object` is the object's text, `after` and `before` the
#: clause on that side of the trigger, `trigger` the trigger's own words, `bare` the lack of an object, `any` always.
_SENSES_TEXT: dict[str, list[tuple[str, str, str]]] = {
    "put": [
        ("after", _BIN, "delete"),
        ("after", _BACK_ON_ACCOUNT, "refund"), ("after", r"\bon (?:hold|pause|ice)\b", "disable"), ("after", r"\bon standby\b|\bmode\b", "set"),
        ("object", r"\bnote$", "create"), ("after", r"\b(?:basket|cart|trolley|list)\b", "add"), ("after", r"\btogether\b", "create"),
        ("after", r"\baside\b", "book"), ("after", _PATH, "save"), ("after", rf"\b(?:calendar|diary|agenda)\b|\b(?:on|for) (?:{_DAY})", "schedule"),
    ],
    "put_back": [("any", "", "rollback")],
    "put_in": [("bare", "", "schedule")],
    "put_on": [("bare", "", "add")],
    "go_back": [("after", r"\b(?:card|paypal|account|wallet)\b", "refund")],
    "go": [("after", r"^\s*back to (?:your|the) (?:\w+ )?(?:card|account|paypal)", "refund"), ("after", r"^\s*with\b", "choose"), ("trigger", r"^(?:gone|goes?|going)$", "go"), ("object", r"\w", "send")],
    "go_out": [("object", r"(?:posts?|articles?|videos?|episodes?)$", "upload"), ("object", r"claims?$", "submit"), ("any", "", "send")],
    "take": [
        ("after", r"^[^.;,]{0,30}\b(?:fees?|charges?|surcharges?|amount|penalty) off\b", "refund"),
        ("object", r"(?:snapshots?|backups?|incremental|dump)$", "copy"), ("object", _MONEY, "charge"), ("bare", "", "take"),
        ("after", r"\bfrom\b", "get"), ("object", r"(?:photo(?:graph)?s?|pictures?|screenshots?|lot)$", "take"),
    ],
    "take_place": [("any", "", "do")],
    "drop": [("object", _MESSAGE, "send"), ("after", r"^\s*to [£$€]?\d", "update")],
    "pass": [("after", _TEAM, "escalate"), ("object", _TEST, "run"), ("after", r"\bto\b", "send"), ("object", r"(?:pictures?|photos?|details|offers?|messages?|notes?|files?)$", "send")],
    "pass_on": [("after", _TEAM, "escalate"), ("object", _MESSAGE, "send"), ("object", r"(?:pictures?|photos?|details|offers?)$", "send")],
    "hand": [("object", _GOODS, "send")],
    "hand_over": [("object", _GOODS, "send")],
    "bump": [("after", _TEAM, "escalate")],
    "knock": [("object", r"\b(?:team|door)$", "knock")],
    "return": [("object", _MONEY, "refund")],
    "release": [("object", r"(?:payments?|payouts?|invoices?|salary|wages)$", "pay"), ("object", r"(?:shipments?|parcels?)$", "ship"), ("object", _MONEY, "refund"), ("object", r"(?:names?|seats?|holds?|rooms?|reserves?|slots?|locks?|tables?|numbers?|ip|lease)$", "release")],
    "reset": [("object", r"(?:scanner|router|hub|device|modem|printer|machine|box)$", "restart")],
    "reverse": [("object", r"(?:merge|change|commit|update|migration|edit|deletion|removal)s?$", "rollback")],
    "use": [("object", r"(?:vouchers?|codes?|coupons?|points|credits?|miles|discounts?|gift card|rewards?)$", "redeem"), ("any", "", "use")],
    "keep": [("after", r"\b(?:open|parked|unchanged|untouched|as (?:it )?is)\b", "leave")],
    "leave_out": [("any", "", "leave_out")],
    "write": [("after", r"^\s*to\s*(?:[.,;!]|$|about\b)", "send"), ("trigger", r"\bto$", "send"), ("after", _TO_STORE, "save")],
    "write_off": [("any", "", "write_off")],
    "sort": [("after", r"\b(?:by|into|alphabetically)\b", "sort"), ("object", r"s$", "sort")],
    "profile": [("object", r"(?:rows|data|tables?|columns?|dataset)$", "calculate")],
    "compile": [("object", r"(?:projects?|apps?|application|binary|binaries|code|solution|packages?|workspace|images?|targets?|bundle|library|crates?|modules?|files?|kernel|firmware|sources?|tests?)$", "run"), ("object", r"\w", "create"), ("before", r"\b(?:reports?|list|summary|overview)\b", "create")],
    "connect": [("object", r"(?:forms?|accounts?|calendars?|devices?|integrations?|printers?|speakers?|apps?|systems?)$", "add")],
    "scan_in": [("any", "", "receive")],
    "hold": [("object", r"(?:pay(?:out|ment)s?|orders?|shipments?|deliver(?:y|ies))$", "disable"), ("object", _PLACE, "book"), ("after", r"\bfor you\b", "book")],
    "list": [("object", r"(?:flat|house|home|apartment|property|item|product|car|bike)$", "upload")],
    "swap": [("object", r"(?:tickets?|seats?|sizes?|shifts?)$", "exchange")],
    "post": [("object", r"(?:letters?|parcels?|cards?)$", "send")],
    "lower": [("object", r"(?:quantity|severity|priority|size|values?|prices?|fees?|rates?|limits?|bids?|budgets?|rent)$", "update")],
    "raise": [("object", r"(?:quantity|severity|priority|size|values?|prices?|fees?|rates?|limits?|bids?|budgets?|rent)$", "update")],
    "record": [("object", r"(?:change|update)s?$", "update")],
    "enter": [("object", r"(?:meetings?|dates?|events?)$", "schedule")],
    "submit": [("object", r"(?:registrations?|claims?|complaints?|applications?)$", "submit")],
    "file": [("object", r"(?:objections?|appeals?|motions?|claims?|returns?)$", "submit")],
    "credit": [("object", r"(?:dividends?|salary|salaries|interest|wages)$", "pay"), ("object", r"che(?:que|ck)s?$", "transfer")],
    "queue": [("object", r"(?:songs?|playlists?|tracks?|albums?|podcasts?|music|episodes?)$", "play"), ("any", "", "queue")],
    "flip": [("after", r"\bback\b", "rollback")],
    "block": [("object", r"(?:days?|hours?|slots?|mornings?|afternoons?|time|calendar)$", "schedule")],
    "throw": [("after", _BIN, "delete")],
    "move": [("after", _BIN, "delete"), ("object", _EVENT, "schedule"), ("after", rf"\bto (?:{_DAY})", "schedule")],
    "push": [("after", rf"^[^.;]{{0,30}}\bto (?:{_DAY})", "schedule")],
    "bring": [("after", r"\b(?:down|up)\b[^.;]{0,30}\bto\b", "set")],
    "shift": [("object", _EVENT, "schedule"), ("after", rf"\bto (?:{_DAY})", "schedule")],
    "mark": [("after", r"\bfor (?:review|attention|follow-up)\b", "escalate")],
    "fail": [("object", _TEST, "run")],
    "clean": [("object", _TEST, "run"), ("before", rf"(?:{_TEST[:-1]}|\b(?:lint|ruff|mypy|eslint|clippy))\W*(?:is|was|came out|comes out)?\s*$", "run")],
    "confirm": [("object", r"(?:slots?|spots?|tables?|seats?|rooms?)$", "confirm")],
    "open": [("object", _BARRIER, "open"), ("object", _PAGE, "click")],
    "close": [("object", r"(?:valves?|taps?)$", "disable")],
    "turn": [("after", r"^\s*(?:it |them |that |the \w+ )?down\b", "set"), ("after", r"^\s*into\b", "update"), ("trigger", r"\binto\b", "update")],
    "turn_up": [("after", r"^\s*(?:the|your|its|it|that)\b", "set"), ("any", "", "get")],
    "note": [("after", r"^\s*(?:it |this |that |your [\w ]{1,30})?(?:on|under|against) (?:your |the |our |this )?(?:\w+ )?(?:file|case|account|profile|record|ticket|booking|reservation|chart)\b", "create")],
    "set": [("after", rf"^(?![^.;]{{0,40}}{_ENDS_BY_ITSELF})[^.;]*{_TO_END}", "cancel"), ("trigger", _TO_END, "cancel")],
    "set_to": [("after", _TO_END, "cancel"), ("trigger", _TO_END, "cancel")],
    "turn_down": [("object", r"(?:offers?|requests?|applications?|invitations?|proposals?)$", "reject"), ("any", "", "set")],
    "get": [("object", r"(?:repl(?:y|ies)|notes?|messages?|letters?|answers?)$", "receive"), ("object", _PLACE, "book")],
    "give_back": [("object", r"(?:table|seat|slot|room|spot)s?$", "cancel"), ("any", "", "refund")],
    "check": [("after", r"\bagainst\b", "verify")],
    "give": [("object", r"\b(?:access|permissions?|rights?)$", "approve"), ("object", r"\b(?:roles?|tasks?|ownership)$", "assign"), ("object", _MESSAGE, "send")],
    "secure": [("object", _PLACE, "book")],
    "pass_along": [("any", "", "send")],
    "try": [("object", r"\w", "run")],
    "make": [("object", r"\bcop(?:y|ies)$", "copy"), ("after", r"^\s*(?:you |him |her |them )?(?:an? )?(?:admin|owner|moderator|member|editor)\b", "assign"), ("object", r"\b(?:admin|owner|moderator)$", "assign"), ("after", r"^\s*(?:it |them )?(?:short|long|small|bigg|larg)er\b", "update")],
    "stop": [("after", r"[£$€]\s?\d", "cancel")],
    "fire": [("object", r"\b(?:alerts?|alarms?|webhooks?|triggers?|events?)$", "trigger")],
    "call": [("object", r"\b(?:functions?|apis?|endpoints?|tools?|webhooks?|methods?)$", "trigger")],
    "check_in": [("any", "", "checkin")],
    "go_online": [("any", "", "upload")],
    "log_in": [("any", "", "click")],
    "in": [("trigger", r"^in place$", "create"), ("trigger", r"\b(?:diary|calendar|agenda)$", "schedule")],
    "active": [("any", "", "enable")],
    "on": [("trigger", r"^on$", "enable"), ("after", r"^\s*(?:back )?to (?:your|the|his|her|their) (?:\w+ )?(?:card|paypal|account|wallet|bank)\b", "refund"), ("trigger", r"\bway\b", "ship")],
    "off": [("any", "", "disable")],
    "live": [("any", "", "upload")],
    "ship": [("object", r"(?:releases?|versions?|fix(?:es)?|features?|builds?|updates?|code|changes?|apps?|patch|hotfix)$", "deploy"), ("object", r"\w", "ship")],
    "place": [("after", r"^\s*(?:you |him |her |them )?(?:in|into|on|onto) (?:the |our |a |its )?[^.;,]{0,40}\b(?:queue|list|waitlist)\b", "add"), ("object", r"(?:restrictions?|blocks?|freeze)$", "disable")],
    "up": [("object", r"\b(?:server|service|system|network|cluster|node)s?$", "enable"), ("any", "", "create")],
    "back": [("after", _ON_ACCOUNT, "refund"), ("any", "", "rollback")],
    "green": [("any", "", "run")],
    "ticket": [("trigger", r"ed$", "book")],
}  # fmt: skip
_SENSES = {
    verb: tuple((where, re.compile(p, re.I), name) for where, p, name in rows) for verb, rows in _SENSES_TEXT.items()
}


def has_senses(verb: str) -> bool:
    """Whether the words around this verb can change its family."""
    return verb in _SENSES


def sense_of(verb: str, trigger: str, object: str | None, context: str) -> str | None:
    """Return the family that the words around a verb give it, or None where they say nothing.

    >>> sense_of("put", "put", "file", "the file was put on hold"), sense_of("return", "returned", "deposit", "")
    ('disable', 'refund')
    """
    rows = _SENSES.get(verb)
    if not rows:
        return None
    at = context.find(trigger)
    texts = {
        "object": (object or "").strip(),
        "trigger": trigger,
        "before": context[:at] if at >= 0 else "",
        "after": context[at + len(trigger) :][:120] if at >= 0 else "",
        "bare": "",
        "any": "",
    }
    for where, pattern, name in rows:
        if where == "bare" and object:
            continue
        if (where in {"any", "bare"} or texts[where]) and pattern.search(texts[where]):
            return name
    return None
