"""Compiling the corpus: marked sources and the generator's output become JSON Lines with splits, and a manifest.

Splits never cut through a family, a source file or a held-out author:

    train       what models learn from
    validation  the last source file of every larger part: thresholds and early stopping
    test        everything by the held-out authors
    contrast    a tenth of the contrast families, for scores per attribute
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from claimx.training.evaluate import is_claim

from claimx.annotate.example import Example, faults_of, read_jsonl, write_jsonl
from claimx.annotate.markup import Record, parse_source
from claimx.annotate.similarity import near_duplicates
from claimx.errors import CorpusError

SPLITS = ("train", "validation", "test", "contrast")
#: Authors whose every reply is kept out of training.
HELD_OUT = frozenset({"part-h"})
#: A contrast family goes to the diagnostic set when its name's hash falls into this share of 10.
CONTRAST_SHARE = 1


def data_folder() -> Path:
    """Folder of the built corpus, which ships with the package as `claimx.data`."""
    return Path(str(files("claimx.data")))


def source_folder() -> Path:
    """Folder of the marked sources, which only the repository holds; raises CorpusError elsewhere."""
    folder = data_folder() / "source"
    if not folder.is_dir():
        raise CorpusError(
            "the corpus' sources are not here: clone the project's repository, its folder data/ holds them"
        )
    return folder


def _bucket(name: str, n: int = 10) -> int:
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big") % n


def read_sources(folder: Path) -> tuple[list[Example], list[str]]:
    """Compile every source file: examples with their split in `meta`, and what is wrong with the faulty records."""
    faults: list[str] = []
    out: list[Example] = []
    files = sorted(folder.glob("*.txt"))
    last: dict[str, str] = {}
    sizes: Counter[str] = Counter()
    for f in files:
        part = f.stem.rsplit("-", 1)[0]
        if f.stem.rsplit("-", 1)[1].isdigit():
            last[part] = f.stem
            sizes[part] += 1
    # A part of one or two files is too small to give one away.
    last = {part: stem for part, stem in last.items() if sizes[part] > 2}
    seen: dict[str, str] = {}
    for f in files:
        part = f.stem.rsplit("-", 1)[0]
        for n, record in enumerate(parse_source(f.read_text(encoding="utf-8"), name=f.name), 1):
            if not isinstance(record, Record):
                faults.append(str(record))
                continue
            meta = record.meta
            family = meta.get("family", "")
            key = f"{f.stem}/{n:03d}"
            if record.text in seen and not family:
                faults.append(f"{f.name}:{record.line}: the same text as {seen[record.text]}")
                continue
            seen[record.text] = key
            if part in HELD_OUT:
                split = "test"
            elif family:
                split = "contrast" if _bucket(family) < CONTRAST_SHARE else "train"
            else:
                split = "validation" if f.stem == last.get(part) else "train"
            example = Example(
                key, record.text, record.actions, record.values, origin="authored", domain=meta["domain"],
                voice=meta["voice"], part=part, family=family, flip=meta.get("flip", ""), meta={"split": split},
            )  # fmt: skip
            wrong = faults_of(example)
            if wrong:
                faults.append(f"{f.name}:{record.line}: {wrong[0]}")
            else:
                out.append(example)
    return out, faults


def build(folder: Path, generated: Iterable[Example] = ()) -> dict[str, Any]:
    """Write `folder`/<split>.jsonl and manifest.json from the sources; raise CorpusError that lists every fault.

    Replies of training, written or generated, that nearly repeat one that is held out are dropped.
    """
    examples, faults = read_sources(folder / "source")
    if faults:
        raise CorpusError(f"{len(faults)} faulty records:\n" + "\n".join(faults[:50]))
    held = [(e.id, e.text) for e in examples if e.meta["split"] != "train"]
    examples = [*examples, *generated]
    trained = [e for e in examples if e.meta["split"] == "train"]
    twins = {b for _, b, _ in near_duplicates(held, [(e.id, e.text) for e in trained], limit=0.7)}
    kept = [e for e in examples if e.id not in twins]
    manifest: dict[str, Any] = {"dropped_as_near_duplicates": len(twins), "splits": {}}
    for split in SPLITS:
        rows = [e for e in kept if e.meta["split"] == split]
        path = folder / f"{split}.jsonl"
        write_jsonl(path, rows)
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        manifest["splits"][split] = {"replies": len(rows), "sha256": digest}
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n", encoding="utf-8")
    return manifest


def load_split(split: str, folder: Path | None = None) -> list[Example]:
    """Read one split of the built corpus."""
    path = (folder or data_folder()) / f"{split}.jsonl"
    if not path.is_file():
        raise CorpusError(f"{path.name} is not built: run 'python -m claimx.training corpus build'")
    return read_jsonl(path)


def statistics(examples: Sequence[Example]) -> dict[str, Any]:
    """Count what the data card reports: sizes, claims, attributes, slots, domains, voices, forms."""
    c: dict[str, Counter[str]] = {
        k: Counter() for k in ("domain", "voice", "origin", "part", "tense", "modality", "actor", "slot")
    }
    words = sorted(len(e.text.split()) for e in examples)
    claims = no_claim = actions = values = listed = coded = 0
    for e in examples:
        for k in ("domain", "voice", "origin", "part"):
            c[k][getattr(e, k)] += 1
        found = [a for a in e.actions if is_claim(a)]
        claims += len(found)
        no_claim += not found
        actions += len(e.actions)
        values += len(e.values)
        for a in e.actions:
            for k in ("tense", "modality", "actor"):
                c[k][a[k]] += 1
            c["slot"].update(s["type"] for s in a["slots"])
        c["slot"].update(v["type"] for v in e.values)
        lines = e.text.split("\n")
        listed += any(x.lstrip()[:2] in {"- ", "* ", "| ", "1."} or x.lstrip().startswith("|") for x in lines)
        coded += "`" in e.text or ("/" in e.text and any("." in w and "/" in w for w in e.text.split()))
    n = len(examples) or 1
    return {
        "replies": len(examples),
        "words": {"median": words[len(words) // 2] if words else 0, "max": words[-1] if words else 0},
        "actions": actions,
        "claims": claims,
        "values_of_no_action": values,
        "share_without_claim": no_claim / n,
        "share_with_lists_or_tables": listed / n,
        "share_with_code_or_paths": coded / n,
        **{k: dict(v.most_common()) for k, v in c.items()},
    }
