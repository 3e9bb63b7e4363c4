"""What a reply is held against: tools, the calls of the ledger, and the run that holds all three."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from claimx.types.kinds import CallStatus, CompletionState


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool that the agent could have called; `parameters` is its JSON schema where one is known."""

    name: str
    description: str = ""
    parameters: Mapping[str, Any] | None = None

    def to_dict(self) -> dict[str, Any]:
        out: dict[str, Any] = {"name": self.name}
        if self.description:
            out["description"] = self.description
        if self.parameters is not None:
            out["parameters"] = dict(self.parameters)
        return out

    @classmethod
    def from_any(cls, data: Any) -> Self:
        """Read a name, a (name, description) pair, a plain or OpenAI-style mapping, or an object with `.name`."""
        if isinstance(data, cls):
            return data
        if isinstance(data, str):
            return cls(data)
        if isinstance(data, Mapping):
            inner = data.get("function")
            spec = inner if isinstance(inner, Mapping) else data
            name = spec.get("name")
            if not isinstance(name, str) or not name:
                raise ValueError(f"a tool needs a name, got keys {sorted(map(str, spec))}")
            schema = spec.get("parameters") or spec.get("input_schema") or spec.get("inputSchema")
            return cls(name, str(spec.get("description") or ""), schema if isinstance(schema, Mapping) else None)
        if isinstance(data, Sequence) and data and isinstance(data[0], str):
            return cls(data[0], str(data[1]) if len(data) > 1 and data[1] else "")
        name = getattr(data, "name", None)
        if isinstance(name, str) and name:
            return cls(name, str(getattr(data, "description", "") or ""))
        raise ValueError(f"a tool is a name, a pair, a mapping or an object with .name, not {type(data).__name__}")


_CALL_STATUSES = frozenset(CallStatus)
_ENTRY_FIELDS = frozenset(
    {"id", "tool", "args", "result", "status", "started_at", "ended_at", "error", "parent_id", "turn", "captured"}
)


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """One call as the executor recorded it. `result` is any JSON value or text, None when nothing was stored; `state` is
    the completion state of the action that the call belongs to, None when nobody keeps one."""

    id: str
    tool: str
    args: Any = None
    result: Any = None
    status: CallStatus = CallStatus.SUCCESS
    started_at: str | float | None = None
    ended_at: str | float | None = None
    error: str | None = None
    parent_id: str | None = None
    turn: int | None = None
    captured: bool = True
    extra: Mapping[str, Any] = field(default_factory=dict)
    state: CompletionState | None = None

    def to_dict(self) -> dict[str, Any]:
        out: dict[str, Any] = {
            "id": self.id,
            "tool": self.tool,
            "args": self.args,
            "result": self.result,
            "status": str(self.status),
        }
        for key in ("started_at", "ended_at", "error", "parent_id", "turn"):
            value = getattr(self, key)
            if value is not None:
                out[key] = value
        if not self.captured:
            out["captured"] = False
        if self.state is not None:
            out["state"] = str(self.state)
        return {**self.extra, **out}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], *, default_id: str = "c1") -> Self:
        known = _ENTRY_FIELDS
        # Other words under `state` are a recorder's own: they stay where they are.
        state = None
        if "state" in data:
            state = next((s for s in CompletionState if data["state"] == s), None)
            known = known if state is None else known | {"state"}
        tool = data.get("tool")
        if not isinstance(tool, str) or not tool:
            keys = [str(k) for k in data]
            near = next(
                (k for k in keys if k.strip().lower().strip(" :_-.") in ("tool", "tools", "tool_name", "name")), None
            )
            hint = f"; did you mean 'tool' by {near!r}?" if near is not None and near != "tool" else ""
            listed = ", ".join(keys[:8]) or "none"
            raise ValueError(
                f"a ledger entry needs 'tool', the name of the tool that was called (fields: {listed}){hint}"
            )
        status = data.get("status", "success")
        if status is not None and not isinstance(status, str):
            raise ValueError(f"'status' is {type(status).__name__}, expected success, error, timeout or unknown")
        aliases = {"ok": "success", "failed": "error", "failure": "error"}
        if status is not None and aliases.get(status, status) not in _CALL_STATUSES:
            raise ValueError(f"'status' is {status!r}, expected success, error, timeout or unknown")
        return cls(
            id=str(data["id"]) if data.get("id") is not None else default_id,
            tool=tool,
            args=data.get("args"),
            result=data.get("result"),
            status=CallStatus(aliases.get(status, status)) if status is not None else CallStatus.UNKNOWN,
            started_at=data.get("started_at"),
            ended_at=data.get("ended_at"),
            error=data.get("error"),
            parent_id=data.get("parent_id"),
            turn=data.get("turn"),
            captured=data.get("captured", True),
            extra={k: v for k, v in data.items() if k not in known},
            state=state,
        )


@dataclass(frozen=True, slots=True)
class Run:
    """A reply with the ledger and the tools of its run; `now` is an ISO 8601 time that relative dates are read against."""

    reply: str
    ledger: tuple[LedgerEntry, ...] = ()
    tools: tuple[Tool, ...] = ()
    id: str = ""
    user: str | None = None
    now: str | None = None
    extra: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        out: dict[str, Any] = {**self.extra, "id": self.id, "reply": self.reply}
        out["tools"] = [t.to_dict() for t in self.tools]
        out["ledger"] = [e.to_dict() for e in self.ledger]
        for key in ("user", "now"):
            if getattr(self, key) is not None:
                out[key] = getattr(self, key)
        return out
