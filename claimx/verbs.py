"""Canonical families of verbs: what kind of event a trigger with its object names, and which tool-name words carry it.

`family` decides from trigger, object and clause; what no table knows falls back to the trigger's lemma.
"""

from __future__ import annotations

import re
from functools import lru_cache

#: Family -> the verbs that name it, as lemmas. A word may stand in one family only.
FAMILIES: dict[str, str] = {
    "send": "send provide grant award supply email e-mail mail text sms message forward dispatch deliver fax post_message dm resend reply respond fire shoot drop",
    "notify": "notify alert inform ping page remind warn tell",
    "create": "create plot chart draw visualize visualise sketch open raise file make add_new generate log lodge register document draft write compose build prepare produce set_up "
    "setup put_in issue_new initialize init scaffold provision record capture",
    "update": "update point change modify edit amend adjust alter correct revise switch upgrade downgrade rename replace swap refresh patch "
    "extend rewrite convert set_to configure fix refactor improve migrate tweak reword reformat",
    "delete": "delete remove erase purge wipe clear drop_table destroy unsubscribe uninstall discard clean strip trash unlink",
    "cancel": "cancel void annul revoke terminate call_off withdraw rescind abort",
    "refund": "refund reimburse credit reverse repay give_back compensate",
    "charge": "charge bill debit invoice",
    "pay": "pay settle remit tip donate",
    "transfer": "transfer wire move_money send_money remit_money",
    "book": "book reserve rebook rent hire lease",
    "schedule": "schedule reschedule arrange plan set_appointment push_back postpone",
    "order": "order purchase buy place reorder checkout check_out",
    "exchange": "exchange trade_in",
    "return": "return send_back",
    "submit": "submit apply enter",
    "save": "save store persist keep",
    "get": "get grep tail go_through comb_through look_into look_up lookup find search check see retrieve fetch read view show list pull locate query review look inspect examine "
    "browse consult scan fetched identify investigate pull_up access load open_file dig monitor note count explore discover "
    "understand confirm_record",
    "calculate": "calculate compute total sum convert_currency estimate tally evaluate measure analyze analyse compare aggregate",
    "verify": "verify validate authenticate confirm double-check ensure cross-check reconcile",
    "escalate": "escalate hand_over hand_off connect hand route pass_on flag",
    "assign": "assign reassign allocate delegate",
    "close": "close resolve archive mark_resolved wrap_up complete finish conclude",
    "reopen": "reopen",
    "approve": "approve accept authorize authorise grant sign_off",
    "reject": "reject decline deny refuse dismiss",
    "add": "add append include attach insert join apply_to tag label pin link enrol enroll invite subscribe",
    "upload": "upload publish post share release submit_app tweet",
    "download": "download export",
    "run": "run execute test rerun run_tests lint typecheck compile benchmark train profile simulate pass",
    "install": "install",
    "deploy": "deploy roll_out ship ship_code rollout promote launch",
    "rollback": "rollback roll_back revert restore undo reset",
    "commit": "commit",
    "push": "push",
    "merge": "merge rebase",
    "restart": "restart reboot relaunch power_cycle",
    "enable": "enable activate turn_on switch_on start unmute resume unpause reactivate reenable unlock unblock arm",
    "disable": "disable deactivate turn_off switch_off stop mute pause suspend block lock freeze shut disarm shut_down turn_down",
    "set": "set dim brighten warm heat cool warm_up heat_up cool_down raise_to lower",
    "play": "play queue",
    "trigger": "trigger invoke call kick_off",
    "request": "request ask apply_for",
    "click": "click navigate visit scroll type fill select open_page",
    "summarize": "summarize summarise outline translate transcribe extract parse",
    "do": "do process handle perform go_ahead proceed take_care take carry_out sort sort_out deal execute_request apply_request",
    "receive": "receive collect",
    "ship": "ship_parcel mail_out",
    "copy": "copy duplicate clone back_up backup",
    "move": "move relocate",
    "redeem": "redeem use",
    "report": "report",
    "leave": "leave",
    "confirm": "acknowledge",
}

#: Verbs that say little by themselves: with these the object names the event.
_LIGHT = frozenset(
    "issue make do process perform complete finish put put_in go_ahead proceed handle take take_care sort_out sort give place "
    "initiate apply carry_out start begin submit raise get have finalize finalise effect execute conduct run "
    "request arrange mark set_up setup".split()
)

