"""Tasks out to an annotation tool, labels back from it: files, formats, and what was wrong where."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from claimx.annotate import doccano, label_studio, prodigy
from claimx.annotate.example import Example, faults_of
from claimx.annotate.marks import Marked, example_of
from claimx.annotate.markup import Record, parse_source, to_markup
from claimx.annotate.selection import Candidate
from claimx.annotate.similarity import near_duplicates
from claimx.errors import FormatError

#: What lies beside labels without being labels.
_BESIDE = frozenset({"manifest.json", "meta.json", "config.json"})
FORMATS = ("label-studio", "prodigy", "doccano", "inline")
_READERS: dict[str, Callable[[Mapping[str, Any]], tuple[str, str, str, Marked] | None]] = {
    "label-studio": label_studio.read_task,
    "prodigy": prodigy.read_task,
    "doccano": doccano.read_task,
}


@dataclass(slots=True)
class Imported:
    """Labels that hold, what was wrong with the others (one line a fault), and how many replies carry no label."""

    examples: list[Example] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    faulty: int = 0
    skipped: int = 0
    repeated: int = 0


def write_tasks(path: Path, candidates: Sequence[Candidate], form: str, *, model: str = "default") -> list[Path]:
    """Write tasks and, beside them, the labelling configuration of the tool; return the files written."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside: Path | None = None
    if form == "label-studio":
        tasks = [label_studio.make_task(c, model=model) for c in candidates]
        path.write_text(json.dumps(tasks, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        beside = path.with_suffix(".config.xml")
        beside.write_text(label_studio.make_config(), encoding="utf-8")
    elif form == "inline":
        path.write_text("\n".join(map(_inline, candidates)), encoding="utf-8")
    else:
        make = prodigy.make_task if form == "prodigy" else doccano.make_task
        path.write_text("".join(json.dumps(make(c), ensure_ascii=False) + "\n" for c in candidates), encoding="utf-8")
        beside = path.with_suffix(".labels.txt" if form == "prodigy" else ".labels.json")
        labels = ",".join(prodigy.all_labels()) if form == "prodigy" else json.dumps(doccano.make_labels(), indent=1)
        beside.write_text(labels + "\n", encoding="utf-8")
    return [path] if beside is None else [path, beside]


def _inline(candidate: Candidate) -> str:
    e = candidate.example
    head = f"=== id={_word(e.id)} domain={_word(e.domain) or 'in-house'} voice={_word(e.voice) or 'in-house'}"
    return f"{head}\n{to_markup(e.text, e.actions, e.values)}\n"


def _word(text: str) -> str:
    return "_".join(text.split())


def read_export(path: Path, form: str | None = None) -> Imported:
    """Read what a tool gave back. Raises FormatError when the file is none of the formats."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as e:
        raise FormatError(f"{path}: cannot be read ({e.strerror})") from e
    except UnicodeDecodeError as e:
        raise FormatError(f"{path}: not UTF-8 (byte {e.start}): save the file as UTF-8") from e
    out = Imported()
    if form == "inline" or (form is None and text.lstrip().startswith("===")):
        _read_inline(text, path, out)
    else:
        for where, task in _tasks(text, path, out):
            known = form or _form_of(task, path)
            _read_one(known, where, task, path, out)
    _drop_repeats(out)
    return out


def _tasks(text: str, path: Path, out: Imported) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """Each task with its place; a line that is no object is a fault."""
    if text.lstrip().startswith("["):
        try:
            items = json.loads(text)
        except ValueError as e:
            raise FormatError(f"{path}: not JSON ({e}): export again") from e
        # The converter of Label Studio puts each file of an export into a list of its own.
        flat = [x for item in items for x in (item if isinstance(item, list) else [item])]
        rows = [(f"task {n}", item) for n, item in enumerate(flat, 1)]
    else:
        rows = []
        for n, line in enumerate(text.splitlines(), 1):
            if line.strip():
                try:
                    rows.append((f"line {n}", json.loads(line)))
                except ValueError as e:
                    _fault(out, f"{path.name}: line {n}: not JSON ({e})")
    for where, item in rows:
        if isinstance(item, Mapping):
            yield where, item
        else:
            _fault(out, f"{path.name}: {where}: not an object")


def read_labelled(names: Sequence[Path]) -> Imported:
    """Read labelled replies from files (labels, markup, exports) and folders of them.

    Raises FormatError when a name does not exist or a folder holds nothing to read.
    """
    out = Imported()
    for name in names:
        files = [name]
        if name.is_dir():
            files = sorted(
                p for p in name.rglob("*") if p.suffix in {".jsonl", ".json", ".txt"} and p.name not in _BESIDE
            )
            files = [f for f in files if not f.name.endswith((".labels.txt", ".labels.json"))]
            if not files:
                raise FormatError(f"{name}: no .jsonl, .json or .txt file in it")
        for file in files:
            found = read_export(file)
            out.examples += found.examples
            out.faults += found.faults
            for key in ("faulty", "skipped", "repeated"):
                setattr(out, key, getattr(out, key) + getattr(found, key))
    _drop_repeats(out)
    return out


def _form_of(task: Mapping[str, Any], path: Path) -> str:
    if "text" in task and "actions" in task:
        return "labels"
    if "annotations" in task or "completions" in task or isinstance(task.get("data"), Mapping):
        return "label-studio"
    if "entities" in task:
        return "doccano"
    if "tokens" in task or "spans" in task or "answer" in task:
        return "prodigy"
    keys = ", ".join(sorted(map(str, task))[:8])
    raise FormatError(
        f"{path}: not an export that can be read (fields: {keys}): export Label Studio as JSON, Prodigy by db-out, doccano as "
        "JSONL with relations, or name the format with --from"
    )


def _read_one(form: str, where: str, task: Mapping[str, Any], path: Path, out: Imported) -> None:
    number = where.split()[-1]
    try:
        if form == "labels":
            example = Example.from_dict({"id": f"{path.stem}/{number}", "origin": "in-house", **task})
            _keep(out, example, faults_of(example), f"{path.name}: {where} (id {example.id})")
            return
        read = _READERS[form](task)
    except (ValueError, KeyError, TypeError, AttributeError) as e:
        said = f"field {e} is missing" if isinstance(e, KeyError) else str(e)
        _fault(out, f"{path.name}: {where}: {said}")
        return
    if read is None:
        out.skipped += 1
        return
    key, text, domain, marked = read
    key = key or f"{path.stem}/{number}"
    example, faults = example_of(key, text, marked, origin="in-house", domain=domain, voice="in-house", part=path.stem)
    _keep(out, example, faults, f"{path.name}: {where} (id {key})")


def _read_inline(text: str, path: Path, out: Imported) -> None:
    for n, record in enumerate(parse_source(text, name=path.name), 1):
        if not isinstance(record, Record):
            _fault(out, str(record))
            continue
        key = record.meta.get("id") or f"{path.stem}/{n}"
        example = Example(
            key, record.text, record.actions, record.values, origin="in-house", domain=record.meta["domain"],
            voice=record.meta["voice"], part=path.stem, family=record.meta.get("family", ""),
        )  # fmt: skip
        _keep(out, example, faults_of(example), f"{path.name}:{record.line} (id {key})")


def _keep(out: Imported, example: Example, faults: list[str], where: str) -> None:
    if faults:
        out.faults += [f"{where}: {f}" for f in faults]
        out.faulty += 1
    else:
        out.examples.append(example)


def _fault(out: Imported, line: str) -> None:
    out.faults.append(line)
    out.faulty += 1


def _drop_repeats(out: Imported) -> None:
    """Keep the last labels of a text that comes twice; ids that stand for two texts get a number."""
    last = {e.text: e for e in out.examples}
    out.repeated += len(out.examples) - len(last)
    used: dict[str, int] = {}
    kept = []
    for e in last.values():
        used[e.id] = used.get(e.id, 0) + 1
        kept.append(e if used[e.id] == 1 else Example.from_dict({**e.to_dict(), "id": f"{e.id}~{used[e.id]}"}))
    out.examples = kept


def twins_of(examples: Sequence[Example], *, limit: float = 0.9) -> int:
    """Count near-duplicates among labelled replies: they teach little, and flatter scores when split apart."""
    texts = [(str(i), e.text) for i, e in enumerate(examples)]
    return len({frozenset((a, b)) for a, b, _ in near_duplicates(texts, texts, limit=limit)})
