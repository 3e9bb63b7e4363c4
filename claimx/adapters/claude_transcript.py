"""Claude Code sessions as runs: the JSONL transcript, read as a stream, gives one run for each assistant message with text.

A message is held against the calls before it, those of earlier turns included; calls of sub-agents count from the time they
ran and carry the id of the call that started the agent in `parent_id`. What is lost: thinking, images, the middle of very
long texts (see `MOST_TEXT`), and calls that only the file of a continued session holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, BinaryIO

from claimx.adapters.claude_blocks import blocks_of, shortened, status_of, text_in, text_of
from claimx.errors import FormatError, InputError
from claimx.records import Record, read_records
from claimx.types import CallStatus, LedgerEntry, Run, Tool

#: What the agent can call in every session; a transcript lists only what it did call.
BUILT_IN = tuple(
    Tool(name, about)
    for name, about in (
        ("Bash", "Run a shell command"),
        ("Edit", "Edit a file by replacing text"),
        ("Write", "Write a file"),
        ("NotebookEdit", "Edit a cell of a notebook"),
        ("Read", "Read a file"),
        ("Glob", "Find files by name"),
        ("Grep", "Search the contents of files"),
        ("WebFetch", "Fetch a web page"),
        ("WebSearch", "Search the web"),
    )
)
#: Texts of the harness that stand where a user's words would.
_NOT_SAID = (
    "<command-",
    "<local-command",
    "<system-reminder",
    "<task-notification",
    "[Request interrupted",
    "Caveat:",
    "Stop hook feedback",
)
_CALLS = frozenset({"tool_use", "server_tool_use", "mcp_tool_use"})
_RESULTS = frozenset({"tool_result", "mcp_tool_result", "web_search_tool_result", "web_fetch_tool_result"})
Complain = Callable[[InputError], None]


def is_claude_code(record: Any) -> bool:
    """Whether a record is a line of a Claude Code transcript.

    >>> is_claude_code({"type": "user", "uuid": "u1", "sessionId": "s", "message": {"role": "user", "content": "Hi"}})
    True
    >>> is_claude_code({"role": "user", "content": "Hi"})
    False
    """
    if not isinstance(record, Mapping) or not isinstance(record.get("type"), str):
        return False
    if record["type"] in ("user", "assistant"):
        return isinstance(record.get("message"), Mapping) and ("uuid" in record or "sessionId" in record)
    return "sessionId" in record or record["type"] in ("summary", "file-history-snapshot")


def read_runs(
    stream: BinaryIO,
    *,
    turns: str = "all",
    name: str = "",
    agents: Iterable[tuple[str, LedgerEntry]] = (),
    complain: Complain | None = None,
) -> Iterator[Run]:
    """Yield the runs of a transcript, in order; `turns="last"` yields the last alone.

    `name` stands in the runs' ids; `agents` are (time, call) pairs of sub-agents kept in other files. Faulty lines, results
    of unknown calls and calls repeated under one id go to `complain`; the rest is read. Raises FormatError when no line is
    one of a transcript.
    """
    session = Session(name=name, agents=agents, complain=complain)
    last: Draft | None = None
    for draft in session.drafts(read_records(stream)):
        if turns == "all":
            yield session.run_of(draft)
        last = draft
    if last is not None and turns != "all":
        yield session.run_of(last)


@dataclass(slots=True)
class Draft:
    """The `number`th message with text; `before` is the number of calls that stood in the ledger when it began."""

    number: int
    uuid: str
    text: str
    before: int
    user: str | None
    turn: int
    now: str | None


class Session:
    """A transcript on its way through: the calls so far, the user's last words, the message being written.

    `agent` is the id of the call that started the sub-agent whose own file this is, None for the session itself.
    """

    def __init__(
        self,
        *,
        name: str = "",
        agents: Iterable[tuple[str, LedgerEntry]] = (),
        agent: str | None = None,
        complain: Complain | None = None,
    ) -> None:
        self.name = name
        self.agent = agent
        self.calls: dict[str, LedgerEntry] = {}
        self.tools: dict[str, Tool] = {t.name: t for t in BUILT_IN}
        self.user: str | None = None
        self.turn = 0
        self._complain = complain
        self._waiting = sorted(agents, key=lambda a: a[0], reverse=True)
        self._prompts: dict[str, str] = {}
        self._side: str | None = None
        self._message: str | None = None
        self._before = 0
        self._count = 0
        self._draft: Draft | None = None

    def drafts(self, records: Iterable[Record]) -> Iterator[Draft]:
        """Feed records; yield a draft whenever a message with text is complete."""
        seen = known = 0
        for record in records:
            seen += 1
            if record.error is not None:
                self._report(record.error)
            elif is_claude_code(record.data):
                known += 1
                yield from self._feed(record.data, record.line)
        if seen and not known:
            raise FormatError("no line is one of a Claude Code transcript: expected objects with 'type' and 'message'")
        yield from self._close()
        self._arrive("~")

    def run_of(self, draft: Draft) -> Run:
        """Return a message as a run, with the calls before it as far as their results are known now."""
        return Run(
            reply=draft.text,
            ledger=tuple(islice(self.calls.values(), draft.before)),
            tools=tuple(self.tools.values()),
            id=f"{self.name}:{draft.number}" if self.name else str(draft.number),
            user=draft.user,
            now=draft.now,
            extra={"turn": draft.turn, "uuid": draft.uuid},
        )

    def _report(self, error: InputError) -> None:
        if self._complain is not None:
            self._complain(error)

    def _feed(self, data: Mapping[str, Any], line: int) -> Iterator[Draft]:
        message = data.get("message")
        if data["type"] not in ("user", "assistant") or not isinstance(message, Mapping):
            return
        self._arrive(str(data.get("timestamp") or ""))
        is_side = self.agent is None and bool(data.get("isSidechain"))
        blocks = blocks_of(message.get("content"))
        results = [b for b in blocks if b.get("type") in _RESULTS]
        for block in results:
            self._result(block, data, line)
        if is_side:
            self._aside(data, blocks)
        elif data["type"] == "assistant":
            key = str(message.get("id") or data.get("uuid") or line)
            if key != self._message:
                yield from self._close()
                self._message, self._before = key, len(self.calls)
            self._say(data, text_in(blocks))
        elif not results:
            yield from self._close()
            if is_said(data):
                self.user = shortened(text_in(blocks))
                self.turn += 1
        for block in blocks:
            if block.get("type") in _CALLS:
                self._call(block, data, line, parent=self._side if is_side else self.agent)

    def _say(self, data: Mapping[str, Any], text: str) -> None:
        """Add the text of a line to its message."""
        if not text or data.get("isApiErrorMessage"):
            return
        if self._draft is not None:
            self._draft.text += f"\n\n{text}"
            return
        self._count += 1
        line = str(data.get("uuid") or "")
        self._draft = Draft(self._count, line, text, self._before, self.user, self.turn, _time_of(data))

    def _close(self) -> Iterator[Draft]:
        if self._draft is not None:
            yield self._draft
        self._draft = self._message = None

    def _aside(self, data: Mapping[str, Any], blocks: list[Mapping[str, Any]]) -> None:
        """Find the call that started the sub-agent of a line: by its prompt, else the agent's own id stands for it."""
        found = self._prompts.get(text_in(blocks)) if data["type"] == "user" else None
        if found is not None:
            self._side = found
        elif self._side is None:
            self._side = str(data.get("agentId") or "sidechain")

    def _call(self, block: Mapping[str, Any], data: Mapping[str, Any], line: int, *, parent: str | None) -> None:
        tool, args = block.get("name"), shortened(block.get("input"))
        if not isinstance(tool, str) or not tool:
            self._report(InputError(f"line {line}: a {block['type']} has no name: left out", line=line, field="name"))
            return
        call = str(block.get("id") or f"line-{line}")
        before = self.calls.get(call)
        if before is not None:
            if before.tool == tool and before.args == args:
                return  # a resumed session repeats the lines that it continues
            self._report(InputError(f"line {line}: the id {call!r} stands for two calls: both kept", line=line))
            call = f"{call}~{line}"
        if isinstance(args, Mapping) and isinstance(args.get("prompt"), str):
            self._prompts[args["prompt"].strip()] = call
        self.tools.setdefault(tool, Tool(tool))
        self.calls[call] = LedgerEntry(
            id=call,
            tool=tool,
            args=args,
            status=CallStatus.UNKNOWN,
            started_at=_time_of(data),
            parent_id=parent,
            turn=self.turn,
        )

    def _result(self, block: Mapping[str, Any], data: Mapping[str, Any], line: int) -> None:
        call = str(block.get("tool_use_id") or "")
        entry = self.calls.get(call)
        if entry is None:
            message = f"line {line}: a result names the call {call!r}, which is not in the file: left out"
            self._report(InputError(message, line=line, field="tool_use_id"))
            return
        text = shortened(text_of(block.get("content")))
        status, error = status_of(block, data.get("toolUseResult"), text)
        self.calls[call] = replace(entry, result=text, status=status, error=error, ended_at=_time_of(data))

    def _arrive(self, now: str) -> None:
        """Add the calls of sub-agents in other files that had run by now (ISO 8601 times of one form sort as text)."""
        while self._waiting and self._waiting[-1][0] <= now:
            _, entry = self._waiting.pop()
            self.tools.setdefault(entry.tool, Tool(entry.tool))
            self.calls.setdefault(entry.id, replace(entry, turn=self.turn))


def is_said(data: Mapping[str, Any]) -> bool:
    """Whether a line holds words of the user, not results, notes of the harness or a sub-agent's prompt."""
    if data["type"] != "user" or data.get("isMeta") or data.get("isCompactSummary") or data.get("isSidechain"):
        return False
    blocks = blocks_of(data["message"].get("content"))
    text = text_in(blocks)
    return bool(text) and not text.startswith(_NOT_SAID) and not any(b.get("type") in _RESULTS for b in blocks)


def _time_of(data: Mapping[str, Any]) -> str | None:
    time = data.get("timestamp")
    return time if isinstance(time, str) else None
