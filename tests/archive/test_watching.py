"""Files that grow, shrink, are replaced or vanish while they are scored: one row a run that was there at the start, and a word on the rest."""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from archive_doubles import Here, make_run, mixed, write_lines

from claimx.archive import score
from claimx.cli.outcome import tell_outcome
from claimx.errors import InputError

Change = Callable[[Path], object]


class Meanwhile(Here):
    """An engine during whose first shard something happens to the archive."""

    def __init__(self, change: Callable[[], object]) -> None:
        super().__init__()
        self.change = change

    def run(self, shards: Any, on_chunk: Any = lambda _: None) -> Any:
        for i, shard in enumerate(super().run(shards, on_chunk)):
            if i == 0:
                self.change()
            yield shard


def ids(folder: Path) -> list[str]:
    return [i for p in sorted((folder / "receipts").iterdir()) for i in pq.read_table(p)["id"].to_pylist()]


def notes(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(x) for x in (folder / "notes.jsonl").read_text().splitlines()]


def lines(runs: list[Any]) -> bytes:
    return b"".join(json.dumps(r).encode() + b"\n" for r in runs)


def append(path: Path, data: bytes) -> None:
    with path.open("ab") as f:
        f.write(data)


def replaced(path: Path, data: bytes) -> None:
    beside = path.with_suffix(".new")
    beside.write_bytes(data)
    beside.replace(path)


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """More than is read ahead in one go."""
    return write_lines(tmp_path / "a.jsonl", [{**r, "user": "x" * 2000} for r in mixed(1500)])


def scored_while(archive: Path | list[Path], change: Callable[[], object], out: str = "out", **more: Any) -> Any:
    archives = archive if isinstance(archive, list) else [archive]
    folder = archives[0].parent / out
    return score([str(a) for a in archives], folder, engine=Meanwhile(change), shard_runs=100, **more)


ALL = [f"r{n:04}" for n in range(1500)]
LATER = lines([make_run(n) for n in range(5000, 5040)])


