"""Where rows are kept, behind one small protocol; `open_store` picks the store by its address."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from claimx.errors import LedgerError
from claimx.ledger.row import Row
from claimx.ledger.stores.jsonl import JsonlStore
from claimx.ledger.stores.memory import MemoryStore

__all__ = ["JsonlStore", "MemoryStore", "Seal", "Store", "open_store"]

#: Makes the row that follows the last one of a conversation (None: the first). May be called again after a lost race.
Seal = Callable[[Row | None], Row]

_SQLITE = {".db", ".sqlite", ".sqlite3"}
_JSONL = {".jsonl", ".ndjson"}


class Store(Protocol):
    """Keeps rows, in order, and never changes or removes one. Safe for threads, and for processes where it is shared.

    Every method raises LedgerError when the store can't be reached.
    """

    def append(self, conversation: str, seal: Seal) -> Row:
        """Add what `seal` makes of the conversation's last row: wholly or not at all, and no other row in between."""

    def read(self, conversation: str) -> list[Row]:
        """Return the rows of a conversation as they are stored; a row that can't be read carries its damage."""

    def conversations(self) -> list[str]:
        """Return the conversations of which the store holds rows."""

    def close(self) -> None:
        """Let go of files and connections."""


def open_store(address: str | Path, *, must_exist: bool = False) -> Store:
    """Open the store at an address.

    A path that ends in .db, .sqlite or .sqlite3, or any other `sqlite:///` URL: SQLite. A path that ends in .jsonl:
    JSON lines. `postgresql://` (extra `sql`), `redis://` and `rediss://` (extra `redis`); `memory:` for tests.
    With `must_exist` a file that isn't there is an error instead of a new ledger.
    """
    text = str(address)
    if text == "memory:":
        return MemoryStore()
    scheme = text.partition("://")[0].lower() if "://" in text else ""
    if scheme in ("redis", "rediss", "unix"):
        from claimx.ledger.stores.redis import RedisStore

        return RedisStore(text)
    if scheme.split("+")[0] in ("postgresql", "postgres", "sqlite"):
        from claimx.ledger.stores.sql import SqlStore

        return SqlStore(text, must_exist=must_exist)
    if scheme:
        raise LedgerError(f"{text}: no store of the kind {scheme!r}: expected sqlite, postgresql, redis or a file path")
    path = Path(text)
    if must_exist and not path.exists():
        raise LedgerError(f"{path}: no such ledger")
    if path.suffix.lower() in _JSONL:
        return JsonlStore(path)
    if path.suffix.lower() in _SQLITE:
        from claimx.ledger.stores.sql import SqlStore

        return SqlStore(path, must_exist=must_exist)
    raise LedgerError(f"{path}: a ledger file ends in {', '.join(sorted(_JSONL | _SQLITE))}, or give a URL")
