"""Counters over all runs of a guard: what models invent is a list of what users ask for."""

from __future__ import annotations

from collections import Counter
from threading import Lock
from typing import Any

from claimx.guard.refusal import Code, Decision


class Counts:
    """Counts decisions; safe to share between threads."""

    def __init__(self) -> None:
        self._lock = Lock()
        self.calls = 0
        self.refused = 0
        self.codes: Counter[str] = Counter()
        self.invented_tools: Counter[str] = Counter()
        self.invented_parameters: Counter[str] = Counter()

    def add(self, decision: Decision) -> None:
        with self._lock:
            self.calls += 1
            self.refused += not decision.allowed
            for r in decision.refusals:
                self.codes[str(r.code)] += 1
                if r.code == Code.UNKNOWN_TOOL:
                    self.invented_tools[decision.tool] += 1
                elif r.code == Code.UNKNOWN_PARAMETER and r.field:
                    self.invented_parameters[f"{decision.tool}.{r.field.removeprefix('args.')}"] += 1

    def to_dict(self) -> dict[str, Any]:
        """Return the counts, the most frequent names first."""
        with self._lock:
            return {
                "calls": self.calls,
                "refused": self.refused,
                "codes": dict(self.codes.most_common()),
                "invented_tools": dict(self.invented_tools.most_common()),
                "invented_parameters": dict(self.invented_parameters.most_common()),
            }
