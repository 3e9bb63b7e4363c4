"""Budgets, backoff, concurrency and asynchrony of the engine, and what it tells."""

from __future__ import annotations

import asyncio
import importlib
import itertools
import logging
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from tenacity import wait_fixed

from claimx.completion import (
    Check,
    Completion,
    Completions,
    CompletionState,
    Contract,
    MemoryStore,
    Outcome,
    Reading,
    RuntimeStatus,
    SqliteStore,
    TypedOutcome,
    derive_action_id,
    entries_of,
)
from claimx.errors import CompletionError
from claimx.types import CallStatus

sys.path.insert(0, str(Path(__file__).parent))
double = importlib.import_module("support_system")
sys.path.pop(0)

TARGET = {"ticket_id": "T-1842"}


def desk(store: Any = None, told: Any = None, **options: Any) -> tuple[Any, Any, Completions]:
    clock = double.Clock()
    support = double.Support(clock)
    contract = double.closing(support, **options)
    return clock, support, Completions([contract], store=store, clock=clock, sleep=clock.sleep, asleep=clock.asleep, on_change=told)  # fmt: skip


def begin(completions: Completions, request: str = "m17") -> Any:
    return completions.begin("support.close_ticket", target=TARGET, request=request)


def test_a_call_that_was_turned_away_is_made_again_after_a_growing_wait_until_its_attempts_are_spent() -> None:
    clock, _support, completions = desk(attempts=4)
    tries = []

    def throttled(ticket_id: str) -> Any:
        tries.append(clock.now)
        return {"error": "429 too many requests"}

    document = begin(completions).attempt(throttled, TARGET).document
    assert len(tries) == 4
    waits = [round(b - a, 3) for a, b in itertools.pairwise(tries)]
    assert waits == [0.5, 1.0, 2.0]
    assert (document.state, document.settled, document.executed) == ("failed", True, False)
    assert begin(completions).attempt(throttled, TARGET).ran is False


def test_no_write_begins_after_its_time_is_over() -> None:
    _clock, _support, completions = desk(attempts=50, write_budget=20.0)
    document = begin(completions).attempt(lambda ticket_id: {"error": "rate limit"}, TARGET).document
    assert 3 <= len(document.receipts) <= 7
    assert document.receipts[-1].started_at - document.receipts[0].started_at <= 20.0
    assert document.settled


def test_the_wait_is_a_strategy_of_tenacity() -> None:
    _clock, support, completions = desk(backoff=wait_fixed(3), visibility=10.0)
    support.fault = "silent"
    begin(completions).attempt(support.close_ticket, TARGET)
    document = begin(completions).reconcile()
    at = [c.checked_at - document.receipts[0].finished_at for c in document.checks]
    assert at == [0.0, 3.0, 6.0, 9.0, 10.0]


def test_a_throttled_call_whose_effect_is_there_all_the_same_is_verified_and_disputed() -> None:
    _clock, support, completions = desk()

    def odd(ticket_id: str) -> Any:
        support.tickets["T-1842"].update(status="closed", version=8)
        return {"error": "429 too many requests"}

    document = begin(completions).attempt(odd, TARGET).document
    assert (document.state, document.disputed) == (CompletionState.VERIFIED, True)
    assert len(document.receipts) == 1


def test_a_refusal_of_a_second_attempt_is_not_the_last_word_when_the_first_may_have_landed_late() -> None:
    _clock, support, completions = desk()
    answers = [TimeoutError("cut"), {"error": "not allowed: already closed"}]

    def flaky(ticket_id: str) -> Any:
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        support.tickets["T-1842"].update(status="closed", version=8)
        return answer

    document = begin(completions).attempt(flaky, TARGET).document
    assert [r.outcome.kind for r in document.receipts] == [Outcome.UNKNOWN, Outcome.REJECTED]
    assert begin(completions).reconcile().state is CompletionState.VERIFIED


def test_outcomes_are_read_by_the_teams_own_classifier_or_given_by_the_tool() -> None:
    def classify(step: str, result: Any) -> Any:
        return {"A": "accepted", "R": TypedOutcome(Outcome.REJECTED, "code R", "the account is frozen")}[result]

    for answer, kind in (("A", "accepted"), ("R", "rejected"), ("?", "unknown")):
        completions = desk(classify=classify, verify=None)[2]
        document = begin(completions).attempt(lambda ticket_id, answer=answer: answer, TARGET).document
        assert document.receipts[0].outcome.kind == kind
    _clock, _support, completions = desk()
    refused = TypedOutcome(Outcome.PERMANENT_FAILURE, "schema 3", "the form is outdated")
    document = begin(completions).attempt(lambda ticket_id: refused, TARGET).document
    assert document.safe_reason == "the form is outdated"


