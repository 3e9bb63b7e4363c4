"""Which files an archive is made of: names, folders, globs and saved datasets, in an order that never changes."""

from __future__ import annotations

import glob
import json
from collections.abc import Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from claimx.archive.watching import Stamp, stamped
from claimx.errors import InputError

#: Endings of the files that are taken from a folder; a file that is named itself is read whatever its ending.
ENDINGS = (".jsonl", ".ndjson", ".json", ".eval", ".parquet")
PACKED = (".gz", ".zst")
#: What the folder of a score holds: it is no archive of runs, though its files look like one.
SCORED = ("manifest.jsonl", "receipts")

Kind = Literal["lines", "parquet", "arrow", "rows"]


@dataclass(frozen=True, slots=True)
class Source:
    """One file of the archive, or records that are already in memory (`rows`). `label` names it in the output; `stamp` tells what
    the file was when the score began."""

    label: str
    kind: Kind
    path: Path | None = None
    rows: Iterable[Any] | None = None
    size: int = 0
    stamp: Stamp | None = None


def list_sources(
    archive: str | Path | Sequence[str | Path | Iterable[Any]], *, out: Path | None = None
) -> list[Source]:
    """Return the sources of an archive, each file once. Folders and globs leave out what a score has written, and `out`.

    Raises InputError for what is not there, cannot be opened or holds no records.
    """
    sources: list[Source] = []
    archive = [archive] if isinstance(archive, str | Path) else archive
    for i, item in enumerate(archive):
        if isinstance(item, str | Path):
            sources += _named(str(item), out.resolve() if out else None)
        elif isinstance(item, Mapping) or not isinstance(item, Iterable):
            raise InputError(
                f"item {i + 1} of the archive is a {type(item).__name__}: records come as an iterable of them within a list, "
                "such as score([records], ...); of a DatasetDict give the splits"
            )
        else:
            sources.append(Source(f"records{i + 1 if len(archive) > 1 else ''}", "rows", rows=item, size=_length(item)))
    kept: dict[object, Source] = {}
    for source in sources:
        kept.setdefault(source.path.resolve() if source.path else id(source), source)
    if not kept:
        raise InputError("no archive was given: name files, folders or globs")
    return list(kept.values())


def named(pattern: str) -> list[Path]:
    """Return the paths that a glob names, in the order of their names."""
    return sorted(Path(n) for n in glob.glob(pattern, recursive=True))  # noqa: PTH207  Path.glob takes no absolute pattern


def _named(name: str, out: Path | None) -> list[Source]:
    if not name:
        raise InputError("an archive's name is empty: name files, folders or globs")
    path = Path(name)
    try:
        if path.is_dir():
            if is_scored(path):
                raise InputError(
                    f"{name}: is the output of a score, not an archive of runs: look at it with 'claimx view'"
                )
            found = _in_folder(path, out, set())
            if not found:
                raise InputError(
                    f"{name}: the folder holds no file ending in {', '.join(ENDINGS)} (or these with .gz, .zst)"
                )
            return found
        if path.exists():
            return [_file(path)]
        if any(c in name for c in "*?["):
            paths = [p for p in named(name) if _is_readable(p)]
            found = [_file(p) for p in paths if not _is_output(p, out)]
            if not found:
                raise InputError(
                    f"{name}: no file has such a name" + (", but for the output of a score" if paths else "")
                )
            return found
    except OSError as e:
        raise InputError(f"{e.filename or name}: cannot be opened ({e.strerror})") from e
    raise InputError(f"{name}: no such file or folder")


def is_scored(folder: Path) -> bool:
    """Whether a folder is the output of a score."""
    return (folder / SCORED[0]).is_file() and (folder / SCORED[1]).is_dir()


def _is_output(path: Path, out: Path | None) -> bool:
    """Whether a file lies in the folder of a score, its subfolder included."""
    if out is not None and path.resolve().is_relative_to(out):
        return True
    return any(is_scored(p) for p in (path.parent, path.parent.parent))


def _in_folder(folder: Path, out: Path | None, seen: set[Path]) -> list[Source]:
    real = folder.resolve()
    if real in seen or real == out or is_scored(folder):
        return []
    seen.add(real)  # links may lead in circles
    if (folder / "dataset_dict.json").is_file() or _is_dataset(folder):
        return _dataset(folder)
    found: list[Source] = []
    for path in sorted(folder.iterdir()):
        if path.name.startswith((".", "_")):
            continue
        if path.is_dir():
            # The sub-agents of a session are read with it: SESSION.jsonl beside SESSION/subagents.
            if not (path.name == "subagents" and folder.with_name(f"{folder.name}.jsonl").is_file()):
                found += _in_folder(path, out, seen)
        elif _is_readable(path) and _bare(path.name).endswith(ENDINGS):
            found.append(_file(path))
    return found


def _is_readable(path: Path) -> bool:
    """Whether a path is a file, or a link that leads nowhere: that is told when its turn comes, not passed over."""
    return path.is_file() or (path.is_symlink() and not path.exists())


def _is_dataset(folder: Path) -> bool:
    return (folder / "state.json").is_file() and (folder / "dataset_info.json").is_file()


def _dataset(folder: Path) -> list[Source]:
    """A dataset as `datasets` saves it: Arrow files, listed in state.json; one such folder a split."""
    try:
        if (folder / "dataset_dict.json").is_file():
            splits = json.loads((folder / "dataset_dict.json").read_text(encoding="utf-8"))["splits"]
            return [s for split in splits for s in _dataset(folder / split)]
        state = json.loads((folder / "state.json").read_text(encoding="utf-8"))
        paths = [folder / f["filename"] for f in state["_data_files"]]
    except (OSError, ValueError, KeyError, TypeError) as e:
        raise InputError(f"{folder}: looks like a saved dataset, but its description cannot be read ({e})") from e
    return [_source(p, "arrow") for p in paths]


def _file(path: Path) -> Source:
    kind: Kind = "parquet" if path.name.endswith(".parquet") else "arrow" if path.name.endswith(".arrow") else "lines"
    return _source(path, kind)


def _source(path: Path, kind: Kind) -> Source:
    stamp = stamped(path)
    return Source(path.as_posix(), kind, path, size=stamp.size if stamp else 0, stamp=stamp)


def _bare(name: str) -> str:
    """The name without the ending of its packing; Parquet is packed in itself."""
    for ending in PACKED:
        name = name.removesuffix(ending) if not name.endswith(".parquet" + ending) else name
    return name


def _length(rows: Iterable[Any]) -> int:
    return len(rows) if isinstance(rows, Sized) else 0