def test_what_is_appended_meanwhile_is_told_and_not_read(archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    size = archive.stat().st_size
    outcome = scored_while(archive, lambda: append(archive, LATER))
    assert ids(outcome.folder) == ALL
    (changed,) = outcome.summary["changed"]
    assert changed["file"] == archive.as_posix()
    assert f"has grown since the score began: its first {size:,} bytes were read" in changed["what"]
    assert f"of {size + len(LATER):,} now: score it into another --out" in changed["what"]
    assert [n["reason"] for n in notes(outcome.folder)] == [changed["what"]]
    assert tell_outcome(outcome, [], json_lines=False, quiet=True, formats={}) == 0
    assert "has grown" in capsys.readouterr().err


def test_a_writer_faster_than_the_score_does_not_keep_it_from_ending(archive: Path) -> None:
    class Growing(Here):
        def run(self, shards: Any, on_chunk: Any = lambda _: None) -> Any:
            for shard in super().run(shards, on_chunk):
                append(archive, LATER * 10)
                yield shard

    assert ids(score([str(archive)], archive.parent / "out", engine=Growing(), shard_runs=100).folder) == ALL


def test_a_line_that_was_being_written_at_the_start_is_no_faulty_record(archive: Path) -> None:
    half = json.dumps(make_run(7000)).encode()
    append(archive, half[:40])
    outcome = scored_while(archive, lambda: append(archive, half[40:] + b"\n"))
    assert ids(outcome.folder) == ALL
    assert outcome.summary["rejected"] == {}
    assert next(n["reason"] for n in notes(outcome.folder)) == "was being written when the score began"


def test_a_torn_last_line_of_a_file_that_nobody_writes_is_faulty_as_ever(archive: Path) -> None:
    append(archive, b'{"id": "x", "rep')
    outcome = scored_while(archive, lambda: None)
    assert outcome.summary["rejected"] == {"record": 1}
    assert outcome.summary["changed"] == []


def test_a_last_line_without_its_end_is_whole_also_when_more_follows(archive: Path) -> None:
    archive.write_bytes(archive.read_bytes()[:-1])
    outcome = scored_while(archive, lambda: append(archive, b"\n" + LATER))
    assert ids(outcome.folder) == ALL
    assert outcome.summary["rejected"] == {}


def test_a_file_cut_short_meanwhile_ends_the_score_cleanly(archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    size = archive.stat().st_size
    outcome = scored_while(archive, lambda: os.truncate(archive, 10_000))
    found = ids(outcome.folder)
    assert found == ALL[: len(found)]
    assert 0 < len(found) < 1500
    (broken,) = outcome.broken
    assert "was cut short while it was read" in broken.reason
    assert f"of {size:,} bytes were there" in broken.reason
    assert tell_outcome(outcome, [], json_lines=False, quiet=True, formats={}) == 2
    assert "into another --out" in capsys.readouterr().err


def test_a_file_replaced_while_it_is_read_is_read_as_it_was(archive: Path) -> None:
    outcome = scored_while(archive, lambda: replaced(archive, LATER))
    assert ids(outcome.folder) == ALL
    assert (
        "was replaced while it was read: what was read is the file as it was" in outcome.summary["changed"][0]["what"]
    )


def test_a_file_removed_while_it_is_read_is_read_as_it_was(archive: Path) -> None:
    outcome = scored_while(archive, archive.unlink)
    assert ids(outcome.folder) == ALL
    assert "was removed" in outcome.summary["changed"][0]["what"]


def test_a_file_written_over_in_place_is_told(archive: Path) -> None:
    data = archive.read_bytes()

    def over() -> None:
        with archive.open("r+b") as f:
            f.write(data.replace(b"today", b"later"))
        os.utime(archive, ns=(1, 1))

    outcome = scored_while(archive, over)
    assert len(ids(outcome.folder)) == 1500
    assert "what was read may be of both" in outcome.summary["changed"][0]["what"]


@pytest.mark.parametrize(
    ("change", "says", "count", "broken"),
    [
        (lambda p: replaced(p, LATER), "was replaced after the score began", 40, 0),
        (lambda p: append(p, LATER), "has grown since the score began", 10, 0),
        (lambda p: os.truncate(p, len(lines([make_run(n) for n in range(2000, 2004)]))), "is shorter than when", 4, 1),
        (lambda p: p.unlink(), "No such file", 0, 1),
    ],
    ids=["replaced", "grown", "shorter", "gone"],
)
def test_a_file_changed_before_its_turn_is_told(
    change: Change, says: str, count: int, broken: int, archive: Path, tmp_path: Path
) -> None:
    second = write_lines(tmp_path / "b.jsonl", [make_run(n) for n in range(2000, 2010)])
    outcome = scored_while([archive, second], lambda: change(second))
    assert len(ids(outcome.folder)) == 1500 + count
    assert len(outcome.broken) == broken
    told = [*(b.reason for b in outcome.broken), *(c["what"] for c in outcome.summary["changed"])]
    assert says in " ".join(told)


def test_a_packed_file_that_grows_is_read_as_it_was(tmp_path: Path) -> None:
    rows = [{**r, "user": os.urandom(900).hex()} for r in mixed(1500)]
    path = tmp_path / "a.jsonl.gz"
    path.write_bytes(gzip.compress(lines(rows), 1))
    outcome = scored_while(path, lambda: append(path, gzip.compress(LATER)))
    assert ids(outcome.folder) == ALL
    assert outcome.broken == ()
    assert "has grown" in outcome.summary["changed"][0]["what"]


@pytest.mark.parametrize("kind", ["parquet", "arrow", "stream"])
@pytest.mark.parametrize("what", ["cut", "replaced"])
def test_a_table_that_changes_ends_the_score_cleanly(kind: str, what: str, tmp_path: Path) -> None:
    """A mapped file that is cut short would kill the process."""
    rows = [{**r, "user": os.urandom(3000).hex(), "ledger": json.dumps(r["ledger"])} for r in mixed(1500)]
    table = pa.Table.from_pylist(rows)
    path = tmp_path / f"a.{'parquet' if kind == 'parquet' else 'arrow'}"
    if kind == "parquet":
        pq.write_table(table, path, row_group_size=100)
    else:
        new = pa.ipc.new_file if kind == "arrow" else pa.ipc.new_stream
        with new(str(path), table.schema) as writer:
            writer.write_table(table, max_chunksize=100)
    outcome = scored_while(path, lambda: os.truncate(path, 600_000) if what == "cut" else replaced(path, b"other"))
    found = ids(outcome.folder)
    assert found == ALL[: len(found)]
    assert len(found) >= 100
    if what == "cut":
        assert outcome.broken or outcome.summary["changed"]
        assert len(found) < 1500 or kind == "parquet"  # whose reader runs ahead
    else:
        assert len(found) == 1500
        assert "was replaced" in outcome.summary["changed"][0]["what"]


def test_what_has_no_length_is_read_to_its_end(tmp_path: Path) -> None:
    """A pipe, as shells make them of <(zcat ...)."""
    import threading

    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(lines(mixed(300))))
    writer.start()
    outcome = score([str(pipe)], tmp_path / "out", engine=Here())
    writer.join()
    assert (len(ids(outcome.folder)), outcome.summary["changed"]) == (300, [])


class Stopped(Exception):
    pass


def stopped(archive: Path, out: str = "out") -> None:
    """A score that is killed after some shards."""

    def stop() -> None:
        raise Stopped

    class Stopping(Here):
        def run(self, shards: Any, on_chunk: Any = lambda _: None) -> Any:
            for i, shard in enumerate(super().run(shards, on_chunk)):
                if i == 3:
                    stop()
                yield shard

    with pytest.raises(Stopped):
        score([str(archive)], archive.parent / out, engine=Stopping(), shard_runs=100)


def test_a_resumed_score_reads_what_was_there_when_it_was_begun(archive: Path, tmp_path: Path) -> None:
    whole = score([str(archive)], tmp_path / "whole", engine=Here(), shard_runs=100)
    stopped(archive)
    append(archive, LATER)
    again = score([str(archive)], tmp_path / "out", engine=Here(), shard_runs=100, resume=True)
    assert ids(again.folder) == ALL
    assert again.kept == 300
    assert "has grown since the score began" in again.summary["changed"][0]["what"]
    for part in (whole.folder / "receipts").iterdir():
        assert part.read_bytes() == (again.folder / "receipts" / part.name).read_bytes()
    assert (whole.folder / "manifest.jsonl").read_bytes() == (again.folder / "manifest.jsonl").read_bytes()


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (
            lambda rows: lines([*rows[:5], {**rows[5], "reply": "Other."}, *rows[6:]]),
            "was .* bytes, is .*put the files back",
        ),
        (lambda rows: lines(rows[1:]), "was .* bytes, is .* or name another --out"),
        (
            lambda rows: lines(rows).replace(b"today", b"later"),
            r"in .*a\.jsonl, lines 1 to 64 \(.*a\.jsonl was written over",
        ),
        (lambda rows: lines(rows[:200]), "lost runs since|was .* bytes"),
    ],
    ids=["a run changed", "a run gone", "of the same length", "cut short"],
)
def test_a_resumed_score_names_the_file_that_has_changed(
    data: Callable[[list[Any]], bytes], says: str, archive: Path, tmp_path: Path
) -> None:
    stopped(archive)
    rows = [json.loads(x) for x in archive.read_text().splitlines()]
    archive.write_bytes(data(rows))
    with pytest.raises(InputError, match=says) as told:
        score([str(archive)], tmp_path / "out", engine=Here(), shard_runs=100, resume=True)
    assert "a.jsonl" in str(told.value)


