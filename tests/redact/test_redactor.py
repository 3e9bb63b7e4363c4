"""Stand-ins: the same for the same value everywhere, of the same length, nothing left over, and no verdict changed."""

from __future__ import annotations

import ipaddress
import json
from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest

from claimx import Checker
from claimx.annotate.example import Example, faults_of
from claimx.annotate.markup import compile_markup
from claimx.cli import main
from claimx.redact import Redactor
from claimx.redact.amounts import number_of
from claimx.redact.stand_ins import StandIns

ROOT = Path(__file__).parent.parent.parent
KEY = b"0123456789abcdef"
RUN = {
    "id": "r1",
    "reply": "I refunded $64.00 for order HB-20417, Priya. A receipt went to priya.nair@larkfield.com on 2026-05-03; call +1 415 555 0142.",
    "user": "It's Priya Nair. Where's my money for HB-20417?",
    "tools": ["issue_refund", "send_email"],
    "ledger": [
        {"id": "c1", "tool": "issue_refund", "args": {"order_id": "HB-20417", "amount": 64, "amount_cents": 6400}, "result": {"ok": True}},
        {"id": "c2", "tool": "send_email", "args": {"to": "priya.nair@larkfield.com", "name": "Priya Nair"},
         "result": "Sent to Priya Nair <priya.nair@larkfield.com> about hb-20417, 64.00 USD"},
    ],
    "agent": {"customer": "Priya Nair", "account": 88214455},
}  # fmt: skip
PEOPLE = {
    "id": "people",
    "reply": "I changed the delivery address of order HB-20417 to 14 Birch Lane, Springfield; the neighbour is at 27 Elm Street. "
    "I blocked the login from 203.0.113.24. Plate KXR 4521, IBAN DE89 3704 0044 0532 0130 00, card 4111 1111 1111 1111, passport "
    "C01X00T47, born on 12 March 1985, at 48.8566, 2.3522. Profile: https://social.example/users/jane.doe42",
    "tools": ["update_address", "block_login"],
    "ledger": [
        {"id": "c1", "tool": "update_address",
         "args": {"order_id": "HB-20417", "address": "14 Birch Lane, Springfield", "zip": "62704", "dob": "1985-03-12", "lat": 48.8566,
                  "lon": -2.3522, "plate": "KXR4521", "iban": "DE89370400440532013000", "card": "4111111111111111"},
         "result": {"ok": True, "note": "deliver to 14 birch lane", "born": "03/12/1985", "username": "jane.doe42"}},
        {"id": "c2", "tool": "block_login", "args": {"ip": "203.0.113.24"},
         "result": {"blocked": True, "seen": {"203.0.113.24": 3}, "also": ["2001:db8:85a3::8a2e:370:7334", "00:1B:44:11:3A:B7"]}},
    ],
}  # fmt: skip
IDENTIFYING = (
    "Birch", "birch", "Springfield", "62704", "Elm", "203.0.113.24", "KXR", "4521", "3704", "0532013000", "1111 1111", "11111111",
    "C01X00T47", "12 March 1985", "1985-03-12", "03/12/1985", "48.8566", "2.3522", "jane.doe", "85a3", "1B:44",
)  # fmt: skip


def elsewhere() -> dict:
    """The same run with a ledger that says otherwise: another street, another address of the network."""
    text = json.dumps(PEOPLE["ledger"]).replace("14 Birch Lane, Springfield", "41 Birch Lane, Springfield")
    ledger = json.loads(text.replace('"ip": "203.0.113.24"', '"ip": "203.0.113.42"'))
    return {**PEOPLE, "id": "elsewhere", "ledger": ledger}


SECRETS = ("20417", "Priya", "Nair", "priya", "nair", "larkfield", "64", "555 0142", "88214455")


@pytest.fixture(scope="module")
def redactor() -> Redactor:
    return Redactor(key=KEY)


@pytest.mark.model
def test_nothing_that_identifies_is_left_and_lengths_stay(redactor: Redactor) -> None:
    found = redactor.redact(RUN)
    out = found.record
    assert out is not None, found.reason
    whole = json.dumps(out)
    assert [s for s in SECRETS if s in whole] == []
    assert len(out["reply"]) == len(RUN["reply"])
    assert "2026-05-03" in out["reply"], "dates stay"
    assert (out["id"], [e["id"] for e in out["ledger"]], out["tools"]) == ("r1", ["c1", "c2"], RUN["tools"])


