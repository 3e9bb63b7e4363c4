"""Rollouts of Codex: response items in envelopes, the exit codes of commands read out of their outputs; `codex exec --json`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from claimx.adapters import codex_events, responses
from claimx.adapters.aside import Aside
from claimx.adapters.codex_agents import SPAWNS, Threads
from claimx.adapters.codex_outputs import outcome_of
from claimx.adapters.content import args_of, command_of, text_of
from claimx.adapters.conversation import Conversation
from claimx.adapters.found import ELSEWHERE, UNREADABLE, Found, Reading
from claimx.adapters.plain import first, mapping, text, word
from claimx.records import Record
from claimx.types import CallStatus, Tool

NAME = "codex"
#: What the agent could always have called.
TOOLS = (
    Tool("shell", "Run a shell command.", {"command": {"type": "string"}}),
    Tool("apply_patch", "Edit files with a patch.", {"patch": {"type": "string"}}),
)
#: Items that are neither words nor deeds of the agent.
_SILENT = frozenset({"ghost_snapshot", "compaction_summary", "compaction_trigger", "other", None})
_TOLD = frozenset({"response_item", "event_msg"})
_ENVELOPES = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted"})
#: Text of the client's own in the user's name.
_CLIENTS = re.compile(r"\s*(?:<[a-z_]+(?: [a-z_]+)?>|# AGENTS\.md instructions)")
_FILES = re.compile(r"^\*\*\* (Add|Update|Delete) File: (.+)$", re.MULTILINE)


def matches(sample: Sequence[Any]) -> bool:
    """Whether records are lines of a rollout."""
    return any(
        (word(r, "type") in _ENVELOPES and isinstance(mapping(r).get("payload"), Mapping))
        or codex_events.fits(mapping(r))
        or _is_old_head(mapping(r))
        for r in sample
    )


def _is_old_head(data: Mapping[str, Any]) -> bool:
    """Whether a line is the head that the first versions wrote, whose items stand in no envelopes."""
    return "type" not in data and {"id", "timestamp", "instructions"} <= data.keys()


def read(records: Iterable[Record], reading: Reading) -> Iterator[Found]:
    """Read lines; a new session's head begins a new conversation."""
    rollout: _Rollout | None = None
    is_cut = False
    for record in records:
        if record.error is not None:
            is_cut = True
            yield Found(record.line, error=record.error)
            continue
        data = mapping(record.data)
        payload = mapping(data.get("payload"))
        started = word(data, "type") in ("session_meta", "thread.started") or _is_old_head(data)
        id = str(first(payload or data, "id", "thread_id") or "") if started else ""
        # A session that is taken up again may tell its head once more.
        if started and rollout is not None and id and id == rollout.id:
            started = False
        if rollout is None or (started and rollout.has_items):
            if rollout is not None:
                yield from rollout.conversation.finish()
            rollout = _Rollout(id, record.line, reading)
        if is_cut or (word(data, "type") == "compacted" and rollout.conversation.is_fresh):
            rollout.conversation.lacks(UNREADABLE if is_cut else ELSEWHERE)
            is_cut = False
        rollout.has_items = rollout.has_items or not started
        if word(data, "type") in ("session_meta", "turn_context"):
            rollout.conversation.tell(model=payload.get("model"), version=payload.get("cli_version"))
        rollout.arrive(text(data.get("timestamp")))
        if word(data, "type") in _TOLD:
            rollout.line(data, record.line)
        elif codex_events.fits(data):
            codex_events.feed(data, rollout.conversation)
        elif "payload" not in data and responses.fits(data):
            rollout.take(data, data.get("timestamp"), record.line)
        yield from rollout.conversation.drain()
    if rollout is not None:
        yield from rollout.conversation.finish()


