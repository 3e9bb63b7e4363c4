"""Failures injected between a write and its receipt, between a receipt and its verification, and in the read: what an
effectful tool must stand before it ships. Each requirement is a test of its name."""

from __future__ import annotations

import dataclasses
import importlib
import re
import sys
from collections.abc import Callable
from datetime import UTC, datetime
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
    Subject,
    Work,
    entries_of,
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


def test_a_state_without_a_receipt_that_the_store_issued_lets_no_success_through() -> None:
    class Forgetful(MemoryStore):
        def receipt(self, receipt_id: str) -> None:
            return None

    class Credulous(Completions):
        """Believes that an action is verified, whatever is kept of it."""

        def document(self, action_id: str) -> Completion:
            found = super().document(action_id)
            return dataclasses.replace(found, state=CompletionState.VERIFIED, receipts=())

    lost = Desk(Forgetful())
    assert lost.close().receipts
    assert lost.begin().reconcile().state is CompletionState.VERIFIED
    gated = lost.gate.reply(lost.begin(), "Your ticket is closed.")
    assert (gated.passed, gated.receipts) == (False, ())
    assert "was never issued" in gated.withheld
    desk = Desk()
    gate = Gate(Credulous([double.closing(desk.support)], store=desk.completions.store, clock=desk.clock))
    gated = gate.reply(desk.begin(), "Your ticket is closed.")
    assert (gated.passed, gated.text) == (False, "The ticket cannot be confirmed closed.")
    assert "has no receipt" in gated.withheld


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
    assert draft not in gated.text
    # Unchanged input is not tried again.
    assert len(desk.close().receipts) == 1
    assert len(desk.support.writes) == 1
    # The same words pass where they are true: it is the state that withholds them.
    done = Desk()
    done.close()
    action_id = done.begin().reconcile().action_id
    assert done.gate.reply(action_id, draft).text == draft


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


AFTER_AN_OUTAGE = {
    "": CompletionState.VERIFIED,
    "cut_after": CompletionState.VERIFIED,
    "slow": CompletionState.VERIFIED,
    "silent": CompletionState.UNVERIFIED,
    "cut_before": CompletionState.FAILED,
}


@pytest.mark.parametrize("fault", AFTER_AN_OUTAGE)
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
    assert desk.begin().reconcile(force=True).state is AFTER_AN_OUTAGE[fault]
    assert len(desk.support.writes) == 1


UNSHOWN = [
    ("a bare True", lambda now: True),
    ("holds without a reading", lambda now: Check.holds()),
    ("a reading that names a source alone", lambda now: Check.holds(Reading(consistent=True, source="tickets"))),
]


@pytest.mark.parametrize(("_", "answer"), UNSHOWN, ids=[u[0] for u in UNSHOWN])
def test_a_verifier_that_shows_nothing_of_what_it_read_verifies_only_where_the_contract_lets_it(
    _: str, answer: Any
) -> None:
    desk = Desk(verify=lambda subject: answer(desk.clock.now))
    desk.close()
    document = desk.begin().reconcile()
    assert document.state is CompletionState.UNVERIFIED
    assert {c.finding for c in document.checks} == {Finding.UNAVAILABLE}
    assert "shows nothing of what it read: return Check.holds(Reading(" in document.checks[0].reason
    assert not desk.gate.reply(document.action_id, "Closed!").passed
    desk = Desk(verify=lambda subject: answer(desk.clock.now), freshness=Freshness(reading=False))
    desk.close()
    assert desk.begin().reconcile().state is CompletionState.VERIFIED


SHOWN = [
    ("a version", lambda now: Reading(version=8)),
    ("a time", lambda now: Reading(as_of=now)),
    ("a time as a datetime", lambda now: Reading(as_of=datetime.fromtimestamp(now, UTC))),
    ("the values", lambda now: Reading(evidence={"status": "closed"})),
    ("values that are falsy", lambda now: Reading(evidence=0)),
]


