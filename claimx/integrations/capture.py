"""What an executor does, noted as it happens: calls begin and end, tools become known, replies are checked against it all."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from claimx.integrations.plain import plain
from claimx.types import CallStatus, LedgerEntry, Receipt, Run, Tool

if TYPE_CHECKING:
    from claimx.checker import Checker

Clock = Callable[[], datetime]


def utc_now() -> datetime:
    """Return the present time; the default clock of a capture."""
    return datetime.now(UTC)


class Capture:
    """The ledger of one conversation with an agent. Safe to fill from several threads.

    `tools` names what the agent could call and was not seen calling. `keep_results=False` stores neither arguments nor
    results, only that a call ran and how it ended.
    """

    def __init__(
        self,
        *,
        tools: Iterable[Any] = (),
        checker: Checker | None = None,
        keep_results: bool = True,
        clock: Clock = utc_now,
    ) -> None:
        self.keep_results = keep_results
        self._checker = checker
        self._clock = clock
        self._lock = threading.Lock()
        self._tools: dict[str, Tool] = {}
        self._calls: dict[str, LedgerEntry] = {}
        self.turn = 1
        self.know(*tools)

    @property
    def checker(self) -> Checker:
        """The checker given, else one with the shipped model, made at first use."""
        if self._checker is None:
            from claimx.checker import Checker
            from claimx.extract import Extractor

            self._checker = Checker(Extractor())
        return self._checker

    @property
    def ledger(self) -> tuple[LedgerEntry, ...]:
        """The calls so far, in the order in which they began; one without an end is unknown."""
        with self._lock:
            return tuple(self._calls.values())

    @property
    def tools(self) -> tuple[Tool, ...]:
        """The tools known so far."""
        with self._lock:
            return tuple(self._tools.values())

    def know(self, *tools: Any) -> None:
        """Add tools that the agent can call: names, pairs, definitions, or objects with `.name`. What names none is skipped."""
        for item in tools:
            try:
                tool = Tool.from_any(item)
            except ValueError:
                continue  # a provider's own tools (a search, a sandbox) may have no name
            with self._lock:
                known = self._tools.get(tool.name)
                if known is None or (tool.description and not known.description):
                    self._tools[tool.name] = tool

    def begin(self, call: str | None, tool: str, args: Any = None, *, parent: str | None = None) -> str:
        """Note that a call starts; return its id, made up when `call` is None or stands for an earlier call."""
        with self._lock:
            key = call or f"c{len(self._calls) + 1}"
            while key in self._calls:
                key = f"{key}~{len(self._calls) + 1}"
            self._tools.setdefault(tool, Tool(tool))
            self._calls[key] = LedgerEntry(
                id=key,
                tool=tool,
                args=plain(args) if self.keep_results else None,
                status=CallStatus.UNKNOWN,
                started_at=self._clock().isoformat(),
                parent_id=parent,
                turn=self.turn,
                captured=self.keep_results,
            )
            return key

    def end(
        self, call: str, result: Any = None, *, status: CallStatus = CallStatus.SUCCESS, error: str | None = None
    ) -> None:
        """Note how a call ended. A call that never began is ignored."""
        with self._lock:
            entry = self._calls.get(call)
            if entry is not None:
                self._calls[call] = replace(
                    entry,
                    result=plain(result) if self.keep_results else None,
                    status=status,
                    error=error if self.keep_results or error is None else "not stored",
                    ended_at=self._clock().isoformat(),
                )

    def fail(self, call: str, error: BaseException) -> None:
        """Note that a call raised: a timeout is a timeout, a cancelled call may have taken effect and is unknown."""
        status = CallStatus.ERROR
        if isinstance(error, TimeoutError):
            status = CallStatus.TIMEOUT
        elif isinstance(error, asyncio.CancelledError):
            status = CallStatus.UNKNOWN
        text = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        self.end(call, None, status=status, error=text[:2000])

    def next_turn(self) -> None:
        """Start a new turn of the conversation; calls of earlier turns stay in the ledger, for recaps."""
        self.turn += 1

    def run(self, reply: str, *, user: str | None = None) -> Run:
        """Return a reply as a run with everything noted so far."""
        return Run(reply=reply, ledger=self.ledger, tools=self.tools, user=user, now=self._clock().isoformat())

    def check(self, reply: str, *, user: str | None = None) -> Receipt:
        """Check a reply against everything noted so far."""
        return self.checker.check(self.run(reply, user=user))

    async def acheck(self, reply: str, *, user: str | None = None) -> Receipt:
        """Asynchronous twin of `check`; the work runs in a thread."""
        return await self.checker.acheck(self.run(reply, user=user))
