"""Rows as lines of a file: readable by anything, one writer at a time under a lock on the file."""

from __future__ import annotations

import logging
import os
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from claimx.errors import LedgerError
from claimx.ledger.row import Row

_LOG = logging.getLogger("claimx.ledger")
_CONVERSATION = re.compile(rb'"conversation":("(?:[^"\\]|\\.)*")')


class JsonlStore:
    """Keeps rows in a JSON Lines file.

    A row counts once its line ends. A line that a dying writer left unfinished is completed if its row is whole, else
    moved to the file `<name>.torn`. `sync=False` trades the promise that a row outlives a power cut for speed;
    `write` is what puts bytes into the file (os.write).
    """

    def __init__(self, path: str | Path, *, sync: bool = True, write: Callable[[int, Any], int] = os.write) -> None:
        self.path = Path(path)
        self.sync = sync
        self._write = write
        self._lock = threading.Lock()
        self._read_to = 0
        self._inode = 0
        self._last: dict[str, Row] = {}

    def append(self, conversation: str, seal: Callable[[Row | None], Row]) -> Row:
        with self._lock, self._opened(os.O_RDWR | os.O_CREAT | os.O_APPEND) as file:
            self._catch_up(file)
            row = seal(self._last.get(conversation))
            self._put(file, row.to_json().encode() + b"\n")
            self._last[conversation] = row
            self._read_to = os.fstat(file).st_size
            return row

    def read(self, conversation: str) -> list[Row]:
        return [r for c, r in self._rows() if c is None or c == conversation]

    def conversations(self) -> list[str]:
        return sorted({c for c, _ in self._rows() if c is not None})

    def close(self) -> None:
        """Nothing to let go of: the file is opened for each row."""

    def _rows(self) -> Iterator[tuple[str | None, Row]]:
        """Each row with its conversation; None for a damaged line that doesn't even say that."""
        try:
            data = self.path.read_bytes()
        except FileNotFoundError:
            return
        except OSError as e:
            raise LedgerError(f"{self.path}: cannot be read ({e.strerror})") from e
        # What stands after the last newline is a row in the making, not yet a row.
        for line in data[: data.rfind(b"\n") + 1].split(b"\n"):
            if line.strip():
                yield _parse(line)

    @contextmanager
    def _opened(self, flags: int) -> Iterator[int]:
        try:
            file = os.open(self.path, flags, 0o600)
        except OSError as e:
            raise LedgerError(f"{self.path}: cannot be opened ({e.strerror})") from e
        try:
            _lock(file)
            yield file
        except OSError as e:
            raise LedgerError(f"{self.path}: cannot be written ({e.strerror})") from e
        finally:
            os.close(file)  # and with it the lock goes

    def _put(self, file: int, data: bytes) -> None:
        at = os.fstat(file).st_size
        try:
            rest = memoryview(data)
            while rest:
                rest = rest[self._write(file, rest) :]
            if self.sync:
                os.fsync(file)
        except OSError:
            os.ftruncate(file, at)  # a full disk must not leave half a row
            raise

    def _catch_up(self, file: int) -> None:
        """Read what others have added, and mend what a dead writer left unfinished."""
        stat = os.fstat(file)
        if stat.st_ino != self._inode or stat.st_size < self._read_to:
            self._read_to, self._inode, self._last = 0, stat.st_ino, {}
        data = _read_from(file, self._read_to, stat.st_size)
        whole = data.rfind(b"\n") + 1
        for line in data[:whole].split(b"\n")[:-1]:
            conversation, row = _parse(line)
            if conversation is not None:
                self._last[conversation] = row
        torn = data[whole:]
        if torn:
            self._mend(file, self._read_to + whole, torn)
        self._read_to = os.fstat(file).st_size

    def _mend(self, file: int, at: int, torn: bytes) -> None:
        conversation, row = _parse(torn)
        if row.damage is None and conversation is not None:
            self._put(file, b"\n")
            self._last[conversation] = row
            return
        aside = self.path.with_name(self.path.name + ".torn")
        with aside.open("ab") as keep:
            keep.write(torn + b"\n")
        os.ftruncate(file, at)
        _LOG.warning("%s: %d bytes of a row that was never finished were moved to %s", self.path, len(torn), aside)


def _parse(line: bytes) -> tuple[str | None, Row]:
    row = Row.from_json(line)
    if isinstance(row.body.get("conversation"), str):
        return row.conversation, row
    found = _CONVERSATION.search(line)
    name = Row.from_json(b'{"body":{"conversation":%s}}' % found[1]) if found else None
    return (name.conversation if name else None), row


def _read_from(file: int, start: int, end: int) -> bytes:
    os.lseek(file, start, os.SEEK_SET)
    parts = []
    while start < end and (part := os.read(file, end - start)):
        parts.append(part)
        start += len(part)
    return b"".join(parts)


def _lock(file: int) -> None:
    try:
        import fcntl
    except ImportError:  # Windows
        import msvcrt

        os.lseek(file, 0, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_LOCK, 1)  # type: ignore[attr-defined, unused-ignore]
    else:
        fcntl.flock(file, fcntl.LOCK_EX)
