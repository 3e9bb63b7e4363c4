"""The guard's decision: invented tools and parameters, and values that come from nowhere."""

from __future__ import annotations

import asyncio
import importlib
import sys
from pathlib import Path
from typing import Any

import pytest

from claimx.errors import InputError
from claimx.guard import (
    Decision,
    Guard,
    GuardedRun,
    Policy,
    Refusal,
    Retry,
    allowed_set,
    amount_unmatched,
    wrong_customer,
)

sys.path.insert(0, str(Path(__file__).parent))
desk = importlib.import_module("desk")
sys.path.pop(0)


def run_of(*results: Any, user: str = "", policy: Any = None, **options: Any) -> GuardedRun:
    run = Guard(desk.TOOLS, policy=policy, **options).run(user=user)
    for result in results:
        run.saw(result)
    return run


def test_an_invented_tool_is_answered_in_the_three_parts_that_let_the_next_call_be_right() -> None:
    error = run_of().check("cancel_order", {"order_id": "SU-88421"}, call_id="tu_11").error
    assert error["tool_use_id"] == "tu_11"
    assert error["is_error"] is True
    assert error["code"] == "unknown_tool"
    assert error["retry"] == "fix_and_retry"
    what, exists, instead = error["message"].split(". ", 2)
    assert what == "No tool named cancel_order"
    assert exists == "Available: " + ", ".join(t["name"] for t in desk.TOOLS)
    assert "cancel order is not something this agent can do at all" in instead
    assert "escalate_to_human handles those" in instead


def test_what_the_agent_cannot_do_is_said_in_the_words_of_the_team() -> None:
    policy = Policy(absent={"cancel_order": "Orders cannot be cancelled here at all; escalate_to_human handles those."})
    assert run_of(policy=policy).check("cancel_order").error["message"].endswith(policy.absent["cancel_order"])


def test_without_a_tool_that_takes_over_the_model_is_told_to_say_so() -> None:
    error = Guard(["get_order"]).run().check("cancel_order").error
    assert "tell the user so; do not use another tool in its place" in error["message"]


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("getOrder", "get_order"),
        ("order_get", "get_order"),
        ("isue_refund", "issue_refund"),
        ("email_send", "send_email"),
    ],
)
def test_a_slip_of_a_name_is_answered_with_the_name_meant(said: str, meant: str) -> None:
    decision = run_of().check(said)
    assert decision.refusals[0].nearest[0] == meant
    assert f"Did you mean {meant}?" in decision.error["message"]


def test_an_unlike_name_has_no_nearest() -> None:
    assert run_of().check("zzz").refusals[0].nearest == ()


PARAMETERS = [
    ("unknown", {**desk.GOOD, "currency": "USD"}, "unknown_parameter", "args.currency"),
    ("unknown nested", {**desk.GOOD, "lines": [{"item_id": "IT-771", "color": "x"}]}, "unknown_parameter", "args.lines[0].color"),
    ("missing", {"order_id": "SU-88421"}, "missing_parameter", "args.amount_cents"),
    ("outside of the closed set", {**desk.GOOD, "reason": "unhappy"}, "invalid_value", "args.reason"),
]  # fmt: skip


@pytest.mark.parametrize(("_", "args", "code", "field"), PARAMETERS, ids=[p[0] for p in PARAMETERS])
def test_arguments_that_the_definition_does_not_allow(_: str, args: dict[str, Any], code: str, field: str) -> None:
    (refusal,) = run_of(desk.ORDER).check("issue_refund", args).refusals
    assert (refusal.code, refusal.field, refusal.retry) == (code, field, Retry.FIX_AND_RETRY)
    assert "order_id" in refusal.available or refusal.available in (
        ("damaged", "late", "lost"),
        ("item_id", "quantity"),
    )


def test_an_invented_parameter_is_answered_with_those_that_exist_and_what_to_do_instead() -> None:
    error = run_of(desk.ORDER).check("issue_refund", {**desk.GOOD, "amountCents": 6400}).error
    assert "issue_refund has no parameter amountCents. It takes: order_id, amount_cents" in error["message"]
    assert "Did you mean amount_cents?" in error["message"]
    assert "leave it out and tell the user" in error["message"]


