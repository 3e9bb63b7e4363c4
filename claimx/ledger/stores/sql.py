"""Rows in SQLite (the embedded default) or PostgreSQL, through SQLAlchemy Core."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from claimx.errors import LedgerError, MissingExtraError
from claimx.ledger.canonical import canonical
from claimx.ledger.row import Row
from claimx.ledger.stores.migrations import check_known, has_ledger, migrate
from claimx.ledger.wal import use_wal

#: Seconds that a writer waits for another one's transaction, and for a server to answer.
BUSY, CONNECT = 30, 5
#: Any fixed number: the lock that only one migration at a time holds.
_MIGRATION_LOCK = 7_208_914_431


class SqlStore:
    """Keeps rows in a database, one transaction a row.

    SQLite runs in WAL mode, so that readers never wait; `synchronous` is its pragma: FULL outlives a power cut, NORMAL
    a killed process only. PostgreSQL serialises the writers of one conversation by an advisory lock. Both refuse
    UPDATE and DELETE by trigger.
    """

    def __init__(self, address: str | Path, *, synchronous: str = "FULL", must_exist: bool = False) -> None:
        if synchronous not in ("FULL", "NORMAL", "EXTRA"):
            raise LedgerError(f"synchronous is {synchronous!r}, expected FULL, NORMAL or EXTRA")
        self._sa = _sqlalchemy()
        self._url = self._url_of(address)
        self._synchronous = synchronous
        self._pid = os.getpid()
        self._lock = threading.Lock()
        self.engine = self._make_engine(must_exist)
        self._shown = self._url.render_as_string(hide_password=True)
        self._is_sqlite = self._url.get_backend_name() == "sqlite"
        text = self._sa.text
        self._last = text(
            "SELECT body, digest, signature FROM claimx_rows WHERE conversation = :c ORDER BY seq DESC LIMIT 1"
        )
        self._all = text("SELECT body, digest, signature FROM claimx_rows WHERE conversation = :c ORDER BY seq")
        self._names = text("SELECT DISTINCT conversation FROM claimx_rows ORDER BY conversation")
        self._insert = text(
            "INSERT INTO claimx_rows (conversation, seq, body, digest, signature) VALUES (:c, :seq, :body, :digest, :signature)"
        )
        self._take = text("SELECT pg_advisory_xact_lock(hashtextextended(:c, 0))")
        if must_exist:  # whoever looks at a ledger needs no right to change it
            with self._transaction() as connection:
                if not has_ledger(connection):
                    raise LedgerError(f"{self._shown}: no such ledger")
                check_known(connection)
            return
        with self._transaction(write=True) as connection:
            if not self._is_sqlite:
                connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MIGRATION_LOCK})")
            migrate(connection)

    def append(self, conversation: str, seal: Callable[[Row | None], Row]) -> Row:
        with self._transaction(write=True) as connection:
            if not self._is_sqlite:
                connection.execute(self._take, {"c": conversation})
            found = connection.execute(self._last, {"c": conversation}).first()
            row = seal(_row_of(found) if found is not None else None)
            body = canonical(dict(row.body)).decode()
            values = {"c": conversation, "seq": row.seq, "body": body, "digest": row.digest, "signature": row.signature}
            connection.execute(self._insert, values)
        return row

    def read(self, conversation: str) -> list[Row]:
        with self._transaction() as connection:
            return [_row_of(r) for r in connection.execute(self._all, {"c": conversation})]

    def conversations(self) -> list[str]:
        with self._transaction() as connection:
            return [r[0] for r in connection.execute(self._names)]

    def close(self) -> None:
        self.engine.dispose()

    @contextmanager
    def _transaction(self, *, write: bool = False) -> Iterator[Any]:
        if os.getpid() != self._pid:
            # Connections must not be shared with the process that this one was forked from.
            with self._lock:
                if os.getpid() != self._pid:
                    self.engine.dispose(close=False)
                    self._pid = os.getpid()
        try:
            with self.engine.connect().execution_options(claimx_write=write) as connection, connection.begin():
                yield connection
        except self._sa.exc.SQLAlchemyError as e:
            raise LedgerError(f"{self._shown}: {_said(e)}") from e

    def _url_of(self, address: str | Path) -> Any:
        if isinstance(address, Path) or "://" not in address:
            return self._sa.URL.create("sqlite", database=str(address))
        try:
            url = self._sa.make_url(address)
        except self._sa.exc.ArgumentError as e:
            raise LedgerError(f"{address}: not a database URL: expected postgresql://user@host/name") from e
        if url.drivername in ("postgresql", "postgres"):
            return url.set(drivername="postgresql+psycopg")
        return url

    def _make_engine(self, must_exist: bool) -> Any:
        if self._url.get_backend_name() != "sqlite":
            try:
                return self._sa.create_engine(self._url, pool_pre_ping=True, connect_args={"connect_timeout": CONNECT})
            except ImportError as e:
                raise MissingExtraError("psycopg", "sql") from e
        path = self._url.database
        if not path or path == ":memory:":
            raise LedgerError("an SQLite ledger needs a file: for one in memory use MemoryStore")
        is_uri = path.startswith("file:")  # SQLite's own form, with its parameters: it opens or refuses it itself
        if must_exist and not is_uri and not Path(path).exists():
            raise LedgerError(f"{path}: no such ledger")
        try:
            if not is_uri and not Path(path).exists():
                os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))  # what it holds is not for everyone to read
        except OSError as e:
            raise LedgerError(f"{path}: cannot be opened ({e.strerror})") from e
        engine = self._sa.create_engine(self._url, connect_args={"timeout": BUSY})
        self._sa.event.listen(engine, "connect", self._on_connect)
        self._sa.event.listen(engine, "begin", _on_begin)
        return engine

    def _on_connect(self, connection: Any, _: Any) -> None:
        connection.isolation_level = None  # we say BEGIN ourselves, see _on_begin
        use_wal(connection, BUSY)
        connection.execute(f"PRAGMA synchronous={self._synchronous}")


def _on_begin(connection: Any) -> None:
    """A writer takes the write lock before it reads the last row: two can't both follow the same one."""
    write = connection.get_execution_options().get("claimx_write")
    connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")


def _row_of(found: Any) -> Row:
    body, digest, signature = found
    try:
        data = json.loads(body)
    except (TypeError, ValueError, RecursionError) as e:
        return Row(damage=f"the body is not JSON ({e})")
    return Row.from_dict({"body": data, "digest": digest, "signature": signature})


def _said(error: Exception) -> str:
    """The first line of what the driver said, without the statement and its values."""
    text = str(getattr(error, "orig", None) or error)
    return text.strip().splitlines()[0] if text.strip() else type(error).__name__


def _sqlalchemy() -> Any:
    try:
        import sqlalchemy
        import sqlalchemy.event
    except ImportError as e:
        raise MissingExtraError("sqlalchemy", "sql") from e
    return sqlalchemy