@pytest.mark.model
def test_the_same_value_has_the_same_stand_in_everywhere(redactor: Redactor) -> None:
    out = redactor.redact(RUN).record
    assert out is not None
    c1, c2 = out["ledger"]
    order = c1["args"]["order_id"]
    assert order.startswith("HB-")
    assert order in out["reply"]
    assert order in out["user"]
    assert order.lower() in c2["result"]
    name, address = c2["args"]["name"], c2["args"]["to"]
    assert out["agent"]["customer"] == name
    assert name in out["user"]
    assert name.split()[0] in out["reply"]
    assert address.partition("@")[0] == name.lower().replace(" ", ".")
    assert f"{name} <{address}>" in c2["result"]
    assert c1["args"]["amount_cents"] == 100 * c1["args"]["amount"]
    assert f"${c1['args']['amount']}.00" in out["reply"]


@pytest.mark.model
@pytest.mark.parametrize("key", [KEY, b"another key of 16", b"and a third one.."])
def test_what_identifies_by_its_form_goes_everywhere_and_alike(key: bytes) -> None:
    found = Redactor(key=key).redact(PEOPLE)
    out = found.record
    assert out is not None, found.reason
    assert [s for s in IDENTIFYING if s in json.dumps(out)] == []
    reply, (c1, c2) = out["reply"], out["ledger"]
    args = c1["args"]
    assert len(reply) == len(PEOPLE["reply"])
    assert args["address"] in reply
    assert c1["result"]["note"].removeprefix("deliver to ") == args["address"].partition(",")[0].lower()
    assert c2["args"]["ip"] in reply
    assert list(c2["result"]["seen"]) == [c2["args"]["ip"]], "a key that is a value is one, too"
    assert any(ipaddress.ip_address(c2["args"]["ip"]) in net for net in DOCUMENTATION)
    assert ipaddress.ip_address(c2["result"]["also"][0]) in ipaddress.ip_network("2001:db8::/32")
    squeezed = reply.replace(" ", "")
    assert all(squeezed.count(args[k]) == 1 for k in ("plate", "iban", "card"))
    assert c1["result"]["username"] in reply
    born = date.fromisoformat(args["dob"])
    assert f"born on {born.day} {born:%B} {born.year}" in reply
    assert c1["result"]["born"] == f"{born:%m/%d/%Y}"
    assert f"at {args['lat']}, {-args['lon']}." in reply


DOCUMENTATION = [ipaddress.ip_network(n) for n in ("192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24")]


@pytest.mark.model
def test_one_key_makes_the_same_stand_ins_in_every_run_and_another_key_others() -> None:
    other = {
        **RUN,
        "id": "r2",
        "reply": "The name on order HB-20417 is Priya Nair.",
        "user": None,
        "ledger": [],
        "agent": None,
    }
    a, b = (Redactor(key=KEY).redact(r).record for r in (RUN, other))
    assert a is not None
    assert b is not None
    assert a["ledger"][0]["args"]["order_id"] in b["reply"]
    assert a["ledger"][1]["args"]["name"] in b["reply"]
    fresh = Redactor().redact(RUN).record
    assert fresh is not None
    assert fresh["reply"] != a["reply"]


def runs() -> list[dict]:
    """The example, and the runs of the case tables whose texts carry something to redact."""
    example = json.loads((ROOT / "examples" / "support_run.json").read_text(encoding="utf-8"))
    wrong = {
        **RUN,
        "id": "wrong",
        "ledger": [{**RUN["ledger"][0], "args": {"order_id": "HB-20471", "amount": 6.4}}, RUN["ledger"][1]],
    }
    failed = {
        **RUN,
        "id": "failed",
        "ledger": [{**RUN["ledger"][0], "status": "error", "result": {"error": "card 4417 declined"}}],
    }
    total = {
        "id": "sum", "reply": "I ordered both lamps for Jon Holt: $30.00 in total.", "tools": ["place_order"],
        "ledger": [{"id": "c1", "tool": "place_order", "args": {"customer": "Jon Holt"},
                    "result": {"items": [{"price": 10.0}, {"price": 20.0}], "currency": "USD"}}],
    }  # fmt: skip
    digits = {
        "id": "digits", "reply": "Your transfer TR-8805 of €250.00 to the account ending 4417 has been sent.", "tools": ["send_transfer"],
        "ledger": [{"id": "c1", "tool": "send_transfer", "args": {"iban": "FI2112345600004417", "amount": "250.00"},
                    "result": {"reference": "TR-8850", "status": "sent"}}],
    }  # fmt: skip
    return [RUN, example, wrong, failed, total, digits, PEOPLE, elsewhere()]


