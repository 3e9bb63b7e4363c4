"""Attempts, reads and the state that follows: each write is recorded before and after, and verified before it is repeated."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Callable, Mapping
from copy import deepcopy
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from claimx.completion.contract import Contract
from claimx.completion.deciding import Move, complete, plan_read, plan_write
from claimx.completion.document import Completion
from claimx.completion.evidence import Evidence
from claimx.completion.flow import Do, Flow, Sleep
from claimx.completion.intent import Intent, digest_of, same_action
from claimx.completion.issuing import Tool, classified, issue, name_of, with_key
from claimx.completion.keeping import Keeping
from claimx.completion.outcome import TypedOutcome, is_stream, outcome_of_error
from claimx.completion.reading import read_state
from claimx.completion.receipt import Opening, RuntimeStatus
from claimx.completion.store import CompletionStore
from claimx.errors import CompletionError
from claimx.ledger.canonical import plain
from claimx.ledger.capture import Redact
from claimx.ledger.recording import status_of
from claimx.match.results import Outcome
from claimx.types import CallStatus

log = logging.getLogger("claimx.completion")


class Engine:
    """The work on one contract's actions as flows; see `claimx.completion.Completions` for what to call.

    `clock` gives seconds since 1970; `told` is called with every new document after it was kept. `redact` (as that of
    `claimx.Ledger`) sees the texts of errors and what verifiers read before they are kept.
    """

    def __init__(
        self,
        store: CompletionStore,
        *,
        clock: Callable[[], float] = time.time,
        told: Callable[[Completion], object] | None = None,
        make_id: Callable[[], str] = lambda: f"rcpt_{secrets.token_hex(10)}",
        redact: Redact | None = None,
    ) -> None:
        self.store = store
        self.clock = clock
        self.told = told
        self.make_id = make_id
        self.keeping = Keeping(redact)

    def evidence(self, action_id: str, contract: Contract) -> Evidence:
        """Gather what is kept of an action. Raises CompletionError for one that is not known."""
        intent = self.store.intent(action_id)
        if intent is None:
            raise CompletionError(f"no action {action_id} is known: begin it before anything is attempted")
        return Evidence(
            intent,
            contract,
            tuple(self.store.openings(action_id)),
            tuple(self.store.receipts(action_id)),
            tuple(self.store.checks(action_id)),
            self.clock(),
        )

    def publish(self, action_id: str, contract: Contract) -> Completion:
        """Keep the document that follows from all that is known, and tell of it where it changed."""
        done = complete(self.evidence(action_id, contract))
        kept = self._kept(action_id)
        document = done.to_dict()
        if kept != document:
            self.store.put_document(document)
            if self.told is not None and (kept is None or _visible(kept) != _visible(document)):
                try:
                    self.told(done)
                except Exception:
                    log.exception("a listener failed on %s (%s)", action_id, done.state)
        return done

    def _kept(self, action_id: str) -> dict[str, Any] | None:
        """The document that is kept; one that can't be read is made anew of the records that it follows from."""
        try:
            return self.store.document(action_id)
        except CompletionError as error:
            log.warning("%s: it is made anew", error)
            return None

    def begin(self, intent: Intent, contract: Contract) -> Flow[Intent]:
        """Keep an intent, with the version observed before anything is written, unless it is known already."""
        kept = self.store.intent(intent.action_id)
        if kept is not None:
            return same_action(kept, intent)
        observe = contract.observe
        before = None
        if observe is not None:
            try:
                before = yield Do(lambda: observe(deepcopy(intent)))
            except Exception:
                # Without it the read must show by other means that it is fresh.
                log.warning("the version before %s could not be observed", intent.action_id, exc_info=True)
        made = replace(intent, before=before, created_at=_iso(self.clock()))
        return same_action(self.store.put_intent(made), intent)

    def write(
        self,
        action_id: str,
        contract: Contract,
        step: str,
        tool: Tool,
        args: Mapping[str, Any],
        *,
        key: str | None,
        call_id: str | None,
        wait: bool,
        results: list[Any],
    ) -> Flow[Completion]:
        """Make a step's write as often as is safe; for each attempt `results` gets what the tool returned."""
        intent = self.evidence(action_id, contract).intent
        if not callable(tool):
            raise CompletionError(
                f"a tool is something to call, not {type(tool).__name__}: give the function and its arguments"
            )
        if not isinstance(args, Mapping) or not all(isinstance(k, str) for k in args):
            raise CompletionError(f"arguments are a mapping of names and values, not {args!r:.80}")
        if step not in intent.steps:
            raise CompletionError(
                f"action {action_id} has no step {step!r}: it has {', '.join(map(repr, intent.steps))}"
            )
        while True:
            self._recover(action_id, contract)
            e = self.evidence(action_id, contract)
            plan = plan_write(e, step)
            if plan.move is Move.STOP:
                return self.publish(action_id, contract)
            if plan.at > e.now:
                if not wait:
                    return self.publish(action_id, contract)
                yield Sleep(plan.at - e.now)
            elif plan.move is Move.WRITE:
                yield from self._attempt(e, step, plan.attempt, tool, args, key, call_id, results)
            else:
                yield from self._read(e, "" if len(e.intent.steps) == 1 else step)
                if not wait:
                    # One read a call: what it shows is acted on, and no other is made.
                    e = self.evidence(action_id, contract)
                    if plan_write(e, step).move is not Move.WRITE:
                        return self.publish(action_id, contract)

    def reconcile(self, action_id: str, contract: Contract, *, wait: bool, force: bool = False) -> Flow[Completion]:
        """Read the system of record until the state is settled or the time is over; once when not to wait. Never writes."""
        while True:
            self._recover(action_id, contract)
            e = self.evidence(action_id, contract)
            plan = plan_read(e)
            if force and contract.verify is not None:
                force = False
                yield from self._read(e, "")
            elif plan.move is Move.STOP:
                return self.publish(action_id, contract)
            elif plan.at > e.now:
                if not wait:
                    return self.publish(action_id, contract)
                yield Sleep(plan.at - e.now)
            else:
                yield from self._read(e, "")
                if not wait:
                    return self.publish(action_id, contract)

    def _attempt(
        self,
        e: Evidence,
        step: str,
        number: int,
        tool: Tool,
        args: Mapping[str, Any],
        key: str | None,
        call_id: str | None,
        results: list[Any],
    ) -> Flow[None]:
        """One call between its opening and its receipt, on every path."""
        intent, contract = e.intent, e.contract
        started = self.clock()
        opening = Opening(
            intent.action_id,
            step,
            number,
            self.make_id(),
            started,
            started + contract.lease,
            digest_of(plain(args)),
            call_id,
        )
        if not self.store.open_attempt(opening):
            return
        self.publish(intent.action_id, contract)
        hidden = self.keeping.hidden_in(args, name_of(tool))
        results.append(None)
        status = RuntimeStatus.COMPLETED
        outcome = TypedOutcome(Outcome.UNKNOWN, "the call was cut off")
        try:
            result = yield Do(lambda: tool(**with_key(tool, args, key, intent.key_of(step))))
            if not is_stream(result):  # one that is handed on would be run by somebody, and by no attempt
                results[-1] = result
            outcome = classified(contract, step, result)
        except Exception as error:
            status = RuntimeStatus.TIMEOUT if status_of(error) is CallStatus.TIMEOUT else RuntimeStatus.ERROR
            outcome = outcome_of_error(error, no_effect=contract.no_effect)
        except BaseException as error:
            status, outcome = RuntimeStatus.CANCELLED, outcome_of_error(error)
            raise
        finally:
            detail = self.keeping.text(outcome.detail, name_of(tool), hidden)
            self._close(opening, e, name_of(tool), status, replace(outcome, detail=detail))

    def _close(self, opening: Opening, e: Evidence, tool: str, status: RuntimeStatus, outcome: TypedOutcome) -> None:
        receipt = issue(opening, e.intent, e.contract, tool=tool, status=status, outcome=outcome, now=self.clock())
        if not self.store.close_attempt(receipt):
            # It was given up for lost meanwhile: the receipt that says so stays, the state of record decides.
            log.warning("attempt %s of %s came back after it was given up", opening.attempt, opening.action_id)
        self.publish(opening.action_id, e.contract)

    def _recover(self, action_id: str, contract: Contract) -> None:
        """Give a receipt to attempts that never came back: whether they took effect is unknown."""
        e = self.evidence(action_id, contract)
        for opening in e.in_flight:
            if opening.lease_until <= e.now:
                detail = "the attempt was begun and left no receipt: the process may have ended in it"
                self._close(opening, e, "", RuntimeStatus.LOST, TypedOutcome(Outcome.UNKNOWN, detail))

    def _read(self, e: Evidence, scope: str) -> Flow[None]:
        """One read of the system of record, kept whatever it shows."""
        if e.contract.verify is None:
            return
        self.store.add_check((yield from read_state(e, scope, e.contract.verify, self.keeping, self.clock)))
        self.publish(e.intent.action_id, e.contract)


def _visible(document: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple(document[k] for k in ("state", "settled", "escalated", "disputed"))


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
