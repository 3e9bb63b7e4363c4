"""What is to be done: one action with one stable id over all attempts, processes and restarts."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self


@dataclass(frozen=True, slots=True)
class Intent:
    """One intended business action. `steps` are the writes that make it up, one unnamed by default; `before` is the
    version of the record that was observed before the first write, None when it was not."""

    action_id: str
    operation: str
    tenant_id: str = ""
    target: Mapping[str, Any] = field(default_factory=dict)
    request: str = ""
    actor: str = ""
    steps: tuple[str, ...] = ("",)
    created_at: str = ""
    before: int | None = None

    def key_of(self, step: str) -> str:
        """Return the idempotency key of a step: the action's id, with the step's name where it has one."""
        return f"{self.action_id}:{step}" if step else self.action_id

    def to_dict(self) -> dict[str, Any]:
        return {
            "action_id": self.action_id,
            "operation": self.operation,
            "tenant_id": self.tenant_id,
            "target": dict(self.target),
            "request": self.request,
            "actor": self.actor,
            "steps": list(self.steps),
            "created_at": self.created_at,
            "before": self.before,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        return cls(**{**data, "steps": tuple(data["steps"])})


def derive_action_id(operation: str, *, tenant_id: str = "", target: Any = None, request: str = "") -> str:
    """Derive an action's id from what it is: the same operation on the same target for the same request is the same
    action in every process.

    `request` tells two requests for the same thing apart: the id of the user's message, of the workflow run, of the job.

    >>> derive_action_id("close_ticket", target={"ticket_id": "T-1842"}, request="m17")
    'act_r53vy64ovcqjcz5tb5xko3ojdy'
    """
    parts = [operation, tenant_id, target, request]
    canonical = json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str)
    digest = hashlib.sha256(canonical.encode("utf-8")).digest()[:16]
    return "act_" + base64.b32encode(digest).decode("ascii").rstrip("=").lower()


def digest_of(value: Any) -> str:
    """Return the digest of a JSON value, tagged with its algorithm; secrets stay out of what is kept of arguments.

    >>> digest_of({"b": 1, "a": 2}) == digest_of({"a": 2, "b": 1})
    True
    """
    canonical = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str)
    return "sha256:" + hashlib.sha256(canonical.encode("utf-8")).hexdigest()
