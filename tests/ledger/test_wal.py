"""Switching an SQLite file to write-ahead logging while others have it open."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from threading import Timer

import pytest

from claimx.ledger.wal import use_wal


def opened(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)


def read(connection: sqlite3.Connection) -> None:
    connection.execute("BEGIN")
    connection.execute("SELECT * FROM t").fetchall()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with closing(opened(tmp_path / "a.db")) as db:
        db.execute("CREATE TABLE t (x)")
    return tmp_path / "a.db"


def test_it_waits_for_who_reads_the_file(path: Path) -> None:
    with closing(opened(path)) as other, closing(opened(path)) as db:
        read(other)
        later = Timer(0.2, lambda: other.execute("COMMIT"))
        later.start()
        use_wal(db, 20)
        later.join()
        assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)


def test_a_file_that_stays_locked_is_an_error(path: Path) -> None:
    with closing(opened(path)) as other, closing(opened(path)) as db:
        read(other)
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            use_wal(db, 0.05)


def test_what_waiting_cannot_mend_is_an_error_at_once(tmp_path: Path) -> None:
    (tmp_path / "no.db").write_bytes(b"no database" * 500)
    with closing(opened(tmp_path / "no.db")) as db, pytest.raises(sqlite3.DatabaseError, match="not a database"):
        use_wal(db, 20)


def test_a_file_with_the_log_already_stays_as_it_is(path: Path) -> None:
    with closing(opened(path)) as other, closing(opened(path)) as db:
        use_wal(other, 0)
        read(other)
        use_wal(db, 0)
        assert db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
