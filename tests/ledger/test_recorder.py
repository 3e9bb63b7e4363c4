"""Wrapped tools stay what they were, and each of their calls is recorded on every path."""

from __future__ import annotations

import asyncio
import functools
import inspect
import subprocess
import sys
import threading
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from claimx.errors import LedgerError
from claimx.ledger import Keyring, Ledger, MemoryStore, Row, mask, verify
from claimx.ledger.recording import status_of
from claimx.types import CallStatus, LedgerEntry


def one(ledger: Ledger) -> LedgerEntry:
    (entry,) = ledger.entries()
    return entry


def test_a_call_is_recorded_with_inputs_output_status_times_and_a_receipt_id(
    make_ledger: Callable[..., Ledger],
) -> None:
    ticks = iter([10.0, 10.0, 10.312])
    moment = datetime(2026, 8, 10, 9, 14, 22, 5, tzinfo=UTC)
    ledger = make_ledger(
        conversation="conv_8841", clock=lambda: moment, timer=lambda: next(ticks), labels={"tenant": "t42"}
    )

    @ledger.tool
    def chargeCard(customerId: str, amount: int, currency: str = "usd", **more: str) -> dict[str, str]:
        "Charge a card."
        return {"transactionId": "TXN-84921"}

    assert chargeCard("cust_1892", amount=4900, reason="duplicate") == {"transactionId": "TXN-84921"}
    assert one(ledger) == LedgerEntry(
        id="conv_8841_chargeCard_1",
        tool="chargeCard",
        args={"customerId": "cust_1892", "amount": 4900, "reason": "duplicate"},
        result={"transactionId": "TXN-84921"},
        status=CallStatus.SUCCESS,
        started_at="2026-08-10T09:14:22.000005Z",
        ended_at="2026-08-10T09:14:22.000005Z",
        extra={"duration_ms": 312.0, "labels": {"tenant": "t42"}},
    )


def test_a_wrapped_tool_keeps_name_signature_docs_and_kind(ledger: Ledger) -> None:
    def plain(a: int, b: str = "x") -> int:
        "Do it."
        return a

    async def awaited(a: int) -> int:
        return a

    def streamed() -> Iterator[int]:
        yield 1

    async def astreamed() -> AsyncIterator[int]:
        yield 1

    kinds = [inspect.iscoroutinefunction, inspect.isgeneratorfunction, inspect.isasyncgenfunction]
    for fn in (plain, awaited, streamed, astreamed):
        wrapped = ledger.tool(fn)
        assert (wrapped.__name__, wrapped.__doc__) == (fn.__name__, fn.__doc__)
        assert inspect.signature(wrapped) == inspect.signature(fn)
        assert [is_kind(wrapped) for is_kind in kinds] == [is_kind(fn) for is_kind in kinds]


def test_what_a_tool_raises_is_recorded_and_raised_on_unchanged(ledger: Ledger) -> None:
    error = ConnectionError("SMTP said no")

    @ledger.tool
    def send_email(to: str) -> None:
        raise error

    with pytest.raises(ConnectionError) as caught:
        send_email("ann@example.com")
    assert caught.value is error
    entry = one(ledger)
    assert (entry.status, entry.error, entry.result) == ("error", "ConnectionError: SMTP said no", None)


class ReadTimeout(Exception):
    """Named as HTTP clients name theirs, and of no common base."""


class Narrower(ReadTimeout):
    pass


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (TimeoutError(), "timeout"),
        (TimeoutError("socket"), "timeout"),
        (subprocess.TimeoutExpired("x", 1), "timeout"),
        (Narrower(), "timeout"),
        (ValueError("timeout"), "error"),
        (SystemExit(1), "error"),
        (asyncio.CancelledError(), "unknown"),
        (KeyboardInterrupt(), "unknown"),
        (GeneratorExit(), "unknown"),
    ],
)
def test_the_status_of_a_call_that_raised(error: BaseException, status: str) -> None:
    assert status_of(error) == status


