"""Labelled replies as training windows: the same pieces and features as at run time, with labels beside them."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
from claimx.training.pieces import IGNORED, label_pieces
from tokenizers import Tokenizer

from claimx.annotate.example import Example
from claimx.extract.encoding import encode, windows_of

#: Maps an example to a changed copy, or returns it as it is.
Augment = Callable[[Example, random.Random], Example]


class WindowDataset(torch.utils.data.Dataset[dict[str, Any]]):
    """One item a window. With `augment`, each reading of an item may give another variant of its reply.

    `variants` fixes how many variants an item has; they then come round in turn and carry a `key` of their own. Items of the
    replies for which `remember` holds say so under that name.
    """

    def __init__(
        self,
        examples: Sequence[Example],
        tokenizer: Tokenizer,
        *,
        special: tuple[int, int, int],
        augment: Augment | None = None,
        mask_rate: float = 0.0,
        seed: int = 0,
        variants: int = 0,
        remember: Callable[[Example], bool] | None = None,
    ) -> None:
        self.examples = list(examples)
        self.tokenizer = tokenizer
        self.cls, self.sep, self.mask = special
        self.augment = augment
        self.mask_rate = mask_rate
        self.rng = random.Random(seed)
        self.seed, self.variants, self.remember = seed, variants, remember
        self.readings: Counter[int] = Counter()
        self.index: list[tuple[int, int]] = []
        self.lengths: list[int] = []
        for i, e in enumerate(self.examples):
            for w, (start, end, _, _) in enumerate(windows_of(len(encode(tokenizer, e.text)))):
                self.index.append((i, w))
                self.lengths.append(end - start + 2)

    def __len__(self) -> int:
        return len(self.index)

    def __getitem__(self, item: int) -> dict[str, Any]:
        i, w = self.index[item]
        example = self.examples[i]
        if self.variants:
            key = item * self.variants + self.readings[item] % self.variants
            self.readings[item] += 1
            self.rng = random.Random(f"{self.seed}/{key}")
        if self.augment:
            example = self.augment(example, self.rng)
        encoding = encode(self.tokenizer, example.text)
        labels = label_pieces(example, encoding.offsets)
        cuts = windows_of(len(encoding))
        start, end, _, _ = cuts[min(w, len(cuts) - 1)]
        links = labels.links[start:end].copy()
        inside = (links >= start) & (links < end)
        links[(links >= 0) & ~inside] = IGNORED
        links = np.where(inside, links - start + 1, np.where(links == -1, 0, links))
        ids = encoding.ids[start:end].copy()
        if self.mask_rate:
            hidden = np.array([self.rng.random() < self.mask_rate for _ in range(len(ids))], dtype=bool)
            ids[hidden] = self.mask
        edge = [IGNORED]
        no_features = np.array([[28, 0, 0]])
        fixed: dict[str, Any] = {"key": key} if self.variants else {}
        if self.remember is not None:
            fixed["remember"] = self.remember(example)
        return fixed | {
            "input_ids": np.concatenate(([self.cls], ids, [self.sep])),
            "features": np.concatenate((no_features, encoding.features[start:end], no_features)),
            "tags": np.concatenate((edge, labels.tags[start:end], edge)),
            "attributes": np.concatenate(([edge * 3], labels.attributes[start:end], [edge * 3])),
            "links": np.concatenate((edge, links, edge)),
        }


def collate(items: Sequence[dict[str, Any]]) -> dict[str, torch.Tensor]:
    """Pad a batch of windows to its longest: tensors (B, T) and (B, T, 3)."""
    longest = max(len(x["input_ids"]) for x in items)
    fills = {"input_ids": 0, "features": 0, "tags": IGNORED, "attributes": IGNORED, "links": IGNORED}
    out: dict[str, torch.Tensor] = {}
    for name, fill in fills.items():
        first = items[0][name]
        block = np.full((len(items), longest, *first.shape[1:]), fill, dtype=np.int64)
        for row, x in zip(block, items, strict=True):
            row[: len(x[name])] = x[name]
        out[name] = torch.from_numpy(block)
    for name in ("key", "remember"):
        if name in items[0]:
            out[name] = torch.tensor([x[name] for x in items])
    lengths = torch.tensor([len(x["input_ids"]) for x in items])
    out["attention_mask"] = (torch.arange(longest)[None, :] < lengths[:, None]).long()
    return out
