"""What was kept back of the arguments of a call is kept back wherever else it stands: in results, errors, inner calls."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from itertools import islice
from typing import Any
from urllib.parse import quote, quote_plus

#: Shorter values would be found in what they have nothing to do with.
SHORTEST = 4
#: Values so long are found inside of words, too.
UNMISTAKABLE = 12
#: So many digits may be written in groups.
_GROUPED = 8
#: Of arguments of which only a digest is kept, so many values of at most so many characters are looked for in errors.
MOST_QUOTED, LONGEST_QUOTED = 1000, 2000
#: What stands for a value is a word or a digest; longer than this it is a text of its own.
LONGEST_STAND_IN = 120
_WORDS = re.compile(r"\S+")
_REPLACED = "[redacted]"

#: What was kept back in the call around, and in those inside of it.
HIDDEN: ContextVar[Hidden | None] = ContextVar("claimx_hidden", default=None)


class Hidden:
    """The values that were kept back in a tree of calls, each with what stands for it.

    `quoted` are those of arguments of which only a digest is kept: errors that quote them must not keep them.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._values = _Values()
        self._quoted = _Values()

    def learn(self, before: Any, after: Any) -> None:
        """Learn what a redaction kept back, by what it was given and what it gave."""
        if before != after:
            with self._lock:
                self._values = self._values.joined(dict(_kept_back(before, after, top=True)))

    def learn_quoted(self, value: Any) -> None:
        """Learn every text and number of arguments of which only a digest is kept."""
        with self._lock:
            leaves = islice((t for t in _leaves(value) if len(t) <= LONGEST_QUOTED), MOST_QUOTED)
            self._quoted = self._quoted.joined(dict.fromkeys(leaves, "[not stored]"))

    def value(self, value: Any) -> Any:
        """Return a JSON value without what was kept back."""
        return self._values.in_value(value) if self._values.by else value

    def in_error(self, text: str, limit: int) -> str:
        """Return the text of an error without what was kept back. Of a text of which no more than `limit` characters are to
        be kept somewhat more is looked at, and what may be half of a value at its end is left out."""
        margin = 2 * max(self._quoted.longest, self._values.longest)
        if len(text) <= limit + margin:
            return self._quoted.in_text(self._values.in_text(text))
        head = self._quoted.in_text(self._values.in_text(text[: limit + margin]))
        return head[: max(0, len(head) - margin)] if margin else head


class _Values:
    """Texts, each with what stands for it. Its values never change: threads read it while another is made."""

    def __init__(self, by: Mapping[str, str] | None = None, forms: frozenset[str] = frozenset()) -> None:
        self.by = dict(by or {})
        self._forms = forms
        self._pattern: re.Pattern[str] | None = None

    def joined(self, found: Mapping[str, str]) -> _Values:
        forms = {f: by for t, by in found.items() if len(t.strip()) >= SHORTEST for f in _forms(t)}
        if forms.keys() <= self._forms:
            return self
        return _Values({**{_plain(f): by for f, by in forms.items()}, **self.by}, self._forms | forms.keys())

    @property
    def longest(self) -> int:
        """Characters of the longest text."""
        return max(map(len, self._forms), default=0)

    def in_text(self, text: str) -> str:
        if not self.by:
            return text
        if self._pattern is None:
            self._pattern = re.compile(_branched(sorted(self._forms, key=len, reverse=True)), re.I)
        return self._pattern.sub(lambda m: self.by.get(_plain(m[0]), _REPLACED), text)

    def in_value(self, value: Any) -> Any:
        if isinstance(value, Mapping):
            return {self.in_text(k): self.in_value(v) for k, v in value.items()}
        if isinstance(value, list):
            return [self.in_value(v) for v in value]
        if isinstance(value, str):
            return self.in_text(value)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return self.by.get(_text_of(value), value)
        return value