def test_inputs_are_those_before_the_tool_changed_them_and_outputs_those_before_the_caller_did(ledger: Ledger) -> None:
    @ledger.tool
    def take(items: list[int]) -> list[int]:
        items.clear()
        return items

    take([1, 2]).append(99)
    entry = one(ledger)
    assert (entry.args, entry.result) == ({"items": [1, 2]}, [])


def test_a_call_with_wrong_arguments_is_recorded_with_what_was_tried(ledger: Ledger) -> None:
    @ledger.tool
    def refund(order: str) -> None: ...

    @ledger.tool
    def stream(order: str) -> Iterator[int]:
        yield 1

    @ledger.tool
    async def astream(order: str) -> AsyncIterator[int]:
        yield 1

    with pytest.raises(TypeError):
        refund("A", amount=5)  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        next(stream("A", amount=5))  # type: ignore[call-arg]
    with pytest.raises(TypeError):
        asyncio.run(anext(astream("A", amount=5)))  # type: ignore[call-arg, arg-type]
    assert len(ledger.entries()) == 3
    for entry in ledger.entries():
        assert entry.args == {"args": ["A"], "amount": 5}
        assert entry.status == "error"
        assert entry.error is not None
        assert entry.error.startswith("TypeError")


def test_methods_partials_builtins_and_callable_objects_are_tools_too(ledger: Ledger) -> None:
    class Desk:
        @ledger.tool
        def close(self, ticket: str) -> str:
            return f"{ticket} closed"

    class Search:
        def __call__(self, query: str) -> int:
            return 3

    class AsyncSearch:
        async def __call__(self, query: str) -> int:
            return 4

    async def post(where: str, what: str) -> str:
        return where + what

    assert Desk().close("T-1") == "T-1 closed"
    assert ledger.tool(Search(), name="search")("shoes") == 3
    assert asyncio.run(ledger.tool(AsyncSearch())("boots")) == 4
    assert asyncio.run(ledger.tool(functools.partial(post, "x"))(what="y")) == "xy"
    assert ledger.tool(len)([1, 2]) == 2
    assert ledger.tool(lambda: asyncio.sleep(0, "late"), name="lazy") is not None
    assert [(e.tool, e.args) for e in ledger.entries()] == [
        ("close", {"ticket": "T-1"}),
        ("search", {"query": "shoes"}),
        ("AsyncSearch", {"query": "boots"}),
        ("post", {"what": "y"}),
        ("len", {"obj": [1, 2]}),
    ]


def test_a_plain_function_that_returns_an_awaitable_is_recorded_when_that_is_done(ledger: Ledger) -> None:
    tool = ledger.tool(lambda: asyncio.sleep(0.01, "late"), name="lazy")

    async def main() -> str:
        waiting = tool()
        assert one(ledger).status == "unknown"
        return await waiting

    assert asyncio.run(main()) == "late"
    assert (one(ledger).status, one(ledger).result) == ("success", "late")


def test_a_stream_is_recorded_with_its_items_when_it_ends(ledger: Ledger) -> None:
    @ledger.tool
    def rows(n: int) -> Iterator[int]:
        yield from range(n)
        return "done"

    @ledger.tool
    async def arows(n: int) -> AsyncIterator[int]:
        for i in range(n):
            yield i

    async def collect() -> list[int]:
        return [i async for i in arows(3)]

    def result_of(stream: Any) -> Any:
        while True:
            try:
                next(stream)
            except StopIteration as e:
                return e.value

    assert list(rows(2)) == [0, 1]
    assert asyncio.run(collect()) == [0, 1, 2]
    assert result_of(rows(1)) == "done"
    assert [e.result for e in ledger.entries()] == [[0, 1], [0, 1, 2], [0]]
    list(rows(1500))
    assert ledger.entries()[-1].result == {"items": list(range(1000)), "total": 1500}


def test_what_is_sent_into_a_stream_arrives(ledger: Ledger) -> None:
    @ledger.tool
    def echo() -> Generator[Any, Any, None]:
        said = yield "first"
        yield said

    stream = echo()
    assert next(stream) == "first"
    assert stream.send("second") == "second"


