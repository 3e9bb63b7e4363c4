"""Other people's records as runs: messages, traces, transcripts, in the shapes in which they lie. Standard library only.

for found in read_runs("session.jsonl"):
    if found.run is not None:
        print(checker.check(found.run).summary)
"""

from claimx.adapters.conversation import Conversation
from claimx.adapters.formats import FORMATS, Format
from claimx.adapters.found import Found, Turns
from claimx.adapters.reading import Detection, detect, read_runs

__all__ = ["FORMATS", "Conversation", "Detection", "Format", "Found", "Turns", "detect", "read_runs"]
