"""Write-ahead logging in an SQLite file that several processes open at once."""

from __future__ import annotations

import sqlite3
import time

_PAUSE = 0.01  # seconds


def use_wal(connection: sqlite3.Connection, wait: float) -> None:
    """Switch the file of `connection` to write-ahead logging; `wait` seconds for other processes.

    The switch needs the file for itself, and SQLite refuses it at once instead of waiting as it does for a write.
    Raises sqlite3.OperationalError if the file stays locked.
    """
    end = time.monotonic() + wait
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as e:
            if e.sqlite_errorcode & 0xFF not in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED) or time.monotonic() >= end:
                raise
            time.sleep(_PAUSE)
        else:
            return
