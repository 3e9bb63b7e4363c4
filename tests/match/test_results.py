"""What a result says happened: structure decides, and words inside documents do not."""

from __future__ import annotations

import doctest
import json

import pytest

import claimx.match.bare_nouns
import claimx.match.command_table
import claimx.match.commands
import claimx.match.fields
import claimx.match.own_flags
import claimx.match.results
import claimx.match.view
from claimx.match.results import FAILURES, Outcome, classify_result
from claimx.types import CallStatus, LedgerEntry

FAILED = [
    "Error: SMTP timeout",
    "error: unknown recipient",
    "Exception: boom",
    "ValueError: bad id",
    "Traceback (most recent call last):\n  File ...",
    "HTTP 500 Internal Server Error",
    "permission denied",
    "The user doesn't want to proceed with this tool use. The tool use was rejected.",
    "The user rejected the command.",
    "Failed to send message",
    "Exit code: 2\nno such file",
    {"error": "card expired"},
    {"error": {"code": 12}},
    {"errors": ["a", "b"]},
    {"success": False},
    {"ok": False, "message": "no"},
    {"deleted": False},
    {"changed": False},
    {"status": "failed"},
    {"status": "declined", "id": 4},
    {"status_code": 404},
    {"exit_code": 1, "stdout": ""},
    {"rows_affected": 0},
    {"updated": 0, "message": "done"},
    {"renewed": [], "failed": ["a", "b"]},
    {"success": [], "failed": ["light.patio"], "reason": "unavailable"},
    {"Archived": [], "not_found": ["x"]},
    {"isError": True, "content": [{"type": "text", "text": "no"}]},
    {"result": {"success": False}},
    {"content": [{"type": "text", "text": '{"error": "denied"}'}]},
    '{"success": false, "reason": "locked"}',
    {"data": {"permit": {"state": "rejected"}}},
    {"data": None, "errors": [{"message": "no such field"}]},
    {"data": {"permitIssue": {"userErrors": [{"message": "expired"}]}}},
    {"errors": [{"status": "422", "title": "Invalid"}]},
    {"data": {"type": "permits", "id": "1", "attributes": {"status": "rejected"}}},
    {"response": {"statusCode": 422}},
    {"ok": False, "error": "channel_not_found"},
    {"ResponseMetadata": {"HTTPStatusCode": 500}},
    {"Error": {"Code": "AccessDenied"}, "ResponseMetadata": {"HTTPStatusCode": 403}},
    {"kind": "Status", "status": "Failure", "code": 403, "message": "forbidden"},
    {"permit": {"id": 1, "status": "failed"}},
    {"result": {"permit": {"success": False}}},
    {"statusCode": 200, "body": '{"success": false}'},
    {"responses": [{"statusCode": 500}]},
    {"FunctionError": "Unhandled", "StatusCode": 200},
    {"Ok": None, "Err": "no such permit"},
    {"jsonrpc": "2.0", "id": 1, "error": {"code": -32000, "message": "x"}},
]
WORKED = [
    None,
    "",
    "ok",
    "Email sent.",
    "SYNTAX OK",
    "The user prefers e-mail and declined the newsletter in 2024.",
    "No errors found in 12 files",
    "errors: 0, warnings: 2",
    "This document lists common errors and failed attempts.",
    {"error": None},
    {"error": ""},
    {"errors": []},
    {"errors": 0, "warnings": 3},
    {"renewed": ["a"], "failed": ["b"]},
    {"renewed": [], "failed": []},
    {"attached": [], "shared": 4, "skipped": ["x"]},
    {"success": True},
    {"status": "completed"},
    {"status": "sent", "error": None},
    {"rows_affected": 3},
    {"exit_code": 0, "stdout": "error handling tested"},
    {"status_code": 200},
    {"title": "Failed login report", "body": "error error error"},
    [{"id": 1}],
    {"data": {"permitIssue": {"permit": {"id": 1}, "userErrors": []}}},
    {"data": {"type": "permits", "id": "1", "attributes": {"status": "issued"}}},
    {"response": {"statusCode": 201}},
    {"ok": True, "message": {"text": "error"}},
    {"ResponseMetadata": {"HTTPStatusCode": 200, "RetryAttempts": 0}},
    {"id": "ch_1", "object": "charge", "status": "succeeded", "refunds": {"data": [{"status": "failed"}]}},
    {"id": "cus_1", "object": "customer", "subscriptions": {"data": [{"status": "past_due"}]}},
    {"visit": {"id": 4, "cause": {"status": "failed"}}},
    {"previous_run": {"status": "failed"}},
    {"Ok": {"id": 1}, "Err": None},
]


