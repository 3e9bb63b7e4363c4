"""Words that exclude each other: a claim that says production, and a call that says staging."""

from __future__ import annotations

import re
from collections.abc import Iterable

from claimx.match.nouns import TEXT_WORD
from claimx.match.view import CallView
from claimx.types import Action, Mismatch
from claimx.values.keys import parts_of

#: Sets of kinds, a kind a list of its names; of one set a thing has one kind. Words that mean much else are left out.
_SETS: tuple[tuple[str, ...], ...] = (
    ("production prod", "staging preprod preproduction uat", "development dev", "sandbox", "testing qa"),
    ("electricity electric", "water", "gas", "internet broadband", "rent", "insurance", "phone mobile"),
    ("kitchen", "bedroom", "bathroom", "garage", "hallway", "basement cellar", "attic loft", "garden yard", "porch", "nursery",
     "office", "pantry", "lounge"),
    ("checking", "savings", "brokerage"),
    ("mastercard", "amex", "paypal", "klarna"),
    ("inbound", "outbound"),
    ("monthly", "yearly annual annually", "weekly", "daily", "quarterly"),
    ("breakfast", "lunch", "dinner"),
    ("upstairs", "downstairs"),
    ("celsius", "fahrenheit"),
    ("cardiology cardiologist", "dermatology dermatologist", "neurology neurologist", "orthopedics orthopaedics orthopedist", "pediatrics paediatrics pediatrician",
     "gynecology gynaecology gynecologist", "urology urologist", "oncology oncologist", "psychiatry psychiatrist", "ophthalmology ophthalmologist",
     "dentistry dentist dental", "radiology radiologist", "endocrinology endocrinologist", "gastroenterology gastroenterologist", "rheumatology rheumatologist"),
)  # fmt: skip
_KIND = {w: (i, j) for i, kinds in enumerate(_SETS) for j, names in enumerate(kinds) for w in names.split()}
#: Fields in which a word tells which thing a call acted on.
_TELLING_KEY = re.compile(
    r"env|stage|target|biller|payee|provider|category|kind|type|room|area|zone|location|device|entity|door|light|account|card|"
    r"special|department|practice|clinic|method|service|utility|direction|leg|plan|cycle|interval|frequency|meal|unit|host|cluster|namespace|workspace|region",
    re.I,
)
#: Longer values are descriptions, in which any word may stand.
_MOST_WORDS = 4


def contrary_kind(action: Action, view: CallView) -> Mismatch | None:
    """Return how a call's argument excludes what a claim says, None where it holds it, or says nothing of it."""
    said = _kinds_in(TEXT_WORD.findall(action.text))
    if not said:
        return None
    for which, (kind, word) in said.items():
        found: Mismatch | None = None
        for leaf in view.args:
            if not isinstance(leaf.value, str) or len(leaf.value) > 60:
                continue
            words = parts_of(leaf.value)
            kinds = _all_kinds(words)
            if (which, kind) in kinds:
                found = None
                break
            other = next((k for k in kinds if k[0] == which), None)
            if found is None and other is not None and len(words) <= _MOST_WORDS and _TELLING_KEY.search(leaf.key):
                found = Mismatch("NAME", word, leaf.value, leaf.path, f"{word!r} is not {leaf.value!r}")
        if found is not None and word.lower() not in view.text:
            return found
    return None


def _kinds_in(words: Iterable[str]) -> dict[int, tuple[int, str]]:
    """Which kind of each set is named; a set of which two are named tells nothing."""
    out: dict[int, tuple[int, str]] = {}
    twice = set()
    for w in words:
        at = _KIND.get(w.lower())
        if at is None:
            continue
        if at[0] in out and out[at[0]][0] != at[1]:
            twice.add(at[0])
        out.setdefault(at[0], (at[1], w))
    return {i: v for i, v in out.items() if i not in twice}


def _all_kinds(words: Iterable[str]) -> set[tuple[int, int]]:
    return {_KIND[w] for w in words if w in _KIND}