@pytest.mark.model
@pytest.mark.parametrize("run", runs(), ids=lambda r: r.get("id", "example"))
def test_verdicts_and_matches_are_unchanged(run: dict, redactor: Redactor) -> None:
    checker = Checker()
    found = redactor.redact(run)
    assert found.record is not None, found.reason
    before, after = checker.check(run), checker.check(found.record)
    assert after.verdict == before.verdict

    def shape(receipt) -> list:
        return [(c.action.trigger.start, c.action.trigger.end, str(c.status), c.tool, c.calls) for c in receipt.claims]

    assert shape(after) == shape(before)


@pytest.mark.model
def test_sums_stay_sums() -> None:
    run = next(r for r in runs() if r["id"] == "sum")
    out = Redactor(key=KEY).redact(run).record
    assert out is not None
    prices = [i["price"] for i in out["ledger"][0]["result"]["items"]]
    assert prices != [10.0, 20.0]
    assert f"${sum(prices):.2f}" in out["reply"]


class Forgetful:
    """A reader that finds a claim only in the original text."""

    def __init__(self, inner: object) -> None:
        self.inner = inner

    def extract_full(self, text: str):
        from claimx.types import Extraction

        return self.inner.extract_full(text) if "HB-20417" in text else Extraction()

    def extract_many(self, texts):
        return [self.extract_full(t) for t in texts]


def test_a_run_that_would_be_judged_in_another_way_is_withheld(tiny_model: Path) -> None:
    from claimx.extract import Extractor

    checker = Checker(Forgetful(Extractor(tiny_model)))
    run = {"reply": "I refunded $64 for the order HB-20417.", "tools": ["issue_refund"], "ledger": []}
    found = Redactor(key=KEY, checker=checker).redact(run)
    assert found.record is None
    assert found.reason.startswith("withheld: the verdict would turn from fabricated to ok")
    assert Redactor(key=KEY, checker=checker, check=False).redact(run).record is not None


def test_labels_of_a_reply_stay_on_their_words(tiny_model: Path) -> None:
    from claimx.extract import Extractor

    text, actions, values = compile_markup(
        "I ⟦sent|A1 paa⟧ ⟦Priya Nair|PERSON1⟧ ⟦INV-4471|ID1⟧. Total ⟦$1,204.50|MONEY⟧."
    )
    label = Example("e", text, actions, values, origin="in-house")
    redactor = Redactor(key=KEY, checker=Checker(Extractor(tiny_model)), terms=["Priya Nair"])
    out = redactor.redact(label.to_dict()).record
    assert out is not None
    again = Example.from_dict(out)
    assert faults_of(again) == []
    assert [s["type"] for s in again.actions[0]["slots"]] == ["PERSON", "ID"]
    assert again.text[:7] == "I sent "
    assert not {"Priya", "4471", "1,204"} & set(again.text.replace("-", " ").split())


@pytest.mark.parametrize(
    ("text", "number"),
    [("64", 64), ("64.00", 64), ("1,204.50", Fraction(120450, 100)), ("2.308,00", 2308), ("1,204", 1204), ("0.5", Fraction(1, 2)),
     ("12.5.", Fraction(25, 2)), ("abc", None)],
)  # fmt: skip
def test_written_numbers(text: str, number: object) -> None:
    assert number_of(text) == number


def test_related_numbers_keep_their_relation() -> None:
    make = StandIns(KEY, ["20417", "20471", "0417", "6450", "645", "999"])
    whole, swapped, tail = (make.digits(x) for x in ("20417", "20471", "0417"))
    assert whole != "20417"
    assert (whole[:3], whole[3], whole[4]) == (swapped[:3], swapped[4], swapped[3])
    assert whole.endswith(tail)
    assert make.digits("6450") == make.digits("645") + "0"
    assert make.digits("0") == "0"


