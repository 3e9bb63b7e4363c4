"""What an application may get wrong, and what tools may return: told clearly, recorded always, never taken for success."""

from __future__ import annotations

import dataclasses
import importlib
import subprocess
import sys
from collections import namedtuple
from collections.abc import AsyncIterator, Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from claimx.completion import Check, Completion, Completions, CompletionState, Contract, Outcome, Reading, RuntimeStatus
from claimx.completion.outcome import outcome_of_result
from claimx.errors import CompletionError
from claimx.ledger import mask

sys.path.insert(0, str(Path(__file__).parent))
double = importlib.import_module("support_system")
sys.path.pop(0)

TARGET = {"ticket_id": "T-1842"}
CARD = "4111 1111 1111 1111"


def desk(options: dict[str, Any] | None = None, **contract: Any) -> tuple[Any, Any, Completions]:
    clock = double.Clock()
    support = double.Support(clock)
    return clock, support, Completions([double.closing(support, **contract)], clock=clock, sleep=clock.sleep, **(options or {}))  # fmt: skip


def begin(completions: Completions, **given: Any) -> Any:
    return completions.begin("support.close_ticket", **{"target": TARGET, "request": "m17", **given})


@dataclasses.dataclass
class Answer:
    success: bool


Pair = namedtuple("Pair", "ok id")


def stream() -> Iterator[int]:
    yield 1


async def astream() -> AsyncIterator[int]:
    yield 1


RETURNED = [
    (Answer(False), Outcome.PERMANENT_FAILURE, "success is false"),
    (Answer(True), Outcome.ACCEPTED, ""),
    (Pair(False, 1), Outcome.PERMANENT_FAILURE, "ok is false"),
    ([Answer(True)], Outcome.ACCEPTED, ""),
    (object(), Outcome.UNKNOWN, "an object of type object, which says nothing that can be read"),
    (b"ok", Outcome.UNKNOWN, "an object of type bytes"),
    (17, Outcome.ACCEPTED, ""),
    (2**70, Outcome.ACCEPTED, ""),
    (stream(), Outcome.PERMANENT_FAILURE, "nothing has run"),
    (astream(), Outcome.PERMANENT_FAILURE, "nothing has run"),
]


@pytest.mark.parametrize(("result", "kind", "said"), RETURNED, ids=lambda v: str(v)[:30])
def test_a_result_is_read_whatever_its_type(result: Any, kind: Outcome, said: str) -> None:
    outcome = outcome_of_result(result)
    assert outcome.kind is kind
    assert said in outcome.detail


def test_a_stream_is_not_handed_on_for_somebody_to_run_it() -> None:
    asked = begin(desk(verify=None)[2]).attempt(lambda ticket_id: stream(), TARGET)
    assert asked.result is None
    assert asked.document.state is CompletionState.FAILED


@pytest.mark.parametrize(
    ("target", "said"),
    [
        (None, "a target is an object"),
        ("T-1", "a target is an object"),
        ({"ticket": object()}, "target.ticket is of type object"),
        ({"ids": {1, 2}}, "target.ids is of type set"),
        ({"a": {"b": [b"x"]}}, r"target.a.b\[0\] is of type bytes"),
        ({("a",): 1}, "a name in target is"),
    ],
)
def test_a_target_that_could_not_tell_one_action_from_another_is_refused(target: Any, said: str) -> None:
    with pytest.raises(CompletionError, match=said):
        begin(desk()[2], target=target)


def test_a_target_that_contains_itself_is_refused() -> None:
    target: dict[str, Any] = {}
    target["again"] = target
    with pytest.raises(CompletionError, match="nested deeper than"):
        begin(desk()[2], target=target)


def test_decimals_dates_ids_and_tuples_tell_actions_apart_as_their_texts_do() -> None:
    _clock, _support, completions = desk()
    given = {"amount": Decimal("8.40"), "on": date(2026, 8, 10), "id": UUID(int=7), "lines": (1, 2)}
    written = {"amount": "8.40", "on": "2026-08-10", "id": str(UUID(int=7)), "lines": [1, 2]}
    assert begin(completions, target=given).action_id == begin(completions, target=written).action_id
    assert begin(completions, target={**given, "amount": Decimal("8.41")}).action_id != begin(completions, target=given).action_id  # fmt: skip


@pytest.mark.parametrize(
    ("tool", "args", "said"),
    [
        ("close_ticket", {}, "a tool is something to call, not str"),
        (print, None, "arguments are a mapping"),
        (print, {1: 2}, "arguments are a mapping"),
        (print, ["T-1"], "arguments are a mapping"),
    ],
)
def test_what_cannot_be_called_is_refused_before_an_attempt_begins(tool: Any, args: Any, said: str) -> None:
    work = begin(desk()[2])
    with pytest.raises(CompletionError, match=said):
        work.attempt(tool, args)
    assert work.document().receipts == ()
    assert "not executed" in work.document().reason


def test_an_action_id_names_one_action_for_good() -> None:
    _clock, _support, completions = desk()
    work = begin(completions, action_id="act_mine")
    assert begin(completions, action_id="act_mine", request="m18").action_id == work.action_id
    for other in ({"target": {"ticket_id": "T-2"}}, {"tenant_id": "tenant_9"}):
        with pytest.raises(CompletionError, match="an action_id names one action for good"):
            begin(completions, action_id="act_mine", **other)
    for wrong in ("", 7):
        with pytest.raises(CompletionError, match="action_id is"):
            begin(completions, action_id=wrong)


