"""Calls made in other threads and processes keep their parent and conversation."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

from claimx.ledger import CarryingPool, Ledger, carry, current_call


def parents(ledger: Ledger, conversation: str | None = None) -> list[str | None]:
    return [e.parent_id for e in ledger.entries(conversation) if e.tool == "look"]


def look_in(ledger: Ledger):  # type: ignore[no-untyped-def]
    @ledger.tool
    def look(n: int) -> int:
        return n

    return look


def test_tasks_and_to_thread_carry_their_call_by_themselves(ledger: Ledger) -> None:
    look = look_in(ledger)

    @ledger.tool
    async def agent() -> list[int]:
        return await asyncio.gather(*(asyncio.to_thread(look, n) for n in range(3)))

    assert asyncio.run(agent()) == [0, 1, 2]
    assert parents(ledger) == ["conv_1_agent_1"] * 3


def test_a_pool_carries_the_call_that_each_task_was_given_in(ledger: Ledger) -> None:
    look = look_in(ledger)

    @ledger.tool
    def agent(name: int) -> list[int]:
        return [*pool.map(look, range(name * 10, name * 10 + 4)), pool.submit(look, n=name * 10 + 4).result()]

    with CarryingPool(3) as pool, CarryingPool(2) as agents:
        assert list(agents.map(agent, range(2))) == [[0, 1, 2, 3, 4], [10, 11, 12, 13, 14]]
    of = {e.args["name"]: e.id for e in ledger.entries() if e.tool == "agent"}
    looks = [e for e in ledger.entries() if e.tool == "look"]
    assert len(looks) == 10
    assert all(e.parent_id == of[e.args["n"] // 10] for e in looks)


def test_a_pool_as_the_default_of_a_loop_serves_run_in_executor(ledger: Ledger) -> None:
    look = look_in(ledger)

    @ledger.tool
    async def agent() -> int:
        return await asyncio.get_running_loop().run_in_executor(None, look, 1)

    async def main() -> None:
        asyncio.get_running_loop().set_default_executor(CarryingPool(1))
        await agent()

    asyncio.run(main())
    assert parents(ledger) == ["conv_1_agent_1"]


def test_a_function_carries_its_call_into_any_thread_and_into_several_at_once(ledger: Ledger) -> None:
    look = look_in(ledger)
    barrier = threading.Barrier(3)

    def together(n: int) -> int:
        barrier.wait(10)
        return look(n)

    @ledger.tool
    def agent() -> None:
        with ThreadPoolExecutor(3) as pool:
            assert sorted(pool.map(carry(together), range(3))) == [0, 1, 2]
        thread = threading.Thread(target=carry(look), args=(3,))
        thread.start()
        thread.join()
        with ThreadPoolExecutor(1) as pool:  # what is not carried has no parent: none is made up
            pool.submit(look, 4).result()

    with ledger.in_conversation("sub_1"):
        agent()
    assert parents(ledger, "sub_1") == ["sub_1_agent_1"] * 4
    assert parents(ledger) == [None]
    assert carry(look).__name__ == "look"


def test_what_happens_in_a_carried_function_does_not_come_back(ledger: Ledger) -> None:
    look = look_in(ledger)

    def work() -> str | None:
        with ledger.call("inner", {}):
            look(1)
            return current_call()

    with ledger.call("outer", {}) as outer:
        bound = carry(work)
        assert current_call() == outer.id
    assert current_call() is None
    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(bound).result() == "conv_1_inner_2"
    assert current_call() is None
    assert [(e.tool, e.parent_id) for e in ledger.entries()] == [
        ("outer", None), ("inner", "conv_1_outer_1"), ("look", "conv_1_inner_2"),
    ]  # fmt: skip


def test_a_call_is_taken_up_elsewhere_by_its_id(ledger: Ledger) -> None:
    look = look_in(ledger)
    with ledger.under("conv_9_agent_1", "conv_9"):
        look(1)
    with ledger.under("conv_1_agent_7"):
        look(2)
    with ledger.under(None):
        look(3)
    assert parents(ledger, "conv_9") == ["conv_9_agent_1"]
    assert parents(ledger) == ["conv_1_agent_7", None]
