"""What a mask hides, and that it stays hidden: in objects, pairs and texts, in results, errors and inner calls."""

from __future__ import annotations

import asyncio
import doctest
import json
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import quote, quote_plus

import pytest

import claimx.ledger.hiding
import claimx.ledger.masking
from claimx.errors import LedgerError
from claimx.ledger import Ledger, mask
from claimx.ledger.masking import words_of

CARD = "4111 1111 1111 1111"
BY = "[redacted]"


@pytest.mark.parametrize(
    "key",
    ["card", "Card", "CARD", "cards", "card_number", "cardNumber", "CardNumber", "CARD-NUMBER", "creditCard", "credit_card_no", "cardnumber",
     "creditcard", "card.number", "newCards", "PANCard", "x_card_2"],
)  # fmt: skip
def test_a_masked_name_is_found_as_words_of_a_key(key: str) -> None:
    assert mask("card")({key: CARD}, "pay", "args") == {key: BY}


@pytest.mark.parametrize("key", ["discard", "cardinality", "postcard", "scorecards", "car", "wildcard", "card1nal", ""])
def test_a_name_inside_another_word_is_none(key: str) -> None:
    assert mask("card")({key: CARD}, "pay", "args") == {key: CARD}


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("api_key", ["apiKey", "API_KEY", "api-keys", "apikey", "x-api-key", "APIKey"]),
        ("address", ["addresses", "shipping_address"]),
        ("key", ["keys", "keyId"]),
        ("straße", ["Straße", "strasse"]),
    ],
)
def test_names_of_several_words_and_plurals(name: str, keys: list[str]) -> None:
    for key in keys:
        assert mask(name)({key: "v"}, "", "args") == {key: BY}, key
    assert mask("api_key")({"key": "v", "api": "v", "monkey": "v"}, "", "args") == {
        "key": "v",
        "api": "v",
        "monkey": "v",
    }


def test_an_exact_mask_takes_the_whole_key() -> None:
    given = {"card": 1, "Cards": 2, "card_type": "visa"}
    assert mask("card", exact=True)(given, "", "args") == {"card": BY, "Cards": BY, "card_type": "visa"}


@pytest.mark.parametrize("name", ["", "_", 7, ["card", "pin"]])
def test_what_is_no_name_is_refused_when_the_rule_is_made(name: Any) -> None:
    with pytest.raises(LedgerError, match="no name of a field"):
        mask(name)
    with pytest.raises(LedgerError, match="no name of a field"):
        Ledger(hash_args=[name])


def test_pairs_of_name_and_value_are_read_as_fields() -> None:
    headers = [
        {"name": "Authorization", "value": "Bearer x"},
        {"name": "Accept", "value": "*/*"},
        {"name": "authorization"},
    ]
    kept = mask("authorization")({"headers": headers}, "", "args")["headers"]
    assert kept == [{"name": "Authorization", "value": BY}, headers[1], headers[2]]


TEXTS = [
    ("card=4111&x=1", "card=[redacted]&x=1"),
    ("bad card: 4111, try another", "bad card: [redacted], try another"),
    ('{"card": "4111", "n": 1}', '{"card": "[redacted]", "n": 1}'),
    ("{'card': {'number': '4111'}, 'x': 1}", "{'card': [redacted], 'x': 1}"),
    ("{'cards': ['4111', '4222'], 'x': 1", "{'cards': [redacted], 'x': 1"),
    ("{'cards': ['4111', '42", "{'cards': [redacted]"),
    ('sent \\"card\\": \\"4111\\"', 'sent \\"card\\": [redacted]'),
    ("Authorization: Bearer abc.def-1, next", "Authorization: [redacted], next"),
    ("Card 4111-1111-1111-1111 was declined.", "Card [redacted] was declined."),
    ("card number 4111 1111 1111 1111 was bad", "card number [redacted] was bad"),
    ("the card is 4111.", "the card is [redacted]."),
    ("cardNumber='4111 1111'", "cardNumber=[redacted]"),
    ("Traceback (most recent call last):\n  card = '4111'\nValueError", "Traceback (most recent call last):\n  card = [redacted]\nValueError"),
    ("the card was declined", "the card was declined"),
    ("no card on file, 3 left", "no card on file, 3 left"),
    ("discard 55 of them", "discard 55 of them"),
    ("card:", "card:"),
    ("your card", "your card"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "kept"), TEXTS, ids=[t[0][:30] for t in TEXTS])
def test_texts_that_name_a_field_hide_its_value(text: str, kept: str) -> None:
    redact = mask("card", "authorization")
    assert redact(text, "pay", "error") == kept
    assert redact({"log": text}, "pay", "result") == {"log": kept}


