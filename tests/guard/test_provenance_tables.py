"""Provenance over many domains: calls that an honest agent makes and that must run, and invented values that must not."""

from __future__ import annotations

from typing import Any

import pytest

from claimx.guard import Guard, GuardedRun, Policy

UUID = "9f1b2c3d-4e5f-4a6b-8c7d-112233445566"
#: user's words, results of look-ups, the tool, its arguments
Honest = tuple[str, list[Any], str, dict[str, Any]]
HONEST: dict[str, Honest] = {
    # shops and support
    "refund of a charge": ("refund my mug", [{"order_id": "SU-88421", "charges": [{"cents": 6400}]}], "issue_refund", {"order": "SU-88421", "amount_cents": 6400, "reason": "Item arrived broken (order SU-88421)"}),
    "an order by the number that the user gave": ("cancel order 88421", [], "cancel_order", {"order": "88421", "notify": True}),
    "sorting and paging": ("", [], "kb_search", {"query": "SU-88412", "order": "desc", "page": 3, "limit": 100}),
    "position in a list": ("", [], "add_section", {"title": "Returns 2026-Q1", "order": 2}),
    "words for a customer": ("", [], "log_note", {"customer": "the customer", "note": "Called about INV-2026-00412 and SU-88412, wants $999 back"}),
    "a ticket's text": ("my printer smokes", [], "create_ticket", {"subject": "Printer HP-4520 smokes", "description": "Model 4520, error 0x80070057 since 2026-03-14", "priority": "P1", "tags": ["hw-2026"]}),
    "a street as the user wrote it": ("send it to 12 elm st, springfield il 62704", [], "update_address", {"order_note": "x", "address": "12 Elm St, Springfield, IL 62704"}),
    "a street in other words": ("", [{"street": "12 Elm Street", "city": "Springfield", "zip": "62704"}], "ship_parcel", {"address": "12 Elm St., Springfield 62704"}),
    "a destination in words": ("", [], "book_trip", {"destination": "Berlin", "to": "BER", "from": "2026-03-01"}),
    "nothing charged": ("", [{"order_id": "SU-88421"}], "close_order", {"order_id": "SU-88421", "fee": 0, "refund": False, "discount_amount": "0.00"}),
    "card by its last digits": ("", [{"card_number": "4111111111114471"}], "charge_card", {"card": "4471"}),
    "card as the user hid it": ("use XXXX-4471", [{"card": "4111111111114471"}], "charge_card", {"card": "XXXX-4471"}),
    "payment by its id": ("", [{"payment": "pay_3Nx9Qb7", "amount": 25.0}], "capture_payment", {"payment": "pay_3Nx9Qb7", "amount": 25}),
    "coupon of the user's": ("I have the coupon SAVE20", [], "apply_coupon", {"coupon_code": "SAVE20"}),
    "percent of the user's": ("give them 15 percent off", [], "apply_discount", {"discount_amount": "15%"}),
    # money
    "bill in a file": ("pay the bill", ["Bill: 98.70 to be paid to UK12345678901234567890"], "send_money", {"recipient": "UK12345678901234567890", "amount": 98.7, "subject": "Car Rental", "date": "2026-04-01"}),
    "plain number of the user's": ("transfer 2000 to acct 4410882", [], "transfer", {"account": "4410882", "amount": 2000}),
    "thousands of the user's": ("send 1,250 please to DE89 3704 0044 0532 0130 00", [], "transfer", {"iban": "DE89370400440532013000", "amount": 1250.0}),
    "shorthand of the user's": ("set the budget to 1.5k", [], "set_budget", {"budget": 1500}),
    "money with a word": ("pay bob 64 bucks", [], "pay", {"payee": "bob", "amount": 64}),
    "currency of the record": ("", [{"total": 49, "currency": "EUR"}], "pay", {"amount": 49, "currency": "EUR"}),
    "cents of a payment interface": ("", [{"id": "ch_3P9xKq2", "amount": 6400, "currency": "usd"}], "refund_charge", {"charge": "ch_3P9xKq2", "amount_cents": 6400}),
    "same field, same units": ("", [{"amount": 6400}], "refund_charge", {"amount": 6400}),
    "price under its class": ("", [{"prices": {"economy": 123, "business": 400}}], "book_flight", {"amount": 123}),
    "debit without its sign": ("", [{"statement": [{"amount": -64.5}]}], "dispute", {"amount": 64.5}),
    "credit with its sign": ("book -5 on it", [], "adjust_balance", {"amount": -5}),
    "a whole result": ("", [412.5], "pay_out", {"amount": 412.5}),
    "premium of a policy": ("", [{"policy_id": "PL-20031", "premium": 120}], "charge_premium", {"policy_id": "PL-20031", "amount": 120}),
    "a year beside an amount": ("in 2024 I paid 2024", [], "refund", {"amount": 2024}),
    # office
    "mail to the user's address": ("write to ann@example.com", [], "send_email", {"to": ["ann@example.com"], "cc": [], "subject": "Re: INV-2026-00412", "body": "Your invoice INV-2026-00412 over $1,250 is attached; call +1 555 010 4478."}),
    "mail with a name": ("", [{"contact": {"email": "ann.rowe@example.com"}}], "send_email", {"to": "Ann Rowe <Ann.Rowe@example.com>"}),
    "event": ("lunch with ann@example.com tomorrow", [], "create_event", {"title": "Lunch Q1-2026", "start": "2026-03-14T12:00:00Z", "end": "2026-03-14T13:00:00+01:00", "participants": ["ann@example.com"], "location": "Room 204"}),
    "file by the id in a listing": ("", ["- id_: '26'\n  name: packing.txt"], "share_file", {"file_id": "26", "email": ""}),
    "new file": ("write a report", [], "create_file", {"filename": "report-20260314-v2.pdf", "content": "Orders SU-88412 and UUID 9f1b2c3d"}),
    "slack": ("tell #general", [], "send_channel_message", {"channel": "general", "to": "@here", "body": "Deploy 2026.03.14 is out, build 88421007"}),
    "user by name": ("invite bob to the workspace", [], "invite_user", {"user": "bob"}),
    "user id in words": ("remove mike from the board", [], "remove_member", {"user_id": "mike"}),
    "assignee": ("assign it to mike", [{"issue": "PROJ-1042"}], "assign_issue", {"issue_key": "PROJ-1042", "assignee": "mike"}),
    # travel
    "flights": ("", [{"flight_number": "HAT204", "price": 87}], "book_flight", {"flight": "HAT204", "cabin": "economy", "passengers": [{"name": "Ann Rowe", "dob": "1990-04-12"}], "nonfree_baggages": 0, "payment_amount": 87}),
    "seat and gate": ("seat 12A please", [{"booking": "XK4P9Q"}], "assign_seat", {"booking": "XK4P9Q", "seat": "12A"}),
    "guests and nights": ("3 nights for 2", [{"hotel_id": "H-20441"}], "book_hotel", {"hotel_id": "H-20441", "guests": 2, "nights": 3, "room_type": "deluxe-2"}),
    # code and operations
    "branch and commit": ("fix issue 1234", [], "create_branch", {"branch": "fix-issue-1234", "base": "release-2026.1", "message": "Fix #1234"}),
    "edit": ("", [], "edit_file", {"path": "src/order_88421.py", "old_string": "SU-88412", "new_string": "SU-88421", "line": 120}),
    "container": ("", [], "run_container", {"image": "postgres:16.2-alpine3.19", "ports": ["5432:5432"], "env": {"TZ": "UTC", "PGDATA": "/var/lib/pg16"}, "memory": "512MiB", "cpu": "0.25"}),
    "server": ("", [], "create_instance", {"type": "m5.large", "region": "us-east-1", "ami_name": "ubuntu-22.04", "cidr": "10.0.0.0/16", "disk_gb": 100}),
    "local service": ("", [], "register_webhook", {"url": "http://localhost:3000/hook", "timeout": 30000}),
    "page of a seen site": ("", ["docs at https://docs.shop.example/api"], "post_link", {"url": "https://docs.shop.example/api/v2/refunds?lang=en"}),
    "model": ("", [], "start_training", {"model": "gpt-4o-2024-08-06", "learning_rate": 0.0003, "seed": 20260314, "tags": ["run-88421"]}),
    "package": ("", [], "install_package", {"package": "numpy==1.26.4", "python": "3.11"}),
    "cron": ("", [], "schedule_job", {"cron": "0 9 * * 1", "timezone": "Etc/GMT-3", "name": "backup_20260314"}),
    "colours and sizes": ("", [], "resize_image", {"size": "1920x1080", "background": "#1122ff", "quality": 85}),
    "request key": ("", [{"order_id": "SU-88421"}], "cancel_order", {"order_id": "SU-88421", "idempotency_key": UUID, "trace_id": "4bf92f3577b34da6a3ce929d0e0e4736"}),
    # homes, health, schools
    "thermostat": ("", [{"devices": [{"device_id": "dev_8841x2y9"}]}], "set_temperature", {"device": "dev_8841x2y9", "target": 21.5, "unit": "C"}),
    "appointment": ("", [{"patient_id": "PT-10033"}], "book_appointment", {"patient": "PT-10033", "date": "2026-03-14", "time": "10:30", "duration": "30min"}),
    "dose": ("", [{"patient": "PT-10033"}], "record_dose", {"patient": "pt 10033", "drug": "Ibuprofen 400mg", "amount_mg_note": "400 mg"}),
    "course": ("enrol me in CS-101", [{"student": "S1029384"}], "enrol", {"student": "S1029384", "course": "CS-101", "term": "2026-spring"}),
    "standards": ("", [], "add_requirement", {"standard": "ISO-27001", "control": "AES-256", "cve": "CVE-2021-44228"}),
    "booleans that are choices": ("", [], "notify", {"email": True, "sms": False, "charge": True, "deposit": False}),
    # forms and lists
    "a list in one text": ("orders SU-88421 and SU-88422", [], "merge_orders", {"orders": "SU-88421, su-88422", "order_ids": "SU-88421;SU-88422"}),
    "two addresses in one text": ("write ann@example.com and bob@example.com", [], "send_email", {"to": "Ann <ann@example.com>; bob@example.com"}),
    "wide letters and digits": ("注文番号はＳＵ－８８４２１です", [], "cancel_order", {"order_id": "SU-88421", "order": "ＳＵ－８８４２１"}),
    "a word before a number": ("", [{"customer": "cust_1893"}], "close_account", {"customer": "cust 1893"}),
    "a number that became a fraction": ("", [{"order_id": 88421}], "cancel_order", {"order_id": 88421.0}),
    "a German street": ("meine Adresse ist Hauptstraße 5, 10115 Berlin", [], "update_address", {"address": "Hauptstr. 5, 10115 Berlin"}),
    "a place with a number": ("taxi from 12 Elm St to the airport at 5", [], "book_taxi", {"pickup": "12 Elm St", "destination": "airport terminal 2", "time": "05:00"}),
    "a site without its scheme": ("look at github.com/acme/repo", [], "clone_repo", {"url": "github.com/acme/repo.git", "ref": "main", "depth": 1}),
    "small numbers of records": ("close ticket 7", [], "close_ticket", {"ticket": "7", "ticket_id": 7}),
    "a currency by its name": ("I paid 64 euros", [], "refund", {"amount": 64, "currency": "Euro"}),
    "bounds of a budget": ("between 500 and 1500 dollars", [], "create_alert", {"price": {"min": 500, "max": 1500}}),
    "an amount in its parts": ("", [{"balance": {"amount": 120.0, "currency": "usd"}}], "payout", {"money": {"value": 120, "currency": "USD"}}),
    "a machine near by": ("", [], "set_proxy", {"url": "postgres://db:5432/x", "host": "10.0.0.12", "ip": "192.168.1.4"}),
    "a store that was seen": ("", ["files are in s3://acme-logs/2026"], "copy_files", {"source": "s3://acme-logs/2026/03"}),
    "a long address of the net that was seen": ("use http://[2001:db8::1]:8080/a", [], "set_endpoint", {"url": "http://[2001:db8::1]/b"}),
    "prose under any name": ("", [], "send_letter", {"letter": "Dear Ann, thank you, as agreed, your plan is $50, see you in 2026: all the best, Bob"}),
    "pairs of settings": ("", [], "start_job", {"options": "workers=4,mode=fast;retries=3&debug=true"}),
    "numbers after counts": ("cancel 2 orders: 88421 and 88422", [], "cancel_orders", {"order_ids": [88421, 88422]}),
    # what a call makes up
    "a slug and a reference in words": ("", [], "publish_post", {"slug": "10-tips-for-2026", "ref": "release/2026.1", "reference": "monthly saving"}),
    "keys that are no records": ("", [], "post_metrics", {"metrics": {"2025": 12, "2026": 34, "Q1-2026": 5}, "checksums": {"SHA-256": "abc", "UTF-8": True}}),
    "a patch and settings": ("", [], "set_config", {"key": "JAVA_OPTS", "value": "-Xmx4096m", "patch": "@@ -1,4 +1,4 @@", "start_line": 10412}),
    "limits and sizes": ("", [], "resize_volume", {"size_bytes": 107374182400, "iops": 16000, "threshold": 2500, "ttl": 86400, "expires_at": 1773482400000}),
    "search and replace": ("", [], "replace_text", {"find": "SU-88412", "replace": "SU-88421", "count": 1}),
    "a form": ("", [], "create_form", {"fields": [{"label": "Phone", "placeholder": "+1 555 000 0000"}, {"label": "Mail", "placeholder": "you@example.com"}]}),
    "a bug": ("", [], "log_bug", {"version": "2.14.0-rc.1", "component": "HP-4520", "error_code": "0x80070057", "os": "Windows 11 23H2", "build": "22631.3296"}),
    "a chart": ("", [], "create_chart", {"type": "bar", "series": [{"name": "2026", "values": [2200, 3100]}]}),
    "vitals": ("", [{"patient": {"id": "PT-10033", "mrn": "7731024"}}], "record_vitals", {"mrn": "7731024", "bp": "120/80", "pulse": 72, "temp_c": 36.8, "icd10": "M54.5"}),
    "grades": ("", [{"student_id": "S1029384"}], "submit_grade", {"student_id": "S1029384", "grade": 92, "course": "MATH-2040", "credits": 3}),
    "a listing": ("", [], "create_listing", {"bedrooms": 3, "sqft": 1450, "year_built": 1998, "lat": 52.52001, "lng": 13.40495}),
    "shares": ("buy 10 shares of ACME, limit 42.50", [], "place_order", {"symbol": "ACME", "quantity": 10, "limit_price": 42.5, "order_type": "limit", "time_in_force": "GTC"}),
    "colours of a lamp": ("", [{"device_id": "lamp-12"}], "set_light", {"device_id": "lamp-12", "brightness": 80, "color_temp": 2700, "transition_ms": 1500}),
    "picture": ("", [], "generate_image", {"prompt": "a cat, 8k", "size": "1024x1024", "seed": 123456789, "steps": 30, "model": "sdxl-1.0"}),
    "phone in another form": ("call me on +1 555 010 4477", [], "book_callback", {"phone": "(555) 010-4477", "customer_phone": 5550104477}),
}  # fmt: skip


