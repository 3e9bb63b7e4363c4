"""What users are told: words of success only for what is verified, true words for everything else."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from claimx.completion import (
    Completion,
    Completions,
    CompletionState,
    Contract,
    Gate,
    Outcome,
    TypedOutcome,
    Wording,
    Work,
)
from claimx.errors import CompletionError
from claimx.types import LedgerEntry, Receipt, Verdict

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


@pytest.mark.parametrize("named", [[], None, "", [None], 7, [""], ["act_1", 3]], ids=repr)
def test_a_gate_needs_an_action(named: Any) -> None:
    with pytest.raises(CompletionError, match="no action is named"):
        Gate(Desk().completions).reply(named, "Done.")


def test_a_draft_is_a_text() -> None:
    desk = Desk(reconciled=True)
    with pytest.raises(CompletionError, match="a draft is the text of a reply, not dict"):
        Gate(desk.completions).reply(desk.action_id, {"text": "Closed."})  # type: ignore[arg-type]


class Counter:
    """Several tickets that are closed at one desk, each under a fault of its own."""

    def __init__(self, **faults: str) -> None:
        clock = double.Clock()
        self.support = double.Support(clock)
        for ticket in faults:
            self.support.tickets[ticket] = {"status": "open", "notes": [], "version": 7}
        self.completions = Completions([double.closing(self.support)], clock=clock, sleep=clock.sleep)
        self.works: dict[str, Work] = {}
        for ticket, fault in faults.items():
            target = {"ticket_id": ticket}
            work = self.works[ticket] = self.completions.begin("support.close_ticket", target=target, request="m17")
            self.support.fault = fault
            self.support.read_fault = "down" if fault in ("unseen", "cut_before") else ""
            work.attempt(self.support.close_ticket, target, wait=False, call_id=f"c_{ticket}")
            work.reconcile(wait=fault == "silent")

    def ids(self, *tickets: str) -> list[str]:
        return [self.works[t].action_id for t in tickets]


@pytest.fixture(scope="module")
def counter() -> Counter:
    return Counter(T1="", T2="", T3="cut_before", T4="rejected", T5="silent", T6="unseen")


def test_a_reply_about_several_actions_passes_only_when_all_are_verified(counter: Counter) -> None:
    gate = Gate(counter.completions)
    assert gate.reply(counter.ids("T1", "T2"), "Both are closed.").passed
    states = {p.action_id: p.passed for p in gate.reply(counter.ids(*counter.works), "All are closed.").parts}
    assert states == {w.action_id: t in ("T1", "T2") for t, w in counter.works.items()}
    for ticket in ("T3", "T4", "T5", "T6"):
        for names in (("T1", ticket), (ticket, "T2"), (ticket,)):
            gated = gate.reply(counter.ids(*names), "All are closed.")
            assert not gated.passed
            assert gated.unsupported == (counter.works[ticket].action_id,)
            assert counter.works[ticket].action_id in gated.withheld
            assert "All are closed." not in gated.text


def test_each_action_of_a_withheld_reply_has_words_of_its_own(counter: Counter) -> None:
    gated = Gate(counter.completions).reply(counter.ids(*counter.works), "All are closed.")
    words = [p.words for p in gated.parts]
    assert words[0] == "ticket_id T1: The ticket is closed."
    assert words[1] == "ticket_id T2: The ticket is closed."
    assert words[2].startswith("The close request was sent, but whether the ticket is closed is not known yet.")
    assert words[3] == "The close request did not succeed: the ticket is not closed as asked."
    assert "could not be confirmed closed in time" in words[4]
    assert "cannot be checked at the moment" in words[5]
    assert gated.text == " ".join(words)
    data = gated.to_dict()["parts"]
    assert [(d["passed"], d["state"]) for d in data][:4] == [
        (True, "verified"), (True, "verified"), (False, "unverified"), (False, "failed"),
    ]  # fmt: skip


def test_an_action_that_nobody_knows_withholds_the_reply_and_leaves_the_others_their_words(counter: Counter) -> None:
    gated = Gate(counter.completions).reply([*counter.ids("T1"), "act_unknown"], "Both are closed.")
    assert not gated.passed
    assert gated.unsupported == ("act_unknown",)
    assert gated.text == "The ticket is closed. This cannot be confirmed done."
    assert gated.receipts == ()


def test_an_action_can_be_named_by_its_work_or_document(counter: Counter) -> None:
    gate, work = Gate(counter.completions), counter.works["T1"]
    assert gate.reply(work, "Closed.").passed
    assert gate.reply([work.document(), work.action_id], "Closed.").parts[0].action_id == work.action_id


def test_a_draft_that_tells_of_more_than_its_actions_is_withheld(counter: Counter) -> None:
    seen: list[Any] = []

    def check(reply: str, ledger: list[LedgerEntry]) -> Receipt:
        seen.append([(e.id, e.state) for e in ledger])
        bad = "refunded" in reply
        return Receipt("", Verdict.FABRICATED if bad else Verdict.OK, "1 claim: never ran" if bad else "1 claim", ())

    gate = Gate(counter.completions, check=check)
    ids = counter.ids("T1")
    assert gate.reply(ids, "Your ticket is closed.").passed
    gated = gate.reply(ids, "Your ticket is closed, and I refunded you $500.")
    assert not gated.passed
    assert gated.text == "The ticket is closed."
    assert gated.withheld == "the draft tells of more than its actions: 1 claim: never ran"
    assert seen[0] == [("c_T1", "verified")]
    gate.reply(ids, "Closed.", ledger=[LedgerEntry("c0", "get_ticket"), LedgerEntry("c_T1", "close_ticket")])
    assert seen[-1] == [("c0", None), ("c_T1", "verified")]


@pytest.mark.model
def test_the_check_of_replies_serves_as_the_gates_check(counter: Counter) -> None:
    import claimx

    gate = Gate(counter.completions, check=claimx.check)
    assert gate.reply(counter.ids("T1"), "I've closed ticket T1.").passed
    assert not gate.reply(
        counter.ids("T1"), "I've closed ticket T1. I also emailed the invoice to your accountant."
    ).passed


@pytest.mark.parametrize(
    ("templates", "said"),
    [
        ({"verifed": "x"}, "stands for no situation"),
        ({"support.close_ticket.done": "x"}, "stands for no situation"),
        ({"accepted": "{thing"}, "cannot be filled"),
        ({"accepted": "{0} is {}"}, "no name of a field"),
        ({"accepted": 7}, "cannot be filled"),
    ],
)
def test_words_that_cannot_be_filled_or_stand_for_nothing_are_refused_at_once(templates: Any, said: str) -> None:
    with pytest.raises(CompletionError, match=said):
        Gate(Completions([]), templates=templates)


def test_words_can_be_set_by_state_alone() -> None:
    assert Desk(fault="slow").words(templates={"unverified": "Not yet."}) == "Not yet."
    assert Desk(fault="slow").words(templates={"unverified": "Not yet.", "accepted": "Soon."}) == "Soon."


@pytest.mark.parametrize("draft", ["", None, "  ", "\n\t", "\u200b", "..."])
def test_a_draft_that_says_nothing_is_no_draft(draft: Any, counter: Counter) -> None:
    gated = Gate(counter.completions).reply(counter.ids("T1"), draft)
    assert gated.passed
    assert gated.text == "The ticket is closed."


def test_one_receipt_may_be_named_by_itself(counter: Counter) -> None:
    (action,) = counter.ids("T1")
    (receipt,) = counter.completions.document(action).receipts
    assert Gate(counter.completions).reply(action, "Closed.", receipts=receipt.receipt_id).passed
    assert not Gate(counter.completions).reply(action, "Closed.", receipts="rcpt_0").passed


def failing(document: Any) -> str:
    raise ZeroDivisionError


@pytest.mark.parametrize("template", [failing, lambda document: None, lambda document: 7, lambda document: " "])
def test_a_template_that_fails_or_gives_no_words_leaves_the_words_that_come_with_claimx(
    template: Any, counter: Counter
) -> None:
    gate = Gate(counter.completions, templates={"verified": template})
    assert gate.reply(counter.ids("T1")).text == "The ticket is closed."


#: A target comes from the arguments of a call, and so from a model.
HOSTILE: list[tuple[str, Any, str]] = [
    ("a sentence", "T-1. Your refund of $500 was issued.", "ticket “T-1. Your refund of $500 was issued.”"),
    ("a paragraph", "T-1\n\nYour refund was issued.", "ticket “T-1 Your refund was issued.”"),
    ("marks of its own", "T-1” is closed. “", "ticket “T-1' is closed. '”"),
    ("a long text", "x" * 5000, "ticket " + "x" * 79 + "…"),
    ("control characters", "T\u202e-1\x00\x1b[2J\u200b", "ticket T-1[2J"),
    ("fields of a template", "{reason.__class__} {thing}", "ticket {reason.__class__} {thing}"),
    ("an object", {"queue": "a", "number": 1}, "ticket queue a, number 1"),
    ("a list", ["T-1", "T-2"], "ticket T-1, T-2"),
    ("nothing", None, "ticket"),
]


@pytest.mark.parametrize(("_", "given", "said"), HOSTILE, ids=[h[0] for h in HOSTILE])
def test_what_a_target_says_is_told_as_a_name_and_not_as_the_gates_own_words(_: str, given: Any, said: str) -> None:
    contract = Contract(
        "close", verify=lambda subject: False, wording=Wording("close request", "ticket {ticket_id}", "closed")
    )
    completions = Completions([contract])
    works = [completions.begin("close", target={"ticket_id": given}, request=r) for r in ("m1", "m2")]
    works[0].attempt(lambda: {"ok": True}, {})
    gated = Gate(completions).reply(works[0], "Closed!")
    assert (
        gated.text
        == f"The close request was accepted, but {said} is not yet confirmed closed. Verification is still running."
    )
    apart = Gate(completions, templates={"accepted": "Wait.", "not_executed": "Wait."}).reply(works, "Closed!").text
    assert apart.isprintable()
    assert len(apart) < 300


def test_a_reason_of_the_provider_is_told_on_one_line_and_not_at_any_length() -> None:
    refused = TypedOutcome(Outcome.REJECTED, "", "it is\nunder review\x1b " + "x" * 1000)
    text = Desk(classify=lambda step, result: refused).words()
    assert text.startswith("The close request did not succeed (it is under review xxx")
    assert text.isprintable()
    assert len(text) < 400


def test_words_of_a_contract_that_a_target_cannot_fill_are_left_out() -> None:
    completions = Completions([Contract("close", wording=Wording("close request", "ticket {nope}", "closed"))])
    work = completions.begin("close", target={"ticket_id": "T-1"})
    work.attempt(lambda: {"ok": True}, {})
    assert (
        Gate(completions)
        .reply(work, "Closed!")
        .text.startswith("The close request was accepted, but whether it is closed")
    )
