"""The output folder: shards that appear whole or not at all, and a manifest that says which are done.

OUT/receipts/part-00000.parquet ...   the rows
OUT/manifest.jsonl                    a header, then one line a finished shard
OUT/rejected.jsonl                    what was not scored, and why
OUT/notes.jsonl                       what was odd in the input and cost no run
OUT/summary.json, OUT/report.html     what it comes to
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from claimx.archive.atomic import WriteFile, write_atomic
from claimx.archive.intake import Reject, Shard
from claimx.archive.manifest import (
    MANIFEST,
    NOTES,
    RECEIPTS,
    REJECTED,
    REPORT,
    SUMMARY,
    Done,
    manifest_line,
    read_manifest,
)
from claimx.archive.marks import changed_at
from claimx.errors import ArchiveError, InputError

_LOCK = ".lock"


@dataclass(frozen=True, slots=True)
class Told:
    """The open files of what was rejected and what was noted."""

    rejected: TextIO
    notes: TextIO

    def write(self, reject: Reject) -> None:
        file = self.notes if reject.kind == "note" else self.rejected
        file.write(json.dumps(reject.to_dict()) + "\n")


class Store:
    """An output folder that this process writes. Make one with `open_store`."""

    def __init__(self, folder: Path, config: Mapping[str, Any], *, write: WriteFile = write_atomic) -> None:
        self.folder = folder
        self.config = dict(config)
        self.write = write
        self.done: dict[int, Done] = {}
        #: Files that were written over since the score was begun and are as long as they were.
        self.rewritten: set[str] = set()
        self._begun: dict[int, tuple[str, ...]] = {}
        self._resized: list[str] = []

    def load(self, *, resume: bool) -> None:
        """Take up what an earlier session finished. Raises InputError when the folder holds another run's output."""
        manifest = self.folder / MANIFEST
        if not manifest.exists():
            foreign = [n for n in (RECEIPTS, REJECTED, NOTES, SUMMARY, REPORT) if (self.folder / n).exists()]
            if foreign:
                raise InputError(
                    f"{self.folder}: holds {foreign[0]} but no {MANIFEST}, so it is no output of a score: name another --out"
                )
            self._start()  # before all else: a kill leaves a folder that can be told from somebody else's
            self._tidy()
            return
        if not resume:
            raise InputError(
                f"{self.folder}: holds the output of a run: add --resume to finish it, or name another --out"
            )
        lines = list(read_manifest(manifest))
        if not lines:
            if not manifest_line(self.config).startswith(manifest.read_bytes()[:10]):
                raise InputError(f"{manifest}: was not written by claimx: name another --out")
            self._start()
            self._tidy()
            return
        self._compare(lines[0])
        self._take_up(lines[0])
        self._tidy()
        try:
            self._begun = {d["begun"]: tuple(d["marks"]) for d in lines[1:] if "begun" in d}
            self.done = {d.number: d for d in map(Done.from_dict, (x for x in lines[1:] if "begun" not in x))}
            self._begun |= {n: d.marks for n, d in self.done.items()}
        except (KeyError, TypeError, AttributeError) as e:
            raise InputError(f"{manifest}: holds a line that claimx did not write ({e}): name another --out") from e
        # What a kill tore in mid-line is cut off: the next line must start afresh.
        self.write(manifest, b"".join(map(manifest_line, lines)))

    def _tidy(self) -> None:
        (self.folder / RECEIPTS).mkdir(exist_ok=True)
        for stale in (*self.folder.glob(".*.tmp"), *(self.folder / RECEIPTS).glob(".*.tmp")):
            stale.unlink(missing_ok=True)

    @property
    def sizes(self) -> dict[str, int]:
        """How long each file was when this score was begun, in whichever session."""
        sizes: dict[str, int] = self.config.get("sizes", {})
        return sizes

    def _take_up(self, header: Mapping[str, Any]) -> None:
        """Hold the files' lengths and times of writing against those when the score was begun, and keep the latter."""
        now, written = self.sizes, self.config.get("written", {})
        sizes, times = (dict(header.get(k) or {}) for k in ("sizes", "written"))
        resized = [n for n, size in sizes.items() if n in now and now[n] != size]
        self._resized = [f"{n} was {sizes[n]:,} bytes, is {now[n]:,}" for n in resized]
        self.rewritten = {n for n, t in times.items() if n in written and written[n] != t} - set(resized)
        self.config |= {"sizes": sizes, "written": times}

    def knows(self, shard: Shard) -> bool:
        """Whether a session has seen this shard, finished or not. Raises InputError when it saw other runs in it: the archive
        has changed since."""
        before = self._begun.get(shard.number)
        if before is not None and before != shard.marks:
            where = changed_at(shard.chunks, shard.marks, before)
            raise InputError(
                f"{self.folder}: shard {shard.number} was made of other runs: the archive has changed since, {where}{self._what()}; "
                "put the files back as they were, or name another --out"
            )
        return before is not None

    def keeps(self, number: int) -> bool:
        """Whether a shard is done and its file is intact."""
        done = self.done.get(number)
        if done is None:
            return False
        try:
            data = (self.folder / RECEIPTS / done.name).read_bytes()
        except OSError:
            return False
        return hashlib.sha256(data).hexdigest() == done.sha256

    def begin_shard(self, shard: Shard) -> None:
        """Keep what a shard is made of before it is scored: shards behind it may be finished when it is not."""
        if self._begun.get(shard.number) != shard.marks:
            self._begun[shard.number] = shard.marks
            self._append({"begun": shard.number, "marks": shard.marks}, now=False)

    def finish_shard(
        self, number: int, marks: tuple[str, ...], data: bytes, runs: int, rejects: Sequence[Reject]
    ) -> None:
        """Write a shard's file, then its line in the manifest."""
        done = Done(number, runs, marks, hashlib.sha256(data).hexdigest(), tuple(rejects))
        self.write(self.folder / RECEIPTS / done.name, data)
        self._append(done.to_dict())
        self.done[number] = done

    def drop_after(self, count: int) -> None:
        """Forget shards that the archive no longer has. Raises InputError: their runs would be there for nothing."""
        if any(n >= count for n in self._begun):
            raise InputError(
                f"{self.folder}: the archive has lost runs since, at its end{self._what()}: put them back, or name another --out"
            )

    def _what(self) -> str:
        """Which files are no longer what they were, as far as lengths and times tell."""
        named = self._resized or [f"{n} was written over" for n in sorted(self.rewritten)]
        more = f" and {len(named) - 5} more" if len(named) > 5 else ""
        return f" ({'; '.join(named[:5])}{more})" if named else ""

    @contextmanager
    def beside(self) -> Iterator[Told]:
        """Open rejected.jsonl and notes.jsonl afresh. They take their places even if the work stops half-way, but not where
        it turns out that the archive is another one."""
        with ExitStack() as held:
            files = {
                n: held.enter_context((self.folder / f".{n}.tmp").open("w", encoding="ascii"))
                for n in (REJECTED, NOTES)
            }
            try:
                yield Told(files[REJECTED], files[NOTES])
            except InputError:
                for name in files:
                    (self.folder / f".{name}.tmp").unlink()
                raise
            except BaseException:
                self._place(files)
                raise
            for file in files.values():
                file.flush()
            self._place(files)

    def _place(self, files: Mapping[str, TextIO]) -> None:
        for name in files:
            (self.folder / f".{name}.tmp").replace(self.folder / name)

    def seal(self) -> None:
        """Put the manifest in order, each shard once: it is then that of a run nobody disturbed."""
        lines = [self.config, *(self.done[n].to_dict() for n in sorted(self.done))]
        self.write(self.folder / MANIFEST, b"".join(map(manifest_line, lines)))

    def _start(self) -> None:
        self.write(self.folder / MANIFEST, manifest_line(self.config))

    def _append(self, data: Mapping[str, Any], *, now: bool = True) -> None:
        """Add a line to the manifest, with `now` down to the disk."""
        with (self.folder / MANIFEST).open("ab") as f:
            f.write(manifest_line(data))
            f.flush()
            if now:
                os.fsync(f.fileno())

    def _compare(self, before: Mapping[str, Any]) -> None:
        now = json.loads(json.dumps(self.config))
        changed = sorted(k for k in {*before, *now} - {"sizes", "written"} if before.get(k) != now.get(k))
        if changed:
            what = "; ".join(f"{k} was {_brief(before.get(k))}, is {_brief(now.get(k))}" for k in changed)
            raise InputError(
                f"{self.folder}: was begun otherwise ({what}): use the same options, or name another --out"
            )


@contextmanager
def open_store(
    folder: Path, config: Mapping[str, Any], *, resume: bool, write: WriteFile = write_atomic
) -> Iterator[Store]:
    """Make the folder, keep other processes out of it, and take up what is there."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = (folder / _LOCK).open("w")
    except OSError as e:
        raise InputError(f"{folder}: cannot be written ({e.strerror})") from e
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as e:
            raise InputError(f"{folder}: another process is writing there") from e
        store = Store(folder, config, write=write)
        try:
            store.load(resume=resume)
        except OSError as e:
            raise ArchiveError(f"{folder}: cannot be written ({e.strerror}); nothing was scored") from e
        yield store


def _brief(value: Any) -> str:
    text = json.dumps(value, default=str)
    return text if len(text) <= 60 else text[:59] + "…"
