"""Sessions of Claude Code: its JSON Lines with inline sub-agents or those in files beside, and its `stream-json` output."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from claimx.adapters import anthropic
from claimx.adapters.claude_agents import Agents
from claimx.adapters.claude_blocks import (
    blocks_of,
    by_hand,
    is_clients,
    is_message,
    is_result,
    outcome_of,
    text_in,
    time_of,
)
from claimx.adapters.content import text_of
from claimx.adapters.conversation import Conversation
from claimx.adapters.found import ELSEWHERE, UNREADABLE, Found, Reading
from claimx.adapters.plain import first, mapping, text, word
from claimx.records import Record
from claimx.types import Tool

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
_AGENT = re.compile(r"\bagentId: ([A-Za-z0-9_-]{4,40})")


def matches(sample: Sequence[Any]) -> bool:
    """Whether records are lines of a session."""
    return any(is_message(mapping(r)) for r in sample)


def read(records: Iterable[Record], reading: Reading) -> Iterator[Found]:
    """Read lines; each session is one conversation."""
    session: Session | None = None
    is_cut = False
    for record in records:
        if record.error is not None:
            is_cut = True
            yield Found(record.line, error=record.error)
            continue
        data = mapping(record.data)
        id = text(first(data, "sessionId", "session_id"))
        if session is None or (
            is_message(data) and id and session.id and id != session.id and not session.goes_on(data)
        ):
            if session is not None:
                yield from session.conversation.finish()
            session = Session(id or "", record.line, reading)
        if is_cut:
            session.conversation.lacks(UNREADABLE)
            is_cut = False
        session.take(data, record.line)
        yield from session.conversation.drain()
    if session is not None:
        yield from session.conversation.finish()


class Session:
    """One session on its way through: its lines go into a conversation, those of its sub-agents when their time has come.

    `is_side` is whether the lines are a sub-agent's own, None to tell by what they say.
    """

    def __init__(self, id: str, line: int, reading: Reading, *, is_side: bool | None = None) -> None:
        self.id = id
        self.conversation = Conversation(id=id, line=line, turns=reading.turns, tools=TOOLS)
        self.agents = Agents(None if is_side else reading.path, self._has_started)
        self.is_side = bool(is_side)
        self._is_open = is_side is None
        self._seen: set[str] = set()
        self._started: dict[str, str] = {}
        self._sides: dict[str, str | None] = {}
        self._shells: set[str] = set()
        #: The call of a command that the user runs.
        self._users: str | None = None
        #: Calls that started sub-agents of which something is told.
        self._seen_sides: set[str | None] = set()

    def take(self, data: Mapping[str, Any], line: int) -> None:
        """Take a line. What is no message is of the client: titles, snapshots, queues."""
        if not is_message(data):
            self._clients(data, line)
        elif data.get("isCompactSummary"):
            if self.conversation.is_fresh:
                self.conversation.lacks(ELSEWHERE)
        elif self._is_news(data):
            if not self.agents.is_idle:
                self.arrive(time_of(data))
            self._tell_side(data)
            parent = text(data.get("parent_tool_use_id"))
            if parent is None and (self.is_side or not data.get("isSidechain")):
                self._message(data, line)
            else:
                self._aside(data, line, owner=parent)

    def goes_on(self, data: Mapping[str, Any]) -> bool:
        """Whether a line answers one of this session, under whatever name: that of a session taken up again."""
        return text(data.get("parentUuid")) in self._seen

    def _clients(self, data: Mapping[str, Any], line: int) -> None:
        kind = word(data, "type")
        if kind == "system" and isinstance(data.get("tools"), list):
            for tool in data["tools"]:
                self.conversation.tool(tool)
        elif kind == "progress":
            self._progress(data, line)

    def arrive(self, now: str | None) -> None:
        """Take what sub-agents with files of their own had done by a time, or (None) have done at all."""
        for agent, record in () if self.agents.is_idle else self.agents.until(now):
            if record.error is not None:
                self.conversation.problem(f"{agent.path.name}: {record.error}")
            elif is_message(data := mapping(record.data)) and self._is_news(data):
                self._aside({**data, "agentId": agent.name}, 0, owner=agent.owner)

    def _has_started(self, owner: str | None) -> bool:
        """Whether a call that starts a sub-agent has been told: the one of this id, or (None) any."""
        return self.conversation.has(owner) if owner else bool(self._started)

    def _is_news(self, data: Mapping[str, Any]) -> bool:
        """Whether a line stands here for the first time: a resumed session repeats those that it continues."""
        uuid = text(data.get("uuid"))
        if uuid in self._seen or data.get("isApiErrorMessage"):
            return False
        if uuid:
            self._seen.add(uuid)
        return True

    def _tell_side(self, data: Mapping[str, Any]) -> None:
        """Lines marked as aside are the session's own as long as there are no others: then it is a sub-agent's file."""
        if not self.id:
            self.id = self.conversation.id = text(first(data, "sessionId", "session_id")) or ""
        if self._is_open:
            self.is_side = bool(data.get("isSidechain"))
            self._is_open = self.is_side

    def _progress(self, data: Mapping[str, Any], line: int) -> None:
        """A sub-agent's message that is told while it works."""
        progress = mapping(data.get("data"))
        if word(progress, "type") == "agent_progress":
            self._seen_sides.add(text(data.get("parentToolUseID")))
            inner = {"timestamp": data.get("timestamp"), **mapping(progress.get("message"))}
            with self.conversation.inside(text(data.get("parentToolUseID")), text(progress.get("agentId"))):
                self._message(inner, line)

    def _aside(self, data: Mapping[str, Any], line: int, *, owner: str | None) -> None:
        agent = text(first(data, "agentName", "attributionAgent", "agentId"))
        owner = owner or self._owner(data)
        self._seen_sides.add(owner)
        with self.conversation.inside(owner, agent):
            self._message(data, line)

    def _owner(self, data: Mapping[str, Any]) -> str | None:
        """The call that started a sub-agent: the one with its prompt, else the last that is still open, else its own id."""
        agent = str(data.get("agentId") or "")
        if data.get("parentUuid") is None or agent not in self._sides:
            prompt = text_in(blocks_of(data)).strip()
            same = [k for k, p in self._started.items() if p.strip() == prompt and prompt]
            open_ = [k for k in self._started if self.conversation.waits(k)]
            self._sides[agent] = next(reversed(same or open_), agent or None)
        return self._sides[agent]

    def _message(self, data: Mapping[str, Any], line: int) -> None:
        if word(data, "type") == "assistant":
            self._says(data, line)
            return
        blocks = blocks_of(data)
        for block in blocks:
            if is_result(block):
                self._result(block, mapping(data.get("toolUseResult")), time_of(data))
        said = text_in(blocks)
        self._by_hand(said, data)
        if said and not data.get("isMeta") and not is_clients(said):
            self.conversation.user(said)

    def _by_hand(self, said: str, data: Mapping[str, Any]) -> None:
        """A command that the user ran in the agent's shell: what it showed the agent has seen."""
        command, shown = by_hand(said)
        if command is not None:
            self._users = self.conversation.call(None, "Bash", {"command": command}, at=time_of(data), agent="user")
        elif shown is not None and self._users is not None:
            self.conversation.result(self._users, {"output": shown}, at=time_of(data))
            self._users = None

    def _says(self, data: Mapping[str, Any], line: int) -> None:
        message = mapping(data.get("message"))
        content = message.get("content")
        if isinstance(content, list):
            content = [b for b in content if not self._is_known(mapping(b))]
            for block in map(mapping, content):
                name = word(block, "name")
                if name in _STARTS and (id := word(block, "id")):
                    self._started[id] = str(mapping(block.get("input")).get("prompt") or "")
                elif name in _SHELLS and (id := word(block, "id")):
                    self._shells.add(id)
        self.conversation.line = line or self.conversation.line
        if not self.conversation.muted:
            self.conversation.tell(model=message.get("model"), version=data.get("version"))
        key = text(message.get("id")) or text(data.get("uuid"))
        said = {"role": word(message, "role") or "assistant", "content": content}
        anthropic.feed(said, self.conversation, at=data.get("timestamp"), key=key)

    def _is_known(self, block: Mapping[str, Any]) -> bool:
        """Whether a call was told before: a sub-agent may be told inline and in a file of its own."""
        id = block.get("id")
        known = None if id is None else self.conversation.entry(str(id))
        return known is not None and (known.tool, known.args) == (block.get("name"), block.get("input"))

    def _result(self, block: Mapping[str, Any], told: Mapping[str, Any], at: str | None) -> None:
        id = str(block.get("tool_use_id") or "")
        if self.conversation.has(id) and not self.conversation.waits(id):
            return
        if id in self._started:
            named = _AGENT.search(text_of(block.get("content")))
            agent = text(told.get("agentId")) or (named.group(1) if named else "")
            self.agents.name(agent, id)
            self.arrive(at)
            if id not in self._seen_sides and not block.get("is_error"):
                self.conversation.is_unseen(id)
        if word(block, "type") != "tool_result":
            anthropic.feed({"role": "user", "content": [block]}, self.conversation, at=at)
            return
        result, status, error = outcome_of(block, told, is_shell=id in self._shells)
        self.conversation.result(id, result, status=status, error=error, at=at, is_clients=True)