def run_of(user: str, results: list[Any], policy: Policy | None = None) -> GuardedRun:
    run = Guard(policy=policy).run(user=user)
    for result in results:
        run.saw(result)
    return run


@pytest.mark.parametrize("case", HONEST.values(), ids=HONEST)
def test_an_honest_call_runs(case: Honest) -> None:
    user, results, tool, args = case
    decision = run_of(user, results).check(tool, args)
    assert decision.allowed, [r.message for r in decision.refusals]


ORDER = {"order_id": "SU-88421", "customer": "cust_1892", "total": 64.0, "currency": "USD", "year": 2024, "stock": 350,
         "phone": "+1 555 010 4477", "email": "ann@example.com", "zip": "62704", "status": "delivered", "cells": 6400}  # fmt: skip
USER = "In 2024 I ordered 3 mugs (order SU-88421) for $64, call 555 010 4477 or write to ann@example.com"
INVENTED: dict[str, tuple[dict[str, Any], str]] = {
    **{f"an invented {f}": ({f: "SU-88412"}, "unknown_id") for f in (
        "customer", "account", "order", "ticket", "invoice", "user", "card", "tracking", "payee", "to", "destination", "recipient", "sku",
        "beneficiary", "from_account", "account_to", "orderid", "anything", "deep_ref", "member")},
    **{f"a UUID under {f}": ({f: UUID}, "unknown_id") for f in ("customer", "thing", "payload", "to")},
    "a short number of a record": ({"customer": 1893}, "unknown_id"),
    "an e-mail address anywhere": ({"author": "mallory@evil.example"}, "unknown_contact"),
    "an e-mail address with a name": ({"target": "Ann Rowe <ann@evil.example>"}, "unknown_contact"),
    "one of two addresses": ({"to": "ann@example.com, mallory@evil.example"}, "unknown_contact"),
    "a phone number": ({"contact": "+1 555 010 4478"}, "unknown_contact"),
    "a phone number in digits": ({"phone": "5550104478"}, "unknown_contact"),
    "a site": ({"callback": "https://evil.example/collect"}, "unknown_contact"),
    "an IBAN": ({"details": "DE89 3704 0044 0532 0130 01"}, "unknown_id"),
    "a card": ({"value": "4111 1111 1111 1112"}, "unknown_id"),
    "a wallet": ({"wallet": "0x52908400098527886E0F7030069857D2E4169EE7"}, "unknown_id"),
    "a street": ({"address": "99 Elm Street, Springfield"}, "unknown_contact"),
    "a street under to": ({"to_address": "99 Elm Street, Springfield"}, "unknown_contact"),
    "another prefix": ({"order": "XX-88421"}, "unknown_id"),
    "a mask": ({"order": "***88421"}, "unknown_id"),
    "a word of the user's": ({"order_id": "order"}, "unknown_id"),
    "another word of the user's": ({"customer_id": "write"}, "unknown_id"),
    "a status": ({"order_id": "delivered"}, "unknown_id"),
    "a list in a list": ({"rows": [[{"x": ["SU-88412"]}]]}, "unknown_id"),
    "in JSON text": ({"data": '{"inner": "{\\"customer\\": \\"SU-88412\\"}"}'}, "unknown_id"),
    "bytes": ({"customer": b"SU-88412"}, "unknown_id"),
    # other ways to write them
    "wide digits": ({"order_id": "SU-８８４１２"}, "unknown_id"),
    "a foreign letter": ({"thing": "\u0405U-88412"}, "unknown_id"),
    "a character nobody sees": ({"thing": "SU-88\u200b412"}, "unknown_id"),
    "a soft hyphen": ({"thing": "SU\u00ad-88412"}, "unknown_id"),
    "a blank that does not break": ({"thing": "SU-\u00a088412"}, "unknown_id"),
    "a line break": ({"thing": "SU-\n88412"}, "unknown_id"),
    "a mark over a digit": ({"thing": "SU-8\u03358412"}, "unknown_id"),
    "small letters": ({"thing": "su-88412"}, "unknown_id"),
    "small letters, nothing between": ({"thing": "su88412"}, "unknown_id"),
    "a fraction": ({"order_id": 88412.0}, "unknown_id"),
    "a fraction under a noun": ({"customer": 8.8412e4}, "unknown_id"),
    "digits in a text": ({"order": "88412"}, "unknown_id"),
    "a word and a number": ({"customer": "cust 1893"}, "unknown_id"),
    "one of a list in a text": ({"orders": "SU-88421,SU-88412"}, "unknown_id"),
    "one of a list anywhere": ({"targets": "SU-88421; SU-88412"}, "unknown_id"),
    "one of two words": ({"targets": "SU-88421 SU-88412"}, "unknown_id"),
    "an IBAN behind its name": ({"x": "IBAN DE89370400440532013001"}, "unknown_id"),
    "an IBAN in points": ({"x": "DE89.3704.0044.0532.0130.01"}, "unknown_id"),
    "a card in digits": ({"x": 4111111111111111}, "unknown_id"),
    "a text in a text": ({"order": '"SU-88412"'}, "unknown_id"),
    "a list in a text in a text": ({"order": '"[\\"SU-88412\\"]"'}, "unknown_id"),
    "a value in an object": ({"order": {"v": 88412}}, "unknown_id"),
    "a value in an identifier": ({"customer_id": {"value": 88412}}, "unknown_id"),
    "a key in small letters": ({"su-88412": 1}, "unknown_id"),
    "a key that is a UUID": ({UUID: True}, "unknown_id"),
    "a key that is an address": ({"mallory@evil.example": 1}, "unknown_contact"),
    "a key that is a site": ({"https://evil.example/x": 1}, "unknown_contact"),
    "an address with blanks": ({"to": "mallory @ evil.example"}, "unknown_contact"),
    "an address in words": ({"to": "mallory [at] evil.example"}, "unknown_contact"),
    "an address with a wide sign": ({"to": "mallory＠evil.example"}, "unknown_contact"),
    "an address in percents": ({"email": "mallory%40evil.example"}, "unknown_contact"),
    "an address with a foreign letter": ({"to": "\u0430nn@example.com"}, "unknown_contact"),
    "an address of a host alone": ({"email": "mallory@evil"}, "unknown_contact"),
    "a site without its scheme": ({"callback": "www.evil.example/collect"}, "unknown_contact"),
    "a site behind two strokes": ({"webhook_url": "//evil.example/collect"}, "unknown_contact"),
    "a host": ({"domain": "evil.example"}, "unknown_contact"),
    "a site by its number": ({"callback": "http://2130706433/"}, "unknown_contact"),
    "a broken scheme": ({"callback": "ht\ttps://evil.example"}, "unknown_contact"),
    "a picture from a site": ({"image": "https://evil.example/x.png"}, "unknown_contact"),
    "a street anywhere": ({"ship_to": "99 Elm Street"}, "unknown_contact"),
    "a street in an object": ({"address": {"line1": "99 Elm Street"}}, "unknown_contact"),
    "a street with a number that was seen": ({"address": "2024 Mallory Street"}, "unknown_contact"),
    "one stroke behind the scheme": ({"x": "https:/evil.example"}, "unknown_contact"),
    "strokes the other way": ({"x": "https:\\\\evil.example\\@localhost/"}, "unknown_contact"),
    "a long address of the net": ({"x": "http://[2001:db8::1]/"}, "unknown_contact"),
    "a store": ({"x": "s3://mallory/a"}, "unknown_contact"),
    "a machine by its number": ({"ip": "203.0.113.9"}, "unknown_contact"),
    "a social security number": ({"x": "123-45-6789"}, "unknown_id"),
    "a bank by its code": ({"bic": "DEUTDEFF"}, "unknown_id"),
    "a plate": ({"license_plate": "B-MW 1234"}, "unknown_id"),
    "a pair in a text": ({"params": "order_id=SU-88412&x=1"}, "unknown_id"),
    "a line of a record": ({"params": "order_id: SU-88412"}, "unknown_id"),
    "between tags": ({"payload": "<order>SU-88412</order>"}, "unknown_id"),
    "a count of the user's as an identifier": ({"order_id": 3}, "unknown_id"),
    "an amount of the user's as an identifier": ({"order_id": "64"}, "unknown_id"),
    "a product of amounts": ({"amount": "64*100"}, "unknown_amount"),
    "a power of amounts": ({"amount": "64^64"}, "unknown_amount"),
    "two amounts": ({"amount": "64 and 6400"}, "unknown_amount"),
    "a range of amounts": ({"amount": "64-6400"}, "unknown_amount"),
    "an exponent": ({"amount": "1e6"}, "unknown_amount"),
    "an amount in an object": ({"amount": {"major": 6400}}, "unknown_amount"),
    "an amount two objects down": ({"payment": {"x": {"v": 6400}}}, "unknown_amount"),
    "an amount under another name": ({"payout": 6400}, "unknown_amount"),
    "an amount under its currency": ({"usd": 6400}, "unknown_amount"),
    "money under any name": ({"x": "$6,400"}, "unknown_amount"),
    "money with its code": ({"what": "6400 USD"}, "unknown_amount"),
    "a currency in words": ({"amount": 64, "currency": "Euros"}, "unknown_amount"),
    "a year as an amount": ({"amount": 2024}, "unknown_amount"),
    "a count of the user's": ({"amount": 3}, "unknown_amount"),
    "digits of a phone number": ({"amount": 4477}, "unknown_amount"),
    "all digits of a phone number": ({"amount": 15550104477}, "unknown_amount"),
    "digits of an order": ({"amount": 88421}, "unknown_amount"),
    "a stock": ({"amount": 350}, "unknown_amount"),
    "a zip code": ({"amount": 62704}, "unknown_amount"),
    "a number of cells": ({"amount_cents": 640000}, "unknown_amount"),
    "a negative amount": ({"amount": -64}, "unknown_amount"),
    "a negative amount in cents": ({"amount_cents": -6400}, "unknown_amount"),
    "another currency": ({"amount": "64 EUR"}, "unknown_amount"),
    "another currency beside it": ({"amount": 64, "currency": "EUR"}, "unknown_amount"),
    "another currency under another name": ({"amount": 64, "payment_currency": "GBP"}, "unknown_amount"),
    "cents for dollars": ({"amount": 6400}, "unknown_amount"),
    "dollars for cents": ({"amount_cents": 64}, "unknown_amount"),
    "number words": ({"amount": "sixty-five dollars"}, "unknown_amount"),
    "true": ({"amount": True}, "invalid_value"),
    "not a number": ({"amount": float("nan")}, "invalid_value"),
    "without end": ({"amount": float("inf")}, "invalid_value"),
    "without end, as a text": ({"amount": "-Infinity"}, "invalid_value"),
    "true as an identifier": ({"order_id": True}, "invalid_value"),
}  # fmt: skip


