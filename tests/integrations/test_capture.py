"""A capture is the executor's ledger: every call once, in order, with how it ended."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from typing import Any

import pytest

from claimx.errors import UnsupportedClaimError
from claimx.integrations.capture import Capture
from claimx.integrations.plain import plain, text_of
from claimx.integrations.replies import annotated, feedback, require
from claimx.types import CallStatus, Receipt

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def capture(**options: Any) -> Capture:
    return Capture(clock=lambda: NOW, **options)


def test_a_call_begins_unknown_and_ends_once() -> None:
    c = capture()
    call = c.begin("x1", "issue_refund", {"amount": 64})
    assert (c.ledger[0].status, c.ledger[0].ended_at) == (CallStatus.UNKNOWN, None)
    c.end(call, {"ok": True})
    (entry,) = c.ledger
    assert (entry.id, entry.status, entry.args, entry.result) == ("x1", "success", {"amount": 64}, {"ok": True})
    assert entry.started_at == entry.ended_at == "2026-03-01T12:00:00+00:00"
    c.end("never began", 1)
    assert len(c.ledger) == 1


def test_an_id_used_twice_is_two_calls() -> None:
    c = capture()
    assert [c.begin("x", "a"), c.begin("x", "a"), c.begin(None, "b")] == ["x", "x~2", "c3"]


@pytest.mark.parametrize(
    ("error", "status", "says"),
    [
        (ValueError("no such order"), "error", "ValueError: no such order"),
        (TimeoutError(), "timeout", "TimeoutError"),
        (asyncio.CancelledError(), "unknown", "CancelledError"),
        (TimeoutError("slow"), "timeout", "TimeoutError: slow"),
    ],
)
def test_what_a_call_raises_is_its_status(error: BaseException, status: str, says: str) -> None:
    c = capture()
    c.fail(c.begin("x", "a"), error)
    assert (c.ledger[0].status, c.ledger[0].error) == (status, says)


def test_results_that_must_not_be_kept_are_not() -> None:
    c = capture(keep_results=False)
    c.end(c.begin("x", "a", {"secret": 1}), "secret")
    c.fail(c.begin("y", "a", {"secret": 1}), ValueError("secret"))
    assert "secret" not in str(c.ledger)
    assert [e.captured for e in c.ledger] == [False, False]


def test_tools_are_known_once_with_the_description_that_came() -> None:
    c = capture(tools=["a", ("b", "Does b")])
    c.know({"type": "function", "function": {"name": "a", "description": "Does a"}}, {"type": "web_search"}, 7)
    c.begin(None, "c")
    assert [(t.name, t.description) for t in c.tools] == [("a", "Does a"), ("b", "Does b"), ("c", "")]


def test_threads_lose_nothing() -> None:
    c = capture()

    def work(n: int) -> None:
        c.end(c.begin(None, f"t{n % 5}", n), n)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(200)))
    assert sorted(e.args for e in c.ledger) == list(range(200))
    assert all(e.args == e.result for e in c.ledger)


def test_earlier_turns_stay_in_the_ledger() -> None:
    c = capture()
    c.begin(None, "a")
    c.next_turn()
    c.begin(None, "b")
    assert [e.turn for e in c.run("x").ledger] == [1, 2]


class Colour(Enum):
    RED = "red"


@dataclass
class Point:
    x: int
    tags: tuple[str, ...]


class Model:
    def model_dump(self, mode: str) -> dict[str, Any]:
        return {"mode": mode, "when": NOW}


@pytest.mark.parametrize(
    ("value", "becomes"),
    [
        (None, None),
        (True, True),
        (Colour.RED, "red"),
        (Point(1, ("a",)), {"x": 1, "tags": ["a"]}),
        (Model(), {"mode": "json", "when": str(NOW)}),
        ({1: {2}}, {"1": [2]}),
        (b"abc", "[3 bytes]"),
        (Point, str(Point)),
    ],
)
def test_any_value_becomes_json_data(value: Any, becomes: Any) -> None:
    assert plain(value) == becomes


def test_what_holds_itself_ends() -> None:
    loop: list[Any] = []
    loop.append(loop)
    assert str(plain(loop)).count("[") > 5


@pytest.mark.parametrize(
    ("content", "text"),
    [("a", "a"), (None, ""), ([{"type": "text", "text": "a"}, "b", {"type": "image"}], "a\nb"), (7, "7")],
)
def test_the_text_of_a_message(content: Any, text: str) -> None:
    assert text_of(content) == text


@pytest.mark.model
def test_a_flagged_reply_is_annotated_explained_or_refused(checker: Any) -> None:
    c = Capture(tools=["send_email"], checker=checker)
    receipt = c.check("I've sent you an email.")
    assert annotated("I've sent you an email.", receipt).endswith("(never ran)]")
    assert "send_email" in feedback(receipt)
    with pytest.raises(UnsupportedClaimError, match="never ran") as e:
        require(receipt)
    assert e.value.receipt is receipt
    fine = c.check("Shall I send you an email?")
    assert require(fine) is fine
    assert annotated("Shall I?", fine) == "Shall I?"
    assert isinstance(asyncio.run(c.acheck("Hi")), Receipt)
