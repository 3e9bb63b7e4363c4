"""From what a call did to the receipt that is issued for it."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from claimx.completion.contract import Contract
from claimx.completion.intent import Intent
from claimx.completion.outcome import TypedOutcome, as_outcome, outcome_of_result
from claimx.completion.receipt import AttemptReceipt, Opening, RuntimeStatus
from claimx.match.results import Outcome

Tool = Callable[..., Any]


def issue(
    opening: Opening,
    intent: Intent,
    contract: Contract,
    *,
    tool: str,
    status: RuntimeStatus,
    outcome: TypedOutcome,
    now: float,
) -> AttemptReceipt:
    """Make the receipt of an attempt."""
    return AttemptReceipt(
        receipt_id=opening.receipt_id,
        action_id=intent.action_id,
        step=opening.step,
        attempt=opening.attempt,
        tool=tool or intent.operation,
        tenant_id=intent.tenant_id,
        actor=intent.actor,
        target=dict(intent.target),
        arguments=opening.arguments,
        started_at=opening.started_at,
        finished_at=now,
        runtime_status=status,
        outcome=outcome,
        idempotency_key=intent.key_of(opening.step),
        call_id=opening.call_id,
        versions={**contract.versions, "contract": contract.version},
    )


def classified(contract: Contract, step: str, result: Any) -> TypedOutcome:
    """Read what a call returned; what its team's classifier cannot read is unknown."""
    if contract.classify is None:
        return outcome_of_result(result)
    try:
        return as_outcome(contract.classify(step, result))
    except Exception as error:
        return TypedOutcome(Outcome.UNKNOWN, f"the outcome could not be read ({type(error).__name__}: {error})")


def with_key(tool: Tool, args: Mapping[str, Any], name: str | None, key: str) -> dict[str, Any]:
    """Return the arguments with the idempotency key under a name; by default where the tool takes `idempotency_key`."""
    if name is None:
        try:
            name = "idempotency_key" if "idempotency_key" in inspect.signature(tool).parameters else ""
        except (TypeError, ValueError):
            name = ""
    return {**args, name: key} if name else dict(args)


def name_of(tool: Tool) -> str:
    return str(getattr(tool, "__name__", type(tool).__name__))
