"""Echoes: what a result only repeats of its call's own arguments proves nothing, neither in an error nor in a query."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from claimx.guard import texts
from claimx.guard.identifiers import squeezed
from claimx.guard.shapes import shape_of
from claimx.guard.walk import Leaf, opened, walk
from claimx.values.keys import words_of

_NOTHING_THERE = re.compile(
    r"\b(?:not found|no such|(?:does|do|did|was|is|were|are)(?:n't|n’t| not) (?:exist|found|find|known|match|valid|recogni[sz]ed|available)|"
    r"unknown|invalid|unrecogni[sz]ed|no results?|no match(?:es)?|nothing|(?:can|could)(?:not|n't|n’t| not) (?:be )?(?:find|found|locate|located|retrieve|"
    r"retrieved|read|load|loaded|open|opened|access|accessed|identify|identified)|unable to|failed to|denied|forbidden|unauthori[sz]ed|0 (?:results?|rows?|hits?|matches|records?|"
    r"items?|orders?)|no (?:\w+ ){1,3}(?:with|for|by|named|called|matching|matches|matched|exists?|found|has|under)|not in (?:the|our|this)|404)\b"
    r"|^\W*(?:error|exception|traceback|failed|failure)\b",
    re.I,
)
_DIGIT = re.compile(r"\d")
#: Longer texts that speak of something missing are read as prose about many things.
_SHORT_TEXT = 600
#: Names under which a result repeats what was asked.
REQUEST = frozenset(
    "query q search searched term terms keyword keywords filter filters criteria params parameters request requested input inputs args "
    "arguments argument echo lookup looked where conditions".split()
)
#: Names under which nothing about a record stands.
_HOLLOW = frozenset(
    "message messages msg error errors detail details description code ok success successful count counts total page pages limit offset size "
    "took time timestamp at date request trace correlation next previous cursor more version api type kind object url uri path link self "
    "suggestion suggestions hint hints help similar alternatives did you mean tool method format language locale".split()
)
#: Of those, the ones that do tell something inside of a record.
_OF_RECORDS = frozenset(
    {
        "total",
        "size",
        "date",
        "type",
        "kind",
        "description",
        "details",
        "method",
        "timestamp",
        "at",
        "time",
        "url",
        "uri",
    }
)
#: Names under which what was looked for would stand.
_FOUND = frozenset(
    "result results data item items record records row rows hit hits match matches entry entries value response".split()
)
_NEGATIVE = frozenset(
    "not_found notfound unknown missing none null error failed failure invalid no_match nomatch empty nothing not_exist unavailable denied "
    "forbidden unauthorized 404 no_results absent unrecognized".split()
)
_STATES = frozenset("status state outcome result found exists code".split())
_SAYS_YES = frozenset("found exists valid verified available active".split())


@dataclass(frozen=True, slots=True)
class Echoes:
    """What a call brought itself: `cores` are letters and digits alone, `raws` the texts as they were given."""

    cores: frozenset[str] = frozenset()
    raws: tuple[str, ...] = ()

    def joined(self, other: Echoes) -> Echoes:
        """Return what either brought."""
        if not other.cores or not self.cores:
            return self if self.cores else other
        raws = sorted({*self.raws, *other.raws}, key=lambda r: (-len(r), r))
        return Echoes(self.cores | other.cores, tuple(raws))

    def lasting(self) -> Echoes:
        """Return what of it later results may hold as if it were news: addresses, and single words with a digit."""
        raws = tuple(
            r for r in self.raws if shape_of(r) is not None or (len(r) <= 60 and " " not in r and _DIGIT.search(r))
        )
        return Echoes(frozenset(map(squeezed, raws)), raws)

    def shaped(self) -> Echoes:
        """Return what of it looks like an identifier or an address."""
        raws = tuple(r for r in self.raws if shape_of(r) is not None)
        return Echoes(frozenset(map(squeezed, raws)), raws)

    def without(self, text: str) -> str:
        """Return a text with what the call brought itself taken out.

        >>> Echoes(frozenset({"su88412"}), ("SU-88412",)).without("no order su-88412 here")
        'no order   here'
        """
        return _any_of(self.raws).sub(" ", text) if self.raws else text


@lru_cache(maxsize=256)
def _any_of(raws: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, raws))})(?!\w)", re.I)


NO_ECHOES = Echoes()


def own_values(args: Mapping[str, Any], is_seen: Callable[[object], bool]) -> Echoes:
    """Return what a call's arguments hold that nothing in the run does yet."""
    cores, raws = set(), []
    for raw in _parts(args):
        core = squeezed(str(raw))
        if core and core not in cores and not is_seen(raw):
            cores.add(core)
            raws.append(str(raw))
    return Echoes(frozenset(cores), tuple(sorted(raws, key=len, reverse=True)))


