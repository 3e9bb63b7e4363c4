"""What an application calls: begin an action, attempt its writes, reconcile, read its document. Sync and async alike."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from claimx.completion.contract import Contract
from claimx.completion.document import Completion
from claimx.completion.engine import Engine
from claimx.completion.flow import adrive, drive
from claimx.completion.intent import Intent, checked_target, derive_action_id
from claimx.completion.receipt import AttemptReceipt
from claimx.completion.store import CompletionStore, MemoryStore
from claimx.completion.work import Work
from claimx.errors import CompletionError
from claimx.ledger.capture import Redact

log = logging.getLogger("claimx.completion")


class Completions:
    """Keeps the completion contracts of an application.

    `store` defaults to this process's memory; use `SqliteStore` for anything that must survive. `on_change` is told of
    every document whose visible state changed, after it was kept: alerts, workflow and audit subscribe here. `on_error`
    is told of an action that `reconcile_due` could not take up (its records can't be read); by default it is logged.
    `redact` (such as `claimx.ledger.mask("card")`) sees errors, reasons and evidence before they are kept; of arguments
    only a digest is.
    """

    def __init__(
        self,
        contracts: Iterable[Contract],
        *,
        store: CompletionStore | None = None,
        on_change: Callable[[Completion], object] | None = None,
        on_error: Callable[[CompletionError], object] | None = None,
        redact: Redact | None = None,
        clock: Callable[[], float] = time.time,
        sleep: Callable[[float], object] = time.sleep,
        asleep: Callable[[float], Any] = asyncio.sleep,
    ) -> None:
        given = list(contracts)
        self.contracts = {c.operation: c for c in given}
        if len(self.contracts) < len(given):
            twice = next(c.operation for i, c in enumerate(given) if c.operation in {d.operation for d in given[:i]})
            raise CompletionError(f"there are two contracts for {twice!r}: one says what makes an operation done")
        for contract in given:
            contract.delay(
                1
            )  # a missing package or a strategy that can't be used is told now, not after the first write
        self.store = store if store is not None else MemoryStore()
        self.on_error = on_error if on_error is not None else lambda error: log.error("%s", error)
        self.engine = Engine(self.store, clock=clock, told=on_change, redact=redact)
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
        if isinstance(steps, str) or not steps or len(set(steps)) != len(steps):
            raise ValueError(
                f"steps are {steps if isinstance(steps, str) else list(steps)!r}, expected one or more different names"
            )
        if action_id is not None and (not isinstance(action_id, str) or not action_id):
            raise CompletionError(f"action_id is {action_id!r:.80}, expected a text that names the action, or None")
        kept = checked_target(target)
        made = action_id or derive_action_id(operation, tenant_id=tenant_id, target=kept, request=request)
        return Intent(made, operation, tenant_id, kept, request, actor, tuple(steps))

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
        """Read once for every action whose read is due; a worker calls this now and then.

        An action whose records can't be read or trusted is told to `on_error` and stops none of the others.
        """
        done = []
        for action_id in self.store.due(self.clock()):
            try:
                done.append(self.action(action_id).reconcile(wait=False))
            except CompletionError as error:
                self.on_error(error)
        return done

    async def areconcile_due(self) -> list[Completion]:
        """Asynchronous twin of `reconcile_due`."""
        done = []
        for action_id in self.store.due(self.clock()):
            try:
                done.append(await self.action(action_id).areconcile(wait=False))
            except CompletionError as error:
                self.on_error(error)
        return done

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
