"""A recorded call opened up for comparison: the leaves of its arguments and result, its lists, its text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime
from decimal import Decimal
from functools import lru_cache
from typing import Any

from claimx.match.fields import Leaf, ListSize, leaves_of, schema_of, unwrapped
from claimx.match.figures import is_grouped, numbers_of, stands_in, without_signs
from claimx.match.hundredths import numbers_in
from claimx.match.kept_back import stand_ins
from claimx.match.lazily import lazy
from claimx.match.options import ToolRule, names_field
from claimx.match.squeezing import NOT_ALNUM, squeeze
from claimx.types import LedgerEntry, Slot, SlotType, Tool
from claimx.values import Name, Value, fold, parse
from claimx.values.numbers import decimal_of

MONEY_KEY = re.compile(
    r"amount|price|total|cost|fee|refund|balance|paid|charge|credit|limit|budget|salary|cents|minor|sum|value|deposit|fare", re.I
)  # fmt: skip
#: Names of fields that identify what the amount is of: `refund_id`.
NAMES_RECORD = re.compile(r"(?:^|_)(?:ids?|uuid|number|no|nr|ref|reference|code)$|[a-z]I[dD]s?$")
_CURRENCY = re.compile(r"[A-Z]{3}")
_TOKEN = re.compile(r"[A-Za-z]{0,8}[-#]?\d[A-Za-z0-9-]*")
#: Amounts written short: 12.5k.
_SHORT = re.compile(r"\d\s?[km]\b|\b(?:thousand|million)\b")
#: Text read of one call; what lies beyond is not searched.
_MOST_TEXT = 60_000
_MOST_RAW = 1_000_000
#: Longer leaves are prose: their values are searched in the text, not read as one value.
_MOST_VALUE = 200


class CallView:
    """A call opened up for comparison, part by part, as far as claims ask for it."""

    def __init__(self, entry: LedgerEntry, tool: Tool | None = None, rule: ToolRule | None = None) -> None:
        self.entry = entry
        self.parameters: Mapping[str, Any] | None = tool.parameters if tool else None
        self.rule = rule
        self._read: dict[tuple[SlotType, int], Value | None] = {}
        #: The paths at which values were found, or that they were not, each looked for once.
        self.found: dict[tuple[SlotType, str, datetime | None], str | None] = {}

    @lazy
    def _opened(self) -> tuple[tuple[Leaf, ...], tuple[Leaf, ...], tuple[ListSize, ...], tuple[Leaf, ...]]:
        entry = self.entry
        if not entry.captured:
            return (), (), (), ()
        args, arg_sizes = leaves_of(entry.args, f"{entry.id}.args")
        results, sizes = leaves_of(unwrapped(entry.result), f"{entry.id}.result")
        if self.rule is not None and self.rule.compare_not:
            hidden = self.rule.compare_not
            args = [x for x in args if names_field(hidden, x.key, x.path) is None]
            results = [x for x in results if names_field(hidden, x.key, x.path) is None]
        standing = stand_ins(args)
        kept_back = tuple([x for x in (*args, *results) if x.value in standing])
        if kept_back:
            args, results = ([x for x in side if x.value not in standing] for side in (args, results))
        return tuple(args), tuple(results), (*arg_sizes, *sizes), kept_back

    @property
    def args(self) -> tuple[Leaf, ...]:
        """The scalars of the arguments."""
        return self._opened[0]

    @property
    def results(self) -> tuple[Leaf, ...]:
        """The scalars of the result."""
        return self._opened[1]

    @property
    def sizes(self) -> tuple[ListSize, ...]:
        """The lists of arguments and result with their lengths."""
        return self._opened[2]

    @property
    def kept_back(self) -> tuple[Leaf, ...]:
        """What stands for values that the ledger kept back: digests of arguments, words of a mask. No claim contradicts them."""
        return self._opened[3]

    @lazy
    def leaves(self) -> tuple[Leaf, ...]:
        """All scalars, those of the arguments first."""
        return self.args + self.results

    @lazy
    def raw(self) -> str:
        """Arguments and result as they were written, folded: holds all that the fields hold, without opening them."""
        return fold(f"{self.entry.args}\n{self.entry.result}"[:_MOST_RAW]) if self.entry.captured else ""

    @lazy
    def is_escaped(self) -> bool:
        """Whether the raw text writes characters as escapes, so that it need not show what the fields hold."""
        return "\\u" in self.raw or "\\x" in self.raw

    @lazy
    def squeezed(self) -> str:
        """The raw text with letters and digits alone."""
        return squeeze(self.raw)

    def shows(self, figures: Iterable[str]) -> bool:
        """Whether one of some runs of digits is among the numbers of the raw text."""
        if "figures" in self.__dict__:
            return not self.figures.isdisjoint(figures)
        if any(stands_in(f, self.raw) for f in figures):
            return True
        return is_grouped(self.raw) and any(stands_in(f, self._unsigned) for f in figures)

    @lazy
    def _unsigned(self) -> str:
        return without_signs(self.raw)

    @lazy
    def figures(self) -> frozenset[str]:
        """The numbers of the raw text: their parts, and all their digits without separators."""
        return frozenset(numbers_of(self.raw)) | frozenset(numbers_of(self._unsigned))

    @lazy
    def has_short(self) -> bool:
        """Whether the raw text writes an amount short."""
        return _SHORT.search(self.raw) is not None

    @lazy
    def bare(self) -> list[str]:
        """Each leaf with letters and digits alone."""
        return [
            low
            if (low := v.lower() if isinstance(v := leaf.value, str) else str(v)).isalnum()
            else NOT_ALNUM.sub("", low)
            for leaf in self.leaves
        ]

    @lazy
    def text(self) -> str:
        """The values of all leaves, folded, one a line."""
        return fold("\n".join([str(leaf.value) for leaf in self.leaves])[:_MOST_TEXT])

    @lazy
    def tokens(self) -> list[tuple[str, str, Leaf]]:
        """What may be an id: short values and parts of values that hold a digit, each also bare and in lower case."""
        out = []
        for leaf in self.leaves:
            if isinstance(leaf.value, bool) or not isinstance(leaf.value, str | int):
                continue
            text = str(leaf.value)
            found = _TOKEN.findall(text[:2000])
            for token in [text, *found] if len(text) <= 40 and found != [text] else found:
                out.append((token, "".join(c for c in token.lower() if c.isalnum()), leaf))
        return out

    @lazy
    def numbers(self) -> frozenset[int]:
        """Every number of the call in hundredths, prose with amounts included."""
        return frozenset(n for leaf in self.leaves for n in numbers_in(leaf.value))

    @lazy
    def sums(self) -> dict[Decimal, str]:
        """Totals over the like-named amounts of the result, with their keys."""
        if "[" not in self.raw:
            return {}
        by_key: dict[str, list[Decimal]] = {}
        for leaf in self.results:
            if not isinstance(leaf.value, str) and MONEY_KEY.search(leaf.key):
                number = decimal_of(leaf.value)
                if number is not None:
                    by_key.setdefault(leaf.key, []).append(number)
        return {sum(n, Decimal(0)): k for k, n in by_key.items() if 2 <= len(n) <= 60}

    def aliases_of(self, text: str) -> tuple[str, ...]:
        """Other names by which the records of this tool know what a reply names."""
        if self.rule is None or not self.rule.aliases:
            return ()
        name = fold(text.strip("`*'\" "))
        return next((v for k, v in self.rule.aliases.items() if fold(k) == name), ())

    def read(self, kind: SlotType, index: int, now: datetime | None) -> Value | None:
        """Read a leaf as a value of a slot type; each leaf is read once a type."""
        at = (kind, index)
        if at not in self._read:
            leaf = self.leaves[index]
            schema = schema_of(self.parameters, leaf.key) if self.parameters is not None else None
            raw, currency = leaf.value, leaf.currency
            unit = self._unit_of(leaf) if self.rule is not None else None
            if unit is not None and _CURRENCY.fullmatch(unit):
                currency = unit
            elif unit is not None:
                schema = {"unit": unit, "description": f"in {unit}"}
            if isinstance(raw, str) and len(raw) > _MOST_VALUE:
                self._read[at] = None
            elif schema is None and (kind is not SlotType.DATE or now is None):
                self._read[at] = _parse_plain(kind, raw, type(raw).__name__, leaf.key, currency)
            else:
                self._read[at] = parse(kind, raw, key=leaf.key, schema=schema, now=now, currency=currency)
        return self._read[at]

    @lazy
    def names(self) -> list[tuple[int, Name]]:
        """The leaves that can be read as names, which all are looked at for every name that a claim gives."""
        read = ((i, self.read(SlotType.NAME, i, None)) for i in range(len(self.leaves)))
        return [(i, name) for i, name in read if isinstance(name, Name)]

    def _unit_of(self, leaf: Leaf) -> str | None:
        if self.rule is None or not self.rule.units:
            return None
        name = names_field(self.rule.units, leaf.key, leaf.path)
        return None if name is None else self.rule.units[name]


@lru_cache(maxsize=32768)
def _parse_plain(kind: SlotType, raw: Any, _type: str, key: str, currency: str | None) -> Value | None:
    """Read a value once. Its type is asked for as well: 20, 20.0 and True, 1 are equal, and not written alike."""
    return parse(kind, raw, key=key, currency=currency)


def read_slot(slot: Slot, now: datetime | None = None) -> Value | None:
    """Read a claimed value; the same text is read once."""
    return _parse_claimed(slot.type, slot.text, now)


@lru_cache(maxsize=8192)
def _parse_claimed(kind: SlotType, text: str, now: datetime | None) -> Value | None:
    return parse(kind, text, now=now)


def view_of(entry: LedgerEntry, tool: Tool | None = None, rule: ToolRule | None = None) -> CallView:
    """Open a call up. Free text results are one leaf."""
    return CallView(entry, tool, rule)
