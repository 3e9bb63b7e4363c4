"""One row of an output folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.compute as pc
import pyarrow.parquet as pq

from claimx.archive.manifest import receipt_files
from claimx.errors import InputError


def find_row(folder: Path, id: str | None) -> dict[str, Any]:
    """Return the row of a run, or of the first flagged run without an `id`. Raises InputError when there is none."""
    for path in receipt_files(folder):
        file = pq.ParquetFile(path)
        column = file.read(["ok"])["ok"] if id is None else file.read(["id"])["id"]
        at = pc.index(column, False if id is None else id).as_py()
        if at >= 0:
            row: dict[str, Any] = file.read().slice(at, 1).to_pylist()[0]
            return row
    raise InputError(
        f"{folder}: no run " + (f"with the id {id!r}" if id is not None else "is flagged: name one with --id")
    )
