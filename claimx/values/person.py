"""Names of people and parties: titles, initials, short forms and addresses. Another person is different; an
unknown alias is open."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from claimx.values.comparison import Comparison, different_because, near_miss, same_because, unknown_because
from claimx.values.name import fold
from claimx.values.vocabulary import words

_TITLES = words(
    "mr mrs ms miss mister dr prof professor sir madam mx herr frau doctor rev hon jr sr phd md esq the a "
    "an my your our and von van de"
)
_COMPANY = words("ltd limited inc incorporated llc llp gmbh corp corporation co company plc ag sa bv pty group")
_ROLES = words(
    "team manager customer support billing department client owner colleague lead admin administrator boss "
    "host everyone all staff sales hr finance legal user users group agent info contact help helpdesk "
    "service noreply office desk landlord tenant driver seller buyer guest supervisor specialist attendees "
    "participants members you yourself me myself him her them us security engineering operations ops"
)
_GROUPS = words(
    "team department group staff crew squad committee board council division everyone list members attendees office desk "
    "family household residents tenants leads"
)
_NICK = {
    "bob": "robert", "rob": "robert", "bobby": "robert", "bill": "william", "will": "william",
    "billy": "william", "liz": "elizabeth",
    "beth": "elizabeth", "betty": "elizabeth", "lisa": "elizabeth", "tom": "thomas", "mike": "michael",
    "mick": "michael", "dave": "david",
    "kate": "katherine", "kathy": "katherine", "katie": "katherine", "jim": "james", "jimmy": "james",
    "tony": "anthony", "alex": "alexander",
    "sam": "samuel", "dan": "daniel", "danny": "daniel", "ben": "benjamin", "chris": "christopher",
    "joe": "joseph", "nick": "nicholas",
    "steve": "steven", "matt": "matthew", "jen": "jennifer", "jenny": "jennifer", "sue": "susan",
    "ed": "edward", "ted": "edward",
    "dick": "richard", "rick": "richard", "rich": "richard", "andy": "andrew", "drew": "andrew",
    "greg": "gregory", "jeff": "jeffrey",
    "ken": "kenneth", "larry": "lawrence", "maggie": "margaret", "peggy": "margaret", "meg": "margaret",
    "pat": "patricia", "tim": "timothy",
    "vicky": "victoria", "abby": "abigail", "becky": "rebecca", "debbie": "deborah", "fred": "frederick",
    "jack": "john", "max": "maximilian",
    "pete": "peter", "phil": "philip", "ray": "raymond", "ron": "ronald", "sandy": "sandra",
    "tina": "christina", "zach": "zachary",
}  # fmt: skip
#: Given names common enough that an address which bears one is that person's, not somebody else's alias.
_GIVEN = words(
    "robert william elizabeth thomas michael david katherine james anthony alexander samuel daniel benjamin "
    "christopher joseph nicholas steven matthew jennifer susan edward richard andrew gregory jeffrey "
    "kenneth lawrence margaret patricia timothy victoria abigail rebecca deborah frederick john peter "
    "philip ronald sandra christina zachary alice anna anne ann maria mary emma olivia sophia mia isabella "
    "ava noah liam ethan lucas mason oliver aisha fatima omar ali ahmed mohamed yusuf raj priya aarav "
    "ananya wei chen mei yuki hana ivan olga dmitri elena sofia carlos jose juan luis ana lucia diego pablo "
    "marco luca giulia paul mark george frank henry carl karl hans jan eva lena nina laura sarah sara "
    "rachel ruth helen jane julia karen linda nancy dora grace claire chloe zoe leo adam aaron ian eric "
    "kevin brian scott jason justin ryan simon martin oscar victor walter dana kim lee terry tracy bruno "
    "felix hugo emil ingrid astrid"
)
_WORD = re.compile(r"[^\W\d_]+", re.UNICODE)
_ADDRESS = re.compile(r"([\w.+-]{1,64})@[\w.-]+")
_ANGLED = re.compile(r"^\s*\"?([^<>\"@]{2,80}?)\"?\s*<[^<>]+@[^<>]+>")
_HANDLE = re.compile(r"^[a-z0-9]+(?:[._-][a-z0-9]+)*$|^@")
_FIRST = ("first_name", "firstName", "given_name", "givenName", "first")
_LAST = ("last_name", "lastName", "family_name", "familyName", "surname", "last")
_WHOLE = ("name", "full_name", "fullName", "display_name", "displayName", "email", "emailAddress", "username")


@dataclass(frozen=True, slots=True)
class Person:
    """A person or party as folded words. `handle` for an address or user name, `role` when a function and no name
    is said."""

    words: tuple[str, ...]
    text: str
    handle: bool = False
    role: bool = False

    def to_dict(self) -> dict[str, Any]:
        return {"name": " ".join(self.words)}


def parse_person(raw: object) -> Person | None:
    """Read a person from text, an address, a user name, or a record with first and last names.

    >>> [" ".join(parse_person(t).words) for t in ("Dr. Zoë Müller", "nina_hart_981", "Bob Ray <b@x.com>")]
    ['zoe muller', 'nina hart', 'bob ray']
    """
    if isinstance(raw, Mapping):
        parts = [raw[k] for keys in (_FIRST, _LAST) for k in keys if isinstance(raw.get(k), str)]
        whole = next((raw[k] for k in _WHOLE if isinstance(raw.get(k), str | Mapping)), None)
        return parse_person(" ".join(parts) if parts else whole)
    if not isinstance(raw, str):
        return None
    text = raw.strip()[:200]
    angled, address = _ANGLED.match(text), _ADDRESS.search(text)
    source = angled.group(1) if angled else address.group(1) if address else text
    handle = bool(address and not angled) or bool(_HANDLE.match(source) and re.search(r"[\d._@-]", source))
    if "," in source and not handle and source.count(",") == 1:
        last, first = source.split(",")
        source = f"{first} {last}" if not {*_WORD.findall(fold(first))} <= _COMPANY | _TITLES else last
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z][a-z])", " ", source) if handle else source
    found = _WORD.findall(re.sub(r"['’]s\b", "", fold(spaced)).replace("'", "").replace("’", ""))
    kept = [w for w in found if w not in _TITLES and w not in _COMPANY] or found
    # "Host Meyer" is no host, the "Design Team" is a team.
    named = len(kept) > 1 and not handle and source.istitle() and kept[0] not in _ROLES and kept[-1] not in _GROUPS
    role = any(w in _ROLES or w in _GROUPS for w in kept) and not named
    return Person(tuple(kept), text, handle, role) if kept else None


def same_person(claimed: Person, recorded: Person) -> Comparison:
    """Compare people: the shorter name's words must stand in the longer one; initials, short forms and addresses agree.

    >>> bob = parse_person("Bob")
    >>> [same_person(bob, parse_person(x)).outcome.value for x in ("bob@x.com", "Bob Ray", "Alice", "xk77@x.com")]
    ['same', 'same', 'different', 'unknown']
    """
    mine, theirs = repr(claimed.text), repr(recorded.text)
    a, b = claimed.words, recorded.words
    if sorted(a) == sorted(b) or "".join(a) == "".join(b):
        return same_because(f"both are {claimed.text!r}")
    short, long = sorted((a, b), key=len)
    # Initials alone (`J. S.`) are too little to be sure of.
    if _covers(short, long):
        sure = any(len(w) > 1 for w in short)
        return same_because(f"{mine} is {theirs}") if sure else unknown_because(f"{mine} may be {theirs}")
    if (claimed.handle or recorded.handle) and _handle_fits(a, b):
        return same_because(f"{mine} fits {theirs}")
    if claimed.role or recorded.role:
        return unknown_because(f"{mine} may or may not be {theirs}")
    if not (" ".join(a) + " ".join(b)).isascii():
        return unknown_because(f"{mine} and {theirs} are in different scripts")
    slip = near_miss(" ".join(a), " ".join(b)) or next(
        (s for x in short for y in long if len(x) > 3 and (s := near_miss(x, y))), None
    )
    common = [x for x in short if any(_same_word(x, y) for y in long)]
    if slip and len(common) >= len(short) - 1:
        return unknown_because(f"{mine} and {theirs} differ in spelling: {slip}")
    full = not common and all(sum(len(w) > 2 for w in name) > 1 for name in (a, b))
    if (claimed.handle or recorded.handle) and not full:
        known = [{_NICK.get(w, w) for w in name} & _GIVEN for name in (a, b)]
        if all(known) and known[0].isdisjoint(known[1]) and not common:
            return different_because(f"{mine} is not {theirs}")
        return unknown_because(f"{mine} may or may not be {theirs}")
    return different_because(f"{mine} is not {theirs}")


def _covers(short: tuple[str, ...], long: tuple[str, ...]) -> bool:
    """Whether each word of the shorter name finds a word of its own in the longer one."""
    rest = list(long)
    for x in sorted(short, key=len, reverse=True):
        hit = next((y for y in rest if _same_word(x, y)), None)
        if hit is None:
            return False
        rest.remove(hit)
    return True


def _same_word(x: str, y: str) -> bool:
    if x == y or _NICK.get(x, x) == _NICK.get(y, y):
        return True
    if len(x) == 1 or len(y) == 1:
        return x[0] == y[0]
    return len(x) > 3 and len(y) > 3 and _umlaut(x) == _umlaut(y)


def _umlaut(word: str) -> str:
    return word.replace("ae", "a").replace("oe", "o").replace("ue", "u")


def _handle_fits(a: tuple[str, ...], b: tuple[str, ...]) -> bool:
    """`jdoe`, `doe.j` and `janedoe` fit "Jane Doe": a whole word, or an initial with a word, stands in the other's
    letters."""
    for name, other in ((a, b), (b, a)):
        joined = "".join(other)
        if len(name) > 1 and any(joined in {x[0] + y, y + x[0], x + y[0], x + y} for x in name for y in name if x != y):
            return True
        if (
            any(len(w) >= 3 and (joined.startswith(w) or (len(w) >= 4 and joined.endswith(w))) for w in name)
            and len(other) == 1
        ):
            return True
    return False
