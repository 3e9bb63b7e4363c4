"""Reading whatever people have: recognise the format by the first records, then give its runs one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain, islice
from pathlib import Path
from typing import Any

from claimx.adapters import native, pages
from claimx.adapters.formats import BY_NAME, FORMATS, Format
from claimx.adapters.found import Found, Reading, Turns, listed
from claimx.adapters.source import records_of
from claimx.adapters.weight import weight
from claimx.errors import FormatError, InputError
from claimx.records import Record, parse_run
from claimx.types import Run

#: Records that are looked at to recognise a format.
SAMPLE = 40
#: ... as long as they hold no more characters than this.
MOST_HELD = 4_000_000


@dataclass(frozen=True, slots=True)
class Detection:
    """A recognised format, and what showed it."""

    format: str
    title: str
    seen: str


def detect(source: Any) -> Detection:
    """Recognise the format of a source by its first records; a stream is read as far as that.

    Raises FormatError when no format is known.

    >>> detect([{"role": "user", "content": "Hi"}, {"role": "tool", "tool_call_id": "c1", "content": ""}]).format
    'openai-chat'
    """
    head: list[Record] = []
    for record in records_of(source):
        head.append(record)
        if len(head) >= SAMPLE:
            break
    found, _ = _taken(head)
    return Detection(found.name, found.title, found.seen)


def read_runs(
    source: Any,
    format: str | None = None,
    turns: Turns = "last",
    *,
    parse: Callable[..., Run] = parse_run,
    told: Callable[[Detection], object] | None = None,
    path: Path | None = None,
) -> Iterator[Found]:
    """Yield the runs of a source, errors and notes at their places; a faulty part never stops what comes after it.

    A source is a path (`-`: standard input), an open binary file, bytes, a dict or an object of an SDK, or several of
    them. `format` is a name of `claimx.adapters.FORMATS`; None recognises it. `turns` "last" gives the last text of
    each conversation, "all" every text. `parse` reads a run in the project's own shape; `told` hears which format was
    taken; `path` is where an open file lies, for what is looked up beside it. Raises FormatError when the format is not known, InputError when the source cannot be opened.
    """
    if turns not in ("last", "all"):
        raise InputError(f"turns is {turns!r}, expected 'last' or 'all'")
    if format is not None and format not in BY_NAME:
        raise FormatError(f"format {format!r} is not known (known: {', '.join(BY_NAME)})")
    records = records_of(source)
    head: list[Record] = []
    held = 0
    if format is None:
        for record in records:
            head.append(record)
            held += weight(record.data)
            if len(head) >= SAMPLE or held > MOST_HELD or _telling(record):
                break
        if not head:
            return
        if all(r.error for r in head):
            yield from (Found(r.line, error=r.error) for r in chain(head, records))
            return
        taken, in_pages = _taken(head)
    else:
        taken = BY_NAME[format]
        head = list(islice(records, 1))
        in_pages = not taken.shows(_sample(head)) and taken.shows(_sample(pages.opened(head)))
    if told is not None:
        told(Detection(taken.name, taken.title, taken.seen))
    path = Path(source) if isinstance(source, str | Path) and str(source) != "-" else path
    held_on = chain(head, records)
    rest = pages.opened(held_on) if in_pages else held_on
    if taken.name == native.NAME:
        yield from native.read(rest, parse)
    else:
        yield from taken.read(rest, Reading(turns, path))


def _telling(record: Record) -> bool:
    """Whether one record shows its format by itself, so that no more need be held before reading starts."""
    return record.error is None and native.matches([record.data])


def _sample(head: Iterable[Record]) -> list[Any]:
    return [r.data for r in islice(head, SAMPLE) if r.error is None]


def _taken(head: list[Record]) -> tuple[Format, bool]:
    """Return the format that records show, and whether only what is within them shows it. Raises FormatError."""
    for in_pages in (False, True):
        sample = _sample(pages.opened(head) if in_pages else head)
        found = next((f for f in FORMATS if f.shows(sample)), None)
        if found is not None:
            return found, in_pages
    first = next((r for r in head if r.error is None), None)
    if first is None:
        raise FormatError("no record could be read: nothing shows a format")
    seen = (
        f"fields: {listed(sorted(map(str, first.data)))}"
        if isinstance(first.data, Mapping)
        else f"seen: {_kind(first.data)}"
    )
    known = ", ".join(BY_NAME)
    raise FormatError(
        f"line {first.line}: the format is not known ({seen}); known: {known}. A run needs 'reply' and 'ledger'; "
        "--format names one",
        line=first.line,
    )


def _kind(value: Any) -> str:
    """What a record is that is no object."""
    if isinstance(value, list):
        return "a list of " + (_kind(value[0]).removeprefix("a ").removeprefix("an ") + "s" if value else "nothing")
    names = {
        str: "a string",
        bool: "a boolean",
        int: "a number",
        float: "a number",
        type(None): "null",
        dict: "an object",
    }
    return names.get(type(value), type(value).__name__)
