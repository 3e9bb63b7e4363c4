"""The names of what a score leaves in its folder, and its manifest: a header, then one line a finished shard. While the score
runs a shard has a line before it is scored, too."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from claimx.archive.intake import Reject
from claimx.errors import InputError

#: Raised when a line of the manifest changes its meaning.
MANIFEST_VERSION = 2

RECEIPTS, MANIFEST, REJECTED, NOTES, SUMMARY, REPORT = (
    "receipts",
    "manifest.jsonl",
    "rejected.jsonl",
    "notes.jsonl",
    "summary.json",
    "report.html",
)


@dataclass(frozen=True, slots=True)
class Done:
    """A finished shard as the manifest holds it. `marks` are digests of the chunks that it is made of, `sha256` that of its
    file."""

    number: int
    runs: int
    marks: tuple[str, ...]
    sha256: str
    rejects: tuple[Reject, ...] = ()

    @property
    def name(self) -> str:
        return f"part-{self.number:05}.parquet"

    def to_dict(self) -> dict[str, Any]:
        return {
            "shard": self.number,
            "runs": self.runs,
            "marks": list(self.marks),
            "sha256": self.sha256,
            "rejects": [r.to_dict() for r in self.rejects],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Done:
        rejects = tuple(Reject.from_dict(r) for r in data["rejects"])
        return cls(data["shard"], data["runs"], tuple(data["marks"]), data["sha256"], rejects)


def read_manifest(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the lines of a manifest up to the first that was torn."""
    for line in path.read_bytes().split(b"\n"):
        if line.strip():
            try:
                data = json.loads(line)
            except ValueError:
                return
            if not isinstance(data, dict):
                return
            yield data


def receipt_files(folder: Path) -> list[Path]:
    """Return the files of the finished shards, in order. Raises InputError when the folder is no output of a score."""
    manifest = folder / MANIFEST
    if not manifest.is_file():
        raise InputError(f"{folder}: no {MANIFEST}: give the --out folder of 'claimx score'")
    done = {d["shard"]: Done.from_dict(d) for d in read_manifest(manifest) if "shard" in d}
    return [folder / RECEIPTS / done[n].name for n in sorted(done)]


def manifest_line(data: Mapping[str, Any]) -> bytes:
    return json.dumps(data, ensure_ascii=True, separators=(",", ":")).encode("ascii") + b"\n"
