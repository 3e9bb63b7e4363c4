"""A recorded call, classified at once and opened up only when a claim asks for it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property

from claimx.match.commands import deeds_of
from claimx.match.nouns import TEXT_WORD, fold_noun
from claimx.match.results import Result, classify_result
from claimx.match.shapes import ToolShape, shape_of
from claimx.match.view import CallView, view_of
from claimx.types import LedgerEntry, Tool
from claimx.values.keys import parts_of
from claimx.verbs import READING

#: Tools by which agents keep their own plan.
_INTERNAL = frozenset(
    "todowrite todoread todo taskupdate taskcreate tasklist taskget updateplan exitplanmode enterplanmode think plan skill toolsearch task agent".split()
)


#: How recorders mark that they left out the rest of a result.
_CUT = re.compile(
    r"(?:…|\.\.\.)\W*$|[\[(<{…]\W*(?:output |result |response |content )?(?:cut|truncated|omitted|snipped|clipped|shortened)\b[^\n]{0,60}$|"
    r"\b(?:output|result|response) (?:was |is )?(?:too (?:large|long)|truncated)\b",
    re.I,
)


def is_internal(tool: str) -> bool:
    """Whether a tool only keeps the agent's own plan or thoughts."""
    return tool.lower().replace("_", "") in _INTERNAL


class Call:
    """A recorded call: classified at once, opened up only when a claim asks for it."""

    def __init__(self, entry: LedgerEntry, tool: Tool, index: int) -> None:
        self.entry = entry
        self.definition = tool
        self.index = index
        self.shape: ToolShape = shape_of(tool)
        self.deeds = deeds_of(entry)
        #: Whether the call only keeps the agent's own plan or thoughts.
        self.is_internal = is_internal(entry.tool)
        #: Whether the call only looked something up.
        self.reads = all(f in READING for f, _ in self.deeds) if self.deeds else self.shape.reads
        self.result: Result = classify_result(entry, reading=self.reads)

    @property
    def id(self) -> str:
        return self.entry.id

    @property
    def tool(self) -> str:
        return self.entry.tool

    @cached_property
    def view(self) -> CallView:
        return view_of(self.entry, self.definition)

    def is_cut(self, cap: int | None = None) -> bool:
        """Whether the record of the result ends early, so that what it lacks may have stood there. `cap` is the recorder's
        own limit in characters, None where it has none."""
        result = self.entry.result
        text = result if isinstance(result, str) else "" if result is None else str(result)
        return bool(_CUT.search(text[-160:])) or (cap is not None and len(text) >= cap)

    @cached_property
    def said(self) -> frozenset[str]:
        """Folded words of the arguments, names of fields included."""
        words = (
            w
            for leaf in self.view.args
            for w in TEXT_WORD.findall(f"{leaf.path} {str(leaf.value)[:300]}".replace("_", " "))
        )
        return frozenset(fold_noun(w) for w in words)

    @cached_property
    def fields(self) -> frozenset[str]:
        """Folded words of the arguments' names."""
        args = self.entry.args
        if not isinstance(args, Mapping) or not self.entry.captured:
            return frozenset()
        inner = [k for v in args.values() if isinstance(v, Mapping) for k in v]
        return frozenset(fold_noun(w) for k in (*args, *inner) for w in parts_of(str(k)))

    @cached_property
    def told(self) -> frozenset[str]:
        """Folded words of the result, names of fields included."""
        return frozenset(fold_noun(w) for w in TEXT_WORD.findall(f"{self.entry.result}"[:12000].replace("_", " ")))

    @cached_property
    def shown(self) -> frozenset[str]:
        """Folded words of the result's fields that hold something, and of their values."""
        words = (
            w for x in self.view.results for w in TEXT_WORD.findall(f"{x.path} {str(x.value)[:300]}".replace("_", " "))
        )
        return frozenset(fold_noun(w) for w in words)
