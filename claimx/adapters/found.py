"""What reading a foreign record gives: a run, or what is wrong and where."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from claimx.errors import InputError, InputNote
from claimx.types import Run

#: `last`: the last text of the agent in each conversation; `all`: every text, each against the calls before it.
Turns = Literal["last", "all"]
#: Why calls may be missing from a record.
UNREADABLE = "parts of it could not be read"
ELSEWHERE = "what it goes on from is kept elsewhere"
UNSEEN_AGENT = "what the sub-agent did is not in the record"


@dataclass(frozen=True, slots=True)
class Found:
    """A run with the number of the line (1-based) it came from, or an error. An `InputNote` cost nothing."""

    line: int
    run: Run | None = None
    error: InputError | None = None

    @property
    def is_note(self) -> bool:
        """Whether this tells of something odd that left every run intact."""
        return isinstance(self.error, InputNote)


@dataclass(frozen=True, slots=True)
class Reading:
    """How records are to be read: which turns, and where files beside the source lie (None: there is no folder)."""

    turns: Turns = "last"
    path: Path | None = None


def fault(line: int, message: str, *, field: str | None = None) -> Found:
    """Make an error that names its line."""
    where = f"line {line}: " if line else ""
    return Found(line, error=InputError(f"{where}{message}", line=line or None, field=field))


def note(line: int, message: str) -> Found:
    """Make a note that names its line."""
    where = f"line {line}: " if line else ""
    return Found(line, error=InputNote(f"{where}{message}", line=line or None))


def listed(names: Iterable[object], most: int = 8) -> str:
    """Return names for an error: a few, each shortened, never a value of the record.

    >>> listed(["b", "a"]), listed(range(12), 3)
    ('b, a', '0, 1, 2 and 9 more')
    """
    items = [shown(n) for n in names]
    rest = f" and {len(items) - most} more" if len(items) > most else ""
    return ", ".join(items[:most]) + rest if items else "none"


def shown(value: object, width: int = 40) -> str:
    """Return a short form of a name for an error.

    >>> shown("x" * 50)
    'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…'
    """
    text = " ".join(str(value).split())
    return text if len(text) <= width else text[: width - 1] + "…"
