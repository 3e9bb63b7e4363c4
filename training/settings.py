"""What a fine-tuning run depends on beside its data: defaults, a configuration file, flags."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any

from claimx.errors import CorpusError, ModelError

#: Where in a model folder training leaves its state: weights to go on from, its log, which replies it read.
TORCH_FOLDER = "torch"


@dataclass(frozen=True, slots=True)
class FineTune:
    """Everything that a fine-tuning run depends on beside the data; the defaults suit some hundred replies on a CPU."""

    base: str = "default"
    mix: float = 0.5
    blend: float = 0.7  # how much of what training changed is kept, where it started from a model of claimx's
    epochs: float = 10.0
    patience: int = 3
    batch_size: int = 8
    learning_rate: float = 1e-4
    head_learning_rate: float = 5e-4
    validation: float = 0.2
    corpus_validation: int = 120  # replies of the corpus among those by which thresholds are chosen
    augment_rate: float = 0.4
    seed: int = 7
    device: str = "auto"
    threads: int = 0
    int8: bool = True
    freeze_words: bool = True

    @classmethod
    def from_toml(cls, path: Path, **flags: Any) -> FineTune:
        """Read a configuration file; `flags` that are not None win over it. Raises CorpusError on what is not known."""
        known = {f.name for f in fields(cls)}
        try:
            data = tomllib.loads(path.read_text(encoding="utf-8"))
        except OSError as e:
            raise CorpusError(f"{path}: cannot be read ({e.strerror})") from e
        except tomllib.TOMLDecodeError as e:
            raise CorpusError(f"{path}: not TOML ({e})") from e
        data = data.get("train", data)
        unknown = sorted(set(data) - known)
        if unknown:
            raise CorpusError(f"{path}: unknown keys {', '.join(unknown)} (known: {', '.join(sorted(known))})")
        return cls(**data)._with(flags)

    def _with(self, flags: dict[str, Any]) -> FineTune:
        return replace(self, **{k: v for k, v in flags.items() if v is not None})

    def checked(self) -> FineTune:
        """Return the settings with the device resolved; raise CorpusError on values that cannot be."""
        for name, low, high in (
            ("mix", 0, 0.95),
            ("validation", 0.05, 0.5),
            ("augment_rate", 0, 1),
            ("blend", 0.05, 1),
        ):
            if not low <= getattr(self, name) <= high:
                raise CorpusError(f"{name} is {getattr(self, name)}, expected {low} to {high}")
        for name in ("epochs", "batch_size", "learning_rate", "head_learning_rate"):
            if not getattr(self, name) > 0:
                raise CorpusError(f"{name} is {getattr(self, name)}, expected more than 0")
        import torch

        return replace(self, device=device_of(self.device), threads=self.threads or torch.get_num_threads())


def device_of(name: str) -> str:
    """Resolve `auto`; raise ModelError when a GPU is asked for and none is there."""
    import torch

    there = torch.cuda.is_available()
    if name == "auto":
        return "cuda" if there else "cpu"
    if name not in ("cpu", "cuda"):
        raise ModelError(f"device is {name!r}, expected cpu, cuda or auto")
    if name == "cuda" and not there:
        raise ModelError("torch sees no CUDA device: install torch with CUDA, or give --device cpu")
    return name
