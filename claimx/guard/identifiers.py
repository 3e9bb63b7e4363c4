"""The identifiers that a run saw, indexed so that a tolerant comparison costs a look-up, not a scan."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from functools import lru_cache
from typing import Any

from claimx.guard.names import may_name_thing
from claimx.guard.shapes import tells_no_record
from claimx.types import SlotType
from claimx.values import Identifier, compare, near_miss, parse

#: A short key: letters and digits, or digits in groups.
_KEY = re.compile(r"(?=.*\d)(?=.*[A-Za-z_-])[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+){0,4}")
#: Dates, sizes and versions that are written like one.
_NO_KEY = re.compile(
    r"\d{1,4}-\d{1,2}-\d{1,4}|(?:19|20)\d{2}[-_]?\d{1,2}(?:[-_]?\d{1,2})?|\d+[A-Za-z]{1,3}|[vV]\d+|\d+[xX]\d+|.{25,}",
    re.S,
)
#: One letter and a number behind a hyphen: under a field for things no version and no period.
_LETTER = re.compile(r"[A-Za-z]-\d")
_SPLIT = re.compile(r"[./:#@\s]+")
_LIKE = re.compile(r"#?([A-Za-z]{1,8})[-_# ]?(\d{4,})")
_PREFIXED = re.compile(r"([a-z]{1,5})0*(\d{2,})")
_CUT = re.compile(r"[*•●·…]|\.\.\.|^[xX]{2,}")
_DOTTED = re.compile(r"[*•●·…]|\.\.\.")
_MASK_HEAD = re.compile(r"^[xX*•●·….#\s-]+")
#: Readings kept of one form; more of the same say nothing new.
_MOST = 8
#: Plain numbers shorter than this are identifiers only under a field that holds one.
_SHORT_NUMBER = 4


@lru_cache(maxsize=32768)
def squeezed(text: str) -> str:
    """Return letters and digits alone, in lower case.

    >>> squeezed("#SU-88421")
    'su88421'
    """
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
    return "".join(c for c in text.lower() if c.isalnum())


@lru_cache(maxsize=32768)
def forms(text: str) -> tuple[str, ...]:
    """Return the forms under which an identifier is filed: whole, without its prefix, its last part.

    >>> forms("SU-88421"), forms("gid://shop/Order/4821")
    (('su88421', '88421'), ('gidshoporder4821', '4821'))
    """
    core = squeezed(text)
    found = [core]
    for part in (core, squeezed(_SPLIT.split(text.strip())[-1])):
        m = _PREFIXED.fullmatch(part)
        found.append(m.group(2) if m else part.lstrip("0") if part.isdigit() else part)
    return tuple(dict.fromkeys(f for f in found if f))


class Identifiers:
    """What may be identifiers, in reading order, each with the path where it was seen first."""

    def __init__(self) -> None:
        self._filed: dict[str, list[tuple[str, str, bool]]] = defaultdict(list)
        self._paths: dict[str, str] = {}
        self._named: dict[str, str] = {}
        self._by_length: dict[int, list[tuple[str, str]]] = defaultdict(list)
        self._series: set[tuple[str, int]] = set()
        self._under: set[tuple[str, str]] = set()
        self._tails: dict[str, list[str]] = defaultdict(list)

    def __len__(self) -> int:
        return len(self._paths)

    def add(self, text: str, path: str, *, named: bool) -> None:
        """File a value; `named` tells that it stood under a field that holds identifiers, or in the user's words."""
        core = squeezed(text)
        if not core or (core in self._paths and (not named or core in self._named)):
            return
        if core not in self._paths and any(c.isdigit() for c in core):
            self._by_length[len(core)].append((core, text))
        self._paths.setdefault(core, path)
        if named:
            self._named.setdefault(core, text)
        if (series := _series_of(text)) is not None:
            self._series.add(series)
        for form in forms(text):
            if len(self._filed[form]) < _MOST or named:
                self._filed[form].append((text, path, named))
        if len(core) >= 12 and core.isdigit():
            self._tails[core[-4:]].append(text)

    def find(self, value: object) -> tuple[str, str] | None:
        """Return path and reason of a seen identifier that is the same as the given one, None when there is none."""
        text = str(value)
        core = squeezed(text)
        if not core:
            return None
        hits = self._filed.get(core, [])
        for seen, path, named in hits:
            if squeezed(seen) == core and (named or not _is_short_number(core)):
                return path, f"it is {seen!r} there" if seen != text else "it is the same there"
        given = parse(SlotType.ID, text)
        if isinstance(given, Identifier) and given.masked:
            return self._find_tail(text, given.core[-4:]) if _is_cards_mask(text) else None
        for form in forms(text):
            for seen, path, named in self._filed.get(form, ()):
                if _hides(seen) and core != squeezed(_MASK_HEAD.sub("", seen)):
                    continue
                if not named and (_is_short_number(squeezed(seen)) or _is_short_number(core)):
                    continue
                if _says_more(core, squeezed(seen)):
                    continue
                found = compare(SlotType.ID, text, seen)
                if found.is_same:
                    return path, found.reason
        return self._find_tail(text, core) if core.isdigit() and len(core) == 4 else None

    def _find_tail(self, text: str, tail: str) -> tuple[str, str] | None:
        """Less than what was seen: the last four digits of a card or an account."""
        for seen in self._tails.get(tail, ()):
            found = compare(SlotType.ID, text, seen)
            if found.is_same:
                return self._paths[squeezed(seen)], found.reason
        return None

    def near(self, value: object, most: int = 3) -> list[tuple[str, str, str]]:
        """Return the seen identifiers that one slip turns into the given one: text, path and the slip."""
        text = str(value)
        core = squeezed(text)
        out = []
        for length in (len(core), len(core) - 1, len(core) + 1):
            if min(length, len(core)) < 2:
                continue
            # One slip leaves the first half or the last as it is.
            half = (length - 1) // 2 if length == len(core) else min(length, len(core)) // 2
            head, tail = core[:half], core[len(core) - half :]
            for other, seen in self._by_length.get(length, ()):
                if (other.startswith(head) or other.endswith(tail)) and (slip := near_miss(core, other)):
                    out.append((seen, self._paths[other], slip))
                    if len(out) >= most:
                        return out
        return out

    def is_of_a_series(self, text: str) -> bool:
        """Whether a text has the letters and as many digits as an identifier of this run: `su88412` beside `SU-88421`."""
        return _series_of(text) in self._series

    def add_under(self, key: str, text: str) -> None:
        """Note what the keys under a field look like: `V-12` under `valve`."""
        look = look_of(text)
        if look is not None and (noun := may_name_thing(key)) is not None:
            self._under.add((noun, look))

    def is_of_a_field(self, key: str, text: str) -> bool:
        """Whether a text looks like what this run saw under a field of that name: `V-21` as `valve` beside `V-12`."""
        return bool(self._under) and (look := look_of(text)) is not None and (may_name_thing(key), look) in self._under

    def known(self) -> list[str]:
        """Return what was seen under fields that hold identifiers, in reading order."""
        return list(self._named.values())