class _Rollout:
    """A rollout on its way through, or (with a conversation) that of a sub-agent, whose calls go where it belongs."""

    def __init__(self, id: str, line: int, reading: Reading, talk: Conversation | None = None) -> None:
        self.id = id
        self.is_aside = talk is not None
        self.conversation = talk or Conversation(id=id, line=line, turns=reading.turns, tools=TOOLS)
        self.reading = reading
        self.has_items = False
        self.threads = Threads(reading.path, id)
        self.asides: list[tuple[Aside, _Rollout]] = []
        #: Commands that still ran when their call came back: session -> call.
        self.running: dict[str, str] = {}
        self.waiting: dict[str, str] = {}
        self.parts: dict[str, list[str]] = {}
        self.spawns: set[str] = set()
        #: Calls that started sub-agents of which nothing is told so far.
        self.unseen: set[str] = set()
        self.seen: set[str] = set()

    def arrive(self, now: str | None) -> None:
        """Take what sub-agents had done by a time."""
        if now is None:
            return
        for aside, rollout in self.asides:
            with self.conversation.inside(aside.owner, aside.name):
                for record in aside.until(now):
                    data = mapping(record.data)
                    rollout.arrive(text(data.get("timestamp")))
                    if record.error is not None:
                        self.conversation.problem(f"{aside.path.name}: {record.error}")
                    elif word(data, "type") in _TOLD:
                        rollout.line(data, 0)
                rollout.arrive(now)
        self.asides = [(a, r) for a, r in self.asides if r.asides or not a.is_done]

    def line(self, data: Mapping[str, Any], number: int) -> None:
        """Take a line: an item of the model's, or an event that tells which thread a call started."""
        payload = mapping(data.get("payload"))
        if word(data, "type") == "response_item":
            self.take(payload, data.get("timestamp"), number)
        elif word(payload, "type") == "collab_agent_spawn_end":
            self._spawned(str(payload.get("call_id") or ""), payload)

    def _spawned(self, call: str, told: Any) -> None:
        aside = self.threads.started_by(call, told)
        if aside is not None:
            self.unseen.discard(call)
            self.seen.add(call)
            reading = Reading(self.reading.turns, aside.path)
            self.asides.append((aside, _Rollout(aside.path.stem[-36:], 0, reading, self.conversation)))

    def take(self, item: Mapping[str, Any], at: Any, line: int) -> None:
        kind = word(item, "type")
        id = str(first(item, "call_id", "id") or "")
        if self.is_aside and self._is_inherited(str(kind), id):
            return
        if kind == "message":
            self._message(item, at, line)
        elif kind == "function_call":
            self._call(id, item, at)
        elif kind == "custom_tool_call" and item.get("name") == "apply_patch":
            self._patch(id, str(item.get("input") or ""), at)
        elif kind in ("function_call_output", "custom_tool_call_output"):
            self._output(id, item.get("output"), at)
        elif responses.fits(item):
            responses.feed(item, self.conversation)
        elif kind not in _SILENT:
            self.conversation.lacks(UNREADABLE)

    def _is_inherited(self, kind: str, id: str) -> bool:
        """Whether a sub-agent's rollout repeats what the thread did that it was forked from."""
        known = self.conversation.has(id)
        return known and not ("output" in kind and self.conversation.waits(id))

    def _message(self, item: Mapping[str, Any], at: Any, line: int) -> None:
        said = text_of(item.get("content"))
        if word(item, "role") == "assistant":
            for id in self.unseen:
                self.conversation.is_unseen(id)
            self.unseen.clear()
            self.conversation.message()
            self.conversation.say(said, line=line, at=at)
        elif word(item, "role") == "user" and not _CLIENTS.match(said):
            self.conversation.user(said)

    def _call(self, id: str, item: Mapping[str, Any], at: Any) -> None:
        name = str(item.get("name") or "unnamed")
        args = args_of(item.get("arguments"))
        if isinstance(args, Mapping):
            command = first(args, "command", "cmd")
            if command is not None:
                args = {
                    "command": command_of(command),
                    **{k: v for k, v in args.items() if k not in ("command", "cmd")},
                }
            if name == "apply_patch" and isinstance(args.get("input"), str):
                self._patch(id, args["input"], at)
                return
            if name == "write_stdin" and str(args.get("session_id")) in self.running:
                self.waiting[id] = self.running[str(args["session_id"])]
        if name in SPAWNS:
            self.spawns.add(id)
        self.conversation.call(id, name, args, at=at, namespace=text(item.get("namespace")))

    def _patch(self, id: str, patch: str, at: Any) -> None:
        """A patch is a call for each file that it touches, so that each stands for its own."""
        found = list(_FILES.finditer(patch))
        ids = []
        for i, m in enumerate(found or [None]):
            name = id if i == 0 else f"{id}/{i + 1}"
            if m is None:
                args: dict[str, Any] = {"patch": patch}
            else:
                end = found[i + 1].start() if i + 1 < len(found) else len(patch)
                args = {"path": m.group(2).strip(), "operation": m.group(1).lower(), "patch": patch[m.start() : end]}
            ids.append(self.conversation.call(name, "apply_patch", args, at=at))
        self.parts[id] = ids

    def _output(self, id: str, output: Any, at: Any) -> None:
        result, status, session = outcome_of(output)
        error = text(result) if status is CallStatus.ERROR else None
        if session is not None:
            self.running[session] = self.waiting.get(id, id)
        elif id in self.waiting:
            self.conversation.amend(self.waiting.pop(id), result, status)
        if id in self.spawns and status is not CallStatus.ERROR:
            self.spawns.discard(id)
            self._spawned(id, result)
            if id not in self.seen:
                self.unseen.add(id)
        for part in self.parts.pop(id, [id]):
            self.conversation.result(part, result, status=status, error=error, at=at)
