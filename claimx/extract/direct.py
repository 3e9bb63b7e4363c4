"""Extraction without spaCy: the same readings from the model alone, for a process that must answer within a second.

spaCy's import costs more than everything else in a short-lived command; the model, the decoding and the reading of values do
not need it. Answers are those of `Extractor`.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from claimx.extract.model import Model, load_model
from claimx.extract.reading import read
from claimx.types import Extraction


class DirectReader:
    """Reads replies with a model folder (None: the shipped one), loaded at first use. Fits `Checker(extractor=...)`."""

    def __init__(self, model: str | Path | None = None) -> None:
        self._source = model
        self._model: Model | None = None

    def extract_full(self, text: str) -> Extraction:
        """Extract the actions, claims and values of one reply. Raises ModelError when the model cannot be read."""
        if self._model is None:
            self._model = load_model(self._source)
        return read(self._model, text)

    def extract_many(self, texts: Iterable[str]) -> list[Extraction]:
        """Extract from many replies, in order."""
        return [self.extract_full(t) for t in texts]
