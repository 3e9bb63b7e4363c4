"""Distillation: a small tagger learns, beside the labels, the distributions of a larger one on the same windows.

Hinton, Vinyals, Dean: Distilling the Knowledge in a Neural Network (arXiv:1503.02531), applied to each head. Nothing is
compared between hidden layers, so teacher and student may have any depth and width.
"""

from __future__ import annotations

from pathlib import Path

import torch
from claimx.training.model import LOSS_WEIGHTS, Tagger
from claimx.training.saved import save_tensors
from torch import Tensor
from torch.nn import functional

from claimx.extract.labels import HEADS

#: Pieces that the teacher holds for the start of a trigger with at least this probability teach attributes.
TRIGGER_SHARE = 0.1
_BEGINS_ACTION = 1


def _divergence(student: Tensor, teacher: Tensor, weight: Tensor, temperature: float) -> Tensor:
    """Weighted mean of KL(teacher || student) over rows: logits (N, C), weight (N,)."""
    t = functional.log_softmax(teacher / temperature, dim=-1)
    s = functional.log_softmax(student / temperature, dim=-1)
    rows = (t.exp() * (t - s)).sum(-1)
    return (rows * weight).sum() / weight.sum().clamp(min=1.0) * temperature**2


def distillation_loss(
    student: Tagger, teacher: Tagger, packed: Tensor, target: Tensor, batch: dict[str, Tensor], *, temperature: float
) -> Tensor:
    """Compare two packed outputs (B, T, width) of one batch, head by head, with the weights of the hard loss.

    Tags are compared at every piece, attributes where the teacher sees a trigger, links where a labelled span starts, over the
    labelled triggers and "none".
    """
    inside = (batch["tags"] >= 0).reshape(-1)
    at, total, trigger = 0, packed.new_zeros(()), None
    for name, width in HEADS.items():
        s = packed[..., at : at + width].reshape(-1, width)[inside]
        t = target[..., at : at + width].reshape(-1, width)[inside]
        at += width
        if name == "tags":
            total = total + LOSS_WEIGHTS["tags"] * _divergence(s, t, torch.ones_like(s[:, 0]), temperature)
            p = functional.softmax(t, dim=-1)[:, _BEGINS_ACTION]
            trigger = torch.where(p >= TRIGGER_SHARE, p, torch.zeros_like(p))
        elif trigger is not None:
            total = total + LOSS_WEIGHTS["attributes"] * _divergence(s, t, trigger, temperature)
    linked = batch["links"] >= 0
    if linked.any():
        columns = batch["attributes"][..., 0] >= 0
        columns[:, 0] = True
        hidden = ~columns[:, None, :]
        s = student.link_scores(packed).masked_fill(hidden, -1e4)[linked]
        t = teacher.link_scores(target).masked_fill(hidden, -1e4)[linked]
        total = total + LOSS_WEIGHTS["links"] * _divergence(s, t, torch.ones_like(s[:, 0]), temperature)
    return total


class Teacher:
    """The larger tagger, with its outputs for windows that it has seen kept in half precision.

    A window is known by the key that `WindowDataset` gives it when its variants are fixed, so that later epochs, and other
    students, cost no pass through the teacher.
    """

    def __init__(self, model: Tagger, cache: Path | None = None) -> None:
        self.model = model.eval()
        self.cache = cache
        self.known: dict[int, Tensor] = {}
        if cache is not None and cache.exists():
            from safetensors.torch import load_file

            stored = load_file(cache)
            rows = stored["rows"].split(stored["lengths"].tolist())
            self.known = dict(zip(stored["keys"].tolist(), rows, strict=True))

    def packed(self, batch: dict[str, Tensor]) -> Tensor:
        """Return the packed output (B, T, width) for a batch; columns beyond a window's length are zero or padding's."""
        keys = batch["key"].tolist() if "key" in batch else []
        if keys and all(k in self.known for k in keys):
            b, t = batch["input_ids"].shape
            out = torch.zeros((b, t, self.known[keys[0]].shape[-1]), device=batch["input_ids"].device)
            for row, k in zip(out, keys, strict=True):
                row[: len(self.known[k])] = self.known[k].to(row.device, row.dtype)
            return out
        with torch.no_grad():
            out = self.model.packed(batch["input_ids"], batch["features"], batch["attention_mask"])
        for row, k, n in zip(out, keys, batch["attention_mask"].sum(1).tolist(), strict=False):
            self.known[k] = row[:n].to("cpu", torch.float16)
        return out

    def save(self) -> None:
        """Write what is known to the cache file, if there is one."""
        if self.cache is None or not self.known:
            return
        keys = list(self.known)
        lengths = [len(self.known[k]) for k in keys]
        stored = {
            "keys": torch.tensor(keys),
            "lengths": torch.tensor(lengths),
            "rows": torch.cat(list(self.known.values())),
        }
        save_tensors(stored, self.cache)