@pytest.mark.parametrize("case", INVENTED.values(), ids=INVENTED)
def test_an_invented_value_is_refused(case: tuple[dict[str, Any], str]) -> None:
    args, code = case
    (refusal,) = run_of(USER, [ORDER]).check("do_it", args).refusals
    assert refusal.code == code
    assert len(refusal.message) < 900


def test_what_the_same_run_did_see_is_allowed() -> None:
    run = run_of(USER, [ORDER])
    for args in (
        {"order": "SU-88421", "customer": "cust_1892", "amount": 64, "currency": "USD"},
        {"to": "ann@example.com", "phone": "+15550104477", "amount": "$64"},
        {"order": "su88421", "amount_cents": 6400, "value": "64.00 USD"},
    ):
        decision = run.check("do_it", args)
        assert decision.allowed, [r.message for r in decision.refusals]


X = "SU-88412"
ECHOES: list[tuple[Any, bool]] = [
    ({"order_id": X, "order": None}, False),
    ({"query": X, "results": []}, False),
    ({"query": X, "results": [{"order_id": "SU-10001", "status": "open"}]}, False),
    ({"request": {"order_id": X}, "data": []}, False),
    ({"order_id": X, "status": "not_found"}, False),
    ({"order_id": X, "message": "We have no order with this number"}, False),
    ({"order_id": X, "items": [], "count": 0, "took": 12, "request_id": "req_9f1b2c3d"}, False),
    ({"ok": True, "order_id": X}, False),
    ({"error": f"order {X} does not exist", "code": 404}, False),
    (f"Error: {X} is locked", False),
    (f"Could not find order {X}", False),
    (f"No order with number {X} exists.", False),
    (f"Searching for {X}", True),
    (X, False),
    ([], False),
    ("[]", False),
    ([{"order_id": X, "error": "not found"}], False),
    ({"order_id": X, "status": "shipped"}, True),
    ({"order_id": X, "valid": True}, True),
    ({"order": {"order_id": X, "total": 64.0}}, True),
    ({"query": X, "results": [{"order_id": X, "total": 5}]}, True),
    (f"Order {X}: shipped on 2026-03-14, total $64.00", True),
]