def test_contracts_that_make_no_sense_are_refused() -> None:
    with pytest.raises(CompletionError, match="two contracts for 'close'"):
        Completions([Contract("close"), Contract("open"), Contract("close")])
    with pytest.raises(ValueError, match="verify of 'close' is True"):
        Contract("close", verify=True)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="steps are 'note'"):
        begin(desk()[2], steps="note")


def test_waits_that_cannot_be_used_are_told_before_anything_is_written() -> None:
    for backoff, said in (
        (lambda state: "soon", "gives no seconds"),
        (5, "gives no seconds"),
        (lambda state: -1, "expected 0 or more"),
    ):
        with pytest.raises(CompletionError, match=said):
            Completions([Contract("close", backoff=backoff)])


def test_a_missing_extra_is_told_before_anything_is_written() -> None:
    code = (
        "import sys; sys.modules['tenacity'] = None\n"
        "import claimx\nfrom claimx.completion import Completions, Contract\n"
        "try: Completions([Contract('close')])\nexcept claimx.ClaimxError as e: print(e)"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "pip install 'claimx[completion]'" in out.stdout


@pytest.mark.parametrize("data", [{}, {"intent": 1}, [], None])
def test_what_is_no_document_is_told(data: Any) -> None:
    with pytest.raises(CompletionError, match="no document of an action"):
        Completion.from_dict(data)


@pytest.mark.parametrize("odd", [object(), {1, 2}, [[]], {"a": {3: 4}, 5: 6}])
def test_arguments_of_any_kind_leave_a_receipt(odd: Any) -> None:
    if odd == [[]]:
        odd[0] = odd  # contains itself
    document = begin(desk(verify=None)[2]).attempt(lambda thing: {"ok": True}, {"thing": odd}).document
    assert document.receipts[0].arguments.startswith("sha256:")


class ReadTimeout(Exception):
    """Named as HTTP clients name theirs, and of no common base."""


def test_a_timeout_of_an_http_client_is_one() -> None:
    def tool(ticket_id: str) -> None:
        raise ReadTimeout("read timed out")

    document = begin(desk(verify=None)[2]).attempt(tool, TARGET).document
    assert document.receipts[0].runtime_status is RuntimeStatus.TIMEOUT


def test_secrets_in_errors_reasons_and_evidence_are_not_kept() -> None:
    def verify(subject: Any) -> Check:
        return Check.not_yet(
            "card 4111 1111 1111 1111 is pending", Reading(evidence={"card": CARD, "state": "pending"})
        )

    def pay(card: str) -> None:
        raise ValueError(f"the gateway refused {card.replace(' ', '')}")

    _clock, _support, completions = desk({"redact": mask("card")}, verify=verify)
    document = begin(completions).attempt(pay, {"card": CARD}).document
    assert document.receipts[0].outcome.detail == "ValueError: the gateway refused [redacted]"
    assert document.checks[0].reason == "card [redacted] is pending"
    assert document.checks[0].evidence == {"card": "[redacted]", "state": "pending"}
    assert "11111111" not in str(document.to_dict()).replace(" ", "")


def test_a_redaction_that_fails_leaves_a_receipt_without_what_it_was_given(caplog: pytest.LogCaptureFixture) -> None:
    def redact(value: Any, tool: str, part: str) -> Any:
        raise ValueError(f"bug at {value}")

    def pay(card: str) -> None:
        raise ValueError(card)

    _clock, _support, completions = desk({"redact": redact})
    document = begin(completions).attempt(pay, {"card": CARD}, wait=False).document
    assert document.receipts[0].outcome.detail == "left out: its redaction failed"
    assert "11111111" not in (str(document.to_dict()) + caplog.text).replace(" ", "")


def test_an_error_of_any_length_leaves_a_receipt_of_bounded_size() -> None:
    def tool(ticket_id: str) -> None:
        raise ValueError("x" * 1_000_000)

    document = (
        begin(desk(verify=lambda s: Check.not_yet("y" * 1_000_000))[2]).attempt(tool, TARGET, wait=False).document
    )
    assert len(str(document.to_dict())) < 40_000


def test_a_clock_that_is_set_back_holds_nothing_up_and_repeats_no_write() -> None:
    clock, support, completions = desk()
    support.fault = "slow"
    work = begin(completions)
    work.attempt(support.close_ticket, TARGET, wait=False)
    work.reconcile(wait=False)
    clock.now -= 86_400
    document = work.reconcile(wait=False)
    assert len(document.checks) == 2
    assert document.state is CompletionState.UNVERIFIED
    assert len(support.writes) == 1

    clock, _support, completions = desk(attempts=3)
    tries: list[float] = []

    def throttled(ticket_id: str) -> Any:
        tries.append(clock.now)
        clock.now -= 86_400 if len(tries) == 1 else 0
        return {"error": "429 too many requests"}

    begin(completions).attempt(throttled, TARGET)
    assert len(tries) == 3
    assert sum(clock.slept) < 60