def test_a_stream_that_is_left_early_has_an_unknown_outcome_and_is_closed(ledger: Ledger) -> None:
    closed = []

    @ledger.tool
    def rows() -> Iterator[int]:
        try:
            yield 1
            yield 2
        finally:
            closed.append("plain")

    @ledger.tool
    async def arows() -> AsyncIterator[int]:
        try:
            yield 1
            yield 2
        finally:
            closed.append("async")

    async def leave() -> None:
        stream = arows()
        await anext(stream)
        await stream.aclose()  # type: ignore[attr-defined]

    stream = rows()
    next(stream)
    stream.close()  # type: ignore[attr-defined]
    asyncio.run(leave())
    assert [e.status for e in ledger.entries()] == ["unknown", "unknown"]
    assert closed == ["plain", "async"]


def test_between_two_items_of_a_stream_the_caller_is_not_inside_it(ledger: Ledger) -> None:
    @ledger.tool
    def rows() -> Iterator[int]:
        yield look("in")
        yield 2

    @ledger.tool
    def look(where: str) -> int:
        return 1

    for _ in rows():
        look("out")
    parents = {e.args["where"]: e.parent_id for e in ledger.entries() if e.tool == "look"}
    assert parents == {"in": "conv_1_rows_1", "out": None}


def test_the_context_manager_records_what_its_block_does(ledger: Ledger) -> None:
    with ledger.call("send_email", {"to": "bob"}, call_id="toolu_7", labels={"action_id": "act_1"}) as call:
        assert call.id == "conv_1_send_email_1"
        call.result = {"queued": True}
    with pytest.raises(ZeroDivisionError), ledger.call("divide", {"by": 0}):
        _ = 1 / 0
    with ledger.call("push", {}) as call:
        call.status = CallStatus.TIMEOUT
    first, second, third = ledger.entries()
    assert (first.result, first.extra["call_id"]) == ({"queued": True}, "toolu_7")
    assert first.extra["labels"] == {"action_id": "act_1"}
    assert (second.status, second.error) == ("error", "ZeroDivisionError: division by zero")
    assert third.status == "timeout"


def test_the_async_context_manager_does_so_too(ledger: Ledger) -> None:
    async def main() -> None:
        async with ledger.call("a", {}) as call:
            call.result = 1
            async with ledger.call("b", {}):
                pass
        with pytest.raises(TimeoutError):
            async with ledger.call("c", {}):
                raise TimeoutError

    asyncio.run(main())
    assert [(e.tool, e.status, e.parent_id) for e in ledger.entries()] == [
        ("a", "success", None), ("b", "success", "conv_1_a_1"), ("c", "timeout", None),
    ]  # fmt: skip


def test_the_row_is_written_before_the_caller_has_the_result(ledger: Ledger) -> None:
    def states() -> list[str]:
        return [str(e.status) for e in ledger.entries()]

    seen = []

    @ledger.tool
    def tool() -> str:
        seen.append(states())
        return "x"

    @ledger.tool
    async def atool() -> str:
        seen.append(states())
        return "x"

    tool()
    assert states() == ["success"]

    async def main() -> None:
        await atool()
        assert states() == ["success", "success"]

    asyncio.run(main())
    assert seen == [["unknown"], ["success", "unknown"]]


def test_the_providers_id_goes_to_the_next_call_and_to_none_inside_it(ledger: Ledger) -> None:
    @ledger.tool
    def outer() -> None:
        inner()

    @ledger.tool
    def inner() -> None: ...

    with ledger.provider_call("toolu_1"):
        outer()
        inner()
    assert [e.extra.get("call_id") for e in ledger.entries()] == ["toolu_1", None, None]


