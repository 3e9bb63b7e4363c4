"""What an uncased word-piece encoder cannot see: letter case, line breaks, the shape of the surrounding chunk and line.

Each piece of a reply gets three small class numbers that the model embeds beside its words. They describe the text's
form only; what it means is left to the model.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

CASES = ("lower", "title", "upper", "mixed", "digits", "symbol", "alnum", "special")
BOUNDARIES = ("joined", "space", "newline", "paragraph")
CHUNKS = ("word", "number", "money", "alnum", "address", "path", "identifier", "symbols")
LINES = ("plain", "bullet", "numbered", "heading", "table", "quote", "code", "field")

#: Sizes of the three feature vocabularies, in the order of the columns of `features_of`.
FEATURE_SIZES = (len(CASES) * len(BOUNDARIES), len(CHUNKS), len(LINES))

_CHUNK = re.compile(r"\S+")
_LINE = re.compile(r"[^\n]*\n?")
_LINE_KINDS = (
    (1, re.compile(r"\s*[-*+•–✅❌✔✓☑]\s?")),
    (2, re.compile(r"\s*\(?\d{1,3}[.)]\s")),
    (3, re.compile(r"\s*(#{1,6}\s|\*\*[^*\n]{1,80}\*\*:?\s*$|[A-Z][^.!?\n]{0,60}:\s*$)")),
    (4, re.compile(r"\s*\|")),
    (5, re.compile(r"\s*>")),
    (7, re.compile(r"\s*\**[\"“]?[A-Za-z][\w /-]{0,30}[\"”]?\**:\**\s")),
)
_FENCE = re.compile(r"\s*```")


@lru_cache(maxsize=65536)
def _case_of(piece: str) -> int:
    if piece.isdigit():
        return 4
    if piece.isalpha():
        if piece.islower():
            return 0
        if piece.isupper():
            return 2 if len(piece) > 1 else 1
        return 1 if piece[0].isupper() and piece[1:].islower() else 3
    return 6 if any(c.isalnum() for c in piece) else 5


@lru_cache(maxsize=65536)
def _chunk_of(chunk: str) -> int:
    core = chunk.strip(".,;:!?()[]{}*\"'`“”‘’")
    if not core:
        return 7
    if core.isalpha():
        return 0 if not any(c.isupper() for c in core[1:]) or core.isupper() else 6
    if any(c in core for c in "$€£¥₹%"):
        return 2
    if "@" in core:
        return 4
    if "/" in core or "\\" in core or (("." in core) and core[-1].isalpha() and core[0].isalpha()):
        return 5
    digits = any(c.isdigit() for c in core)
    letters = any(c.isalpha() for c in core)
    if digits and letters:
        return 3
    if digits:
        return 1
    return 6 if "_" in core else (0 if letters else 7)


def _lines(text: str) -> list[tuple[int, int]]:
    """End offset and kind of every line."""
    out: list[tuple[int, int]] = []
    fenced = False
    for m in _LINE.finditer(text):
        if m.start() == m.end():
            break
        line = m.group()[:120]
        if _FENCE.match(line):
            fenced = not fenced
            kind = 6
        elif fenced:
            kind = 6
        else:
            kind = next((k for k, pattern in _LINE_KINDS if pattern.match(line)), 0)
        out.append((m.end(), kind))
    return out or [(len(text), 0)]


def features_of(text: str, offsets: Sequence[tuple[int, int]]) -> npt.NDArray[np.int64]:
    """Describe every piece: an array (pieces, 3) of class numbers below `FEATURE_SIZES`.

    `offsets` are (start, end) code points in reading order; (0, 0) marks a special piece.
    """
    rows: list[tuple[int, int, int]] = []
    lines = _lines(text)
    line = 0
    chunks = [(m.end(), _chunk_of(m.group()[:200])) for m in _CHUNK.finditer(text)]
    chunk = 0
    last = 0
    for start, end in offsets:
        if start == end:
            rows.append((7 * len(BOUNDARIES), 0, 0))
            continue
        if start == last:
            boundary = 0 if start else 3
        else:
            breaks = text.count("\n", last, start)
            boundary = 1 if not breaks else 2 if breaks == 1 else 3
        last = end
        while line < len(lines) - 1 and lines[line][0] <= start:
            line += 1
        while chunk < len(chunks) - 1 and chunks[chunk][0] <= start:
            chunk += 1
        kind = chunks[chunk][1] if chunks else 7
        rows.append((_case_of(text[start:end]) * len(BOUNDARIES) + boundary, kind, lines[line][1]))
    return np.array(rows, dtype=np.int64).reshape(len(rows), 3)


def inside_words(features: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Which pieces go on with the letters of the piece in front, by their features (pieces, 3): an array (pieces,).

    >>> text = "Re-sent 16GB"
    >>> inside_words(features_of(text, [(0, 2), (2, 3), (3, 5), (5, 7), (8, 10), (10, 12)])).tolist()
    [False, False, False, True, False, False]
    """
    case, boundary = np.divmod(features[:, 0], len(BOUNDARIES))
    letters = case <= CASES.index("mixed")
    inside: npt.NDArray[np.bool_] = letters & (boundary == 0)
    inside[1:] &= letters[:-1]
    inside[:1] = False
    return inside
