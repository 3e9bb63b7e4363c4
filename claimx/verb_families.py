"""Words of the canonical families: which verbs, event nouns and tool-name words name a family, and what an object makes of a verb.

Data only, read by `claimx.verbs`. A word added to `FAMILIES` counts for claims and for tool names alike.
"""

from __future__ import annotations

#: Family -> the verbs that name it, as lemmas. A word may stand in one family only.
FAMILIES: dict[str, str] = {
    "send": "send provide award supply email e-mail mail text sms message forward dispatch deliver fax post_message dm resend reply respond answer reach_out contact distribute transmit write_back fire shoot",
    "notify": "notify alert inform ping page remind warn tell instruct",
    "create": "create plot chart draw visualize visualise sketch open raise file make add_new generate log lodge register document draft write compose build prepare produce set_up "
    "setup put_in issue_new initialize init scaffold provision record capture reissue write_up put_together sign_up regenerate rebuild implement introduce",
    "update": "update point change modify edit amend adjust alter correct revise switch upgrade downgrade rename replace swap refresh patch "
    "extend rewrite convert set_to configure fix refactor improve migrate tweak reword reformat redraw redesign widen narrow shorten lengthen adapt reduce repair scale trim crop compress resize normalise normalize substitute prolong relabel recolor overwrite personalise personalize bump bump_up",
    "delete": "delete remove erase purge wipe clear drop_table destroy unsubscribe uninstall discard clean strip trash unlink drop knock kick kick_out strike strike_off strike_out clean_up clear_out take_down take_off take_out get_rid prune",
    "cancel": "cancel void annul revoke terminate call_off withdraw rescind abort",
    "refund": "refund reimburse credit reverse repay compensate pay_back",
    "charge": "charge bill debit invoice",
    "pay": "pay settle remit tip donate",
    "transfer": "transfer wire move_money send_money remit_money pay_in",
    "book": "book reserve rebook rent hire lease put_aside set_aside",
    "schedule": "schedule reschedule arrange plan line_up set_appointment push_back postpone defer pencil_in",
    "order": "order purchase buy place reorder checkout check_out",
    "exchange": "exchange trade_in",
    "return": "return send_back hand_in",
    "submit": "submit apply enter",
    "save": "save store persist keep put_down write_down jot jot_down note_down",
    "get": "get grep tail go_through comb_through look_into look_up lookup find search check see retrieve fetch read view show list pull locate query review look inspect examine "
    "browse consult scan fetched identify investigate pull_up access load open_file dig monitor note detect notice spot trace watch obtain been_through dig_through explore discover "
    "understand confirm_record",
    "calculate": "calculate compute total sum convert_currency estimate tally evaluate measure analyze analyse compare aggregate count recalculate assess weight weigh",
    "verify": "verify validate authenticate confirm double-check ensure cross-check reconcile match",
    "escalate": "escalate hand_over hand_off connect hand route pass_on flag refer",
    "assign": "assign reassign allocate delegate",
    "close": "close resolve archive mark_resolved wrap_up solve complete finish conclude",
    "reopen": "reopen",
    "approve": "approve accept authorize authorise grant sign_off",
    "reject": "reject decline deny refuse dismiss",
    "add": "add import append include attach insert join apply_to tag label pin link enrol enroll invite subscribe enclose hook paste loop_in",
    "upload": "upload publish post share release submit_app tweet",
    "download": "download export",
    "run": "run execute test rerun run_tests lint typecheck compile benchmark train profile simulate pass",
    "install": "install reinstall",
    "deploy": "deploy roll_out ship ship_code rollout promote launch",
    "rollback": "rollback roll_back revert restore undo reset",
    "commit": "commit",
    "push": "push",
    "merge": "merge rebase",
    "restart": "restart reload reboot relaunch power_cycle",
    "enable": "enable activate turn_on switch_on start unmute resume unpause reactivate reenable unlock unblock arm lift reinstate enforce reconnect",
    "disable": "disable deactivate turn_off switch_off stop mute pause suspend block lock freeze shut disarm shut_down turn_down ban suppress silence snooze kill unpublish",
    "set": "set dim brighten warm heat cool warm_up heat_up cool_down raise_to lower",
    "play": "play queue",
    "trigger": "trigger invoke kick_off",
    "request": "request ask apply_for",
    "click": "click navigate visit scroll type fill fill_in fill_out select tick untick check_off open_page",
    "summarize": "summarize summarise outline translate transcribe extract parse",
    "do": "do process handle perform go_ahead proceed take_care take carry_out sort sort_out deal execute_request apply_request",
    "receive": "receive collect pick_up",
    "ship": "ship_parcel mail_out",
    "copy": "copy duplicate clone back_up backup",
    "move": "move relocate",
    "redeem": "redeem use",
    "report": "report",
    "leave": "leave",
    "call": "call call_back phone ring dial get_through",
    "confirm": "acknowledge",
}

