"""What scoring tells while it goes on, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from claimx.archive.intake import Reject


@dataclass(frozen=True, slots=True)
class Progress:
    """How far scoring is. `fraction` is None where the archive's size is not known; `eta` is in seconds."""

    runs: int
    flagged: int
    rejected: int
    kept: int
    seconds: float
    fraction: float | None

    @property
    def rate(self) -> float:
        """Runs a second in this session."""
        return (self.runs - self.kept) / self.seconds if self.seconds > 0 else 0.0

    @property
    def eta(self) -> float | None:
        if not self.fraction or self.runs <= self.kept:
            return None
        total = self.runs / self.fraction
        return max(0.0, (total - self.runs) / self.rate) if self.rate else None


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of scoring: the folder, the content of its summary.json, and files that could not be read to their end."""

    folder: Path
    summary: dict[str, Any]
    broken: tuple[Reject, ...] = ()
    seconds: float = 0.0
    kept: int = 0