def test_concurrent_calls_keep_the_order_in_which_they_started_and_each_its_own_parent(ledger: Ledger) -> None:
    @ledger.tool
    async def agent(name: int) -> list[int]:
        return [await step(name * 10 + i) for i in range(2)]

    @ledger.tool
    async def step(n: int) -> int:
        await asyncio.sleep(0.005 * (3 - n // 10))  # the first to start is the last to end
        return n

    async def main() -> list[list[int]]:
        with_ids = []
        for i in range(3):
            with ledger.provider_call(f"toolu_{i}"):
                with_ids.append(asyncio.create_task(agent(i)))
        return await asyncio.gather(*with_ids)

    assert asyncio.run(main()) == [[0, 1], [10, 11], [20, 21]]
    entries = ledger.entries()
    agents = [e for e in entries if e.tool == "agent"]
    assert [e.args["name"] for e in agents] == [0, 1, 2]
    assert [e.extra["call_id"] for e in agents] == ["toolu_0", "toolu_1", "toolu_2"]
    for e in entries:
        if e.tool == "step":
            assert e.parent_id == agents[e.args["n"] // 10].id
    assert entries[0].id == "conv_1_agent_1"
    assert len({e.id for e in entries}) == 9


def test_a_sub_agent_in_its_own_conversation_names_the_call_that_it_runs_in(ledger: Ledger) -> None:
    @ledger.tool
    def delegate() -> None:
        with ledger.in_conversation("sub_1"):
            look()

    @ledger.tool
    def look() -> None: ...

    delegate()
    look()
    assert [(e.id, e.parent_id) for e in ledger.entries("sub_1")] == [("sub_1_look_1", "conv_1_delegate_1")]
    assert [e.id for e in ledger.entries()] == ["conv_1_delegate_1", "conv_1_look_2"]


def test_threads_record_into_one_chain(ledger: Ledger, ring: Keyring) -> None:
    @ledger.tool
    def work(n: int) -> int:
        return n

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(work, range(100))) == list(range(100))
    assert sorted(e.result for e in ledger.entries()) == list(range(100))
    assert verify(ledger.rows(), ring).ok


class Gate(MemoryStore):
    """A store whose next row waits until it is let through."""

    def __init__(self) -> None:
        super().__init__()
        self.open = threading.Event()
        self.open.set()
        self.waiting = threading.Event()

    def append(self, conversation: str, seal: Callable[[Row | None], Row]) -> Row:
        self.waiting.set()
        self.open.wait()
        return super().append(conversation, seal)


async def _until(event: threading.Event) -> None:
    while not event.is_set():
        await asyncio.sleep(0.001)


def test_a_cancelled_tool_is_recorded_with_an_unknown_outcome_and_stays_cancelled(ledger: Ledger) -> None:
    begun = asyncio.Event()

    @ledger.tool
    async def slow() -> None:
        begun.set()
        await asyncio.sleep(60)

    async def main() -> None:
        task = asyncio.create_task(slow())
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert task.cancelled()

    asyncio.run(main())
    entry = one(ledger)
    assert (entry.status, entry.error) == ("unknown", "CancelledError: ")


def test_a_call_cancelled_while_its_first_row_is_written_never_runs_and_is_recorded_so(
    make_ledger: Callable[..., Ledger],
) -> None:
    store, ran = Gate(), []
    ledger = make_ledger(store=store)

    @ledger.tool
    async def tool() -> None:
        ran.append(1)

    async def main() -> None:
        store.open.clear()
        task = asyncio.create_task(tool())
        await _until(store.waiting)
        task.cancel()
        await asyncio.sleep(0.01)
        assert not task.done()  # it waits for the row that is being written
        store.open.set()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert (one(ledger).status, one(ledger).error, ran) == ("error", "cancelled before the tool ran", [])


def test_a_call_cancelled_while_its_last_row_is_written_keeps_its_outcome(make_ledger: Callable[..., Ledger]) -> None:
    store = Gate()
    ledger = make_ledger(store=store)

    @ledger.tool
    async def tool() -> str:
        store.waiting.clear()
        store.open.clear()
        return "done"

    async def main() -> None:
        task = asyncio.create_task(tool())
        while not (store.waiting.is_set() and not store.open.is_set()):
            await asyncio.sleep(0.001)
        task.cancel()
        task.cancel()
        await asyncio.sleep(0.01)
        store.open.set()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(main())
    assert (one(ledger).status, one(ledger).result) == ("success", "done")


def test_a_timeout_of_the_executor_around_the_tool_and_one_of_the_ledger(ledger: Ledger) -> None:
    async def slow() -> None:
        await asyncio.sleep(60)

    async def main() -> None:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(ledger.tool(slow, name="outside")(), 0.3)
        with pytest.raises(TimeoutError):
            await ledger.tool(slow, name="inside", timeout=0.01)()

    asyncio.run(main())
    assert [(e.tool, e.status) for e in ledger.entries()] == [("outside", "unknown"), ("inside", "timeout")]
    with pytest.raises(LedgerError, match="only end an async tool"):
        ledger.tool(lambda: None, name="x", timeout=1)


def test_an_interrupted_tool_is_recorded(ledger: Ledger) -> None:
    @ledger.tool
    def tool() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        tool()
    assert one(ledger).status == "unknown"


def test_redaction_hashes_and_omitted_parameters_reach_every_part(make_ledger: Callable[..., Ledger]) -> None:
    ledger = make_ledger(redact=mask("card"), hash_args=["email"])

    @ledger.tool(omit=["client"])
    def pay(card: str, email: str, client: object) -> dict[str, str]:
        return {"card": card, "state": "paid"}

    pay("pan-4111", "ann@example.com", object())
    entry = one(ledger)
    assert entry.args == {"card": "[redacted]", "email": entry.args["email"]}
    assert entry.args["email"].startswith("sha256:")
    assert entry.result == {"card": "[redacted]", "state": "paid"}
    assert "pan-4111" not in repr(ledger.rows())
    assert "ann@" not in repr(ledger.rows())


def test_without_results_neither_arguments_nor_results_are_kept(make_ledger: Callable[..., Ledger]) -> None:
    ledger = make_ledger(capture_results=False)
    ledger.tool(lambda secret: {"also": secret}, name="t")("s3cret")
    entry = one(ledger)
    assert (entry.captured, entry.args, entry.result, entry.status) == (False, None, None, "success")
    assert "s3cret" not in repr(ledger.rows())
    assert set(entry.extra) == {"args_digest", "result_digest", "duration_ms"}


def test_what_a_failing_redaction_was_given_is_not_stored_and_the_tool_goes_on(
    make_ledger: Callable[..., Ledger], errors: list[Exception]
) -> None:
    def redact(value: object, tool: str, part: str) -> object:
        raise ValueError("bug")

    ledger = make_ledger(redact=redact)
    assert ledger.tool(lambda secret: secret, name="t")("s3cret") == "s3cret"
    with pytest.raises(KeyError):
        ledger.tool(lambda: {}["s3cret"], name="u")()
    ledger.message("user", "s3cret")
    assert "s3cret" not in repr(ledger.rows())
    assert [e.status for e in ledger.entries()] == ["success", "error"]
    assert [e.captured for e in ledger.entries()] == [False, False]
    assert all("could not be captured" in str(e) for e in errors)
    assert len(errors) == 5


@pytest.mark.parametrize("name", ["", "a\nb", "x" * 201, "nul\0"])
def test_names_that_a_store_could_not_keep_are_refused(name: str, ledger: Ledger) -> None:
    with pytest.raises(LedgerError, match="printable characters"):
        ledger.call(name)
    with pytest.raises(LedgerError, match="printable characters"), ledger.in_conversation(name):
        pass


def test_a_recording_is_of_one_call(ledger: Ledger) -> None:
    call = ledger.call("t")
    with call:
        pass
    with pytest.raises(LedgerError, match="make another"), call:
        pass
    assert len(ledger.entries()) == 1


def test_the_ledger_loads_no_model_no_database_and_no_client() -> None:
    code = (
        "import sys, claimx.ledger; print([m for m in ('spacy', 'onnxruntime', 'numpy', 'sqlalchemy', 'psycopg', 'redis', "
        "'cryptography', 'rich', 'claimx.extract', 'claimx.values') if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


@pytest.mark.parametrize(("package", "extra"), [("sqlalchemy", "sql"), ("redis", "redis"), ("cryptography", "sign")])
def test_a_missing_extra_says_what_to_install(package: str, extra: str, tmp_path: Path) -> None:
    use = {
        "sql": "claimx.ledger.open_store('l.db')",
        "redis": "claimx.ledger.open_store('redis://x')",
        "sign": "claimx.ledger.make_key('ed25519', 'k')",
    }[extra]
    code = (
        f"import sys; sys.modules[{package!r}] = None; import claimx, claimx.ledger\n"
        f"try: {use}\nexcept claimx.ClaimxError as e: print(e)"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert f"pip install 'claimx[{extra}]'" in out.stdout


def test_a_run_to_check_holds_reply_user_tools_and_calls(ledger: Ledger) -> None:
    @ledger.tool
    def get_order(id: str) -> dict[str, str]:
        """Look an order up.

        More about it.
        """
        return {"id": id}

    ledger.message("user", "Where is SU-88421?")
    get_order("SU-88421")
    run = ledger.run("It is on its way.", tools=["track_parcel"])
    assert (run.id, run.reply, run.user) == ("conv_1", "It is on its way.", "Where is SU-88421?")
    assert [(t.name, t.description) for t in run.tools] == [("get_order", "Look an order up."), ("track_parcel", "")]
    assert [(e.tool, e.turn) for e in run.ledger] == [("get_order", 1)]
    assert len(run.extra["chain"]) == 3


def two_step() -> Generator[str, None, str]:
    try:
        yield "begun"
    except ValueError:
        yield "rolled back"
    return "end"


def test_what_a_consumer_throws_into_a_generator_is_the_tools_to_answer() -> None:
    ledger = Ledger()
    for fn in (two_step, ledger.tool(two_step)):
        stream = fn()
        assert next(stream) == "begun"
        assert stream.throw(ValueError("stop")) == "rolled back"
        with pytest.raises(StopIteration) as ended:
            next(stream)
        assert ended.value.value == "end"
    assert [(e.status, e.result) for e in ledger.entries()] == [("success", ["begun", "rolled back"])]
    stream = ledger.tool(two_step)()
    next(stream)
    with pytest.raises(KeyError):
        stream.throw(KeyError("k"))
    assert ledger.entries()[-1].status == "error"


def test_a_wrapped_generator_makes_a_context_manager_that_handles_errors() -> None:
    ledger = Ledger()

    @contextmanager
    @ledger.tool
    def transaction() -> Iterator[int]:
        with suppress(ValueError):
            yield 1

    with transaction():
        raise ValueError
    assert ledger.entries()[0].status == "success"


def test_what_a_consumer_throws_into_an_async_generator_is_the_tools_to_answer() -> None:
    ledger = Ledger()

    @ledger.tool
    async def steps() -> AsyncGenerator[str, None]:
        try:
            yield "begun"
        except ValueError:
            yield "rolled back"

    async def consume() -> list[str]:
        stream = steps()
        return [await anext(stream), await stream.athrow(ValueError("stop")), *[i async for i in stream]]

    assert asyncio.run(consume()) == ["begun", "rolled back"]
    assert [(e.status, e.result) for e in ledger.entries()] == [("success", ["begun", "rolled back"])]


@pytest.mark.parametrize(
    ("fn", "says"),
    [(42, "not a int"), ("send", "not a str"), (classmethod(lambda cls: 1), "decorate the function inside of it")],
)
def test_what_cannot_be_called_is_no_tool(fn: Any, says: str) -> None:
    with pytest.raises(LedgerError, match=says):
        Ledger().tool(fn)


@pytest.mark.parametrize(
    ("role", "text", "says"),
    [
        ("assistant", None, "text of what was said, not NoneType"),
        ("assistant", [{"type": "text", "text": "Done."}], "not list: join the texts of its parts"),
        ("Assistant", "Done.", "one of user, assistant, system, developer, tool, not 'Assistant'"),
        (None, "Done.", "not None"),
    ],
)
def test_a_message_that_would_be_recorded_as_another_or_never_found_is_refused(role: Any, text: Any, says: str) -> None:
    ledger = Ledger()
    with pytest.raises(LedgerError, match=says):
        ledger.message(role, text)
    assert ledger.rows() == []
