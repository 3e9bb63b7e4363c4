"""Which run ids were seen: 24 bytes a run, so that millions fit beside the work."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

_FRESH = 50_000  # held in a dict before they are packed


class Seen(NamedTuple):
    """The first run of an id: a number for its content and one for its place."""

    content: int
    place: int


class IdIndex:
    """Remembers ids by a 64-bit digest. Two of a million ids share one with a chance of 3e-8; that run is then rejected
    by name, not lost silently."""

    def __init__(self) -> None:
        self._fresh: dict[int, Seen] = {}
        self._packed: list[npt.NDArray[np.uint64]] = []  # each (n, 3), sorted by its first column

    def __len__(self) -> int:
        return len(self._fresh) + sum(len(p) for p in self._packed)

    def add(self, id: str, content: int, place: int) -> Seen | None:
        """Remember an id; return what was known of it, None when it is new."""
        key = digest64(id.encode("utf-8", "surrogatepass"))
        seen = self._fresh.get(key) or self._find(key)
        if seen is not None:
            return seen
        self._fresh[key] = Seen(content, place)
        if len(self._fresh) >= _FRESH:
            self._pack()
        return None

    def _find(self, key: int) -> Seen | None:
        wanted = np.uint64(key)
        for block in self._packed:
            at = int(np.searchsorted(block[:, 0], wanted))
            if at < len(block) and block[at, 0] == wanted:
                return Seen(int(block[at, 1]), int(block[at, 2]))
        return None

    def _pack(self) -> None:
        rows: Any = [(k, s.content, s.place) for k, s in self._fresh.items()]
        block = np.array(rows, dtype=np.uint64)
        self._fresh = {}
        while self._packed and len(self._packed[-1]) <= 2 * len(block):
            block = np.concatenate((self._packed.pop(), block))
        # Columns lie one after the other, so that a search walks over one of them alone.
        self._packed.append(np.asfortranarray(block[np.argsort(block[:, 0], kind="stable")]))


def digest64(data: bytes) -> int:
    """Return a 64-bit digest that is the same in every process."""
    return int.from_bytes(blake2b(data, digest_size=8).digest(), "big")
