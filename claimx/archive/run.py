"""Scoring an archive from end to end: intake, engine, store, summary. What was done is kept, whatever happens."""

from __future__ import annotations

import errno
import json
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from claimx.adapters import read_runs
from claimx.archive.alarm import alarms_of
from claimx.archive.atomic import WriteFile, write_atomic
from claimx.archive.baseline import compare
from claimx.archive.description import describe, usable_cpus
from claimx.archive.facets import PATHS
from claimx.archive.history import load_summary, read_history
from claimx.archive.intake import SHARD_RUNS, Intake, Reject, Shard
from claimx.archive.local import Engine, LocalEngine
from claimx.archive.manifest import RECEIPTS, SUMMARY
from claimx.archive.outcome import Outcome, Progress
from claimx.archive.reading import Reader
from claimx.archive.schema import from_batches, to_parquet
from claimx.archive.scoring import Scored, Settings
from claimx.archive.selection import Selection
from claimx.archive.sources import list_sources
from claimx.archive.store import Store, open_store
from claimx.archive.summary import summarise_archive
from claimx.archive.tally import Tally, tally
from claimx.archive.watching import as_begun
from claimx.errors import ArchiveError

#: Files that changed during the work, of which the summary tells each.
MOST_CHANGED = 100


@dataclass(slots=True)
class _Session:
    """The counters of one session, and the rejected records on their way to their file."""

    store: Store
    on_progress: Callable[[Progress], None]
    intake: Intake
    began: float = field(default_factory=time.monotonic)
    tally: Tally = field(default_factory=Tally)
    drawn: int = 0
    runs: int = 0
    kept: int = 0
    flagged: int = 0
    broken: list[Reject] = field(default_factory=list)
    _early: dict[int, Tally] = field(default_factory=dict)
    _next: int = 0

    def count(self, number: int, found: Tally) -> None:
        """Add the counts of a shard. They add up in the order of the shards, whichever is done first: what is kept of
        wordings and examples is then the same every time."""
        self._early[number] = found
        while self._next in self._early:
            self.tally.add(self._early.pop(self._next))
            self._next += 1

    def tell(self) -> None:
        read = self.intake.fraction
        fraction = read * self.runs / self.drawn if read is not None and self.drawn else None
        rejected = self.intake.rejected.total()
        seconds = time.monotonic() - self.began
        self.on_progress(Progress(self.runs, self.flagged, rejected, self.kept, seconds, fraction))

    def on_chunk(self, scored: Scored) -> None:
        self.runs += scored.runs + len(scored.rejects)
        self.flagged += scored.flagged
        self.tell()


def score(
    archive: str | Path | Sequence[str | Path | Iterable[Any]],
    out: str | Path,
    *,
    settings: Settings | None = None,
    selection: Selection | None = None,
    reader: Reader = read_runs,
    reading: Mapping[str, Any] | None = None,
    paths: Mapping[str, tuple[str, ...]] = PATHS,
    engine: Engine | None = None,
    workers: int | None = None,
    resume: bool = False,
    baseline: str | Path | None = None,
    history: Sequence[str | Path] = (),
    window: int = 14,
    on_progress: Callable[[Progress], None] = lambda _: None,
    shard_runs: int = SHARD_RUNS,
    write: WriteFile = write_atomic,
) -> Outcome:
    """Score an archive into a folder: one row a run, rejected.jsonl and summary.json.

    `archive` is the name of a file, folder or glob, or a list of names of files, folders and globs, or iterables of records (such as a dataset of `datasets`); `reader`
    makes runs of them, by default of whatever format is recognised (`functools.partial(read_runs, format=..., turns=...)`
    names one), and `reading` tells in JSON how, so that nobody resumes otherwise. `workers`
    defaults to the CPUs this process may use. With `resume` a folder that was begun is finished; rows, rejected.jsonl and
    summary.json come out as if it had never stopped. `baseline` is the folder of an earlier score: what it did not have
    is new. `history` are folders of earlier scores, oldest first, whose last `window` the alarm looks at; those that cannot be
    read stand in the summary's `history`. Without any it looks at the times within this archive. `write` stores a file whole
    or not at all.

    Raises InputError for what is wrong with the archive or the folder, ArchiveError when the disk gives out: the shards
    that were finished stay, and `resume` goes on from there.
    """
    settings, selection = settings or Settings(), selection or Selection()
    sources = list_sources(archive, out=Path(out))
    config = describe(settings, selection, sources, reading or {}, paths, shard_runs=shard_runs)
    # Read before hours of work, not after them: what is wrong is told at once, and what happens to them meanwhile is no matter.
    before = load_summary(Path(baseline)) if baseline else None
    earlier = read_history([Path(h) for h in history], window=window) if history else None
    engine = engine or LocalEngine(settings, workers=workers or usable_cpus())
    began = time.monotonic()
    with open_store(Path(out), config, resume=resume, write=write) as store:
        sources = [replace(s, stamp=as_begun(s.stamp, s.label, store.sizes)) for s in sources]
        intake = Intake(sources, reader, selection, paths, shard_runs=shard_runs)
        session = _Session(store, on_progress, intake)
        try:
            _score_all(session, engine)
            summary = summarise_archive(session.tally, _counts(session, config))
            summary["baseline"] = compare(summary, before, Path(baseline)) if baseline and before else None
            summary["history"] = earlier.to_dict() if earlier else None
            summary["alarms"] = alarms_of(summary, earlier.nights if earlier else (), window=window)
            store.seal()
            store.write(store.folder / SUMMARY, json.dumps(summary, indent=1).encode("ascii") + b"\n")
        except OSError as e:
            raise ArchiveError(_stopped(e, store)) from e
    return Outcome(store.folder, summary, tuple(session.broken), time.monotonic() - began, session.kept)


