"""Processes killed at the worst moments, and several writers at once: no row torn, doubled or lost."""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from claimx.ledger import HmacKey, JsonlStore, Keyring, Ledger, open_store, verify

sys.path.insert(0, str(Path(__file__).parent.parent))
from processes import child, ended

KEY = HmacKey("k1", b"0123456789abcdef" * 2)
RING = Keyring.of(KEY)


def die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def opened(address: Any, conversation: str, signer: Any = RING) -> Ledger:
    return Ledger(address, conversation=conversation, signer=signer)


def goes_on(address: str, conversation: str) -> None:
    """The next process finds one call of unknown outcome, and a ledger that it can go on writing."""
    began = time.monotonic()
    with opened(address, conversation) as ledger:
        assert [e.status for e in ledger.entries()] == ["unknown"]
        assert verify(ledger.rows(), RING).unfinished == (f"{conversation}_t_1",)
        ledger.tool(lambda: 2, name="t")()
        assert [(e.id, e.status) for e in ledger.entries()] == [
            (f"{conversation}_t_1", "unknown"), (f"{conversation}_t_2", "success"),
        ]  # fmt: skip
        assert [r.seq for r in ledger.rows()] == [1, 2, 3]
        assert verify(ledger.rows(), RING).ok
    assert time.monotonic() - began < 20


def test_a_process_killed_between_tool_and_row_leaves_a_call_of_unknown_outcome(
    shared_address: str, conversation: str, tmp_path: Path
) -> None:
    effect = tmp_path / "effect"

    def tool() -> None:
        effect.write_text("done")  # the effect takes place ...
        die()  # ... and nobody lives to record it

    assert ended(child(lambda: opened(shared_address, conversation).tool(tool, name="t")())) == -signal.SIGKILL
    assert effect.read_text() == "done"
    goes_on(shared_address, conversation)


def test_a_process_killed_inside_a_write_leaves_no_part_of_a_row_and_no_lock(
    shared_address: str, conversation: str
) -> None:
    class DiesAtTheSecond:
        """Rows are signed inside the store's critical section."""

        key_id, algorithm, count = KEY.key_id, KEY.algorithm, 0

        def sign(self, message: bytes) -> bytes:
            self.count += 1
            if self.count == 2:
                die()
            return KEY.sign(message)

    work = child(lambda: opened(shared_address, conversation, DiesAtTheSecond()).tool(lambda: 1, name="t")())
    assert ended(work) == -signal.SIGKILL
    goes_on(shared_address, conversation)


def test_a_process_killed_in_the_middle_of_a_line_leaves_no_half_line(tmp_path: Path, conversation: str) -> None:
    path = tmp_path / "l.jsonl"
    lines = []

    def write(file: int, data: Any) -> int:
        if lines:
            os.write(file, bytes(data)[: len(data) // 2])
            die()
        lines.append(1)
        return os.write(file, data)

    work = child(lambda: opened(JsonlStore(path, write=write), conversation).tool(lambda: 1, name="t")())
    assert ended(work) == -signal.SIGKILL
    assert not path.read_bytes().endswith(b"\n")
    goes_on(str(path), conversation)
    assert path.read_bytes().endswith(b"\n")


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.server)])
def test_a_process_killed_between_insert_and_commit_leaves_no_row(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path, conversation: str
) -> None:
    from sqlalchemy import event

    address = str(tmp_path / "l.db") if kind == "sqlite" else request.getfixturevalue("postgresql_url")

    def work() -> None:
        ledger = opened(address, conversation)
        engine = ledger.store.engine  # type: ignore[attr-defined]
        ledger.tool(lambda: event.listen(engine, "commit", lambda connection: die()), name="t")()

    assert ended(child(work)) == -signal.SIGKILL
    goes_on(address, conversation)


def test_killed_at_any_moment_a_writer_leaves_a_chain_that_verifies(shared_address: str, conversation: str) -> None:
    total = 0
    for delay in (0.0, 0.013, 0.031):
        reading, writing = os.pipe()

        def work(signal_first: int = writing) -> None:
            tool = opened(shared_address, conversation).tool(lambda n, text: [n, text], name="t")
            for n in range(100_000):
                tool(n, "x" * 30_000)
                if n == 0:
                    os.write(signal_first, b"!")

        pid = child(work)
        os.close(writing)
        assert os.read(reading, 1) == b"!"
        os.close(reading)
        time.sleep(0.05 + delay)
        os.kill(pid, signal.SIGKILL)
        assert ended(pid) == -signal.SIGKILL
        with opened(shared_address, conversation) as ledger:
            ledger.checkpoint()
            found = verify(ledger.rows(), RING, complete=True)
            assert found.ok, found.fault
            assert found.calls > total
            total = found.calls
            assert len(found.unfinished) <= 3


def test_two_processes_at_once_lose_nothing(shared_address: str, conversation: str) -> None:
    reading, writing = os.pipe()

    def work(who: str) -> None:
        tool = opened(shared_address, conversation).tool(lambda who, n: [who, n], name="t")
        os.close(writing)
        os.read(reading, 1)  # ends for both at once
        for n in range(15):
            tool(who, n)

    children = [child(lambda who=who: work(who)) for who in "ab"]  # type: ignore[misc]
    os.close(reading)
    os.close(writing)
    assert [ended(c) for c in children] == [0, 0]
    store = open_store(shared_address)
    rows = store.read(conversation)
    store.close()
    found = verify(rows, RING)
    assert found.ok, found.fault
    assert (found.rows, found.calls, found.unfinished) == (60, 30, ())
    starts = [r.body["args"] for r in rows if r.kind == "started"]
    for who in "ab":
        assert [a["n"] for a in starts if a["who"] == who] == list(range(15))


def test_a_store_opened_by_many_at_once_for_the_first_time_is_made_once(tmp_path: Path) -> None:
    path = tmp_path / "new.db"
    children = [child(lambda i=i: opened(path, f"c{i}").tool(lambda: 1, name="t")()) for i in range(4)]  # type: ignore[misc]
    assert [ended(c) for c in children] == [0] * 4
    store = open_store(path)
    assert store.conversations() == ["c0", "c1", "c2", "c3"]
    store.close()


def test_the_lines_of_a_file_that_was_torn_often_are_all_json(tmp_path: Path) -> None:
    path = tmp_path / "l.jsonl"
    with opened(JsonlStore(path), "c") as ledger:
        for i in range(5):
            ledger.tool(lambda n: n, name="t")(i)
            with path.open("ab") as file:
                file.write(b'{"torn":' + os.urandom(4).hex().encode())
    with opened(path, "c") as ledger:
        ledger.checkpoint()
        assert verify(ledger.rows(), RING).ok
    assert all(json.loads(line) for line in path.read_text().splitlines())