@pytest.mark.parametrize("text", ["a-" * 50_000, "card" * 25_000, "card " * 20_000, "{'card': [" * 5_000, '"' * 50_000])
def test_no_text_takes_long(text: str) -> None:
    began = time.process_time()
    mask("card")(text, "", "result")
    assert time.process_time() - began < 2


def kept_of(ledger: Ledger) -> str:
    return json.dumps([r.to_dict() for r in ledger.rows()])


def test_what_is_hidden_in_arguments_is_hidden_in_result_and_error_wherever_it_stands(
    make_ledger: Callable[..., Ledger],
) -> None:
    ledger = make_ledger(redact=mask("card"), hash_args=["email"])

    @ledger.tool
    def pay(card: str, email: str, order: str) -> dict[str, Any]:
        return {
            "echo": card, "said": f"charged {card.replace(' ', '-')} for {email.upper()}", "number": int(card.replace(" ", "")),
            card: 1, "order": order,
        }  # fmt: skip

    @ledger.tool
    def refuse(card: str, email: str) -> None:
        raise ValueError(f"{card.replace(' ', '')} of <{email}> was declined")

    pay(CARD, "ann@example.com", "SU-88421")
    with pytest.raises(ValueError, match="declined"):
        refuse(CARD, "ann@example.com")
    paid, refused = ledger.entries()
    digest = paid.args["email"]
    assert digest.startswith("sha256:")
    assert paid.result == {
        "echo": BY, "said": f"charged {BY} for {digest}", "number": BY, BY: 1, "order": "SU-88421",
    }  # fmt: skip
    assert refused.error == f"ValueError: {BY} of <{digest}> was declined"
    for secret in ("1111 1111", "11111111", "ann@", "ANN@"):
        assert secret not in kept_of(ledger)


def test_what_an_inner_call_hides_is_hidden_in_the_calls_around_it_and_the_other_way_round(
    make_ledger: Callable[..., Ledger],
) -> None:
    ledger = make_ledger(redact=mask("card", "token"))

    @ledger.tool
    def charge(order: str) -> None:
        pay(card=CARD)  # a card that the outer call looked up

    @ledger.tool
    def pay(card: str) -> None:
        post(body=f"pan {card}")  # under a name that no mask knows
        raise ValueError(f"gateway refused {card}")

    @ledger.tool
    def post(body: str) -> str:
        return body

    with pytest.raises(ValueError, match="refused"):
        charge("SU-1")
    outer, inner, innermost = ledger.entries()
    assert outer.error == inner.error == f"ValueError: gateway refused {BY}"
    assert innermost.args == {"body": f"pan {BY}"}
    assert innermost.result == f"pan {BY}"
    # The next call knows nothing of it: its own values stay.
    post(body="pan 4111 1111 1111 1111")
    assert ledger.entries()[-1].args == {"body": "pan 4111 1111 1111 1111"}


def test_asynchronous_calls_and_streams_hide_it_too(make_ledger: Callable[..., Ledger]) -> None:
    ledger = make_ledger(redact=mask("card"))

    @ledger.tool
    async def pay(card: str) -> str:
        return await asyncio.to_thread(lookup, f"for {card}")

    @ledger.tool
    def lookup(text: str) -> str:
        return text

    @ledger.tool
    async def stream(card: str) -> Any:
        yield f"1: {card}"
        raise RuntimeError(card)

    async def main() -> None:
        await pay(CARD)
        with pytest.raises(RuntimeError):
            _ = [i async for i in stream(CARD)]
        async with ledger.call("block", {"card": CARD}) as call:
            call.result = [CARD]

    asyncio.run(main())
    assert "1111 1111" not in kept_of(ledger)  # four digits alone also stand in times and digests
    assert [e.result for e in ledger.entries()] == [f"for {BY}", f"for {BY}", None, [BY]]


def test_a_redaction_of_ones_own_is_learned_from_by_what_it_hid(make_ledger: Callable[..., Ledger]) -> None:
    def redact(value: Any, tool: str, part: str) -> Any:
        if isinstance(value, dict):
            return {
                k: v.replace("4111-2222", "<pan>") if isinstance(v, str) else v for k, v in value.items() if k != "pin"
            }
        return value

    ledger = make_ledger(redact=redact)
    ledger.tool(lambda text, pin, n: f"4111-2222 {pin} {n}", name="t")("pay with 4111-2222 now", "90210", 1234567)
    (entry,) = ledger.entries()
    assert entry.args == {"text": "pay with <pan> now", "n": 1234567}
    assert entry.result == f"<pan> {BY} 1234567"


def test_an_error_does_not_quote_arguments_of_which_only_a_digest_is_kept(make_ledger: Callable[..., Ledger]) -> None:
    for options in ({"hash_args": True}, {"capture_results": False}):
        ledger = make_ledger(**options)
        with pytest.raises(KeyError):
            ledger.tool(lambda order: {}[order], name="t")("SU-88421")
        assert ledger.entries()[0].error == "KeyError: '[not stored]'"
        assert "88421" not in kept_of(ledger)


