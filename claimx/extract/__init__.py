"""Text to claims: the only room that imports spaCy and onnxruntime."""

from __future__ import annotations

from claimx.extract.extractor import Extractor

__all__ = ["Extractor"]
