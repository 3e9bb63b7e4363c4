"""What is to be done: one action with one stable id over all attempts, processes and restarts."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, time, timedelta
from decimal import Decimal
from enum import Enum
from pathlib import PurePath
from typing import Any, Self
from uuid import UUID

from claimx.errors import CompletionError

#: Nested deeper than this is no target.
MAX_DEPTH = 20


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


def checked_target(target: Any) -> dict[str, Any]:
    """Return a target as JSON; decimals, dates, ids and paths become text. Raises CompletionError for what has no lasting
    form: it could not tell one action from another.

    >>> checked_target({"order": Decimal("17"), "lines": (1, 2)})
    {'order': '17', 'lines': [1, 2]}
    """
    if not isinstance(target, Mapping):
        raise CompletionError(f"a target is an object (such as {{'ticket_id': 'T-1'}}), not {type(target).__name__}")
    return {_key(k, "target"): _value(v, f"target.{k}", 0) for k, v in target.items()}


def _value(value: Any, path: str, depth: int) -> Any:
    if isinstance(value, Enum):
        return _value(value.value, path, depth)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Decimal | UUID | date | time | timedelta | PurePath):
        return str(value)
    if depth < MAX_DEPTH and isinstance(value, Mapping):
        return {_key(k, path): _value(v, f"{path}.{k}", depth + 1) for k, v in value.items()}
    if depth < MAX_DEPTH and isinstance(value, list | tuple):
        return [_value(v, f"{path}[{i}]", depth + 1) for i, v in enumerate(value)]
    what = f"nested deeper than {MAX_DEPTH} levels" if depth >= MAX_DEPTH else f"of type {type(value).__name__}"
    raise CompletionError(
        f"{path:.200} is {what}: a target holds texts, numbers, lists and objects; give the id that names the thing"
    )


def _key(key: Any, path: str) -> str:
    if not isinstance(key, str | int) or isinstance(key, bool):
        raise CompletionError(f"a name in {path} is {key!r:.80}, expected text")
    return str(key)


def same_action(kept: Intent, asked: Intent) -> Intent:
    """Return the intent that is kept. Raises CompletionError when it is another action under the same id."""
    for name in ("operation", "tenant_id", "target"):
        if getattr(kept, name) != getattr(asked, name):
            raise CompletionError(
                f"action {kept.action_id} is known with {name} {getattr(kept, name)!r:.120}, not {getattr(asked, name)!r:.120}: "
                "an action_id names one action for good"
            )
    return kept


def derive_action_id(operation: str, *, tenant_id: str = "", target: Any = None, request: str = "") -> str:
    """Derive an action's id from what it is: the same operation on the same target for the same request is the same
    action in every process.

    `request` tells two requests for the same thing apart: the id of the user's message, of the workflow run, of the job.

    >>> derive_action_id("close_ticket", target={"ticket_id": "T-1842"}, request="m17")
    'act_r53vy64ovcqjcz5tb5xko3ojdy'
    """
    parts = [operation, tenant_id, target, request]
    canonical = json.dumps(parts, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str)
    digest = hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).digest()[:16]
    return "act_" + base64.b32encode(digest).decode("ascii").rstrip("=").lower()


def digest_of(value: Any) -> str:
    """Return the digest of a JSON value, tagged with its algorithm; secrets stay out of what is kept of arguments.

    >>> digest_of({"b": 1, "a": 2}) == digest_of({"a": 2, "b": 1})
    True
    """
    canonical = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, default=str)
    return "sha256:" + hashlib.sha256(canonical.encode("utf-8", "surrogatepass")).hexdigest()
