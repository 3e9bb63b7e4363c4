"""What every store of completion state promises, and what SQLite adds."""

from __future__ import annotations

import asyncio
import doctest
import importlib
import json
import os
import re
import signal
import sqlite3
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tenacity import wait_fixed

from claimx.completion import (
    AttemptReceipt,
    Completions,
    Contract,
    Intent,
    MemoryStore,
    Outcome,
    RuntimeStatus,
    SqliteStore,
    TypedOutcome,
)
from claimx.completion.receipt import Opening
from claimx.completion.verification import CheckRecord, Finding
from claimx.errors import CompletionError

sys.path.insert(0, str(Path(__file__).parent.parent))
from processes import child, ended


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Any]:
    if request.param == "memory":
        yield MemoryStore()
    else:
        with SqliteStore(tmp_path / "state.db") as found:
            yield found


INTENT = Intent("act_1", "close", "tenant", {"id": "T-1"}, "m1", "agent", ("a", "b"), "2026-08-10T09:14:22Z", 7)


def receipt(number: int = 1, action: str = "act_1", step: str = "", attempt: int = 1) -> AttemptReceipt:
    outcome = TypedOutcome(Outcome.ACCEPTED, "ok", "", "202", "op-1")
    return AttemptReceipt(
        f"rcpt_{number}", action, step, attempt, "close", "tenant", "agent", {"id": "T-1"}, "sha256:0", 1.0, 2.5,
        RuntimeStatus.COMPLETED, outcome, action, "c1", {"contract": "1"}, "s3://evidence/1",
    )  # fmt: skip


def opening(attempt: int = 1, number: int = 1) -> Opening:
    return Opening("act_1", "", attempt, f"rcpt_{number}", 1.0, 9.0, "sha256:0", "c1")


def test_the_first_intent_of_an_action_stays(store: Any) -> None:
    assert store.intent("act_1") is None
    assert store.put_intent(INTENT) == INTENT
    assert store.put_intent(replace(INTENT, before=9)) == INTENT
    assert store.intent("act_1") == INTENT


def test_an_attempt_is_opened_once_and_closed_once(store: Any) -> None:
    assert store.open_attempt(opening())
    assert not store.open_attempt(opening(number=2))
    assert store.open_attempt(opening(attempt=2, number=3))
    assert [o.receipt_id for o in store.openings("act_1")] == ["rcpt_1", "rcpt_3"]
    assert store.close_attempt(receipt())
    assert not store.close_attempt(receipt(number=2))
    assert store.receipts("act_1") == [receipt()]
    assert store.receipt("rcpt_1") == receipt()
    assert store.receipt("rcpt_2") is None
    assert store.receipts("act_2") == []


def test_checks_are_kept_in_order(store: Any) -> None:
    kept = [CheckRecord("act_1", "", f, "why", float(i), 1, 8, "primary") for i, f in enumerate(Finding)]
    for check in kept:
        store.add_check(check)
    assert store.checks("act_1") == kept
    assert store.checks("act_2") == []


def document(action: str, revision: int, due: float | None = None) -> dict[str, Any]:
    return {"action_id": action, "revision": revision, "state": "unverified", "next_check_at": due, "more": ["x"]}


def test_a_document_is_never_replaced_by_an_older_one(store: Any) -> None:
    assert store.document("act_1") is None
    for revision in (3, 5, 4):
        store.put_document(document("act_1", revision))
    assert store.document("act_1") == document("act_1", 5)


def test_what_is_due_comes_the_longest_waiting_first(store: Any) -> None:
    for action, due in (("act_1", 9.0), ("act_2", 3.0), ("act_3", None), ("act_4", 4.0)):
        store.put_document(document(action, 1, due))
    assert store.due(8.0) == ["act_2", "act_4"]
    assert store.due(1.0) == []


def test_a_file_is_read_by_the_next_process(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "a.db") as first:
        first.put_intent(INTENT)
        first.close_attempt(receipt())
    with SqliteStore(tmp_path / "a.db") as second:
        assert second.intent("act_1") == INTENT
        assert second.receipts("act_1") == [receipt()]


