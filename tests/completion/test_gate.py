"""What users are told: words of success only for what is verified, true words for everything else."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from claimx.completion import Completion, Completions, CompletionState, Gate, Outcome, TypedOutcome

sys.path.insert(0, str(Path(__file__).parent))
double = importlib.import_module("support_system")
sys.path.pop(0)

TARGET = {"ticket_id": "T-1842"}


class Desk:
    def __init__(self, fault: str = "", *, read_fault: str = "", reconciled: bool = False, **options: Any) -> None:
        clock = double.Clock()
        support = double.Support(clock)
        self.completions = Completions([double.closing(support, **options)], clock=clock, sleep=clock.sleep)
        support.fault, support.read_fault = fault, read_fault
        work = self.completions.begin("support.close_ticket", target=TARGET, request="m17")
        self.action_id = work.action_id
        if fault != "none":
            work.attempt(support.close_ticket, TARGET, wait=False)
        if reconciled:
            work.reconcile(wait=fault == "silent")

    def words(self, **options: Any) -> str:
        return Gate(self.completions, **options).reply(self.action_id, "Your ticket is closed!").text


SITUATIONS = [
    ("accepted", Desk(fault="slow"), "The close request was accepted, but the ticket is not yet confirmed closed. Verification is still running."),
    ("unknown", Desk(fault="cut_before", verify=None), "The close request was sent, but whether the ticket is closed is not known yet."),
    ("verifier down", Desk(read_fault="down", reconciled=True), "The close request was accepted, but whether the ticket is closed cannot be checked"),
    ("no verifier", Desk(verify=None), "The close request was accepted, but whether the ticket is closed cannot be checked"),
    ("overdue", Desk(fault="silent", reconciled=True), "The close request was sent, but the ticket could not be confirmed closed in time."),
    ("rejected", Desk(fault="rejected"), "The close request did not succeed: the ticket is not closed as asked."),
    ("not executed", Desk(fault="none"), "The close request was not carried out."),
    ("verified", Desk(reconciled=True), "Your ticket is closed!"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "desk", "said"), SITUATIONS, ids=[s[0] for s in SITUATIONS])
def test_each_situation_has_true_words(name: str, desk: Desk, said: str) -> None:
    text = desk.words()
    assert text.startswith(said)
    if name != "verified":
        assert not re.search(r"ticket (?:is|has been|was) (?:now )?closed[.!]", text)
        assert not re.search(r"(?:please|you can|just) (?:try|send it|close it) again", text, re.I)
    if name in ("unknown", "verifier down", "no verifier", "overdue"):
        assert "do not send it again" in text


def test_words_can_be_set_by_situation_by_operation_and_by_state() -> None:
    desk = Desk(fault="slow")
    assert (
        desk.words(templates={"accepted": "{Thing} {ticket_id}: soon {done}. {unheard}"})
        == "The ticket T-1842: soon closed. {unheard}"
    )
    assert desk.words(templates={"support.close_ticket.unverified": "Wait.", "accepted": "No."}) == "Wait."
    assert desk.words(templates={"support.close_ticket.accepted": lambda d: f"{d.state}!"}) == "unverified!"


def test_a_reason_is_told_only_where_it_is_safe() -> None:
    refused = TypedOutcome(Outcome.REJECTED, "row 77 of table x, user root", "the ticket is under review")
    desk = Desk(classify=lambda step, result: refused)
    assert (
        desk.words()
        == "The close request did not succeed (the ticket is under review): the ticket is not closed as asked."
    )
    assert "root" not in desk.words()


def test_one_open_action_of_several_withholds_the_draft() -> None:
    desk = Desk(reconciled=True)
    other = desk.completions.begin("support.close_ticket", target=TARGET, request="m18")
    gated = Gate(desk.completions).reply([desk.action_id, other.action_id], "Both are closed.")
    assert not gated.passed
    assert gated.text == "The ticket is closed. The close request was not carried out."
    assert other.action_id in gated.withheld
    assert [d.state for d in gated.documents] == [CompletionState.VERIFIED, CompletionState.FAILED]
    assert gated.to_dict()["documents"][1]["state"] == "failed"


def test_a_draft_that_is_known_to_say_what_is_open_may_stand() -> None:
    desk = Desk(fault="slow")

    def allow(draft: str, documents: tuple[Completion, ...]) -> bool:
        return "not confirmed yet" in draft and documents[0].state is CompletionState.UNVERIFIED

    gate = Gate(desk.completions, allow=allow)
    assert gate.reply(desk.action_id, "I asked for it; it is not confirmed yet.").passed
    assert not gate.reply(desk.action_id, "Closed.").passed
    assert not gate.reply(desk.action_id, "It is not confirmed yet.", receipts=["rcpt_forged"]).passed


def test_without_a_draft_a_verified_action_gets_words_too() -> None:
    desk = Desk(reconciled=True)
    assert Gate(desk.completions).reply(desk.action_id).text == "The ticket is closed."


def test_a_gate_needs_an_action() -> None:
    with pytest.raises(ValueError, match="no action is named"):
        Gate(Desk().completions).reply([], "Done.")
