"""A tagger's weights on disk, as training leaves them: weights.safetensors and the encoder's config.json."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import torch
from claimx.training.model import Tagger
from safetensors.torch import load_file, save_file
from transformers import AutoConfig

#: The file that says that a folder holds a tagger's weights.
TAGGER_FILE = "weights.safetensors"


def save_tensors(tensors: Mapping[str, torch.Tensor], path: Path) -> None:
    """Write a safetensors file that is there whole or not at all, however the process ends."""
    partial = path.with_name(f".{path.name}.part")
    save_file({k: v.contiguous().cpu() for k, v in tensors.items()}, partial)
    partial.replace(path)


def save_weights(model: Tagger, folder: Path) -> None:
    """Write the encoder's configuration, then the weights: where those are, the folder is complete."""
    folder.mkdir(parents=True, exist_ok=True)
    model.config.save_pretrained(folder)
    save_tensors(model.state_dict(), folder / TAGGER_FILE)


def load_weights(folder: Path, *, attention: str = "sdpa") -> Tagger:
    """Read what `save_weights` wrote; export needs `attention` "eager"."""
    model = Tagger(AutoConfig.from_pretrained(folder, attn_implementation=attention))
    model.load_state_dict(load_file(folder / TAGGER_FILE))
    return model.eval()