def test_two_writers_on_one_file_lose_nothing_and_double_nothing(tmp_path: Path) -> None:
    stores = [SqliteStore(tmp_path / "a.db") for _ in range(2)]
    won: list[bool] = []

    def write(store: SqliteStore, offset: int) -> None:
        for i in range(20):
            won.append(store.close_attempt(receipt(number=offset + i, attempt=i)))

    threads = [threading.Thread(target=write, args=(s, 100 * n)) for n, s in enumerate(stores)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert sum(won) == 20
    assert sorted(r.attempt for r in stores[0].receipts("act_1")) == list(range(20))
    for s in stores:
        s.close()


def test_a_file_that_cannot_be_used_is_named(tmp_path: Path) -> None:
    with pytest.raises(CompletionError, match=r"none.*cannot be opened"):
        SqliteStore(tmp_path / "none" / "a.db")
    (tmp_path / "text.db").write_text("this is no database, whatever its name says; " * 20)
    with pytest.raises(CompletionError, match=r"text\.db"):
        SqliteStore(tmp_path / "text.db")


def test_a_file_of_a_later_version_is_left_alone(tmp_path: Path) -> None:
    db = sqlite3.connect(tmp_path / "a.db")
    db.execute("PRAGMA user_version = 99")
    db.close()
    with pytest.raises(CompletionError, match="made by a later version"):
        SqliteStore(tmp_path / "a.db")


def test_a_closed_store_says_so(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "a.db")
    store.close()
    with pytest.raises(CompletionError, match="closed"):
        store.put_intent(INTENT)


def test_a_receipt_leaves_the_process_and_comes_back_only_unaltered() -> None:
    data = receipt().to_dict()
    assert AttemptReceipt.from_dict(data) == receipt()
    for name, value in {**data, "attempt": 2, "outcome": {**data["outcome"], "kind": "unknown"}}.items():
        if data[name] != value:
            with pytest.raises(ValueError, match="was altered"):
                AttemptReceipt.from_dict({**data, name: value})


@pytest.mark.parametrize("name", ["outcome", "intent", "telling", "verification"])
def test_the_examples_in_the_docstrings_hold(name: str) -> None:
    assert doctest.testmod(importlib.import_module(f"claimx.completion.{name}")).failed == 0


def test_a_look_ups_outcome_is_none_of_a_write() -> None:
    with pytest.raises(ValueError, match="no outcome of a write"):
        TypedOutcome(Outcome.FOUND)


def check(after: int = 1) -> CheckRecord:
    return CheckRecord("act_1", "", Finding.HOLDS, "why", 3.0, after, 8, "primary", 3.0, True, {"status": "closed"})


@pytest.fixture
def full(tmp_path: Path) -> Iterator[SqliteStore]:
    """A file that holds all there is of two actions."""
    with SqliteStore(tmp_path / "state.db") as store:
        for action, number in (("act_1", 1), ("act_2", 2)):
            store.put_intent(replace(INTENT, action_id=action))
            store.open_attempt(replace(opening(number=number), action_id=action))
            store.close_attempt(receipt(number, action))
            store.add_check(replace(check(), action_id=action))
            store.put_document(document(action, 3))
        yield store


def loosened(store: SqliteStore, change: str) -> None:
    """Change a file as somebody does who can write it and drops its triggers first."""
    db = sqlite3.connect(store.path)
    for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        db.execute(f"DROP TRIGGER {name}")
    db.executescript(change)
    db.close()


@pytest.mark.parametrize("table", ["intents", "openings", "receipts", "checks", "journal"])
@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE {t} SET action_id = 'act_9'", "are never changed"),
        ("DELETE FROM {t}", "are never removed"),
        ("INSERT OR REPLACE INTO {t} SELECT * FROM {t}", "are never changed"),
    ],
)
def test_nothing_but_documents_can_be_changed_removed_or_replaced(
    table: str, statement: str, said: str, full: SqliteStore
) -> None:
    db = sqlite3.connect(full.path)
    with pytest.raises(sqlite3.IntegrityError, match=said):
        db.execute(statement.format(t=table))
    db.close()
    assert full.verify().ok


