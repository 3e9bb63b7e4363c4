"""A sub-agent's own file beside a session's: its lines come when their time has come, so that no call counts too early."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from claimx.adapters.plain import mapping, text
from claimx.errors import InputError
from claimx.records import Record, parse_line


@dataclass(slots=True, eq=False)
class Aside:
    """A sub-agent's file, its name, and the call that started it where that is known.

    Lines have a `timestamp`: ISO 8601 of one form, which sorts as text. `begins` is that of the first.
    """

    path: Path
    name: str
    owner: str | None = None
    begins: str = ""
    _lines: Iterator[Record] | None = field(default=None, repr=False)
    _next: Record | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        head = next(lines_of(self.path), None)
        self.begins = _time_of(head) if head else ""

    def until(self, now: str | None) -> Iterator[Record]:
        """Yield the lines that were written by a time and not given yet; None: all."""
        if self._lines is None:
            self._lines = lines_of(self.path)
            self._next = next(self._lines, None)
        while self._next is not None and (now is None or _time_of(self._next) <= now):
            record, self._next = self._next, next(self._lines, None)
            yield record

    @property
    def is_done(self) -> bool:
        """Whether all lines have been given."""
        return self._lines is not None and self._next is None


def lines_of(file: Path) -> Iterator[Record]:
    """Yield the lines of a file; one that cannot be opened gives its error."""
    try:
        with file.open("rb") as stream:
            for number, line in enumerate(stream, 1):
                if line.strip():
                    yield parse_line(line, number)
    except OSError as e:
        yield Record(0, error=InputError(f"cannot be read ({e.strerror})"))


def _time_of(record: Record) -> str:
    return text(mapping(record.data).get("timestamp")) or ""