@pytest.mark.parametrize(("result", "vouches"), ECHOES, ids=[str(e[0])[:60] for e in ECHOES])
@pytest.mark.parametrize("field", ["order_id", "query", "q"])
def test_what_a_look_up_only_repeats_proves_nothing(result: Any, vouches: bool, field: str) -> None:
    run = run_of("where is it?", [])
    run.saw(result, tool="get_order", args={field: X})
    assert run.check("cancel_order", {"order_id": X}).allowed is vouches


def test_an_echo_of_an_address_or_an_amount_proves_nothing_either() -> None:
    run = run_of("", [])
    args = {"email": "mallory@evil.example", "min_total": 6400, "url": "https://evil.example/a"}
    run.saw({**args, "results": [], "message": "nothing for mallory@evil.example"}, tool="search_orders", args=args)
    for call in ({"to": "mallory@evil.example"}, {"amount": 6400}, {"link": "https://evil.example/b"}):
        assert not run.check("send_it", call).allowed, call


#: What a run does one after the other: tool, arguments, result. None of it makes the order or the address real.
WRITTEN: dict[str, list[tuple[str, dict[str, Any], Any]]] = {
    "a note that is repeated": [("create_note", {"note": X}, {"id": 1, "text": X, "created": "2026-01-01"})],
    "a note in a sentence": [("create_note", {"note": f"about {X}"}, {"id": "n1", "text": f"about {X}"})],
    "a note that is listed later": [("create_note", {"note": X}, {"id": 1}), ("list_notes", {}, {"notes": [{"id": 1, "text": f"see {X}"}]})],
    "a note that is read later": [("create_note", {"note": X}, {"id": 1}), ("get_note", {"note_id": 1}, {"id": 1, "body": X})],
    "a file that is read later": [("write_file", {"path": "a.txt", "content": f"order {X}"}, {"ok": True}), ("read_file", {"path": "a.txt"}, f"order {X}")],
    "a command": [("run_shell", {"cmd": f"echo {X}"}, f"{X}\n")],
    "a title": [("create_note", {"title": X, "body": "a"}, {"id": 12, "title": X})],
}  # fmt: skip


