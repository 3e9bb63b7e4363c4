"""The guard around a dispatcher or a tool: a refused call comes back as a structured error, never as an exception."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

from claimx.errors import GuardError
from claimx.guard.guard import GuardedRun
from claimx.guard.refusal import Decision

#: Keyword arguments under which dispatchers are handed the provider's id of a call.
_CALL_IDS = ("call_id", "tool_call_id", "tool_use_id", "id")


def wrap(
    run: GuardedRun, dispatch: Callable[..., Any], *, asynchronous: bool | None = None, raises: bool = False
) -> Callable[..., Any]:
    """Put a run's guard around a dispatcher, called as `dispatch(name, args, ...)`.

    What the dispatcher takes besides is handed on unchanged, and so is what it returns; its results count as seen. A
    refused call does not reach it: the structured error is returned instead, or raised as GuardError with `raises`.
    Whether it is asynchronous is read off it; `asynchronous` says so where that can't be seen.
    """
    if asynchronous is None:
        asynchronous = _is_async(dispatch)

    if asynchronous:

        @functools.wraps(dispatch, updated=())
        async def guarded_async(name: str, args: Any = None, *rest: Any, **named: Any) -> Any:
            call_id = _call_id(named)
            refused = _answer(run, await run.acheck(name, args, call_id=call_id), raises)
            if refused is not None:
                return refused
            result = await dispatch(name, args, *rest, **named)
            run.saw(result, call_id=call_id, tool=name, args=args)
            return result

        return guarded_async

    @functools.wraps(dispatch, updated=())
    def guarded(name: str, args: Any = None, *rest: Any, **named: Any) -> Any:
        call_id = _call_id(named)
        refused = _answer(run, run.check(name, args, call_id=call_id), raises)
        if refused is not None:
            return refused
        result = dispatch(name, args, *rest, **named)
        run.saw(result, call_id=call_id, tool=name, args=args)
        return result

    return guarded


def wrap_tool(
    run: GuardedRun, tool: Callable[..., Any], *, name: str | None = None, raises: bool = False
) -> Callable[..., Any]:
    """Put a run's guard around one tool that is called with its own arguments, by position or by name."""
    called = name or getattr(tool, "__name__", None)
    if not called:
        raise ValueError(f"{tool!r} has no name: give name=")
    signature = inspect.signature(tool)

    def arguments(args: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
        try:
            bound = signature.bind_partial(*args, **named).arguments
        except TypeError:
            # An argument that the tool does not have: the guard says so.
            return dict(zip(signature.parameters, args, strict=False)) | named
        extra = next((p.name for p in signature.parameters.values() if p.kind is p.VAR_KEYWORD), None)
        return {k: v for k, v in bound.items() if k != extra} | dict(bound.get(extra, {}) if extra else {})

    if _is_async(tool):

        @functools.wraps(tool)
        async def guarded_async(*args: Any, **named: Any) -> Any:
            given = arguments(args, named)
            refused = _answer(run, await run.acheck(called, given), raises)
            if refused is not None:
                return refused
            result = await tool(*args, **named)
            run.saw(result, tool=called, args=given)
            return result

        return guarded_async

    @functools.wraps(tool)
    def guarded(*args: Any, **named: Any) -> Any:
        given = arguments(args, named)
        refused = _answer(run, run.check(called, given), raises)
        if refused is not None:
            return refused
        result = tool(*args, **named)
        run.saw(result, tool=called, args=given)
        return result

    return guarded


def _answer(run: GuardedRun, decision: Decision, raises: bool) -> dict[str, Any] | None:
    """The structured error of a refused call, None for one that goes on."""
    if decision.allowed or not run.guard.enforce:
        return None
    if raises:
        raise GuardError(decision.error["message"], error=decision.error)
    return decision.error


def _call_id(named: dict[str, Any]) -> str | None:
    return next((str(named[k]) for k in _CALL_IDS if named.get(k) is not None), None)


def _is_async(f: Callable[..., Any]) -> bool:
    while isinstance(f, functools.partial):
        f = f.func
    return inspect.iscoroutinefunction(f) or inspect.iscoroutinefunction(getattr(f, "__call__", None))  # noqa: B004
