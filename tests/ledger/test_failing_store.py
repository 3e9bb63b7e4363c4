"""A store that fails never breaks a tool and is always told of; with fail_closed nothing goes on unrecorded."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

import pytest

from claimx.errors import LedgerError
from claimx.ledger import Keyring, Ledger, MemoryStore, Row, verify


class Flaky(MemoryStore):
    """Fails at the given appends (counted from 1): before writing, or after it, as when a confirmation is lost."""

    def __init__(self, fails: set[int], *, lost: bool = False, error: type[Exception] = OSError) -> None:
        super().__init__()
        self.fails, self.lost, self.error, self.count = fails, lost, error, 0

    def append(self, conversation: str, seal: Callable[[Row | None], Row]) -> Row:
        self.count += 1
        fails = self.count in self.fails
        if fails and not self.lost:
            raise self.error("store is gone")
        row = super().append(conversation, seal)
        if fails:
            raise self.error("confirmation is lost")
        return row


ALWAYS = set(range(1, 100))


@pytest.mark.parametrize("error", [OSError, LedgerError, ZeroDivisionError])
def test_the_tool_goes_on_and_the_failure_is_told(
    error: type[Exception], make_ledger: Callable[..., Ledger], errors: list[Exception]
) -> None:
    ledger = make_ledger(store=Flaky(ALWAYS, error=error))
    assert ledger.tool(lambda: "result", name="t")() == "result"
    assert asyncio.run(_awaited(ledger)) == "result"
    with ledger.call("c", {}) as call:
        assert call.id is None
    ledger.message("user", "hi")
    assert ledger.checkpoint() is None
    assert len(errors) == 8
    assert all(isinstance(e, LedgerError) and "could not be written" in str(e) for e in errors)
    assert ledger.entries() == []


async def _awaited(ledger: Ledger) -> str:
    async def tool() -> str:
        return "result"

    return await ledger.tool(tool)()


def test_what_a_tool_raises_is_not_hidden_by_the_stores_failure(make_ledger: Callable[..., Ledger]) -> None:
    ledger = make_ledger(store=Flaky(ALWAYS))
    with pytest.raises(KeyError):
        ledger.tool(lambda: {}["x"], name="t")()


def test_a_first_row_that_failed_is_written_with_the_last_one(
    make_ledger: Callable[..., Ledger], ring: Keyring, errors: list[Exception]
) -> None:
    ledger = make_ledger(store=Flaky({1, 2}))
    ledger.tool(lambda: "result", name="t")()
    (entry,) = ledger.entries()
    assert (entry.id, entry.status, entry.result) == ("conv_1_t_1", "success", "result")
    assert verify(ledger.rows(), ring).ok
    assert len(errors) == 1


@pytest.mark.parametrize("lost", [False, True], ids=["before", "after"])
@pytest.mark.parametrize("at", [1, 2])
def test_a_store_that_fails_once_before_or_after_writing_loses_and_doubles_nothing(
    lost: bool, at: int, make_ledger: Callable[..., Ledger], ring: Keyring, errors: list[Exception]
) -> None:
    ledger = make_ledger(store=Flaky({at}, lost=lost))
    ledger.tool(lambda: "result", name="t")()
    (entry,) = ledger.entries()
    assert (entry.status, entry.result) == ("success", "result")
    assert [r.kind for r in ledger.rows()] == ["started", "finished"]
    assert verify(ledger.rows(), ring).ok
    assert errors == []


def test_fail_closed_runs_nothing_unrecorded(make_ledger: Callable[..., Ledger], errors: list[Exception]) -> None:
    ran = []
    ledger = make_ledger(store=Flaky(ALWAYS), fail_closed=True)

    async def atool() -> None:
        ran.append(2)

    with pytest.raises(LedgerError, match="could not be written"):
        ledger.tool(lambda: ran.append(1), name="t")()
    with pytest.raises(LedgerError, match="could not be written"):
        asyncio.run(ledger.tool(atool)())
    with pytest.raises(LedgerError, match="could not be written"), ledger.call("c"):
        ran.append(3)
    with pytest.raises(LedgerError):
        ledger.message("user", "hi")
    assert ran == []
    assert len(errors) == 4


def test_fail_closed_hands_on_no_result_whose_row_is_not_written(make_ledger: Callable[..., Ledger]) -> None:
    async def atool() -> str:
        return "result"

    for run in (
        lambda ledger: ledger.tool(lambda: "result", name="t")(),
        lambda ledger: asyncio.run(ledger.tool(atool, name="t")()),
    ):
        ledger = make_ledger(store=Flaky({2, 3}), fail_closed=True)
        with pytest.raises(LedgerError, match="t ran, but its outcome could not be recorded"):
            run(ledger)
        assert [e.status for e in ledger.entries()] == ["unknown"]


def test_fail_closed_keeps_what_the_tool_raised_as_the_cause(make_ledger: Callable[..., Ledger]) -> None:
    ledger = make_ledger(store=Flaky({2, 3}), fail_closed=True)
    with pytest.raises(LedgerError) as caught:
        ledger.tool(lambda: {}["x"], name="t")()
    assert isinstance(caught.value.__cause__, KeyError)


def test_without_a_handler_failures_are_logged_and_a_failing_handler_breaks_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    with caplog.at_level(logging.ERROR, "claimx.ledger"):
        assert Ledger(Flaky(ALWAYS)).tool(lambda: 1, name="t")() == 1
        assert "could not be written" in caplog.text

        def broken(error: LedgerError) -> None:
            raise RuntimeError("handler is broken")

        assert Ledger(Flaky(ALWAYS), on_error=broken).tool(lambda: 1, name="t")() == 1
        assert "on_error failed" in caplog.text


def test_a_signer_that_fails_is_a_failure_of_the_ledger(
    make_ledger: Callable[..., Ledger], errors: list[Exception]
) -> None:
    ledger = make_ledger(signer=Keyring({}))
    assert ledger.tool(lambda: 1, name="t")() == 1
    assert "no key to sign with" in str(errors[0])


@pytest.mark.parametrize("fail_closed", [False, True])
@pytest.mark.parametrize("earlier", [0, 2], ids=["alone", "behind others"])
def test_a_call_whose_first_row_was_lost_while_it_ran_is_recorded_anew_and_told(
    make_ledger: Callable[..., Ledger], ring: Keyring, errors: list[Exception], earlier: int, fail_closed: bool
) -> None:
    """A Redis list that expired or was flushed, a file that was rotated: the last row alone would be a chain that never verifies."""

    class Emptied(MemoryStore):
        def empty(self) -> None:
            self._rows.clear()

    store = Emptied()
    ledger = make_ledger(store=store, fail_closed=fail_closed)

    def push(branch: str) -> str:
        store.empty()
        if earlier:
            ledger.message("user", "and go on")
        return "pushed"

    for _ in range(earlier):
        ledger.message("user", "hello")
    assert ledger.tool(push)("main") == "pushed"
    ledger.tool(lambda: 1, name="next")()
    assert [(e.tool, e.args, e.result) for e in ledger.entries()] == [
        ("push", {"branch": "main"}, "pushed"),
        ("next", {}, 1),
    ]
    assert verify(ledger.rows(), ring).ok
    assert len(errors) == 1
    assert "no longer in the store" in str(errors[0])