def test_exceptions_that_are_raised_before_anything_is_sent_can_be_named() -> None:
    class NoSession(Exception):
        pass

    def tool(ticket_id: str) -> Any:
        raise NoSession("log in first")

    _clock, _support, completions = desk(no_effect=(NoSession,), attempts=2)
    document = begin(completions).attempt(tool, TARGET).document
    assert [r.outcome.kind for r in document.receipts] == [Outcome.RETRYABLE_FAILURE] * 2


def test_nothing_sleeps_when_not_asked_to_wait_and_a_worker_takes_over() -> None:
    clock, support, completions = desk()
    support.fault = "slow"
    assert begin(completions).attempt(support.close_ticket, TARGET, wait=False).document.state == "unverified"
    assert begin(completions).reconcile(wait=False).next_check_at is not None
    assert completions.reconcile_due() == []
    assert clock.slept == []
    for _ in range(6):
        clock.sleep(1.0)
        done = completions.reconcile_due()
    assert completions.document(begin(completions).action_id).state is CompletionState.VERIFIED
    assert done == []


def test_the_same_request_is_the_same_action_and_another_is_not() -> None:
    _clock, _support, completions = desk()
    assert begin(completions).action_id == begin(completions).action_id
    assert begin(completions).action_id != begin(completions, "m18").action_id
    given = completions.begin("support.close_ticket", target=TARGET, action_id="act_mine")
    assert given.action_id == "act_mine"
    names = {derive_action_id(*n, tenant_id=t) for n in (("a",), ("b",)) for t in ("x", "y")}
    assert len(names) == 4


def test_the_version_is_observed_once_before_anything_is_written() -> None:
    _clock, support, completions = desk()
    begin(completions).attempt(support.close_ticket, TARGET)
    assert begin(completions).intent.before == 7


def test_an_observer_that_breaks_leaves_the_version_open(caplog: pytest.LogCaptureFixture) -> None:
    def observe(intent: Any) -> int:
        raise ConnectionError("down")

    with caplog.at_level(logging.WARNING, "claimx.completion"):
        _clock, _support, completions = desk(observe=observe)
        assert begin(completions).intent.before is None
    assert "could not be observed" in caplog.text


def test_an_attempt_of_another_process_is_never_overtaken_while_it_may_live() -> None:
    store = MemoryStore()
    _clock, support, completions = desk(store)
    inside: list[Any] = []

    def slow(ticket_id: str) -> Any:
        inside.append(begin(completions).attempt(support.close_ticket, TARGET, wait=False))
        return {"success": True}

    begin(completions).attempt(slow, TARGET)
    assert inside[0].ran is False
    assert inside[0].document.state is CompletionState.UNVERIFIED
    assert "under way" in inside[0].document.reason
    assert support.writes == []


