"""Which replies a model was trained or tuned on: scores on those say nothing of how it reads others."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from pathlib import Path

from claimx.training.settings import TORCH_FOLDER

from claimx.annotate.example import Example

#: Digests of the replies of a run, beside its weights; the replies themselves are nowhere in a model folder.
SEEN_FILE = "replies.json"


def keep_seen(work: Path, examples: Iterable[Example]) -> None:
    """Write down which replies a run in `work` reads."""
    digests = sorted({_digest(e) for e in examples})
    (work / SEEN_FILE).write_text(json.dumps(digests, indent=0) + "\n", encoding="utf-8")


def seen_among(model: Path, examples: Iterable[Example]) -> int:
    """Count the replies that a model folder was trained or tuned on; 0 where its training left no word of them."""
    file = model / TORCH_FOLDER / SEEN_FILE
    if not file.is_file():
        return 0
    known = set(json.loads(file.read_text(encoding="utf-8")))
    return sum(_digest(e) in known for e in examples)


def _digest(example: Example) -> str:
    return hashlib.sha256(example.text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
