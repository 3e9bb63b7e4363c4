"""Where an archive lies and what it is packed in: the same runs come out of all of it."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import random
import sys
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from archive_doubles import make_run, mixed, write_lines

from claimx.adapters import read_runs
from claimx.archive.reading import BrokenSource, read_source, whole_part
from claimx.archive.sources import list_sources
from claimx.errors import InputError, InputNote

ROWS = mixed(30)


def read(*archive: Any) -> list[Any]:
    found = [f for s in list_sources(list(archive)) for f in read_source(s, read_runs, lambda _: None)]
    return [f for f in found if not isinstance(f.error, InputNote)]


def ids(found: list[Any]) -> list[str]:
    return [f.run.id for f in found]


def packed(path: Path) -> bytes:
    return path.read_bytes()


@pytest.fixture
def lines(tmp_path: Path) -> Path:
    return write_lines(tmp_path / "a.jsonl", ROWS)


def zstd(path: Path, data: bytes) -> bytes:
    with pa.CompressedOutputStream(str(path), "zstd") as f:
        f.write(data)
    return path.read_bytes()


def test_gzip_and_zstandard_read_as_the_bare_file_in_one_part_or_several(lines: Path, tmp_path: Path) -> None:
    data = packed(lines)
    first, second = data[:1500], data[1500:]
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(first) + gzip.compress(second))
    (tmp_path / "c.jsonl.zst").write_bytes(zstd(tmp_path / "x", first) + zstd(tmp_path / "x", second))
    bare = read(lines)
    assert read(tmp_path / "b.jsonl.gz") == read(tmp_path / "c.jsonl.zst") == bare
    assert ids(bare) == [r["id"] for r in ROWS]


def test_parquet_reads_nested_columns_and_json_text(tmp_path: Path, lines: Path) -> None:
    pq.write_table(pa.Table.from_pylist(ROWS), tmp_path / "nested.parquet")
    texts = [{**r, "ledger": json.dumps(r["ledger"]), "tools": json.dumps(r["tools"])} for r in ROWS]
    pq.write_table(pa.Table.from_pylist(texts), tmp_path / "text.parquet")
    bare = [f.run for f in read(lines)]
    assert [f.run for f in read(tmp_path / "nested.parquet")] == bare
    assert [f.run for f in read(tmp_path / "text.parquet")] == bare


def test_a_dataset_reads_from_memory_and_from_its_folder(tmp_path: Path, lines: Path) -> None:
    datasets = pytest.importorskip("datasets", reason="the package 'datasets' is not installed")
    dataset = datasets.Dataset.from_list(ROWS)
    dataset.save_to_disk(tmp_path / "saved", num_shards=2)
    datasets.DatasetDict({"x": dataset}).save_to_disk(tmp_path / "dict")
    bare = [f.run for f in read(lines)]
    assert [f.run for f in read(dataset)] == bare
    assert [f.run for f in read(tmp_path / "saved")] == bare
    assert [f.run for f in read(tmp_path / "dict")] == bare


def test_folders_and_globs_give_each_file_once_in_order(tmp_path: Path) -> None:
    (tmp_path / "x" / "deep").mkdir(parents=True)
    for name in ("x/b.jsonl", "x/a.jsonl", "x/deep/c.ndjson", "x/.hidden.jsonl", "x/notes.txt"):
        write_lines(tmp_path / name, [{"id": name, "reply": ""}])
    folder = tmp_path / "x"
    assert ids(read(folder)) == ["x/a.jsonl", "x/b.jsonl", "x/deep/c.ndjson"]
    assert ids(read(folder, str(folder / "*.jsonl"), folder / "b.jsonl")) == [
        "x/a.jsonl",
        "x/b.jsonl",
        "x/deep/c.ndjson",
    ]
    assert ids(read(str(folder / "**" / "*.ndjson"))) == ["x/deep/c.ndjson"]


def test_a_name_alone_is_an_archive_and_records_without_their_list_are_told(lines: Path) -> None:
    assert list_sources(str(lines)) == list_sources(lines) == list_sources([lines])
    with pytest.raises(InputError, match="name is empty"):
        list_sources([""])
    for given in (ROWS, {"train": ROWS}, [5], [{"train": ROWS}]):
        with pytest.raises(InputError, match=r"score\(\[records\], ...\)|no such file"):
            list_sources(given)


@pytest.mark.parametrize(
    ("name", "says"),
    [("nope.jsonl", "no such file"), ("*.nope", "no file has such a name"), ("empty", "holds no file")],
)
def test_what_is_not_there_is_told(name: str, says: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    with pytest.raises(InputError, match=says):
        list_sources([tmp_path / name])


def test_a_file_that_breaks_off_keeps_what_came_before(tmp_path: Path) -> None:
    rng = random.Random(3)
    rows = [make_run(n, user=rng.randbytes(400).hex()) for n in range(1500)]
    data = packed(write_lines(tmp_path / "a.jsonl", rows))
    (tmp_path / "torn.gz").write_bytes(gzip.compress(data)[:-2000])
    (tmp_path / "torn.zst").write_bytes(zstd(tmp_path / "x", data)[:-2000])
    for name in ("torn.gz", "torn.zst"):
        found = read(tmp_path / name)
        assert isinstance(found[-1].error, BrokenSource)
        assert "cannot be read from here on" in str(found[-1].error)
        assert found[-1].line == len(found) > 500
        assert ids(found[:-2]) == [r["id"] for r in rows[: len(found) - 2]]


@pytest.mark.parametrize("name", ["x.parquet", "x.arrow", "x.jsonl.gz"])
def test_a_file_that_is_not_what_it_seems_is_one_error(name: str, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"\x1f\x8bnonsense" * 10)
    (found,) = read(tmp_path / name)
    assert isinstance(found.error, BrokenSource)


def test_progress_reaches_the_size_of_a_source(lines: Path, tmp_path: Path) -> None:
    pq.write_table(pa.Table.from_pylist(ROWS), tmp_path / "t.parquet")
    (tmp_path / "b.jsonl.gz").write_bytes(gzip.compress(packed(lines)))
    for path in (lines, tmp_path / "t.parquet", tmp_path / "b.jsonl.gz"):
        (source,) = list_sources([path])
        at: list[int] = []
        list(read_source(source, read_runs, at.append))
        assert at[-1] == source.size


def test_a_file_that_is_gone_when_its_turn_comes_is_one_error(lines: Path) -> None:
    (source,) = list_sources([lines])
    lines.unlink()
    (found,) = read_source(source, read_runs, lambda _: None)
    assert isinstance(found.error, BrokenSource)
    assert "No such file" in str(found.error)


@pytest.mark.parametrize("archive", [".", "*.jsonl"])
def test_a_link_that_leads_nowhere_is_told_not_passed_over(archive: str, tmp_path: Path) -> None:
    write_lines(tmp_path / "a.jsonl", [{"id": "a", "reply": ""}])
    (tmp_path / "b.jsonl").symlink_to(tmp_path / "gone.jsonl")
    (tmp_path / "c.jsonl").symlink_to(tmp_path / "a.jsonl")
    found = read(str(tmp_path / archive))
    assert ids(f for f in found if f.run) == ["a"]
    assert ["No such file" in str(f.error) for f in found if f.error] == [True]


def test_links_that_lead_in_circles_are_walked_once(tmp_path: Path) -> None:
    write_lines(tmp_path / "x.jsonl", [{"id": "x", "reply": ""}])
    for name in ("a", "b", "c"):
        (tmp_path / name).symlink_to(tmp_path)
    assert ids(read(tmp_path)) == ["x"]


def test_what_a_score_has_written_is_no_archive(tmp_path: Path) -> None:
    write_lines(tmp_path / "x.jsonl", [{"id": "x", "reply": ""}])
    out = tmp_path / "scored"
    (out / "receipts").mkdir(parents=True)
    for name in ("manifest.jsonl", "rejected.jsonl"):
        write_lines(out / name, [{"id": name, "reply": ""}])
    begun = tmp_path / "begun"
    begun.mkdir()
    write_lines(begun / "notes.jsonl", [{"id": "note", "reply": ""}])
    for pattern in (tmp_path, str(tmp_path / "**" / "*.jsonl")):
        assert [s.path for s in list_sources([pattern], out=begun)] == [tmp_path / "x.jsonl"]
    with pytest.raises(InputError, match="is the output of a score"):
        list_sources([out])
    with pytest.raises(InputError, match="but for the output of a score"):
        list_sources([str(out / "*.jsonl")])


def test_a_state_json_of_somebody_else_makes_no_dataset(tmp_path: Path) -> None:
    (tmp_path / "state.json").write_text('{"id": "s", "reply": ""}')
    assert ids(read(tmp_path)) == ["s"]


def test_a_small_file_that_breaks_off_keeps_what_came_before(tmp_path: Path) -> None:
    (tmp_path / "torn.gz").write_bytes(gzip.compress(packed(write_lines(tmp_path / "a", ROWS)))[:-9])
    found = read(tmp_path / "torn.gz")
    assert ids(found[:29]) == [r["id"] for r in ROWS[:29]]
    assert isinstance(found[-1].error, BrokenSource)


def test_a_disk_that_fails_in_mid_file_keeps_what_came_before(lines: Path) -> None:
    class Failing(io.BytesIO):
        def read1(self, size: int | None = -1, /) -> bytes:
            data = super().read1(200)
            if self.tell() > 2000:
                raise OSError(5, "Input/output error")
            return data

    torn: list[Exception] = []
    found = list(read_runs(whole_part(Failing(packed(lines)).read1, torn)))
    assert len([f for f in found if f.run]) >= 5
    assert str(torn[0]) == "[Errno 5] Input/output error"


def test_parquet_is_known_by_its_content_and_other_packings_by_name(tmp_path: Path) -> None:
    pq.write_table(pa.Table.from_pylist(ROWS), tmp_path / "part-0")
    assert ids(read(tmp_path / "part-0")) == [r["id"] for r in ROWS]
    (tmp_path / "x.jsonl.bz2").write_bytes(bz2.compress(b"{}"))
    (found,) = read(tmp_path / "x.jsonl.bz2")
    assert "packed with bzip2" in str(found.error)


def test_columns_that_python_has_no_words_for_are_read(tmp_path: Path) -> None:
    table = pa.table(
        {
            "id": ["a"],
            "reply": ["x"],
            "time": pa.array([1767225600123456789], pa.timestamp("ns", "UTC")),
            "rate": pa.array([Decimal("1.50")], pa.decimal128(5, 2)),
            "raw": pa.array([b"\xff"]),
        }
    )
    pq.write_table(table, tmp_path / "t.parquet")
    (found,) = read(tmp_path / "t.parquet")
    assert found.run.extra == {"time": "2026-01-01T00:00:00.123456+00:00", "rate": 1.5, "raw": "\ufffd"}
    pq.write_table(table.slice(0, 0), tmp_path / "none.parquet")
    assert read(tmp_path / "none.parquet") == []


FAR = pa.timestamp("us")


@pytest.mark.parametrize(
    "odd",
    [
        pa.array([None, 2**62, 5], FAR),
        pa.array([None, {"t": 2**62}, {"t": 5}], pa.struct([("t", FAR)])),
        pa.array([None, 2**30, 5], pa.date32()),
    ],
    ids=["time", "nested", "date"],
)
def test_a_value_that_python_cannot_hold_costs_its_row_alone(odd: Any, tmp_path: Path) -> None:
    pq.write_table(pa.table({"id": ["a", "b", "c"], "reply": ["x"] * 3, "odd": odd}), tmp_path / "t.parquet")
    found = read(tmp_path / "t.parquet")
    assert [f.run and f.run.id for f in found] == ["a", None, "c"]
    assert (found[1].line, found[1].error.field) == (2, "odd")
    assert "the column 'odd' holds what cannot be read" in str(found[1].error)
    assert not isinstance(found[1].error, BrokenSource)


def test_a_zone_that_nobody_knows_costs_nothing(tmp_path: Path) -> None:
    times = pa.array([1767225600], pa.timestamp("s", "Mars/Olympus"))
    pq.write_table(pa.table({"id": ["a"], "reply": ["x"], "time": times}), tmp_path / "t.parquet")
    (found,) = read(tmp_path / "t.parquet")
    assert found.run.extra == {"time": "2026-01-01T00:00:00+00:00"}


def test_an_arrow_file_reads_as_an_arrow_stream(tmp_path: Path, lines: Path) -> None:
    table = pa.Table.from_pylist(ROWS)
    for name, make in (("file", pa.ipc.new_file), ("stream", pa.ipc.new_stream)):
        with make(str(tmp_path / f"{name}.arrow"), table.schema) as writer:
            writer.write_table(table, max_chunksize=7)
        assert [f.run for f in read(tmp_path / f"{name}.arrow")] == [f.run for f in read(lines)]


def test_rubbish_behind_a_frame_costs_none_of_its_runs(lines: Path, tmp_path: Path) -> None:
    for rubbish in (b"rubbish", b"\0" * 10_000, packed(lines)):
        (tmp_path / "x.zst").write_bytes(zstd(tmp_path / "x", packed(lines)) + rubbish)
        found = read(tmp_path / "x.zst")
        assert ids(found[:-1]) == [r["id"] for r in ROWS]
        assert isinstance(found[-1].error, BrokenSource)
        assert "not packed with zstd" in str(found[-1].error)


def test_frames_to_skip_are_skipped_first_last_and_between(lines: Path, tmp_path: Path) -> None:
    data = packed(lines)
    skip = b"\x50\x2a\x4d\x18\x04\0\0\0abcd"
    first, second = zstd(tmp_path / "x", data[:1500]), zstd(tmp_path / "x", data[1500:])
    (tmp_path / "p.zst").write_bytes(skip + first + skip + second + skip)
    assert read(tmp_path / "p.zst") == read(lines)


@pytest.mark.parametrize("flags", [{}, {"checksum_flag": 1}, {"content_size_flag": 0, "compression_level": 19}])
def test_frames_of_every_make_read_alike(flags: dict[str, int], lines: Path, tmp_path: Path) -> None:
    packer = pytest.importorskip("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
    options = {packer.CompressionParameter[name]: value for name, value in flags.items()}
    rng = random.Random(5)
    rows = [make_run(n, user=rng.randbytes(400).hex()) for n in range(1500)]
    data = write_lines(tmp_path / "many", rows).read_bytes()
    parts = [packer.compress(d, options=options) for d in (data, b"", b"\n" * 300_000)]
    (tmp_path / "x.zst").write_bytes(b"".join(parts))
    assert ids(read(tmp_path / "x.zst")) == [r["id"] for r in rows]
    for cut in range(1, 18):  # in the header, at a block, in its checksum
        (tmp_path / "cut.zst").write_bytes(parts[0] + parts[1] + parts[2][:cut])
        found = read(tmp_path / "cut.zst")
        assert ids(found[:1500]) == [r["id"] for r in rows]
        assert len(found) == 1500 or isinstance(found[-1].error, BrokenSource)


def test_numbers_without_an_end_are_read() -> None:
    (found,) = read([{"id": "a", "reply": "", "most": Decimal("Infinity")}])
    assert found.run.extra["most"] == float("inf")
