"""Lines as Claude Code and Codex write them, results as tau-bench and tau2-bench write them; the contents are ours."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

SESSION = "5f0c1d7e-0000-4000-8000-000000000001"


def write_lines(path: Path, *rows: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join((r if isinstance(r, str) else json.dumps(r)) + "\n" for r in rows), encoding="utf-8")
    return path


class Claude:
    """Builds the lines of a session; every line follows the one before it."""

    def __init__(self, session: str = SESSION, **fields: Any) -> None:
        self.session, self.fields, self.number, self.last = session, fields, 0, None

    def _line(self, kind: str, message: dict[str, Any], **more: Any) -> dict[str, Any]:
        self.number += 1
        uuid = f"{self.session[:4]}-{id(self) % 9973}-{self.number}"
        line = {
            "parentUuid": self.last, "isSidechain": False, "userType": "external", "cwd": "/home/dev/shop", "sessionId": self.session,
            "version": "2.1.12", "gitBranch": "main", "type": kind, "message": message, "uuid": uuid,
            "timestamp": f"2026-01-05T10:{self.number:02d}:00.000Z", **self.fields, **more,
        }  # fmt: skip
        self.last = uuid
        return line

    def user(self, text: str, **more: Any) -> dict[str, Any]:
        return self._line("user", {"role": "user", "content": text}, **more)

    def block(self, block: dict[str, Any], message: str = "", **more: Any) -> dict[str, Any]:
        """One content block a line, as the client writes them; blocks of one answer share the message's id."""
        data = {
            "id": message or f"msg_{self.number}",
            "type": "message",
            "role": "assistant",
            "model": "claude",
            "content": [block],
        }
        return self._line("assistant", data, **more)

    def text(self, text: str, message: str = "", **more: Any) -> dict[str, Any]:
        return self.block({"type": "text", "text": text}, message, **more)

    def call(self, id: str, name: str, message: str = "", more: Any = None, **input: Any) -> dict[str, Any]:
        return self.block({"type": "tool_use", "id": id, "name": name, "input": input}, message, **(more or {}))

    def result(
        self, id: str, content: Any, *, is_error: bool | None = None, result: Any = None, **more: Any
    ) -> dict[str, Any]:
        block: dict[str, Any] = {"tool_use_id": id, "type": "tool_result", "content": content}
        if is_error is not None:
            block["is_error"] = is_error
        extra = {"toolUseResult": result} if result is not None else {}
        return self._line("user", {"role": "user", "content": [block]}, **extra, **more)


def codex(kind: str, **payload: Any) -> dict[str, Any]:
    return {"timestamp": "2026-01-05T10:00:00.000Z", "type": kind, "payload": payload}


def codex_item(type: str, **payload: Any) -> dict[str, Any]:
    return codex("response_item", type=type, **payload)


def codex_said(role: str, text: str) -> dict[str, Any]:
    part = "output_text" if role == "assistant" else "input_text"
    return codex_item("message", role=role, content=[{"type": part, "text": text}])


def codex_call(id: str, name: str, **arguments: Any) -> dict[str, Any]:
    return codex_item("function_call", name=name, arguments=json.dumps(arguments), call_id=id)


def codex_output(id: str, output: Any) -> dict[str, Any]:
    return codex_item("function_call_output", call_id=id, output=output)


CODEX_META = codex(
    "session_meta", id="rollout-1", timestamp="2026-01-05T10:00:00.000Z", cwd="/home/dev/shop", originator="codex_cli_rs",
    cli_version="0.65.0", instructions=None, source="cli", model_provider="openai",
)  # fmt: skip

TAU = [
    {
        "task_id": 3,
        "reward": 0.0,
        "info": {"task": {"user_id": "dana", "instruction": "..."}},
        "traj": [
            {"role": "system", "content": "# Airline policy"},
            {"role": "user", "content": "Please cancel GV1N64."},
            {"role": "assistant", "content": None, "function_call": None,
             "tool_calls": [{"id": "call_a", "type": "function", "function": {"name": "cancel_reservation", "arguments": '{"reservation_id": "GV1N64"}'}}]},
            {"role": "tool", "tool_call_id": "call_a", "name": "cancel_reservation", "content": "Error: reservation not found"},
            {"role": "assistant", "content": "Your reservation GV1N64 has been cancelled.", "tool_calls": None},
            {"role": "user", "content": "###STOP###"},
        ],
        "trial": 1,
    },
    {"task_id": 4, "reward": 0.0, "info": {"error": "timeout"}, "traj": [], "trial": 0},
]  # fmt: skip

TAU2 = {
    "timestamp": "2026-01-05T10:00:00",
    "info": {
        "num_trials": 1,
        "environment_info": {
            "domain_name": "telecom",
            "policy": "...",
            "tool_defs": [{"type": "function", "function": {"name": "enable_roaming", "description": "Enable roaming.", "parameters": {}}}],
        },
    },
    "tasks": [{"id": "t1"}],
    "simulations": [
        {
            "id": "sim-1",
            "task_id": "t1",
            "trial": 0,
            "termination_reason": "user_stop",
            "messages": [
                {"role": "assistant", "content": "Hi! How can I help?", "tool_calls": None, "turn_idx": 0},
                {"role": "user", "content": "My phone has no data abroad.", "tool_calls": None, "turn_idx": 1},
                {"role": "assistant", "content": None, "turn_idx": 2,
                 "tool_calls": [{"id": "a1", "name": "enable_roaming", "arguments": {"line_id": "L1"}, "requestor": "assistant"},
                                {"id": "a2", "name": "get_line", "arguments": {"line_id": "L1"}, "requestor": "assistant"}]},
                {"role": "tool", "turn_idx": 3, "tool_messages": [
                    {"id": "a1", "role": "tool", "content": "Error: line is suspended", "requestor": "assistant", "error": True},
                    {"id": "a2", "role": "tool", "content": '{"status": "suspended"}', "requestor": "assistant", "error": False}]},
                {"role": "user", "content": None, "turn_idx": 4,
                 "tool_calls": [{"id": "u1", "name": "toggle_data", "arguments": {}, "requestor": "user"}]},
                {"id": "u1", "role": "tool", "content": "Data is on", "requestor": "user", "error": False, "turn_idx": 5},
                {"role": "assistant", "content": "I've enabled roaming on line L1.", "tool_calls": None, "turn_idx": 6},
            ],
        }
    ],
}  # fmt: skip
