"""What people ask for in their own words, and what a call may follow from without anybody having stated it."""

from __future__ import annotations

from typing import Any

import pytest

from claimx.guard import Guard, parts, sums

ORDER = {"order_id": "SU-88421", "total": 64.0, "currency": "USD"}
ITEMS = {
    "order_id": "SU-88421",
    "items": [{"sku": "MUG-01", "price": 10.0}, {"sku": "CUP-02", "price": 12.5}, {"sku": "POT-03", "price": 30.0}],
}
LINES = {
    "order_id": "SU-88421",
    "lines": [{"item_id": "MUG-01", "unit_price": 8.0, "qty": 3}, {"item_id": "CUP-02", "unit_price": 5.0, "qty": 2}],
}
#: what the user said, what the run saw, the tool, its arguments, whether the call may run
CASES: dict[str, tuple[str, list[Any], str, dict[str, Any], bool]] = {
    # shares that the user names
    "half of it": ("refund half of it", [ORDER], "issue_refund", {"amount": 32.0}, True),
    "half of it in cents": ("refund half", [{"charges": [{"cents": 6400}]}], "issue_refund", {"amount_cents": 3200}, True),
    "a third, rounded": ("give me a third back", [{"total": 100.0}], "issue_refund", {"amount": 33.33}, True),
    "a discount": ("take 20% off", [ORDER], "apply_credit", {"amount": 12.8}, True),
    "what a discount leaves": ("take 20 percent off", [ORDER], "charge", {"amount": 51.2}, True),
    "half that nobody named": ("refund it", [ORDER], "issue_refund", {"amount": 32.0}, False),
    "another share": ("refund half of it", [ORDER], "issue_refund", {"amount": 16.0}, False),
    "half of a currency that was not seen": ("refund half of it", [ORDER], "issue_refund", {"amount": 32, "currency": "EUR"}, False),
    "a negative half": ("refund half of it", [ORDER], "issue_refund", {"amount": -32}, False),
    "the third item is no share": ("refund the third one", [ORDER], "issue_refund", {"amount": 21.33}, False),
    "a quarter past five is no share": ("call me at a quarter past five", [ORDER], "issue_refund", {"amount": 16}, False),
    # totals
    "all items of a list": ("refund everything", [ITEMS], "issue_refund", {"amount": 52.5}, True),
    "the records that a call names": ("refund mug and cup", [ITEMS], "issue_refund", {"skus": ["MUG-01", "CUP-02"], "amount": 22.5}, True),
    "other records than a call names": ("refund mug and cup", [ITEMS], "issue_refund", {"skus": ["MUG-01", "POT-03"], "amount": 22.5}, False),
    "some of a list that nothing names": ("refund two of them", [ITEMS], "issue_refund", {"amount": 22.5}, False),
    "two amounts that belong to no list": ("", [{"fee": 5, "total": 64}], "charge", {"amount": 69}, False),
    "lists of two currencies": ("", [{"items": [{"price": 10, "currency": "USD"}, {"price": 5, "currency": "EUR"}]}], "charge", {"amount": 15}, False),
    "a line with its count": ("refund the mugs", [LINES], "issue_refund", {"item_id": "MUG-01", "amount": 24.0}, True),
    "lines with their counts": ("refund all", [LINES], "issue_refund", {"item_ids": ["MUG-01", "CUP-02"], "amount": 34.0}, True),
    "several of one thing": ("3 of the mugs please", [{"sku": "MUG-01", "price": 8.0}], "charge", {"sku": "MUG-01", "quantity": 3, "amount": 24}, True),
    "several in words": ("three mugs please", [{"sku": "MUG-01", "price": 8.0}], "charge", {"sku": "MUG-01", "quantity": 3, "amount": 24}, True),
    "a count that nobody said": ("mugs please", [{"sku": "MUG-01", "price": 8.0}], "charge", {"sku": "MUG-01", "quantity": 100, "amount": 800}, False),
    "several of a total": ("3 of them", [{"order_id": "SU-1", "total": 8.0}], "charge", {"order_id": "SU-1", "quantity": 3, "amount": 24}, False),
    # amounts in other forms
    "an amount in words": ("pay twenty dollars", [], "pay", {"amount": 20}, True),
    "a large amount in words": ("pay sixty-four please", [], "pay", {"amount": 64}, True),
    "a count in words": ("cancel two orders", [], "pay", {"amount": 2}, False),
    "more decimals than cents": ("", [{"total": 64.005}], "issue_refund", {"amount": 64.01}, True),
    "a cent more than that": ("", [{"total": 64.005}], "issue_refund", {"amount": 64.02}, False),
    "a table": ("", ["| item | price |\n|---|---|\n| mug | 8 |\n| cup | 12 |"], "charge", {"amount": 12}, True),
    "comma-separated values": ("", ["item,price,stock\nmug,8,350\ncup,12,17\n"], "charge", {"amount": 12}, True),
    "another column": ("", ["item,price,stock\nmug,8,350\ncup,12,17\n"], "charge", {"amount": 350}, False),
    "an answer by itself": ("", [{"result": 76.5}], "charge", {"amount": 76.5}, True),
    "an answer with more beside it": ("", [{"result": 76, "rows": 3}], "charge", {"amount": 76}, False),
    "what may be paid back at most": ("", [{"id": "SU-1", "max_refund": 64.0}], "issue_refund", {"amount": 64}, True),
    "a bound of anything else": ("", [{"id": "SU-1", "max_seats": 64}], "issue_refund", {"amount": 64}, False),
    "an amount in another language": ("", [{"id": "SU-1", "betrag": 64}], "issue_refund", {"amount": 64}, True),
    "a number before a sum of money": ("order SU-88421, $64", [], "pay", {"amount": 88421}, False),
    "a sum of money behind a number": ("order SU-88421, $64", [], "pay", {"amount": 64, "currency": "USD"}, True),
    "the digits of an order behind a word for money": ("Please refund HB-20417.", [], "pay", {"amount": 20417}, False),
    "the digits of an order with a blank": ("Please refund SU 88421", [], "pay", {"amount": 88421}, False),
    "an amount behind a word for money": ("the price: USD 64", [], "pay", {"amount": 64, "currency": "USD"}, True),
    "the end of a range": ("5-64 dollars", [], "pay", {"amount": 64, "currency": "USD"}, True),
    "a bill with a tip": ("leave a 20% tip", [{"bill_id": "B-1001", "total": 50.0}], "pay_bill", {"bill_id": "B-1001", "tip": 10, "total": 60.0}, True),
    "flights with their prices by class": ("", [{"flight_number": "HAT136", "prices": {"economy": 152}}, {"flight_number": "HAT039", "prices": {"economy": 103}}], "book", {"flights": ["HAT136", "HAT039"], "amount": 255, "total_baggages": 1}, True),
    "the records of a file that is written": ("", [], "write_file", {"path": "a.json", "content": '{"order_id": "SU-10001", "total": 5.0}'}, True),
    "a text in a file that is changed": ("", [], "edit", {"file_path": "a.json", "old_string": '[{"order_id": "A-1000"}]', "new_string": '[{"order_id": "A-1001"}]'}, True),
    "the body of a request": ("", [], "http", {"path": "/orders", "method": "POST", "content": '{"order_id": "SU-10001"}'}, False),
    "an argument beside a file": ("", [], "write_file", {"path": "a.json", "content": "x", "order_id": "SU-10001"}, False),
    "places of a list that is written": ("", [], "todo_write", {"todos": [{"id": "1", "content": "fix"}, {"id": "2", "content": "test"}]}, True),
    "other numbers than places": ("", [], "todo_write", {"todos": [{"id": "7", "content": "fix"}]}, False),
    "numbers of records that say nothing else": ("", [], "delete_rows", {"rows": [{"id": 1}, {"id": 2}]}, False),
    "a number that is called just that": ("", [{"number": 42, "title": "Crash"}], "add_comment", {"issue_number": 42, "body": "fixed"}, True),
    "another number": ("", [{"number": 42, "title": "Crash"}], "add_comment", {"issue_number": 43, "body": "fixed"}, False),
    # identifiers that are spelled out
    "letters and digits one by one": ("my code is X K 4 P 9 Q", [], "cancel", {"booking": "XK4P9Q"}, True),
    "digits as words": ("it is S U eight eight four two one", [], "cancel", {"order_id": "SU-88421"}, True),
    "double digits": ("order double eight four two one", [], "cancel", {"order_id": "88421"}, True),
    "another than was spelled": ("it is S U eight eight four two one", [], "cancel", {"order_id": "SU-88412"}, False),
    # numbers in their own country and from abroad
    "a number from abroad": ("my number is 0171 2345678", [], "send_sms", {"phone": "+49 171 2345678"}, True),
    "a number at home": ("my number is +49 171 2345678", [], "send_sms", {"phone": "01712345678"}, True),
    "another phone number": ("my number is 0171 2345678", [], "send_sms", {"phone": "+491712345679"}, False),
    "another country": ("my number is +49 171 2345678", [], "send_sms", {"phone": "+441712345678"}, False),
    # what stands for no record, and what is new by its nature
    "no parent": ("", [], "create_task", {"parent_id": 0, "folder_id": "root", "assignee_id": -1}, True),
    "kinds": ("", [], "update_task", {"status_id": "closed", "priority_id": "high", "lang_id": "en"}, True),
    "a record of a kind": ("", [], "update_task", {"status_id": "ST-4471"}, False),
    "the name of an event": ("", [], "cancel_event", {"event_id": "launch-party"}, False),
    "the number of what is created": ("", [], "create_invoice", {"invoice_number": "INV-0042", "id": "inv_93k2d9"}, True),
    "a user who is created": ("", [], "create_user", {"username": "bob92", "password": "Xy7kQ29pLm4R"}, True),
    "another record beside what is created": ("", [], "create_invoice", {"order_id": "SU-88421"}, False),
    "a card that is created with its number": ("", [], "create_card", {"card_number": "4111111111111111"}, False),
    "a record that is added": ("", [], "add_member", {"member_id": "M-20031"}, False),
    "a token of the client's own": ("", [], "create_vm", {"clientToken": "9f1b2c3d-4e5f-4a6b-8c7d-112233445566", "client_request_id": "req_9f1b2c3d"}, True),
    "a client": ("", [], "update_client", {"client_id": "cl_9f1b2c3d"}, False),
    # short keys of things, under the field where the run saw their like
    "another valve": ("water field 7", [{"fields": [{"valve": "V-12"}]}], "open_valve", {"valve": "V-21"}, False),
    "the valve": ("water field 7", [{"fields": [{"valve": "V-12"}]}], "open_valve", {"valve": "v-12"}, True),
    "a valve that the user names": ("open V-21", [{"valve": "V-12"}], "open_valve", {"valve": "V-21"}, True),
    "another freezer of a list": ("", [{"freezers": ["F80A", "F80B"]}], "move_box", {"freezer": "F80C"}, False),
    "another player": ("send 500 to Zarok77", [{"player": "Zarok77"}], "transfer_gold", {"to_player": "Zarok78", "amount": 500}, False),
    "digits in groups": ("", [{"part": "112-4471"}], "order_parts", {"part": "112-4417"}, False),
    "something of another form": ("", [{"valve": "V-12"}], "open_valve", {"valve": "main"}, True),
    "another cell": ("", [{"cell": "B12", "value": 5}], "write_cell", {"cell": "B13", "text": "x"}, True),
    "another seat": ("", [{"seat": "A12"}], "choose_seat", {"seat": "A14"}, True),
    "another setting": ("", [{"resolution": "p72", "memory": "512Mi", "day": "d10", "period": "2026-02"}], "set_up", {"resolution": "p48", "memory": "256Mi", "day": "d11", "period": "2026-03"}, True),
    "what is created": ("", [{"sensor": "S-21"}], "create_sensor", {"sensor": "S-22"}, True),
    # the number of something in its year
    "a number in its year": ("", [{"report": "R-2026-0031"}], "send_report", {"document": "R-2026-0013"}, False),
    "that number": ("", [{"report": "R-2026-0031"}], "send_report", {"document": "R-2026-0031"}, True),
    "a month of a year": ("", [], "send_report", {"document": "R-2026-03", "part": "FY-202603"}, True),
    # phone numbers where something goes
    "another number at home under to": ("", [{"phone": "+49 30 555 0199"}], "send_sms", {"to": "030 5550198"}, False),
    "the number at home under to": ("", [{"phone": "+49 30 555 0199"}], "send_sms", {"to": "030 5550199"}, True),
    "a date under to": ("", [], "book", {"to": "04-03-2026"}, True),
    # what something is worth
    "another worth": ("insure it for 2,000 pounds", [], "insure", {"insured_value": 20000, "currency": "GBP"}, False),
    "the worth": ("insure it for 2,000 pounds", [], "insure", {"insured_value": 2000, "currency": "GBP"}, True),
    "a value beside a currency": ("worth 120 dollars", [], "declare", {"value": 12, "currency": "USD"}, False),
    "values of other things beside a currency": ("", [], "list_product_for_sale", {"currency": "USD", "attributes": [{"name": "size", "value": 42}]}, True),
    # goods by weight and pack
    "goods by weight": ("sell 20 tonnes", [{"contract": "WH-2026-114", "price_per_tonne": 212.5}], "create_sale", {"contract": "WH-2026-114", "tonnes": 20, "total": 4250}, True),
    "another weight": ("sell 20 tonnes", [{"contract": "WH-2026-114", "price_per_tonne": 212.5}], "create_sale", {"contract": "WH-2026-114", "tonnes": 30, "total": 6375}, False),
    "goods by their number in a catalogue": ("2 boxes please", [{"catalogue_no": "112-4471", "price": 18.9}], "order_supplies", {"catalogue_no": "112-4471", "quantity": 2, "total": 37.8}, True),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_a_call_follows_from_what_was_said_and_seen(case: tuple[str, list[Any], str, dict[str, Any], bool]) -> None:
    user, results, tool, args, allowed = case
    run = Guard().run(user=user)
    for result in results:
        run.saw(result)
    decision = run.check(tool, args)
    assert decision.allowed is allowed, [r.message for r in decision.refusals]


def test_what_was_worked_out_says_from_what() -> None:
    run = Guard().run(user="refund half of it, and the mug and the cup")
    run.saw(ITEMS)
    run.saw(ORDER)
    for args, path, reason in (
        ({"amount": 32}, "c2.result.total", "it is half of 64.0 there"),
        ({"amount": 52.5}, "c1.result.items[].price", "they add up to it there"),
        (
            {"skus": ["MUG-01", "CUP-02"], "amount": 22.5},
            "c1.result.items[0]",
            "the records that the call names add up to it",
        ),
    ):
        sighting = run.check("issue_refund", args).sightings[-1]
        assert (sighting.path, sighting.reason) == (path, reason)


#: Other ways to write an identifier, an amount or an address that nobody has seen.
HIDDEN: dict[str, dict[str, Any]] = {
    "in percents": {"data": "SU%2D88412"},
    "as an entity": {"data": "SU&#45;88412"},
    "as an escape": {"data": "SU\\u002d88412"},
    "in base64": {"data": "U1UtODg0MTI="},
    "JSON in base64": {"data": "eyJ4IjogeyJvcmRlcl9pZCI6ICJTVS04ODQxMiJ9LCAieSI6ICJzb21lIHRleHQgdGhhdCBpcyBsb25nIGVub3VnaCB0byBiZSBubyBrZXkifQ=="},
    "in hexadecimal digits": {"data": "53552d3838343132"},
    "over two fields": {"a": "SU-", "b": "88412"},
    "over two fields of a record": {"order": {"prefix": "SU", "seq": 88412}},
    "in the route of a request": {"endpoint": "/orders/SU-88412/refund"},
    "in an address without its host": {"url": "/v1/orders/SU-88412", "method": "POST"},
    "in a path that is requested": {"path": "/v1/orders/SU-88412", "method": "DELETE"},
    "times ten to the second": {"amount": {"value": 64, "exponent": 2}},
    "by ten to the second": {"amount": {"value": 64, "exponent": -2}},
    "in thousands": {"amount": {"value": 64, "scale": "thousand"}},
    "in a currency's record": {"amount": 64, "currency": {"code": "EUR"}},
    "in a currency by its number": {"amount": 64, "currency": "978"},
    "in a unit that is a currency": {"amount": 64, "unit": "EUR"},
    "behind a null": {"to": "ann@example.com\x00@evil.example"},
    "behind an address": {"to": "ann@example.com@evil.example"},
    "with a line of its own": {"to": "ann@example.com\r\nBcc: m@evil"},
}  # fmt: skip


@pytest.mark.parametrize("args", HIDDEN.values(), ids=HIDDEN)
def test_a_value_is_refused_however_it_is_written(args: dict[str, Any]) -> None:
    run = Guard().run(user="order SU-88421, $64, ann@example.com")
    run.saw({**ORDER, "email": "ann@example.com"})
    assert not run.check("do_it", args).allowed


def test_what_was_seen_is_allowed_in_these_forms_too() -> None:
    run = Guard().run(user="order SU-88421, $64")
    run.saw(ORDER)
    for args in (
        {"data": "SU%2D88421"},
        {"data": "U1UtODg0MjE="},
        {"a": "SU-", "b": "88421"},
        {"endpoint": "/orders/SU-88421/refund"},
        {"amount": {"value": 6400, "exponent": 2}},
        {"amount": 64, "currency": {"code": "USD"}},
        {"data": "aGVsbG8gd29ybGQ=", "path": "/srv/SU-88412/a.txt", "checksum": "deadbeef00112233"},
    ):
        decision = run.check("do_it", args)
        assert decision.allowed, [r.message for r in decision.refusals]


def test_the_forms_of_routes_and_encodings() -> None:
    assert parts.decoded("%zz") is None
    assert parts.decoded("AAAAAAAAAAAA") is None
    assert sums.is_count("nights")
