"""The SQLite file of a completion store: one connection a process, transactions, and errors that name the file."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from threading import RLock

from claimx.errors import CompletionError
from claimx.ledger.wal import use_wal


class StateFile:
    """Shared by threads, and by processes that were forked. `wait` is how long a write waits for another, in seconds."""

    def __init__(self, path: str, wait: float) -> None:
        self.path = path
        self._wait = wait
        self._lock = RLock()
        self._pid = os.getpid()
        self._inherited: list[sqlite3.Connection] = []
        self.connection = self._connect()

    def close(self) -> None:
        with self._lock:
            self.connection.close()

    def make_durable(self) -> None:
        """Use a log beside the file, and write each transaction through to the disk."""
        try:
            use_wal(self.connection, self._wait)
            self.connection.execute("PRAGMA synchronous = FULL")
        except sqlite3.Error as e:
            raise CompletionError(f"{self.path}: {e}") from e

    def writing(self) -> AbstractContextManager[sqlite3.Connection]:
        return self._transaction("BEGIN IMMEDIATE")

    def reading(self) -> AbstractContextManager[sqlite3.Connection]:
        return self._transaction("BEGIN")

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        with self._lock:
            db = self._own()
            try:
                db.execute(begin)
                yield db
                db.execute("COMMIT")
            except BaseException as e:
                with suppress(sqlite3.Error):  # of a closed file, or one that has rolled back by itself
                    db.execute("ROLLBACK")
                if isinstance(e, sqlite3.Error | UnicodeError | OverflowError):
                    raise CompletionError(f"{self.path}: {e}") from e
                raise

    def _own(self) -> sqlite3.Connection:
        """The connection of this process: one must not be shared with the process that this one was forked from."""
        if os.getpid() != self._pid:
            self._inherited.append(self.connection)  # closing it here would release the parent's locks
            self.connection, self._pid = self._connect(), os.getpid()
        return self.connection

    def _connect(self) -> sqlite3.Connection:
        try:
            return sqlite3.connect(self.path, timeout=self._wait, isolation_level=None, check_same_thread=False)
        except sqlite3.Error as e:
            raise CompletionError(f"{self.path}: cannot be opened ({e})") from e
