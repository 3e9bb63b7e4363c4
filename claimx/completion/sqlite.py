"""Completion state in one SQLite file: survives restarts, serves several processes."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any, Self, TypeVar

from claimx.completion.intent import Intent
from claimx.completion.journal import Journal, Verified
from claimx.completion.receipt import AttemptReceipt, Opening
from claimx.completion.schema import CHAINED, DIGESTED, MIGRATIONS, statements
from claimx.completion.state_file import StateFile
from claimx.completion.verification import CheckRecord
from claimx.errors import CompletionError
from claimx.ledger.keys import HmacKey

T = TypeVar("T")
_GET = "SELECT action_id, revision, state, next_check_at, body, digest FROM documents WHERE action_id = ?"
_PUT = (
    "INSERT INTO documents (action_id, revision, state, next_check_at, body, digest) VALUES (?, ?, ?, ?, ?, ?) "
    "ON CONFLICT (action_id) DO UPDATE SET revision = excluded.revision, state = excluded.state, "
    "next_check_at = excluded.next_check_at, body = excluded.body, digest = excluded.digest "
    "WHERE documents.revision <= excluded.revision"
)


class SqliteStore:
    """Keeps the state of actions in a file. Safe to share between threads; several processes may open one file.

    Intents, openings, receipts and checks are append-only and chained: one that was changed, removed or slipped in is
    named by a CompletionError as soon as its action is read, and by `verify`. `key` (bytes, or an HmacKey of a key file) chains
    by HMAC: who can write the file and has not the key can't forge a record. `adopt` takes the records of an earlier version, which no key protects,
    into a chain with a key. `wait` is how long, in seconds, a write waits for that of another process.
    """

    def __init__(
        self, path: str | Path, *, key: bytes | HmacKey | None = None, adopt: bool = False, wait: float = 10.0
    ) -> None:
        self.path = str(path)
        self._adopt = adopt or key is None
        self._journal = Journal(self.path, key)
        self._file = StateFile(self.path, wait)
        try:
            self._migrate()
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def verify(self, *, head: str | None = None) -> Verified:
        """Verify every record of the file; `head` is the digest of a record noted earlier, which must be in it."""
        with self._file.reading() as db:
            return self._journal.verify(db, head)

    def put_intent(self, intent: Intent) -> Intent:
        with self._file.writing() as db:
            if db.execute("SELECT 1 FROM intents WHERE action_id = ?", (intent.action_id,)).fetchone() is None:
                body = self._dump(intent.to_dict(), f"the intent of action {intent.action_id}")
                db.execute("INSERT INTO intents VALUES (?, ?)", (intent.action_id, body))
                self._journal.add(db, intent.action_id, "intent", intent.action_id, body)
        kept = self.intent(intent.action_id)
        return kept if kept is not None else intent

    def intent(self, action_id: str) -> Intent | None:
        return next(iter(self._records(action_id, "intent", Intent.from_dict)), None)

    def open_attempt(self, opening: Opening) -> bool:
        o = opening
        with self._file.writing() as db:
            query = "SELECT 1 FROM openings WHERE action_id = ? AND step = ? AND attempt = ?"
            if db.execute(query, (o.action_id, o.step, o.attempt)).fetchone() is not None:
                return False
            body = self._dump(o.to_dict(), f"attempt {o.attempt} of action {o.action_id}")
            db.execute("INSERT INTO openings VALUES (?, ?, ?, ?)", (o.action_id, o.step, o.attempt, body))
            self._journal.add(db, o.action_id, "opening", f"{o.step}#{o.attempt}", body)
            self._schedule(db, o)
        return True

    def openings(self, action_id: str) -> list[Opening]:
        return self._records(action_id, "opening", Opening.from_dict)

    def close_attempt(self, receipt: AttemptReceipt) -> bool:
        r = receipt
        with self._file.writing() as db:
            query = "SELECT 1 FROM receipts WHERE receipt_id = ? OR (action_id = ? AND step = ? AND attempt = ?)"
            if db.execute(query, (r.receipt_id, r.action_id, r.step, r.attempt)).fetchone() is not None:
                return False
            body = self._dump(r.to_dict(), f"receipt {r.receipt_id}")
            db.execute(
                "INSERT INTO receipts (receipt_id, action_id, step, attempt, body) VALUES (?, ?, ?, ?, ?)",
                (r.receipt_id, r.action_id, r.step, r.attempt, body),
            )
            self._journal.add(db, r.action_id, "receipt", r.receipt_id, body)
        return True

    def receipts(self, action_id: str) -> list[AttemptReceipt]:
        return self._records(action_id, "receipt", AttemptReceipt.from_dict)

    def receipt(self, receipt_id: str) -> AttemptReceipt | None:
        with self._file.reading() as db:
            found = db.execute("SELECT action_id FROM receipts WHERE receipt_id = ?", (receipt_id,)).fetchone()
        mine = self.receipts(found[0]) if found is not None else []
        return next((r for r in mine if r.receipt_id == receipt_id), None)

    def add_check(self, check: CheckRecord) -> None:
        body = self._dump(check.to_dict(), f"a check of action {check.action_id}")
        with self._file.writing() as db:
            number = db.execute("INSERT INTO checks (action_id, body) VALUES (?, ?)", (check.action_id, body)).lastrowid
            self._journal.add(db, check.action_id, "check", str(number), body)

    def checks(self, action_id: str) -> list[CheckRecord]:
        return self._records(action_id, "check", CheckRecord.from_dict)

    def put_document(self, document: dict[str, Any]) -> None:
        body = self._dump(document, f"the document of action {document['action_id']}")
        row = (document["action_id"], document["revision"], document["state"], document["next_check_at"], body)
        with self._file.writing() as db:
            db.execute(_PUT, (*row, self._digest_of(row)))

    def document(self, action_id: str) -> dict[str, Any] | None:
        what = f"the document of action {action_id}"
        with self._file.reading() as db:
            found = db.execute(_GET, (action_id,)).fetchone()
        if found is None or not found[4]:
            return None
        document = self._read(found[4], what, dict)
        if not self._journal.fits_document(found):
            raise CompletionError(f"{self.path}: {what} was altered: rebuild it with Completions.document")
        return document

    def due(self, now: float) -> list[str]:
        query = "SELECT action_id FROM documents WHERE next_check_at <= ? ORDER BY next_check_at, action_id"
        with self._file.reading() as db:
            return [a for (a,) in db.execute(query, (now,))]

    # -- inside ----------------------------------------------------------------------------------------------------

    def _schedule(self, db: sqlite3.Connection, opening: Opening) -> None:
        """Make an attempt's action due when its lease is over, in the transaction that opens it: if the process dies before
        it keeps a document, the action is still found."""
        found = db.execute(_GET, (opening.action_id,)).fetchone() or (opening.action_id, 0, "", None, "", "")
        row = (*found[:3], opening.lease_until, found[4])
        digest = self._digest_of(row) if not found[4] or self._journal.fits_document(found) else ""
        db.execute(_PUT, (*row, digest))

    def _digest_of(self, row: tuple[object, ...]) -> str:
        action_id, revision, state, due, body = row
        return self._journal.document_digest(
            (action_id, revision, state, None if due is None else float(str(due)), body)
        )

    def _records(self, action_id: str, kind: str, read: Callable[[dict[str, Any]], T]) -> list[T]:
        with self._file.reading() as db:
            found = self._journal.bodies(db, action_id)
        return [self._read(body, f"{k} {record} of action {action_id}", read) for k, record, body in found if k == kind]

    def _read(self, body: Any, what: str, read: Callable[[dict[str, Any]], T]) -> T:
        try:
            return read(json.loads(body))
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as e:
            how = (
                "rebuild it with Completions.document"
                if what.startswith("the document")
                else "restore it from a backup"
            )
            raise CompletionError(
                f"{self.path}: {what} cannot be read ({e}): {how}; other records stay readable, and nothing of this action "
                "may be told as done meanwhile"
            ) from e

    def _dump(self, value: dict[str, Any], what: str) -> str:
        try:
            text = json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
            # A lone surrogate has no UTF-8 form: it is kept as its escape.
            return text if _is_utf8(text) else json.dumps(value, sort_keys=True, default=str)
        except (TypeError, ValueError, RecursionError) as e:
            raise CompletionError(f"{self.path}: {what} is no JSON and cannot be kept ({e})") from e

    def _migrate(self) -> None:
        with self._file.writing() as db:
            (done,) = db.execute("PRAGMA user_version").fetchone()
            if done > len(MIGRATIONS):
                raise CompletionError(
                    f"{self.path}: made by a later version (schema {done}, known {len(MIGRATIONS)}): upgrade claimx"
                )
            for number, script in enumerate(MIGRATIONS[done:], done + 1):
                for statement in statements(script):
                    db.execute(statement)
                if number == CHAINED:
                    self._take_in(db)
                if number == DIGESTED and self._adopt:  # without, they are made anew of the records
                    for row in db.execute(
                        "SELECT action_id, revision, state, next_check_at, body FROM documents"
                    ).fetchall():
                        db.execute(
                            "UPDATE documents SET digest = ? WHERE action_id = ?", (self._digest_of(row), row[0])
                        )
                db.execute(f"PRAGMA user_version = {number}")
        with self._file.reading() as db:
            self._journal.check_key(db)
        self._file.make_durable()

    def _take_in(self, db: sqlite3.Connection) -> None:
        self._journal.adopt(db)
        (records,) = db.execute("SELECT count(*) FROM journal").fetchone()
        if records and not self._adopt:
            raise CompletionError(
                f"{self.path}: it holds {records} records of an earlier version, which no key protects: whoever could write the "
                "file may have made them. Open it once with adopt=True to take them into the chain as they are"
            )


def _is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
