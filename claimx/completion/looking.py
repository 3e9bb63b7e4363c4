"""Looking at a file of completion states from outside: whether it is one, and whether it is what was written. Never writes."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from claimx.completion.journal import Journal, Verified
from claimx.completion.schema import MIGRATIONS
from claimx.errors import CompletionError
from claimx.ledger.keys import HmacKey


def tables_of(path: str | Path) -> frozenset[str]:
    """The tables of an SQLite file; empty for any other."""
    try:
        with Path(path).open("rb") as file:
            if file.read(16) != b"SQLite format 3\x00":
                return frozenset()
        with _opened(path) as db:
            return frozenset(r[0] for r in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'"))
    except (OSError, CompletionError):
        return frozenset()


def holds_completions(path: str | Path) -> bool:
    """Whether a file keeps the state of actions (it may be a ledger as well)."""
    return {"intents", "openings", "receipts", "checks"} <= tables_of(path)


def verify_file(path: str | Path, keys: Sequence[bytes | HmacKey] = (), *, head: str | None = None) -> Verified:
    """Verify every record of a file. `keys` are tried in turn where it is chained with a key. Raises CompletionError when it
    can't be read, is chained with another key, or is of another version."""
    with _opened(path) as db:
        (version,) = db.execute("PRAGMA user_version").fetchone()
        if version > len(MIGRATIONS):
            raise CompletionError(
                f"{path}: made by a later version (schema {version}, known {len(MIGRATIONS)}): upgrade claimx"
            )
        if version < len(MIGRATIONS):
            raise CompletionError(
                f"{path}: made by an earlier version (schema {version} of {len(MIGRATIONS)}): open it once with SqliteStore, "
                "which brings it up to date"
            )
        journal = _fitting(str(path), db, keys)
        return journal.verify(db, head)


def _fitting(path: str, db: sqlite3.Connection, keys: Sequence[bytes | HmacKey]) -> Journal:
    """The journal with the key that the file is kept with."""
    refused: list[CompletionError] = []
    for key in keys or (None,):
        journal = Journal(path, key)
        try:
            journal.check_key(db)
        except CompletionError as e:
            refused.append(e)
        else:
            return journal
    raise refused[0]


@contextmanager
def _opened(path: str | Path) -> Iterator[sqlite3.Connection]:
    try:
        with closing(sqlite3.connect(f"{Path(path).absolute().as_uri()}?mode=ro", uri=True, timeout=10.0)) as db:
            db.execute("BEGIN")
            yield db
    except sqlite3.Error as e:
        raise CompletionError(f"{path}: cannot be read ({e})") from e
