"""Sessions of Claude Code: its JSON Lines with inline sub-agents or those in files beside, and its `stream-json` output."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from claimx.adapters import anthropic
from claimx.adapters.conversation import Conversation
from claimx.adapters.found import Found, Reading
from claimx.adapters.plain import first, mapping, sequence, text, word
from claimx.records import Record, parse_line
from claimx.types import CallStatus, Tool

NAME = "claude-code"
#: What the agent could always have called. A session that lists its tools overrides it.
TOOLS = (
    Tool("Bash", "Run a shell command.", {"command": {"type": "string"}}),
    Tool("Edit", "Edit a file.", {"file_path": {"type": "string"}, "new_string": {"type": "string"}}),
    Tool("Write", "Write a file.", {"file_path": {"type": "string"}, "content": {"type": "string"}}),
    Tool("NotebookEdit", "Edit a notebook.", {"notebook_path": {"type": "string"}}),
    Tool("Read", "Read a file.", {"file_path": {"type": "string"}}),
    Tool("Grep", "Search files for a pattern.", {"pattern": {"type": "string"}}),
    Tool("Glob", "Find files by name.", {"pattern": {"type": "string"}}),
    Tool("WebFetch", "Fetch a web page.", {"url": {"type": "string"}}),
    Tool("WebSearch", "Search the web.", {"query": {"type": "string"}}),
)
_STARTS = frozenset({"Task", "Agent"})
_SHELLS = frozenset({"Bash", "PowerShell"})
_EXIT = re.compile(r"^(?:Error: )?Exit code (\d+)\n?")
_AGENT = re.compile(r"\bagentId: ([A-Za-z0-9_-]{4,40})")
#: Text of the client's own in the user's name.
_CLIENTS = re.compile(
    r"\s*(?:<(?:command-name|command-message|local-command-\w+|system-reminder|bash-\w+)|Caveat: |\[Request interrupted)"
)


def matches(sample: Sequence[Any]) -> bool:
    """Whether records are lines of a session."""
    return any(_is_message(mapping(r)) for r in sample)


def _is_message(data: Mapping[str, Any]) -> bool:
    named = any(k in data for k in ("sessionId", "session_id", "parentUuid", "parent_tool_use_id"))
    return word(data, "type") in ("user", "assistant") and isinstance(data.get("message"), Mapping) and named


def read(records: Iterable[Record], reading: Reading) -> Iterator[Found]:
    """Read lines; each session is one conversation."""
    session: _Session | None = None
    for record in records:
        if record.error is not None:
            yield Found(record.line, error=record.error)
            continue
        data = mapping(record.data)
        id = text(first(data, "sessionId", "session_id"))
        if session is None or (_is_message(data) and id and session.id and id != session.id):
            if session is not None:
                yield from session.conversation.finish()
            session = _Session(id or "", record.line, reading)
        session.take(data, record.line)
        yield from session.conversation.drain()
    if session is not None:
        yield from session.conversation.finish()


class _Session:
    def __init__(self, id: str, line: int, reading: Reading) -> None:
        self.id = id
        self.path = reading.path
        self.conversation = Conversation(id=id, line=line, turns=reading.turns, tools=TOOLS)
        self.is_side: bool | None = None
        self.seen: set[str] = set()
        self.started: dict[str, str] = {}
        self.sides: dict[str, str | None] = {}
        self.shells: set[str] = set()
        self.read_agents: set[Path] = set()

    def take(self, data: Mapping[str, Any], line: int, *, side: bool | None = None) -> None:
        """Take a line. What is no message is of the client: titles, snapshots, queues."""
        if word(data, "subtype") == "init" and isinstance(data.get("tools"), list):
            for tool in data["tools"]:
                self.conversation.tool(tool)
        progress = mapping(data.get("data"))
        if word(data, "type") == "progress" and word(progress, "type") == "agent_progress":
            inner = mapping(progress.get("message"))
            with self.conversation.inside(text(data.get("parentToolUseID")), text(progress.get("agentId"))):
                self._message({"timestamp": data.get("timestamp"), **inner}, mapping(inner.get("message")), line)
        if not _is_message(data):
            return
        uuid = text(data.get("uuid"))
        if uuid in self.seen or data.get("isApiErrorMessage") or data.get("isCompactSummary"):
            return
        if uuid:
            self.seen.add(uuid)
        own_side = bool(data.get("isSidechain"))
        if self.is_side is None:
            self.is_side = own_side
            self.id = self.id or str(first(data, "sessionId", "session_id") or "")
            self.conversation.id = self.id
        parent = text(data.get("parent_tool_use_id"))
        inside = side if side is not None else (own_side and not self.is_side) or parent is not None
        message = mapping(data["message"])
        if not inside:
            self._message(data, message, line)
            return
        owner = parent or self._owner(data, message)
        agent = text(first(data, "agentName", "attributionAgent", "agentId"))
        with self.conversation.inside(owner, agent):
            self._message(data, message, line)

    def _message(self, data: Mapping[str, Any], message: Mapping[str, Any], line: int) -> None:
        at = data.get("timestamp")
        if word(data, "type") == "assistant":
            message = self._news(message)
            for block in map(mapping, sequence(message.get("content"))):
                id, name = text(block.get("id")), word(block, "name")
                if id and name in _STARTS:
                    self.started[id] = str(mapping(block.get("input")).get("prompt") or "")
                elif id and name in _SHELLS:
                    self.shells.add(id)
            self.conversation.line = line or self.conversation.line
            if not self.conversation.muted:
                self.conversation.tell(model=message.get("model"), version=data.get("version"))
            anthropic.feed(_located(message), self.conversation, at=at, key=text(message.get("id")))
            return
        for block in map(mapping, sequence(message.get("content"))):
            if word(block, "type") == "tool_result" and not self.conversation.is_done(str(block.get("tool_use_id"))):
                self._result(block, mapping(data.get("toolUseResult")), at)
        said = _said(message.get("content"))
        if said and not data.get("isMeta") and not _CLIENTS.match(said):
            self.conversation.user(said)

    def _news(self, message: Mapping[str, Any]) -> Mapping[str, Any]:
        """A message without the calls that were told before: sub-agents may be told inline and in a file of their own."""
        content = message.get("content")
        if not isinstance(content, list) or not any(self.conversation.has(str(mapping(b).get("id"))) for b in content):
            return message
        kept = [b for b in content if not self.conversation.has(str(mapping(b).get("id")))]
        return {**message, "content": kept}

    def _result(self, block: Mapping[str, Any], more: Mapping[str, Any], at: Any) -> None:
        id = str(block.get("tool_use_id") or "")
        if id in self.started:
            named = _AGENT.search(str(block.get("content")))
            self._read_agent(text(more.get("agentId")) or (named.group(1) if named else ""), id)
        if id not in self.shells:
            anthropic.feed({"role": "user", "content": [block]}, self.conversation, at=at)
            return
        from claimx.adapters.content import result_of

        output = result_of(block.get("content"))
        failed = bool(block.get("is_error"))
        code = _EXIT.match(output) if isinstance(output, str) else None
        if first(more, "backgroundTaskId", "backgroundedByUser") or more.get("interrupted"):
            self.conversation.result(id, output, status=CallStatus.UNKNOWN, at=at)
        elif code and isinstance(output, str):
            found = {"exit_code": int(code.group(1)), "output": output[code.end() :]}
            self.conversation.result(id, found, status=CallStatus.ERROR if failed else CallStatus.SUCCESS, at=at)
        elif failed:
            self.conversation.result(id, output, status=CallStatus.ERROR, error=text(output), at=at)
        else:
            self.conversation.result(id, {"exit_code": 0, "output": output}, at=at)

    def _owner(self, data: Mapping[str, Any], message: Mapping[str, Any]) -> str | None:
        """The call that started a sub-agent told inline: the one with its prompt, else the last that is still open."""
        agent = str(data.get("agentId") or "")
        if data.get("parentUuid") is None or agent not in self.sides:
            prompt = _said(message.get("content")).strip()
            same = [k for k, p in self.started.items() if p.strip() == prompt and prompt]
            open_ = [k for k in self.started if not self.conversation.is_done(k)]
            self.sides[agent] = (same or open_ or [None])[-1]  # type: ignore[list-item]
        return self.sides[agent]

    def _read_agent(self, agent: str, owner: str) -> None:
        """Read a sub-agent's own file beside the session's, before the result of the call that started it."""
        file = self._file_of(agent, owner)
        if file is None or file in self.read_agents:
            return
        self.read_agents.add(file)
        agent = file.stem.removeprefix("agent-")
        self.sides[agent] = owner
        for record in _lines(file):
            if record.error is not None:
                self.conversation.problem(f"{file.name}: {record.error}")
            else:
                self.take({**mapping(record.data), "agentId": agent, "parentUuid": ""}, 0, side=True)

    def _file_of(self, agent: str, owner: str) -> Path | None:
        """The file of the agent that a call started: by the agent's id, or by the call's in the note beside the file."""
        if self.path is None:
            return None
        folder = self.path.with_suffix("") / "subagents"
        if agent.replace("-", "").replace("_", "").isalnum():
            name = f"agent-{agent}.jsonl"
            places = (folder / name, self.path.parent / name, self.path.parent / "subagents" / name)
            found = next((p for p in places if p.is_file()), None)
            if found is not None:
                return found
        for beside in sorted(folder.glob("agent-*.meta.json")):
            meta = parse_line(beside.read_bytes(), 1).data
            file = beside.with_name(beside.name.removesuffix(".meta.json") + ".jsonl")
            if mapping(meta).get("toolUseId") == owner and file.is_file():
                return file
        return None


def _lines(file: Path) -> Iterator[Record]:
    with file.open("rb") as stream:
        for number, line in enumerate(stream, 1):
            if line.strip():
                yield parse_line(line, number)


def _located(message: Mapping[str, Any]) -> Mapping[str, Any]:
    return message if isinstance(word(message, "role"), str) else {**message, "role": "assistant"}


def _said(content: Any) -> str:
    if isinstance(content, str):
        return content
    return "\n".join(str(b.get("text") or "") for b in map(mapping, sequence(content)) if word(b, "type") == "text")
