"""Everything around the weights: corpus, training, distillation, export, evaluation. Needs `claimx[train]` for most of it."""

from __future__ import annotations

from typing import Any

__all__ = ["weights_from_onnx"]


def __getattr__(name: str) -> Any:
    if name == "weights_from_onnx":
        from claimx.training.weights import weights_from_onnx

        return weights_from_onnx
    raise AttributeError(f"module 'claimx.training' has no attribute {name!r}")
