"""Getting rows into a store: sealed, in order, once, and what happens when the store fails."""

from __future__ import annotations

import logging
import os
import threading
import uuid
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from typing import Any

from claimx.errors import LedgerError
from claimx.ledger.keyring import Keyring
from claimx.ledger.keys import Signer
from claimx.ledger.row import Kind, Row, seal
from claimx.ledger.stores import Store

_LOG = logging.getLogger("claimx.ledger")


def utc_now() -> datetime:
    return datetime.now(UTC)


class Writer:
    """Writes rows to a store and reports what fails; see `Ledger` for the parameters."""

    def __init__(
        self,
        store: Store,
        signer: Signer | Keyring | None,
        *,
        fail_closed: bool,
        on_error: Callable[[LedgerError], None] | None,
        clock: Callable[[], datetime],
        timer: Callable[[], float],
    ) -> None:
        self.timer = timer
        self._store = store
        self._signer = signer
        self._fail_closed = fail_closed
        self._on_error = on_error or (lambda error: _LOG.error("%s", error))
        self._clock = clock
        self._thread: tuple[int, ThreadPoolExecutor] | None = None
        self._lock = threading.Lock()

    def now(self) -> str:
        """The time of day as the rows give it: UTC, to the microsecond."""
        return self._clock().astimezone(UTC).isoformat(timespec="microseconds").replace("+00:00", "Z")

    def write(self, conversation: str, kind: Kind, fields: Mapping[str, Any]) -> Row | None:
        """Add a row; None when the store failed and the ledger doesn't fail closed."""
        try:
            return self._append(conversation, kind, fields)
        except LedgerError as e:
            self.report(e)
            if self._fail_closed:
                raise
            return None

    def write_end(
        self,
        conversation: str,
        start: Row | None,
        started: Mapping[str, Any],
        ended: Mapping[str, Any],
        cause: BaseException | None,
    ) -> Row | None:
        """Add a call's last row, and its first one if the store had failed then (`start` None) or holds it no longer; return the
        first."""
        try:
            if start is None:
                start = self._append(conversation, Kind.STARTED, started)
            try:
                self._append(conversation, Kind.FINISHED, _ended(start, ended), after=start)
            except _StartLostError as e:
                self.report(LedgerError(str(e)))
                start = self._append(conversation, Kind.STARTED, started)
                self._append(conversation, Kind.FINISHED, _ended(start, ended))
        except LedgerError as e:
            self.report(e)
            if self._fail_closed:
                raise LedgerError(f"{started['tool']} ran, but its outcome could not be recorded: {e}") from cause or e
        return start

    def kept(self, capture: Callable[[], Any], part: str) -> Any:
        """Return what a capture keeps, None if it fails: what couldn't be redacted must not be stored."""
        try:
            return capture()
        except Exception as e:
            # Only the error's type is told: its text may hold what should have been redacted.
            told = f"the {part} of a call could not be captured and is left out"
            self.report(LedgerError(f"{told}: {type(e).__name__} in {_place_of(e)}"))
            return None

    def report(self, error: LedgerError) -> None:
        try:
            self._on_error(error)
        except Exception:
            _LOG.exception("on_error failed on: %s", error)

    def thread(self) -> ThreadPoolExecutor:
        """The one thread that writes for event loops: rows keep the order in which they were asked for."""
        with self._lock:
            if self._thread is None or self._thread[0] != os.getpid():
                self._thread = (os.getpid(), ThreadPoolExecutor(1, thread_name_prefix="claimx-ledger"))
            return self._thread[1]

    def close(self) -> None:
        """Finish what is being written."""
        if self._thread is not None and self._thread[0] == os.getpid():
            self._thread[1].shutdown()
        self._thread = None

    def _append(self, conversation: str, kind: Kind, fields: Mapping[str, Any], *, after: Row | None = None) -> Row:
        """Add a row; after a failure look whether it got there, and try once more if it didn't. Raises _StartLostError where the
        conversation ends before the row that this one must stand behind: rows were lost, and a new chain begins."""

        def sealed(last: Row | None) -> Row:
            if after is not None and (last is None or 0 < last.seq < after.seq):
                raise _StartLostError(
                    f"the rows of conversation {conversation!r} are no longer in the store (it was emptied, replaced or has expired): "
                    f"the call {after.id} is recorded anew"
                )
            signer = self._signer.signer if isinstance(self._signer, Keyring) else self._signer
            return seal(last, kind=kind, conversation=conversation, at=self.now(), fields=fields, signer=signer)

        try:
            return self._store.append(conversation, sealed)
        except _StartLostError:
            raise
        except Exception:  # the first failure may be a lost connection that the store has made anew by now
            try:
                written = [r for r in self._store.read(conversation) if r.body.get("nonce") == fields["nonce"]]
                return written[0] if written else self._store.append(conversation, sealed)
            except Exception as e:
                raise _wrapped(e, f"a row of conversation {conversation!r} could not be written") from e


class _StartLostError(Exception):
    """The first row of a call is no longer there when its last one is to be written."""


def _ended(start: Row, ended: Mapping[str, Any]) -> dict[str, Any]:
    return {**{k: start.body[k] for k in ("id", "call", "tool")}, "nonce": uuid.uuid4().hex, **ended}


def _place_of(error: Exception) -> str:
    """The function and line that raised."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_code.co_name}, line {trace.tb_lineno}" if trace is not None else "an unknown place"


def _wrapped(error: Exception, what: str) -> LedgerError:
    return LedgerError(f"{what}: {error if isinstance(error, LedgerError) else repr(error)}")