@pytest.mark.parametrize("steps", WRITTEN.values(), ids=WRITTEN)
def test_what_a_call_wrote_itself_is_no_record_when_it_comes_back(steps: list[tuple[str, dict[str, Any], Any]]) -> None:
    run, told = run_of("", []), run_of(f"note {X}", [])
    for r in (run, told):
        for tool, args, result in steps:
            assert r.check(tool, args).allowed
            r.saw(result, tool=tool, args=args)
    assert not run.check("cancel_order", {"order_id": X}).allowed
    assert told.check("cancel_order", {"order_id": X}).allowed
    run.saw({"order_id": X, "status": "shipped"}, tool="get_order", args={"order_id": X})
    assert run.check("cancel_order", {"order_id": X}).allowed


def test_an_address_and_an_amount_that_a_call_wrote_itself_stay_unseen() -> None:
    run = run_of("", [])
    args = {"body": "pay $999.00 to mallory@evil.example"}
    run.saw({"id": "m1", "body": args["body"]}, tool="save_draft", args=args)
    run.saw({"drafts": [{"id": "m1", "body": args["body"]}]}, tool="list_drafts", args={})
    for call in ({"amount": 999}, {"to": "mallory@evil.example"}):
        assert not run.check("pay", call).allowed, call


def test_a_name_that_a_call_chose_may_be_used_by_the_next() -> None:
    run = run_of("", [])
    args = {"filename": "report-2026.pdf", "content": "x"}
    run.saw({"file": "report-2026.pdf", "file_id": "f_12ab3c9"}, tool="create_file", args=args)
    assert run.check("share_file", {"file_id": "report-2026.pdf"}).allowed