@pytest.mark.parametrize(
    "secret",
    ["straße-1", "a\nb \"c\" 'd'", "p&w d/ü", "naïve£5", "密码一二", "C:\\keys\\x", "(a+b)*", "tail ", "42.50", 424242],
)
def test_a_value_of_any_characters_is_hidden_in_every_way_it_is_written(
    secret: Any, make_ledger: Callable[..., Ledger]
) -> None:
    ledger = make_ledger(redact=mask("password"))

    def login(password: Any) -> list[Any]:
        text = str(password)
        return [
            password, f"<{text}>", json.dumps({"p": password}), json.dumps({"p": password}, ensure_ascii=False), repr({"p": password}),
            f"/login?p={quote(text, safe='')}&x=1", f"/login?p={quote_plus(text)}", text.upper() if text.isascii() else text,
        ]  # fmt: skip

    ledger.tool(login)(secret)
    for kept in ledger.entries()[0].result:
        assert BY in kept, kept
    assert str(secret).strip() not in kept_of(ledger)


@pytest.mark.parametrize(
    ("secret", "text", "kept"),
    [
        ("密码一二", "说密码一二不对", f"说{BY}不对"),
        ("sk-0123456789abc", "keysk-0123456789abcx", f"key{BY}x"),
        ("1234", "no 1234, not 51234 or 12345", f"no {BY}, not 51234 or 12345"),
        ("12345678", "1234 5678 and 12-34-56-78", f"{BY} and {BY}"),
        ("Ann5", "ann5 ANN5 Anna5", f"{BY} {BY} Anna5"),
    ],
)
def test_a_value_is_found_as_a_word_or_when_it_is_long_anywhere(
    secret: str, text: str, kept: str, make_ledger: Callable[..., Ledger]
) -> None:
    ledger = make_ledger(redact=mask("secret"))
    ledger.tool(lambda secret: text, name="t")(secret)
    assert ledger.entries()[0].result == kept


def test_short_values_are_not_hunted_for_in_other_places(make_ledger: Callable[..., Ledger]) -> None:
    ledger = make_ledger(redact=mask("pin", "flag"))
    ledger.tool(lambda pin, flag: {"count": 12, "text": "12 of 12 are true"}, name="t")(12, True)
    assert ledger.entries()[0].result == {"count": 12, "text": "12 of 12 are true"}


def test_a_failing_redaction_is_told_without_what_it_was_given(
    make_ledger: Callable[..., Ledger], errors: list[Exception]
) -> None:
    def redact(value: Any, tool: str, part: str) -> Any:
        raise ValueError(f"cannot read {value}")

    make_ledger(redact=redact).tool(lambda secret: 1, name="t")("s3cret")
    assert errors
    assert all("s3cret" not in str(e) for e in errors)
    assert "ValueError in redact, line" in str(errors[0])


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("HTTPServerError2", ["http", "server", "error2"]),
        ("statuses_of_boxes", ["status", "of", "box"]),
        ("houseAddresses", ["house", "address"]),
        ("databases", ["database"]),
        ("policies-2", ["policy", "2"]),
        ("bus", ["bus"]),
        ("", []),
        ("卡号", ["卡号"]),
    ],
)
def test_words_of_keys(key: str, words: list[str]) -> None:
    assert words_of(key) == words


@pytest.mark.parametrize("module", [claimx.ledger.hiding, claimx.ledger.masking])
def test_the_examples_hold(module: Any) -> None:
    assert doctest.testmod(module).failed == 0


def test_long_errors_are_searched_for_many_hidden_values_in_bounded_time_and_keep_no_half_of_one() -> None:
    values = [f"secret-value-{i}" for i in range(1000)]
    for whole in ("e" * 400_000, "x" * 190 + "secret-value-77 " + "e" * 400_000):
        ledger = Ledger(hash_args=True, max_chars=200)

        def fail(given: list[str], text: str = whole) -> None:
            raise ValueError(text)

        began = time.process_time()
        with pytest.raises(ValueError, match="e"):
            ledger.tool(fail, omit=["text"])(values)
        assert time.process_time() - began < 5
        error = str(ledger.entries()[0].error)
        assert "secret" not in error
        assert error.endswith("more]")


@pytest.mark.parametrize(
    "value", ["4111 1111 1111 1111", "Ann Lee", "ann@example.com", "Zoë L", "A-1.2", "(xy)", "12345678"]
)
def test_many_hidden_values_are_each_found_like_one(value: str) -> None:
    others = [f"other {i} of {j}" for i in range(30) for j in range(10)]
    ledger = Ledger(redact=mask("secrets"))
    ledger.tool(lambda secrets: f"it was {value}, indeed", name="t")([value, *others])
    assert ledger.entries()[0].result == "it was [redacted], indeed"