@pytest.mark.parametrize("args", ["[1]", "{", 7, ["a"], "null"])
def test_arguments_that_are_no_object_are_refused(args: Any) -> None:
    assert run_of().check("issue_refund", args).error["code"] == "unreadable_arguments"


def test_arguments_may_be_the_text_of_an_object() -> None:
    assert run_of(desk.ORDER).check("issue_refund", '{"order_id": "SU-88421", "amount_cents": 6400}').allowed


def test_an_open_schema_takes_any_parameter() -> None:
    open_ = {"name": "log_note", "parameters": {"properties": {"text": {}}, "additionalProperties": True}}
    assert Guard([open_, "bare_tool"]).run().check("log_note", {"other": 1}).allowed
    assert Guard(["bare_tool"]).run().check("bare_tool", {"anything": 1}).allowed


TRACED = [
    ("seen in a result", "issue_refund", {}, "c1.result.order_id"),
    ("case and hyphen aside", "issue_refund", {"order_id": "su88421"}, "c1.result.order_id"),
    ("hash sign", "issue_refund", {"order_id": "#SU-88421"}, "c1.result.order_id"),
    ("its prefix aside", "issue_refund", {"order_id": "88421"}, "c1.result.order_id"),
    ("nested in a list", "issue_refund", {"lines": [{"item_id": "IT-771", "quantity": 1}]}, "c1.result.items[0].item_id"),
    ("the smaller charge", "issue_refund", {"amount_cents": 450}, "c1.result.charges[1].cents"),
    ("an amount as text", "issue_refund", {"amount_cents": "6400"}, "c1.result.charges[0].cents"),
    ("an address", "send_email", {"to": "Ann.Rowe@example.com"}, "c1.result.buyer.email"),
    ("an address with a name", "send_email", {"to": ["Ann Rowe <ann.rowe@example.com>"]}, "c1.result.buyer.email"),
]  # fmt: skip


@pytest.mark.parametrize(("_", "tool", "args", "path"), TRACED, ids=[t[0] for t in TRACED])
def test_a_value_that_the_run_saw_is_traced_to_its_path(_: str, tool: str, args: dict[str, Any], path: str) -> None:
    full = {**desk.GOOD, **args} if tool == "issue_refund" else args
    decision = run_of(desk.ORDER).check(tool, full)
    assert decision.allowed, decision.refusals
    assert path in [s.path for s in decision.sightings]


FROM_NOWHERE = [
    ("two digits swapped", {"order_id": "SU-88412"}, "unknown_id", "one digit transposed against SU-88421"),
    ("one digit missing", {"order_id": "SU-8842"}, "unknown_id", "one digit missing"),
    ("another prefix", {"order_id": "TK-88421"}, "unknown_id", ""),
    ("a wrapped id", {"order_id": "gid://other/Order/SU-88421-9"}, "unknown_id", ""),
    ("a count as an id", {"order_id": 2}, "unknown_id", ""),
    ("a round amount", {"amount_cents": 5000}, "unknown_amount", "Seen: 6400"),
    ("a hundredfold", {"amount_cents": 640000}, "unknown_amount", "off by a factor of 100"),
    ("a count as an amount", {"amount_cents": 2}, "unknown_amount", ""),
    ("nested", {"lines": [{"item_id": "IT-772", "quantity": 1}]}, "unknown_id", "IT-771"),
]


@pytest.mark.parametrize(("_", "args", "code", "said"), FROM_NOWHERE, ids=[t[0] for t in FROM_NOWHERE])
def test_a_value_from_nowhere_is_refused(_: str, args: dict[str, Any], code: str, said: str) -> None:
    decision = run_of(desk.ORDER).check("issue_refund", {**desk.GOOD, **args})
    (refusal,) = decision.refusals
    assert refusal.code == code
    assert refusal.retry is Retry.LOOK_UP_AND_RETRY
    assert "did not appear in this run" in refusal.message
    assert said in refusal.message
    assert "ask the user" in refusal.message


