"""Failures injected between a write and its receipt, between a receipt and its verification, and in the read: what an
effectful tool must stand before it ships. Each requirement is a test of its name."""

from __future__ import annotations

import dataclasses
import importlib
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from claimx.completion import (
    Check,
    Completion,
    Completions,
    CompletionState,
    Finding,
    Freshness,
    Gate,
    MemoryStore,
    Outcome,
    Reading,
    RuntimeStatus,
    SqliteStore,
    Work,
    with_states,
)
from claimx.errors import CompletionError
from claimx.types import LedgerEntry

sys.path.insert(0, str(Path(__file__).parent))
double = importlib.import_module("support_system")
sys.path.pop(0)

TARGET = {"ticket_id": "T-1842"}


class Desk:
    """A support system with the contract of closing its tickets."""

    def __init__(self, store: Any = None, **options: Any) -> None:
        self.clock = double.Clock()
        self.support = double.Support(self.clock)
        self.told: list[Completion] = []
        self.completions = Completions(
            [double.closing(self.support, **options)],
            store=store,
            on_change=self.told.append,
            clock=self.clock,
            sleep=self.clock.sleep,
            asleep=self.clock.asleep,
        )
        self.gate = Gate(self.completions)

    def begin(self) -> Work:
        return self.completions.begin("support.close_ticket", target=TARGET, request="m17", tenant_id="tenant_42")

    def close(self, fault: str = "", **options: Any) -> Completion:
        self.support.fault = fault
        return self.begin().attempt(self.support.close_ticket, TARGET, **options).document


def boom(error: BaseException) -> Any:
    def tool(ticket_id: str) -> None:
        raise error

    return tool


ENDINGS = [
    ("returned", lambda ticket_id: {"success": True}, RuntimeStatus.COMPLETED, Outcome.ACCEPTED),
    ("returned nothing", lambda ticket_id: None, RuntimeStatus.COMPLETED, Outcome.UNKNOWN),
    ("returned prose", lambda ticket_id: "done", RuntimeStatus.COMPLETED, Outcome.UNKNOWN),
    ("exception", boom(ValueError("bad state")), RuntimeStatus.ERROR, Outcome.UNKNOWN),
    ("timeout", boom(TimeoutError("read timed out")), RuntimeStatus.TIMEOUT, Outcome.UNKNOWN),
    ("cancelled", boom(KeyboardInterrupt()), RuntimeStatus.CANCELLED, Outcome.UNKNOWN),
    ("wrong arguments", lambda: None, RuntimeStatus.ERROR, Outcome.UNKNOWN),
]


@pytest.mark.parametrize(("_", "tool", "status", "kind"), ENDINGS, ids=[e[0] for e in ENDINGS])
def test_every_execution_attempt_creates_one_receipt_including_exceptions_and_timeouts(
    _: str, tool: Any, status: RuntimeStatus, kind: Outcome
) -> None:
    desk = Desk(attempts=1)
    work = desk.begin()
    try:
        work.attempt(tool, TARGET, wait=False)
    except KeyboardInterrupt:
        assert status is RuntimeStatus.CANCELLED
    (receipt,) = work.document().receipts
    assert (receipt.runtime_status, receipt.outcome.kind, receipt.attempt) == (status, kind, 1)
    work.attempt(tool, TARGET, wait=False)
    assert len({(r.step, r.attempt) for r in work.document().receipts}) == len(work.document().receipts)


def test_an_attempt_whose_process_died_between_the_write_and_its_receipt_gets_one_too() -> None:
    class Dying(MemoryStore):
        dead = True

        def close_attempt(self, receipt: Any) -> bool:
            if self.dead:
                raise CompletionError("the disk is gone")
            return super().close_attempt(receipt)

    desk = Desk(Dying())
    with pytest.raises(CompletionError, match="the disk is gone"):
        desk.close()
    assert desk.begin().document().state is CompletionState.UNVERIFIED
    desk.completions.store.dead = False
    desk.clock.sleep(200)
    (document,) = desk.completions.reconcile_due()
    (receipt,) = document.receipts
    assert receipt.runtime_status is RuntimeStatus.LOST
    assert document.state is CompletionState.VERIFIED
    assert len(desk.support.writes) == 1


