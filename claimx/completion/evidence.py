"""All that is known of one action, gathered for the rules."""

from __future__ import annotations

from dataclasses import dataclass

from claimx.completion.contract import Contract
from claimx.completion.intent import Intent
from claimx.completion.receipt import AttemptReceipt, Opening
from claimx.completion.verification import DEFINITE, CheckRecord


@dataclass(frozen=True, slots=True)
class Evidence:
    """All that is known of an action. `openings` are the attempts that have begun, receipts or not."""

    intent: Intent
    contract: Contract
    openings: tuple[Opening, ...]
    receipts: tuple[AttemptReceipt, ...]
    checks: tuple[CheckRecord, ...]
    now: float

    @property
    def in_flight(self) -> tuple[Opening, ...]:
        """Attempts that have begun and have no receipt."""
        done = {r.receipt_id for r in self.receipts}
        return tuple(o for o in self.openings if o.receipt_id not in done)

    @property
    def missing(self) -> list[str]:
        """The steps that were not attempted yet."""
        return [s for s in self.intent.steps if self.last(s) is None]

    def last(self, step: str) -> AttemptReceipt | None:
        return next((r for r in reversed(self.receipts) if r.step == step), None)

    def checks_since(self, step: str) -> list[CheckRecord]:
        """The checks of the whole action or one step that began after the last receipt."""
        return [c for c in self.checks if c.step == step and c.after == len(self.receipts)]

    def finding(self, step: str) -> CheckRecord | None:
        """The last definite check since the last receipt."""
        return next((c for c in reversed(self.checks_since(step)) if c.finding in DEFINITE), None)

    @property
    def deadline(self) -> float | None:
        """When the state must show."""
        ended = [r.finished_at for r in self.receipts if r.outcome.may_have_effect]
        return max(ended) + self.contract.visibility if ended else None