@lru_cache(maxsize=32768)
def _series_of(text: str) -> tuple[str, int] | None:
    m = _LIKE.fullmatch(text) if len(text) <= 48 and not tells_no_record(text) else None
    return (m[1].lower(), len(m[2])) if m else None


@lru_cache(maxsize=32768)
def look_of(text: str) -> str | None:
    """Return how a short key is built of letters and digits; None for what is none, or a date, a size, a version, a plain number.

    >>> [look_of(t) for t in ("V-12", "f80a", "112-4471", "2026-03-04", "30m", "v1.2", "42", "10.0.0.1")]
    ['a-99', 'a99a', '999-9999', None, None, None, None, None]
    """
    if not _KEY.fullmatch(text) or _NO_KEY.fullmatch(text) or (tells_no_record(text) and not _LETTER.match(text)):
        return None
    if not any(c.isalpha() for c in text) and sum(c.isdigit() for c in text) < 6:
        return None
    return "".join("9" if c.isdigit() else "a" if c.isalpha() else c for c in text)


def _is_cards_mask(text: str) -> bool:
    """Whether a hidden number shows itself as one: by dots or stars, or by four X and more. `XX-88421` is an identifier."""
    return bool(_DOTTED.search(text)) or "xxxx" in text.lower()


def _hides(text: str) -> bool:
    """Whether what was seen hides a part: nothing that says more than it shows can trace to it."""
    found = parse(SlotType.ID, text)
    return isinstance(found, Identifier) and found.masked


def _is_short_number(core: str) -> bool:
    return core.isdigit() and len(core) < _SHORT_NUMBER


def _says_more(given: str, seen: str) -> bool:
    """Whether the call's value states more than was seen: the hidden digits of a card, the rest of a short digest."""
    if len(given) <= len(seen):
        return False
    m = _PREFIXED.fullmatch(given)
    bare = m.group(2) if m else given.lstrip("0")
    n = _PREFIXED.fullmatch(seen)
    return bare != (n.group(2) if n else seen.lstrip("0"))


def is_cut(text: str) -> bool:
    """Whether a text shows only part of an identifier."""
    return bool(_CUT.search(text))


def as_whole(value: Any) -> str:
    """Return a value as text; a whole number that JSON turned into a fraction is the number."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return str(int(value))
    return str(value)
