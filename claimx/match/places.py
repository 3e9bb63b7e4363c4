"""Addresses, towns and departments of a claim against the fields of its call that name one: another is a misquote.

Where two names may mean one place (Gand and Ghent, a code, a wider area) nothing is told.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from claimx.match.fields import Leaf
from claimx.match.view import CallView
from claimx.types import Action, Mismatch, SlotType
from claimx.values import fold, near_miss
from claimx.values.keys import parts_of

_WAYS = {
    "street": "st str", "road": "rd", "lane": "ln", "avenue": "ave av", "drive": "dr", "court": "ct", "place": "pl", "square": "sq",
    "boulevard": "blvd", "terrace": "ter terr", "close": "cl", "crescent": "cres", "way": "", "row": "", "hill": "", "parkway": "pkwy",
    "highway": "hwy", "quay": "", "gardens": "gdns", "grove": "gr",
}  # fmt: skip
_WAY_OF = {w: full for full, short in _WAYS.items() for w in (full, *short.split())}
_WAY = "|".join(sorted(_WAY_OF, key=len, reverse=True))
_NUMBER_FIRST = re.compile(rf"\b(\d{{1,5}}[a-z]?)\s+((?:[^\W\d][\w'’.-]*\s+){{1,3}}?)({_WAY})\b\.?", re.I)
_NUMBER_LAST = re.compile(rf"\b((?:[^\W\d][\w'’.-]*\s+){{1,3}}?)({_WAY})\b\.?\s+(\d{{1,5}}[a-z]?)\b", re.I)
_NO_NUMBER = re.compile(rf"^\s*((?:[^\W\d][\w'’.-]*\s+){{1,3}}?)({_WAY})\b\.?\s*$", re.I)
_ADDRESS_KEY = re.compile(r"street|address|line_?\d|destination|location|(?:^|_)to$|pickup|dropoff", re.I)

Street = tuple[str, str]


def wrong_place(action: Action, view: CallView, elsewhere: Callable[[], str]) -> Mismatch | None:
    """Return the address, town or department of a call that excludes the one a claim tells, None where none does.

    `elsewhere` tells what else was said and recorded in the run, folded.
    """
    return _other_address(action, view) or _other_town(action, view, elsewhere) or _other_department(action, view)


def _streets_in(text: str, *, told: bool = False) -> list[Street]:
    """The (number, name) pairs of the addresses in a text, their ways written out. In what is `told` a name has its capital:
    “a 20 minute drive” is no address.

    >>> _streets_in("Flat 2, 14 Quarry Ln., Dunmore"), _streets_in("Quarry Lane 12")
    ([('14', 'quarry lane')], [('12', 'quarry lane')])
    """
    found = [(m.group(1), m.group(2), m.group(3)) for m in _NUMBER_FIRST.finditer(text)]
    found = found or [(m.group(3), m.group(1), m.group(2)) for m in _NUMBER_LAST.finditer(text)]
    if told:
        found = [x for x in found if x[1][0].isupper() and x[2][0].isupper()]
    return [(n.lower(), f"{' '.join(fold(name).split())} {_WAY_OF[way.lower()]}") for n, name, way in found]


def _other_address(action: Action, view: CallView) -> Mismatch | None:
    told = _streets_in(action.text, told=True)
    if len(told) != 1:
        return None
    recorded: list[tuple[Street, Leaf]] = []
    for leaf in view.args:
        if isinstance(leaf.value, str) and len(leaf.value) < 200 and _ADDRESS_KEY.search(leaf.key):
            recorded += [(s, leaf) for s in _streets_in(leaf.value)]
    if not recorded or any(s == told[0] for s, _ in recorded):
        return None
    number, name = told[0]
    for (n, street), leaf in recorded:
        if street == name:
            return Mismatch(
                "NAME", f"{number} {name}", leaf.value, leaf.path, f"the street number differs: {number} is not {n}"
            )
    if len(recorded) > 1 or any(near_miss(name, s) or _shares_a_word(name, s) for (_, s), _ in recorded):
        return None
    (_, street), leaf = recorded[0]
    return Mismatch("NAME", f"{number} {name}", leaf.value, leaf.path, f"{name!r} is not {street!r}")


def _shares_a_word(a: str, b: str) -> bool:
    return bool(set(a.split()[:-1]) & set(b.split()[:-1]))


_TOWN_KEY = re.compile(r"(?:^|_)(?:city|town)$", re.I)
_TOWN = re.compile(r"[^\W\d_][^\W\d_' .-]*(?:[ -][^\W\d_]+){0,2}")
_IN = re.compile(r"\b(?:in|to|from|at|near|for|,)\s*(?:the\s+)?[*_`\"']*$|,\s*$", re.I)
_AFTER_ADDRESS = re.compile(r"\.?,\s+([A-Z][\w'’-]+(?: [A-Z][\w'’-]+)?)")
#: Letters by which one town's name begins in several languages, and towns that have two names altogether.
_ALIKE = str.maketrans("cwjpq", "kvyfk")
_RENAMED = frozenset("bombay mumbai peking beijing madras chennai saigon rijsel lille nyc la sf".split())


def _other_town(action: Action, view: CallView, elsewhere: Callable[[], str]) -> Mismatch | None:
    leaves = [x for x in view.args if _TOWN_KEY.search(x.key) and isinstance(x.value, str)]
    if len(leaves) != 1:
        return None
    leaf = leaves[0]
    town = leaf.value.partition(",")[0].strip()
    if not _TOWN.fullmatch(town) or len(town) < 4 or town.isupper():
        return None
    m = _NUMBER_FIRST.search(action.text)
    behind = _AFTER_ADDRESS.match(action.text, m.end()) if m else None
    told = [behind.group(1)] if behind else []
    for s in action.slots:
        ahead = action.text[: max(0, s.start - action.start)]
        if s.type is SlotType.NAME and _TOWN.fullmatch(s.text.strip("*_`'\" ")) and _IN.search(ahead):
            told.append(s.text.strip("*_`'\" "))
    if len(told) != 1 or not told[0][0].isupper() or len(told[0]) < 4:
        return None
    mine, theirs = fold(told[0]), fold(town)
    known = f"{view.text} {elsewhere()}"
    if (
        mine in known
        or theirs in fold(action.text)
        or {mine, theirs} & _RENAMED
        or set(parts_of(mine)) & set(parts_of(theirs))
    ):
        return None
    if mine[0].translate(_ALIKE) == theirs[0].translate(_ALIKE) or near_miss(mine, theirs):
        return None
    return Mismatch("NAME", told[0], leaf.value, leaf.path, f"{told[0]!r} is not {town!r}")


#: Departments, each with the names that it goes by; “support” and the like may be any of them.
_DEPARTMENTS = (
    "billing payments finance accounting accounts invoicing", "shipping logistics delivery fulfillment fulfilment warehouse", "sales",
    "technical tech it engineering helpdesk", "legal compliance", "hr personnel people", "marketing", "security fraud",
)  # fmt: skip
_DEPARTMENT_OF = {w: i for i, names in enumerate(_DEPARTMENTS) for w in names.split()}
_DEPARTMENT = re.compile(r"\b([a-z]+)[\s*_`]+(?:department|team|desk|division|queue|dept)\b", re.I)
_DEPARTMENT_KEY = re.compile(r"(?:^|_)(?:department|dept|team|division|queue|group)$", re.I)


def _other_department(action: Action, view: CallView) -> Mismatch | None:
    told = {w.lower() for w in _DEPARTMENT.findall(action.text) if w.lower() in _DEPARTMENT_OF}
    if len(told) != 1:
        return None
    (word,) = told
    for leaf in view.args:
        if isinstance(leaf.value, str) and len(leaf.value) < 40 and _DEPARTMENT_KEY.search(leaf.key):
            kinds = {_DEPARTMENT_OF[w] for w in parts_of(leaf.value) if w in _DEPARTMENT_OF}
            named = any(w in action.text.lower() for w in parts_of(leaf.value) if w in _DEPARTMENT_OF)
            if kinds and _DEPARTMENT_OF[word] not in kinds and not named:
                return Mismatch("NAME", word, leaf.value, leaf.path, f"{word!r} is not {leaf.value!r}")
    return None
