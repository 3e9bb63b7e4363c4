"""A plain loop over functions: the tools are called through a box that notes every call."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from claimx.errors import InputError
from claimx.integrations.capture import Capture
from claimx.types import Receipt, Tool

if TYPE_CHECKING:
    from claimx.checker import Checker


class ToolBox:
    """Functions as tools, every call noted.

        box = ToolBox([get_order, issue_refund])
        box.call("issue_refund", {"order_id": "HB-20417", "amount": 84.5})
        receipt = box.check(reply)

    `tools` are functions, or a mapping from names to them.
    """

    def __init__(
        self,
        tools: Iterable[Callable[..., Any]] | Mapping[str, Callable[..., Any]],
        *,
        checker: Checker | None = None,
        keep_results: bool = True,
    ) -> None:
        named = tools if isinstance(tools, Mapping) else {f.__name__: f for f in tools}
        self.functions: dict[str, Callable[..., Any]] = dict(named)
        listed = [Tool(n, inspect.getdoc(f) or "") for n, f in self.functions.items()]
        self.capture = Capture(tools=listed, checker=checker, keep_results=keep_results)

    def call(self, tool: str, args: Mapping[str, Any] | None = None, *, id: str | None = None) -> Any:
        """Call a tool by name and note it; what it raises is noted and raised. Raises InputError for an unknown tool."""
        function, given = self._function(tool), dict(args or {})
        return self._run(tool, lambda: function(**given), given, id)

    async def acall(self, tool: str, args: Mapping[str, Any] | None = None, *, id: str | None = None) -> Any:
        """Call a tool that may be asynchronous."""
        result = self.call(tool, args, id=id)
        return await result if inspect.isawaitable(result) else result

    def wrapped(self, tool: str) -> Callable[..., Any]:
        """Return a tool as a function of the same signature that notes its calls, arguments by their names."""
        function = self._function(tool)
        signature = inspect.signature(function)

        @functools.wraps(function)
        def noted(*args: Any, **kwargs: Any) -> Any:
            bound = signature.bind(*args, **kwargs)
            return self._run(tool, lambda: function(*args, **kwargs), dict(bound.arguments), None)

        return noted

    def check(self, reply: str, *, user: str | None = None) -> Receipt:
        """Check a reply against the calls so far."""
        return self.capture.check(reply, user=user)

    async def acheck(self, reply: str, *, user: str | None = None) -> Receipt:
        """Asynchronous twin of `check`."""
        return await self.capture.acheck(reply, user=user)

    def _function(self, tool: str) -> Callable[..., Any]:
        if tool not in self.functions:
            raise InputError(
                f"no tool named {tool!r}; there are: {', '.join(sorted(self.functions)) or 'none'}", field="tool"
            )
        return self.functions[tool]

    def _run(self, tool: str, work: Callable[[], Any], args: dict[str, Any], call: str | None) -> Any:
        key = self.capture.begin(call, tool, args)
        try:
            result = work()
        except BaseException as e:
            self.capture.fail(key, e)
            raise
        if inspect.isawaitable(result):
            return self._finish(key, result)
        self.capture.end(key, result)
        return result

    async def _finish(self, key: str, pending: Awaitable[Any]) -> Any:
        try:
            result = await pending
        except BaseException as e:
            self.capture.fail(key, e)
            raise
        self.capture.end(key, result)
        return result