@pytest.mark.parametrize(("_", "reading"), SHOWN, ids=[s[0] for s in SHOWN])
def test_what_a_verifier_read_is_kept_with_the_check_that_rests_on_it(_: str, reading: Any, tmp_path: Path) -> None:
    with SqliteStore(tmp_path / "state.db") as store:
        desk = Desk(store, verify=lambda subject: Check.holds(reading(desk.clock.now)))
        desk.close()
        document = desk.begin().reconcile()
        assert document.state is CompletionState.VERIFIED
        (check,) = store.checks(document.action_id)
    shown = reading(check.checked_at)
    assert (check.version, check.evidence) == (shown.version, shown.evidence)
    assert check.as_of == (check.checked_at if shown.as_of is not None else None)
    assert document.to_dict()["checks"][0]["evidence"] == shown.evidence


def test_a_time_that_is_yet_to_come_shows_nothing() -> None:
    desk = Desk(verify=lambda subject: Check.holds(Reading(as_of=desk.clock.now * 1000)))  # milliseconds
    desk.close()
    document = desk.begin().reconcile()
    assert document.state is CompletionState.UNVERIFIED
    assert "yet to come: give seconds since 1970" in document.checks[0].reason


def test_a_time_without_its_zone_and_versions_that_cannot_be_compared_verify_nothing() -> None:
    naive = Desk(verify=lambda subject: Check.holds(Reading(as_of=datetime(2026, 8, 10))))
    etags = Desk(verify=lambda s: Check.holds(Reading(version="v8")), freshness=Freshness(newer_by=1))  # type: ignore[arg-type]
    for desk, said in ((naive, "no time zone"), (etags, "no number that can be compared")):
        desk.close()
        document = desk.begin().reconcile()
        assert document.state is CompletionState.UNVERIFIED
        assert said in document.checks[0].reason


@pytest.mark.parametrize("answer", ["yes", 1, {"ok": True}])
def test_a_verifier_that_answers_in_no_known_way_produces_unverified(answer: Any) -> None:
    desk = Desk(verify=lambda subject: answer)
    desk.close()
    assert desk.begin().reconcile().state is CompletionState.UNVERIFIED


ODD_CHECKS: list[tuple[str, Callable[[], Any], str]] = [
    ("a finding in words that shows no reading", lambda: Check("holds"), "shows nothing of what it read"),  # type: ignore[arg-type]
    ("a finding that is none", lambda: Check("fine"), "not a valid Finding"),  # type: ignore[arg-type]
    ("a reading that is none", lambda: Check.holds({"version": 8}), "a check's reading is a Reading"),  # type: ignore[arg-type]
    ("no reading though it is not there", lambda: Check.not_yet("no", {"version": 8}), "a check's reading is a Reading"),  # type: ignore[arg-type]
    ("a time in words", lambda: Check.holds(Reading(as_of="now")), "as_of is 'now', expected seconds"),  # type: ignore[arg-type]
    ("an authority in words", lambda: Check.holds(Reading(8, consistent="no")), "consistent is 'no', expected True or"),  # type: ignore[arg-type]
]  # fmt: skip


@pytest.mark.parametrize(("_", "answer", "said"), ODD_CHECKS, ids=[c[0] for c in ODD_CHECKS])
def test_a_check_that_is_none_produces_unverified_and_says_what_is_wrong_with_it(
    _: str, answer: Callable[[], Any], said: str
) -> None:
    for store in (MemoryStore(), None):
        desk = Desk(verify=lambda subject: answer(), **({"store": store} if store else {}))
        desk.close()
        document = desk.begin().reconcile()
        assert document.state is CompletionState.UNVERIFIED
        assert said in document.checks[-1].reason


def test_a_verifier_that_changes_what_it_is_asked_about_changes_nothing_that_is_kept() -> None:
    def meddle(subject: Subject) -> Check:
        subject.intent.target["ticket_id"] = "T-2"  # type: ignore[index]
        for r in subject.receipts:
            r.target["ticket_id"] = "T-2"  # type: ignore[index]
        return Check.not_yet("no", Reading(version=8))

    desk = Desk(verify=meddle)
    desk.close()
    document = desk.begin().reconcile()
    assert document.intent.target["ticket_id"] == "T-1842"
    assert document.receipts[0].target["ticket_id"] == "T-1842"


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
        db = store._file.connection
        with pytest.raises(Exception, match="receipts are never changed"):
            db.execute("UPDATE receipts SET body = replace(body, 'rejected', 'accepted')")
        db.execute("DROP TRIGGER receipts_stay")
        db.execute("UPDATE receipts SET body = replace(body, 'rejected', 'accepted')")
        gated = desk.gate.reply(action_id, "Closed!")
        assert not gated.passed
        assert re.search(r"receipt rcpt_\w+ .*was altered", gated.withheld)


