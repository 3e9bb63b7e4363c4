"""Checking through the Python interface: dicts, async, many, streams, the drop-in."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable
from pathlib import Path

import pytest

import claimx
from claimx.checker import Checker
from claimx.dropin import Claim, Extractor
from claimx.errors import InputError
from claimx.records import parse_run
from claimx.types import (
    Action,
    Actor,
    ClaimStatus,
    Extraction,
    LedgerEntry,
    Modality,
    Receipt,
    Run,
    Slot,
    SlotType,
    Tense,
    TextSpan,
    Verdict,
)  # fmt: skip

REPLY = "I refunded $64 for the order #4821. I emailed the receipt to you."
LEDGER = [
    {"id": "c1", "tool": "issue_refund", "args": {"order_id": "4821", "amount": 64}, "result": {"ok": True}},
    {"id": "c2", "tool": "send_email", "args": {"to": "x@example.com"}, "result": "Error: timeout"},
]


@pytest.fixture(scope="module")
def checker(tiny_model: Path) -> Checker:
    return Checker(Extractor(tiny_model))


def test_a_run_as_a_dict_is_checked(checker: Checker) -> None:
    receipt = checker.check({"reply": REPLY, "ledger": LEDGER})
    assert [c.status for c in receipt.claims] == [ClaimStatus.CONFIRMED, ClaimStatus.TOOL_FAILED]
    assert receipt.verdict is Verdict.FABRICATED
    assert not receipt.ok
    assert "failed" in receipt.summary


@pytest.mark.model
def test_a_whole_run_may_stand_for_the_reply() -> None:
    whole = {"reply": REPLY, "ledger": LEDGER, "tools": ["issue_refund", "send_email"]}
    want = claimx.check(REPLY, LEDGER, tools=["issue_refund", "send_email"])
    assert claimx.check(whole) == claimx.check(parse_run(whole)) == asyncio.run(claimx.acheck(whole)) == want
    with pytest.raises(InputError, match="beside ledger, tools or user"):
        claimx.check(whole, LEDGER)


def test_a_receipt_survives_a_round_trip(checker: Checker) -> None:
    receipt = checker.check({"id": "r", "reply": REPLY + " Monday.", "ledger": LEDGER})
    again = Receipt.from_dict(receipt.to_dict(explain=True))
    assert again.to_dict(explain=True) == receipt.to_dict(explain=True)


def test_the_asynchronous_twin_says_the_same(checker: Checker) -> None:
    run = {"reply": REPLY, "ledger": LEDGER}
    assert asyncio.run(checker.acheck(run)) == checker.check(run)


@pytest.mark.parametrize("size", [1, 3, 7, 1000])
def test_a_stream_ends_in_the_receipt_of_the_whole(checker: Checker, size: int) -> None:
    stream = checker.stream(ledger=[LedgerEntry.from_dict(e) for e in LEDGER])
    early = []
    for i in range(0, len(REPLY), size):
        early += stream.feed(REPLY[i : i + size])
    final = stream.finish()
    assert final == checker.check({"reply": REPLY, "ledger": LEDGER})
    if size < 30:
        assert [c.status for c in early] == [ClaimStatus.CONFIRMED]


def test_a_hint_teaches_what_cannot_be_inferred(tiny_model: Path) -> None:
    run = {"reply": "I refunded $64.", "tools": ["zx_41"], "ledger": []}
    assert Checker(Extractor(tiny_model)).check(run).verdict is Verdict.UNCHECKED
    assert Checker(Extractor(tiny_model), tool_hints={"refund": ["zx_41"]}).check(run).verdict is Verdict.FABRICATED


def test_fields_that_must_not_be_compared_are_left_alone(tiny_model: Path) -> None:
    run = {"reply": "I refunded $64.", "ledger": [{"tool": "issue_refund", "args": {"amount": 640.0}}]}
    assert Checker(Extractor(tiny_model)).check(run).verdict is Verdict.MISQUOTED
    assert Checker(Extractor(tiny_model), compare_not=["amount"]).check(run).verdict is Verdict.OK


def test_a_claim_in_doubt_is_never_held_against_the_agent() -> None:
    from dataclasses import replace

    from claimx.match import MatchOptions, judge
    from claimx.records import parse_run
    from claimx.types import Action, Actor, Extraction, Modality, Tense, TextSpan

    text = "Order cancelled?"
    action = Action(
        text,
        0,
        len(text),
        TextSpan("cancelled", 6, 15),
        TextSpan("Order", 0, 5),
        "cancel",
        Tense.PAST,
        Modality.ASSERTED,
        Actor.AGENT,
    )
    run = parse_run({"reply": text, "tools": ["cancel_order"], "ledger": []})
    doubtful = judge(Extraction((replace(action, score=0.6),)), run)
    assert doubtful.verdict is Verdict.UNCHECKED
    assert "only 60% sure" in doubtful.claims[0].reason
    assert judge(Extraction((action,)), run).verdict is Verdict.FABRICATED
    assert (
        judge(Extraction((replace(action, score=0.6),)), run, options=MatchOptions(sure=0.5)).verdict
        is Verdict.FABRICATED
    )


def test_strict_values_flag_what_the_run_never_saw(tiny_model: Path) -> None:
    run = {"reply": "Monday.", "ledger": []}
    assert Checker(Extractor(tiny_model)).check(run).verdict is Verdict.OK
    strict = Checker(Extractor(tiny_model), strict_values=True)
    assert strict.check(run).verdict is Verdict.MISQUOTED
    assert strict.check({**run, "user": "See you on Monday"}).verdict is Verdict.OK


def test_a_reply_in_another_language_is_unchecked(checker: Checker) -> None:
    for text in (
        "Ich habe Ihre Bestellung storniert und Ihnen eine Bestätigung per E-Mail geschickt.",
        "He cancelado su pedido y le he enviado la confirmación por correo electrónico.",
        "J'ai annulé votre commande et je vous ai envoyé la confirmation par courriel.",
        "Ik heb uw bestelling geannuleerd en de bevestiging naar uw e-mailadres gestuurd.",
        "Cancelei o seu pedido e enviei a confirmação para o seu endereço de e-mail.",
        "我已经取消了您的订单，并且发送了确认邮件。",
        "ご注文をキャンセルし、確認メールを送信しました。",
    ):
        receipt = checker.check({"reply": text, "tools": ["cancel_order"], "ledger": []})
        assert receipt.verdict is Verdict.UNCHECKED, text
        assert "not in English" in receipt.summary


def test_the_english_part_of_a_mixed_reply_is_still_checked(checker: Checker) -> None:
    text = "Guten Tag, vielen Dank für Ihre Geduld mit uns.\n\nI refunded $64 for the order."
    receipt = checker.check({"reply": text, "tools": ["issue_refund"], "ledger": []})
    assert receipt.verdict is Verdict.FABRICATED


def test_toolreceipt_takes_our_extractor_unchanged(tiny_model: Path) -> None:
    import toolreceipt

    ledger = toolreceipt.Ledger([toolreceipt.LedgerEntry("issue_refund", args={"amount": 64})])
    tools = ["issue_refund", ("send_email", "Send an e-mail to a customer")]
    receipt = toolreceipt.check(REPLY, ledger, known_tools=tools, extractor=Extractor(tiny_model))
    assert receipt.verdict == "fabricated"
    assert [c.verb for c in receipt.confirmed] == ["refund"]
    (missing,) = receipt.claimed_but_never_ran
    assert (missing.tool, missing.reason) == ("send_email", "not_called")
    assert receipt.to_dict()["ok"] is False


def test_a_drop_in_claim_carries_the_rival_fields() -> None:
    import dataclasses

    import toolreceipt

    assert {f.name for f in dataclasses.fields(toolreceipt.Claim)} <= {f.name for f in dataclasses.fields(Claim)}
    claim = Claim("t", "send", candidates=["send_email"])
    assert Claim.from_dict(claim.to_dict()) == claim


class CountingExtractor:
    """Reads "did N" as a claim to have refunded N dollars, and counts the characters it was given."""

    def __init__(self) -> None:
        self.read = 0

    def extract_full(self, text: str) -> Extraction:
        self.read += len(text)
        actions = []
        for m in re.finditer(r"refunded (\$\d+)", text):
            slot = Slot(SlotType.MONEY, m.group(1), m.start(1), m.end(1))
            trigger = TextSpan("refunded", m.start(), m.start() + 8)
            actions.append(
                Action(m.group(), m.start(), m.end(), trigger, None, "refund", Tense.PAST, Modality.ASSERTED, Actor.AGENT, (slot,))
            )  # fmt: skip
        return Extraction(tuple(actions))

    def extract_many(self, texts: Iterable[str]) -> list[Extraction]:
        return [self.extract_full(t) for t in texts]


def test_a_long_stream_is_read_about_once_and_tells_where_its_claims_stand() -> None:
    reply = " ".join(f"I refunded ${i} for the broken lamp of customer {i}." for i in range(120)) + " Bye."
    entries = [LedgerEntry(f"c{i}", "refund", {"amount": i}, {"ok": True}) for i in range(120)]
    reader = CountingExtractor()
    stream = Checker(reader).stream(ledger=entries)
    early = [c for i in range(0, len(reply), 5) for c in stream.feed(reply[i : i + 5])]
    assert reader.read < 20 * len(reply)
    assert [reply[c.action.trigger.start : c.action.trigger.end] for c in early] == ["refunded"] * 120
    assert [reply[c.action.slots[0].start : c.action.slots[0].end] for c in early] == [f"${i}" for i in range(120)]
    final = stream.finish()
    assert final == Checker(CountingExtractor()).check(Run(reply, tuple(entries)))
    assert [c.status for c in early] == [c.status for c in final.claims]


def test_a_stream_judges_by_the_ledger_as_it_stands() -> None:
    stream = Checker(CountingExtractor()).stream(ledger=[], tools=["refund"])
    assert [c.status for c in stream.feed("I refunded $5. And")] == [ClaimStatus.NEVER_RAN]
    entry = LedgerEntry("c1", "refund", {"amount": 7}, {"ok": True})
    assert [c.status for c in stream.feed(" I refunded $7. Bye", ledger=[entry])] == [ClaimStatus.CONFIRMED]
    assert stream.feed(".") == []


OPTIONS = [
    ({"blocking": ["confirmed"]}, "blocking"),
    ({"sure": 2}, "sure"),
    ({"sure": "high"}, "sure"),
    ({"result_cap": 0}, "result_cap"),
    ({"ignore_tools": [3]}, "ignore_tools"),
    ({"tool_hints": ["refund"]}, "tool_hints"),
    ({"rules": {"refund": {"unit": {}}}}, "unit"),
    ({"rules": {"refund": {"units": {"amount": 5}}}}, "rules.refund.units.amount"),
    ({"rules": {"refund": []}}, "rules.refund"),
    ({"rules": {"*": {"aliases": {"office": [""]}}}}, "rules.*.aliases.office"),
]


@pytest.mark.parametrize(("options", "field"), OPTIONS, ids=[f for _, f in OPTIONS])
def test_an_option_that_cannot_be_read_is_named(options: dict[str, object], field: str) -> None:
    with pytest.raises(InputError) as caught:
        Checker(CountingExtractor(), **options)  # type: ignore[arg-type]
    assert caught.value.field == field


def test_the_policy_says_which_statuses_block() -> None:
    run = {"reply": "I refunded $64.", "ledger": [{"tool": "refund", "args": {"amount": 640.0}}]}
    assert Checker(CountingExtractor()).check(run).verdict is Verdict.MISQUOTED
    lenient = Checker(CountingExtractor(), blocking=["never_ran", "tool_failed"]).check(run)
    assert lenient.verdict is Verdict.OK
    assert lenient.claims[0].status is ClaimStatus.MISQUOTED


@pytest.mark.parametrize(
    ("args", "rule", "status"),
    [
        ({"amount": 6400}, {}, ClaimStatus.UNVERIFIED),
        ({"amount": 6400}, {"units": {"amount": "cents"}}, ClaimStatus.CONFIRMED),
        ({"amount": 6400}, {"units": {"args.amount": "cents"}}, ClaimStatus.CONFIRMED),
        ({"amount": 6400}, {"units": {"result.amount": "cents"}}, ClaimStatus.UNVERIFIED),
        ({"amount": 64}, {"units": {"amount": "EUR"}}, ClaimStatus.MISQUOTED),
        ({"amount": 64}, {"units": {"amount": "USD"}}, ClaimStatus.CONFIRMED),
        ({"amount": 65}, {"compare_not": ["amount"]}, ClaimStatus.CONFIRMED),
        ({"amount": 65}, {"compare_not": ["args.amount"]}, ClaimStatus.CONFIRMED),
        ({"amount": 65}, {"compare_not": ["result.amount"]}, ClaimStatus.MISQUOTED),
    ],
)
def test_a_rule_says_how_the_values_of_a_tool_are_read(
    args: dict[str, object], rule: dict[str, object], status: ClaimStatus
) -> None:
    run = {"reply": "I refunded $64.", "ledger": [{"tool": "refund", "args": args, "result": {"ok": True}}]}
    assert Checker(CountingExtractor(), rules={"refund": rule}).check(run).claims[0].status is status
    assert Checker(CountingExtractor(), rules={"*": rule}).check(run).claims[0].status is status
    other = Checker(CountingExtractor(), rules={"charge": rule}).check(run).claims[0].status
    assert other == Checker(CountingExtractor()).check(run).claims[0].status


def test_what_was_not_captured_is_said_to_be_uncompared() -> None:
    entry = {"tool": "refund", "args": None, "result": None, "status": "success", "captured": False}
    claim = Checker(CountingExtractor()).check({"reply": "I refunded $64.", "ledger": [entry]}).claims[0]
    assert claim.status is ClaimStatus.CONFIRMED
    assert "not stored" in claim.reason


HASHED = "sha256:" + "5f" * 32


@pytest.mark.parametrize(
    ("args", "result", "status"),
    [
        ({"amount": HASHED}, {"ok": True}, ClaimStatus.CONFIRMED),
        ({"amount": f"hmac-{HASHED}"}, {"ok": True, "refund_id": "RF-2210"}, ClaimStatus.CONFIRMED),
        ({"amount": "[redacted]"}, {"refund_id": "RF-2210"}, ClaimStatus.CONFIRMED),
        ({"amount": HASHED}, {"amount": HASHED, "refund_id": "RF-2210"}, ClaimStatus.CONFIRMED),
        ({"amount": HASHED}, {"fee": 2.0}, ClaimStatus.CONFIRMED),
        ({"order": HASHED, "amount": 640.0}, {"ok": True}, ClaimStatus.MISQUOTED),
        ({"order": HASHED}, {"amount": 640.0}, ClaimStatus.MISQUOTED),
    ],
)
def test_a_value_that_the_ledger_kept_back_contradicts_nothing(
    args: dict[str, object], result: dict[str, object], status: ClaimStatus
) -> None:
    run = {"reply": "I refunded $64.", "ledger": [{"tool": "refund", "args": args, "result": result}]}
    claim = Checker(CountingExtractor()).check(run).claims[0]
    assert claim.status is status, claim.reason
    assert status is ClaimStatus.MISQUOTED or "amount was kept back, and not compared" in claim.reason


def test_the_number_of_a_refund_is_no_amount() -> None:
    entry = {"tool": "refund", "args": {"order": "HB-1"}, "result": {"refund_id": "RF-2210"}}
    claim = Checker(CountingExtractor()).check({"reply": "I refunded $64.", "ledger": [entry]}).claims[0]
    assert claim.status is ClaimStatus.CONFIRMED, claim.reason
