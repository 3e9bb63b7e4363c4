"""Which replies are worth labelling: where the model is unsure, where the ledger disagrees, and none twice.

Each reply gets a worth from doubt and disagreement; replies are then taken one by one, each losing worth by its likeness
to those already taken (maximal marginal relevance: Carbonell, Goldstein, SIGIR 1998).
"""

from __future__ import annotations

import itertools
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from claimx.annotate.example import Example
from claimx.annotate.prelabel import prelabel
from claimx.annotate.similarity import near_duplicates, words_of
from claimx.extract.doubt import doubt_of
from claimx.extract.model import load_model
from claimx.extract.reading import read
from claimx.match import MatchOptions, judge
from claimx.types import ClaimStatus, Receipt, Run

#: Two replies that share this much of their five-word sequences are one reply to a person who labels.
NEAR = 0.8
#: What doubt and disagreement count for, and what likeness to a reply already taken costs.
_DOUBT, _DISAGREEMENT, _LIKENESS = 0.6, 0.4, 0.5
_WIDTH = 2048


@dataclass(frozen=True, slots=True)
class Candidate:
    """A reply with the model's labels, its worth (0 to 1), and why it is worth a look."""

    example: Example
    worth: float
    reasons: tuple[str, ...] = ()


@dataclass(slots=True)
class Selection:
    """What was taken, best first, and how much was left out for what reason."""

    taken: list[Candidate] = field(default_factory=list)
    seen: int = 0
    empty: int = 0
    repeated: int = 0
    known: int = 0


def candidates_of(
    runs: Sequence[tuple[str, Run]], *, model: Path | str | None = None, watch: Callable[[int], None] | None = None
) -> list[Candidate]:
    """Read and check runs, given with their source's name; return each with its worth. `watch` is told each number."""
    reader = load_model(model)
    out = []
    for n, (source, run) in enumerate(runs, 1):
        found = read(reader, run.reply)
        receipt = judge(found, run, options=MatchOptions())
        doubt = doubt_of(reader, run.reply) if run.reply.strip() else 0.0
        disagreement, said = _disagreement(run, receipt)
        reasons = ([f"unsure {doubt:.2f}"] if doubt >= 0.2 else []) + said
        example = prelabel(run.id, run.reply, found, origin="in-house", domain=source, part=source)
        out.append(Candidate(example, _DOUBT * doubt + _DISAGREEMENT * disagreement, tuple(reasons)))
        if watch is not None:
            watch(n)
    return out


def _disagreement(run: Run, receipt: Receipt) -> tuple[float, list[str]]:
    """How far receipt and reply are apart: flagged claims, claims no tool fits, and calls that no claim tells of.

    Most of what is flagged is a true find; a misread reply looks just the same, which is why a person should look.
    """
    reasons = [f"{c.status}: {c.action.text[:80]}" for c in receipt.claims if c.is_flagged]
    open_ = [c for c in receipt.claims if c.status is ClaimStatus.UNMATCHED]
    reasons += [f"unmatched: {c.action.text[:80]}" for c in open_]
    if receipt.unreported:
        reasons.append("not told of: " + ", ".join(receipt.unreported[:5]))
    flagged = 1.0 if len(reasons) > len(open_) + bool(receipt.unreported) else 0.0
    share = len(receipt.unreported) / len(run.ledger) if run.ledger else 0.0
    return max(flagged, 0.6 if open_ else 0.0, 0.5 * share), reasons


def select(candidates: Sequence[Candidate], limit: int, *, known: Iterable[Example] = ()) -> Selection:
    """Take up to `limit` candidates, best first; drop empty replies, repetitions, and what `known` replies hold already."""
    out = Selection(seen=len(candidates))
    pool = [c for c in candidates if c.example.text.strip()]
    out.empty = len(candidates) - len(pool)
    pool, out.known = _without_known(pool, [(f"known/{i}", e.text) for i, e in enumerate(known)])
    pool, out.repeated = _without_repeats(sorted(pool, key=lambda c: -c.worth))
    vectors = np.stack([_vector(c.example.text) for c in pool]) if pool else np.zeros((0, _WIDTH), np.float32)
    worth = np.array([c.worth for c in pool])
    likeness = np.zeros(len(pool))
    left = np.ones(len(pool), dtype=bool)
    while left.any() and len(out.taken) < limit:
        at = int(np.where(left, worth - _LIKENESS * likeness, -np.inf).argmax())
        left[at] = False
        out.taken.append(pool[at])
        likeness = np.maximum(likeness, vectors @ vectors[at])
    return out


def _without_known(pool: list[Candidate], known: list[tuple[str, str]]) -> tuple[list[Candidate], int]:
    texts = [(str(i), c.example.text) for i, c in enumerate(pool)]
    near = {int(b) for _, b, _ in near_duplicates(known, texts, limit=NEAR)}
    same = {t for _, t in known}
    kept = [c for i, c in enumerate(pool) if i not in near and c.example.text not in same]
    return kept, len(pool) - len(kept)


def _without_repeats(pool: list[Candidate]) -> tuple[list[Candidate], int]:
    """Keep the first of each group of near-duplicates."""
    texts = [(str(i), c.example.text) for i, c in enumerate(pool)]
    twins: dict[int, set[int]] = {}
    for a, b, _ in near_duplicates(texts, texts, limit=NEAR):
        sizes = sorted(len(pool[int(i)].example.text) for i in (a, b))
        if sizes[0] * 2 < sizes[1]:
            continue  # a short reply inside a long one leaves most of the long one new
        twins.setdefault(int(a), set()).add(int(b))
        twins.setdefault(int(b), set()).add(int(a))
    kept: dict[int, Candidate] = {}
    seen: set[str] = set()
    for i, c in enumerate(pool):
        folded = " ".join(words_of(c.example.text))
        if folded in seen or any(t in kept for t in twins.get(i, ())):
            continue
        seen.add(folded)
        kept[i] = c
    return list(kept.values()), len(pool) - len(kept)


def _vector(text: str) -> npt.NDArray[np.float32]:
    """Hashed words and word pairs, digits folded, of unit length."""
    words = words_of(text)
    out = np.zeros(_WIDTH, dtype=np.float32)
    for gram in [*words, *(f"{a} {b}" for a, b in itertools.pairwise(words))]:
        out[zlib.crc32(gram.encode("utf-8", "surrogatepass")) % _WIDTH] += 1.0
    np.sqrt(out, out=out)
    norm = float(np.linalg.norm(out))
    return out / norm if norm else out
