"""One call being recorded: a row before the tool runs, a row when it ends, whichever way it ends."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any

from claimx.errors import LedgerError
from claimx.ledger.capture import Capture
from claimx.ledger.context import inside
from claimx.ledger.row import Kind, Row
from claimx.ledger.writing import Writer
from claimx.types import CallStatus

_TIMEOUT_NAMES = ("Timeout", "TimeoutError", "TimeoutException", "TimeoutExpired")


class Recording:
    """A call of a tool, as a context manager (plain or async).

    Set `result` inside; what is raised inside is recorded and raised on. `status` may be set inside to say what the
    result alone doesn't.
    """

    def __init__(self, writer: Writer, capture: Capture, conversation: str, fields: Mapping[str, Any]) -> None:
        self.conversation = conversation
        self.tool: str = fields["tool"]
        self.result: Any = None
        self.status = CallStatus.SUCCESS
        self._fields = dict(fields)
        self._writer = writer
        self._capture = capture
        self._first: Row | None = None
        self._timer = writer.timer()
        self._done = False
        self._inside: AbstractContextManager[None] | None = None

    @property
    def id(self) -> str | None:
        """The receipt id; None until the call has started, and where the store failed."""
        return self._first.id if self._first is not None else None

    # -- the two rows ----------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Write the first row. Raises LedgerError if that fails and the ledger fails closed: then nothing may run."""
        if "started_at" in self._fields:
            raise LedgerError(f"this is the recording of one call of {self.tool!r}, and it has been used: make another")
        self._fields["started_at"] = self._writer.now()
        self._first = self._writer.write(self.conversation, Kind.STARTED, self._fields)
        self._timer = self._writer.timer()

    def returned(self, result: Any) -> None:
        """Write the last row of a call that returned."""
        took = self._took()
        kept = self._writer.kept(lambda: self._capture.result(result, self.tool), "result")
        self._end(self.status, took, kept if kept is not None else {"captured": False})

    def failed(self, error: BaseException) -> None:
        """Write the last row of a call that raised. A call that was cancelled has an unknown outcome."""
        took = self._took()
        said = self._writer.kept(lambda: self._capture.error(error, self.tool), "error")
        self._end(status_of(error), took, {"error": said or type(error).__name__}, error)

    def _took(self) -> dict[str, Any]:
        took = max(0.0, self._writer.timer() - self._timer)
        return {"ended_at": self._writer.now(), "duration_ms": round(took * 1000, 3)}

    def _end(
        self, status: CallStatus, took: dict[str, Any], fields: dict[str, Any], cause: BaseException | None = None
    ) -> None:
        if not self._done:
            self._done = True
            ended = {"status": str(status), **took, **fields}
            self._first = self._writer.write_end(self.conversation, self._first, self._fields, ended, cause)

    # -- context manager -------------------------------------------------------------------------------------------

    def __enter__(self) -> Recording:
        self.start()
        self._inside = inside(self.id)
        self._inside.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leave()
        if error is None:
            self.returned(self.result)
        else:
            self.failed(error)

    async def __aenter__(self) -> Recording:
        await self.astart()
        self._inside = inside(self.id)
        self._inside.__enter__()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leave()
        await self.aend(error, self.result)

    def _leave(self) -> None:
        if self._inside is not None:
            self._inside.__exit__(None, None, None)

    # -- off the event loop ----------------------------------------------------------------------------------------

    async def astart(self) -> None:
        """Write the first row without holding up the event loop."""
        try:
            await self._settled(self.start)
        except asyncio.CancelledError:
            self._end(CallStatus.ERROR, self._took(), {"error": "cancelled before the tool ran"})
            raise

    async def aend(self, error: BaseException | None, result: Any = None) -> None:
        """Write the last row without holding up the event loop, unless the loop is already leaving."""
        if error is None:
            await self._settled(lambda: self.returned(result))
        elif isinstance(error, Exception):
            await self._settled(lambda: self.failed(error))
        else:
            self.failed(error)  # cancelled, closed or interrupted: nothing may be awaited any more

    async def _settled(self, write: Callable[[], None]) -> None:
        """Run a write in the ledger's writer thread and wait for it, even while being cancelled."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:  # another event loop than asyncio's
            write()
            return
        task = loop.run_in_executor(self._writer.thread(), write)
        cancelled: asyncio.CancelledError | None = None
        while not task.done():
            try:
                await asyncio.shield(task)
            except asyncio.CancelledError as e:
                cancelled = e
            except Exception:  # of the write: result() below raises it
                break
        if cancelled is not None:
            task.exception()  # seen, whatever it was: the cancellation is what the caller gets
            raise cancelled
        task.result()


def status_of(error: BaseException) -> CallStatus:
    """Return the status of a call that raised. A timeout is known by its class or the class's name, as in HTTP clients.

    >>> status_of(TimeoutError()), status_of(ValueError()), status_of(KeyboardInterrupt())
    (<CallStatus.TIMEOUT: 'timeout'>, <CallStatus.ERROR: 'error'>, <CallStatus.UNKNOWN: 'unknown'>)
    """
    if isinstance(error, TimeoutError | subprocess.TimeoutExpired):
        return CallStatus.TIMEOUT
    if any(k.__name__.endswith(_TIMEOUT_NAMES) for k in type(error).__mro__):
        return CallStatus.TIMEOUT
    if isinstance(error, Exception | SystemExit):
        return CallStatus.ERROR
    return CallStatus.UNKNOWN
