"""What a score was begun with: a later session goes on with the same, or not at all."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from claimx._version import __version__
from claimx.archive.manifest import MANIFEST_VERSION
from claimx.archive.schema import SCHEMA_VERSION
from claimx.archive.scoring import Settings
from claimx.archive.selection import Selection
from claimx.archive.sources import Source
from claimx.errors import ModelError


def describe(
    settings: Settings,
    selection: Selection,
    sources: Sequence[Source],
    reading: Mapping[str, Any],
    paths: Mapping[str, tuple[str, ...]],
    *,
    shard_runs: int,
) -> dict[str, Any]:
    """Return the header of a manifest."""
    return {
        "claimx": __version__,
        "schema": SCHEMA_VERSION,
        "manifest": MANIFEST_VERSION,
        "model": model_digest(settings.model),
        "archive": [s.label for s in sources],
        "sizes": {s.label: s.stamp.size for s in sources if s.stamp is not None},
        "written": {s.label: s.stamp.written for s in sources if s.stamp is not None},
        "reading": dict(reading),
        "selection": _described(selection),
        "map": {k: list(v) for k, v in paths.items()},
        "options": {k: sorted(v) if isinstance(v, frozenset) else v for k, v in _fields(settings.options).items()},
        "shard_runs": shard_runs,
    }


def usable_cpus() -> int:
    """Return the number of CPUs that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def model_digest(folder: str | None) -> str:
    """Return a digest of a model folder, so that a resumed run is not finished with another model."""
    if folder is not None and not Path(folder).is_dir():
        raise ModelError(f"no model folder at {folder}: give the folder that 'claimx.training' exported")
    root = files("claimx.models.default") if folder is None else Path(folder)
    digest = hashlib.sha256()
    for name in ("model.onnx", "config.json", "tokenizer.json"):
        part = root / name
        if part.is_file():
            digest.update(hashlib.sha256(part.read_bytes()).digest())
    return digest.hexdigest()[:16]


def _described(selection: Selection) -> dict[str, Any]:
    return {
        "sample": selection.sample,
        "seed": selection.seed if selection.sample < 1 else None,
        "since": selection.since.isoformat() if selection.since else None,
        "until": selection.until.isoformat() if selection.until else None,
        "where": selection.where.text if selection.where else None,
    }


def _fields(options: Any) -> dict[str, Any]:
    return {name: getattr(options, name) for name in options.__dataclass_fields__}
