"""Names of things: products, files, versions, places, plans, channels. Case, accents, articles and punctuation do
not count."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from claimx.values.comparison import Comparison, different_because, near_miss, same_because, unknown_because
from claimx.values.vocabulary import words

_SKIPPED = frozenset(["the", "a", "an", "my", "your", "our", "of", "in", "to", "for", "and"])
#: Heads that add nothing to a name ("the Gold plan" is "Gold").
_HEADS = words(
    "plan tier subscription class cabin account channel team city airport file folder directory branch "
    "version app product item size priority level edition package"
)
_SHORT = {
    "st": "street", "rd": "road", "ave": "avenue", "blvd": "boulevard", "ln": "lane", "apt": "apartment",
    "ste": "suite", "dr": "drive",
    "intl": "international", "dept": "department", "mt": "mount", "ft": "fort",
}  # fmt: skip
#: Closed sets: two members of one set are two different things.
_SETS = tuple(
    words(line)
    for line in (
        "economy business first premium coach",
        "gold silver platinum bronze basic standard premium free pro enterprise starter plus team lite growth",
        "small medium large xs xl xxl",
        "low normal medium high urgent critical",
        "monthly annual yearly weekly quarterly daily",
        "black white red blue green yellow grey gray pink purple orange brown silver gold",
        "sms email phone push post whatsapp",
        "production staging development test",
        "visa mastercard amex paypal discover klarna",
        "morning afternoon evening",
        "standard express overnight priority",
        "up down",
        "yes no",
        "public private internal",
        "north south east west",
        "billing support sales legal security",
    )
)
_WORD = re.compile(r"[^\W_]+(?:['’][a-z]\b)?", re.UNICODE)
_PLAIN = {"ß": "ss", "ø": "o", "đ": "d", "ł": "l", "æ": "ae", "œ": "oe", "ı": "i", "’": "'"}
_ABROAD = re.compile(r"[^\x00-\x7f]")
_PATH = re.compile(r"^[\w.~@+ -]*(?:[/\\][\w.@+ -]+)+[/\\]?$|^[\w-]+(?:\.[\w-]+)*\.[a-z]\w{0,5}$", re.I)
_VERSION = re.compile(r"^(?:\w+\s)?v?(\d+(?:\.\d+){1,3}(?:[-+][\w.]+)?)$", re.I)
_CHANNEL = re.compile(r"^#[^\W\d][\w-]*$|^#\d+[a-z_-][\w-]*$", re.I)
_ONE_TOKEN = re.compile(r"^[a-z][a-z_-]*(?:\d{0,3})$")
_CODE = re.compile(r"^#?[A-Z]{2,4}$")
_OPAQUE = re.compile(r"^(?=.*\d)(?=.*[A-Za-z])[A-Za-z0-9_-]{6,}$|^\d{4,}$")


@dataclass(frozen=True, slots=True)
class Name:
    """A name of a thing as its folded words, in order; `sort` is word, code, path, version, channel or opaque."""

    words: tuple[str, ...]
    text: str
    sort: str = "word"

    def to_dict(self) -> dict[str, Any]:
        return {"name": " ".join(self.words)}


def fold(text: str) -> str:
    """Lower case without accents.

    >>> fold("Zoë Müller"), fold("STRAẞE")
    ('zoe muller', 'strasse')
    """
    if text.isascii():
        return text.lower()
    plain = text.lower()
    # Sign by sign, of which a text has few kinds: a record may be long, and a look at each character is dear.
    for sign, letters in _PLAIN.items():
        plain = plain.replace(sign, letters)
    plain = unicodedata.normalize("NFKD", plain)
    for mark in filter(unicodedata.combining, set(_ABROAD.findall(plain))):
        plain = plain.replace(mark, "")
    return plain


def parse_name(raw: object) -> Name | None:
    """Read the name of a thing from text or from a record with a `name` or `title`.

    >>> parse_name("the Gold Plan").words, parse_name("src/app.py").sort, parse_name("v1.0.2").words
    (('gold', 'plan'), 'path', ('1', '0', '2'))
    """
    if isinstance(raw, Mapping):
        inner = next((raw[k] for k in ("name", "title", "label", "display_name") if isinstance(raw.get(k), str)), None)
        return parse_name(inner) if inner is not None else None
    if isinstance(raw, int) and not isinstance(raw, bool) and abs(raw) < 10**12:
        raw = str(raw)
    if not isinstance(raw, str):
        return None
    text = raw.strip().strip("\"'`“”‘’*")[:300].strip()
    version = _VERSION.match(text)
    sort = "word"
    if version:
        sort = "version"
    elif _PATH.match(text) and " " not in text:
        sort = "path"
    elif _CHANNEL.match(text) and not _CODE.match(text):
        sort = "channel"
    elif _CODE.match(text):
        sort = "code"
    elif _OPAQUE.match(text):
        sort = "opaque"
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text) if " " not in text and sort != "path" else text
    found = [w.strip("'") for w in _WORD.findall(fold(version.group(1) if version else spaced).replace("_", " "))]
    kept = [w.removesuffix("'s") for w in found if w not in _SKIPPED] or found
    return Name(tuple(_SHORT.get(w, w) for w in kept), text, sort) if kept else None


def same_name(claimed: Name, recorded: Name) -> Comparison:
    """Compare names of things: the shorter one's words must stand in the longer one.

    Other versions, paths, codes and members of one closed set are different; names that may be each other's alias
    (`PHL`, `Philadelphia`) cannot be told.

    >>> same_name(parse_name("Gold plan"), parse_name("silver")).outcome.value
    'different'
    >>> same_name(parse_name("PHL"), parse_name("Philadelphia")).outcome.value
    'unknown'
    >>> same_name(parse_name("#ops"), parse_name("#ops-test")).outcome.value
    'different'
    """
    mine, theirs = repr(claimed.text), repr(recorded.text)
    a, b = claimed.words, recorded.words
    if a == b or "".join(a) == "".join(b):
        return same_because(f"both are {claimed.text!r}")
    sorts = {claimed.sort, recorded.sort}
    if sorts == {"path"}:
        return _same_path(claimed, recorded)
    if "channel" in sorts:
        return _same_channel(claimed, recorded)
    if sorts == {"version"}:
        shorter = min(len(a), len(b))
        if a[:shorter] == b[:shorter]:
            return same_because(f"{mine} is {theirs}, to the digits said")
        return different_because(f"{mine} is not {theirs}")
    if sorts == {"path", "word"}:
        steps = _steps(recorded.text if recorded.sort == "path" else claimed.text)
        named = claimed if claimed.sort == "word" else recorded
        if steps and fold(named.text) in (steps[-1], steps[-1].rsplit(".", 1)[0]):
            return same_because(f"{mine} is {theirs}")
        return unknown_because(f"{mine} and {theirs} are not named alike")
    if initials_of(a) == "".join(b) or initials_of(b) == "".join(a):
        return same_because(f"{mine} abbreviates {theirs}")
    short, long = sorted((bare(a), bare(b)), key=len)
    common = [w for w in short if any(_same_word(w, x) for x in long)]
    if len(common) == len(short):
        return same_because(f"{mine} is {theirs}")
    left, right = set(short) - set(common), {x for x in long if not any(_same_word(w, x) for w in common)}
    numbers = {w for w in left if w.isdigit()}, {w for w in right if w.isdigit()}
    if all(numbers) and (common or left == numbers[0]):
        return different_because(
            f"{mine} is not {theirs}: {'/'.join(sorted(numbers[0]))} is not {'/'.join(sorted(numbers[1]))}"
        )
    for closed in _SETS:
        x, y = left & closed, right & closed
        if x and y:
            return different_because(f"{mine} is not {theirs}: {min(x)} is not {min(y)}")
    if sorts == {"code"}:
        return different_because(f"{mine} is not {theirs}")
    if sorts & {"code", "opaque", "version", "path"}:
        return unknown_because(f"{mine} and {theirs} are not named alike")
    slip = near_miss(" ".join(a), " ".join(b))
    if slip:
        return unknown_because(f"{mine} and {theirs} differ in spelling: {slip}")
    if common:
        return unknown_because(f"{mine} and {theirs} share only {' '.join(common)!r}")
    if not (fold(claimed.text) + fold(recorded.text)).isascii():
        return unknown_because(f"{mine} and {theirs} are in different scripts")
    return different_because(f"{mine} is not {theirs}: no word in common")


def initials_of(words: tuple[str, ...]) -> str:
    """The first letters of several words, of one none."""
    return "".join(w[0] for w in words) if len(words) > 1 else ""


def bare(words: tuple[str, ...]) -> tuple[str, ...]:
    """A name's words without the heads that add nothing to it."""
    kept = tuple(w for w in words if w not in _HEADS)
    return kept or words


