"""Rows in this process alone: for tests, and for runs that are checked at once and forgotten."""

from __future__ import annotations

import threading
from collections.abc import Callable

from claimx.ledger.row import Row


class MemoryStore:
    """Keeps rows in memory."""

    def __init__(self) -> None:
        self._rows: dict[str, list[Row]] = {}
        self._lock = threading.Lock()

    def append(self, conversation: str, seal: Callable[[Row | None], Row]) -> Row:
        with self._lock:
            rows = self._rows.get(conversation, [])
            row = seal(rows[-1] if rows else None)
            self._rows.setdefault(conversation, rows).append(row)
            return row

    def read(self, conversation: str) -> list[Row]:
        with self._lock:
            return list(self._rows.get(conversation, ()))

    def conversations(self) -> list[str]:
        with self._lock:
            return sorted(self._rows)

    def close(self) -> None:
        """Nothing to let go of."""