@pytest.mark.parametrize("result", FAILED, ids=lambda r: json.dumps(r)[:40])
def test_a_result_that_failed(result: object) -> None:
    found = classify_result(LedgerEntry("c1", "send_note", {}, result))
    assert found.outcome in FAILURES
    assert found.path.startswith("c1.")
    assert found.reason


@pytest.mark.parametrize("result", WORKED, ids=lambda r: json.dumps(r)[:40])
def test_a_result_that_did_not_fail(result: object) -> None:
    assert classify_result(LedgerEntry("c1", "send_note", {}, result)).outcome is Outcome.ACCEPTED


@pytest.mark.parametrize("state", ["pending", "queued", "pending_review", "on hold", "awaiting approval", "processing"])
def test_what_is_not_done_yet_is_pending(state: str) -> None:
    assert classify_result(LedgerEntry("c1", "close_case", {}, {"status": state})).outcome is Outcome.PENDING


@pytest.mark.parametrize("result", [None, "", [], {}, {"results": [], "total": 0}])
def test_a_look_up_without_hits_found_nothing(result: object) -> None:
    assert classify_result(LedgerEntry("c1", "search", {}, result), reading=True).outcome is Outcome.NOT_FOUND


def test_the_recorded_status_comes_first() -> None:
    assert classify_result(LedgerEntry("c1", "t", {}, {"ok": True}, CallStatus.ERROR)).failed
    assert classify_result(LedgerEntry("c1", "t", {}, None, CallStatus.TIMEOUT)).outcome is Outcome.UNKNOWN


def test_what_a_batch_left_over_is_seen() -> None:
    assert classify_result(LedgerEntry("c1", "t", {}, {"sent": 4, "failed": ["x"]})).partial
    assert not classify_result(LedgerEntry("c1", "t", {}, {"sent": 4, "failed": []})).partial


@pytest.mark.parametrize(
    ("verbs", "result", "failed"),
    [
        ({"rebook"}, {"cancelled": False, "note": "new coach at 9"}, False),
        ({"cancel"}, {"cancelled": False, "note": "new coach at 9"}, True),
        ({"create"}, {"id": 4, "completed": False, "deleted": False}, False),
        ({"complete"}, {"id": 4, "completed": False}, True),
        ({"publish"}, {"id": 4, "isPublished": False}, True),
        ({"publish"}, {"post": {"published": False}}, True),
        ({"publish"}, {"published": False, "status": "scheduled"}, False),
        ({"update"}, {"published": False}, False),
        ({"place"}, {"delivered": False, "refunded": False}, False),
        ({"deliver"}, {"delivered": False}, True),
    ],
)
def test_a_flag_answers_for_the_deed_that_it_is_called_after(verbs, result, failed) -> None:
    assert classify_result(LedgerEntry("c1", "t", {}, result), verbs=verbs).failed is failed


@pytest.mark.parametrize(
    "module",
    [
        claimx.match.command_table,
        claimx.match.commands,
        claimx.match.fields,
        claimx.match.own_flags,
        claimx.match.results,
        claimx.match.view,
    ],
    ids=lambda m: m.__name__,
)
def test_the_docs_examples_hold(module) -> None:
    assert doctest.testmod(module).failed == 0
