"""Ticket T-1842: the close is accepted, the note write silently fails, a rule reopens the ticket."""

from __future__ import annotations

import asyncio
import importlib
import sys
from pathlib import Path
from typing import Any

import pytest

from claimx.completion import (
    Check,
    Completions,
    CompletionState,
    Contract,
    Finding,
    Gate,
    SqliteStore,
    Wording,
    with_states,
)
from claimx.types import LedgerEntry

sys.path.insert(0, str(Path(__file__).parent))
double = importlib.import_module("support_system")
sys.path.pop(0)

TARGET = {"ticket_id": "T-1842", "note_id": "N-9"}


class Desk:
    def __init__(self, store: Any) -> None:
        self.clock = double.Clock()
        self.support = double.Support(self.clock)
        contract = Contract(
            "support.resolve_ticket",
            postcondition="ticket.status == closed and note N is on it",
            verify=self.verify,
            observe=self.support.version,
            wording=Wording("close request", "the ticket", "closed"),
        )
        self.completions = Completions(
            [contract], store=store, clock=self.clock, sleep=self.clock.sleep, asleep=self.clock.asleep
        )

    def verify(self, subject: Any) -> Check:
        ticket, reading = self.support.read("T-1842")
        has_note, is_closed = "N-9" in ticket["notes"], ticket["status"] == "closed"
        if subject.step == "note":
            return Check.holds(reading) if has_note else Check.absent("no such note", reading)
        if subject.step == "close":
            return Check.holds(reading) if is_closed else Check.absent("it is open", reading)
        if not has_note:
            return Check.broken("note N-9 is missing", reading)
        return Check.holds(reading) if is_closed else Check.not_yet("it is open", reading)

    def begin(self) -> Any:
        return self.completions.begin("support.resolve_ticket", target=TARGET, request="m17", steps=("note", "close"))

    def note(self, fault: str = "") -> Any:
        self.support.fault = fault
        args = {"ticket_id": "T-1842", "note_id": "N-9"}
        return self.begin().attempt(self.support.add_note, args, step="note", call_id="c1")

    def close(self, fault: str = "") -> Any:
        self.support.fault = fault
        return self.begin().attempt(self.support.close_ticket, {"ticket_id": "T-1842"}, step="close", call_id="c2")


@pytest.fixture
def desk(tmp_path: Path) -> Any:
    with SqliteStore(tmp_path / "state.db") as store:
        yield Desk(store)


def test_a_close_that_was_accepted_is_failed_when_its_note_is_missing(desk: Any) -> None:
    assert desk.note("silent").result == {"success": True}
    asked = desk.close()
    assert asked.result["success"] is True
    assert asked.document.state is CompletionState.UNVERIFIED
    assert desk.support.tickets["T-1842"]["status"] == "closed"
    desk.support.apply_rules()
    document = desk.begin().reconcile()
    assert document.state is CompletionState.FAILED
    assert document.disputed
    assert document.last_check.finding is Finding.BROKEN
    assert document.last_check.version == 9
    notes, closes = document.receipts
    assert (notes.step, closes.step) == ("note", "close")
    assert notes.action_id == closes.action_id == document.action_id
    assert notes.receipt_id != closes.receipt_id
    gated = Gate(desk.completions).reply(document.action_id, "The ticket is closed.")
    assert not gated.passed
    entries = with_states([LedgerEntry("c1", "add_note"), LedgerEntry("c2", "close_ticket")], [document])
    assert [e.state for e in entries] == ["failed", "failed"]
    # Nothing is written again by itself, in this process or another.
    desk.note()
    desk.close()
    assert [n for n, _ in desk.support.writes] == ["add_note", "close_ticket"]


def test_each_step_has_an_idempotency_key_of_its_own_that_stays_the_same(desk: Any) -> None:
    desk.note("cut_before")
    desk.close("cut_before")
    action_id = desk.begin().action_id
    assert desk.support.writes == [
        ("add_note", f"{action_id}:note"), ("add_note", f"{action_id}:note"),
        ("close_ticket", f"{action_id}:close"), ("close_ticket", f"{action_id}:close"),
    ]  # fmt: skip
    assert desk.begin().reconcile().state is CompletionState.VERIFIED


def test_a_close_that_timed_out_after_it_was_committed_is_not_sent_again(desk: Any) -> None:
    desk.note()
    document = desk.close("cut_after").document
    assert document.receipts[-1].outcome.kind == "unknown"
    document = desk.begin().reconcile()
    assert document.state is CompletionState.VERIFIED
    assert [n for n, _ in desk.support.writes] == ["add_note", "close_ticket"]


def test_a_later_step_waits_for_one_that_is_not_through(desk: Any) -> None:
    desk.support.read_fault = "down"
    desk.note("cut_before")
    asked = desk.close()
    assert not asked.ran
    assert asked.document.state is CompletionState.UNVERIFIED
    assert [n for n, _ in desk.support.writes] == ["add_note"]
    assert (
        Gate(desk.completions)
        .words(asked.document)
        .startswith("The close request is not finished: the ticket is not confirmed")
    )


def test_an_action_whose_next_step_never_comes_is_escalated(desk: Any) -> None:
    document = desk.note().document
    assert (document.state, document.escalated) == (CompletionState.UNVERIFIED, False)
    assert desk.completions.reconcile_due() == []
    desk.clock.sleep(60)
    (document,) = desk.completions.reconcile_due()
    assert (document.state, document.escalated) == (CompletionState.UNVERIFIED, True)
    assert "'close' was not attempted" in document.reason
    assert desk.completions.reconcile_due() == []
    assert desk.close().ran


def test_a_step_that_is_refused_ends_the_action(desk: Any) -> None:
    document = desk.note("rejected").document
    assert (document.state, document.settled) == (CompletionState.FAILED, True)
    assert not desk.close().ran


def test_a_ticket_that_is_reopened_after_it_was_verified_becomes_failed_at_the_next_read(desk: Any) -> None:
    desk.note()
    desk.close()
    assert desk.begin().reconcile().state is CompletionState.VERIFIED
    desk.support.tickets["T-1842"].update(status="open", notes=[])
    document = desk.begin().reconcile(force=True)
    assert document.state is CompletionState.FAILED
    assert not Gate(desk.completions).reply(document.action_id, "Closed.").passed


def test_a_step_must_be_named_where_there_are_several(desk: Any) -> None:
    from claimx.errors import CompletionError

    with pytest.raises(CompletionError, match="say which"):
        desk.begin().attempt(desk.support.add_note, {})
    with pytest.raises(CompletionError, match="no step 'send'"):
        desk.begin().attempt(desk.support.add_note, {}, step="send")


def test_the_same_asynchronously(tmp_path: Path) -> None:
    async def main() -> Any:
        with SqliteStore(tmp_path / "state.db") as store:
            desk = Desk(store)
            work = await desk.completions.abegin(
                "support.resolve_ticket", target=TARGET, request="m17", steps=("note", "close")
            )
            await work.aattempt(desk.support.add_note, {"ticket_id": "T-1842", "note_id": "N-9"}, step="note")
            desk.support.fault = "cut_after"
            asked = await work.aattempt(desk.support.aclose_ticket, {"ticket_id": "T-1842"}, step="close")
            document = await work.areconcile()
            return asked, document, desk

    asked, document, desk = asyncio.run(main())
    assert asked.receipt.runtime_status == "timeout"
    assert document.state is CompletionState.VERIFIED
    assert len(desk.support.writes) == 2
