"""Which runs of an archive are scored: a sample that is stable by run id, a span of time, a condition on fields."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from claimx.archive.expressions import Condition
from claimx.archive.facets import Facets, parse_time
from claimx.archive.identities import digest64
from claimx.errors import InputError
from claimx.types import Run


@dataclass(frozen=True, slots=True)
class Selection:
    """`sample` is the share of ids to keep; a smaller sample of the same seed lies within a larger one.

    `until` is exclusive. A run without a time is left out as soon as either bound is set.
    """

    sample: float = 1.0
    seed: int = 0
    since: datetime | None = None
    until: datetime | None = None
    where: Condition | None = None

    def __post_init__(self) -> None:
        if not 0 < self.sample <= 1:
            raise InputError(f"--sample is {self.sample}, expected a share above 0 and up to 1, such as 0.1")
        if self.since and self.until and self.since >= self.until:
            raise InputError(f"--since {self.since:%Y-%m-%d %H:%M} is not before --until {self.until:%Y-%m-%d %H:%M}")

    def refuses(self, run: Run, facets: Facets) -> str | None:
        """Return why a run is left out (`sample`, `no_time`, `time`, `where`), None when it is taken."""
        if self.sample < 1:
            key = digest64(f"{self.seed}\0{run.id}".encode("utf-8", "surrogatepass"))
            if key >= self.sample * 2**64:
                return "sample"
        if self.since or self.until:
            if facets.time is None:
                return "no_time"
            if (self.since and facets.time < self.since) or (self.until and facets.time >= self.until):
                return "time"
        if self.where is not None and not self.where.matches(names_in(run, facets)):
            return "where"
        return None


def parse_bound(text: str, *, option: str, end: bool = False) -> datetime:
    """Read a day or a time. A bare day, or week, as the `end` of a span means all of it."""
    moment = parse_time(text)
    if moment is None:
        raise InputError(f"{option} {text!r} is no date or time: write 2026-03-01 or 2026-03-01T06:00:00Z")
    if not (end and _DAY.fullmatch(text.strip())):
        return moment
    try:
        return moment + timedelta(days=7 if _WEEK.fullmatch(text.strip()) else 1)
    except OverflowError:  # 9999-12-31: no end
        return datetime.max.replace(tzinfo=UTC)


_WEEK = re.compile(r"\d{4}-?W\d{2}", re.ASCII)
_DAY = re.compile(r"\d{4}-?(?:\d{2}-?\d{2}|W\d{2}(?:-?\d)?)", re.ASCII)


def names_in(run: Run, facets: Facets) -> dict[str, Any]:
    """Return what a condition on a run may name, with its values."""
    named = {
        "agent": facets.agent,
        "model": facets.model,
        "version": facets.version,
        "time": facets.time.isoformat() if facets.time else None,
        "id": run.id,
        "reply": run.reply,
        "user": run.user,
        "calls": len(run.ledger),
        "tools": [t.name for t in run.tools],
        "called": [e.tool for e in run.ledger],
    }
    return {**named, **{k: v for k, v in run.extra.items() if k not in named}}
