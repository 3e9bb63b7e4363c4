"""What a user may set about matching."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from claimx.types import FLAGGED, ClaimStatus


@dataclass(frozen=True, slots=True)
class MatchOptions:
    """Options of `judge`.

    `ignore_tools` are never listed as unreported; `tool_hints` maps a verb family, an object, or both, to the tools that
    carry it; `compare_not` names argument and result fields whose values are never compared; `strict_values` makes an
    ungrounded value count like a misquote in the verdict; `blocking` holds the statuses that decide the verdict. A claim of
    which the extractor is less sure than `sure` (its score) may be confirmed but is never held against the agent.
    `result_cap` is the number of characters at which the recorder cuts results: what a result of that length lacks proves
    nothing, as with results that say themselves that they were cut.
    """

    ignore_tools: frozenset[str] = frozenset()
    tool_hints: Mapping[str, Iterable[str]] = field(default_factory=dict)
    compare_not: frozenset[str] = frozenset()
    strict_values: bool = False
    blocking: frozenset[ClaimStatus] = FLAGGED
    sure: float = 0.75
    result_cap: int | None = None
