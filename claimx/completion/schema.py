"""The numbered steps that bring an SQLite file of completion states to the shape that `sqlite.py` expects."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

#: Applied in order; the number of the last one stands in the file's user_version. A step once released never changes.
MIGRATIONS = (
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
    # INSERT OR REPLACE removes a row without a word to the triggers on DELETE: hence those on INSERT.
    """
    CREATE TABLE journal (
        number INTEGER PRIMARY KEY, action_id TEXT NOT NULL, kind TEXT NOT NULL, record TEXT NOT NULL,
        previous TEXT NOT NULL, digest TEXT NOT NULL, UNIQUE (action_id, kind, record));
    CREATE TRIGGER intents_stay BEFORE UPDATE ON intents
        BEGIN SELECT RAISE(ABORT, 'intents are never changed'); END;
    CREATE TRIGGER intents_last BEFORE DELETE ON intents
        BEGIN SELECT RAISE(ABORT, 'intents are never removed'); END;
    CREATE TRIGGER openings_stay BEFORE UPDATE ON openings
        BEGIN SELECT RAISE(ABORT, 'openings are never changed'); END;
    CREATE TRIGGER openings_last BEFORE DELETE ON openings
        BEGIN SELECT RAISE(ABORT, 'openings are never removed'); END;
    CREATE TRIGGER checks_stay BEFORE UPDATE ON checks BEGIN SELECT RAISE(ABORT, 'checks are never changed'); END;
    CREATE TRIGGER checks_last BEFORE DELETE ON checks BEGIN SELECT RAISE(ABORT, 'checks are never removed'); END;
    CREATE TRIGGER journal_stay BEFORE UPDATE ON journal
        BEGIN SELECT RAISE(ABORT, 'records are never changed'); END;
    CREATE TRIGGER journal_last BEFORE DELETE ON journal
        BEGIN SELECT RAISE(ABORT, 'records are never removed'); END;
    CREATE TRIGGER intents_once BEFORE INSERT ON intents
        WHEN EXISTS (SELECT 1 FROM intents WHERE action_id = NEW.action_id)
        BEGIN SELECT RAISE(ABORT, 'intents are never changed'); END;
    CREATE TRIGGER openings_once BEFORE INSERT ON openings
        WHEN EXISTS (SELECT 1 FROM openings WHERE action_id = NEW.action_id AND step = NEW.step AND attempt = NEW.attempt)
        BEGIN SELECT RAISE(ABORT, 'openings are never changed'); END;
    CREATE TRIGGER receipts_once BEFORE INSERT ON receipts
        WHEN EXISTS (
            SELECT 1 FROM receipts WHERE number = NEW.number OR receipt_id = NEW.receipt_id
            OR (action_id = NEW.action_id AND step = NEW.step AND attempt = NEW.attempt))
        BEGIN SELECT RAISE(ABORT, 'receipts are never changed'); END;
    CREATE TRIGGER checks_once BEFORE INSERT ON checks
        WHEN EXISTS (SELECT 1 FROM checks WHERE number = NEW.number)
        BEGIN SELECT RAISE(ABORT, 'checks are never changed'); END;
    CREATE TRIGGER journal_once BEFORE INSERT ON journal
        WHEN EXISTS (SELECT 1 FROM journal WHERE number = NEW.number)
        BEGIN SELECT RAISE(ABORT, 'records are never changed'); END;
    """,
    # A document follows from the records and is replaced; its digest shows that this store wrote it.
    """
    ALTER TABLE documents ADD COLUMN digest TEXT NOT NULL DEFAULT '';
    """,
)
#: The migration that brings the chain: what was there before is taken into it.
CHAINED = 2
#: The one that brings the documents' digests.
DIGESTED = 3


def statements(script: str) -> Iterator[str]:
    """Split a script at the semicolons that end its statements."""
    part = ""
    for piece in script.split(";"):
        part += piece + ";"
        if sqlite3.complete_statement(part):
            if part.strip(" \n;"):
                yield part
            part = ""
