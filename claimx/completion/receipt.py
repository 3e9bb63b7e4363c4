"""The receipt of one attempt: what the runtime observed. It is issued once, never changed, and proves no final state."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Self

from claimx.completion.intent import digest_of
from claimx.completion.outcome import TypedOutcome


class RuntimeStatus(StrEnum):
    """How the call ended for the runtime. `lost` is an attempt that was begun and never came back to tell."""

    COMPLETED = "completed"
    ERROR = "error"
    TIMEOUT = "timeout"
    CANCELLED = "cancelled"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class Opening:
    """An attempt that has begun: written before the call, so that no write goes unnoticed."""

    action_id: str
    step: str
    attempt: int
    receipt_id: str
    started_at: float
    lease_until: float
    arguments: str = ""
    call_id: str | None = None

    def to_dict(self) -> dict[str, Any]:
        return {
            "action_id": self.action_id,
            "step": self.step,
            "attempt": self.attempt,
            "receipt_id": self.receipt_id,
            "started_at": self.started_at,
            "lease_until": self.lease_until,
            "arguments": self.arguments,
            "call_id": self.call_id,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        return cls(**data)


@dataclass(frozen=True, slots=True)
class AttemptReceipt:
    """The receipt of one attempt.

    `arguments` is the digest of the arguments, `call_id` the id of the call in the ledger or at the provider of the
    model, `versions` are those of policy, contract and release, `evidence` points to protected raw material.
    """

    receipt_id: str
    action_id: str
    step: str
    attempt: int
    tool: str
    tenant_id: str
    actor: str
    target: Mapping[str, Any]
    arguments: str
    started_at: float
    finished_at: float
    runtime_status: RuntimeStatus
    outcome: TypedOutcome
    idempotency_key: str
    call_id: str | None = None
    versions: Mapping[str, str] = field(default_factory=dict)
    evidence: str | None = None

    @property
    def digest(self) -> str:
        """The digest over everything else."""
        return digest_of(self._fields())

    def _fields(self) -> dict[str, Any]:
        return {
            "receipt_id": self.receipt_id,
            "action_id": self.action_id,
            "step": self.step,
            "attempt": self.attempt,
            "tool": self.tool,
            "tenant_id": self.tenant_id,
            "actor": self.actor,
            "target": dict(self.target),
            "arguments": self.arguments,
            "started_at": self.started_at,
            "finished_at": self.finished_at,
            "runtime_status": str(self.runtime_status),
            "outcome": self.outcome.to_dict(),
            "idempotency_key": self.idempotency_key,
            "call_id": self.call_id,
            "versions": dict(self.versions),
            "evidence": self.evidence,
        }

    def to_dict(self) -> dict[str, Any]:
        return {**self._fields(), "digest": self.digest}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read a receipt. Raises ValueError when its digest does not fit."""
        fields = {k: v for k, v in data.items() if k != "digest"}
        found = cls(
            **{
                **fields,
                "runtime_status": RuntimeStatus(data["runtime_status"]),
                "outcome": TypedOutcome.from_dict(data["outcome"]),
            }
        )
        if data.get("digest") != found.digest:
            raise ValueError(f"the digest of receipt {found.receipt_id} does not fit: it was altered")
        return found
