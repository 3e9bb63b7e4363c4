"""Completion state in one SQLite file: survives restarts, serves several processes."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Any, Self

from claimx.completion.intent import Intent
from claimx.completion.receipt import AttemptReceipt, Opening
from claimx.completion.verification import CheckRecord
from claimx.errors import CompletionError

#: Applied in order; the number of the last one stands in the file's user_version.
_MIGRATIONS = (
    """
    CREATE TABLE intents (action_id TEXT PRIMARY KEY, body TEXT NOT NULL);
    CREATE TABLE openings (
        action_id TEXT NOT NULL, step TEXT NOT NULL, attempt INTEGER NOT NULL, body TEXT NOT NULL,
        PRIMARY KEY (action_id, step, attempt));
    CREATE TABLE receipts (
        number INTEGER PRIMARY KEY AUTOINCREMENT, receipt_id TEXT NOT NULL UNIQUE, action_id TEXT NOT NULL,
        step TEXT NOT NULL, attempt INTEGER NOT NULL, body TEXT NOT NULL, UNIQUE (action_id, step, attempt));
    CREATE TABLE checks (number INTEGER PRIMARY KEY AUTOINCREMENT, action_id TEXT NOT NULL, body TEXT NOT NULL);
    CREATE INDEX checks_by_action ON checks (action_id);
    CREATE TABLE documents (
        action_id TEXT PRIMARY KEY, revision INTEGER NOT NULL, state TEXT NOT NULL, next_check_at REAL, body TEXT NOT NULL);
    CREATE INDEX documents_due ON documents (next_check_at) WHERE next_check_at IS NOT NULL;
    CREATE TRIGGER receipts_stay BEFORE UPDATE ON receipts BEGIN SELECT RAISE(ABORT, 'receipts are never changed'); END;
    CREATE TRIGGER receipts_last BEFORE DELETE ON receipts BEGIN SELECT RAISE(ABORT, 'receipts are never removed'); END;
    """,
)


class SqliteStore:
    """Keeps the state of actions in a file. Safe to share between threads; several processes may open one file.

    `wait` is how long, in seconds, a write waits for that of another process.
    """

    def __init__(self, path: str | Path, *, wait: float = 10.0) -> None:
        self.path = str(path)
        self._lock = RLock()
        try:
            self._connection = sqlite3.connect(self.path, timeout=wait, isolation_level=None, check_same_thread=False)
        except sqlite3.Error as e:
            raise CompletionError(f"{self.path}: cannot be opened ({e})") from e
        try:
            self._migrate()
        except BaseException:
            self._connection.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()

    def _migrate(self) -> None:
        with self._writing() as db:
            (done,) = db.execute("PRAGMA user_version").fetchone()
            if done > len(_MIGRATIONS):
                raise CompletionError(
                    f"{self.path}: made by a later version (schema {done}, known {len(_MIGRATIONS)}): upgrade claimx"
                )
            for number, script in enumerate(_MIGRATIONS[done:], done + 1):
                for statement in _statements(script):
                    db.execute(statement)
                db.execute(f"PRAGMA user_version = {number}")
        with self._reading() as db:
            db.execute("PRAGMA journal_mode = WAL")
            db.execute("PRAGMA synchronous = FULL")

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._lock, self._reading() as db:
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db
            except BaseException:
                db.execute("ROLLBACK")
                raise
            db.execute("COMMIT")

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                yield self._connection
            except sqlite3.Error as e:
                raise CompletionError(f"{self.path}: {e}") from e

    def _bodies(self, query: str, *values: Any) -> list[dict[str, Any]]:
        with self._reading() as db:
            return [json.loads(body) for (body,) in db.execute(query, values)]

    def put_intent(self, intent: Intent) -> Intent:
        with self._writing() as db:
            db.execute("INSERT OR IGNORE INTO intents VALUES (?, ?)", (intent.action_id, _dump(intent.to_dict())))
        kept = self.intent(intent.action_id)
        return kept if kept is not None else intent

    def intent(self, action_id: str) -> Intent | None:
        found = self._bodies("SELECT body FROM intents WHERE action_id = ?", action_id)
        return Intent.from_dict(found[0]) if found else None

    def open_attempt(self, opening: Opening) -> bool:
        row = (opening.action_id, opening.step, opening.attempt, _dump(opening.to_dict()))
        with self._writing() as db:
            return db.execute("INSERT OR IGNORE INTO openings VALUES (?, ?, ?, ?)", row).rowcount == 1

    def openings(self, action_id: str) -> list[Opening]:
        query = "SELECT body FROM openings WHERE action_id = ? ORDER BY rowid"
        return [Opening.from_dict(b) for b in self._bodies(query, action_id)]

    def close_attempt(self, receipt: AttemptReceipt) -> bool:
        row = (receipt.receipt_id, receipt.action_id, receipt.step, receipt.attempt, _dump(receipt.to_dict()))
        query = "INSERT OR IGNORE INTO receipts (receipt_id, action_id, step, attempt, body) VALUES (?, ?, ?, ?, ?)"
        with self._writing() as db:
            return db.execute(query, row).rowcount == 1

    def receipts(self, action_id: str) -> list[AttemptReceipt]:
        query = "SELECT body FROM receipts WHERE action_id = ? ORDER BY number"
        return [_receipt(b) for b in self._bodies(query, action_id)]

    def receipt(self, receipt_id: str) -> AttemptReceipt | None:
        found = self._bodies("SELECT body FROM receipts WHERE receipt_id = ?", receipt_id)
        return _receipt(found[0]) if found else None

    def add_check(self, check: CheckRecord) -> None:
        with self._writing() as db:
            row = (check.action_id, _dump(check.to_dict()))
            db.execute("INSERT INTO checks (action_id, body) VALUES (?, ?)", row)

    def checks(self, action_id: str) -> list[CheckRecord]:
        query = "SELECT body FROM checks WHERE action_id = ? ORDER BY number"
        return [CheckRecord.from_dict(b) for b in self._bodies(query, action_id)]

    def put_document(self, document: dict[str, Any]) -> None:
        row = (
            document["action_id"],
            document["revision"],
            document["state"],
            document["next_check_at"],
            _dump(document),
        )
        query = (
            "INSERT INTO documents VALUES (?, ?, ?, ?, ?) ON CONFLICT (action_id) DO UPDATE SET revision = excluded.revision, "
            "state = excluded.state, next_check_at = excluded.next_check_at, body = excluded.body "
            "WHERE documents.revision <= excluded.revision"
        )
        with self._writing() as db:
            db.execute(query, row)

    def document(self, action_id: str) -> dict[str, Any] | None:
        return next(iter(self._bodies("SELECT body FROM documents WHERE action_id = ?", action_id)), None)

    def due(self, now: float) -> list[str]:
        query = "SELECT action_id FROM documents WHERE next_check_at <= ? ORDER BY next_check_at, action_id"
        with self._reading() as db:
            return [a for (a,) in db.execute(query, (now,))]


def _receipt(body: dict[str, Any]) -> AttemptReceipt:
    try:
        return AttemptReceipt.from_dict(body)
    except ValueError as e:
        raise CompletionError(f"{e}: nothing of this action may be told as done") from e


def _dump(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)


def _statements(script: str) -> Iterator[str]:
    """Split a script at the semicolons that end its statements."""
    part = ""
    for piece in script.split(";"):
        part += piece + ";"
        if sqlite3.complete_statement(part):
            if part.strip(" \n;"):
                yield part
            part = ""
