"""Scoring from end to end: one row a run, what is told, what is kept, what a second session takes up."""

from __future__ import annotations

import errno
import gzip
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from archive_doubles import Here, Words, make_run, mixed, write_lines

from claimx.archive import Selection, score
from claimx.archive.atomic import write_atomic
from claimx.archive.rows import receipt_of
from claimx.archive.schema import SCHEMA
from claimx.archive.store import open_store
from claimx.errors import ArchiveError, InputError
from claimx.types import Verdict

Scored = Callable[..., Any]


def rows(folder: Path) -> list[dict[str, Any]]:
    return [r for p in sorted((folder / "receipts").iterdir()) for r in pq.read_table(p).to_pylist()]


def rejected(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(x) for x in (folder / "rejected.jsonl").read_text().splitlines()]


def content(folder: Path) -> dict[str, bytes]:
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def test_every_run_gets_one_row_in_the_documented_columns(scored: Scored, tmp_path: Path) -> None:
    outcome = scored(write_lines(tmp_path / "a.jsonl", mixed(100)))
    found = rows(outcome.folder)
    assert [r["id"] for r in found] == [f"r{n:04}" for n in range(100)]
    assert pq.read_schema(outcome.folder / "receipts" / "part-00000.parquet").equals(SCHEMA)
    verdicts = {v: sum(r["verdict"] == v for r in found) for v in Verdict}
    assert verdicts == {"ok": 80, "unverified": 0, "unchecked": 0, "misquoted": 10, "fabricated": 10}
    wrong = found[6]
    (claim,) = wrong["claims"]
    assert (claim["status"], claim["tool"], claim["phrasing"]) == (
        "misquoted",
        "issue_refund",
        "i refunded <MONEY> today",
    )
    assert claim["kind"] == "misquoted|issue_refund|refund|MONEY"
    assert claim["mismatches"][0]["path"] == "c1.args.amount"
    assert wrong["calls"][0]["tool"] == "issue_refund"
    assert (wrong["file"], wrong["line"], wrong["agent"]) == ((tmp_path / "a.jsonl").as_posix(), 7, "support")
    assert found[0]["calls"] == []


def test_the_receipt_can_be_had_back_from_its_row(scored: Scored) -> None:
    outcome = scored(mixed(10))
    receipt = receipt_of(rows(outcome.folder)[6])
    assert receipt.verdict is Verdict.MISQUOTED
    assert receipt.claims[0].action.trigger.text == "refunded"
    assert receipt.claims[0].mismatches[0].recorded == 16
    assert receipt.to_dict()["claims"][0]["slots"][0]["text"] == "$116"


def test_the_summary_counts_rates_tools_facets_times_and_kinds(scored: Scored) -> None:
    summary = scored(mixed(1000)).summary
    assert summary["rates"]["fabricated"] == {"count": 100, "of": 1000, "rate": 0.1, "low": 0.082909, "high": 0.120152}
    assert summary["claims"]["total"] == 800
    assert summary["tools"]["issue_refund"]["rates"]["misquoted"]["count"] == 100
    assert summary["agents"]["support"]["runs"] == 500
    assert summary["agents"]["billing"]["rates"]["fabricated"]["count"] == 100
    time = summary["time"]
    assert (time["bucket"], len(time["starts"])) == ("week", 5)
    assert sum(time["tools"]["issue_refund"]["claims"]) == 800
    first, second = summary["kinds"]
    assert [(k["status"], k["count"], k["runs"], k["tool"], k["slots"]) for k in (first, second)] == [
        ("misquoted", 100, 100, "issue_refund", ["MONEY"]),
        ("never_ran", 100, 100, "issue_refund", []),
    ]
    assert first["examples"] == ["r0006", "r0016", "r0026", "r0036", "r0046"]
    assert json.loads(json.dumps(summary)) == summary


def test_identical_replies_are_read_once(scored: Scored) -> None:
    words = Words()
    many = [
        {**make_run(1), "id": f"x{n}", "ledger": [{"tool": "issue_refund", "args": {"amount": n}}]} for n in range(500)
    ]
    assert scored(many, words=words).summary["runs"] == 500
    assert len(words.read) == 1


