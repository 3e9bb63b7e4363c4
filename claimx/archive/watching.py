"""Files that change while they are scored: what was there at the start is read, and what became of it is told."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from claimx.adapters import Found
from claimx.errors import InputError, InputNote

#: Told of a file of the same length that was written between two sessions.
REWRITTEN = (
    "was written over since this score was begun, and is as long as it was: from line {} on it was read as it is now, and nothing "
    "tells what it was then: if it held other runs, score it into another --out"
)


@dataclass(frozen=True, slots=True)
class Stamp:
    """Which file it was when the score began, how long, and when it had been written last (in nanoseconds since 1970)."""

    device: int
    inode: int
    size: int
    written: int


class BrokenSource(InputError):
    """A file that cannot be opened, or that breaks off: what came before it stands."""


class ChangedSource(InputNote):
    """A file that is no longer what it was when the score began; what was read of it is whole."""


class Raw(Protocol):
    """An open file that counts what was read of it."""

    at: int
    ended: bool
    last: int

    def fileno(self) -> int: ...


def stamped(path: Path) -> Stamp | None:
    """Return the stamp of a file, None for what has no length of its own: a pipe, a device, nothing at all."""
    try:
        found = path.stat()
    except OSError:
        return None
    return Stamp(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns) if stat.S_ISREG(found.st_mode) else None


def as_begun(stamp: Stamp | None, label: str, sizes: Mapping[str, int]) -> Stamp | None:
    """Return the stamp with the length that the file had when its score was begun, in whichever session."""
    return replace(stamp, size=sizes[label]) if stamp is not None and label in sizes else stamp


class Watch:
    """Looks at one file when it is opened and when it was read."""

    def __init__(self, path: Path | None, stamp: Stamp | None) -> None:
        self._path = path
        self._stamp = stamp
        self._limit: int | None = None
        self._change: InputError | None = None
        self._torn_line = False
        self._opened = self._by_name()

    def limit(self, file: int) -> int | None:
        """Return how many bytes of an open file are to be read: those that were there at the start. None: all there are."""
        self._opened = os.fstat(file)
        if self._stamp is None or not stat.S_ISREG(self._opened.st_mode) or not self._opened.st_size:
            return None
        grown = self._is_ours(self._opened) and self._opened.st_size > self._stamp.size
        self._limit = self._stamp.size if grown else self._opened.st_size
        return self._limit

    def look(self, raw: Raw | None = None) -> None:
        """Compare the file with what it was. `raw` is the open file where its bytes were read one after the other."""
        if self._stamp is None or self._opened is None:
            return
        self._change = self._before_its_turn() or (
            self._by_name_changed() if raw is None or self._limit is None else self._while_read(raw, self._limit)
        )

    def end(self, last: Found | None, line: int) -> list[Found]:
        """Return what stands at the end: the last found, and what became of the file."""
        found = [last] if last is not None else []
        error = self._change
        if error is None:
            return found
        torn = self._torn_line and last is not None and last.error is not None
        if last is not None and torn and not isinstance(last.error, BrokenSource | InputNote):
            found = [
                Found(
                    last.line,
                    error=InputNote(f"line {last.line}: was being written when the score began", line=last.line),
                )
            ]
        error.line = max(line, 1)
        return [*found, Found(error.line, error=error)]

    def _is_ours(self, found: os.stat_result) -> bool:
        assert self._stamp is not None  # noqa: S101  both callers have looked
        return (found.st_dev, found.st_ino) == (self._stamp.device, self._stamp.inode)

    def _before_its_turn(self) -> InputError | None:
        assert self._stamp is not None and self._opened is not None  # noqa: S101, PT018  the caller has looked
        size, begun = self._opened.st_size, self._stamp.size
        if not self._is_ours(self._opened):
            return ChangedSource(f"was replaced after the score began: the {size:,} bytes of the new one were read")
        if size < begun:
            return BrokenSource(
                f"is shorter than when the score began ({begun:,} bytes then, {size:,} when it was read): "
                "put the whole file back and score it into another --out"
            )
        return None

    def _while_read(self, raw: Raw, limit: int) -> InputError | None:
        now = os.fstat(raw.fileno())
        if raw.ended and raw.at < limit:
            return BrokenSource(
                f"was cut short while it was read: {raw.at:,} of {limit:,} bytes were there: "
                "put the whole file back and score it into another --out"
            )
        if now.st_size > limit:
            self._torn_line = raw.last != ord("\n")
            return ChangedSource(
                f"has grown since the score began: its first {limit:,} bytes were read, all it had then, of {now.st_size:,} now: "
                "score it into another --out for the rest"
            )
        if now.st_size < limit:
            return ChangedSource(
                f"was cut short when its {limit:,} bytes had been read: what was read is the file as it was"
            )
        return self._by_name_changed(now)

    def _by_name_changed(self, now: os.stat_result | None = None) -> InputError | None:
        assert self._opened is not None  # noqa: S101  the caller has looked
        there = self._by_name()
        whole = "what was read is the file as it was"
        if there is None:
            return ChangedSource(f"was removed while it was read: {whole}")
        if (there.st_dev, there.st_ino) != (self._opened.st_dev, self._opened.st_ino):
            return ChangedSource(f"was replaced while it was read: {whole}")
        now = now or there
        if (now.st_size, now.st_mtime_ns) != (self._opened.st_size, self._opened.st_mtime_ns):
            return ChangedSource(
                "was written over while it was read: what was read may be of both: score it into another --out"
            )
        return None

    def _by_name(self) -> os.stat_result | None:
        try:
            return self._path.stat() if self._path is not None else None
        except OSError:
            return None
