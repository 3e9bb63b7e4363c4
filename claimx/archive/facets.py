"""What a run says about itself beside its reply: when it was, which agent, model and version."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, TypeVar

from claimx.errors import InputError
from claimx.types import Run

T = TypeVar("T")

#: Where each facet is looked for, in this order, in the fields of a run beside the known ones.
PATHS: dict[str, tuple[str, ...]] = {
    "time": (
        "time",
        "timestamp",
        "created_at",
        "created",
        "started_at",
        "ended_at",
        "date",
        "metadata.time",
        "metadata.timestamp",
    ),
    "agent": ("agent", "agent.name", "agent_name", "agent_id", "metadata.agent", "metadata.agent_name"),
    "model": ("model", "model.name", "model_name", "model_id", "metadata.model", "metadata.model_name"),
    "version": ("version", "agent_version", "agent.version", "metadata.version", "metadata.agent_version"),
}


@dataclass(frozen=True, slots=True)
class Facets:
    """`time` in UTC; None where a run does not say."""

    time: datetime | None = None
    agent: str | None = None
    model: str | None = None
    version: str | None = None


def parse_map(pairs: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """Return the paths with a user's own in front. Raises InputError for a facet that does not exist."""
    paths = dict(PATHS)
    for name, path in pairs.items():
        if name not in PATHS:
            raise InputError(f"--map {name}={path}: {name!r} is not known (known: {', '.join(PATHS)})")
        paths[name] = (path,)
    return paths


def facets_of(run: Run, paths: Mapping[str, tuple[str, ...]] = PATHS) -> Facets:
    """Read the facets of a run. Without a time of its own a run is dated by `now`, else by its last call."""
    time = _first(run.extra, paths["time"], _when)
    if time is None:
        time = _when(run.now)
    if time is None:
        stamps = (_when(e.ended_at) or _when(e.started_at) for e in run.ledger)
        time = max((t for t in stamps if t is not None), default=None)
    return Facets(time, *(_first(run.extra, paths[name], _text) for name in ("agent", "model", "version")))


def _first(fields: Mapping[str, Any], paths: tuple[str, ...], read: Callable[[Any], T | None]) -> T | None:
    """Return what can be read at the first of the paths that lead anywhere."""
    for path in paths:
        if path in fields or path.partition(".")[0] in fields:
            value = read(look_up(fields, path))
            if value is not None:
                return value
    return None


def look_up(data: Any, path: str) -> Any:
    """Follow a dotted path through mappings; a key that holds the whole path wins. None where it leads nowhere."""
    if not isinstance(data, Mapping):
        return None
    if path in data:
        return data[path]
    if "." not in path:
        return None
    for key in path.split("."):
        if not isinstance(data, Mapping) or key not in data:
            return None
        data = data[key]
    return data


def leads(run: Run, facet: str, paths: Mapping[str, tuple[str, ...]]) -> bool:
    """Whether a run has a facet where the paths say that it stands."""
    read: Callable[[Any], Any] = _when if facet == "time" else _text
    return _first(run.extra, paths[facet], read) is not None


def _when(value: Any) -> datetime | None:
    """Read when a run was. A clock's zero (0001-01-01, 1970-01-01) and a "never" (9999-12-31) say nothing about it."""
    moment = parse_time(value)
    return moment if moment is not None and _FIRST <= moment.timestamp() < _LAST else None


#: Seconds since 1970 in which a run may have been: 1973 to 2286.
_FIRST, _LAST = 1e8, 1e10


def parse_time(value: Any) -> datetime | None:
    """Read ISO 8601 text, the date of a mail or of HTTP, or seconds, milliseconds, microseconds or nanoseconds since 1970, as
    number or as text. A time without zone is UTC.

    >>> parse_time("2026-03-01T10:00:00+02:00").isoformat(), parse_time(1700000000000).year, parse_time("soon")
    ('2026-03-01T08:00:00+00:00', 2023, None)
    """
    if isinstance(value, Mapping) and len(value) == 1:  # as MongoDB writes them
        value = value.get("$date", value.get("$numberLong"))
        return parse_time(value) if not isinstance(value, Mapping) or "$numberLong" in value else None
    if isinstance(value, int | float) and not isinstance(value, bool):
        return _since_1970(value)
    moment = _read(value.strip()) if isinstance(value, str) and 8 <= len(value) <= 60 else value
    if not isinstance(moment, datetime):
        return None
    try:
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (OverflowError, ValueError):
        return None


_NUMBER = re.compile(r"\d{9,19}(?:\.\d{1,9})?", re.ASCII)
_UTC = re.compile(r"\s*(?:UTC|GMT)\Z")
_MAIL = re.compile(r"(?:[A-Z][a-z]{2}, )?\d{1,2} [A-Z][a-z]{2} \d{4} .*", re.ASCII)


def _read(text: str) -> datetime | None:
    try:
        if _NUMBER.fullmatch(text):
            # 20260301100000: so many digits make no count of any unit.
            return datetime.strptime(text, "%Y%m%d%H%M%S") if len(text) == 14 else _since_1970(float(text))
        return parsedate_to_datetime(text) if _MAIL.fullmatch(text) else datetime.fromisoformat(_UTC.sub("Z", text))
    except ValueError:
        return None


def _since_1970(value: float) -> datetime | None:
    for unit in (1, 10**3, 10**6, 10**9):
        try:
            seconds = value / unit
        except OverflowError:  # a whole number of hundreds of digits
            return None
        if _FIRST <= seconds < _LAST:
            return datetime.fromtimestamp(seconds, UTC)
    return None


def _text(value: Any) -> str | None:
    if isinstance(value, str):
        return value.strip()[:200] or None
    return str(value)[:200] if isinstance(value, int | float) and not isinstance(value, bool) else None
