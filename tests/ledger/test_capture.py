"""What of a call is kept: redaction, hashed arguments, nothing, caps."""

from __future__ import annotations

import pytest

from claimx.errors import LedgerError
from claimx.ledger import digest_of, mask
from claimx.ledger.capture import Capture

ARGS = {"card": "4111111111111111", "amount": 5, "to": {"email": "ann@example.com"}}


def test_by_default_everything_is_kept_as_it_was() -> None:
    assert Capture().args(ARGS, "pay") == {"args": ARGS}
    assert Capture().result({"ok": True}, "pay") == {"result": {"ok": True}}


def test_a_redaction_sees_value_tool_and_part_and_decides_what_is_kept() -> None:
    seen = []

    def redact(value: object, tool: str, part: str) -> object:
        seen.append((tool, part))
        return "gone"

    capture = Capture(redact)
    assert capture.args(ARGS, "pay") == {"args": "gone"}
    assert capture.result(1, "pay") == {"result": "gone"}
    assert capture.error(ValueError("4111"), "pay") == "gone"
    assert capture.message("hello") == "gone"
    assert seen == [("pay", "args"), ("pay", "result"), ("pay", "error"), ("", "message")]


def test_masked_names_are_found_at_any_depth_in_any_case() -> None:
    kept = Capture(mask("EMAIL", "card")).args({**ARGS, "rows": [{"Email": "x"}]}, "pay")["args"]
    assert kept == {"card": "[redacted]", "amount": 5, "to": {"email": "[redacted]"}, "rows": [{"Email": "[redacted]"}]}


def test_named_arguments_are_kept_as_digests_that_can_be_compared() -> None:
    kept = Capture(hash_args={"card", "email"}).args(ARGS, "pay")["args"]
    assert kept == {
        "card": digest_of("4111111111111111"), "amount": 5, "to": {"email": digest_of("ann@example.com")},
    }  # fmt: skip


def test_with_a_key_the_digests_cannot_be_guessed() -> None:
    kept = Capture(hash_args=["card"], hash_key=b"k").args(ARGS, "pay")["args"]
    assert kept["card"] == digest_of("4111111111111111", key=b"k")


def test_all_arguments_can_be_kept_as_one_digest() -> None:
    assert Capture(hash_args=True).args(ARGS, "pay") == {"args_digest": digest_of(ARGS)}


def test_nothing_but_digests_is_kept_without_results() -> None:
    capture = Capture(keep=False)
    assert capture.args(ARGS, "pay") == {"args_digest": digest_of(ARGS), "captured": False}
    assert capture.result("secret", "pay") == {"result_digest": digest_of("secret"), "captured": False}


def test_long_texts_are_cut_and_say_so_with_their_paths_and_the_digest_of_the_whole() -> None:
    value = {"body": "x" * 30, "rows": ["short", "y" * 11]}
    kept = Capture(max_chars=10).result(value, "read")
    assert kept["result"] == {"body": "x" * 10 + "… [20 more]", "rows": ["short", "y" * 10 + "… [1 more]"]}
    assert kept["result_cut"] == ["result.body", "result.rows[1]"]
    assert kept["result_digest"] == digest_of(value)


def test_a_value_that_is_too_large_as_a_whole_is_kept_as_the_start_of_its_text() -> None:
    kept = Capture(max_bytes=50).result(list(range(1000)), "read")
    assert kept["result"].startswith("[0,1,2,")
    assert kept["result"].endswith(" more]")
    assert kept["result_cut"] == ["result"]


@pytest.mark.parametrize("options", [{"max_chars": 0}, {"max_bytes": 0}, {"hash_args": "card"}])
def test_rules_that_make_no_sense_are_refused(options: dict[str, object]) -> None:
    with pytest.raises(LedgerError):
        Capture(**options)  # type: ignore[arg-type]
