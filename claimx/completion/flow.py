"""Work as a flow of effects (call a tool, read the authority, wait), run with or without asynchrony by one code path."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Do:
    """Run something and send its value back; it may be awaitable where the flow runs asynchronously."""

    run: Callable[[], Any]


@dataclass(frozen=True, slots=True)
class Sleep:
    """Wait some seconds."""

    seconds: float


Flow = Generator[Do | Sleep, Any, T]


def drive(flow: Flow[T], sleep: Callable[[float], object]) -> T:
    """Run a flow to its end. What is asynchronous in it fails with a TypeError that says so."""
    send: Callable[[], Do | Sleep] = lambda: next(flow)  # noqa: E731
    while True:
        try:
            effect = send()
        except StopIteration as end:
            value: T = end.value
            return value
        send = _outcome(flow, effect, sleep)


def _outcome(flow: Flow[Any], effect: Do | Sleep, sleep: Callable[[float], object]) -> Callable[[], Do | Sleep]:
    try:
        if isinstance(effect, Sleep):
            result: Any = sleep(effect.seconds)
        else:
            result = effect.run()
            if inspect.isawaitable(result):
                if inspect.iscoroutine(result):
                    result.close()
                raise TypeError("it is asynchronous: use the method whose name begins with a")
    except BaseException as e:
        # Thrown into the flow, which keeps what happened and raises again what is not its own.
        error = e
        return lambda: flow.throw(error)
    return lambda: flow.send(result)


async def adrive(flow: Flow[T], sleep: Callable[[float], Any]) -> T:
    """Asynchronous twin of `drive`."""
    send: Callable[[], Do | Sleep] = lambda: next(flow)  # noqa: E731
    while True:
        try:
            effect = send()
        except StopIteration as end:
            value: T = end.value
            return value
        send = await _aoutcome(flow, effect, sleep)


async def _aoutcome(flow: Flow[Any], effect: Do | Sleep, sleep: Callable[[float], Any]) -> Callable[[], Do | Sleep]:
    try:
        result = sleep(effect.seconds) if isinstance(effect, Sleep) else effect.run()
        if inspect.isawaitable(result):
            result = await result
    except (Exception, asyncio.CancelledError, KeyboardInterrupt) as e:
        error = e
        return lambda: flow.throw(error)
    return lambda: flow.send(result)
