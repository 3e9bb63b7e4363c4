"""Which calls of a run may hold a value: one search over the text of all of them instead of one each."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from itertools import accumulate

from claimx.match.bare_nouns import thing_of
from claimx.match.call import Call
from claimx.match.figures import is_grouped, is_spaced, without_signs
from claimx.match.finding import DOTTED, ESCAPED, figures_of, may_be_short, needles_of
from claimx.match.lazily import lazy
from claimx.match.squeezing import squeezed
from claimx.match.view import read_slot
from claimx.types import Slot, SlotType
from claimx.values import Money

#: Amounts searched for one by one, and the digits that one must have: shorter ones stand everywhere.
_FEW = 24
_SHORTEST = 2
_NUMBER = re.compile(r"\d+")


class Index:
    """The calls of a run by the letters and digits of their arguments and results."""

    def __init__(self, calls: Sequence[Call]) -> None:
        self._calls = calls
        self._found: dict[tuple[SlotType, str], frozenset[int] | None] = {}
        self._said: dict[str, frozenset[int]] = {}
        self._amounts = 0

    @lazy
    def _raw(self) -> _Joined:
        """The raw texts as they were written, in lower case."""
        return _Joined([c.view.raw for c in self._calls])

    @lazy
    def _bare(self) -> _Joined:
        """The raw texts with letters and digits alone."""
        return _Joined(squeezed(self._raw.texts))

    @lazy
    def _fields(self) -> dict[str, set[int]]:
        """The calls by the folded words of their arguments' names."""
        alike: dict[frozenset[str], list[int]] = {}
        for i, c in enumerate(self._calls):
            alike.setdefault(c.fields, []).append(i)
        out: dict[str, set[int]] = {}
        for words, at in alike.items():
            for w in words:
                out.setdefault(w, set()).update(at)
        return out

    @lazy
    def by_tool(self) -> dict[str, list[int]]:
        """The calls by the tool that was called, those of generic tools left out."""
        out: dict[str, list[int]] = {}
        for i, c in enumerate(self._calls):
            if not c.deeds:
                out.setdefault(c.tool, []).append(i)
        return out

    @lazy
    def by_thing(self) -> dict[str, list[int]]:
        """The calls of tools that are called after a thing alone, by that thing."""
        out: dict[str, list[int]] = {}
        for i, c in enumerate(self._calls):
            thing = thing_of(c.tool)
            if thing is not None:
                out.setdefault(thing, []).append(i)
        return out

    @lazy
    def by_deed(self) -> list[int]:
        """The calls of generic tools, which are told by what they did."""
        return [i for i, c in enumerate(self._calls) if c.deeds]

    def saying(self, word: str) -> frozenset[int]:
        """The calls in whose raw text a stretch of letters stands."""
        if word not in self._said:
            self._said[word] = frozenset(self._raw.holding(word))
        return self._said[word]

    def quoting(self, text: str) -> frozenset[int]:
        """The calls that may hold a folded text: those that cannot be told by their raw text are among them."""
        return self.with_any() if ESCAPED.search(text) else self.saying(text)

    def listing(self, stem: str) -> frozenset[int]:
        """The calls in which a list stands behind a name with a stem: `attachments: [`."""
        return frozenset(self._raw.matching(re.compile(re.escape(stem) + r"\w*\W{0,6}[\[(]")))

    def with_any(self) -> frozenset[int]:
        """All the calls."""
        return frozenset(range(len(self._calls)))

    def with_field(self, noun: str) -> set[int]:
        """The calls with an argument whose name has a folded noun in it."""
        return self._fields.get(noun, set())

    @lazy
    def odd(self) -> frozenset[int]:
        """Calls whose text need not show what they hold: escapes, and other names of things."""
        named = {i for i, c in enumerate(self._calls) if c.view.rule is not None and c.view.rule.aliases}
        return frozenset(named | self._raw.holding("\\u") | self._raw.holding("\\x"))

    @lazy
    def _joined_up(self) -> _Joined:
        """The raw texts without the signs inside of their numbers."""
        return self._raw.without_signs()

    def _with_figures(self, figures: frozenset[str]) -> set[int]:
        """The calls in whose text one of some figures stands. A few are searched for; for many the numbers are listed once."""
        self._amounts += 1
        if self._amounts <= _FEW and min(map(len, figures)) >= _SHORTEST:
            found = self._raw.with_number(figures)
            return found | self._joined_up.with_number(figures) if self._raw.is_grouped else found
        return {i for f in figures for i in self._figured.get(f, ())}

    @lazy
    def _figured(self) -> dict[str, list[int]]:
        """The calls by the numbers of their text."""
        out: defaultdict[str, list[int]] = defaultdict(list)
        for i, c in enumerate(self._calls):
            for figure in c.view.figures:
                out[figure].append(i)
        return out

    @lazy
    def _short(self) -> set[int]:
        """The calls whose text writes an amount short."""
        return {i for i, c in enumerate(self._calls) if c.view.has_short}

    def may_hold(self, slot: Slot, now: datetime | None = None) -> frozenset[int] | None:
        """Return the positions of the calls that may hold a slot's value, None where any of them may."""
        key = (slot.type, slot.text)
        if key not in self._found:
            self._found[key] = self._search(slot, now)
        return self._found[key]

    def calls_for(self, slot: Slot, now: datetime | None = None) -> list[Call]:
        """The calls that may hold a slot's value, in order."""
        at = self.may_hold(slot, now)
        return list(self._calls) if at is None else [self._calls[i] for i in sorted(at)]

    def _search(self, slot: Slot, now: datetime | None) -> frozenset[int] | None:
        if slot.type is not SlotType.ID and DOTTED.fullmatch(slot.text):
            return None
        claimed = read_slot(slot, now)
        if isinstance(claimed, Money) and claimed.high is None:
            amounts = self._with_figures(figures_of(claimed)) | self.odd
            return frozenset(amounts | self._short if may_be_short(claimed) else amounts)
        needles = needles_of(claimed) if claimed is not None else None
        if not needles:
            return None
        found = set(self.odd)
        for needle in needles:
            found |= self._bare.holding(needle)
        return frozenset(found)