def _kept_back(before: Any, after: Any, *, top: bool = False) -> Iterator[tuple[str, str]]:
    if before == after and type(before) is type(after):
        return
    if isinstance(before, Mapping) and isinstance(after, Mapping):
        for k, v in before.items():
            yield from _kept_back(v, after.get(k))
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for b, a in zip(before, after, strict=True):
            yield from _kept_back(b, a)
    elif not isinstance(before, Mapping | list):
        by = after if isinstance(after, str) and len(after) <= LONGEST_STAND_IN else _REPLACED
        if isinstance(before, str) and isinstance(after, str):
            yield from _parts_kept_back(before, after)
        else:
            yield from ((t, by) for t in _leaves(before))
    elif not top:  # what hides all arguments as one has its own mind on results
        by = after if isinstance(after, str) and len(after) <= LONGEST_STAND_IN else _REPLACED
        yield from ((t, by) for t in _leaves(before))


def _parts_kept_back(before: str, after: str) -> Iterator[tuple[str, str]]:
    """The words in the middle of a text that a redaction changed; all of it where nothing else stands around."""
    old, new = list(_WORDS.finditer(before)), after.split()
    first = next((i for i, (o, n) in enumerate(zip(old, new, strict=False)) if o[0] != n), min(len(old), len(new)))
    old, new = old[first:], new[first:]
    last = 0
    while last < min(len(old), len(new)) and old[-1 - last][0] == new[-1 - last]:
        last += 1
    old, new = old[: len(old) - last], new[: len(new) - last]
    by = " ".join(new)
    by = by if 0 < len(by) <= LONGEST_STAND_IN else _REPLACED
    if first == last == 0:
        yield before, by
    elif old:
        yield before[old[0].start() : old[-1].end()].strip("\"'.,;:()[]{}"), by


def _leaves(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for v in value.values():
            yield from _leaves(v)
    elif isinstance(value, list):
        for v in value:
            yield from _leaves(v)
    elif isinstance(value, str) or (isinstance(value, int | float) and not isinstance(value, bool)):
        yield _text_of(value)


def _text_of(value: str | float) -> str:
    return value if isinstance(value, str) else str(int(value)) if float(value).is_integer() else str(value)


def _forms(text: str) -> set[str]:
    """The ways in which a text is written inside JSON, Python and URLs."""
    return {text, json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1], repr(text)[1:-1], quote(text, safe=""), quote_plus(text)}  # fmt: skip


def _plain(text: str) -> str:
    """A text as it is looked up: digits without what groups them."""
    bare = re.sub(r"[ -]", "", text)
    return bare if bare.isdigit() and len(bare) >= _GROUPED else text.casefold()


def _branched(longest_first: list[str]) -> str:
    """One pattern for many texts, branched by their first character and their beginning: at most places of a long text it is
    left after a few steps, however many texts there are."""
    by_first: dict[tuple[str, str], dict[str, list[str]]] = {}
    for text in longest_first:
        before, head, rest = _pattern_of(text)
        by_first.setdefault((before, head[0].lower()), {}).setdefault(head[1:].lower(), []).append(rest)
    out = []
    for (before, first), heads in by_first.items():
        inner = "|".join(f"{re.escape(head)}(?:{'|'.join(rests)})" for head, rests in heads.items())
        out.append(f"{before}{re.escape(first)}(?:{inner})")
    return "|".join(out)


def _pattern_of(text: str) -> tuple[str, str, str]:
    """What must stand before a text (a pattern), its beginning, and the pattern of the rest."""
    bare = re.sub(r"[ -]", "", text)
    if bare.isdigit() and len(bare) >= _GROUPED:
        head, inner = bare[0], "".join(f"[ -]?{d}" for d in bare[1:])
    else:
        head, inner = text[:SHORTEST], re.escape(text[SHORTEST:])
    if len(bare) >= UNMISTAKABLE:
        return "", head, inner
    # A short value counts as a word of its own; only scripts that are written with spaces have such.
    before = "(?<![A-Za-z0-9])" if text[0].isascii() else ""
    return before, head, inner + ("(?![A-Za-z0-9])" if text[-1].isascii() else "")