#: Noun that names an event -> family, when the verb is light.
EVENT_NOUNS = {
    "refund": "refund", "reimbursement": "refund", "credit": "refund", "reversal": "refund", "chargeback": "refund",
    "cancellation": "cancel", "cancelation": "cancel", "booking": "book", "reservation": "book", "rebooking": "book",
    "order": "order", "purchase": "order", "payment": "pay", "transfer": "transfer", "transaction": "transfer",
    "appointment": "schedule", "meeting": "schedule", "callback": "schedule", "exchange": "exchange", "swap": "exchange",
    "return": "return", "update": "update", "change": "update", "modification": "update", "edit": "update", "upgrade": "update",
    "adjustment": "update", "search": "get", "lookup": "get", "check": "get", "look": "get", "query": "get", "review": "get",
    "calculation": "calculate", "verification": "verify", "escalation": "escalate", "deployment": "deploy", "release": "deploy",
    "commit": "commit", "push": "push", "merge": "merge", "rollback": "rollback", "restart": "restart", "reboot": "restart",
    "backup": "copy", "test": "run", "tests": "run", "run": "run", "job": "run", "migration": "run", "suite": "run", "build": "run", "check-in": "checkin",
    "installation": "install", "registration": "create", "ticket": "create", "case": "create", "claim": "create",
    "note": "create", "reminder": "schedule", "call": "call", "request": "request", "deletion": "delete",
    "refill": "refill", "removal": "delete", "charge": "charge", "donation": "pay", "complaint": "create",
}  # fmt: skip

#: (family, object's last word) -> family: what the object makes of an ordinary verb.
_WITH_OBJECT = {
    ("refund", "order"): "refund", ("get", "appointment"): "get", ("send", "money"): "transfer", ("send", "payment"): "transfer",
    ("create", "appointment"): "schedule", ("transfer", "agents"): "escalate", ("transfer", "agent"): "escalate", ("transfer", "human"): "escalate", ("transfer", "representative"): "escalate", ("transfer", "call"): "escalate", ("transfer", "chat"): "escalate", ("run", "timer"): "enable", ("push", "date"): "update", ("push", "deadline"): "update", ("push", "meeting"): "schedule", ("push", "appointment"): "schedule", ("create", "meeting"): "schedule", ("create", "event"): "schedule", ("add", "event"): "schedule", ("create", "events"): "schedule", ("create", "callback"): "schedule", ("create", "booking"): "book",
    ("create", "reservation"): "book", ("create", "order"): "order", ("create", "pull"): "create",
    ("order", "hold"): "add", ("order", "note"): "create", ("order", "call"): "call",
    ("submit", "discount"): "add", ("submit", "code"): "add", ("submit", "coupon"): "add", ("submit", "credit"): "refund",
    ("submit", "fix"): "update", ("submit", "change"): "update", ("submit", "changes"): "update", ("submit", "patch"): "update",
    ("submit", "label"): "add", ("submit", "update"): "update", ("deploy", "order"): "ship", ("deploy", "parcel"): "ship",
    ("deploy", "package"): "ship", ("deploy", "replacement"): "ship", ("get", "page"): "get",
    ("charge", "back"): "refund", ("cancel", "subscription"): "cancel",
    ("disable", "card"): "disable", ("enable", "timer"): "set", ("enable", "music"): "play", ("enable", "test"): "run",
}  # fmt: skip

_PARTICLES = frozenset("up down off on out back over in away through ahead".split())
_IRREGULAR = {
    "sent": "send", "made": "make", "found": "find", "put": "put", "gave": "give", "given": "give", "took": "take",
    "taken": "take", "wrote": "write", "written": "write", "ran": "run", "got": "get", "gotten": "get", "saw": "see",
    "seen": "see", "did": "do", "done": "do", "went": "go", "gone": "go", "bought": "buy", "paid": "pay", "built": "build",
    "shut": "shut", "read": "read", "left": "leave", "held": "hold", "kept": "keep", "told": "tell", "withdrew": "withdraw",
    "withdrawn": "withdraw", "drew": "draw", "drawn": "draw", "undid": "undo", "undone": "undo", "rewrote": "rewrite",
    "rewritten": "rewrite", "shot": "shoot", "froze": "freeze", "frozen": "freeze", "rang": "ring", "rung": "ring",
    "began": "begin", "begun": "begin", "spoke": "speak", "spoken": "speak", "reset": "reset", "set": "set", "swapped": "swap",
    "dug": "dig", "typed": "type", "lit": "light", "showed": "show", "shown": "show", "sold": "sell", "chose": "choose",
    "chosen": "choose", "forgot": "forget", "rebuilt": "rebuild", "reran": "rerun", "overwrote": "overwrite",
    "overwritten": "overwrite", "dealt": "deal", "met": "meet", "brought": "bring", "caught": "catch", "hid": "hide",
    "lint": "lint", "tests": "test", "queued": "queue", "freed": "free", "agreed": "agree", "tied": "tie", "died": "die",
    "applied": "apply", "created": "create", "cancelled": "cancel", "cancelling": "cancel", "canceled": "cancel",
    "cancellation": "cancel", "refunding": "refund", "booking": "book", "payment": "pay", "deletion": "delete",
    "confirmation": "confirm", "reservation": "reserve", "submission": "submit", "deployment": "deploy", "installation": "install",
    "transfer": "transfer", "escalation": "escalate", "registration": "register", "verification": "verify", "removal": "remove",
    "creation": "create", "modification": "modify", "notification": "notify", "delivery": "deliver", "completion": "complete",
    "activation": "activate", "migration": "migrate", "calculation": "calculate", "restoration": "restore", "purchase": "purchase",
    "upgraded": "upgrade", "approval": "approve", "rejection": "reject", "assignment": "assign", "reversal": "reverse",
    "lookup": "lookup", "reimbursement": "reimburse", "publication": "publish", "generation": "generate", "scheduling": "schedule",
    "execution": "execute", "update": "update", "order": "order", "invoice": "invoice", "sms": "sms", "passing": "pass",
    "initiated": "initiate", "initiating": "initiate", "passed": "pass", "passes": "pass", "clean": "lint", "green": "pass", "closed": "close", "using": "use", "used": "use",
}  # fmt: skip

