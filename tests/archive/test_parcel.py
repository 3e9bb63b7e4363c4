"""Runs arrive at a worker as they were sent."""

from __future__ import annotations

import pickle
from datetime import UTC, datetime

import pytest

from claimx.archive.facets import Facets
from claimx.archive.intake import Intake, Item
from claimx.archive.on_ray import packed
from claimx.archive.parcel import Parcel
from claimx.archive.sources import list_sources
from claimx.types import CallStatus, CompletionState, LedgerEntry, Run, Tool

FULL = LedgerEntry(
    "c1", "pay", {"a": [1, {"b": None}]}, "done", CallStatus.TIMEOUT, 1.5, "2026-03-01", "late", "c0", 3, False,
    {"note": {"x": "\ud800"}}, next(iter(CompletionState)),
)  # fmt: skip
RUNS = [
    Run(""),
    Run("I paid.", (FULL, LedgerEntry("c2", "look")), (Tool("pay", "pays", {"type": "object"}), Tool("look")), "r1", "Pay!",
        "2026-03-01T00:00:00Z", {"meta": {"bot": 1}}),
]  # fmt: skip


@pytest.mark.parametrize("run", RUNS, ids=["bare", "full"])
def test_what_is_sent_arrives_with_every_field(run: Run) -> None:
    items = [Item(run, "a.jsonl", 7, Facets(datetime(2026, 3, 1, tzinfo=UTC), "bot", "m", "v2"), b"\0\1")] * 2
    assert pickle.loads(pickle.dumps(Parcel(items))) == items


def test_a_parcel_is_smaller_than_its_runs() -> None:
    from archive_doubles import mixed

    (shard,) = Intake(list_sources([mixed(50)])).shards()
    (chunk,) = shard.chunks
    assert len(pickle.dumps(Parcel(chunk))) < len(pickle.dumps(chunk))
    assert pickle.loads(pickle.dumps(Parcel(chunk))) == chunk


def test_what_cannot_travel_fails_where_it_is_sent() -> None:
    nested: list = []
    for _ in range(100_000):
        nested = [nested]
    item = Item(Run("x", (LedgerEntry("c1", "t", nested),)), "f", 1, Facets(), b"")
    with pytest.raises(RecursionError):
        pickle.dumps(Parcel([item]))


def test_a_run_that_cannot_travel_to_an_actor_is_given_up_in_its_place() -> None:
    good, bad = (
        Item(Run("x", id=i, extra=e), "f", n, Facets(), b"")
        for n, (i, e) in enumerate((("a", {}), ("b", {"x": lambda: 0})))
    )
    first, given, last = packed([good, bad, good])
    assert isinstance(first, bytes)
    assert pickle.loads(first) == pickle.loads(last) == [good]
    ((reject,),) = (given.rejects,)
    assert (reject.kind, reject.id) == ("crash", "b")
    assert "cannot be given to a worker" in reject.reason
    assert len(packed([good, good])) == 1
