"""The strict audit: OK, MISQUOTED, FABRICATED, and what nothing was stored to tell by."""

from __future__ import annotations

from typing import Any

import pytest

from claimx.errors import InputError
from claimx.ledger import AuditVerdict, Claimed, Ledger, audit, mask
from claimx.types import CallStatus, LedgerEntry

RESULT = {
    "transactionId": "TXN-84921",
    "amount": 49.0,
    "charge": {"id": "ch_3P", "lines": [{"sku": "A"}, {"sku": "B"}]},
}
LEDGER = [
    LedgerEntry("conv_8841_chargeCard_1", "chargeCard", {"amount": 4.9}, RESULT, extra={"call_id": "toolu_1"}),
    LedgerEntry(
        "conv_8841_send_2", "send", {}, None, CallStatus.ERROR, error="SMTP timeout", extra={"call_id": "toolu_2"}
    ),
    LedgerEntry("conv_8841_push_3", "push", {}, None, CallStatus.UNKNOWN),
    LedgerEntry("conv_8841_text_4", "text", {}, '{"id": 7, "big": 12345678901234567890}'),
    LedgerEntry("c5", "hidden", None, None, captured=False),
    LedgerEntry("c6", "charge", {"amount": 5}, None, CallStatus.TIMEOUT, error="deadline"),
    LedgerEntry("c7", "stream", {}, {"lines": 2}, CallStatus.UNKNOWN),
]


def found(claim: dict[str, Any], *, by_field: bool = False) -> tuple[str, str | None]:
    (finding,) = audit([Claimed.from_dict(claim)], LEDGER, by_field=by_field)
    return str(finding.verdict), finding.path


REORDERED = {
    "charge": {"lines": [{"sku": "A"}, {"sku": "B"}], "id": "ch_3P"},
    "amount": 49,
    "transactionId": "TXN-84921",
}
CASES: list[tuple[dict[str, Any], bool, str, str | None]] = [
    # whole results, in canonical form
    ({"call_id": "toolu_1", "result": RESULT}, False, "OK", None),
    ({"call_id": "conv_8841_chargeCard_1", "result": REORDERED}, False, "OK", None),
    ({"call_id": "toolu_9", "result": RESULT}, False, "FABRICATED", None),
    ({"call_id": "toolu_1", "result": {**RESULT, "amount": 4.9}}, False, "MISQUOTED", "result"),
    ({"call_id": "toolu_1", "result": {"amount": 49}}, False, "MISQUOTED", "result"),
    ({"call_id": "toolu_1", "result": None}, False, "MISQUOTED", "result"),
    # field by field
    ({"call_id": "toolu_1", "result": {"amount": 49}}, True, "OK", None),
    ({"call_id": "toolu_1", "result": {"charge": {"lines": [{}, {"sku": "B"}]}}}, True, "OK", None),
    ({"call_id": "toolu_1", "result": {"charge": {"lines": [{}, {"sku": "C"}]}}}, True, "MISQUOTED", "result.charge.lines[1].sku"),
    ({"call_id": "toolu_1", "result": {"charge": {"lines": [{}]}}}, True, "MISQUOTED", "result.charge.lines"),
    ({"call_id": "toolu_1", "result": {"refund": "R-1"}}, True, "MISQUOTED", "result.refund"),
    ({"call_id": "toolu_1", "result": {"amount": "49"}}, True, "MISQUOTED", "result.amount"),
    ({"call_id": "conv_8841_text_4", "result": {"id": 7}}, True, "OK", None),
    # one value of a call, as stored conversations claim it
    ({"conversation": "conv_8841", "tool": "chargeCard", "call": 1, "key": "transactionId", "value": "TXN-84921"}, False, "OK", None),
    ({"conversation": "conv_8841", "tool": "chargeCard", "call": 1, "key": "transactionId", "value": "TXN-84912"}, False, "MISQUOTED", "result.transactionId"),
    ({"conversation": "conv_8841", "tool": "chargeCard", "call": 2, "key": "transactionId", "value": "TXN-84921"}, False, "FABRICATED", None),
    ({"call_id": "toolu_1", "values": {"charge.lines[1].sku": "B", "amount": 49}}, False, "OK", None),
    ({"call_id": "toolu_1", "values": {"charge.lines[2].sku": "B"}}, False, "MISQUOTED", "result.charge.lines[2].sku"),
    ({"call_id": "toolu_1", "key": "nothing", "value": None}, False, "MISQUOTED", "result.nothing"),
    ({"call_id": "conv_8841_text_4", "key": "big", "value": 12345678901234567890}, False, "OK", None),
    # arguments and status
    ({"call_id": "toolu_1", "args": {"amount": 49}}, False, "MISQUOTED", "args"),
    ({"call_id": "toolu_1", "args": {"amount": 4.90}}, False, "OK", None),
    ({"call_id": "toolu_2", "status": "success"}, False, "MISQUOTED", "status"),
    ({"call_id": "toolu_2", "status": "error"}, False, "OK", None),
    # a result of a call that gave none
    ({"call_id": "toolu_2", "result": {"sent": True}}, False, "MISQUOTED", "result"),
    # nobody knows how the call ended: it was cancelled, it timed out, or its process died
    ({"call_id": "conv_8841_push_3", "key": "pushed", "value": True}, False, "UNVERIFIED", None),
    ({"call_id": "conv_8841_push_3", "result": {"pushed": True}}, False, "UNVERIFIED", None),
    ({"call_id": "conv_8841_push_3", "result": {"pushed": True}}, True, "UNVERIFIED", None),
    ({"call_id": "conv_8841_push_3", "result": None}, False, "UNVERIFIED", None),
    ({"call_id": "conv_8841_push_3", "status": "success"}, False, "UNVERIFIED", None),
    ({"call_id": "conv_8841_push_3", "status": "unknown"}, False, "OK", None),
    ({"call_id": "c6", "result": {"charged": 5}}, False, "UNVERIFIED", None),
    ({"call_id": "c6", "status": "success"}, False, "UNVERIFIED", None),
    ({"call_id": "c6", "status": "error"}, False, "UNVERIFIED", None),
    ({"call_id": "c6", "status": "timeout"}, False, "OK", None),
    ({"call_id": "c6", "args": {"amount": 50}}, False, "MISQUOTED", "args"),
    ({"call_id": "c6", "args": {"amount": 50}, "status": "success"}, False, "MISQUOTED", "args"),
    ({"call_id": "c6", "args": {"amount": 5}, "status": "timeout"}, False, "OK", None),
    ({"call_id": "c7", "key": "lines", "value": 2}, False, "OK", None),
    ({"call_id": "c7", "key": "lines", "value": 3}, False, "UNVERIFIED", None),
    # nothing was stored to tell by
    ({"call_id": "c5", "result": {"sent": True}}, False, "UNVERIFIED", None),
    ({"call_id": "c5", "key": "sent", "value": True}, False, "UNVERIFIED", None),
    ({"call_id": "c5", "status": "success"}, False, "OK", None),
]  # fmt: skip