_FAMILY_OF: dict[str, str] = {}
for _name, _verbs in FAMILIES.items():
    for _verb in _verbs.split():
        _FAMILY_OF.setdefault(_verb, _name)

#: Families that only read. A claim of such a family is confirmed by any reading tool; a write never is.
READING = frozenset({"get", "calculate", "verify", "summarize", "report"})
#: Families that may stand for any write, because the verb says too little.
VAGUE = frozenset({"do"})

#: Words of tool names (beside the verbs above) -> family.
TOOL_WORDS = {
    **_FAMILY_OF,
    "new": "create", "insert": "create", "put": "update", "upsert": "update", "refunds": "refund", "destroy": "delete",
    "tweet": "upload", "reserve": "book", "booking": "book", "reservation": "book", "initiate": "do", "process": "do",
    "weather": "get", "info": "get", "details": "get", "detail": "get", "status": "get", "history": "get", "balance": "get",
    "availability": "get", "describe": "get", "track": "get", "tracking": "get", "search": "get", "select": "get",
    "email": "send", "sms": "send", "mail": "send", "notification": "notify", "payment": "pay", "human": "escalate",
    "agent": "escalate", "calculator": "calculate", "think": "think", "issue": "create", "place": "order", "append": "add",
    "write": "create", "edit": "update", "str_replace": "update", "bash": "shell", "shell": "shell", "exec": "run",
    "call": "call", "phone": "call", "dial": "call", "on": "enable", "off": "disable", "apply": "submit", "add": "add",
    "grep": "get", "glob": "get", "ls": "get", "cat": "get", "request": "request", "complete": "close",
}  # fmt: skip


@lru_cache(maxsize=4096)
def lemma(word: str) -> str:
    """Reduce an inflected verb, or a noun made of one, to its base form by rule and table.

    >>> [lemma(w) for w in ("cancelled", "emailing", "Applied", "sent", "closes", "Cancellation", "re-ran", "stopped")]
    ['cancel', 'email', 'apply', 'send', 'close', 'cancel', 'rerun', 'stop']
    """
    w = word.lower().replace("’", "'").strip("'-").replace("re-", "re")
    if w in _IRREGULAR:
        return _IRREGULAR[w]
    if w in _FAMILY_OF:
        return w
    for suffix, length in (("ied", 3), ("ies", 3)):
        if w.endswith(suffix) and len(w) > length + 1:
            return w[:-length] + "y"
    for suffix in ("ing", "ed", "es", "s", "er"):
        if not w.endswith(suffix) or len(w) - len(suffix) < 2:
            continue
        stem = w[: -len(suffix)]
        options = [stem, stem + "e"]
        if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "ls":
            options.insert(0, stem[:-1])
        elif len(stem) > 3 and stem[-1] == stem[-2]:
            options.append(stem[:-1])
        known = next((o for o in options if o in _FAMILY_OF), None)
        if known:
            return known
        if suffix == "s":
            return stem if not w.endswith("ss") else w
        if suffix in {"ed", "ing"}:
            vowels = sum(c in "aeiouy" for c in stem)
            doubled = len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] not in "lsz"
            if doubled:
                return stem[:-1]
            silent = stem[-1] in "cvszgu" or (
                vowels == 1
                and len(stem) > 2
                and stem[-1] not in "aeiouywx"
                and stem[-2] in "aeiouy"
                and stem[-3] not in "aeiouy"
            )
            silent = silent or (stem.endswith("at") and len(stem) > 4)
            return stem + "e" if silent and not stem.endswith(("ss", "ng", "zz")) else stem
    return w


