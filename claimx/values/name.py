"""Names of people and of other things: products, files, places, plans. Case, accents, titles and articles do not count."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import Any

from claimx.values.comparison import Comparison, different_because, near_miss, same_because, unknown_because

_TITLES = frozenset("mr mrs ms miss dr prof professor sir madam mx herr frau doctor the a an my your our".split())
_WORD = re.compile(r"[^\W_]+", re.UNICODE)
_EMAIL = re.compile(r"([\w.+-]+)@[\w.-]+")
_FIRST = ("first_name", "firstName", "given_name", "first")
_LAST = ("last_name", "lastName", "family_name", "surname", "last")
_NICK = {
    "bob": "robert", "rob": "robert", "bill": "william", "will": "william", "liz": "elizabeth", "beth": "elizabeth",
    "tom": "thomas", "mike": "michael", "dave": "david", "kate": "katherine", "jim": "james", "tony": "anthony",
    "alex": "alexander", "sam": "samuel", "dan": "daniel", "ben": "benjamin", "chris": "christopher", "joe": "joseph",
    "nick": "nicholas", "steve": "steven", "matt": "matthew", "jen": "jennifer", "sue": "susan", "ed": "edward",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Name:
    """A name as its folded words, in order. `person` when it names a person or party; `handle` for an address's part."""

    words: tuple[str, ...]
    text: str
    person: bool = False
    handle: bool = False

    def to_dict(self) -> dict[str, Any]:
        return {"name": " ".join(self.words)}


def fold(text: str) -> str:
    """Lower case without accents.

    >>> fold("Zoë Müller")
    'zoe muller'
    """
    return "".join(c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c)).lower()


def parse_name(raw: object, *, person: bool = False) -> Name | None:
    """Read a name from text or from a record with first and last names.

    >>> parse_name("Dr. Zoë Müller", person=True).words
    ('zoe', 'muller')
    """
    if isinstance(raw, dict):
        parts = [str(raw[k]) for keys in (_FIRST, _LAST) for k in keys if isinstance(raw.get(k), str)]
        return parse_name(" ".join(parts) or raw.get("name"), person=person)
    if not isinstance(raw, str) or not raw.strip():
        return None
    text = raw.strip()[:300]
    address = _EMAIL.search(text)
    if person and address:
        words = [w for w in _WORD.findall(fold(address.group(1))) if not w.isdigit()]
        words = [re.sub(r"\d+$", "", w) for w in words]
        return Name(tuple(words), text, True, True) if words else None
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text) if person or " " not in text else text
    words = [w for w in _WORD.findall(fold(spaced).replace("_", " ")) if w not in _TITLES]
    return Name(tuple(words), text, person) if words else None


def same_name(claimed: Name, recorded: Name) -> Comparison:
    """Compare names: the shorter one's words must stand in the longer one; initials and short forms agree.

    For people two names without a common word are different; for other things that cannot be told.

    >>> same_name(parse_name("Bob", person=True), parse_name("bob@x.com", person=True)).outcome.value
    'same'
    """
    a, b = claimed.words, recorded.words
    if a == b or "".join(a) == "".join(b):
        return same_because(f"both are {claimed.text!r}")
    short, long = sorted((a, b), key=len)
    if all(any(_same_word(x, y) for y in long) for x in short):
        return same_because(f"{claimed.text!r} is {recorded.text!r}")
    joined = "".join(recorded.words)
    if (claimed.handle or recorded.handle) and _handle_fits(a, b):
        return same_because(f"{claimed.text!r} fits {recorded.text!r}")
    slip = near_miss(" ".join(a), " ".join(b))
    common = [x for x in short if any(_same_word(x, y) for y in long)]
    if claimed.person or recorded.person:
        if slip:
            return unknown_because(f"{claimed.text!r} and {recorded.text!r} differ in spelling: {slip}")
        if not common and not (claimed.handle or recorded.handle) and not set("".join(a)) <= set(joined[:0]):
            return different_because(f"{claimed.text!r} is not {recorded.text!r}")
        return unknown_because(f"{claimed.text!r} may or may not be {recorded.text!r}")
    if len(common) * 2 >= len(short) and common:
        return unknown_because(f"{claimed.text!r} and {recorded.text!r} share only {' '.join(common)!r}")
    return different_because(f"{claimed.text!r} is not {recorded.text!r}")


def _same_word(x: str, y: str) -> bool:
    if x == y or _NICK.get(x, x) == _NICK.get(y, y):
        return True
    if len(x) == 1 or len(y) == 1:
        return x[0] == y[0] and x.isalpha() and y.isalpha()
    return len(x) > 3 and len(y) > 3 and (x.rstrip("s") == y.rstrip("s"))


def _handle_fits(a: tuple[str, ...], b: tuple[str, ...]) -> bool:
    """`jdoe` and `doe.j` fit "Jane Doe": some word of one is inside the other's letters."""
    left, right = "".join(a), "".join(b)
    return any(len(w) >= 3 and w in right for w in a) or any(len(w) >= 3 and w in left for w in b)
