"""All that is known of one action, gathered for the rules."""

from __future__ import annotations

from dataclasses import dataclass

from claimx.completion.contract import Contract
from claimx.completion.intent import Intent
from claimx.completion.receipt import AttemptReceipt, Opening
from claimx.completion.verification import DEFINITE, CheckRecord, Finding


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
        """The last definite check since the last receipt. One that the postcondition holds counts until a read of a later state
        no longer shows it."""
        later: list[CheckRecord] = []
        for check in reversed(self.checks_since(step)):
            if check.finding is Finding.NOT_YET:
                later.append(check)
            elif check.finding in DEFINITE:
                over = check.finding is Finding.HOLDS and any(_is_after(c, check) for c in later)
                return None if over else check
        return None

    @property
    def deadline(self) -> float | None:
        """When the state must show."""
        ended = [r.finished_at for r in self.receipts if r.outcome.may_have_effect]
        return max(ended) + self.contract.visibility if ended else None


def _is_after(check: CheckRecord, before: CheckRecord) -> bool:
    """Whether a read shows a later state than one before it: not where it is of the same or an older version, of an earlier time,
    or of a copy where the other was of the authority."""
    if isinstance(check.version, int) and isinstance(before.version, int):
        return check.version > before.version
    if check.as_of is not None and before.as_of is not None:
        return check.as_of > before.as_of
    shows = check.version is not None or check.as_of is not None or check.evidence is not None or check.source != ""
    return check.consistent or not (before.consistent and shows)