def test_all_that_is_wrong_with_a_call_is_said_at_once() -> None:
    error = run_of(desk.ORDER).check("issue_refund", {"order_id": "SU-88412", "amount_cents": 1, "when": "now"}).error
    assert [r["code"] for r in error["reasons"]] == ["unknown_parameter", "unknown_id", "unknown_amount"]
    assert error["retry"] == "look_up_and_retry"
    assert all(w in error["message"] for w in ("when", "SU-88412", "(amount_cents)"))


@pytest.mark.parametrize(
    ("user", "args"),
    [
        ("Refund order 88421, 64 dollars please", {"order_id": "88421", "amount_cents": 6400}),
        ("it's SU-88421 and it was 64", {"order_id": "SU-88421", "amount_cents": 6400}),
        ("my number is su 88421, I paid $64.00", {"order_id": "SU-88421", "amount_cents": 6400}),
    ],
)
def test_the_words_of_the_user_count_as_seen(user: str, args: dict[str, Any]) -> None:
    decision = run_of(user=user).check("issue_refund", args)
    assert decision.allowed, decision.refusals
    assert {s.path for s in decision.sightings} == {"user"}


def test_configuration_counts_as_seen_and_context_does_not() -> None:
    guard = Guard(desk.TOOLS)
    mail = {"to": "desk@shop.example"}
    assert guard.run(config={"desk": "desk@shop.example"}).check("send_email", mail).sightings[0].path == "config.desk"
    assert not guard.run(context={"desk": "desk@shop.example"}).check("send_email", mail).allowed


def test_members_and_defaults_of_the_definition_count_as_seen() -> None:
    schema = {"properties": {"calendar_id": {"default": "team-7"}, "board_id": {"enum": ["B1", "B2"]}}}
    run = Guard([{"name": "create_event", "parameters": schema}]).run()
    assert run.check("create_event", {"calendar_id": "team-7", "board_id": "B2"}).allowed
    assert not run.check("create_event", {"calendar_id": "team-8"}).allowed


def test_look_ups_are_not_traced_unless_asked_for() -> None:
    assert run_of().check("get_order", {"order_id": "SU-1"}).allowed
    assert not run_of(policy=Policy(check_reads=True)).check("get_order", {"order_id": "SU-1"}).allowed


def test_which_tools_write_can_be_said() -> None:
    args = {"tracking_number": "1Z1"}
    assert run_of().check("track_parcel", args).allowed
    assert not run_of(policy=Policy(writes=frozenset({"track_parcel"}))).check("track_parcel", args).allowed
    assert run_of(policy=Policy(reads=frozenset({"issue_refund"}))).check("issue_refund", desk.GOOD).allowed


def test_a_field_that_the_policy_names_is_traced_as_its_kind() -> None:
    tool = {"name": "promise_delivery", "parameters": {"properties": {"order_id": {}, "arrives": {}}}}
    guard = Guard([tool], policy={"fields": {"promise_delivery.arrives": "DATE"}})
    run = guard.run()
    run.saw({"order_id": "SU-88421", "eta": "2026-03-19"})
    assert run.check("promise_delivery", {"order_id": "SU-88421", "arrives": "19 March 2026"}).allowed
    (refusal,) = run.check("promise_delivery", {"order_id": "SU-88421", "arrives": "2026-03-20"}).refusals
    assert (refusal.code, refusal.field) == ("unknown_value", "args.arrives")


def test_a_text_that_is_sent_on_is_traced_part_by_part_when_asked_for() -> None:
    policy = {"fields": {"send_email.body": "TEXT", "subject": "FREE"}}
    run = run_of(desk.ORDER, policy=policy)
    good = {"to": "ann.rowe@example.com", "body": "We refunded $64.00 for order SU-88421."}
    assert run.check("send_email", good).allowed
    wrong = run.check("send_email", {**good, "body": "We refunded $46.00 for order SU-88412."})
    assert [(r.code, r.given) for r in wrong.refusals] == [("unknown_amount", "$46.00"), ("unknown_id", "SU-88412")]
    assert run_of(desk.ORDER).check("send_email", {**good, "body": "Order SU-99999"}).allowed


def test_a_field_can_be_set_free() -> None:
    policy = {"fields": {"amount_cents": "FREE"}}
    assert run_of(desk.ORDER, policy=policy).check("issue_refund", {**desk.GOOD, "amount_cents": 5}).allowed