@pytest.mark.parametrize(
    ("freshness", "seen"),
    [(Freshness(newer_by=1), Finding.STALE), (Freshness(consistent=True), Finding.STALE), (Freshness(), Finding.HOLDS)],
    ids=["newer", "consistent", "no stronger read is required"],
)
def test_a_replica_that_still_shows_an_earlier_closing_does_not_satisfy_a_later_one(
    freshness: Freshness, seen: Finding
) -> None:
    desk = Desk(verify=double.is_closed(lambda ticket: desk.support.read_copy(ticket)), freshness=freshness)
    desk.support.copy["T-1842"].update(status="closed", version=5)  # as it was before the ticket was reopened
    desk.close("silent")
    document = desk.begin().reconcile(wait=False)
    assert document.checks[0].finding is seen
    assert (document.state is CompletionState.VERIFIED) == (seen is Finding.HOLDS)
    if seen is Finding.STALE and freshness.newer_by:
        desk.support.copy["T-1842"].update(version=8)  # the copy has caught up
        assert desk.begin().reconcile(force=True, wait=False).state is CompletionState.VERIFIED


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
            (alone,) = entries_of(document)
            states = {
                document.state,
                ui["state"],
                alert["state"],
                entry.state,
                alone.state,
                audit["state"],
                workflow.state,
            }
            assert states == {document.state}
            assert ui == audit == document.to_dict() == workflow.to_dict()
            assert Completion.from_dict(audit) == document
            desk.clock.sleep(3)


LATER: list[tuple[str, Check | bool, Check | bool | None, CompletionState]] = [
    ("a later version", Check.holds(Reading(version=3)), Check.not_yet("it is open", Reading(version=4)), CompletionState.UNVERIFIED),
    ("the same version of a copy", Check.holds(Reading(version=3)), Check.not_yet("it is open", Reading(version=3)), CompletionState.VERIFIED),
    ("an older version of a copy", Check.holds(Reading(version=3)), Check.not_yet("it is open", Reading(version=2)), CompletionState.VERIFIED),
    ("the authority", Check.holds(Reading(version=3, consistent=True)), Check.not_yet("", Reading(consistent=True)), CompletionState.UNVERIFIED),
    ("a copy after the authority", Check.holds(Reading(evidence=1, consistent=True)), Check.not_yet("", Reading(source="copy")), CompletionState.VERIFIED),
    ("a bare no", Check.holds(Reading(version=3)), False, CompletionState.UNVERIFIED),
    ("a verifier that cannot tell", Check.holds(Reading(version=3)), None, CompletionState.VERIFIED),
]  # fmt: skip


@pytest.mark.parametrize(("_", "first", "later", "state"), LATER, ids=[r[0] for r in LATER])
def test_a_state_that_a_later_read_no_longer_shows_is_not_verified_any_more(
    _: str, first: Any, later: Any, state: CompletionState
) -> None:
    found = [first, later]
    desk = Desk(verify=lambda subject: found.pop(0), observe=None)
    desk.close()
    assert desk.begin().reconcile(wait=False).state is CompletionState.VERIFIED
    document = desk.begin().reconcile(wait=False, force=True)
    assert document.state is state
    assert desk.gate.reply(document, "Your ticket is closed.").passed is (state is CompletionState.VERIFIED)
    assert len(desk.support.writes) == 1


def test_news_that_come_after_the_deadline_verify_at_the_next_forced_read_and_write_nothing() -> None:
    desk = Desk(visibility=5.0)
    desk.close("silent")
    assert desk.begin().reconcile().escalated
    desk.clock.sleep(3600)
    desk.support.tickets["T-1842"].update(status="closed", version=9)
    assert not desk.completions.reconcile_due()
    document = desk.begin().reconcile(force=True)
    assert (document.state, document.escalated, len(desk.support.writes)) == (CompletionState.VERIFIED, False, 1)
