"""A flag in words means what it says, whatever its type: in checks of replies and in outcomes of writes alike."""

from __future__ import annotations

import doctest
from typing import Any

import pytest

import claimx.match.meaning
from claimx.completion.outcome import outcome_of_result
from claimx.match.meaning import meant
from claimx.match.results import FAILURES, Outcome, classify_result
from claimx.types import LedgerEntry

FAILED: list[Any] = [
    {"success": "false"}, {"success": "False"}, {"success": " FALSE\n"}, {"Success": "No"}, {"ok": "no"}, {"ok": "n"},
    {"ok": "off"}, {"ok": "0"}, {"ok": 0}, {"success": "failed"}, {"accepted": "false"}, {"deleted": "no"},
    {"isError": "true", "content": "no such order"}, {"exit_code": "1", "stdout": ""}, {"status_code": "500"},
    {"status": "404"}, {"updated": "0"}, {"rows_affected": "0"}, {"succeeded": "0", "failed": "3"},
    {"result": {"success": "false"}}, {"error": "yes"}, {"error": "true"},
]  # fmt: skip
WORKED: list[Any] = [
    {"success": "true"}, {"ok": "Yes"}, {"ok": "1"}, {"ok": 1}, {"ok": "OK"}, {"error": "None"}, {"error": "null"}, {"error": "nil"},
    {"error": "undefined"}, {"error": "-"}, {"error": "False"}, {"error": "N/A"}, {"errors": "0"}, {"error": "No errors"},
    {"success": "true", "error": "none"}, {"isError": "false", "content": "sent"}, {"exit_code": "0"}, {"status": "200"},
    {"updated": "3"}, {"code": "404", "coupon": True}, {"answer": "no"}, {"confirmed_by_phone": "no"}, {"state": "on"},
    {"reply": "false"}, {"id": "0"}, {"error_code": "0"},
]  # fmt: skip


@pytest.mark.parametrize("result", FAILED, ids=str)
def test_what_says_no_in_words_is_a_failure(result: Any) -> None:
    assert classify_result(LedgerEntry("c1", "close", {}, result)).outcome in FAILURES
    assert outcome_of_result(result).failed


@pytest.mark.parametrize("result", WORKED, ids=str)
def test_what_says_yes_or_nothing_in_words_is_none(result: Any) -> None:
    assert classify_result(LedgerEntry("c1", "close", {}, result)).outcome is Outcome.ACCEPTED
    assert outcome_of_result(result).kind is Outcome.ACCEPTED


@pytest.mark.parametrize("result", [{"success": None}, {"ok": "maybe"}, {"success": "see below"}, {"ok": ""}], ids=str)
def test_a_flag_that_says_neither_yes_nor_no_is_an_unknown_outcome_of_a_write(result: Any) -> None:
    outcome = outcome_of_result(result)
    assert outcome.kind is Outcome.UNKNOWN
    assert "neither yes nor no" in outcome.detail


def test_a_tool_that_returns_false_did_not_do_it() -> None:
    assert outcome_of_result(False).kind is Outcome.PERMANENT_FAILURE
    assert outcome_of_result(True).kind is Outcome.ACCEPTED


@pytest.mark.parametrize(
    ("key", "value"),
    [("name", "No. 5"), ("success", "x" * 40), ("zip", "01234"), ("n", "²"), ("a", ["no"]), ("ok", 2), ("found", 0)],
)
def test_anything_else_stays_what_it_is(key: str, value: Any) -> None:
    assert meant(key, value) == value
    assert type(meant(key, value)) is type(value)


def test_the_examples_hold() -> None:
    assert doctest.testmod(claimx.match.meaning).failed == 0
