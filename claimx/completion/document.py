"""The state of an action as one document: user interface, workflow, alerts and audit read this and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Self

from claimx.completion.intent import Intent
from claimx.completion.receipt import AttemptReceipt
from claimx.completion.verification import CheckRecord, Finding
from claimx.types import CompletionState


@dataclass(frozen=True, slots=True)
class Completion:
    """The completion of one action.

    `reason` says in one line, for operators, why the state is what it is; `safe_reason` may be told to a user.
    `settled` means that nothing more will be tried or read by itself. `executed` is false where no attempt can have had
    an effect. `disputed` tells that receipt and state of record disagree, `escalated` that a person must look.
    `next_check_at` is when the next read is due. `revision` grows with every receipt and check.
    """

    intent: Intent
    state: CompletionState
    reason: str
    receipts: tuple[AttemptReceipt, ...] = ()
    checks: tuple[CheckRecord, ...] = ()
    safe_reason: str = ""
    postcondition: str = ""
    settled: bool = False
    executed: bool = True
    disputed: bool = False
    escalated: bool = False
    next_check_at: float | None = None
    deadline: float | None = None
    revision: int = 0

    @property
    def action_id(self) -> str:
        return self.intent.action_id

    @property
    def last_check(self) -> CheckRecord | None:
        return self.checks[-1] if self.checks else None

    def to_dict(self) -> dict[str, Any]:
        last = self.last_check
        return {
            "action_id": self.action_id,
            "tool_id": self.intent.operation,
            "tenant_id": self.intent.tenant_id,
            "target": dict(self.intent.target),
            "state": str(self.state),
            "reason": self.reason,
            "safe_reason": self.safe_reason,
            "settled": self.settled,
            "executed": self.executed,
            "disputed": self.disputed,
            "escalated": self.escalated,
            "verification": {
                "status": _status_of(self, last),
                "postcondition": self.postcondition,
                "checked_at": _iso(last.checked_at) if last else None,
                "evidence_version": last.version if last else None,
                "reason": last.reason if last else "",
            },
            "next_check_at": self.next_check_at,
            "deadline": self.deadline,
            "revision": self.revision,
            "intent": self.intent.to_dict(),
            "receipts": [r.to_dict() for r in self.receipts],
            "checks": [c.to_dict() for c in self.checks],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read a document. Raises ValueError when the digest of one of its receipts does not fit."""
        return cls(
            intent=Intent.from_dict(data["intent"]),
            state=CompletionState(data["state"]),
            reason=data["reason"],
            receipts=tuple(AttemptReceipt.from_dict(r) for r in data.get("receipts", ())),
            checks=tuple(CheckRecord.from_dict(c) for c in data.get("checks", ())),
            safe_reason=data.get("safe_reason", ""),
            postcondition=data["verification"]["postcondition"],
            settled=data["settled"],
            executed=data["executed"],
            disputed=data["disputed"],
            escalated=data["escalated"],
            next_check_at=data.get("next_check_at"),
            deadline=data.get("deadline"),
            revision=data["revision"],
        )


def _status_of(done: Completion, last: CheckRecord | None) -> str:
    if last is None:
        return "pending" if done.executed and not done.settled else "none"
    return "pending" if last.finding is Finding.NOT_YET else str(last.finding)


def _iso(seconds: float) -> str:
    return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
