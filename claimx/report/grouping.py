"""Kinds of false claims put together by what a reader would mend: the tool, and what is told wrong of its calls."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class Group:
    """Kinds of one status and tool that differ in the same types of values, whatever verb they are told with. Without a tool
    the verb is all that tells them apart. `said` is the most frequent wording of the most frequent kind."""

    status: str
    tool: str
    slots: tuple[str, ...]
    said: str
    count: int = 0
    is_new: bool = True
    verbs: list[str] = field(default_factory=list)

    @property
    def differs(self) -> str:
        """What the ledger contradicts: the types of values, else what was said to be done."""
        return ", ".join(s.lower() for s in self.slots) or ", ".join(self.verbs)


def groups_of(kinds: Iterable[Mapping[str, Any]]) -> list[Group]:
    """Return the groups of a summary's kinds (the most frequent first), the most frequent first."""
    found: dict[tuple[Any, ...], Group] = {}
    for kind in kinds:
        slots = tuple(kind["slots"])
        key = (kind["status"], kind["tool"], slots, None if kind["tool"] else kind["verb"])
        group = found.get(key)
        if group is None:
            group = found[key] = Group(kind["status"], kind["tool"], slots, kind["phrasings"][0]["text"])
        group.count += kind["count"]
        group.is_new = group.is_new and bool(kind.get("new"))
        if kind["verb"] not in group.verbs:
            group.verbs.append(kind["verb"])
    return sorted(found.values(), key=lambda g: -g.count)
