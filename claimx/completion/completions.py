"""What an application calls: begin an action, attempt its writes, reconcile, read its document. Sync and async alike."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from claimx.completion.contract import Contract
from claimx.completion.document import Completion
from claimx.completion.engine import Engine
from claimx.completion.flow import Flow, adrive, drive
from claimx.completion.intent import Intent, derive_action_id
from claimx.completion.receipt import AttemptReceipt
from claimx.completion.store import CompletionStore, MemoryStore
from claimx.errors import CompletionError


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


class Completions:
    """Keeps the completion contracts of an application.

    `store` defaults to this process's memory; use `SqliteStore` for anything that must survive. `on_change` is told of
    every document whose visible state changed, after it was kept: alerts, workflow and audit subscribe here.
    """

    def __init__(
        self,
        contracts: Iterable[Contract],
        *,
        store: CompletionStore | None = None,
        on_change: Callable[[Completion], object] | None = None,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], object] = time.sleep,
        asleep: Callable[[float], Any] = asyncio.sleep,
    ) -> None:
        self.contracts = {c.operation: c for c in contracts}
        self.store = store if store is not None else MemoryStore()
        self.engine = Engine(self.store, clock=clock, told=on_change)
        self.clock, self.sleep, self.asleep = clock, sleep, asleep

    def begin(
        self,
        operation: str,
        *,
        target: Mapping[str, Any],
        request: str = "",
        tenant_id: str = "",
        actor: str = "",
        steps: Sequence[str] = ("",),
        action_id: str | None = None,
    ) -> Work:
        """Begin an action, or take it up again: the same operation, target, tenant and request are the same action.

        `request` is the id of what asked for it (a message, a job); `action_id` overrides what is derived. `steps` names
        the writes that make it up, in order.
        """
        intent = self._intent(operation, target, request, tenant_id, actor, steps, action_id)
        kept = drive(self.engine.begin(intent, self.contract(operation)), self.sleep)
        return Work(self, kept)

    async def abegin(
        self,
        operation: str,
        *,
        target: Mapping[str, Any],
        request: str = "",
        tenant_id: str = "",
        actor: str = "",
        steps: Sequence[str] = ("",),
        action_id: str | None = None,
    ) -> Work:
        """Asynchronous twin of `begin`."""
        intent = self._intent(operation, target, request, tenant_id, actor, steps, action_id)
        kept = await adrive(self.engine.begin(intent, self.contract(operation)), self.asleep)
        return Work(self, kept)

    def _intent(
        self,
        operation: str,
        target: Mapping[str, Any],
        request: str,
        tenant_id: str,
        actor: str,
        steps: Sequence[str],
        action_id: str | None,
    ) -> Intent:
        if not steps or len(set(steps)) != len(steps):
            raise ValueError(f"steps are {list(steps)}, expected one or more different names")
        made = action_id or derive_action_id(operation, tenant_id=tenant_id, target=dict(target), request=request)
        return Intent(made, operation, tenant_id, dict(target), request, actor, tuple(steps))

    def action(self, action_id: str) -> Work:
        """Take up a known action. Raises CompletionError for one that is not known."""
        intent = self.store.intent(action_id)
        if intent is None:
            raise CompletionError(f"no action {action_id} is known")
        return Work(self, intent)

    def document(self, action_id: str) -> Completion:
        """Return an action's document as it follows from all that is kept; it is kept, too, where it changed."""
        return self.action(action_id).document()

    def reconcile_due(self) -> list[Completion]:
        """Read once for every action whose read is due; a worker calls this now and then."""
        return [self.action(a).reconcile(wait=False) for a in self.store.due(self.clock())]

    async def areconcile_due(self) -> list[Completion]:
        """Asynchronous twin of `reconcile_due`."""
        return [await self.action(a).areconcile(wait=False) for a in self.store.due(self.clock())]

    def trusted(self, action_id: str, receipt_id: str) -> AttemptReceipt:
        """Return a receipt that this store issued for this action. Raises CompletionError for any other: a receipt that
        was never issued, was altered, or belongs to another action."""
        receipt = self.store.receipt(receipt_id)
        if receipt is None:
            raise CompletionError(f"receipt {receipt_id} was never issued")
        if receipt.action_id != action_id:
            raise CompletionError(f"receipt {receipt_id} belongs to {receipt.action_id}, not to {action_id}")
        return receipt

    def contract(self, operation: str) -> Contract:
        """Return the contract of an operation. Raises CompletionError when there is none."""
        if operation not in self.contracts:
            raise CompletionError(
                f"no contract is known for {operation!r}: it needs one before anything of it may be told as done "
                f"(known: {', '.join(self.contracts) or 'none'})"
            )
        return self.contracts[operation]


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
