"""The numbered steps that bring a database to the shape that `sql.py` expects. A step once released never changes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from claimx.errors import LedgerError


@dataclass(frozen=True, slots=True)
class Migration:
    """One step: the statements of each dialect, in order."""

    number: int
    name: str
    statements: dict[str, tuple[str, ...]]


_ROWS = """
CREATE TABLE claimx_rows (
    conversation TEXT NOT NULL,
    seq BIGINT NOT NULL CHECK (seq > 0),
    body TEXT NOT NULL,
    digest TEXT NOT NULL,
    signature TEXT,
    PRIMARY KEY (conversation, seq)
)"""

MIGRATIONS = (
    Migration(1, "rows", {"sqlite": (_ROWS + " WITHOUT ROWID",), "postgresql": (_ROWS,)}),
    Migration(
        2,
        "append only",
        {
            "sqlite": tuple(
                f"CREATE TRIGGER claimx_rows_no_{verb.lower()} BEFORE {verb} ON claimx_rows "
                "BEGIN SELECT RAISE(ABORT, 'claimx_rows is append-only'); END"
                for verb in ("UPDATE", "DELETE")
            ),
            "postgresql": (
                "CREATE FUNCTION claimx_rows_refuse() RETURNS trigger LANGUAGE plpgsql AS "
                "$$ BEGIN RAISE EXCEPTION 'claimx_rows is append-only'; END $$",
                "CREATE TRIGGER claimx_rows_no_change BEFORE UPDATE OR DELETE ON claimx_rows "
                "FOR EACH ROW EXECUTE FUNCTION claimx_rows_refuse()",
                "CREATE TRIGGER claimx_rows_no_truncate BEFORE TRUNCATE ON claimx_rows "
                "FOR EACH STATEMENT EXECUTE FUNCTION claimx_rows_refuse()",
            ),
        },
    ),
)

_BOOK = "CREATE TABLE claimx_migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL)"


def has_ledger(connection: Any) -> bool:
    """Whether a database has been migrated before."""
    return bool(connection.dialect.has_table(connection, "claimx_migrations"))


def migrate(connection: Any, migrations: tuple[Migration, ...] = MIGRATIONS) -> list[int]:
    """Run the steps that a database still lacks, inside the caller's transaction; return their numbers.

    `connection` is an SQLAlchemy connection whose transaction excludes other migrations. Raises LedgerError when the
    database has steps that this version doesn't know.
    """
    if not has_ledger(connection):  # looked for first: who only reads may not be allowed to create
        connection.exec_driver_sql(_BOOK)
    done = {r[0] for r in connection.exec_driver_sql("SELECT number FROM claimx_migrations")}
    known = {m.number for m in migrations}
    if done - known:
        raise LedgerError(
            f"the ledger database has migration {max(done)}, this version of claimx knows up to {max(known)}: upgrade claimx"
        )
    ran = []
    for step in migrations:
        if step.number in done:
            continue
        for statement in step.statements[connection.dialect.name]:
            connection.exec_driver_sql(statement)
        # Both values are our own constants.
        connection.exec_driver_sql(f"INSERT INTO claimx_migrations VALUES ({step.number}, '{step.name}')")  # noqa: S608
        ran.append(step.number)
    return ran
