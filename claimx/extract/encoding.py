"""From text to model input: word pieces with character offsets and form features, cut into overlapping windows."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from tokenizers import Tokenizer

from claimx.extract.features import features_of

#: Pieces per window, without the two special pieces; neighbours share `OVERLAP` pieces.
WINDOW = 382
OVERLAP = 96

_SURROGATES = {code: 0xFFFD for code in range(0xD800, 0xE000)}


@dataclass(frozen=True, slots=True)
class Encoding:
    """A reply as pieces: ids (pieces,), features (pieces, 3), offsets as (start, end) code points; no special pieces."""

    text: str
    ids: npt.NDArray[np.int64]
    features: npt.NDArray[np.int64]
    offsets: list[tuple[int, int]]

    def __len__(self) -> int:
        return len(self.offsets)


def load_tokenizer(path: Path) -> Tokenizer:
    """Read a tokenizer.json with truncation and padding off."""
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return tokenizer


def without_surrogates(text: str) -> str:
    """Replace lone surrogates, which no UTF-8 library takes, by U+FFFD; every other character keeps its place."""
    return text if text.isascii() else text.translate(_SURROGATES)


def encode(tokenizer: Tokenizer, text: str) -> Encoding:
    """Split a text of any length into pieces; lone surrogates count as U+FFFD, so offsets stay those of `text`."""
    clean = without_surrogates(text)
    pieces = tokenizer.encode(clean, add_special_tokens=False)
    offsets = pieces.offsets
    return Encoding(clean, np.asarray(pieces.ids, dtype=np.int64), features_of(clean, offsets), offsets)


def windows_of(length: int, *, window: int = WINDOW, overlap: int = OVERLAP) -> list[tuple[int, int, int, int]]:
    """Cut `length` pieces into windows (start, end, keep_from, keep_to): every piece is kept from exactly one window.

    Each piece is kept from the window in which it has most context; in text that fits one window there is just that.

    >>> windows_of(5, window=10, overlap=4)
    [(0, 5, 0, 5)]
    >>> windows_of(18, window=10, overlap=4)
    [(0, 10, 0, 8), (6, 16, 8, 14), (12, 18, 14, 18)]
    """
    if length <= window:
        return [(0, length, 0, length)] if length else []
    out: list[tuple[int, int, int, int]] = []
    start = keep = 0
    while True:
        end = min(start + window, length)
        keep_to = length if end == length else end - overlap // 2
        out.append((start, end, keep, keep_to))
        if end == length:
            return out
        keep = keep_to
        start = end - overlap