def _parts(args: Mapping[str, Any]) -> Iterator[object]:
    for leaf in walk(args, "args"):
        if not isinstance(leaf, Leaf) or isinstance(leaf.value, bool):
            continue
        text = str(leaf.value).strip()
        if len(text) <= 200:
            yield leaf.value if not isinstance(leaf.value, str) else text
        yield from texts.address_texts(text[:2000])
        yield from texts.id_tokens(text[:2000])


def brings_nothing(result: Any, own: Echoes, args: Mapping[str, Any]) -> bool:
    """Whether a result tells nothing but that there is nothing, or repeats its call's arguments and nothing else.

    >>> own = Echoes(frozenset({"su88412"}), ("SU-88412",))
    >>> brings_nothing({"order_id": "SU-88412", "order": None}, own, {"order_id": "SU-88412"})
    True
    >>> brings_nothing({"order_id": "SU-88412", "status": "shipped"}, own, {"order_id": "SU-88412"})
    False
    """
    result = opened(result)
    if result is None or result == "":
        return True
    if isinstance(result, str):
        left = own.without(result)
        return (len(result) <= _SHORT_TEXT and bool(_NOTHING_THERE.search(result))) or not re.search(r"\w", left)
    if isinstance(result, Mapping) and _says_no(result, args):
        return True
    return not any(isinstance(x, Leaf) and _is_news(x, own) for x in walk(result, ""))


def _says_no(result: Mapping[Any, Any], args: Mapping[str, Any]) -> bool:
    lowered = {str(k).lower(): v for k, v in result.items()}
    if any(lowered.get(k) is False for k in ("found", "ok", "success", "exists", "valid")):
        return True
    if any(lowered.get(k) for k in ("error", "errors", "iserror", "is_error")):
        return True
    if any(k in _STATES and isinstance(v, str | int) and _plain(v) in _NEGATIVE for k, v in lowered.items()):
        return True
    nouns = {"_".join(words_of(str(k))).removesuffix("_id").removesuffix("_number") for k in args} | _FOUND
    empty = [k for k, v in lowered.items() if v is None or v == [] or v == {}]
    filled = any(isinstance(v, Mapping | list) and v and k not in REQUEST for k, v in lowered.items())
    return not filled and any(k in nouns or k.rstrip("s") in nouns for k in empty)


def _is_news(leaf: Leaf, own: Echoes) -> bool:
    value = leaf.value
    words = frozenset(w for k in leaf.keys[-1:] for w in words_of(k))
    if isinstance(value, bool):
        return value and not _SAYS_YES.isdisjoint(words)
    if value in ("", 0) or any(not REQUEST.isdisjoint(words_of(k)) for k in leaf.keys):
        return False
    hollow = _HOLLOW if len(leaf.keys) < 2 else _HOLLOW - _OF_RECORDS
    if not hollow.isdisjoint(words) and words.isdisjoint({"amount", "price", "customer", "order"}):
        return False
    if not _STATES.isdisjoint(words) and _plain(value) in _NEGATIVE:
        return False
    text = str(value)
    return squeezed(text) not in own.cores and not (len(text) <= _SHORT_TEXT and _NOTHING_THERE.search(text))


def _plain(value: object) -> str:
    return str(value).strip().lower().replace(" ", "_").replace("-", "_")
