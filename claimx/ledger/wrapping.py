"""Wrapping a tool so that it stays what it was: same signature, same kind of function, same results and errors."""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Mapping
from typing import Any

from claimx.errors import LedgerError
from claimx.ledger.canonical import plain
from claimx.ledger.recording import Recording

#: Of a tool that streams so many items are kept; their number is kept always.
MAX_ITEMS = 1000

Open = Callable[[Mapping[str, Any]], Recording]


def wrap(
    fn: Callable[..., Any], open_call: Open, omit: frozenset[str], timeout: float | None = None
) -> Callable[..., Any]:
    """Return the tool with each call recorded by what `open_call` makes of its arguments."""
    if not callable(fn):
        what = f"a {type(fn).__name__}" + (": decorate the function inside of it" if hasattr(fn, "__func__") else "")
        raise LedgerError(f"a tool is something to call, not {what}")
    is_function = inspect.isroutine(fn) or inspect.isclass(fn) or isinstance(fn, functools.partial)
    inner = fn if is_function else getattr(fn, "__call__", fn)  # noqa: B004
    bind = _binder(fn, omit)
    is_async = inspect.iscoroutinefunction(inner)
    if timeout is not None and not is_async:
        raise LedgerError("a timeout can only end an async tool: give a plain one its own")
    if is_async:
        return _async(fn, open_call, bind, timeout)
    if inspect.isasyncgenfunction(inner):
        return _async_generator(fn, open_call, bind)
    if inspect.isgeneratorfunction(inner):
        return _generator(fn, open_call, bind)
    return _plain_function(fn, open_call, bind)


def _plain_function(fn: Callable[..., Any], open_call: Open, bind: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(fn)
    def tool(*args: Any, **kwargs: Any) -> Any:
        call = open_call(bind(args, kwargs))
        call.start()
        try:
            with call.inside():
                result = fn(*args, **kwargs)
        except BaseException as e:
            call.failed(e)
            raise
        if inspect.isawaitable(result):
            return _awaited(result, call)
        call.returned(result)
        return result

    return tool


async def _awaited(result: Awaitable[Any], call: Recording) -> Any:
    """Finish the call of a plain function that handed back an awaitable."""
    try:
        with call.inside():
            value = await result
    except BaseException as e:
        await call.aend(e)
        raise
    await call.aend(None, value)
    return value


def _async(
    fn: Callable[..., Any], open_call: Open, bind: Callable[..., Any], timeout: float | None
) -> Callable[..., Any]:
    @functools.wraps(fn)
    async def tool(*args: Any, **kwargs: Any) -> Any:
        call = open_call(bind(args, kwargs))
        await call.astart()
        try:
            with call.inside():
                async with asyncio.timeout(timeout) if timeout is not None else _Nothing():
                    result = await fn(*args, **kwargs)
        except BaseException as e:
            await call.aend(e)
            raise
        await call.aend(None, result)
        return result

    return tool


def _generator(fn: Callable[..., Any], open_call: Open, bind: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(fn)
    def tool(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
        call, items = open_call(bind(args, kwargs)), _Items()
        call.start()
        stream = sent = thrown = None
        try:
            stream = fn(*args, **kwargs)
            while True:
                # Set around each step: what the consumer does between two of them is not inside this call.
                with call.inside():
                    try:
                        item = stream.send(sent) if thrown is None else stream.throw(thrown)
                    except StopIteration as e:
                        value = e.value
                        break
                items.add(item)
                sent = thrown = None
                try:
                    sent = yield item
                except GeneratorExit:
                    raise
                except BaseException as e:  # thrown in by the consumer: the tool may have its own answer
                    thrown = e
        except BaseException as e:
            if stream is not None:
                stream.close()
            call.failed(e)
            raise
        call.returned(items.kept)
        return value

    return tool


def _async_generator(fn: Callable[..., Any], open_call: Open, bind: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(fn)
    async def tool(*args: Any, **kwargs: Any) -> AsyncGenerator[Any, Any]:
        call, items = open_call(bind(args, kwargs)), _Items()
        await call.astart()
        stream = sent = thrown = None
        try:
            stream = fn(*args, **kwargs)
            while True:
                with call.inside():
                    try:
                        item = await (stream.asend(sent) if thrown is None else stream.athrow(thrown))
                    except StopAsyncIteration:
                        break
                items.add(item)
                sent = thrown = None
                try:
                    sent = yield item
                except GeneratorExit:
                    raise
                except BaseException as e:
                    thrown = e
        except BaseException as e:
            if stream is not None:
                await stream.aclose()
            await call.aend(e)
            raise
        await call.aend(None, items.kept)

    return tool


class _Items:
    """What a streaming tool gave so far."""

    def __init__(self) -> None:
        self._first: list[Any] = []
        self._count = 0

    def add(self, item: Any) -> None:
        self._count += 1
        if self._count <= MAX_ITEMS:
            self._first.append(plain(item))

    @property
    def kept(self) -> Any:
        more = self._count - len(self._first)
        return self._first if not more else {"items": self._first, "total": self._count}


class _Nothing:
    async def __aenter__(self) -> None: ...

    async def __aexit__(self, *_: object) -> None: ...


def _binder(fn: Callable[..., Any], omit: frozenset[str]) -> Callable[..., dict[str, Any]]:
    """Return what names the arguments of a call as the tool's own parameters do."""
    try:
        signature = inspect.signature(fn)
    except (TypeError, ValueError):
        signature = inspect.Signature(
            [
                inspect.Parameter("args", inspect.Parameter.VAR_POSITIONAL),
                inspect.Parameter("kwargs", inspect.Parameter.VAR_KEYWORD),
            ]
        )
    first = next(iter(signature.parameters), "")
    hidden = omit | ({first} if first in ("self", "cls") else frozenset())
    rest = next((n for n, p in signature.parameters.items() if p.kind is inspect.Parameter.VAR_KEYWORD), None)

    def bind(args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
        try:
            named = dict(signature.bind(*args, **kwargs).arguments)
        except TypeError:  # the call will fail; what was tried is kept
            named = {"args": list(args)} | kwargs if args else dict(kwargs)
        if rest in named:
            named |= named.pop(rest)
        return {k: v for k, v in named.items() if k not in hidden}

    return bind
