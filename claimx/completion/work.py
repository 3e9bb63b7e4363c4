"""One action at work: its writes are attempted, its state is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from claimx.completion.contract import Contract
from claimx.completion.document import Completion
from claimx.completion.flow import Flow, adrive, drive
from claimx.completion.intent import Intent
from claimx.completion.receipt import AttemptReceipt
from claimx.errors import CompletionError

if TYPE_CHECKING:
    from claimx.completion.completions import Completions


@dataclass(frozen=True, slots=True)
class Attempted:
    """What came of asking for a write: the action's document, and what the tool returned to the last attempt made now
    (None when none was made: then `ran` is false)."""

    document: Completion
    result: Any = None
    ran: bool = False

    @property
    def receipt(self) -> AttemptReceipt | None:
        """The last receipt of the action."""
        return self.document.receipts[-1] if self.document.receipts else None


@dataclass(frozen=True, slots=True)
class Work:
    """One action at work."""

    completions: Completions
    intent: Intent

    @property
    def action_id(self) -> str:
        return self.intent.action_id

    def attempt(
        self,
        tool: Callable[..., Any],
        args: Mapping[str, Any],
        *,
        step: str | None = None,
        key: str | None = None,
        call_id: str | None = None,
        wait: bool = True,
    ) -> Attempted:
        """Make a step's write, as often as is safe and the contract allows.

        The idempotency key is passed as the argument `key`, by default as `idempotency_key` where the tool takes one.
        `call_id` is the id of the call in the ledger. With `wait=False` nothing sleeps: what is not due is left for
        later. Exceptions of the tool are outcomes; only cancellation and failures of the store come through.
        """
        results: list[Any] = []
        done = drive(self._write(tool, args, step, key, call_id, wait, results), self.completions.sleep)
        return Attempted(done, results[-1] if results else None, bool(results))

    async def aattempt(
        self,
        tool: Callable[..., Any],
        args: Mapping[str, Any],
        *,
        step: str | None = None,
        key: str | None = None,
        call_id: str | None = None,
        wait: bool = True,
    ) -> Attempted:
        """Asynchronous twin of `attempt`; tool and verifier may be asynchronous."""
        results: list[Any] = []
        done = await adrive(self._write(tool, args, step, key, call_id, wait, results), self.completions.asleep)
        return Attempted(done, results[-1] if results else None, bool(results))

    def _write(
        self,
        tool: Callable[..., Any],
        args: Mapping[str, Any],
        step: str | None,
        key: str | None,
        call_id: str | None,
        wait: bool,
        results: list[Any],
    ) -> Flow[Completion]:
        if step is None:
            if len(self.intent.steps) > 1:
                raise CompletionError(f"the action has several steps: say which ({', '.join(self.intent.steps)})")
            step = self.intent.steps[0]
        return self.completions.engine.write(
            self.action_id, self._contract, step, tool, args, key=key, call_id=call_id, wait=wait, results=results
        )

    def reconcile(self, *, wait: bool = True, force: bool = False) -> Completion:
        """Read the system of record until the state is settled or the time for it is over; never writes.

        With `wait=False` one read is made if it is due. `force` makes a read now, also of a settled action.
        """
        flow = self.completions.engine.reconcile(self.action_id, self._contract, wait=wait, force=force)
        return drive(flow, self.completions.sleep)

    async def areconcile(self, *, wait: bool = True, force: bool = False) -> Completion:
        """Asynchronous twin of `reconcile`."""
        flow = self.completions.engine.reconcile(self.action_id, self._contract, wait=wait, force=force)
        return await adrive(flow, self.completions.asleep)

    def document(self) -> Completion:
        """Return the document as it follows from all that is kept."""
        return self.completions.engine.publish(self.action_id, self._contract)

    @property
    def _contract(self) -> Contract:
        return self.completions.contract(self.intent.operation)
