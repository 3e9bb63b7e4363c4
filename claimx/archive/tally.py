"""Counts over rows, shard by shard, that can be added up: what the summary is made of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeVar

import pyarrow as pa
import pyarrow.compute as pc

#: The fields of a run by which rates are compared.
FACETS = ("agent", "model", "version")
#: Run ids kept for each kind of false claim.
EXAMPLES = 5
_HOUR = 3600

K = TypeVar("K")
V = TypeVar("V")


class Limits(NamedTuple):
    """How many wordings of a kind, kinds, and values of facets are remembered. Of twice as many the rarest are let go, so that
    an archive in which every run is of a kind of its own still fits."""

    wordings: int = 2_000
    kinds: int = 20_000
    values: int = 100_000


@dataclass(slots=True)
class KindTally:
    """How often one kind of false claim stands in how many runs, in which wordings, and when (hours since 1970)."""

    count: int = 0
    runs: int = 0
    phrasings: Counter[str] = field(default_factory=Counter)
    examples: list[str] = field(default_factory=list)
    first: int | None = None
    last: int | None = None

    def add(self, other: KindTally, *, wordings: int) -> None:
        self.count += other.count
        self.runs += other.runs
        self.phrasings.update(other.phrasings)
        _let_go(self.phrasings, wordings, lambda t, n: (-n, t))
        self.examples = (self.examples + other.examples)[:EXAMPLES]
        self.first = min((t for t in (self.first, other.first) if t is not None), default=None)
        self.last = max((t for t in (self.last, other.last) if t is not None), default=None)


@dataclass(slots=True)
class Tally:
    """Counts of runs and claims. Hours are whole hours since 1970, None for runs without a time."""

    runs: Counter[tuple[int | None, str]] = field(default_factory=Counter)  # hour, verdict
    facets: Counter[tuple[str, str, str]] = field(default_factory=Counter)  # facet, its value, verdict
    claims: Counter[tuple[int | None, str, str]] = field(default_factory=Counter)  # hour, tool or "", status
    kinds: dict[str, KindTally] = field(default_factory=dict)
    limits: Limits = field(default_factory=Limits)

    def add(self, other: Tally) -> None:
        """Add another's counts."""
        self.runs.update(other.runs)
        self.facets.update(other.facets)
        self.claims.update(other.claims)
        for kind, found in other.kinds.items():
            self.kinds.setdefault(kind, KindTally()).add(found, wordings=self.limits.wordings)
        _let_go(self.kinds, self.limits.kinds, lambda kind, found: (-found.count, kind))
        _let_go(self.facets, self.limits.values, lambda key, n: (-n, key))


def _let_go(held: dict[K, V], most: int, rank: Callable[[K, V], Any]) -> None:
    """Keep the first `most` by rank once there are twice as many."""
    if len(held) >= 2 * most:
        for key, _ in sorted(held.items(), key=lambda item: rank(*item))[most:]:
            del held[key]


def tally(table: pa.Table) -> Tally:
    """Count the rows of a table with the columns of `claimx.archive.schema`."""
    out = Tally()
    if not len(table):
        return out
    table = table.combine_chunks()
    hours = pc.cast(pc.divide(pc.cast(table["time"], pa.int64()), _HOUR * 1_000_000), pa.int64())
    runs = pa.table({"hour": hours, "verdict": table["verdict"], **{f: table[f] for f in FACETS}})
    out.runs.update({(h, v): n for h, v, n in _counts(runs, "hour", "verdict")})
    for facet in FACETS:
        out.facets.update({(facet, x, v): n for x, v, n in _counts(runs, facet, "verdict") if x is not None})
    lists = table["claims"].combine_chunks()
    parents = pc.list_parent_indices(lists)
    flat = pc.list_flatten(lists)
    columns = {n: pc.struct_field(flat, n) for n in ("tool", "status", "kind", "phrasing", "flagged")}
    claims = pa.table({**columns, "run": parents, "hour": hours.take(parents), "id": table["id"].take(parents)})
    out.claims.update({(h, t or "", s): n for h, t, s, n in _counts(claims, "hour", "tool", "status")})
    flagged = claims.filter(claims["flagged"])
    for row in _grouped(
        flagged, ["kind"], [("run", "count_distinct"), ("hour", "min"), ("hour", "max"), ([], "count_all")]
    ):
        out.kinds[row["kind"]] = KindTally(
            row["count_all"], row["run_count_distinct"], first=row["hour_min"], last=row["hour_max"]
        )
    for kind, phrasing, n in _counts(flagged, "kind", "phrasing"):
        out.kinds[kind].phrasings[phrasing] = n
    for kind, id in zip(flagged["kind"].to_pylist(), flagged["id"].to_pylist(), strict=True):
        examples = out.kinds[kind].examples
        if len(examples) < EXAMPLES and id not in examples:
            examples.append(id)
    return out


def _counts(table: pa.Table, *keys: str) -> list[tuple[Any, ...]]:
    return [tuple(row[k] for k in (*keys, "count_all")) for row in _grouped(table, list(keys), [([], "count_all")])]


def _grouped(table: pa.Table, keys: list[str], aggregates: list[tuple[Any, str]]) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = table.group_by(keys, use_threads=False).aggregate(aggregates).to_pylist()
    return rows
