"""The Ray engine: chunks through Ray Data's `map_batches` on a pool of actors, each with the model on one thread.

The archive is read and the shards are written here; only runs and rows travel. So no machine needs the files of another,
and an actor or a machine that dies costs its chunks a second try and nothing else. A run that kills its actor is given up.
"""

from __future__ import annotations

import logging
import os
import pickle
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import reduce
from itertools import islice
from typing import Any

from claimx.archive.intake import Item, Shard
from claimx.archive.local import LocalEngine, OnChunk, ScoredShard, cannot_travel, given_up
from claimx.archive.parcel import Parcel
from claimx.archive.scoring import Scored, Settings
from claimx.errors import ArchiveError, MissingExtraError

#: Shards handed to the cluster at a time: what is held in its memory, and what a killed session loses at most.
WAVE = 32


class RayEngine:
    """Scores on the cluster at `address` (None: one of its own on this machine, ended afterwards) with `workers` actors
    (None: a CPU each, as many as the cluster has)."""

    def __init__(
        self, settings: Settings, *, address: str | None = None, workers: int | None = None, wave: int = WAVE
    ) -> None:
        self.settings = settings
        self.address = address
        self.workers = workers
        self.wave = wave

    def run(self, shards: Iterable[Shard], on_chunk: OnChunk = lambda _: None) -> Iterator[ScoredShard]:
        """Score shards; see `claimx.archive.local.Engine`. Raises MissingExtraError without Ray."""
        with _connected(self.address) as ray:
            workers = self.workers or max(1, int(ray.cluster_resources().get("CPU", 1)))
            drawn = iter(shards)
            while wave := list(islice(drawn, self.wave)):
                yield from self._wave(ray, wave, workers, on_chunk)

    def _wave(self, ray: Any, wave: list[Shard], workers: int, on_chunk: OnChunk) -> Iterator[ScoredShard]:
        rows = [
            {"shard": i, "chunk": j, "items": pickle.dumps(packed(items))}
            for i, shard in enumerate(wave)
            for j, items in enumerate(shard.chunks)
        ]
        chunks: list[list[Scored | None]] = [[None] * len(s.chunks) for s in wave]
        for shard in wave:
            shard.chunks = []
        # A block a chunk, so that a chunk is what one actor gets at a time.
        dataset = ray.data.from_items(rows, override_num_blocks=len(rows)).map_batches(
            _Actor,
            fn_constructor_args=(self.settings,),
            batch_size=1,
            compute=ray.data.ActorPoolStrategy(min_size=1, max_size=min(workers, len(rows))),
            num_cpus=1,
        )
        del rows
        try:
            for row in dataset.iter_rows():
                scored: Scored = pickle.loads(row["scored"])  # noqa: S301  our own actors' answer
                on_chunk(scored)
                done = chunks[row["shard"]]
                done[row["chunk"]] = scored
                if all(c is not None for c in done):
                    yield ScoredShard(wave[row["shard"]], [c for c in done if c is not None])
                    chunks[row["shard"]] = []
        except ray.exceptions.RayError as e:
            raise ArchiveError(f"the Ray cluster gave out ({e}): what was done is kept; add --resume") from e


class _Actor:
    """One worker of the cluster."""

    def __init__(self, settings: Settings) -> None:
        import ray

        # One that died may have died of a run, and would again, for ever: it lets processes of its own do the work.
        died = ray.get_runtime_context().was_current_actor_reconstructed
        self._score_all = LocalEngine(settings, workers=1).apart if died else settings.make_scorer().score

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        scored = [pickle.dumps(self._score(pickle.loads(items))) for items in batch["items"]]  # noqa: S301  our own driver's
        return {"shard": batch["shard"], "chunk": batch["chunk"], "scored": scored}

    def _score(self, parts: list[bytes | Scored]) -> Scored:
        done = [p if isinstance(p, Scored) else self._score_all(pickle.loads(p)) for p in parts]  # noqa: S301
        return reduce(Scored.joined, done)


def packed(items: list[Item]) -> list[bytes | Scored]:
    """Runs on their way to an actor, in one parcel; of some that cannot travel each good one in its own, in their order."""
    try:
        return [pickle.dumps(Parcel(items))]
    except Exception as e:  # whatever it is, it must not cost the other runs
        if len(items) == 1:
            return [given_up(items[0], cannot_travel(e))]
    return [part for item in items for part in packed([item])]


@contextmanager
def _connected(address: str | None) -> Iterator[Any]:
    """Join or start a cluster without usage statistics, dashboard or chatter."""
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    os.environ.setdefault("RAY_DATA_DISABLE_PROGRESS_BARS", "1")
    try:
        import ray
        import ray.data
    except ModuleNotFoundError as e:
        raise MissingExtraError(e.name or "ray", "ray") from e
    joined = ray.is_initialized()
    if not joined:
        here: dict[str, Any] = {"include_dashboard": False} if address is None else {"address": address}
        try:
            ray.init(**here, log_to_driver=False, logging_level=logging.ERROR)
        except (ConnectionError, RuntimeError, ValueError) as e:
            raise ArchiveError(f"no Ray cluster at {address}: {e}") from e
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    context.execution_options.preserve_order = True
    try:
        yield ray
    finally:
        if not joined:
            ray.shutdown()