TAMPERED = [
    ("a check is altered", "UPDATE checks SET body = replace(body, 'holds', 'broken') WHERE number = 1", "check 1 of action act_1 .* was altered"),
    ("a check is removed", "DELETE FROM checks WHERE number = 1", "check 1 of action act_1 .* was removed"),
    ("a check is slipped in", "INSERT INTO checks (action_id, body) SELECT action_id, body FROM checks WHERE number = 1", "check 3 of action act_1 was not written"),
    ("a check is moved", "UPDATE checks SET action_id = 'act_1' WHERE number = 2", "check 2 of action act_1 was not written"),
    ("a check is removed with its link", "DELETE FROM checks WHERE number = 1; DELETE FROM journal WHERE number = 4", "of 3 records of action act_1 2 are left"),
    ("a check is torn", "UPDATE checks SET body = substr(body, 1, 20) WHERE number = 1", "check 1 of action act_1 .* was altered"),
    ("a receipt is altered", "UPDATE receipts SET body = replace(body, 'accepted', 'rejected') WHERE number = 1", "receipt rcpt_1 of action act_1 .* was altered"),
    ("a receipt is removed", "DELETE FROM receipts WHERE number = 1", "receipt rcpt_1 of action act_1 .* was removed"),
    ("an opening is removed", "DELETE FROM openings WHERE action_id = 'act_1'", "opening #1 of action act_1 .* was removed"),
    ("an intent is altered", "UPDATE intents SET body = replace(body, 'T-1', 'T-2') WHERE action_id = 'act_1'", "the intent of action act_1 .* was altered"),
    ("an intent is removed", "DELETE FROM intents WHERE action_id = 'act_1'", "the intent of action act_1 .* was removed"),
    ("all of it is removed", "DELETE FROM intents WHERE action_id = 'act_1'; DELETE FROM openings WHERE action_id = 'act_1'; DELETE FROM receipts WHERE action_id = 'act_1'; DELETE FROM checks WHERE action_id = 'act_1'; DELETE FROM journal WHERE action_id = 'act_1'", "of 3 records of action act_1 0 are left"),
    ("a check is bytes", "UPDATE checks SET body = x'00ff' WHERE number = 1", "check 1 of action act_1 .* was altered"),
    ("a digest is no digest", "UPDATE journal SET digest = 'é' WHERE number = 2", "opening #1 of action act_1 .* was altered"),
    ("a digest is bytes", "UPDATE journal SET digest = x'00ff' WHERE number = 2", "opening #1 of action act_1 .* was altered"),
    ("a link is altered", "UPDATE journal SET digest = 'sha256:0' WHERE number = 2", "act_1 .*was (removed or )?altered"),
]  # fmt: skip


@pytest.mark.parametrize(("_", "change", "said"), TAMPERED, ids=[t[0] for t in TAMPERED])
def test_what_was_changed_is_found_and_named_and_other_actions_stay_readable(
    _: str, change: str, said: str, full: SqliteStore
) -> None:
    assert full.verify().ok
    loosened(full, change)
    with pytest.raises(CompletionError, match=rf"state\.db: .*{said}.*restore the file from a backup"):
        full.checks("act_1")
    for read in (full.intent, full.openings, full.receipts):
        with pytest.raises(CompletionError, match=said):
            read("act_1")
    found = full.verify()
    assert not found.ok
    assert any(re.search(said, f) for f in found.faults)
    if "act_2" not in " ".join(found.faults):
        assert full.receipt("rcpt_2") == receipt(2, "act_2")
        assert full.checks("act_2") == [replace(check(), action_id="act_2")]


def test_an_end_that_was_cut_off_is_found_by_a_digest_that_was_noted(full: SqliteStore) -> None:
    head = full.verify().head
    assert full.verify(head=head).ok
    loosened(full, "DELETE FROM documents; DELETE FROM checks WHERE number = 2; DELETE FROM journal WHERE number = 8")
    assert full.verify().ok
    assert full.verify(head=head).faults == (f"the record with digest {head} is not in the file",)


