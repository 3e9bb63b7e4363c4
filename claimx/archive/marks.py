"""What runs are, as bytes and digests: whether two are the same, and which of a shard have changed since it was made."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from hashlib import blake2b
from typing import TYPE_CHECKING, Any

from claimx.archive.identities import digest64
from claimx.types import Run

if TYPE_CHECKING:
    from claimx.archive.intake import Item

#: Levels of lists and objects in a run at most: what can travel to a worker, whatever the engine.
MAX_DEPTH = 400
_CANONICAL = json.JSONEncoder(sort_keys=True, default=str, separators=(",", ":"))


def canonical(run: Run) -> tuple[bytes, bytes]:
    """Return, as bytes that depend on its content alone, what of a run is judged, and the other fields but its id."""
    data = run.to_dict()
    judged = {k: data.pop(k, None) for k in ("reply", "ledger", "tools", "user", "now")}
    data.pop("id", None)
    out = _CANONICAL.encode(judged).encode("ascii"), _CANONICAL.encode(data).encode("ascii")
    if sum(part.count(b"[") + part.count(b"{") for part in out) > MAX_DEPTH and _depth((judged, data)) > MAX_DEPTH:
        raise RecursionError
    return out


def _depth(value: Any) -> int:
    """How many levels of lists and objects lie within a value."""
    level, depth = [value], -1
    while level:
        depth += 1
        inner = [v.values() if isinstance(v, Mapping) else v for v in level if isinstance(v, Mapping | list | tuple)]
        level = [v for values in inner for v in values]
    return depth


def mark_of(items: Iterable[tuple[Item, int]]) -> str:
    """Return a digest of runs, each with that of its content: of all that a row is made from, and of where it stands."""
    over = blake2b(digest_size=8)
    file = ""
    for item, whole in items:
        if item.file != file:
            file = item.file
            over.update(b"\0" + file.encode("utf-8", "surrogatepass") + b"\0")
        name = digest64(item.run.id.encode("utf-8", "surrogatepass"))
        over.update((name << 128 | whole << 64 | item.line).to_bytes(24, "big"))
    return over.hexdigest()


def changed_at(chunks: Sequence[Sequence[Item]], now: Sequence[str], before: Sequence[str]) -> str:
    """Say in which file and lines the first runs lie that are no longer what they were; "" where no marks were kept."""
    same = 0
    while same < min(len(now), len(before)) and now[same] == before[same]:
        same += 1
    if same < len(now) and before:
        first, last = chunks[same][0], chunks[same][-1]
        if first.file != last.file:
            return f"in {first.file}, line {first.line}, to {last.file}, line {last.line}"
        return f"in {first.file}, lines {first.line} to {last.line}"
    last = chunks[-1][-1]
    return f"in {last.file}, after line {last.line}" if before else ""