def test_of_many_threads_at_once_one_writes() -> None:
    _clock, support, completions = desk()
    support.clock = double.Clock()
    barrier = threading.Barrier(8)

    def one() -> None:
        barrier.wait()
        begin(completions).attempt(support.close_ticket, TARGET, wait=False)

    threads = [threading.Thread(target=one) for _ in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(support.writes) == 1
    assert len(completions.document(begin(completions).action_id).receipts) == 1


def test_an_attempt_that_comes_back_after_it_was_given_up_does_not_change_its_receipt(
    caplog: pytest.LogCaptureFixture,
) -> None:
    clock, _support, completions = desk(lease=10.0, verify=None)

    def very_slow(ticket_id: str) -> Any:
        clock.sleep(11)
        assert begin(completions).reconcile(wait=False).receipts[0].runtime_status is RuntimeStatus.LOST
        return {"success": True}

    document = begin(completions).attempt(very_slow, TARGET).document
    assert [r.runtime_status for r in document.receipts] == [RuntimeStatus.LOST]
    assert "came back after it was given up" in caplog.text


def test_cancelling_an_asynchronous_call_leaves_a_receipt_and_goes_through() -> None:
    _clock, _support, completions = desk()

    async def forever(ticket_id: str) -> None:
        await asyncio.Event().wait()

    async def main() -> None:
        work = await completions.abegin("support.close_ticket", target=TARGET, request="m17")
        task = asyncio.create_task(work.aattempt(forever, TARGET))
        await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    (receipt,) = completions.document(begin(completions).action_id).receipts
    assert receipt.runtime_status is RuntimeStatus.CANCELLED


def test_an_asynchronous_verifier_is_awaited_and_refused_where_nothing_can_await_it() -> None:
    async def verify(subject: Any) -> Check:
        await asyncio.sleep(0)
        return Check.holds(Reading(version=8, as_of=clock.now, consistent=True))

    clock, support, completions = desk(verify=verify)
    work = begin(completions)
    work.attempt(support.close_ticket, TARGET)
    document = work.reconcile(wait=False)
    assert "it is asynchronous" in document.checks[0].reason
    clock.sleep(1)
    assert [d.state for d in asyncio.run(completions.areconcile_due())] == [CompletionState.VERIFIED]


def test_an_asynchronous_tool_in_a_synchronous_attempt_is_refused_with_a_receipt() -> None:
    _clock, support, completions = desk(verify=None)
    document = begin(completions).attempt(support.aclose_ticket, TARGET).document
    assert "it is asynchronous" in document.receipts[0].outcome.detail
    assert support.writes == []


def test_a_listener_that_breaks_stops_nothing(caplog: pytest.LogCaptureFixture) -> None:
    def told(document: Completion) -> None:
        raise RuntimeError("pager is down")

    _clock, support, completions = desk(told=told)
    begin(completions).attempt(support.close_ticket, TARGET)
    assert begin(completions).reconcile().state is CompletionState.VERIFIED
    assert "a listener failed" in caplog.text


def test_the_idempotency_key_goes_where_the_tool_takes_it() -> None:
    _clock, _support, completions = desk(verify=None)
    got: list[Any] = []
    begin(completions, "a").attempt(
        lambda ticket_id, request_token: got.append(request_token), TARGET, key="request_token"
    )
    begin(completions, "b").attempt(lambda ticket_id: got.append(None), TARGET)
    assert got == [begin(completions, "a").action_id, None]


def test_what_is_not_known_is_said() -> None:
    _clock, _support, completions = desk()
    with pytest.raises(CompletionError, match="no contract is known for 'pay'"):
        completions.begin("pay", target={})
    with pytest.raises(CompletionError, match="no action act_x is known"):
        completions.action("act_x")
    with pytest.raises(ValueError, match="steps are"):
        completions.begin("support.close_ticket", target={}, steps=("a", "a"))
    with pytest.raises(ValueError, match="attempts is 0"):
        Contract("x", attempts=0)
    with pytest.raises(ValueError, match="lease is -1"):
        Contract("x", lease=-1)


def test_entries_of_a_ledger_can_be_made_from_receipts_alone() -> None:
    _clock, support, completions = desk()
    support.fault = "cut_before"
    begin(completions).attempt(support.close_ticket, TARGET, call_id="tu_1")
    first, second = entries_of(begin(completions).reconcile())
    assert (first.status, second.status) == (CallStatus.TIMEOUT, CallStatus.SUCCESS)
    assert (first.tool, first.state, first.extra["action_id"]) == (
        "close_ticket",
        "verified",
        begin(completions).action_id,
    )


KILLED = """
import os, sys
from pathlib import Path
sys.path.insert(0, {folder!r})
import support_system as double
from claimx.completion import Completions, SqliteStore
clock = double.Clock()
support = double.Support(clock)
class Store(SqliteStore):
    def close_attempt(self, receipt):
        if {where!r} == "after the receipt":
            super().close_attempt(receipt)
        os.kill(os.getpid(), 9)
def tool(ticket_id, idempotency_key):
    Path("writes.txt").open("a").write(idempotency_key + "\\n")
    return {{"success": True}}
completions = Completions([double.closing(support)], store=Store("state.db"), clock=clock)
work = completions.begin("support.close_ticket", target={{"ticket_id": "T-1842"}}, request="m17")
work.attempt(tool, {{"ticket_id": "T-1842"}})
"""


@pytest.mark.parametrize("where", ["before the receipt", "after the receipt"])
def test_a_process_that_is_killed_leaves_an_action_that_another_finishes_without_a_second_write(
    where: str, tmp_path: Path
) -> None:
    code = KILLED.format(folder=str(Path(__file__).parent), where=where)
    assert subprocess.run([sys.executable, "-c", code], cwd=tmp_path).returncode == -9
    assert len((tmp_path / "writes.txt").read_text().splitlines()) == 1
    with SqliteStore(tmp_path / "state.db") as store:
        clock, support, completions = desk(store)
        support.tickets["T-1842"].update(status="closed", version=8)
        work = begin(completions)
        assert work.document().state is CompletionState.UNVERIFIED
        assert work.attempt(support.close_ticket, TARGET, wait=False).ran is False
        clock.sleep(121)
        completions.reconcile_due()
        document = work.reconcile(force=True)
        assert document.state is CompletionState.VERIFIED
        assert len(document.receipts) == 1
        assert document.receipts[0].runtime_status == ("lost" if where.startswith("before") else "completed")
        assert support.writes == []
        assert (tmp_path / "writes.txt").read_text().split() == [work.action_id]
