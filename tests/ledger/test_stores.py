"""What every store promises, and what each does in its own way."""

from __future__ import annotations

import json
import logging
import os
import re
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from claimx.errors import ClaimxError, LedgerError
from claimx.ledger import JsonlStore, Keyring, Kind, Ledger, Row, Store, open_store, verify
from claimx.ledger.row import seal


def sealed(text: str, conversation: str) -> Callable[[Row | None], Row]:
    def make(last: Row | None) -> Row:
        fields = {"role": "user", "text": text, "nonce": text}
        return seal(last, kind=Kind.MESSAGE, conversation=conversation, at="2026", fields=fields, signer=None)

    return make


def test_rows_come_back_as_they_went_in_and_in_order(store: Store, conversation: str) -> None:
    texts = ["plain", 'quo"te', "line\nbreak", "snow ☃ \U0001f600", "nul \0 end", "x" * 100_000]
    written = [store.append(conversation, sealed(t, conversation)) for t in texts]
    rows = store.read(conversation)
    assert rows == written
    assert [r.seq for r in rows] == [1, 2, 3, 4, 5, 6]
    assert verify(rows).ok


def test_each_row_is_made_from_the_last_one_of_its_conversation_alone(store: Store, conversation: str) -> None:
    other = f"{conversation}/ other é"
    seen: list[int] = []

    def watch(name: str) -> Callable[[Row | None], Row]:
        def make(last: Row | None) -> Row:
            seen.append(last.seq if last else 0)
            return sealed(f"{name}{len(seen)}", name)(last)

        return make

    for name in (conversation, other, conversation, other, other):
        store.append(name, watch(name))
    assert seen == [0, 0, 1, 1, 2]
    assert {conversation, other} <= set(store.conversations())
    assert [len(store.read(n)) for n in (conversation, other)] == [2, 3]


def test_a_conversation_without_rows_reads_empty(store: Store) -> None:
    assert store.read("nobody") == []
    assert "nobody" not in store.conversations()


def test_a_row_that_cannot_be_made_leaves_no_trace(store: Store, conversation: str) -> None:
    def fail(last: Row | None) -> Row:
        raise RuntimeError("signer is out")

    store.append(conversation, sealed("a", conversation))
    with pytest.raises(RuntimeError, match="signer is out"):
        store.append(conversation, fail)
    store.append(conversation, sealed("b", conversation))
    assert [r.body["text"] for r in store.read(conversation)] == ["a", "b"]
    assert verify(store.read(conversation)).ok


def test_a_ledger_goes_on_where_another_one_on_the_same_store_ended(
    shared_address: str, conversation: str, ring: Keyring
) -> None:
    for i in range(2):
        with Ledger(shared_address, conversation=conversation, signer=ring) as ledger:
            ledger.tool(lambda n: n, name="count")(i)
    with Ledger(shared_address, conversation=conversation) as ledger:
        assert [(e.id, e.result) for e in ledger.entries()] == [
            (f"{conversation}_count_1", 0), (f"{conversation}_count_2", 1),
        ]  # fmt: skip
        assert verify(ledger.rows(), ring).ok


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("mysql://x/y", "no store of the kind 'mysql'"),
        ("ledger.txt", "ends in .db, .jsonl"),
        ("no/such/folder/l.db", "cannot be opened"),
        ("sqlite://", "needs a file"),
        ("postgresql://127.0.0.1:1/none", "refused|failed"),
        ("postgresql://[", "not a database URL|failed to resolve"),
    ],
)
def test_an_address_that_leads_nowhere_is_told(address: str, says: str) -> None:
    with pytest.raises(LedgerError, match=says):
        open_store(address)


def test_a_file_is_not_made_by_looking_for_it(tmp_path: Path) -> None:
    for name in ("l.db", "l.jsonl"):
        with pytest.raises(LedgerError, match="no such ledger"):
            open_store(tmp_path / name, must_exist=True)
    with pytest.raises(LedgerError, match="no such ledger"):
        open_store(f"sqlite:///{tmp_path}/l.db", must_exist=True)
    assert list(tmp_path.iterdir()) == []


def test_a_missing_folder_or_a_folder_in_the_way_is_told_when_a_row_is_written(tmp_path: Path) -> None:
    for path in (tmp_path / "none" / "l.jsonl", tmp_path):
        with pytest.raises(LedgerError, match="cannot be opened"):
            JsonlStore(path).append("c", sealed("a", "c"))


def test_a_ledger_file_is_for_its_owner_alone(tmp_path: Path) -> None:
    for name in ("l.db", "l.jsonl"):
        store = open_store(tmp_path / name)
        store.append("c", sealed("a", "c"))
        assert stat.S_IMODE((tmp_path / name).stat().st_mode) == 0o600
        store.close()


