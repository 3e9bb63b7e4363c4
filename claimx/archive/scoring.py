"""Runs to rows, in one process: the work of every engine. Identical replies are read once, identical runs judged once."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, NamedTuple, TypeVar

from claimx.archive.intake import Item, Reject
from claimx.archive.rows import row_of
from claimx.archive.schema import to_batch
from claimx.checker import ReadsReplies
from claimx.match import MatchOptions, judge
from claimx.types import Extraction, Receipt

#: Replies and receipts that a process remembers.
REPLIES, RECEIPTS = 8192, 2048

K = TypeVar("K")
V = TypeVar("V")


@dataclass(frozen=True, slots=True)
class Settings:
    """What a worker needs to know: the model's folder (None: the shipped one) and the options of the matcher."""

    model: str | None = None
    options: MatchOptions = field(default_factory=MatchOptions)

    def make_scorer(self) -> Scorer:
        """Load the model, on one thread, and return a scorer."""
        from claimx.extract import Extractor

        extractor = Extractor(self.model, threads=1)
        extractor.nlp  # noqa: B018  load now, so that a faulty folder is reported here
        return Scorer(extractor, self.options)


class Scored(NamedTuple):
    """What became of a chunk: rows as Arrow streams, the runs that could not be scored, how many are flagged."""

    batches: tuple[bytes, ...]
    rejects: tuple[Reject, ...]
    runs: int
    flagged: int

    def joined(self, other: Scored) -> Scored:
        """Return both, this one first."""
        return Scored(
            self.batches + other.batches,
            self.rejects + other.rejects,
            self.runs + other.runs,
            self.flagged + other.flagged,
        )


class Scorer:
    """Scores chunks. `extractor` may be any reader of replies."""

    def __init__(self, extractor: ReadsReplies, options: MatchOptions | None = None) -> None:
        self._extractor = extractor
        self._options = options or MatchOptions()
        self._replies: _Recent[str, Extraction] = _Recent(REPLIES)
        self._receipts: _Recent[bytes, Receipt] = _Recent(RECEIPTS)

    def score(self, items: Sequence[Item]) -> Scored:
        """Score a chunk. A run on which the code itself fails is rejected with the error; the others stand."""
        rows: list[dict[str, Any]] = []
        rejects: list[Reject] = []
        flagged = 0
        # All replies first: the model then stays in the processor's caches, out of which judging between two replies drives it.
        for item, found in [(i, self._read(i)) for i in items]:
            try:
                receipt = self._judge(item, found)
                rows.append(row_of(item, receipt))
                flagged += not receipt.ok
            except Exception as e:  # whatever it is, it must not cost the other runs
                reason = f"scoring failed: {type(e).__name__}: {e}"
                rejects.append(Reject(item.file, item.line, "crash", reason[:500], id=item.run.id))
        return Scored((to_batch(rows),), tuple(rejects), len(rows), flagged)

    def _read(self, item: Item) -> Extraction | Exception | None:
        """What a reply says, or why it could not be read; None where the receipt is known already."""
        if item.content in self._receipts:
            return None
        reply = item.run.reply
        try:
            return self._replies.get(reply, lambda: self._extractor.extract_full(reply))
        except Exception as e:  # told when it is this run's turn
            return e

    def _judge(self, item: Item, found: Extraction | Exception | None) -> Receipt:
        if isinstance(found, Exception):
            raise found
        if found is None and item.content not in self._receipts:  # forgotten since, in a very long chunk
            return self._judge(item, self._read(item))
        return self._receipts.get(item.content, lambda: judge(found, item.run, options=self._options))  # type: ignore[arg-type]


class _Recent(Generic[K, V]):
    """Remembers the last so many answers."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._held: OrderedDict[K, V] = OrderedDict()

    def __contains__(self, key: K) -> bool:
        return key in self._held

    def get(self, key: K, make: Callable[[], V]) -> V:
        if key in self._held:
            self._held.move_to_end(key)
            return self._held[key]
        value = self._held[key] = make()
        if len(self._held) > self._most:
            self._held.popitem(last=False)
        return value