def test_bad_records_and_broken_files_are_told_with_their_place(scored: Scored, tmp_path: Path) -> None:
    good = write_lines(tmp_path / "a.jsonl", [make_run(1), "{oops", {"id": "x"}, make_run(2), make_run(1)])
    torn = tmp_path / "b.jsonl.gz"
    torn.write_bytes(gzip.compress((json.dumps(make_run(3)) + "\n").encode() * 3)[:-12])
    outcome = scored(good, torn)
    assert {r["id"] for r in rows(outcome.folder)} == {"r0001", "r0002", "r0003"}  # what stands before the tear is kept
    told = rejected(outcome.folder)
    assert [(Path(r["file"]).name, r["line"], r["kind"]) for r in told[:3]] == [
        ("a.jsonl", 2, "record"),
        ("a.jsonl", 3, "record"),
        ("a.jsonl", 5, "duplicate"),
    ]
    assert told[-1]["kind"] == "file"
    assert [b.file for b in outcome.broken] == [torn.as_posix()]


def test_a_run_that_breaks_the_code_costs_no_other_run(scored: Scored) -> None:
    outcome = scored([make_run(1), {"id": "bad", "reply": "RAISE"}, make_run(2)])
    assert len(rows(outcome.folder)) == 2
    (told,) = rejected(outcome.folder)
    assert (told["id"], told["kind"], told["reason"]) == (
        "bad",
        "crash",
        "scoring failed: RuntimeError: a fault of the code",
    )
    assert outcome.summary["rejected"] == {"crash": 1}


def test_lone_surrogates_and_hostile_text_reach_the_rows(scored: Scored) -> None:
    outcome = scored([make_run(1), {"id": "s\ud800", "reply": "I refunded $3 \ud83d and \u202e<script>\x00 today."}])
    assert rows(outcome.folder)[1]["reply"] == "I refunded $3 \ufffd and \u202e<script>\x00 today."


def test_an_empty_archive_has_no_rates(scored: Scored, tmp_path: Path) -> None:
    outcome = scored(write_lines(tmp_path / "a.jsonl", []))
    assert outcome.summary["rates"]["fabricated"]["rate"] is None
    assert outcome.summary["time"] is None


def test_what_is_not_chosen_is_counted(scored: Scored) -> None:
    summary = scored(mixed(100), selection=Selection(sample=0.5, seed=1)).summary
    assert summary["runs"] + summary["skipped"]["sample"] == summary["read"] == 100


def test_a_folder_is_not_written_twice_by_mistake(scored: Scored) -> None:
    scored(mixed(10))
    with pytest.raises(InputError, match="add --resume"):
        scored(mixed(10))


def test_resuming_a_finished_run_scores_nothing_and_gives_the_same_files(scored: Scored) -> None:
    outcome = scored(mixed(100), shard_runs=30)
    before = content(outcome.folder)
    words = Words()
    again = scored(mixed(100), shard_runs=30, resume=True, words=words)
    assert (again.kept, words.read) == (100, [])
    assert content(outcome.folder) == before


@pytest.mark.parametrize("kept_lines", [0, 1, 2, 3])
def test_a_torn_manifest_and_lost_files_are_made_good(scored: Scored, kept_lines: int) -> None:
    outcome = scored(mixed(100), shard_runs=30)
    before = content(outcome.folder)
    manifest = outcome.folder / "manifest.jsonl"
    lines = manifest.read_bytes().splitlines(True)
    manifest.write_bytes(b"".join(lines[:kept_lines]) + lines[kept_lines][:20])
    (outcome.folder / "receipts" / "part-00000.parquet").write_bytes(b"torn")
    (outcome.folder / "receipts" / ".part-00009.parquet.tmp").write_bytes(b"left")
    scored(mixed(100), shard_runs=30, resume=True)
    assert content(outcome.folder) == before


def test_a_changed_archive_or_option_is_not_mixed_in(scored: Scored) -> None:
    scored(mixed(100), shard_runs=30)
    changed = mixed(100)
    changed[40]["reply"] = "Something else."
    with pytest.raises(InputError, match="shard 1 was made of other runs"):
        scored(changed, shard_runs=30, resume=True)
    with pytest.raises(InputError, match="has lost runs since"):
        scored(mixed(60), shard_runs=30, resume=True)
    with pytest.raises(InputError, match=r"was begun otherwise .*selection was"):
        scored(mixed(100), shard_runs=30, resume=True, selection=Selection(sample=0.5))


class Disk:
    """A disk that fills up after so many files."""

    def __init__(self, room: int) -> None:
        self.room = room

    def __call__(self, path: Path, data: bytes) -> None:
        self.room -= 1
        if self.room < 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        write_atomic(path, data)


