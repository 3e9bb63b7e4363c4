"""Shards: each id once, the same every time, nothing lost without a word."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from archive_doubles import make_run, mixed, write_lines

from claimx.archive.expressions import Condition
from claimx.archive.identities import IdIndex
from claimx.archive.intake import CHUNK_RUNS, Intake, Reject
from claimx.archive.marks import MAX_DEPTH
from claimx.archive.selection import Selection
from claimx.archive.sources import Source, list_sources


def drawn(rows: list[Any], **options: Any) -> tuple[list[Any], list[Reject], Intake]:
    rejects: list[Reject] = []
    intake = Intake([Source("rows", "rows", rows=rows)], on_reject=rejects.append, **options)
    return list(intake.shards()), rejects, intake


def ids(shards: list[Any]) -> list[str]:
    return [i.run.id for s in shards for c in s.chunks for i in c]


def test_shards_hold_every_run_once_in_order() -> None:
    rows = mixed(1000)
    shards, rejects, intake = drawn(rows, shard_runs=300)
    assert ids(shards) == [r["id"] for r in rows]
    assert [s.runs for s in shards] == [300, 300, 300, 100]
    assert max(len(c) for s in shards for c in s.chunks) == CHUNK_RUNS
    assert (rejects, intake.read) == ([], 1000)


def test_shards_are_the_same_every_time_and_differ_with_their_runs() -> None:
    first, second = (drawn(mixed(500), shard_runs=100)[0] for _ in range(2))
    assert [s.marks for s in first] == [s.marks for s in second]
    changed = mixed(500)
    changed[250]["reply"] += " "
    differing = [a.marks != b.marks for a, b in zip(first, drawn(changed, shard_runs=100)[0], strict=True)]
    assert differing == [False, False, True, False, False]


def test_large_runs_make_small_chunks_and_shards() -> None:
    rows = [make_run(n, user="x" * 1_500_000) for n in range(40)]
    shards, _, _ = drawn(rows)
    assert {len(c) for s in shards for c in s.chunks} == {1}
    assert len(shards) == 2


def test_the_same_run_twice_is_scored_once_and_a_borrowed_id_is_told() -> None:
    rows = [make_run(1), make_run(2), make_run(1), {**make_run(2), "reply": "Other."}]
    shards, rejects, _ = drawn(rows)
    assert ids(shards) == ["r0001", "r0002"]
    assert [(r.line, r.kind, r.id) for r in rejects] == [(3, "duplicate", "r0001"), (4, "conflict", "r0002")]
    assert "the same run stands at rows, line 1" in rejects[0].reason
    assert "another run has this id at rows, line 2" in rejects[1].reason


def test_runs_without_an_id_are_named_by_their_place() -> None:
    shards, _, _ = drawn([{"reply": "a"}, {"reply": "b", "id": "x"}, {"reply": "c"}])
    assert ids(shards) == ["rows:1", "x", "rows:3"]


def test_faulty_records_are_rejected_with_line_and_field() -> None:
    shards, rejects, intake = drawn([make_run(1), {"id": "x"}, 7, {"reply": "a", "ledger": [{}]}])
    assert len(ids(shards)) == 1
    assert [(r.line, r.field) for r in rejects] == [(2, "reply"), (3, None), (4, "ledger[0]")]
    assert rejects[0].reason.startswith("field 'reply' is missing")
    assert dict(intake.rejected) == {"record": 3}


def test_many_ids_are_kept_apart() -> None:
    index = IdIndex()
    for i in range(130_000):
        assert index.add(f"run-{i}", i, i) is None
    assert len(index) == 130_000
    assert [index.add(f"run-{i}", -1, -1).place for i in (0, 49_999, 50_000, 120_000, 129_999)] == [
        0,
        49_999,
        50_000,
        120_000,
        129_999,
    ]


def test_a_run_that_is_nested_too_deeply_costs_no_other() -> None:
    deep: Any = 0
    for _ in range(3000):
        deep = [deep]
    shards, rejects, _ = drawn([make_run(1), {"id": "deep", "reply": "", "more": deep}, make_run(2)])
    assert ids(shards) == ["r0001", "r0002"]
    assert [(r.line, r.kind, r.reason) for r in rejects] == [(2, "record", "nested too deeply to read")]


@pytest.mark.parametrize(("inner", "taken"), [(MAX_DEPTH - 5, True), (MAX_DEPTH + 1, False)])
@pytest.mark.parametrize("where", ["more", "ledger"])
def test_how_deep_a_run_may_be_depends_on_no_engine(where: str, inner: int, taken: bool) -> None:
    deep: Any = 0
    for n in range(inner):
        deep = [deep] if n % 2 else {"a": deep}
    row = make_run(2, more=deep) if where == "more" else make_run(2, ledger=[{"tool": "t", "result": deep}])
    shards, rejects, _ = drawn([make_run(1), row, make_run(3, more=[[]] * 2 * MAX_DEPTH)])
    assert ids(shards) == (["r0001", "r0002", "r0003"] if taken else ["r0001", "r0003"])
    assert [(r.kind, r.id, r.reason) for r in rejects] == (
        [] if taken else [("record", "r0002", "the run is nested too deeply")]
    )


@pytest.mark.parametrize("depth", [400, 880, 960, 1200])
def test_a_line_that_is_nested_too_deeply_costs_no_other(depth: int, tmp_path: Path) -> None:
    deep = '{"id": "deep", "reply": "", "more": ' + "[" * depth + "]" * depth + "}"
    path = write_lines(tmp_path / "a.jsonl", [make_run(1), deep, make_run(2)])
    rejects: list[Reject] = []
    found = ids(list(Intake(list_sources([path]), on_reject=rejects.append).shards()))
    assert [i for i in found if i != "deep"] == ["r0001", "r0002"]
    assert len(found) + len(rejects) == 3
    assert all(r.kind == "record" and "nested too deeply" in r.reason for r in rejects)


def test_ids_that_differ_still_differ_where_the_output_cannot_hold_them() -> None:
    shards, rejects, _ = drawn(
        [{"id": "s\ud800", "reply": ""}, {"id": "s\ud801", "reply": ""}, {"id": "é", "reply": ""}]
    )
    assert ids(shards) == ["s\\ud800", "s\\ud801", "é"]
    assert rejects == []


def test_names_of_a_condition_that_no_run_has_are_known_at_the_end() -> None:
    where = Condition("modle == 'm-1' and agent == 'support' or tier == 'gold'")
    rows = [make_run(1), {**make_run(2), "tier": "gold"}]
    shards, _, intake = drawn(rows, selection=Selection(where=where))
    assert ids(shards) == ["r0002"]
    assert intake.unseen == {"modle"}
