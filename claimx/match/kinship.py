"""Which families of verbs can name the same event, and which deeds bring another event about. Data, with one look-up."""

from __future__ import annotations

from claimx.verbs import FAMILIES, READING, VAGUE

OWN = 1.0
NEAR = 0.72
BRINGS = 0.6
LOOSE = 0.5

#: A claim's family -> the families of tools by which people also mean it.
_NEAR_TEXT: dict[str, str] = {
    "send": "notify upload call submit ship escalate", "notify": "send escalate call",
    "create": "add submit save schedule book order request set upload update", "update": "set add exchange save rollback create submit move assign close delete",
    "delete": "update cancel disable close rollback", "cancel": "delete close disable update", "refund": "return charge pay transfer submit",
    "charge": "pay order", "pay": "transfer charge order send submit", "transfer": "pay send move", "book": "schedule order create submit request add",
    "schedule": "book create add update set send", "order": "book create submit request pay add", "exchange": "return update order replace",
    "return": "exchange refund submit create", "submit": "create send upload add update request save", "save": "create update add upload download copy submit",
    "get": "verify calculate summarize report download confirm click", "calculate": "get verify run summarize", "verify": "get calculate run",
    "summarize": "get calculate create", "report": "get send create submit notify run", "escalate": "transfer assign notify create send submit call", "assign": "update add escalate move set",
    "close": "update cancel submit disable delete", "reopen": "update enable create", "approve": "update submit confirm", "reject": "update cancel",
    "add": "create update submit upload set assign enable order save schedule book", "upload": "create send add submit update push deploy save", "download": "get save create",
    "run": "verify calculate trigger", "install": "add", "deploy": "upload push update run trigger", "rollback": "update deploy restart delete",
    "commit": "push save", "push": "upload deploy merge", "merge": "update close", "restart": "enable run trigger", "enable": "set update play add",
    "disable": "set update cancel", "set": "update enable disable add create save schedule", "play": "enable set add", "trigger": "run send create",
    "request": "create submit order send book schedule add update", "click": "get submit", "receive": "get", "ship": "send order create", "copy": "create save download",
    "move": "update transfer copy schedule", "redeem": "submit add update", "refill": "request order create submit", "call": "send schedule create notify",
    "confirm": "book schedule order create update cancel submit approve send add verify get", "return_": "refund", "checkin": "update create submit", "do": "",
}  # fmt: skip
#: A claim's family -> deeds that bring such an event about on the side: a cancelled order is refunded.
_BRINGS_TEXT: dict[str, str] = {
    "refund": "cancel exchange update close reject", "charge": "book order exchange update submit schedule create transfer pay", "pay": "book order submit close update",
    "send": "book order create schedule submit cancel", "notify": "update create schedule cancel book submit assign", "exchange": "add",
    "request": "cancel return exchange refund", "return": "exchange update", "enable": "create book order submit", "close": "delete", "transfer": "escalate",
    "save": "set", "create": "escalate run send", "update": "run cancel", "assign": "escalate schedule", "report": "escalate",
}  # fmt: skip
_NEAR = {k: frozenset(v.split()) for k, v in _NEAR_TEXT.items()}
_BRINGS = {k: frozenset(v.split()) for k, v in _BRINGS_TEXT.items()}
#: What writes and what reads never stand for each other, but these pairs do.
_ACROSS = frozenset({("report", "send"), ("report", "create"), ("report", "submit"), ("report", "notify"), ("summarize", "create"), ("calculate", "run"), ("verify", "run"), ("get", "run"), ("get", "click"), ("get", "download"), ("receive", "get"), ("download", "get"), ("click", "get"), ("run", "verify"), ("run", "calculate"), ("confirm", "verify"), ("confirm", "get")})  # fmt: skip

_MAKING = "create add save order book schedule upload copy move install enable approve reopen set".split()
_ENDING = "delete cancel disable close reject rollback".split()
#: A claim's family and a deed's that undoes such an event or ends it: never the same, whatever a call holds.
APART = frozenset(pair for a in _MAKING for b in _ENDING for pair in ((a, b), (b, a))) - {
    ("close", "create"), ("close", "add"), ("close", "save"), ("rollback", "set"), ("disable", "set"), ("delete", "set"),
    ("set", "disable"), ("delete", "create"), ("delete", "add"), ("cancel", "create"), ("cancel", "add"), ("delete", "upload"),
    ("disable", "add"), ("disable", "create"),
}  # fmt: skip


def kinship(claimed: str, deed: str) -> float:
    """Return how well a deed's family answers a claim's: `OWN`, `NEAR`, `BRINGS`, `LOOSE` or 0.

    >>> kinship("refund", "refund") > kinship("refund", "return") > kinship("refund", "cancel") > kinship("refund", "get")
    True
    """
    if claimed == deed:
        return OWN
    if (claimed in READING) != (deed in READING):
        if (claimed, deed) not in _ACROSS:
            return 0.0
        return LOOSE if claimed == "confirm" else NEAR
    if deed in _NEAR.get(claimed, ()):
        return NEAR
    if deed in _BRINGS.get(claimed, ()):
        return BRINGS
    if claimed == "request" and deed not in READING:
        return BRINGS
    if (claimed in VAGUE or claimed not in FAMILIES) and deed not in READING:
        return LOOSE
    return 0.0
