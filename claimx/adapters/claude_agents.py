"""The files in which Claude Code keeps the work of sub-agents, beside the session's own."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from pathlib import Path

from claimx.adapters.aside import Aside
from claimx.adapters.plain import mapping, text
from claimx.records import Record


class Agents:
    """The sub-agents of a session at a path (None: it lies nowhere, so that it has no files beside it).

    `started` tells whether the session has told of a call, by its id, or (None) of any that starts a sub-agent: clocks
    are coarse, and nothing is done before it is asked for.
    """

    def __init__(self, path: Path | None, started: Callable[[str | None], bool]) -> None:
        self.path = path
        self._started = started
        self._found = False
        #: Those whose time has not come, the last first, and those at work.
        self._waiting: list[Aside] = []
        self._at_work: list[Aside] = []
        self._known: set[Path] = set()

    @property
    def is_idle(self) -> bool:
        """Whether nothing is left to take, whatever the time, as long as no call names another sub-agent."""
        return self.path is None or (self._found and not self._waiting and not self._at_work)

    def until(self, now: str | None) -> Iterator[tuple[Aside, Record]]:
        """Yield the lines of all sub-agents that were written by a time; None: all."""
        if self.path is None:
            return
        if not self._found:
            self._found = True
            self._wait(Aside(f, f.stem.removeprefix("agent-"), _owner_of(f)) for f in agent_files(self.path))
        if self._waiting and (now is None or self._waiting[-1].begins <= now):
            ready = [a for a in self._waiting if now is None or (a.begins <= now and self._started(a.owner))]
            self._at_work += reversed(ready)
            self._waiting = [a for a in self._waiting if a not in ready]
        for agent in self._at_work:
            for record in agent.until(now):
                yield agent, record
        self._at_work = [a for a in self._at_work if not a.is_done]

    def name(self, agent: str, owner: str) -> None:
        """The result of the call `owner` names a sub-agent: older sessions keep its file elsewhere."""
        if self.path is None or not agent.replace("-", "").replace("_", "").isalnum():
            return
        for held in (*self._waiting, *self._at_work):
            if held.name == agent:
                held.owner = held.owner or owner
                return
        found = self._beside.get(f"agent-{agent}.jsonl")
        if found is not None and found not in self._known:
            self._wait([Aside(found, agent, owner)])

    @cached_property
    def _beside(self) -> dict[str, Path]:
        """The files beside the session's own that older versions wrote, listed once: a session may name many agents."""
        if self.path is None:
            return {}
        folder = self.path.parent
        return {
            p.name: p for place in (folder / "subagents", folder) for p in place.glob("agent-*.jsonl") if p.is_file()
        }

    def _wait(self, agents: Iterable[Aside]) -> None:
        self._waiting += agents
        self._known.update(a.path for a in self._waiting)
        self._waiting.sort(key=lambda a: (a.begins, a.name), reverse=True)


def agent_files(path: Path) -> list[Path]:
    """Return the files of a session's sub-agents, those that compact its context left out."""
    found = path.with_suffix("").glob("**/agent-*.jsonl")
    return sorted(f for f in found if f.is_file() and not f.name.startswith("agent-acompact"))


def _owner_of(path: Path) -> str | None:
    """The call that the note beside a sub-agent's file names; older versions write none."""
    try:
        note = json.loads(path.with_suffix(".meta.json").read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return text(mapping(note).get("toolUseId"))