@pytest.mark.parametrize("room", [1, 2, 4, 6])
def test_a_full_disk_keeps_what_was_done(scored: Scored, tmp_path: Path, room: int) -> None:
    whole = scored(mixed(100), shard_runs=20, out="whole")
    with pytest.raises(
        ArchiveError, match=rf"the disk is full; {20 * (room - 1)} runs in {room - 1} shards are done and kept"
    ):
        scored(mixed(100), shard_runs=20, write=Disk(room))
    assert len(list((tmp_path / "out" / "receipts").iterdir())) == room - 1
    again = scored(mixed(100), shard_runs=20, resume=True)
    assert again.kept == 20 * (room - 1)
    assert content(again.folder) == content(whole.folder)


def test_two_processes_do_not_write_one_folder(tmp_path: Path) -> None:
    with (
        open_store(tmp_path, {}, resume=False),
        pytest.raises(InputError, match="another process"),
        open_store(tmp_path, {}, resume=True),
    ):
        pass


def test_a_baseline_tells_what_is_new(scored: Scored, tmp_path: Path) -> None:
    before = scored([make_run(n, "misquoted" if n % 20 == 0 else "true") for n in range(400)], out="before")
    now = scored(mixed(400), out="now", baseline=before.folder).summary
    assert {k["kind"].split("|")[0]: (k["new"], k["before"]) for k in now["kinds"]} == {
        "misquoted": (False, 20),
        "never_ran": (True, 0),
    }
    assert now["baseline"]["new_kinds"] == 1
    assert now["baseline"]["rates"]["fabricated"] == {"before": 0.0, "moved": "up"}
    back = scored(mixed(10), out="back", baseline=now_folder(tmp_path)).summary["baseline"]
    assert back["gone_kinds"] == []
    with pytest.raises(InputError, match=r"no summary\.json"):
        scored(mixed(10), out="x", baseline=tmp_path / "nowhere")


def now_folder(tmp_path: Path) -> Path:
    return tmp_path / "now"


def test_a_spike_against_earlier_nights_is_an_alarm(scored: Scored) -> None:
    nights = [
        scored([make_run(n, "misquoted" if n % 50 == 0 else "true") for n in range(300)], out=f"n{i}").folder
        for i in range(3)
    ]
    calm = scored([make_run(n, "misquoted" if n % 45 == 0 else "true") for n in range(300)], out="calm", history=nights)
    assert calm.summary["alarms"] == []
    (alarm,) = scored(mixed(300), out="spike", history=nights).summary["alarms"]
    assert (alarm["tool"], alarm["false"], alarm["false_before"]) == ("issue_refund", 60, 18)


def test_a_run_whose_clock_was_wrong_hides_no_spike(scored: Scored) -> None:
    steady = [
        make_run(n, "misquoted" if n % 50 == 0 else "true", time=f"2026-03-{1 + n // 300:02}") for n in range(2100)
    ]
    spike = [make_run(3000 + n, "misquoted" if n % 5 == 0 else "true", time="2026-03-08") for n in range(300)]
    skewed = make_run(9000, time="2099-01-01")
    (alarm,) = scored([*steady, *spike, skewed]).summary["alarms"]
    assert (alarm["tool"], alarm["at"][:10], alarm["false"]) == ("issue_refund", "2026-03-08", 60)


def test_a_kind_too_rare_for_the_earlier_summary_is_not_new(scored: Scored, tmp_path: Path) -> None:
    """A summary lists the most frequent kinds; the rows have them all."""
    before = scored(mixed(40), out="before").folder
    path = before / "summary.json"
    summary = json.loads(path.read_text())
    summary["left_out"] = {"kinds": len(summary["kinds"][1:])}
    summary["kinds"] = summary["kinds"][:1]
    path.write_text(json.dumps(summary))
    now = scored(mixed(40), out="now", baseline=before).summary
    assert [k["new"] for k in now["kinds"]] == [False, False]
    assert now["baseline"]["new_kinds"] == 0


class Late(Here):
    """An engine whose first shards are done last."""

    def run(self, shards: Any, on_chunk: Any = lambda _: None) -> Any:
        yield from reversed(list(super().run(shards, on_chunk)))


def test_the_order_in_which_shards_are_done_is_not_seen(scored: Scored, tmp_path: Path) -> None:
    many = [{**r, "reply": r["reply"].replace("today", f"on day {n}")} for n, r in enumerate(mixed(300))]
    whole = scored(many, shard_runs=40, out="whole")
    late = score([many], tmp_path / "out", engine=Late(), shard_runs=40)
    assert late.summary == whole.summary
    (late.folder / "receipts" / "part-00000.parquet").unlink()
    score([many], tmp_path / "out", engine=Late(), shard_runs=40, resume=True)
    assert content(late.folder) == content(whole.folder)