def test_with_a_key_no_record_can_be_forged_by_who_has_it_not(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with SqliteStore(path, key=b"secret") as store:
        store.put_intent(INTENT)
        assert store.verify().ok
        loosened(store, "UPDATE journal SET digest = 'sha256:' || digest")
        assert not store.verify().ok
    with pytest.raises(CompletionError, match="chained without a key: open it without one"):
        SqliteStore(path, key=b"secret")
    with SqliteStore(tmp_path / "b.db", key=b"secret") as store:
        store.put_intent(INTENT)
    with pytest.raises(CompletionError, match="chained with a key: open it with that key"):
        SqliteStore(tmp_path / "b.db")
    with pytest.raises(
        CompletionError, match="neither its first nor its last record fits this key: open it with the key"
    ):
        SqliteStore(tmp_path / "b.db", key=b"another")
    with SqliteStore(tmp_path / "b.db", key=b"secret") as store:
        assert store.verify().records == 1


OLDER = (
    "UPDATE checks SET body = replace(body, 'holds', 'broken'); DROP TABLE journal; "
    "ALTER TABLE documents DROP COLUMN digest; PRAGMA user_version = 1"
)


def test_records_made_to_look_like_those_of_an_earlier_version_get_into_no_chain_with_a_key(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "a.db", key=b"secret") as store:
        store.put_intent(INTENT)
        store.add_check(check())
        loosened(store, OLDER)
    for _ in range(2):
        with pytest.raises(
            CompletionError, match=r"a\.db: it holds 2 records of an earlier version, which no key protects"
        ):
            SqliteStore(tmp_path / "a.db", key=b"secret")
    with SqliteStore(tmp_path / "a.db", key=b"secret", adopt=True) as store:  # by who has looked at it
        assert (store.verify().records, store.verify().has_key) == (2, True)


@pytest.mark.parametrize("key", [None, b"secret"])
def test_a_record_that_was_removed_with_all_that_tells_of_it_stops_the_actions_it_may_be_of(
    key: bytes | None, tmp_path: Path
) -> None:
    with SqliteStore(tmp_path / "a.db", key=key) as store:
        for action in ("act_1", "act_2"):
            store.put_intent(replace(INTENT, action_id=action))
        store.add_check(check())
        store.add_check(replace(check(), finding=Finding.BROKEN))
        store.put_intent(replace(INTENT, action_id="act_3"))
        store.add_check(replace(check(), action_id="act_3"))
        loosened(
            store, "DELETE FROM checks WHERE number = 2; DELETE FROM journal WHERE number = 4; DELETE FROM documents"
        )
        for action in ("act_1", "act_2"):
            with pytest.raises(CompletionError, match="record 4 was removed, and may have been this action's"):
                store.checks(action)
        assert len(store.checks("act_3")) == 1  # begun after it
        assert store.verify().faults == ("record 4 was removed",)


def test_a_record_made_anew_with_a_digest_that_fits_is_told_by_the_link_behind_it(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "a.db") as store:
        store.put_intent(INTENT)
        store.add_check(check())
        store.put_intent(replace(INTENT, action_id="act_2"))
        ((number, action, kind, record, previous, _, body),) = [
            r for r in sqlite3.connect(store.path).execute(
                "SELECT j.number, j.action_id, kind, record, previous, digest, body FROM journal j, checks WHERE j.number = 2"
            )
        ]  # fmt: skip
        forged = body.replace("holds", "broken")
        digest = store._journal.digest(number, action, kind, record, previous, forged)
        loosened(store, f"UPDATE checks SET body = '{forged}'; UPDATE journal SET digest = '{digest}' WHERE number = 2")
        with pytest.raises(CompletionError, match=r"check 1 of action act_1 \(record 2\) was altered"):
            store.checks("act_1")
        assert store.intent("act_2") is not None
        assert store.verify().faults == ("check 1 of action act_1 (record 2) was altered",)


@pytest.mark.parametrize(
    "change", ["body = replace(body, 'unverified', 'verified')", "next_check_at = NULL", "revision = 2", "digest = 'é'"]
)
def test_a_document_that_was_altered_is_named_and_made_anew_of_the_records(change: str, full: SqliteStore) -> None:
    full.put_document(document("act_1", 3, 5.0) | {"state": "unverified"})
    loosened(full, f"UPDATE documents SET {change} WHERE action_id = 'act_1'")
    with pytest.raises(
        CompletionError, match=r"the document of action act_1 was altered: rebuild it with Completions\.document"
    ):
        full.document("act_1")
    assert full.verify().faults == ("the document of action act_1 was altered: rebuild it with Completions.document",)
    Completions([Contract("close")], store=full).document("act_1")
    assert full.verify().ok


@pytest.mark.parametrize("attempts", [1, 2])
def test_an_attempt_whose_process_died_before_its_document_was_kept_is_found_when_its_lease_is_over(
    attempts: int, tmp_path: Path
) -> None:
    class Died(BaseException): ...

    class Dying(SqliteStore):
        def put_document(self, document: dict[str, Any]) -> None:
            action = document["action_id"]
            if len(self.receipts(action)) < len(self.openings(action)) == attempts:
                raise Died
            super().put_document(document)

    contract = Contract("close", verify=lambda subject: None, lease=0.0, backoff=wait_fixed(0))
    with Dying(tmp_path / "a.db") as store:
        work = Completions([contract], store=store).begin("close", target={"id": "T-1"})
        with pytest.raises(Died):
            work.attempt(lambda: {"error": "429 too many requests"}, {}, wait=False)
    with SqliteStore(tmp_path / "a.db") as store:
        assert len(store.openings(work.action_id)) == attempts
        (found,) = Completions([contract], store=store).reconcile_due()
        assert found.receipts[-1].runtime_status is RuntimeStatus.LOST
        assert store.verify().ok


def test_a_file_of_an_earlier_version_is_taken_into_the_chain_as_it_is(tmp_path: Path) -> None:
    from claimx.completion.schema import MIGRATIONS

    db = sqlite3.connect(tmp_path / "old.db")
    db.executescript(MIGRATIONS[0])
    old = {k: v for k, v in check().to_dict().items() if k not in ("as_of", "consistent", "evidence")}
    rows = (
        ("INSERT INTO intents VALUES (?, ?)", ("act_1", json.dumps(INTENT.to_dict()))),
        ("INSERT INTO openings VALUES (?, ?, ?, ?)", ("act_1", "", 1, json.dumps(opening().to_dict()))),
        ("INSERT INTO receipts VALUES (?, ?, ?, ?, ?, ?)", (1, "rcpt_1", "act_1", "", 1, json.dumps(receipt().to_dict()))),
        ("INSERT INTO checks (action_id, body) VALUES (?, ?)", ("act_1", json.dumps(old))),
        ("INSERT INTO checks (action_id, body) VALUES (?, ?)", ("act_2", '{"torn')),
    )  # fmt: skip
    for query, values in rows:
        db.execute(query, values)
    db.execute("PRAGMA user_version = 1")
    db.commit()
    db.close()
    with SqliteStore(tmp_path / "old.db") as store:
        assert store.verify().records == 5
        assert (store.intent("act_1"), store.openings("act_1"), store.receipts("act_1")) == (
            INTENT,
            [opening()],
            [receipt()],
        )
        assert store.checks("act_1")[0].finding is Finding.HOLDS
        with pytest.raises(
            CompletionError, match=r"old\.db: check 2 of action act_2 cannot be read .*restore it from a backup"
        ):
            store.checks("act_2")


def test_a_document_that_is_torn_is_named_and_made_anew_of_the_records(full: SqliteStore) -> None:
    loosened(full, "UPDATE documents SET body = '{\"act' WHERE action_id = 'act_1'")
    with pytest.raises(CompletionError, match=r"document of action act_1 cannot be read .*Completions\.document"):
        full.document("act_1")
    assert full.document("act_2") == document("act_2", 3)
    completions = Completions([Contract("close")], store=full)
    assert completions.document("act_1").state == "unverified"
    assert full.document("act_1")["action_id"] == "act_1"


def test_one_action_that_cannot_be_read_stops_no_worker(full: SqliteStore) -> None:
    told: list[CompletionError] = []
    completions = Completions([Contract("close")], store=full, clock=lambda: 50.0, on_error=told.append)
    for action in ("act_1", "act_2"):
        full.put_document(document(action, 3, 5.0))
    loosened(full, "UPDATE checks SET body = '{' WHERE number = 1")
    assert [d.action_id for d in completions.reconcile_due()] == ["act_2"]
    assert len(told) == 1
    assert "check 1 of action act_1" in str(told[0])
    full.put_document(document("act_2", 3, 5.0))
    assert [d.action_id for d in asyncio.run(completions.areconcile_due())] == ["act_2"]


def test_an_action_whose_records_were_removed_is_not_begun_again(full: SqliteStore) -> None:
    loosened(full, next(change for name, change, _ in TAMPERED if name == "all of it is removed"))
    completions = Completions([Contract("close")], store=full)
    with pytest.raises(CompletionError, match="0 are left"):
        completions.begin("close", target={}, action_id="act_1")


def test_texts_that_have_no_utf8_form_are_kept(store: Any) -> None:
    odd = replace(INTENT, target={"name": "\ud83d", "e": "é"})
    store.put_intent(odd)
    assert store.intent("act_1") == odd


def test_a_store_that_a_process_inherited_is_written_by_both(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "a.db") as store:
        store.put_intent(INTENT)
        assert ended(child(lambda: store.add_check(check()))) == 0
        store.add_check(check(2))
        assert [c.after for c in store.checks("act_1")] == [1, 2]
        assert store.verify().ok


@pytest.mark.parametrize("statement", ["INSERT INTO checks", "INSERT INTO journal", "COMMIT"])
def test_a_process_killed_inside_a_write_leaves_no_part_of_a_record(statement: str, tmp_path: Path) -> None:
    def die(sql: str) -> None:
        if sql.startswith(statement):
            os.kill(os.getpid(), signal.SIGKILL)

    def work() -> None:
        store = SqliteStore(tmp_path / "a.db")
        store.put_intent(INTENT)
        store._file.connection.set_trace_callback(die)
        store.add_check(check())

    assert ended(child(work)) == -signal.SIGKILL
    with SqliteStore(tmp_path / "a.db") as store:
        assert (store.intent("act_1"), store.checks("act_1")) == (INTENT, [])
        store.add_check(check())
        assert store.checks("act_1") == [check()]
        assert store.verify().ok


def test_several_processes_make_one_file_and_lose_nothing(tmp_path: Path) -> None:
    reading, writing = os.pipe()

    def work(n: int) -> None:
        os.close(writing)
        os.read(reading, 1)  # ends for all at once
        with SqliteStore(tmp_path / "a.db") as store:
            for i in range(10):
                store.add_check(replace(check(i), action_id=f"act_{n}"))

    children = [child(lambda n=n: work(n)) for n in range(3)]  # type: ignore[misc]
    os.close(reading)
    os.close(writing)
    assert [ended(c) for c in children] == [0, 0, 0]
    with SqliteStore(tmp_path / "a.db") as store:
        assert [[c.after for c in store.checks(f"act_{n}")] for n in range(3)] == [list(range(10))] * 3
        assert (store.verify().records, store.verify().ok) == (30, True)


def test_a_full_disk_loses_nothing_that_was_kept_and_is_told(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "a.db") as store:
        store.put_intent(INTENT)
        (pages,) = store._file.connection.execute("PRAGMA page_count").fetchone()
        store._file.connection.execute(f"PRAGMA max_page_count = {pages}")
        kept_so_far: list[CheckRecord] = []

        def fill() -> None:
            while True:
                kept_so_far.append(replace(check(), reason="x" * 2000, after=len(kept_so_far)))
                store.add_check(kept_so_far[-1])

        with pytest.raises(CompletionError, match=r"a\.db: database or disk is full"):
            fill()
        kept = store.checks("act_1")
        assert kept == kept_so_far[:-1]
        assert store.verify().ok
        store._file.connection.execute("PRAGMA max_page_count = 100000")
        store.add_check(check(5000))
        assert store.checks("act_1") == [*kept, check(5000)]