def _score_all(session: _Session, engine: Engine) -> None:
    store, intake = session.store, session.intake
    with store.beside() as told:

        def on_reject(reject: Reject) -> None:
            told.write(reject)
            if reject.kind == "file":
                session.broken.append(reject)

        intake.on_reject = on_reject
        for scored in engine.run(_fresh(session), session.on_chunk):
            table = from_batches(b for c in scored.chunks for b in c.batches)
            rejects = [r for c in scored.chunks for r in c.rejects]
            shard = scored.shard
            store.finish_shard(shard.number, shard.marks, to_parquet(table), len(table), rejects)
            session.count(shard.number, tally(table))
        for number in sorted(store.done):
            for reject in store.done[number].rejects:
                intake.rejected[reject.kind] += 1
                on_reject(reject)


def _fresh(session: _Session) -> Iterator[Shard]:
    """Draw the shards that are not done yet; those that are add to the counts. What an earlier session has seen of a shard
    must be what is there now."""
    number = -1
    rewritten = set(session.store.rewritten)
    for shard in session.intake.shards():
        number = shard.number
        session.drawn += shard.runs
        if not session.store.knows(shard):
            session.intake.tell_rewritten(shard, rewritten)
        if session.store.keeps(shard.number):
            done = session.store.done[shard.number]
            found = tally(pq.read_table(session.store.folder / RECEIPTS / done.name))
            session.count(shard.number, found)
            session.kept += shard.runs
            session.runs += shard.runs
            session.flagged += sum(n for (_, v), n in found.runs.items() if v in ("fabricated", "misquoted"))
            session.tell()
        else:
            session.store.begin_shard(shard)
            yield shard
    session.store.drop_after(number + 1)


def _counts(session: _Session, config: Mapping[str, Any]) -> dict[str, Any]:
    intake = session.intake
    return {
        "claimx": config["claimx"],
        "model": config["model"],
        "archive": config["archive"],
        "selection": config["selection"],
        "read": intake.read,
        "notes": intake.notes,
        "changed": [{"file": c.file, "what": c.reason} for c in intake.changed[:MOST_CHANGED]],
        "changed_files": len(intake.changed),
        "skipped": dict(sorted(intake.skipped.items())),
        "unseen": sorted(intake.unseen),
        "unmapped": {name: ", ".join(intake.paths[name]) for name in sorted(intake.unmapped)},
        "rejected": dict(sorted(intake.rejected.items())),
    }


def _stopped(error: OSError, store: Store) -> str:
    runs = sum(d.runs for d in store.done.values())
    what = (
        "the disk is full" if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG) else error.strerror or str(error)
    )
    kept = f"{runs:,} runs in {len(store.done)} shards are done and kept"
    return f"{store.folder}: {what}; {kept}: make room and run the same command with --resume"