@pytest.mark.parametrize("name", ["summary.json", "report.html", "rejected.jsonl", "receipts"])
def test_a_folder_with_files_of_others_is_left_alone(name: str, scored: Scored, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / name).write_text("mine")
    with pytest.raises(InputError, match=f"holds {name} but no manifest"):
        scored(mixed(1), resume=True)
    assert (tmp_path / "out" / name).read_text() == "mine"


@pytest.mark.parametrize("text", ["my ship's manifest\n", '{"cargo": 1}\n', "[]\n"])
def test_a_manifest_of_somebody_else_is_left_alone(text: str, scored: Scored, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "manifest.jsonl").write_text(text)
    with pytest.raises(InputError, match="name another --out"):
        scored(mixed(1), resume=True)
    assert (tmp_path / "out" / "manifest.jsonl").read_text() == text


def test_a_line_that_was_put_into_the_manifest_is_told(scored: Scored) -> None:
    outcome = scored(mixed(1))
    with (outcome.folder / "manifest.jsonl").open("a") as f:
        f.write('{"shard": 9}\n')
    with pytest.raises(InputError, match="holds a line that claimx did not write"):
        scored(mixed(1), resume=True)


def test_a_disk_that_is_full_from_the_start_is_told(scored: Scored) -> None:
    with pytest.raises(ArchiveError, match=r"No space left on device.*nothing was scored"):
        scored(mixed(10), write=Disk(0))


def test_earlier_scores_are_looked_at_before_the_work(scored: Scored, tmp_path: Path) -> None:
    words = Words()
    for options in ({"baseline": tmp_path / "nowhere"}, {"history": [tmp_path / "nowhere"]}):
        with pytest.raises(InputError, match=r"no summary\.json"):
            scored(mixed(10), words=words, **options)
    assert words.read == []
    assert not (tmp_path / "out").exists()


LIMITED = """
import resource, sys
sys.path.insert(0, sys.argv[1])
from archive_doubles import Here
from claimx.archive import score
from claimx.errors import ArchiveError
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[4]), int(sys.argv[4])))
try:
    score([sys.argv[2]], sys.argv[3], engine=Here(), shard_runs=50, resume=True)
except ArchiveError as e:
    sys.exit(str(e))
"""


def test_files_that_may_not_grow_stop_the_work_and_lose_nothing(scored: Scored, tmp_path: Path) -> None:
    rows_: list[Any] = [{**r, "user": str(n) * 50} for n, r in enumerate(mixed(300))]
    rows_[120:120] = ["{torn"] * 40
    archive = write_lines(tmp_path / "a.jsonl", rows_)
    whole = scored(archive, shard_runs=50, out="whole")
    out = tmp_path / "out"
    for limit in (100, 2_500, 6_000):
        done = subprocess.run(
            [sys.executable, "-c", LIMITED, str(Path(__file__).parent), str(archive), str(out), str(limit)],
            capture_output=True,
            text=True,
        )
        assert done.returncode == 1
        assert re.search(r"File too large\); nothing was scored|the disk is full; .* done and kept", done.stderr)
        assert not list(out.rglob("*.parquet.tmp"))
    again = scored(archive, shard_runs=50, resume=True)
    assert content(again.folder) == content(whole.folder)


@pytest.mark.parametrize(
    "change",
    [
        lambda s: s.pop("runs"),
        lambda s: s["rates"].pop("fabricated"),
        lambda s: s["rates"]["misquoted"].update(count="many"),
        lambda s: s["tools"].update(x=[]),
        lambda s: s["tools"]["issue_refund"].pop("claims"),
        lambda s: s["kinds"][0].pop("slots"),
        lambda s: s.update(kinds={"a": 1}),
    ],
)
def test_a_summary_that_claimx_did_not_write_is_told_before_the_work(change: Any, scored: Scored) -> None:
    before = scored(mixed(20), out="before").folder
    summary = json.loads((before / "summary.json").read_text())
    change(summary)
    (before / "summary.json").write_text(json.dumps(summary))
    words = Words()
    with pytest.raises(InputError, match=r"is no summary of a score .*: score that archive again"):
        scored(mixed(20), baseline=before, words=words)
    assert words.read == []