def test_values_that_are_made_up_on_purpose_or_stand_for_the_caller_are_not_traced() -> None:
    run = Guard(["post_thing"]).run()
    args = {
        "idempotency_key": "9f1b",
        "user_id": "me",
        "page_number": 3,
        "quantity": 2,
        "tip_amount": 0,
        "confirmed": True,
    }
    assert run.check("post_thing", args).sightings == ()
    assert run.check("post_thing", args).allowed


def test_an_error_that_repeats_an_invented_id_does_not_make_it_seen() -> None:
    args = {"order_id": "SU-88412"}
    for result, failed in (
        ("Error: order SU-88412 not found", False),
        ({"found": False, "order_id": "SU-88412"}, False),
        ({"message": "SU-88412 is locked"}, True),
    ):
        run = run_of(desk.ORDER)
        run.saw(result, tool="get_order", args=args, failed=failed)
        assert not run.check("issue_refund", {**desk.GOOD, **args}).allowed, result


def test_whether_a_record_found_under_an_invented_id_vouches_for_it_can_be_set() -> None:
    for counts in (True, False):
        run = run_of(desk.ORDER, policy=Policy(count_echoes=counts))
        run.saw(desk.STRANGER, tool="get_order", args={"order_id": "SU-88412"})
        assert run.check("issue_refund", {**desk.GOOD, "order_id": "SU-88412"}).allowed is counts
        assert run.check("issue_refund", desk.GOOD).allowed


def test_only_the_end_of_a_hidden_number_may_be_used() -> None:
    run = Guard(["charge_card"]).run()
    run.saw({"card_number": "•••• •••• •••• 4471"})
    assert run.check("charge_card", {"card_number": "4471"}).allowed
    assert not run.check("charge_card", {"card_number": "4111 1111 1111 4471"}).allowed


def test_an_account_number_written_with_blanks_is_the_same_without() -> None:
    run = Guard(["pay_out"]).run(user="please pay to DE89 3704 0044 0532 0130 00, thanks")
    assert run.check("pay_out", {"iban": "DE89370400440532013000"}).allowed
    assert not run.check("pay_out", {"iban": "DE89370400440532013001"}).allowed


def test_keys_of_an_object_that_are_identifiers_are_traced() -> None:
    run = Guard(["set_stock"]).run(user="set SKU-12 to five")
    assert run.check("set_stock", {"levels": {"SKU-12": 5}}).allowed
    assert run.check("set_stock", {"levels": {"SKU-21": 5}}).error["code"] == "unknown_id"


def test_minor_units_are_read_off_name_and_schema() -> None:
    schema = {"properties": {"amount": {"type": "integer", "description": "Amount in cents"}}}
    run = Guard([{"name": "pay", "parameters": schema}]).run()
    run.saw({"total": "$49.00"})
    assert run.check("pay", {"amount": 4900}).allowed
    assert not run.check("pay", {"amount": 49}).allowed
    plain = Guard(["pay"]).run()
    plain.saw({"amount_cents": 4900})
    assert plain.check("pay", {"amount": 49}).allowed
    assert not plain.check("pay", {"amount": 4900}).allowed


def test_currencies_that_both_sides_name_must_agree() -> None:
    run = Guard(["pay"]).run()
    run.saw({"total": 49.0, "currency": "EUR"})
    assert run.check("pay", {"amount": 49, "currency": "EUR"}).allowed
    refused = run.check("pay", {"amount": 49, "currency": "USD"})
    assert "another currency" in refused.error["message"]


OWNED = [wrong_customer("order_id"), amount_unmatched("amount_cents", of="order_id", amounts="charges")]


def ruled(*results: Any, rules: Any = None, context: Any = None) -> GuardedRun:
    guard = Guard(desk.TOOLS, rules={"issue_refund": OWNED if rules is None else rules})
    run = guard.run(context={"customer_id": "cust_1892"} if context is None else context)
    for r in results:
        run.saw(r)
    return run


def test_a_record_of_another_customer_is_refused_and_not_to_be_retried() -> None:
    run = ruled(desk.ORDER, desk.STRANGER)
    assert run.check("issue_refund", desk.GOOD).allowed
    error = run.check("issue_refund", {**desk.GOOD, "order_id": "SU-88412"}).error
    assert (error["code"], error["retry"]) == ("wrong_customer", "do_not_retry")
    assert "cust_2005" not in error["message"]


