"""Sub-agents of Codex: threads of their own, whose rollouts lie among the others; which file belongs to which call."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from claimx.adapters.aside import Aside, lines_of
from claimx.adapters.content import opened
from claimx.adapters.plain import first, mapping, text

SPAWNS = frozenset({"spawn_agent"})
_ID = re.compile(r"[A-Za-z0-9-]{4,64}")


class Threads:
    """The sub-agents of the rollout of a thread at a path (None: it lies nowhere, so that there are no others near it)."""

    def __init__(self, path: Path | None, id: str) -> None:
        self.path = path
        self.id = id
        self._known: set[str] = set()

    def started_by(self, call: str, told: Any) -> Aside | None:
        """Return the rollout of the thread that a call started, by what came back or by an event on it.

        Newer versions name no thread: then the first rollout in the same folder that says it was started by this one.
        """
        if self.path is None:
            return None
        data = mapping(opened(told))
        id = text(first(data, "agent_id", "new_thread_id", "thread_id"))
        if id in self._known:
            return None
        file = _file_of(id, self.path) if id else None
        if file is None and not id:
            id, file = next(((i, f) for i, f in self._children() if i not in self._known), (None, None))
        if id is None or file is None:
            return None
        self._known.add(id)
        name = first(data, "nickname", "new_agent_nickname", "task_name")
        return Aside(file, text(name) or id, call)

    def _children(self) -> list[tuple[str, Path]]:
        out = []
        for file in sorted(self.path.parent.glob("rollout-*.jsonl")) if self.path else ():
            if file != self.path:
                head = next(lines_of(file), None)
                meta = mapping(mapping(head.data if head else None).get("payload"))
                if parent_of(meta) == self.id and text(meta.get("id")):
                    out.append((str(meta["id"]), file))
        return out


def parent_of(meta: Mapping[str, Any]) -> str | None:
    """Return the thread that started the one of a session's head, None when a person did."""
    source = mapping(meta.get("source"))
    spawn = mapping(mapping(first(source, "subagent", "subAgent")).get("thread_spawn"))
    return text(spawn.get("parent_thread_id"))


def _file_of(id: str, path: Path) -> Path | None:
    """The rollout of a thread: in the same folder, or in that of another day."""
    if not _ID.fullmatch(id):
        return None
    near = list(path.parent.glob(f"rollout-*{id}.jsonl"))
    if not near and len(path.parents) > 3 and path.parent.name.isdigit():
        near = list(path.parents[2].glob(f"*/*/rollout-*{id}.jsonl"))
    return next((f for f in near if f != path), None)
