"""The public Extractor: also a `ClaimExtractor` for toolreceipt's protocol, with claims mapped to candidate tools.

toolreceipt.check(reply, ledger, known_tools=tools, extractor=claimx.Extractor())
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from claimx import extract
from claimx.match.tools import rank_tools
from claimx.types import Action, SlotType, Tool


@dataclass
class Claim:
    """A claim in the shape of toolreceipt 0.3: its fields, none renamed.

    `candidates` are the names of the tools that fit, best first; `count` the first number of things claimed. The
    remaining fields are filled by the checker that receives the claim. `action` holds what claimx read.
    """

    text: str
    verb: str
    object: str | None = None
    count: int | None = None
    candidates: list[str] = field(default_factory=list)
    tool: str | None = None
    confidence: str | None = None
    reason: str | None = None
    source: str = "rules"
    observed: dict[str, Any] | None = None
    action: Action | None = field(default=None, repr=False, compare=False)
    # Read by toolreceipt's diff: None leaves the claim to be judged, and literals are read in `text`.
    _object_matched: bool | None = field(default=None, repr=False, compare=False)
    _clause: str | None = field(default=None, repr=False, compare=False)
    _sentence: str | None = field(default=None, repr=False, compare=False)

    def to_dict(self) -> dict[str, Any]:
        names = ("text", "verb", "object", "count", "candidates", "tool", "confidence", "reason", "source", "observed")
        return {k: getattr(self, k) for k in names}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> Claim:
        return cls(
            **{
                k: v
                for k, v in data.items()
                if k in cls.__dataclass_fields__ and k != "action" and not k.startswith("_")
            }
        )


class Extractor(extract.Extractor):
    """Reads replies: `extract_full` for everything, `extract` for the drop-in protocol.

    See `claimx.extract.Extractor` for the parameters.
    """

    def extract(self, text: str, known_tools: Sequence[Any] = ()) -> list[Claim]:
        """Return the claims of a reply with the tools that could have carried each out.

        `known_tools` holds names, (name, description) pairs, mappings or objects with `.name`. Only claims about the
        past count here: what is still under way cannot have been recorded.
        """
        tools = [Tool.from_any(t) for t in known_tools]
        return [_claim_of(a, tools) for a in self.extract_full(text).claims]

    async def aextract(self, text: str, known_tools: Sequence[Any] = ()) -> list[Claim]:
        """Asynchronous twin of `extract`; the work runs in a thread."""
        import asyncio

        return await asyncio.to_thread(self.extract, text, known_tools)


def _claim_of(action: Action, tools: Iterable[Tool]) -> Claim:
    """Map an action to the drop-in's claim."""
    ranked = rank_tools(action, list(tools))
    counts = [s.value["number"] for s in action.slots if s.type is SlotType.COUNT and s.value and "number" in s.value]
    whole = [int(c) for c in counts if float(c).is_integer()]
    return Claim(
        text=action.text,
        verb=action.verb,
        object=action.object.text if action.object else None,
        count=whole[0] if whole else None,
        candidates=[c.tool for c in ranked],
        action=action,
    )