def test_a_record_whose_owner_is_not_known_is_refused() -> None:
    assert (
        ruled("orders: SU-88421, charge 6400 cents").check("issue_refund", desk.GOOD).error["code"] == "owner_unknown"
    )
    assert ruled(desk.ORDER, context={"other": 1}).check("issue_refund", desk.GOOD).error["code"] == "owner_unknown"


def test_an_amount_of_another_record_is_refused_with_those_of_this_one() -> None:
    other = {"order_id": "SU-90001", "customer_id": "cust_1892", "charges": [{"cents": 9900}]}
    error = ruled(desk.ORDER, other).check("issue_refund", {**desk.GOOD, "amount_cents": 9900}).error
    assert error["code"] == "amount_unmatched"
    assert error["message"] == "no charge of 9900 (amount_cents) on SU-88421; charges are 6400, 450."


def test_rules_may_ask_the_systems_of_record() -> None:
    owners = {"SU-88421": "cust_1892", "SU-88412": "cust_2005"}
    rules = [
        wrong_customer("order_id", owner=owners.get, customer=lambda facts: facts.context["ticket"]["customer"]),
        amount_unmatched("amount_cents", of="order_id", amounts=lambda call, facts: [6400, 450]),
        allowed_set("reason", ["damaged", "late"]),
    ]
    run = ruled(desk.ORDER, desk.STRANGER, rules=rules, context={"ticket": {"customer": "cust_1892"}})
    assert run.check("issue_refund", {**desk.GOOD, "reason": "late"}).allowed
    assert run.check("issue_refund", {**desk.GOOD, "reason": "lost"}).error["code"] == "not_allowed"
    assert run.check("issue_refund", {**desk.GOOD, "order_id": "SU-88412"}).error["code"] == "wrong_customer"
    assert run.check("issue_refund", {**desk.GOOD, "amount_cents": 450}).allowed


def test_rules_may_be_asynchronous() -> None:
    async def owner(order_id: str) -> str:
        await asyncio.sleep(0)
        return "cust_2005"

    async def none(call: Any, facts: Any) -> None:
        await asyncio.sleep(0)

    run = ruled(desk.ORDER, rules=[none, wrong_customer("order_id", owner=owner)])
    assert asyncio.run(run.acheck("issue_refund", desk.GOOD)).error["code"] == "wrong_customer"
    error = run.check("issue_refund", desk.GOOD).error
    assert error["code"] == "rule_failed"
    assert "acheck" in error["message"]


def test_a_rule_that_breaks_refuses_the_call() -> None:
    def broken(call: Any, facts: Any) -> None:
        raise KeyError("orders")

    error = ruled(desk.ORDER, rules=broken).check("issue_refund", desk.GOOD).error
    assert (error["code"], error["retry"]) == ("rule_failed", "do_not_retry")
    assert "KeyError" in error["message"]


def test_rules_for_all_tools_and_codes_of_a_teams_own() -> None:
    def frozen(call: Any, facts: Any) -> Refusal | None:
        return (
            Refusal("frozen", "nothing may be changed today.", Retry.DO_NOT_RETRY) if call.tool != "get_order" else None
        )

    run = Guard(desk.TOOLS, rules={"*": frozen}).run()
    assert run.check("get_order", {"order_id": "x"}).allowed
    assert run.check("escalate_to_human", {"reason": "x"}).error["code"] == "frozen"


def test_what_models_invent_is_counted_over_all_runs() -> None:
    told: list[Decision] = []
    guard = Guard(desk.TOOLS, on_decision=told.append)
    for tool in ("cancel_order", "update_address", "cancel_order", "get_order"):
        guard.run().check(tool, {})
    guard.run().check("send_email", {"cc": "x"})
    counts = guard.counts.to_dict()
    assert counts["calls"] == 5
    assert counts["refused"] == 4
    assert counts["invented_tools"] == {"cancel_order": 2, "update_address": 1}
    assert counts["invented_parameters"] == {"send_email.cc": 1}
    assert [d.allowed for d in told] == [False, False, False, True, False]