def _last_word(text: str | None) -> str:
    words = re.findall(r"[A-Za-z][A-Za-z'-]*", text or "")
    return words[-1].lower() if words else ""


def _noun(word: str) -> str | None:
    for w in (word, word.rstrip("s"), word[:-2] if word.endswith("es") else word):
        if w in EVENT_NOUNS:
            return EVENT_NOUNS[w]
    return None


_ACTIVE = re.compile(
    r"\b(?:i|we|i['’]ve|we['’]ve|i have|we have|and|to)\s+(?:(?:just|also|already|now|\w+ly)\s+)?$", re.I
)
#: What is built by a tool chain rather than made by hand.
_BUILT = frozenset(
    "project app application binary code solution package workspace image target bundle library crate".split()
)
#: Events that are set ("the refund is set to go back", "your reservation is now set").
_SET_EVENTS = frozenset("refund book schedule pay transfer order return exchange".split())


def _is_after(trigger: str, object: str | None, context: str) -> bool:
    """Whether the object stands behind the trigger: "confirmed your details", not "your booking is confirmed"."""
    if not object:
        return False
    at, target = context.find(trigger), context.find(object)
    return not 0 <= target < at


def family(trigger: str, object: str | None = None, context: str = "") -> str:
    """Return the canonical family of an event, from its trigger, its object and the clause around it.

    >>> family("issued", "refund"), family("put in", "ticket"), family("reversed", "charge"), family("Cancellation")
    ('refund', 'create', 'refund', 'cancel')
    >>> family("turned off", "lights"), family("defragged")
    ('disable', 'defrag')
    """
    words = re.findall(r"[A-Za-z][A-Za-z'’-]*", trigger)
    if not words:
        return trigger.strip().lower() or "do"
    first = lemma(words[0])
    if first == "go" and len(words) > 1 and words[1].lower() == "ahead":
        first = lemma(words[-1]) if len(words) > 3 else "go_ahead"
    particle = next((w.lower() for w in words[1:] if w.lower() in _PARTICLES), "")
    if not particle and context:
        # "turned the lights off": the particle may stand behind the object.
        after = context[context.find(trigger) + len(trigger) :] if trigger in context else ""
        m = re.search(r"\b(off|on|up|down|back|in|out)\b\s*(?:[.,!]|$)", after[:60])
        if m and first in {"turn", "switch", "put", "set", "call", "roll", "send"}:
            particle = m.group(1)
    verb = f"{first}_{particle}" if particle and f"{first}_{particle}" in _FAMILY_OF else first
    if particle == "ahead" or (verb == "take" and "care" in trigger.lower()):
        verb = "take_care"
    if first == "all":
        return "do"
    if (
        len(words) == 1
        and words[0].lower()
        in {"build", "builds", "built", "compiled", "lint", "typecheck", "tests", "test", "suite", "compiles"}
        and not object
    ):
        return "run"
    noun = _last_word(object)
    if (
        verb == "confirm"
        and not _is_after(trigger, object, context)
        and not _ACTIVE.search(context[: max(0, context.find(trigger))])
    ):
        return "confirm"
    if verb == "build" and noun in _BUILT:
        return "run"
    if verb in _LIGHT or verb in {"request", "mark"} or _FAMILY_OF.get(verb) == "do":
        named = [_noun(w.lower()) for w in re.findall(r"[A-Za-z][A-Za-z'-]*", object or "")]
        # "a return request" asks for a return: the request itself names no event where another noun does.
        telling = [n for n in named if n and n != "request"] or [n for n in named if n]
        if telling == ["request"] and _FAMILY_OF.get(verb) in {"do", "close"}:
            # "processed your request": which one, it does not say.
            return "do"
        if telling:
            return telling[-1]
        marked = re.search(r"\bfor (?:a |an |the )?(\w+)", context) if verb in {"mark", "request", "submit"} else None
        if marked and _noun(marked.group(1).lower()):
            return str(_noun(marked.group(1).lower()))
        if verb not in _FAMILY_OF:
            return "do" if verb != "issue" else "create"
    if verb == "set" and noun and _noun(noun) in _SET_EVENTS:
        return str(_noun(noun))
    found = _FAMILY_OF.get(verb) or _noun(_last_word(trigger)) or _FAMILY_OF.get(first)
    if found is None:
        nominal = _noun(first)
        return nominal or first
    return _WITH_OBJECT.get((found, noun), found)
