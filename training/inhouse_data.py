"""A team's labelled replies and the project's corpus, put together for a fine-tuning run; and what is wrong with them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from claimx.training.build import load_split
from claimx.training.corpus import split_off
from claimx.training.settings import FineTune
from claimx.training.work import digest_of

from claimx.annotate.example import Example
from claimx.annotate.exchange import read_labelled
from claimx.annotate.marks import ATTRIBUTES, KINDS
from claimx.errors import CorpusError

#: Fewer labelled replies than this teach nothing that could be told from chance.
FEWEST = 20


@dataclass(slots=True)
class Data:
    """The replies of a run, and what to tell the user of them."""

    training: list[Example]
    validation: list[Example]
    own: int = 0
    corpus: int = 0
    own_validation: int = 0
    thresholds: list[Example] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def digest(self) -> str:
        """Digest of every label and text digest, in order."""
        return digest_of([*self.training, *self.validation])

    def about(self) -> dict[str, int | str]:
        """What meta.json says of the data."""
        return {
            "in_house": self.own, "in_house_validation": self.own_validation, "corpus": self.corpus,
            "corpus_validation": len(self.thresholds) - self.own_validation, "digest": self.digest,
        }  # fmt: skip


def load_own(names: Sequence[Path], settings: FineTune) -> tuple[list[Example], list[Example]]:
    """Read labelled replies and set some apart for validation: `validation.jsonl` where the folder has one, else a share.

    Raises CorpusError that lists what is wrong, or says that there are too few.
    """
    held_files = [n / "validation.jsonl" for n in names if n.is_dir() and (n / "validation.jsonl").is_file()]
    found = read_labelled(names)
    if found.faults:
        shown = "\n  ".join(found.faults[:20])
        more = f"\n  ... and {len(found.faults) - 20} more" if len(found.faults) > 20 else ""
        raise CorpusError(
            f"{found.faulty} labelled replies have faults; correct them, or leave them out:\n  {shown}{more}"
        )
    if len(found.examples) < FEWEST:
        raise CorpusError(
            f"{len(found.examples)} labelled replies are too few, {FEWEST} are the least: label more with "
            "'claimx annotate' ('--limit 200' is a good start)"
        )
    if held_files:
        texts = {e.text for e in read_labelled(held_files).examples}
        return [e for e in found.examples if e.text not in texts], [e for e in found.examples if e.text in texts]
    return split_off(found.examples, settings.validation, seed=settings.seed)


def gather(names: Sequence[Path], settings: FineTune, *, fresh: bool) -> Data:
    """Put in-house replies and replies of the corpus together; `fresh` says that the base has no trained heads.

    `mix` is the corpus' share of an epoch. Raises CorpusError when a label would be learned from nothing.
    """
    own, held = load_own(names, settings)
    corpus = (
        _sample("train", round(len(own) * settings.mix / (1 - settings.mix)), settings.seed) if settings.mix else []
    )
    beside = _sample("validation", settings.corpus_validation, settings.seed) if settings.mix else []
    data = Data([*own, *corpus], [*held, *beside[: 2 * len(held)]], len(own), len(corpus), len(held), [*held, *beside])
    counts = _label_counts(data.training)
    missing = [k for k in counts if not counts[k]]
    if missing and fresh:
        raise CorpusError(
            f"no reply has a label for {', '.join(missing)}: an encoder without trained heads cannot learn them; label some, "
            "raise --mix, or start from --base default"
        )
    own_counts = _label_counts(own)
    rare = [f"{k} {n}" for k, n in own_counts.items() if n < 5]
    if rare:
        data.notes.append(
            "seldom or never labelled in your replies, learned from base and corpus alone: " + ", ".join(rare)
        )
    if len(own) < 100:
        data.notes.append(
            f"{len(own)} replies to train on: expect a gain only where they differ much from what the base knows"
        )
    return data


def _sample(split: str, count: int, seed: int) -> list[Example]:
    """Draw replies of a split of the corpus, the grammar's left out: they teach scope, not how agents write."""
    from datasets import Dataset

    pool = [e for e in load_split(split) if e.origin != "generated"]
    order = Dataset.from_dict({"at": list(range(len(pool)))}).shuffle(seed=seed)["at"]
    return [pool[i] for i in list(order)[:count]]


def _label_counts(examples: Sequence[Example]) -> Counter[str]:
    """How often each span type and each attribute value is labelled; every label of the schema has a count."""
    counts: Counter[str] = Counter({k: 0 for k in (*KINDS, *(v for vs in ATTRIBUTES.values() for v in vs))})
    for e in examples:
        counts.update(kind for kind, _, _ in e.spans())
        counts.update(a[k] for a in e.actions for k in ATTRIBUTES)
    return counts