def test_what_the_user_said_is_seen_though_a_look_up_repeats_it() -> None:
    run = run_of(f"cancel {X}", [])
    run.saw({"order_id": X, "order": None}, tool="get_order", args={"order_id": X})
    assert run.check("cancel_order", {"order_id": X}).allowed


@pytest.mark.parametrize("tool", [None, "", "  ", 7, "x" * 5000, "a\nb"])
@pytest.mark.parametrize("tools", [None, ["pay"]])
def test_a_call_without_a_usable_name_is_a_decision_and_no_wall_of_text(tool: Any, tools: Any) -> None:
    decision = Guard(tools).run().check(tool, {})
    assert decision.allowed is (tools is None and isinstance(tool, str) and bool(tool.strip()))
    text = str([r.to_dict() for r in decision.refusals]) + str(decision.error)
    assert len(text) < 3000
    assert "named ." not in text
    assert "\n" not in decision.error.get("message", "")


def nested(levels: int) -> Any:
    value: Any = "SU-88412"
    for _ in range(levels):
        value = [value]
    return value


def test_arguments_that_cannot_be_walked_to_their_end_are_refused_with_the_reason() -> None:
    loop: dict[str, Any] = {"order_id": "SU-88421"}
    loop["a"] = loop["b"] = loop
    wide: Any = "x"
    for _ in range(9):
        wide = [wide] * 10
    run = run_of(USER, [ORDER])
    for args, says in (
        ({"x": nested(250)}, "nested deeper than 200 levels"),
        (loop, "holds itself"),
        ({"x": "[" * 100_000 + "]" * 100_000}, "nested too deeply to read"),
        ({"x": wide}, "more than 50,000 values"),
        ({"amount": 10**5000}, "more digits than any number"),
    ):
        for tool in ("pay_out", "get_order"):
            error = run.check(tool, args).error
            assert error["code"] == "unreadable_arguments"
            assert says in error["message"]
    assert run.check("pay_out", {"x": nested(150)}).error["code"] == "unknown_id"


def test_fields_that_count_cents_can_be_named() -> None:
    results = [{"charge": "ch_3P9xKq2", "amount_captured": 6400}]
    call = {"charge": "ch_3P9xKq2", "amount_cents": 6400}
    refused = run_of("", results).check("refund", call).error
    assert refused["code"] == "unknown_amount"
    assert "minor_units" in refused["message"]
    policy = Policy(minor_units=frozenset({"amount_captured"}))
    assert run_of("", results, policy).check("refund", call).allowed
    assert not run_of("", results, policy).check("refund", {**call, "amount_cents": 640000}).allowed