def test_a_file_that_is_shorter_but_whole_where_it_was_read_is_told(archive: Path, tmp_path: Path) -> None:
    stopped(archive)
    os.truncate(archive, len(lines([json.loads(x) for x in archive.read_text().splitlines()[:700]])))
    again = score([str(archive)], tmp_path / "out", engine=Here(), shard_runs=100, resume=True)
    assert ids(again.folder) == ALL[:700]
    assert "is shorter than when the score began" in again.broken[0].reason


def over(path: Path, old: bytes, new: bytes, *, lines: range) -> None:
    """Write over some lines in place with others of the same length."""
    assert len(old) == len(new)
    size = path.stat().st_size
    held = path.read_bytes().splitlines(keepends=True)
    changed = [line.replace(old, new) if n in lines else line for n, line in enumerate(held, 1)]
    assert changed != held
    path.write_bytes(b"".join(changed))
    assert path.stat().st_size == size
    stat = path.stat()
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns + 1_000_000_000))


def resumed(archive: Path, **options: Any) -> Any:
    return score([str(archive)], archive.parent / "out", engine=Here(), shard_runs=100, resume=True, **options)


@pytest.mark.parametrize(
    ("old", "new"),
    [(b"support", b"oldsupp"), (b"2026-03", b"2027-03"), (b'"m-1"', b'"m-2"'), (b"today", b"later")],
    ids=["agent", "time", "model", "reply"],
)
def test_whatever_of_a_finished_shard_was_written_over_is_told_with_its_lines(
    old: bytes, new: bytes, archive: Path
) -> None:
    stopped(archive)
    before = {p.name: p.read_bytes() for p in (archive.parent / "out" / "receipts").iterdir()}
    over(archive, old, new, lines=range(170, 200))
    with pytest.raises(
        InputError, match=r"shard 1 was made of other runs.*a\.jsonl, lines 165 to 200 .*put the files back"
    ):
        resumed(archive)
    over(archive, new, old, lines=range(170, 200))
    outcome = resumed(archive)
    assert ids(outcome.folder) == ALL
    assert before.items() <= {p.name: p.read_bytes() for p in (outcome.folder / "receipts").iterdir()}.items()


