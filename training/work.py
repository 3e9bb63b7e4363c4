"""A folder in which a training run works: whose run it is, so that nothing is resumed or reused under other data or settings."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from claimx.training.standoff import strip

from claimx.annotate.example import Example
from claimx.errors import CorpusError

#: What a run depends on, beside its checkpoints and weights.
RECORD_FILE = "run.json"
_WEIGHTS = frozenset({".safetensors", ".bin", ".onnx"})


def claim_folder(
    work: Path, wanted: Mapping[str, Any], *, fresh: bool = False, defaults: Mapping[str, Any] | None = None
) -> None:
    """Write down what a run in `work` depends on; raise CorpusError that names what differs when another was begun there.

    `wanted` maps names to values, one level of tables among them. A setting that an older record lacks counts as what
    `defaults` says. `fresh` removes the folder first.
    """
    file = work / RECORD_FILE
    if fresh:
        shutil.rmtree(work, ignore_errors=True)
    wanted = json.loads(json.dumps(wanted))
    begun = _begun(file)
    if begun is not None:
        now = _flat(wanted)
        known = {k: v for k, v in _flat(defaults or {}).items() if k in now}
        changed = _differences({**known, **_flat(begun)}, now)
        if changed:
            shown = "; ".join(changed[:6]) + (f"; and {len(changed) - 6} more" if len(changed) > 6 else "")
            raise CorpusError(
                f"{work} holds a run with other data, settings or model ({shown}): give --fresh to start over, or another folder"
            )
    work.mkdir(parents=True, exist_ok=True)
    partial = file.with_name(f".{file.name}.part")
    partial.write_text(json.dumps(wanted, indent=1) + "\n", encoding="utf-8")
    partial.replace(file)


def digest_of(examples: Iterable[Example]) -> str:
    """Digest of every label and text digest, in order."""
    digest = hashlib.sha256()
    for e in examples:
        digest.update(json.dumps(strip(e), sort_keys=True).encode())
    return f"sha256:{digest.hexdigest()}"


def weights_of(source: Path | str | None) -> str | None:
    """Digest of the weights and shape in a folder; a name that is no folder, or None, stands for itself."""
    if source is None or not Path(source).is_dir():
        return source if source is None else str(source)
    files = [p for p in sorted(Path(source).iterdir()) if p.suffix in _WEIGHTS or p.name == "config.json"]
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.name.encode() + hashlib.sha256(file.read_bytes()).digest())
    return f"sha256:{digest.hexdigest()}"


def _begun(file: Path) -> dict[str, Any] | None:
    if not file.is_file():
        return None
    try:
        begun = json.loads(file.read_text(encoding="utf-8"))
    except ValueError:
        begun = None
    if not isinstance(begun, dict):
        raise CorpusError(f"{file} cannot be read: give --fresh to start over, or another folder")
    return begun


def _flat(tables: Mapping[str, Any]) -> dict[str, Any]:
    out: dict[str, Any] = {}
    for name, value in tables.items():
        if isinstance(value, Mapping):
            out |= {f"{name}.{k}": v for k, v in value.items()}
        else:
            out[name] = value
    return out


def _differences(begun: Mapping[str, Any], wanted: Mapping[str, Any]) -> list[str]:
    """What differs, in words: digests are only said to differ, other values are shown."""
    out = []
    for name in sorted({*begun, *wanted}):
        was, now = begun.get(name), wanted.get(name)
        if was == now:
            continue
        digest = any(isinstance(v, str) and v.startswith("sha256:") for v in (was, now))
        out.append(f"{name} differs" if digest else f"{name} was {was!r}, is {now!r}")
    return out
