"""Other people's records as runs: messages, traces, transcripts, in the shapes in which they lie. Standard library only.

for found in read_runs("session.jsonl"):
    if found.run is not None:
        print(checker.check(found.run).summary)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from claimx.adapters.conversation import Conversation
    from claimx.adapters.formats import FORMATS, Format
    from claimx.adapters.found import Found, Turns
    from claimx.adapters.reading import Detection, detect, read_runs

#: Loaded when asked for: the Stop hook reads one format, and within a second.
_HOME = {
    "FORMATS": "formats",
    "Conversation": "conversation",
    "Detection": "reading",
    "Format": "formats",
    "Found": "found",
    "Turns": "found",
    "detect": "reading",
    "read_runs": "reading",
}

__all__ = ["FORMATS", "Conversation", "Detection", "Format", "Found", "Turns", "detect", "read_runs"]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'claimx.adapters' has no attribute {name!r}")
    return getattr(import_module(f"claimx.adapters.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted(__all__)
