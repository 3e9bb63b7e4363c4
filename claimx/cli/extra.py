"""Modules of `claimx.training`, imported when a command needs them, and what is said when their packages are missing."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from claimx.errors import MissingExtraError


def training_module(name: str) -> Any:
    """Import `claimx.training.<name>`; raise MissingExtraError that names the package to install."""
    try:
        return import_module(f"claimx.training.{name}")
    except ModuleNotFoundError as e:
        missing = (e.name or "").split(".")[0]
        if missing in ("", "claimx"):
            raise
        raise MissingExtraError(missing, "train") from e