@pytest.mark.parametrize(
    ("code", "form"),
    [("HB-20417", r"HB-\d{5}"), ("QK7M2D", r"[A-Z]{2}\d[A-Z]\d[A-Z]"), ("c41d9e2f", r"[a-f]\d\d[a-f]\d[a-f]\d[a-f]"), ("PNRXYZ", r"[A-Z]{6}")],
)  # fmt: skip
def test_codes_keep_their_form(code: str, form: str) -> None:
    import re

    made = StandIns(KEY).code(code)
    assert re.fullmatch(form, made)
    assert made != code


def test_two_names_never_share_a_stand_in() -> None:
    make = StandIns(KEY)
    names = [
        "Anna",
        "Otto",
        "Emma",
        "Jens",
        "Kari",
        "Lena",
        "Mats",
        "Nora",
        "Olav",
        "Pero",
        "Rosa",
        "Tess",
        "Uwe",
        "Ulf",
        "Tim",
    ]
    made = [make.word(n) for n in names]
    assert len(set(made)) == len(names)
    assert all(len(a) == len(b) and a != b for a, b in zip(names, made, strict=True))
    assert make.word("ANNA") == made[0].upper()
    assert make.word("anna") == made[0].lower()


def test_the_command_writes_what_it_may_and_names_the_rest(
    tiny_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, out, key, table = (tmp_path / n for n in ("in.jsonl", "out.jsonl", "key", "map.json"))
    run = {"id": "a", "reply": "I refunded $64 for the order #4821.", "tools": ["issue_refund"], "ledger": []}
    source.write_text(json.dumps(run) + "\n{oops\n" + json.dumps({"id": "x"}) + "\n", encoding="utf-8")
    key.write_bytes(KEY)
    args = [
        "redact",
        str(source),
        "--out",
        str(out),
        "--key-file",
        str(key),
        "--map",
        str(table),
        "--model",
        str(tiny_model),
    ]
    assert main(args) == 2
    err = capsys.readouterr().err
    assert "line 2: not JSON" in err
    assert "line 3: field 'reply' is missing" in err
    assert "1 record redacted, 0 withheld" in err
    (row,) = [json.loads(x) for x in out.read_text(encoding="utf-8").splitlines()]
    assert "4821" not in row["reply"]
    assert json.loads(table.read_text(encoding="utf-8"))["4821"] in row["reply"]
    key.write_bytes(b"short")
    assert main(args) == 2
    assert "a key needs 16 bytes" in capsys.readouterr().err


def test_transcripts_of_other_tools_come_out_as_runs(tiny_model: Path, tmp_path: Path) -> None:
    call = {"id": "c1", "type": "function", "function": {"name": "refund", "arguments": '{"order": "HB-20417"}'}}
    messages = [
        {"role": "user", "content": "I am ann@acme.example, refund HB-20417."},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": '{"ok": true}'},
        {"role": "assistant", "content": "I refunded the order HB-20417."},
    ]
    source, out, table = tmp_path / "m.json", tmp_path / "out.jsonl", tmp_path / "map.json"
    source.write_text(json.dumps(messages), encoding="utf-8")
    args = ["redact", str(source), "--out", str(out), "--map", str(table), "--model", str(tiny_model)]
    assert main(args) == 0
    (row,) = [json.loads(x) for x in out.read_text(encoding="utf-8").splitlines()]
    assert "HB-20417" not in json.dumps(row)
    assert "ann@acme.example" not in json.dumps(row)
    assert row["ledger"][0]["args"]["order"] in row["reply"]
    assert table.stat().st_mode & 0o077 == 0, "what stands for what is for its owner alone"


def test_an_input_that_is_not_there_leaves_what_was_written_before(tiny_model: Path, tmp_path: Path) -> None:
    out = tmp_path / "out.jsonl"
    out.write_text("earlier\n", encoding="utf-8")
    assert main(["redact", str(tmp_path / "no.jsonl"), "--out", str(out), "--model", str(tiny_model)]) == 2
    assert out.read_text(encoding="utf-8") == "earlier\n"
