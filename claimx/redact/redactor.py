"""Redaction with its proof: a run is given out only when the checker says of it what it said of the original."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from math import gcd
from typing import Any

from claimx.checker import Checker
from claimx.errors import InputError
from claimx.records import parse_run
from claimx.redact.amounts import ScaleError, number_of
from claimx.redact.finding import Found, find, leaves
from claimx.redact.forms import Form
from claimx.redact.rewriting import Rewriter
from claimx.redact.stand_ins import StandIns
from claimx.types import Extraction, Receipt, Run

#: Keys that are tried for a run before it is withheld.
_TRIES = 40


@dataclass(frozen=True, slots=True)
class Redacted:
    """A redacted record, or None with the reason why it is withheld; `stand_ins` maps originals to what stands for them."""

    record: dict[str, Any] | None
    reason: str = ""
    stand_ins: Mapping[str, str] = field(default_factory=dict)


class Redactor:
    """Redacts runs and labelled replies. Under one `key` the same value gets the same stand-in in every run.

    `terms` are further names that must go (a company, a project). With `check` off nothing is proved.
    """

    def __init__(
        self, *, key: bytes | None = None, checker: Checker | None = None, terms: Iterable[str] = (), check: bool = True
    ) -> None:
        self.key = key or secrets.token_bytes(32)
        self.checker = checker or Checker()
        self.terms = tuple(terms)
        self.check = check

    def redact(self, record: Mapping[str, Any]) -> Redacted:
        """Redact one record in the JSON shape of a run (`reply`, `ledger`) or of a labelled reply (`text`, `actions`).

        Raises InputError when it is neither.
        """
        run = parse_run(record)
        found = find(run, self._readings(run), terms=self.terms)
        before = self.checker.check(run) if self.check else None
        reason = ""
        for rewriter in self._attempts(run, found):
            try:
                out = rewriter.record(record)
                after = parse_run(out)
            except (ScaleError, InputError):
                continue
            leak = _leak(out, found, rewriter.used)
            if leak is not None:
                reason = f"{leak!r} could not be exchanged everywhere"
                continue
            changed = None if before is None else _difference(before, self.checker.check(after))
            if changed is None:
                return Redacted(out, "", rewriter.used)
            reason = changed
        return Redacted(None, f"withheld: {reason}")

    def _readings(self, run: Run) -> list[tuple[str, Extraction]]:
        """Read the reply, the user's words, and every prose text of the record."""
        texts = {run.reply, *([run.user] if run.user else [])}
        texts |= {v for _, v in leaves(run.to_dict()) if isinstance(v, str) and len(v.split()) >= 3}
        ordered = sorted(texts)
        return list(zip(ordered, self.checker.extractor.extract_many(ordered), strict=True))

    def _attempts(self, run: Run, found: Found) -> Iterator[Rewriter]:
        """Rewriters to try in turn: amounts scaled, which keeps sums, then with their digits exchanged; key after key."""
        spelled = [t for t, form in found.forms.items() if form in (Form.IBAN, Form.CARD, Form.PLATE)]
        related = [*found.amounts, *found.codes, *spelled]
        numbers = ["".join(c for c in t if c.isdigit()) for t in related]
        for n in range(_TRIES):
            key = self.key if n == 0 else self.key + bytes([n])
            for scale in [*_scales(found, key), None]:
                yield Rewriter(found, StandIns(key, numbers), scale=scale)


def _scales(found: Found, key: bytes) -> list[Fraction]:
    """A factor that keeps every amount's written length and precision; none where too few would do to hide the amounts."""
    units = [int(d) for t in found.amounts if number_of(t) and (d := "".join(c for c in t if c.isdigit()))]
    if not units:
        return []
    low = max(Fraction(10 ** (len(str(u)) - 1), u) for u in units)
    high = min(Fraction(10 ** len(str(u)) - 1, u) for u in units)
    step = Fraction(1, gcd(*units))
    first, last = -(-low // step), high // step
    near_one = (Fraction(49, 50), Fraction(51, 50))
    choices = [
        k for k in range(int(first), min(int(last), int(first) + 5000) + 1) if not near_one[0] < k * step < near_one[1]
    ]
    if len(choices) < 8:
        return []
    at = int.from_bytes(key[:8].ljust(8, b"\0"), "big") + sum(key)
    return [choices[at % len(choices)] * step]


def _difference(before: Receipt, after: Receipt) -> str | None:
    """What the receipts disagree on: the verdict, a claim's place, status or calls; None when on nothing."""
    if before.verdict != after.verdict:
        return f"the verdict would turn from {before.verdict} to {after.verdict}"

    def shape(receipt: Receipt) -> list[tuple[Any, ...]]:
        return [(c.action.trigger.start, c.action.trigger.end, c.status, c.tool, c.calls) for c in receipt.claims]

    if shape(before) != shape(after):
        return "a claim would be read or judged in another way"
    return None


def _leak(record: Mapping[str, Any], found: Found, used: Mapping[str, str]) -> str | None:
    """A name, contact or code that still stands somewhere in the record; None when there is none."""
    texts = [v for k, v in leaves({k: v for k, v in record.items() if k not in ("id", "tools")}) if isinstance(v, str)]
    whole = "\n".join(texts)
    made = set(used.values())
    for text in [*found.contacts, *found.codes, *found.names, *found.forms]:
        if len(text) >= 4 and text in whole and text in used and text not in made:
            return text
    return None