def test_no_success_response_can_be_emitted_without_a_valid_receipt_id() -> None:
    desk = Desk()
    work = desk.begin()
    desk.support.tickets["T-1842"]["status"] = "closed"
    gated = desk.gate.reply(work.action_id, "Your ticket is closed.")
    assert not gated.passed
    assert gated.receipts == ()
    assert "was not carried out" in gated.text
    desk.support.tickets["T-1842"]["status"] = "open"
    desk.close()
    assert not desk.gate.reply(work.action_id, "Your ticket is closed.").passed
    document = work.reconcile()
    gated = desk.gate.reply(work.action_id, "Your ticket is closed.", receipts=[document.receipts[0].receipt_id])
    assert gated.passed
    assert gated.text == "Your ticket is closed."
    assert gated.receipts == (document.receipts[0].receipt_id,)
    assert not desk.gate.reply(work.action_id, "Your ticket is closed.", receipts=[""]).passed


SUCCESS = re.compile(r"\b(?:is|has been|was|now) (?:closed|done|completed?)\b|\bsuccess", re.I)


@pytest.mark.parametrize(
    "draft", ["All done, your ticket is closed!", "It worked.", "Closed. Please try again if it reopens."]
)
def test_explicit_negative_results_remain_negative_after_model_summarization(draft: str) -> None:
    desk = Desk()
    document = desk.close("rejected")
    assert document.state is CompletionState.FAILED
    assert document.settled
    assert document.receipts[0].outcome.kind is Outcome.REJECTED
    gated = desk.gate.reply(document.action_id, draft)
    assert not gated.passed
    assert not SUCCESS.search(gated.text)
    assert "The close request did not succeed" in gated.text
    # Unchanged input is not tried again.
    assert len(desk.close().receipts) == 1
    assert len(desk.support.writes) == 1


def test_a_successful_provider_response_with_unchanged_state_remains_unverified_or_failed() -> None:
    desk = Desk()
    assert desk.close("silent").state is CompletionState.UNVERIFIED
    document = desk.begin().reconcile()
    assert document.state is CompletionState.UNVERIFIED
    assert document.escalated
    assert document.deadline is not None
    assert document.last_check.checked_at >= document.deadline
    assert "could not be confirmed closed in time" in desk.gate.reply(document.action_id, "Closed!").text
    assert len(desk.support.writes) == 1


def test_a_successful_provider_response_that_the_authority_contradicts_is_failed() -> None:
    def verify(subject: Any) -> Check:
        ticket, reading = desk.support.read("T-1842")
        return Check.holds(reading) if ticket["status"] == "closed" else Check.broken("it was reopened", reading)

    desk = Desk(verify=lambda s: verify(s), high_risk=True)
    desk.close("silent")
    document = desk.begin().reconcile()
    assert (document.state, document.settled, document.disputed, document.escalated) == ("failed", True, True, True)
    assert document.receipts[0].outcome.kind is Outcome.ACCEPTED


def test_a_timeout_after_a_committed_write_is_discovered_before_another_write_attempt() -> None:
    desk = Desk()
    document = desk.close("cut_after")
    assert document.state is CompletionState.VERIFIED
    assert document.receipts[0].outcome.kind is Outcome.UNKNOWN
    assert [n for n, _ in desk.support.writes] == ["close_ticket"]
    assert desk.support.reads == 1
    assert desk.close().state is CompletionState.VERIFIED
    assert len(desk.support.writes) == 1


