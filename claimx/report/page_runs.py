"""The flagged runs of a score as the page needs them: small, and with every kind of false claim among them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from heapq import heappop, heappush, heapreplace
from pathlib import Path
from typing import Any

import pyarrow.compute as pc
import pyarrow.parquet as pq

from claimx.archive.identities import digest64
from claimx.archive.manifest import receipt_files
from claimx.report.marking import marks_of, pieces_of, visible

#: Characters of a reply that the page shows around its claims.
MAX_REPLY = 6_000
#: Claims of a run that it shows, the false ones first; names of any kind, and lists of them.
MAX_CLAIMS, MAX_NAME, MAX_NAMES = 60, 200, 20
#: Runs of each kind of false claim that are kept for certain.
PER_KIND = 3
_ROLES = ("", "claim", "trigger", "value", "wrong", "gap")


def flagged_runs(folder: Path, summary: Mapping[str, Any], *, most: int) -> dict[str, Any]:
    """Return up to `most` flagged runs of a score. Of more, a sample by id, with some of each kind in it for certain."""
    kinds = {k["kind"]: i for i, k in enumerate(summary["kinds"])}
    seen: Counter[str] = Counter()
    a_kind = max(1, min(PER_KIND, most // (2 * max(1, len(kinds)))))
    sure: list[dict[str, Any]] = []
    sample: list[tuple[int, int, dict[str, Any]]] = []
    total = 0
    for row in _flagged_rows(folder):
        total += 1
        own = {c["kind"] for c in row["claims"] if c["flagged"]}
        if any(seen[k] < a_kind for k in own) and len(sure) < most:
            seen.update(own)
            sure.append(to_run(row, kinds))
            continue
        key = -digest64(row["id"].encode("utf-8"))
        if len(sample) + len(sure) < most:
            heappush(sample, (key, -total, to_run(row, kinds)))
        elif sample and key > sample[0][0]:
            heapreplace(sample, (key, -total, to_run(row, kinds)))
    while len(sample) + len(sure) > most and sample:
        heappop(sample)
    runs = sure + [r for _, _, r in sample]
    runs.sort(key=lambda r: (r["f"], r["l"], r["i"]))
    return {"total": total, "roles": list(_ROLES), "runs": runs}


def to_run(row: Mapping[str, Any], kinds: Mapping[str, int]) -> dict[str, Any]:
    """Return a row as the page's scripts read it; its keys are told in assets/data.js."""
    ranked = sorted(enumerate(row["claims"]), key=lambda c: (not c[1]["flagged"], c[0]))
    claims = [c for _, c in sorted(ranked[:MAX_CLAIMS], key=lambda c: c[0])]
    pieces = pieces_of(row["reply"], marks_of(claims), most=MAX_REPLY)
    return {
        "i": _name(row["id"]),
        "f": _name(row["file"]),
        "l": row["line"],
        "t": int(row["time"].timestamp()) if row["time"] else None,
        "a": row["agent"] and visible(row["agent"]),
        "m": row["model"] and visible(row["model"]),
        "v": row["version"] and visible(row["version"]),
        "d": row["verdict"],
        "s": visible(row["summary"][:1200]),
        "p": [[p.text, p.claim, _ROLES.index(p.role)] for p in pieces],
        "c": [
            {
                "s": c["status"],
                "w": int(c["flagged"]),
                "k": kinds.get(c["kind"], -1) if c["flagged"] else -1,
                "t": c["tool"] and _name(c["tool"]),
                "x": visible(c["text"][:600]),
                "r": visible(c["reason"][:1200]),
                "n": _names(c["calls"]),
                "m": [
                    [visible(str(m[k])[:600]) for k in ("slot", "claimed", "recorded", "path")] for m in c["mismatches"]
                ],
            }
            for c in claims
        ],
        "e": [
            [*(_name(str(e[k])) for k in ("id", "tool", "status")), *(visible(str(e[k])) for k in ("args", "result"))]
            for e in row["calls"] or ()
        ],
        "u": _names(row["unreported"] or []),
        "o": len(row["claims"]) - len(claims),
    }


def shown(value: Any) -> Any:
    """Return a summary as the page shows it: names cut short, and no character in it that reorders or hides the others."""
    if isinstance(value, Mapping):
        return {_name(k): _name(v) if k == "tool" and isinstance(v, str) else shown(v) for k, v in value.items()}
    if isinstance(value, list):
        return [shown(v) for v in value]
    return visible(value) if isinstance(value, str) else value


def _name(text: str) -> str:
    """Cut a long name short, with a digest in its end: names that differ must differ here too."""
    if len(text) > MAX_NAME:
        text = f"{text[: MAX_NAME - 7]}…{digest64(text.encode('utf-8', 'surrogatepass')) % 0x1000000:06x}"
    return visible(text)


def _names(names: list[str]) -> list[str]:
    more = [f"and {len(names) - MAX_NAMES} more"] if len(names) > MAX_NAMES else []
    return [_name(n) for n in names[:MAX_NAMES]] + more


def _flagged_rows(folder: Path) -> Iterator[dict[str, Any]]:
    for path in receipt_files(folder):
        table = pq.read_table(path)
        yield from table.filter(pc.invert(table["ok"])).to_pylist()
