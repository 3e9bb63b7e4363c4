"""Files that are there whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

#: Writes bytes to a file so that it is there whole or not at all.
WriteFile = Callable[[Path, bytes], None]


def write_atomic(path: Path, data: bytes) -> None:
    """Write a file beside its place, force it to disk and move it there. Raises OSError; then nothing is left behind."""
    beside = path.with_name(f".{path.name}.tmp")
    try:
        with beside.open("wb") as f:
            f.write(data)
            f.flush()
            os.fsync(f.fileno())
        beside.replace(path)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise
    _sync_folder(path.parent)


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
