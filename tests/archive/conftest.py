"""Scoring without processes, for every test of the room."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))  # worker processes import the doubles by name

from archive_doubles import Here, Words


@pytest.fixture
def scored(tmp_path: Path) -> Callable[..., Any]:
    """Scores rows, or files, into tmp_path/out without processes."""
    from claimx.archive import score

    def run(*archive: Any, out: str = "out", words: Words | None = None, **options: Any) -> Any:
        return score(list(archive), tmp_path / out, engine=Here(words), **options)

    return run