def test_a_write_that_the_authority_shows_not_to_have_happened_is_made_again_under_the_same_key() -> None:
    desk = Desk()
    document = desk.close("cut_before")
    assert [r.outcome.kind for r in document.receipts] == [Outcome.UNKNOWN, Outcome.ACCEPTED]
    assert desk.support.reads == 1
    assert {k for _, k in desk.support.writes} == {document.action_id}
    assert desk.begin().reconcile().state is CompletionState.VERIFIED


@pytest.mark.parametrize(
    "answer",
    [
        None,
        False,
        Check.not_yet("open"),
        Check(Finding.UNAVAILABLE, "down"),
        Check.absent("no such operation", Reading(source="copy")),
        ConnectionError("down"),
    ],
    ids=str,
)
def test_a_second_write_is_never_made_while_the_first_is_unknown(answer: Any) -> None:
    def verify(subject: Any) -> Any:
        if isinstance(answer, Exception):
            raise answer
        return answer

    desk = Desk(verify=verify)
    for _ in range(3):
        document = desk.close("cut_before")
        desk.clock.sleep(100)
    assert document.state is CompletionState.UNVERIFIED
    assert document.escalated
    assert len(desk.support.writes) == 1
    assert "Please do not send it again" in desk.gate.words(
        document
    ) or "please do not send it again" in desk.gate.words(document)


def test_without_a_verifier_an_unknown_write_is_never_repeated_and_never_verified() -> None:
    desk = Desk(verify=None)
    for _ in range(2):
        document = desk.close("cut_before")
    assert document.state is CompletionState.UNVERIFIED
    assert len(desk.support.writes) == 1
    assert desk.begin().reconcile(force=True).checks == ()


def test_repeated_reconciliation_reads_never_repeat_the_side_effect() -> None:
    desk = Desk()
    desk.close("slow")
    work = desk.begin()
    assert work.reconcile(wait=False).state is CompletionState.UNVERIFIED
    for _ in range(5):
        work.reconcile(wait=False)
    assert desk.support.reads == 1, "a read that is not due is not made"
    document = work.reconcile()
    assert document.state is CompletionState.VERIFIED
    assert 2 <= desk.support.reads <= 5
    for _ in range(20):
        work.reconcile(force=True)
    assert len(desk.support.writes) == 1


STALE = [
    ("an older version", Freshness(newer_by=1), Reading(version=7, source="copy"), "it shows version 7, needed is 8"),
    ("no version at all", Freshness(newer_by=1), Reading(source="copy"), "not both known"),
    ("a copy", Freshness(consistent=True), Reading(version=9, source="copy"), "copy is not the authority itself"),
    ("no time", Freshness(after_write=True), Reading(version=9), "does not say that it shows a time after"),
    ("an older time", Freshness(), Reading(version=9, as_of=1.0, consistent=True), "a time before the last attempt"),
]


@pytest.mark.parametrize(("_", "freshness", "reading", "said"), STALE, ids=[s[0] for s in STALE])
def test_stale_replicas_cannot_satisfy_the_postcondition_when_a_stronger_read_is_required(
    _: str, freshness: Freshness, reading: Reading, said: str
) -> None:
    desk = Desk(verify=lambda subject: Check.holds(reading, "the ticket is closed"), freshness=freshness)
    desk.close()
    document = desk.begin().reconcile()
    assert document.state is CompletionState.UNVERIFIED
    assert {c.finding for c in document.checks} == {Finding.STALE}
    assert said in document.checks[0].reason
    fresh = dataclasses.replace(reading, version=8, as_of=desk.clock.now + 1, consistent=True)
    desk = Desk(verify=lambda subject: Check.holds(fresh), freshness=freshness)
    desk.close()
    assert desk.begin().reconcile().state is CompletionState.VERIFIED


