"""How alike two replies are: near-duplicates by shared word sequences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable


def words_of(text: str) -> list[str]:
    """The words of a text in lower case, every digit as 0."""
    return "".join("0" if c.isdigit() else c.lower() if c.isalnum() else " " for c in text).split()


def shingles(text: str, n: int = 5) -> set[int]:
    """Hashes of a text's word n-grams, digits folded, for near-duplicate search."""
    words = words_of(text)
    if len(words) < n:
        return {hash(" ".join(words))} if words else set()
    return {hash(" ".join(words[i : i + n])) for i in range(len(words) - n + 1)}


def near_duplicates(
    left: Iterable[tuple[str, str]], right: Iterable[tuple[str, str]], *, limit: float = 0.6, min_words: int = 6
) -> list[tuple[str, str, float]]:
    """Pairs (id, id, overlap) of texts whose 5-gram overlap (over the smaller set) reaches `limit`.

    Exact over an inverted index, which is cheap at this corpus' size; texts under `min_words` words are passed over.
    """
    index: dict[int, list[str]] = {}
    sizes: dict[str, int] = {}
    for key, text in left:
        if len(text.split()) < min_words:
            continue
        grams = shingles(text)
        sizes[key] = len(grams)
        for g in grams:
            index.setdefault(g, []).append(key)
    out = []
    for key, text in right:
        if len(text.split()) < min_words:
            continue
        grams = shingles(text)
        hits: Counter[str] = Counter()
        for g in grams:
            hits.update(index.get(g, ()))
        for other, n in hits.most_common(3):
            share = n / max(1, min(len(grams), sizes[other]))
            if share >= limit and other != key:
                out.append((other, key, share))
    return out
