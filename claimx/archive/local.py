"""The local engine: processes with one model each on one thread, fed through a bounded queue.

A worker that dies costs nobody's runs: what it held is done again, ever smaller, until the run that kills it is alone.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context
from typing import Any, Protocol

from claimx.archive.intake import Item, Reject, Shard
from claimx.archive.parcel import Parcel
from claimx.archive.scoring import Scored, Scorer, Settings
from claimx.errors import ClaimxError

#: Chunks that a worker may have waiting: work enough for the time in which the next shard is read.
AHEAD = 8
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS", "RAYON_NUM_THREADS")


@dataclass(slots=True)
class ScoredShard:
    """A shard with what became of its chunks, in their order."""

    shard: Shard
    chunks: list[Scored]


OnChunk = Callable[[Scored], None]


class Engine(Protocol):
    """Scores shards as they are drawn; yields each when it is done, in any order. `on_chunk` hears of every chunk."""

    def run(self, shards: Iterable[Shard], on_chunk: OnChunk = ...) -> Iterator[ScoredShard]: ...


@dataclass(slots=True)
class _Open:
    shard: Shard
    left: int
    chunks: list[Scored | None] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Job:
    shard: int
    chunk: int
    items: list[Item]


class LocalEngine:
    """Runs `workers` processes; with one worker the work is still done in a process of its own."""

    def __init__(self, settings: Settings, *, workers: int) -> None:
        self.settings = settings
        self.workers = workers
        self._pool: ProcessPoolExecutor | None = None

    def run(self, shards: Iterable[Shard], on_chunk: OnChunk = lambda _: None) -> Iterator[ScoredShard]:
        """Score shards; see `Engine`. Raises what the workers raise when they cannot start."""
        jobs = _Jobs(shards, on_chunk)
        running: dict[Future[Scored], _Job] = {}
        try:
            while True:
                broken: list[_Job] = []
                while not broken and len(running) < self.workers * (1 + AHEAD) and (job := jobs.next()) is not None:
                    try:
                        running[self._submit(job.items)] = job
                    except BrokenProcessPool:
                        broken.append(job)
                if not running and not broken:
                    return
                done = set(running) if broken else wait(running, return_when=FIRST_COMPLETED)[0]
                for future in done:
                    job = running.pop(future)
                    try:
                        scored = future.result()
                    except BrokenProcessPool:
                        broken.append(job)
                        continue
                    except ClaimxError:
                        raise
                    except Exception:  # runs that cannot travel to a worker: too deep to pickle
                        scored = self.apart(job.items)
                    if (finished := jobs.finish(job, scored)) is not None:
                        yield finished
                if broken:
                    broken += [running.pop(f) for f in list(running)]
                    self._drop()
                    for job in sorted(broken, key=lambda j: (j.shard, j.chunk)):
                        if (finished := jobs.finish(job, self.apart(job.items))) is not None:
                            yield finished
        finally:
            self._drop()

    def _submit(self, items: list[Item]) -> Future[Scored]:
        if (
            self._pool is None
        ):  # its queues start a helper of Python's that lets Ctrl-C through again: before, not within
            self._pool = ProcessPoolExecutor(
                self.workers,
                mp_context=get_context("spawn"),
                initializer=_start,
                initargs=(self.settings, os.getpid()),
            )
        with _for_workers():  # it starts its processes one by one, as work comes in
            return self._pool.submit(_work, Parcel(items))

    def apart(self, items: list[Item]) -> Scored:
        """Score runs of which one may have killed a worker, halving until it is alone: then it is given up."""
        reason = "the worker died on this run twice (out of memory, or a crash in native code)"
        try:
            return self._submit(items).result()
        except BrokenProcessPool:
            self._drop()
        except ClaimxError:
            raise
        except Exception as e:
            reason = cannot_travel(e)
        if len(items) == 1:
            return given_up(items[0], reason)
        half = len(items) // 2
        first, second = self.apart(items[:half]), self.apart(items[half:])
        return first.joined(second)

    def _drop(self) -> None:
        if self._pool is not None:
            pool, self._pool = self._pool, None
            pool.shutdown(wait=True, cancel_futures=True)


def cannot_travel(error: Exception) -> str:
    return f"the run cannot be given to a worker: {type(error).__name__}: {error}"[:500]


def given_up(item: Item, reason: str) -> Scored:
    """Return what became of a run that no worker could score."""
    return Scored((), (Reject(item.file, item.line, "crash", reason, id=item.run.id),), 0, 0)


@contextmanager
def _for_workers() -> Iterator[None]:
    """Give processes that start within it one thread each, and no Ctrl-C: that is the parent's, from their first moment on."""
    kept = {name: os.environ.get(name) for name in _ONE_THREAD}
    os.environ.update(dict.fromkeys(_ONE_THREAD, "1"))
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT}) if hasattr(signal, "pthread_sigmask") else None
    try:
        yield
    finally:
        for name, value in kept.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value
        if before is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)


class _Jobs:
    """Hands out the chunks of shards one by one and puts the results together again."""

    def __init__(self, shards: Iterable[Shard], on_chunk: OnChunk) -> None:
        self._shards = iter(shards)
        self._on_chunk = on_chunk
        self._waiting: deque[_Job] = deque()
        self._open: dict[int, _Open] = {}

    def next(self) -> _Job | None:
        if not self._waiting:
            shard = next(self._shards, None)
            if shard is None:
                return None
            self._waiting.extend(_Job(shard.number, i, items) for i, items in enumerate(shard.chunks))
            self._open[shard.number] = _Open(shard, len(shard.chunks), [None] * len(shard.chunks))
            shard.chunks = []  # the jobs hold the runs from here on, each until it is done
        return self._waiting.popleft()

    def finish(self, job: _Job, scored: Scored) -> ScoredShard | None:
        self._on_chunk(scored)
        opened = self._open[job.shard]
        opened.chunks[job.chunk] = scored
        opened.left -= 1
        if opened.left:
            return None
        del self._open[job.shard]
        return ScoredShard(opened.shard, [c for c in opened.chunks if c is not None])


_scorer: Scorer | ClaimxError | None = None


def _start(settings: Settings, parent: int) -> None:
    """Make a worker: load the model, leave Ctrl-C to the parent, and end when the parent is gone."""
    global _scorer
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(parent,), daemon=True).start()
    try:
        _scorer = settings.make_scorer()
    except ClaimxError as e:  # told by the first chunk: an initializer that raises would only break the pool
        _scorer = e


def _end_with(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)


def _work(items: Any) -> Scored:
    """Score what a parcel was opened to."""
    if isinstance(_scorer, ClaimxError):
        raise _scorer
    assert _scorer is not None  # noqa: S101  _start has run
    return _scorer.score(items)