@pytest.mark.parametrize("fault", ["", "cut_after", "cut_before", "slow", "silent"])
def test_verifier_failure_produces_unverified_never_verified(fault: str) -> None:
    desk = Desk()
    desk.support.read_fault = "the ticket service is down"
    document = desk.close(fault)
    document = desk.begin().reconcile()
    assert document.state is CompletionState.UNVERIFIED
    assert {c.finding for c in document.checks} == {Finding.UNAVAILABLE}
    assert "ConnectionError: the ticket service is down" in document.checks[0].reason
    assert not desk.gate.reply(document.action_id, "Closed!").passed
    desk.support.read_fault = ""
    after = desk.begin().reconcile(force=True)
    assert after.state is (CompletionState.VERIFIED if fault in ("", "cut_after", "slow") else document.state) or (
        fault == "cut_before" and after.state is CompletionState.FAILED
    )
    assert len(desk.support.writes) == 1


@pytest.mark.parametrize("answer", ["yes", 1, {"ok": True}])
def test_a_verifier_that_answers_in_no_known_way_produces_unverified(answer: Any) -> None:
    desk = Desk(verify=lambda subject: answer)
    desk.close()
    assert desk.begin().reconcile().state is CompletionState.UNVERIFIED


def test_forged_or_mismatched_receipt_ids_fail_closed(tmp_path: Path) -> None:
    desk = Desk()
    desk.close()
    mine = desk.begin().reconcile()
    other = desk.completions.begin("support.close_ticket", target=TARGET, request="m18")
    foreign = other.attempt(lambda ticket_id: {"success": True}, TARGET).receipt
    own = mine.receipts[0].receipt_id
    assert desk.gate.reply(mine.action_id, "Closed!", receipts=[own]).passed
    for claimed in (["rcpt_00000000000000000000"], [foreign.receipt_id], [own, "rcpt_x"], [own[:-1]]):
        gated = desk.gate.reply(mine.action_id, "Closed!", receipts=claimed)
        assert not gated.passed
        assert gated.text == "The ticket cannot be confirmed closed."
        assert "was not issued for" in gated.withheld
    with pytest.raises(CompletionError, match="was never issued"):
        desk.completions.trusted(mine.action_id, "rcpt_0")
    with pytest.raises(CompletionError, match="belongs to"):
        desk.completions.trusted(mine.action_id, foreign.receipt_id)
    assert not desk.gate.reply("act_unknown", "Closed!").passed


def test_an_altered_receipt_fails_closed(tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "state.db") as store:
        desk = Desk(store)
        desk.close("rejected")
        action_id = desk.begin().action_id
        db = store._connection
        with pytest.raises(Exception, match="receipts are never changed"):
            db.execute("UPDATE receipts SET body = replace(body, 'rejected', 'accepted')")
        db.execute("DROP TRIGGER receipts_stay")
        db.execute("UPDATE receipts SET body = replace(body, 'rejected', 'accepted')")
        gated = desk.gate.reply(action_id, "Closed!")
        assert not gated.passed
        assert "it was altered" in gated.withheld


@pytest.mark.parametrize("fault", ["", "slow", "silent", "cut_before", "rejected"])
def test_ui_workflow_status_alerts_and_audit_records_expose_the_same_completion_state(
    fault: str, tmp_path: Path
) -> None:
    with SqliteStore(tmp_path / "state.db") as store:
        desk = Desk(store)
        desk.support.fault = fault
        work = desk.begin()
        work.attempt(desk.support.close_ticket, TARGET, call_id="c1", wait=False)
        for _ in range(3):
            document = work.reconcile(wait=False)
            ui = desk.gate.reply(work.action_id, "Closed!").documents[0].to_dict()
            alert = desk.told[-1].to_dict()
            (entry,) = with_states([LedgerEntry("c1", "close_ticket")], [document])
            with SqliteStore(tmp_path / "state.db") as other:
                audit = other.document(work.action_id)
                workflow = Completions([double.closing(desk.support)], store=other, clock=desk.clock).document(
                    work.action_id
                )
            states = {document.state, ui["state"], alert["state"], entry.state, audit["state"], workflow.state}
            assert states == {document.state}
            assert ui == audit == document.to_dict() == workflow.to_dict()
            assert Completion.from_dict(audit) == document
            desk.clock.sleep(3)