#: Verbs that say little by themselves: with these the object names the event.
LIGHT = frozenset(
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
    "refill": "refill", "removal": "delete", "charge": "charge", "donation": "pay", "payout": "pay", "complaint": "create",
}  # fmt: skip

#: Nouns that name an event behind a light verb only: in a tool's name they are things like any other.
LIGHT_NOUNS = {
    **EVENT_NOUNS,
    "snapshot": "copy", "deposit": "pay", "payout": "pay", "delivery": "send", "summary": "summarize", "translation": "summarize",
    "comparison": "calculate", "reduction": "update", "increase": "update", "extension": "update", "correction": "update", "amendment": "update",
    "renewal": "renew", "backfill": "run", "pipeline": "run", "scan": "run", "script": "run", "ride": "book", "warning": "notify",
}  # fmt: skip

#: (family, object's last word) -> family: what the object makes of an ordinary verb.
WITH_OBJECT = {
    ("refund", "order"): "refund", ("send", "reversal"): "refund", ("send", "refund"): "refund", ("send", "refill"): "refill", ("run", "payroll"): "pay", ("approve", "credit"): "refund",
    ("get", "appointment"): "get", ("send", "money"): "transfer", ("send", "payment"): "transfer",
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

#: Inflected words and nouns that no rule reduces -> lemma.
IRREGULAR = {
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
    "resent": "resend", "goes": "go", "pasted": "paste", "pasting": "paste", "hidden": "hide", "unfrozen": "unfreeze", "withheld": "withhold",
    "shrank": "shrink", "shrunk": "shrink", "taught": "teach", "laid": "lay", "pencilled": "pencil", "ignored": "ignore", "ignoring": "ignore",
    "focused": "focus", "succeed": "succeed", "came": "come", "lent": "lend", "struck": "strike", "redrawn": "redraw", "redrew": "redraw", "synced": "sync", "syncing": "sync",
    "resynced": "resync", "resyncing": "resync", "spent": "spend", "broke": "break", "broken": "break", "lost": "lose", "threw": "throw",
    "thrown": "throw", "knew": "know", "known": "know", "grew": "grow", "grown": "grow", "fell": "fall", "fallen": "fall", "won": "win",
    "led": "lead", "drove": "drive", "driven": "drive", "flew": "fly", "flown": "fly", "hung": "hang", "stuck": "stick", "bound": "bind",
    "wound": "wind", "spun": "spin", "rose": "rise", "risen": "rise", "overrode": "override", "overridden": "override",
    "initiated": "initiate", "initiating": "initiate", "passed": "pass", "passes": "pass", "closed": "close", "using": "use", "used": "use",
}  # fmt: skip

FAMILY_OF: dict[str, str] = {}
for _name, _verbs in FAMILIES.items():
    for _verb in _verbs.split():
        FAMILY_OF.setdefault(_verb, _name)

#: Families that only read. A claim of such a family is confirmed by any reading tool; a write never is.
READING = frozenset({"get", "calculate", "verify", "summarize", "report"})
#: Families that may stand for any write, because the verb says too little.
VAGUE = frozenset({"do"})

#: Words of tool names (beside the verbs above) -> family.
TOOL_WORDS = {
    **FAMILY_OF,
    "new": "create", "insert": "create", "put": "update", "upsert": "update", "refunds": "refund", "destroy": "delete",
    "transition": "move", "tweet": "upload", "reserve": "book", "booking": "book", "reservation": "book", "initiate": "do", "process": "do",
    "weather": "get", "info": "get", "details": "get", "detail": "get", "status": "get", "history": "get", "balance": "get",
    "availability": "get", "describe": "get", "track": "get", "tracking": "get", "search": "get", "select": "get",
    "email": "send", "sms": "send", "mail": "send", "notification": "notify", "payment": "pay", "human": "escalate", "handoff": "escalate", "nearby": "get", "preview": "get",
    "agent": "escalate", "calculator": "calculate", "think": "think", "issue": "create", "place": "order", "append": "add",
    "write": "create", "edit": "update", "str_replace": "update", "bash": "shell", "shell": "shell", "exec": "run",
    "call": "call", "phone": "call", "dial": "call", "on": "enable", "off": "disable", "apply": "submit", "add": "add",
    "grep": "get", "glob": "get", "ls": "get", "cat": "get", "request": "request", "complete": "close",
}  # fmt: skip