class _Joined:
    """Texts put one behind the other, searched all at once."""

    def __init__(self, texts: Sequence[str]) -> None:
        self.texts = texts
        self._text = "\x00".join(texts)
        self._starts = [0, *accumulate(len(t) + 1 for t in texts)]

    def holding(self, needle: str) -> set[int]:
        """The positions of the texts that hold a needle."""
        found = set()
        at = self._text.find(needle) if needle else -1
        while at >= 0:
            i = bisect_right(self._starts, at) - 1
            found.add(i)
            at = self._text.find(needle, self._starts[i + 1])
        return found

    def matching(self, pattern: re.Pattern[str]) -> set[int]:
        """The positions of the texts in which a pattern is found."""
        return {bisect_right(self._starts, m.start()) - 1 for m in pattern.finditer(self._text)}

    @lazy
    def is_grouped(self) -> bool:
        """Whether some number of the texts has its thousands set off, so that an amount may show without its signs alone."""
        return is_grouped(self._text)

    def without_signs(self) -> _Joined:
        """The texts without the signs inside of their numbers."""
        plain = without_signs(self._text).split("\x00") if not is_spaced(self._text) else []
        return _Joined(plain if len(plain) == len(self.texts) else [without_signs(t) for t in self.texts])

    def with_number(self, figures: frozenset[str]) -> set[int]:
        """The positions of the texts in which one of some runs of digits stands, with no digit around it."""
        found = set()
        text, starts = self._text, self._starts
        for stem in figures:
            if any(stem != f and stem.startswith(f) for f in figures):
                continue
            at = text.find(stem)
            while at >= 0:
                if at and text[at - 1].isdecimal():
                    at = text.find(stem, at + 1)
                    continue
                number = _NUMBER.match(text, at)
                if number is not None and number.group() in figures:
                    i = bisect_right(starts, at) - 1
                    found.add(i)
                    at = text.find(stem, starts[i + 1])
                else:
                    at = text.find(stem, at + 1)
        return found