def _same_word(x: str, y: str) -> bool:
    if x == y:
        return True
    return (
        len(x) > 3
        and len(y) > 3
        and (x.removesuffix("s") == y.removesuffix("s") or x.removesuffix("es") == y.removesuffix("es"))
    )


def _same_channel(claimed: Name, recorded: Name) -> Comparison:
    """A channel or a hashtag is all of its name: `#ops` is not `#ops-test`. A record may keep it without its sign, or by an id."""
    mine, theirs = repr(claimed.text), repr(recorded.text)
    other = recorded if claimed.sort == "channel" else claimed
    if other.sort == "channel" or _ONE_TOKEN.match(other.text):
        return different_because(f"{mine} is not {theirs}")
    return unknown_because(f"{mine} and {theirs} are not named alike")


def _same_path(claimed: Name, recorded: Name) -> Comparison:
    mine, theirs = repr(claimed.text), repr(recorded.text)
    a, b = _steps(claimed.text), _steps(recorded.text)
    short, long = sorted((a, b), key=len)
    if short and long[-len(short) :] == short:
        return same_because(f"{mine} is {theirs}")
    if short and len(short) > 1 and short[0] in {"~", "."} and long[-len(short) + 1 :] == short[1:]:
        return same_because(f"{mine} is {theirs}")
    if long[: len(short)] == short and "." not in short[-1]:
        return unknown_because(f"{mine} and {theirs} are a folder and something in it")
    slip = near_miss(a[-1], b[-1]) if a and b else None
    return different_because(f"{mine} is not {theirs}" + (f": {slip}" if slip else ""))


def _steps(path: str) -> list[str]:
    steps = [s for s in re.split(r"[/\\]+", fold(path)) if s]
    return steps[1:] if len(steps) > 1 and steps[0] == "." else steps
