"""MCP: a client session whose calls are noted. Works with `mcp.Client` and `mcp.ClientSession` alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from claimx.integrations.capture import Capture
from claimx.integrations.plain import plain, text_of
from claimx.types import CallStatus, Receipt, Tool

if TYPE_CHECKING:
    from claimx.checker import Checker


class RecordedSession:
    """A client session that stands in for the one it wraps: all of its methods, with listed tools known and calls noted.

        session = RecordedSession(session)
        await session.list_tools()
        await session.call_tool("issue_refund", {"order_id": "HB-20417"})
        receipt = session.claimx.check(reply)

    Several servers of one agent share a ledger through `capture`.
    """

    def __init__(self, session: Any, *, capture: Capture | None = None, checker: Checker | None = None) -> None:
        self._session = session
        self.claimx = capture if capture is not None else Capture(checker=checker)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._session, name)

    async def list_tools(self, *args: Any, **kwargs: Any) -> Any:
        """List the server's tools, which become known."""
        listed = await self._session.list_tools(*args, **kwargs)
        self.claimx.know(*map(_tool_of, listed.tools))
        return listed

    async def call_tool(self, name: str, arguments: dict[str, Any] | None = None, *args: Any, **kwargs: Any) -> Any:
        """Call a tool and note the call; a result marked as an error is an error, what is raised is noted and raised."""
        call = self.claimx.begin(None, name, arguments or {})
        try:
            result = await self._session.call_tool(name, arguments, *args, **kwargs)
        except BaseException as e:
            self.claimx.fail(call, e)
            raise
        content, status = outcome_of(result)
        self.claimx.end(call, content, status=status, error=str(content)[:2000] if status is CallStatus.ERROR else None)
        return result

    async def check(self, reply: str, *, user: str | None = None) -> Receipt:
        """Check a reply against the calls so far; the tools are listed first if nobody did."""
        if not any(t.parameters is not None for t in self.claimx.tools):
            await self.list_tools()
        return await self.claimx.acheck(reply, user=user)


def outcome_of(result: Any) -> tuple[Any, CallStatus]:
    """Return what a CallToolResult holds (structured content before text) and its status."""
    failed = bool(getattr(result, "is_error", getattr(result, "isError", False)))
    content = getattr(result, "structured_content", getattr(result, "structuredContent", None))
    if content is None or failed:
        blocks = getattr(result, "content", None)
        if blocks is None:
            return plain(result), CallStatus.UNKNOWN  # the server asks for input first, or answers in a form of its own
        content = text_of(blocks) or plain(blocks) or content
    return plain(content), CallStatus.ERROR if failed else CallStatus.SUCCESS


def _tool_of(tool: Any) -> Tool:
    schema = getattr(tool, "input_schema", getattr(tool, "inputSchema", None))
    return Tool(tool.name, tool.description or "", schema)