@pytest.mark.parametrize(("claim", "by_field", "verdict", "path"), CASES, ids=range(len(CASES)))
def test_a_structured_claim_against_the_ledger(
    claim: dict[str, Any], by_field: bool, verdict: str, path: str | None
) -> None:
    assert found(claim, by_field=by_field) == (verdict, path)


def test_a_finding_says_what_was_claimed_and_what_is_recorded() -> None:
    (finding,) = audit([Claimed("toolu_1", values={"amount": 94})], LEDGER)
    assert finding.reason == "result.amount is claimed to be 94, recorded is 49.0"
    assert finding.to_dict() == {
        "call": "toolu_1", "verdict": "MISQUOTED", "reason": finding.reason,
        "path": "result.amount", "asserted": 94, "recorded": 49.0,
    }  # fmt: skip
    (finding,) = audit([Claimed("toolu_1", "conv_8841", values={"amount": 49})], LEDGER)
    assert finding.to_dict()["conversation"] == "conv_8841"


def test_an_id_that_a_provider_used_twice_is_held_against_the_call_that_agrees() -> None:
    twice = [LedgerEntry(f"r{i}", "t", {}, i, extra={"call_id": "call_0"}) for i in (1, 2)]
    verdicts = [f.verdict for f in audit([Claimed("call_0", asserted={"result": r}) for r in (1, 2, 3)], twice)]
    assert verdicts == ["OK", "OK", "MISQUOTED"]


@pytest.mark.parametrize("key", [None, b"secret"], ids=["digest", "keyed digest"])
def test_results_that_were_not_stored_are_compared_by_their_digests(key: bytes | None) -> None:
    ledger = Ledger(conversation="c", capture_results=False, hash_key=key)
    ledger.tool(lambda amount: RESULT, name="pay")(amount=5)

    def verdict(claim: Claimed, hash_key: bytes | None = key) -> AuditVerdict:
        return audit([claim], ledger.entries(), hash_key=hash_key)[0].verdict

    assert verdict(Claimed("c_pay_1", asserted={"result": REORDERED, "args": {"amount": 5.0}})) == "OK"
    assert verdict(Claimed("c_pay_1", asserted={"result": {**RESULT, "amount": 1}})) == "MISQUOTED"
    assert verdict(Claimed("c_pay_1", asserted={"args": {"amount": 6}})) == "MISQUOTED"
    assert verdict(Claimed("c_pay_1", values={"amount": 49.0})) == "UNVERIFIED"
    if key:
        assert verdict(Claimed("c_pay_1", asserted={"result": RESULT}), None) == "UNVERIFIED"


