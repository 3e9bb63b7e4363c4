"""This score against an earlier one: which kinds of false claims are new, which rates moved."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from claimx.archive.intervals import p_higher
from claimx.archive.manifest import receipt_files
from claimx.errors import InputError

#: A rate counts as moved when chance alone explains the difference less often than this.
SURE = 0.01


def compare(summary: dict[str, Any], before: Mapping[str, Any], folder: Path) -> dict[str, Any]:
    """Mark the kinds of a summary that an earlier score in `folder` did not have, and return how the rates moved."""
    known = {k["kind"]: k["count"] for k in before["kinds"]}
    if (before.get("left_out") or {}).get("kinds"):
        known = _all_kinds(folder) | known
    new = 0
    for kind in summary["kinds"]:
        kind["new"] = kind["kind"] not in known
        kind["before"] = known.get(kind["kind"], 0)
        new += kind["new"]
    now = {k["kind"] for k in summary["kinds"]}
    gone = [k for k in before["kinds"] if k["kind"] not in now]
    return {
        "folder": folder.as_posix(),
        "runs": before["runs"],
        "new_kinds": new,
        "gone_kinds": [{k: g[k] for k in ("kind", "status", "tool", "verb", "slots", "count")} for g in gone[:100]],
        "rates": {name: _moved(rate, before["rates"].get(name)) for name, rate in summary["rates"].items()},
    }


def _all_kinds(folder: Path) -> dict[str, int]:
    """Every kind of false claim in a score's rows, with its count: a summary lists the most frequent ones alone."""
    found: Counter[str] = Counter()
    try:
        for path in receipt_files(folder):
            for batch in pq.ParquetFile(path).iter_batches(columns=["claims"]):
                claims = batch.column(0).flatten()
                kinds = pc.struct_field(claims, "kind").filter(pc.struct_field(claims, "flagged"))
                found.update({c["values"]: c["counts"] for c in pc.value_counts(kinds).to_pylist()})
    except (InputError, OSError, pa.ArrowException):  # moved away to save room: the summary has to do
        return {}
    return found


def _moved(now: Mapping[str, Any], before: Mapping[str, Any] | None) -> dict[str, Any]:
    if before is None or now["rate"] is None or before["rate"] is None:
        return {"before": before["rate"] if before else None, "moved": None}
    up = p_higher(now["count"], now["of"], before["count"], before["of"])
    down = p_higher(before["count"], before["of"], now["count"], now["of"])
    moved = "up" if up < SURE else "down" if down < SURE else "no"
    return {"before": before["rate"], "moved": moved}
