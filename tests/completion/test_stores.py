"""What every store of completion state promises, and what SQLite adds."""

from __future__ import annotations

import doctest
import importlib
import sqlite3
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from claimx.completion import AttemptReceipt, Intent, MemoryStore, Outcome, RuntimeStatus, SqliteStore, TypedOutcome
from claimx.completion.receipt import Opening
from claimx.completion.verification import CheckRecord, Finding
from claimx.errors import CompletionError


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


@pytest.mark.parametrize("name", ["outcome", "intent", "verification"])
def test_the_examples_in_the_docstrings_hold(name: str) -> None:
    assert doctest.testmod(importlib.import_module(f"claimx.completion.{name}")).failed == 0


def test_a_look_ups_outcome_is_none_of_a_write() -> None:
    with pytest.raises(ValueError, match="no outcome of a write"):
        TypedOutcome(Outcome.FOUND)
