"""A recorded call, classified at once and opened up only when a claim asks for it."""

from __future__ import annotations

import re
from functools import lru_cache

from claimx.match.commands import deeds_of
from claimx.match.deciding import is_decided
from claimx.match.fields import is_object, unwrapped
from claimx.match.lazily import lazy
from claimx.match.nouns import TEXT_WORD, fold_noun
from claimx.match.options import ToolRule
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


@lru_cache(maxsize=4096)
def _words_of(keys: tuple[str, ...]) -> frozenset[str]:
    return frozenset(fold_noun(w) for k in keys for w in parts_of(k))


@lru_cache(maxsize=4096)
def is_internal(tool: str) -> bool:
    """Whether a tool only keeps the agent's own plan or thoughts."""
    return tool.lower().replace("_", "") in _INTERNAL


class Call:
    """A recorded call: classified at once, opened up only when a claim asks for it."""

    def __init__(
        self, entry: LedgerEntry, tool: Tool, index: int, rule: ToolRule | None = None, shape: ToolShape | None = None
    ) -> None:
        self.entry = entry
        self.id = entry.id
        self.tool = entry.tool
        self.definition = tool
        self.index = index
        self._rule = rule
        self.shape: ToolShape = shape or shape_of(tool)
        self.deeds = deeds_of(entry)
        #: Whether this is what the recorded call did before the rest of it failed.
        self.is_part = False
        #: Whether the call only keeps the agent's own plan or thoughts.
        self.is_internal = is_internal(entry.tool)
        #: Whether the call only looked something up.
        self.reads = all(f in READING for f, _ in self.deeds) if self.deeds else self.shape.reads
        #: Whether an argument says what it decided, whatever the tool's name says.
        self.decides = is_decided(entry.args, self.shape)
        self.reads = self.reads and not self.decides

    @lazy
    def result(self) -> Result:
        """What the call came to."""
        return classify_result(self.entry, reading=self.reads, verbs=self.shape.verbs, nouns=self.shape.nouns)

    @lazy
    def view(self) -> CallView:
        return view_of(self.entry, self.definition, self._rule)

    def is_cut(self, cap: int | None = None) -> bool:
        """Whether the record of the result ends early, so that what it lacks may have stood there. `cap` is the recorder's
        own limit in characters, None where it has none."""
        result = self.entry.result
        text = result if isinstance(result, str) else "" if result is None else str(result)
        return bool(_CUT.search(text[-160:])) or (cap is not None and len(text) >= cap)

    @lazy
    def output(self) -> str:
        """The end of what a run printed, or of what its fields hold, one a line."""
        text = unwrapped(self.entry.result)
        text = text if isinstance(text, str) else "\n".join(str(x.value) for x in self.view.results[:40])
        return text[-4000:]

    @lazy
    def said(self) -> frozenset[str]:
        """Folded words of the arguments, names of fields included."""
        words = (
            w
            for leaf in self.view.args
            for w in TEXT_WORD.findall(f"{leaf.path} {str(leaf.value)[:300]}".replace("_", " "))
        )
        return frozenset(fold_noun(w) for w in words)

    @lazy
    def fields(self) -> frozenset[str]:
        """Folded words of the arguments' names."""
        args = self.entry.args
        if not is_object(args) or not self.entry.captured:
            return frozenset()
        keys = list(map(str, args))
        for v in args.values():
            if is_object(v):
                keys += map(str, v)
        return _words_of(tuple(keys))

    @lazy
    def told(self) -> frozenset[str]:
        """Folded words of the result, names of fields included."""
        return frozenset(fold_noun(w) for w in TEXT_WORD.findall(f"{self.entry.result}"[:12000].replace("_", " ")))

    @lazy
    def shown(self) -> frozenset[str]:
        """Folded words of the result's fields that hold something, and of their values."""
        words = (
            w for x in self.view.results for w in TEXT_WORD.findall(f"{x.path} {str(x.value)[:300]}".replace("_", " "))
        )
        return frozenset(fold_noun(w) for w in words)