def test_a_new_process_after_a_fork_has_its_own_connections(shared_address: str, conversation: str) -> None:
    store = open_store(shared_address)
    store.append(conversation, sealed("parent", conversation))
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            store.append(conversation, sealed("child", conversation))
            code = 0
        finally:
            os._exit(code)
    assert os.waitpid(pid, 0)[1] == 0
    store.append(conversation, sealed("parent again", conversation))
    rows = store.read(conversation)
    assert [r.body["text"] for r in rows] == ["parent", "child", "parent again"]
    assert verify(rows).ok
    store.close()


# -- JSON lines --------------------------------------------------------------------------------------------------------


def test_every_line_of_the_file_is_one_row(tmp_path: Path) -> None:
    store = JsonlStore(tmp_path / "l.jsonl")
    for text in ("a\u2028b", "c\rd"):
        store.append("c", sealed(text, "c"))
    lines = (tmp_path / "l.jsonl").read_bytes().split(b"\n")
    assert lines.pop() == b""
    assert [json.loads(line)["body"]["text"] for line in lines] == ["a\u2028b", "c\rd"]


def test_a_line_that_was_never_finished_is_no_row_and_is_put_aside(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "l.jsonl"
    JsonlStore(path).append("c", sealed("a", "c"))
    with path.open("ab") as file:
        file.write(b'{"body":{"conversation":"c","seq":2,"te')
    assert [r.body["text"] for r in JsonlStore(path).read("c")] == ["a"]
    with caplog.at_level(logging.WARNING, "claimx.ledger"):
        JsonlStore(path).append("c", sealed("b", "c"))
    assert "never finished" in caplog.text
    rows = JsonlStore(path).read("c")
    assert [r.body["text"] for r in rows] == ["a", "b"]
    assert verify(rows).ok
    assert (tmp_path / "l.jsonl.torn").read_bytes().startswith(b'{"body":{"conversation":"c"')


def test_a_whole_row_whose_line_end_is_missing_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "l.jsonl"
    JsonlStore(path).append("c", sealed("a", "c"))
    os.truncate(path, path.stat().st_size - 1)
    JsonlStore(path).append("c", sealed("b", "c"))
    rows = JsonlStore(path).read("c")
    assert [r.body["text"] for r in rows] == ["a", "b"]
    assert verify(rows).ok


def test_a_full_disk_leaves_no_half_row(tmp_path: Path) -> None:
    path = tmp_path / "l.jsonl"
    JsonlStore(path).append("c", sealed("a", "c"))

    def full(file: int, data: Any) -> int:
        os.write(file, bytes(data)[:10])
        raise OSError(28, "No space left on device")

    with pytest.raises(LedgerError, match="No space left"):
        JsonlStore(path, write=full).append("c", sealed("b", "c"))
    assert path.read_bytes().endswith(b"\n")
    assert len(JsonlStore(path).read("c")) == 1


def test_a_write_that_takes_several_goes_is_finished(tmp_path: Path) -> None:
    store = JsonlStore(tmp_path / "l.jsonl", write=lambda file, data: os.write(file, data[:7]))
    store.append("c", sealed("a" * 100, "c"))
    assert verify(store.read("c")).ok


def test_a_file_that_was_replaced_is_read_anew(tmp_path: Path) -> None:
    path = tmp_path / "l.jsonl"
    store = JsonlStore(path)
    store.append("c", sealed("a", "c"))
    path.rename(tmp_path / "old.jsonl")
    assert store.append("c", sealed("b", "c")).seq == 1


# -- SQL ---------------------------------------------------------------------------------------------------------------


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.server)])
def sql(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    from claimx.ledger.stores.sql import SqlStore

    url = request.getfixturevalue("postgresql_url") if request.param == "postgresql" else tmp_path / "l.db"
    store = SqlStore(url)
    yield store
    store.close()


@pytest.mark.parametrize(
    "verb", ["UPDATE claimx_rows SET body = '{}'", "DELETE FROM claimx_rows", "TRUNCATE claimx_rows"]
)
def test_the_database_refuses_to_change_or_remove_a_row(sql: Any, verb: str, conversation: str) -> None:
    from sqlalchemy.exc import DBAPIError

    if verb.startswith("TRUNCATE") and sql.engine.dialect.name == "sqlite":
        verb = "DELETE FROM claimx_rows WHERE 1"
    sql.append(conversation, sealed("a", conversation))
    with pytest.raises(DBAPIError, match="append-only"), sql.engine.begin() as connection:
        connection.exec_driver_sql(verb)
    assert [r.body["text"] for r in sql.read(conversation)] == ["a"]


def test_migrations_are_numbered_run_once_and_in_order(sql: Any) -> None:
    from claimx.ledger.stores.migrations import MIGRATIONS, Migration, migrate

    numbers = [m.number for m in MIGRATIONS]
    assert numbers == list(range(1, len(MIGRATIONS) + 1))
    dialect = sql.engine.dialect.name
    with sql.engine.begin() as connection:
        assert migrate(connection) == []
        done = connection.exec_driver_sql("SELECT number, name FROM claimx_migrations ORDER BY number").all()
        assert [tuple(r) for r in done] == [(m.number, m.name) for m in MIGRATIONS]
        more = (*MIGRATIONS, Migration(len(MIGRATIONS) + 1, "next", {dialect: ("CREATE TEMP TABLE more (x INTEGER)",)}))
        assert migrate(connection, more) == [len(MIGRATIONS) + 1]
        assert migrate(connection, more) == []
        connection.rollback()


def test_a_database_of_a_newer_version_is_refused(sql: Any) -> None:
    from claimx.ledger.stores.migrations import migrate

    with sql.engine.connect() as connection:
        connection.exec_driver_sql("INSERT INTO claimx_migrations VALUES (999, 'of the future')")
        with pytest.raises(LedgerError, match=r"migration 999.*upgrade claimx"):
            migrate(connection)
        connection.rollback()


def test_sqlite_runs_in_wal_mode_with_the_durability_asked_for(tmp_path: Path) -> None:
    from claimx.ledger.stores.sql import SqlStore

    for name, level in (("FULL", 2), ("NORMAL", 1)):
        store = SqlStore(tmp_path / f"{name}.db", synchronous=name)
        with store.engine.connect() as connection:
            assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
            assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == level
        store.close()
    with pytest.raises(LedgerError, match="expected FULL"):
        SqlStore(tmp_path / "x.db", synchronous="OFF")


def test_a_file_that_is_no_database_is_told(tmp_path: Path) -> None:
    path = tmp_path / "l.db"
    path.write_text("not a database, and long enough to be looked at as one" * 20)
    with pytest.raises(LedgerError, match=r"l\.db: file is not a database"):
        open_store(path)


def test_a_password_is_in_no_message() -> None:
    with pytest.raises(LedgerError) as caught:
        open_store("postgresql://ann:hunter2@127.0.0.1:1/none")
    assert "hunter2" not in str(caught.value)


# -- Redis -------------------------------------------------------------------------------------------------------------


@pytest.mark.server
def test_a_conversation_expires_thirty_days_after_its_last_row(redis_url: str, conversation: str) -> None:
    from claimx.ledger.stores.redis import RedisStore

    store = RedisStore(redis_url)
    key = f"claimx:{{{conversation}}}:rows"
    store.append(conversation, sealed("a", conversation))
    assert 30 * 86400 - 5 <= store.client.ttl(key) <= 30 * 86400
    store.client.expire(key, 100)
    store.append(conversation, sealed("b", conversation))
    assert store.client.ttl(key) > 100
    store.close()


@pytest.mark.server
def test_what_has_expired_is_neither_read_nor_listed(redis_url: str, conversation: str) -> None:
    import time

    from claimx.ledger.stores.redis import RedisStore

    store = RedisStore(redis_url, ttl=1, prefix=conversation)
    store.append(conversation, sealed("a", conversation))
    assert store.conversations() == [conversation]
    time.sleep(1.2)
    assert store.read(conversation) == []
    assert store.conversations() == []
    store.close()
    with pytest.raises(LedgerError, match="number of seconds"):
        RedisStore(redis_url, ttl=0)


@pytest.mark.server
def test_a_row_whose_confirmation_was_lost_is_not_written_twice(redis_url: str, conversation: str) -> None:
    import redis

    from claimx.ledger.stores.redis import RedisStore

    store = RedisStore(redis_url)
    answers: list[Any] = []
    made = store.client.pipeline

    def pipeline() -> Any:
        pipe = made()
        execute = pipe.execute

        def lossy() -> Any:
            found = execute()
            answers.append(found)
            if len(answers) == 1:
                raise redis.WatchError("connection lost")
            return found

        pipe.execute = lossy
        return pipe

    store.client.pipeline = pipeline
    store.append(conversation, sealed("a", conversation))
    assert len(answers) == 1
    assert [r.body["text"] for r in store.read(conversation)] == ["a"]
    store.close()


def test_a_server_that_is_gone_is_told() -> None:
    store = open_store("redis://127.0.0.1:1/0")
    with pytest.raises(LedgerError, match=re.compile("redis", re.IGNORECASE)):
        store.append("c", sealed("a", "c"))
    with pytest.raises(ClaimxError):
        open_store("redis://127.0.0.1:x/0")