def test_a_value_that_can_be_worked_out_counts_as_seen() -> None:
    def difference(call: Any, facts: Any) -> list[int]:
        new, old = (leaf.value for leaf in call.leaves("price"))
        return [new - old]

    def broken(call: Any, facts: Any) -> list[int]:
        raise ZeroDivisionError

    for work_out, allowed in ((difference, True), (broken, False), (None, False)):
        derived = {"book_trip.payments.amount": work_out} if work_out else {}
        run = Guard(["book_trip"], derived=derived).run()
        run.saw({"legs": [{"price": 167}, {"price": 123}]})
        args = {"legs": [{"price": 167}, {"price": 123}], "payments": [{"amount": 44}]}
        decision = run.check("book_trip", args)
        assert decision.allowed is allowed
        assert allowed is ("derived" in [s.path for s in decision.sightings])
        args["payments"][0]["amount"] = 291
        assert not run.check("book_trip", args).allowed


def test_an_account_that_money_goes_to_is_an_identifier() -> None:
    run = Guard(["send_money"]).run(user="pay the bill in bill.txt")
    run.saw("Bill: 98.70 to be paid to UK12345678901234567890")
    assert run.check("send_money", {"recipient": "UK12345678901234567890", "amount": 98.7}).allowed
    assert (
        run.check("send_money", {"recipient": "SE3550000000054910000003", "amount": 98.7}).error["code"] == "unknown_id"
    )
    assert run.check("send_money", {"recipient": "my landlord", "amount": 98.7}).allowed


def test_what_stands_under_to_is_an_address_only_where_it_looks_like_one() -> None:
    run = Guard(["book_leave"]).run(user="call me on +1 555 010 4477")
    assert run.check("book_leave", {"from": "2026-03-01", "to": "2026-03-05"}).allowed
    assert run.check("book_leave", {"to": "Berlin"}).allowed
    assert run.check("book_leave", {"to": "+1 (555) 010-4477"}).allowed
    assert run.check("book_leave", {"phone": "555 010 4477"}).allowed
    assert not run.check("book_leave", {"to": "+1 555 010 4478"}).allowed
    assert not run.check("book_leave", {"phone": "5550104478"}).allowed


def test_a_record_written_as_text_is_read_by_its_names() -> None:
    run = Guard(["share_file"]).run()
    run.saw("content: 'Packing List'\nid_: '26'\nsize: 96\nprice: 12")
    assert run.check("share_file", {"file_id": "26"}).allowed
    assert not run.check("share_file", {"file_id": "96"}).allowed
    assert run.check("share_file", {"amount": 12}).allowed
    assert not run.check("share_file", {"amount": 96}).allowed


def test_a_decision_leaves_the_process_and_comes_back() -> None:
    for args in (desk.GOOD, {"order_id": "SU-88412", "amount_cents": 1}):
        decision = run_of(desk.ORDER).check("issue_refund", args, call_id="tu_1")
        assert Decision.from_dict(decision.to_dict()) == decision


def test_an_allowed_call_has_no_error() -> None:
    assert run_of(desk.ORDER).check("issue_refund", desk.GOOD).error == {}


BAD_POLICIES = [
    ({"field": {}}, "no field 'field'"),
    ({"fields": {"a": "ORDER"}}, "traced as 'ORDER'"),
    ({"fields": ["a"]}, "expected an object whose values are strings"),
    ({"writes": "pay"}, "expected a list of names"),
    ({"writes": ["pay"], "reads": ["pay"]}, "both in 'writes' and in 'reads'"),
    ({"count_echoes": "no"}, "expected true or false"),
    ({"hand_over": 3}, "expected the name of a tool"),
    ([], "a policy is a JSON object"),
]


@pytest.mark.parametrize(("data", "said"), BAD_POLICIES)
def test_a_wrong_policy_says_what_is_wrong_with_it(data: Any, said: str) -> None:
    with pytest.raises(InputError, match=said):
        Policy.from_dict(data)


def test_a_policy_leaves_the_process_and_comes_back() -> None:
    policy = Policy(writes=frozenset({"pay"}), fields={"x": "DATE"}, absent={"a": "b"}, count_echoes=False)
    assert Policy.from_dict(policy.to_dict()) == policy