def test_a_shard_that_others_overtook_is_scored_as_it_was_begun_or_not_at_all(archive: Path) -> None:
    """Shards 2 to 4 are done when the score stops, the two before them were being scored."""

    class Overtaken(Here):
        def run(self, shards: Any, on_chunk: Any = lambda _: None) -> Any:
            done = [next(super(Overtaken, self).run([s], on_chunk)) for _, s in zip(range(5), shards, strict=False)]
            yield from done[2:]
            raise Stopped

    with pytest.raises(Stopped):
        score([str(archive)], archive.parent / "out", engine=Overtaken(), shard_runs=100)
    over(archive, b"today", b"later", lines=range(101, 150))
    held = (archive.parent / "out" / "manifest.jsonl").read_bytes()
    with pytest.raises(InputError, match=r"shard 1 was made of other runs.*a\.jsonl, lines 101 to 164"):
        resumed(archive)
    assert not (archive.parent / "out" / "receipts" / "part-00001.parquet").exists()
    over(archive, b"later", b"today", lines=range(101, 150))
    outcome = resumed(archive)
    assert (ids(outcome.folder), outcome.kept) == (ALL, 400)  # the first was done again meanwhile
    assert held.count(b"begun") == 5
    assert b"begun" not in (outcome.folder / "manifest.jsonl").read_bytes()


def test_what_was_written_over_behind_all_that_was_seen_is_read_and_told(archive: Path) -> None:
    stopped(archive)  # has seen 400 runs
    over(archive, b"today", b"later", lines=range(401, 1000))
    outcome = resumed(archive)
    assert ids(outcome.folder) == ALL
    (told,) = outcome.summary["changed"]
    assert told["file"].endswith("a.jsonl")
    assert "from line 401 on it was read as it is now" in told["what"]
    assert "another --out" in told["what"]
    assert [n["line"] for n in notes(outcome.folder)] == [401]


def test_a_file_that_was_written_after_all_of_it_was_seen_is_no_other_if_its_runs_are_not(archive: Path) -> None:
    score([str(archive)], archive.parent / "out", engine=Here(), shard_runs=100)
    os.utime(archive, ns=(1, 1))
    outcome = resumed(archive)
    assert (outcome.kept, outcome.summary["changed"]) == (1500, [])