@pytest.mark.parametrize(
    ("options", "card", "digits", "another"),
    [
        ({"hash_args": ["card"]}, "OK", "MISQUOTED", "MISQUOTED"),
        ({"hash_args": ["card"], "hash_key": b"secret"}, "OK", "MISQUOTED", "MISQUOTED"),
        ({"redact": mask("card")}, "UNVERIFIED", "UNVERIFIED", "MISQUOTED"),
    ],
    ids=["hashed", "hashed with a key", "masked"],
)
@pytest.mark.parametrize("by_field", [False, True])
def test_arguments_that_were_kept_back_are_compared_as_far_as_they_can_be(
    options: dict[str, Any], card: str, digits: str, another: str, by_field: bool
) -> None:
    ledger = Ledger(conversation="c", **options)
    ledger.tool(lambda card, order: {"charged": card, "order": order}, name="charge")("4111111111111111", "SU-1")

    def verdict(claim: Claimed, key: bytes | None = options.get("hash_key")) -> AuditVerdict:
        return audit([claim], ledger.entries(), by_field=by_field, hash_key=key)[0].verdict

    def claims(number: str, order: str) -> list[Claimed]:
        return [
            Claimed("c_charge_1", asserted={"args": {"card": number, "order": order}}),
            Claimed("c_charge_1", asserted={"result": {"charged": number, "order": order}}),
            Claimed("c_charge_1", values={"charged": number, "order": order}),
        ]

    assert [verdict(c) for c in claims("4111111111111111", "SU-1")] == [card] * 3
    assert [verdict(c) for c in claims("4222222222222222", "SU-1")] == [digits] * 3
    assert [verdict(c) for c in claims("4111111111111111", "SU-2")] == [another] * 3
    more = Claimed("c_charge_1", asserted={"args": {"card": "4111111111111111"}})
    assert verdict(more) == (card if by_field else "MISQUOTED")
    if "hash_key" in options:
        assert [verdict(c, None) for c in claims("4111111111111111", "SU-1")] == ["UNVERIFIED"] * 3


def test_a_call_that_returned_nothing_has_no_field_that_is_null() -> None:
    entry = LedgerEntry("c1", "send", {}, None)
    assert audit([Claimed("c1", values={"id": None})], [entry])[0].verdict == "MISQUOTED"
    assert audit([Claimed("c1", asserted={"result": None})], [entry])[0].verdict == "OK"


def test_a_result_that_was_cut_is_compared_by_its_digest_and_by_what_is_left_of_it() -> None:
    ledger = Ledger(conversation="c", max_chars=10)
    ledger.tool(lambda: {"body": "x" * 50, "id": 7}, name="read")()

    def verdict(claim: Claimed, **options: Any) -> AuditVerdict:
        return audit([claim], ledger.entries(), **options)[0].verdict

    assert verdict(Claimed("c_read_1", asserted={"result": {"body": "x" * 50, "id": 7}})) == "OK"
    assert verdict(Claimed("c_read_1", asserted={"result": {"body": "x" * 51, "id": 7}})) == "MISQUOTED"
    assert verdict(Claimed("c_read_1", values={"id": 8})) == "MISQUOTED"
    assert verdict(Claimed("c_read_1", values={"body": "x" * 50})) == "UNVERIFIED"
    assert verdict(Claimed("c_read_1", asserted={"result": {"id": 7}}), by_field=True) == "OK"


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (["x"], "line 3: a claim is an object, not list"),
        ({"result": 1}, "line 3: a claim cites a call: add 'call_id'"),
        ({"tool": "t", "call": 1, "result": 1}, "add 'call_id'"),
        ({"call_id": "x"}, "line 3: a claim asserts something"),
        ({"call_id": "x", "values": [1]}, "field 'values' is list"),
        ({"call_id": 7, "result": 1}, "add 'call_id'"),
        ({"call_id": "x", "key": "refund_id"}, "line 3: a claim with 'key' asserts what stands there: add 'value'"),
    ],
)
def test_a_claim_that_cannot_be_read_is_told(data: Any, says: str) -> None:
    with pytest.raises(InputError) as caught:
        Claimed.from_dict(data, line=3)
    assert says in str(caught.value)
    assert caught.value.line == 3
