"""`claimx score` and `claimx view`: what they write, what they print, how they exit."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from archive_doubles import mixed, write_lines
from rich.console import Console

from claimx.archive import Condition, Outcome, Progress, Selection
from claimx.archive.facets import parse_map
from claimx.archive.intake import Reject
from claimx.archive.summary import known_names, summarise_archive
from claimx.archive.tally import Tally
from claimx.cli import main
from claimx.cli.nights import find_baseline, find_history
from claimx.cli.outcome import tell_outcome
from claimx.cli.progress import line_writer, shown
from claimx.report.grouping import groups_of
from claimx.report.terminal import print_summary

RIGHT = {
    "id": "right",
    "reply": "I refunded $64 for the order #4821.",
    "tools": ["issue_refund"],
    "ledger": [
        {"id": "c1", "tool": "issue_refund", "args": {"order_id": "#4821", "amount": 64}, "result": {"ok": True}}
    ],
}
WRONG = {**RIGHT, "id": "wrong", "ledger": [{**RIGHT["ledger"][0], "args": {"order_id": "#4821", "amount": 6.4}}]}


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_lines(tmp_path_factory.mktemp("in") / "a.jsonl", [RIGHT, WRONG, "{torn"])


@pytest.fixture(scope="module")
def out(archive: Path, tiny_model: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The one score with real workers and a model; the other tests go on from it."""
    folder = tmp_path_factory.mktemp("out") / "scored"
    args = ["score", str(archive), "--out", str(folder), "--model", str(tiny_model), "--workers", "1", "--quiet"]
    metrics = folder.parent / "claimx.prom"
    assert (
        main([*args, "--fail-if", "misquoted_rate > 0.4", "--fail-if", "runs > 99", "--prometheus", str(metrics)]) == 1
    )
    assert 'claimx_runs{verdict="misquoted"} 1' in metrics.read_text()
    return folder


def test_a_score_leaves_rows_a_summary_a_report_and_what_was_rejected(out: Path) -> None:
    assert {p.name for p in out.iterdir()} >= {
        "receipts",
        "manifest.jsonl",
        "rejected.jsonl",
        "summary.json",
        "report.html",
    }
    assert json.loads((out / "summary.json").read_text())["verdicts"]["misquoted"] == 1
    (rejected,) = (out / "rejected.jsonl").read_text().splitlines()
    assert json.loads(rejected)["line"] == 3


def resumed(out: Path, archive: Path, tiny_model: Path, *more: str) -> int:
    return main(
        ["score", str(archive), "--out", str(out), "--model", str(tiny_model), "--resume", "--no-report", *more]
    )


def test_a_finished_score_is_told_again_without_work(
    out: Path, archive: Path, tiny_model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert resumed(out, archive, tiny_model) == 0
    found = capsys.readouterr()
    assert "2 runs" in found.out
    assert "2 of them kept from before" in found.out
    assert "misquoted" in found.out
    assert "1 record was not scored (1 faulty)" in found.err


def test_machines_get_json_lines(
    out: Path, archive: Path, tiny_model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert resumed(out, archive, tiny_model, "--json", "--fail-if", "rejected > 0") == 1
    event = json.loads(capsys.readouterr().out.splitlines()[-1])
    assert (event["event"], event["failed"], event["summary"]["runs"]) == ("summary", ["rejected > 0"], 2)


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--fail-if", "fabricate_rate > 1"], "'fabricate_rate' is not known"),
        (["--fail-if", "rate >"], "cannot be read"),
        (["--workers", "0"], "--workers is 0"),
        (["--window", "0"], "--window is 0"),
        (["--sample", "2"], "--sample is 2.0"),
        (["--since", "soon"], "--since 'soon'"),
        (["--map", "agent"], "expected FACET=PATH"),
        (["--ray-address", "x"], "needs --engine ray"),
        (["--baseline", "nowhere"], "no summary.json"),
        (["--model", "nowhere"], "no model folder at nowhere"),
    ],
)
def test_wrong_usage_is_told(
    args: list[str], says: str, out: Path, archive: Path, tiny_model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert resumed(out, archive, tiny_model, *args) == 2
    assert says in capsys.readouterr().err


def test_a_folder_that_is_taken_is_told(out: Path, archive: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["score", str(archive), "--out", str(out)]) == 2
    assert "add --resume" in capsys.readouterr().err


def test_view_shows_a_scored_run_and_a_file(
    out: Path, tiny_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["view", str(out)]) == 1
    assert "wrong" in capsys.readouterr().out
    assert main(["view", str(out), "--id", "right"]) == 0
    capsys.readouterr()
    assert main(["view", str(out), "--id", "nope"]) == 2
    assert "no run with the id 'nope'" in capsys.readouterr().err
    source = write_lines(tmp_path / "runs.jsonl", [RIGHT, WRONG])
    page = tmp_path / "receipt.html"
    assert main(["view", str(source), "--id", "wrong", "--html", str(page), "--model", str(tiny_model)]) == 1
    assert "c1.args.amount" in page.read_text()
    assert main(["view", str(source), "--id", "nope", "--model", str(tiny_model)]) == 2


def test_progress_is_silent_without_a_terminal_and_tells_machines(capsys: pytest.CaptureFixture[str]) -> None:
    progress = Progress(runs=500, flagged=20, rejected=1, kept=100, seconds=4.0, fraction=0.5)
    with shown(json_lines=False, quiet=False) as tell:
        tell(progress)
    assert capsys.readouterr() == ("", "")
    assert (progress.rate, progress.eta) == (100.0, 5.0)


def test_the_summary_for_people_names_the_worst(out: Path) -> None:
    console = Console(file=io.StringIO(), width=100)
    print_summary(json.loads((out / "summary.json").read_text()), out, seconds=2.0, console=console)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert re.search(r"misquoted +1 +50\.00%", text)
    assert "i refunded <MONEY> for the order <ID>" in text.replace("\n", " ")


@pytest.mark.parametrize(
    ("runs", "seconds", "told"),
    [
        (1, 2.0, "1 run in 2.0 s at 30 a minute"),
        (16, 157.4, "16 runs in 157.4 s at 6.1 a minute"),
        (5000, 2.0, "5,000 runs in 2.0 s at 2,500 a second"),
        (9, 2.0, "9 runs in 2.0 s at 4.5 a second"),
        (2, 7200.0, "2 runs in 7,200.0 s at 1.0 an hour"),
        (0, 2.0, "0 runs in 2.0 s"),
    ],
)
def test_how_fast_it_went_is_told_in_a_unit_that_fits(runs: int, seconds: float, told: str, out: Path) -> None:
    console = Console(file=io.StringIO(), width=100)
    summary = json.loads((out / "summary.json").read_text())
    print_summary({**summary, "runs": runs}, out, seconds=seconds, console=console)
    assert console.file.getvalue().splitlines()[0] == told  # type: ignore[attr-defined]


def kind(count: int, status: str, tool: str, verb: str, slots: list[str], **more: Any) -> dict[str, Any]:
    return {"count": count, "status": status, "tool": tool, "verb": verb, "slots": slots, "phrasings": [{"text": f"i {verb} it", "count": count}], **more}  # fmt: skip


def test_kinds_are_put_together_by_tool_and_by_what_differs() -> None:
    kinds = [
        kind(9, "misquoted", "issue_refund", "refund", ["MONEY"], new=True),
        kind(6, "never_ran", "", "call", []),
        kind(5, "never_ran", "", "ring", []),
        kind(4, "misquoted", "issue_refund", "return", ["MONEY"], new=False),
        kind(3, "misquoted", "issue_refund", "refund", ["DATE", "MONEY"], new=True),
        kind(2, "never_ran", "send_email", "email", []),
        kind(1, "never_ran", "send_email", "write", []),
    ]
    told = [(g.count, g.status, g.tool, g.differs, g.said, g.is_new) for g in groups_of(kinds)]
    assert told == [
        (13, "misquoted", "issue_refund", "money", "i refund it", False),
        (6, "never_ran", "", "call", "i call it", False),
        (5, "never_ran", "", "ring", "i ring it", False),
        (3, "misquoted", "issue_refund", "date, money", "i refund it", True),
        (3, "never_ran", "send_email", "email, write", "i email it", False),
    ]


def test_every_fault_of_an_empty_archive_is_told(
    tiny_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    empty = write_lines(tmp_path / "a.jsonl", [])
    rows: list[Any] = mixed(1)
    assert rows
    args = ["score", str(empty), "--out", str(tmp_path / "o"), "--model", str(tiny_model), "--quiet"]
    assert main(args) == 2
    assert "the archive holds no record" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["--fail-if", "tolls > 1"], "'tolls' is not known"),
        (["--baseline", "nowhere"], "no summary.json"),
        (["--report-runs", "-1"], "--report-runs is -1"),
        (["--fail-if", "verdicts.fabricatd > 0"], "verdicts has no 'fabricatd'; did you mean 'fabricated'?"),
        (["--fail-if", "tools['refund'].fabricated_rte > 0"], "tools['refund'] has no 'fabricated_rte'; did you mean"),
        (["--fail-if", "runs.total > 0"], "runs has no 'total' (it is a single figure)"),
        (["--fail-if", "new_kinds > 0"], "new_kinds needs --baseline"),
        (["--where", ""], "--where is empty"),
        (["--since", ""], "--since is empty"),
        (["--baseline", ""], "--baseline is empty"),
        (["--prometheus", ""], "--prometheus is empty"),
        (["--format", "claimx", "--sure", "x"], None),
    ],
)
def test_wrong_usage_is_told_before_any_work(
    args: list[str], says: str | None, archive: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["score", str(archive), "--out", str(tmp_path / "o"), *args]
    if says is None:
        with pytest.raises(SystemExit) as stop:
            main(command)
        assert stop.value.code == 2
    else:
        assert main(command) == 2
        assert says in capsys.readouterr().err
    assert not (tmp_path / "o").exists()


def test_conditions_on_every_kind_of_figure_are_known() -> None:
    for text in (
        "verdicts.ok == 0 and verdicts['fabricated'] > 1",
        "tools['a.b'].fabricated_low > 0.1 or tools['x'].claims > 3 or 'send_email' in tools",
        "agents.support.misquoted_rate > 0.1 or models['m'].runs > 3 or versions['1'].flagged_high > 0",
        "not (runs >= 10) or -rejected < 0 or false_claims / claims > 0.5 or alarms in [1, 2]",
    ):
        Condition(text, option="--fail-if").require_fields(known_names())


def test_the_first_night_and_one_after_a_failed_night_are_no_faults(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nights = [tmp_path / f"2026-03-{n:02}" for n in range(1, 6)]
    for night in nights:
        night.mkdir()
    nothing = summarise_archive(Tally(), {})
    asked = str(tmp_path / "*")
    assert find_baseline(asked, nights[0]) is None
    assert "no finished score before this one" in capsys.readouterr().err
    for night in (nights[0], nights[1], nights[4]):  # the third failed; the fifth is later than the fourth, done again
        (night / "summary.json").write_text(json.dumps(nothing))
    assert find_baseline(asked, nights[3]) == nights[1]
    assert find_history([asked], nights[3]) == nights[:2]
    assert find_history([asked], tmp_path / "again") == [nights[0], nights[1], nights[4]]
    assert find_baseline(str(nights[2]), nights[3]) == str(nights[2])  # one that is named must be there: told later
    assert find_baseline(None, nights[3]) is None


def test_a_path_that_leads_nowhere_and_runs_without_a_time_are_told(
    scored: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = [
        {"id": "a", "reply": "", "meta": {"bot": "b", "at": "soon"}},
        {"id": "b", "reply": "", "time": "2026-03-01"},
    ]
    paths = parse_map({"agent": "meta.bot", "model": "meta.modle", "time": "meta.at"})
    tell(scored(rows, paths=paths).summary)
    told = capsys.readouterr().err
    assert "--map: no run has a model at 'meta.modle'" in told
    assert "--map: no run has a time at 'meta.at'" in told
    assert "agent" not in told
    since = Selection(since=datetime(2026, 1, 1, tzinfo=UTC))
    tell(scored(rows, out="o2", selection=since).summary)
    assert "1 run was left out by --since or --until for having no time" in capsys.readouterr().err


def tell(summary: dict[str, Any], *broken: Reject, **options: Any) -> int:
    outcome = Outcome(Path("o"), summary, broken)
    return tell_outcome(outcome, [], **{"json_lines": False, "quiet": True, "formats": {}, **options})


def test_a_condition_that_chose_nothing_and_a_misspelt_field_are_told(
    scored: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    summary = scored(mixed(10), selection=Selection(where=Condition("modle == 'm-1'"))).summary
    assert tell(summary) == 0
    told = capsys.readouterr().err
    assert "--where: no run has a field 'modle'" in told
    assert "no run was chosen (left out: 10 by where)" in told


def test_of_many_broken_files_some_are_told_and_all_are_counted(
    scored: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    broken = [Reject(f"f{n}\x1b[2J", 1, "file", "gone") for n in range(50)]
    assert tell(scored(mixed(1)).summary, *broken) == 2
    told = capsys.readouterr().err
    assert "30 more files could not be read" in told
    assert "\x1b" not in told


def test_a_metrics_file_that_cannot_be_written_costs_no_report(
    out: Path, archive: Path, tiny_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (out / "report.html").unlink()
    (tmp_path / "file").write_text("")
    args = ["score", str(archive), "--out", str(out), "--model", str(tiny_model), "--resume"]
    assert main([*args, "--prometheus", str(tmp_path / "file" / "x.prom")]) == 2
    found = capsys.readouterr()
    assert "2 runs" in found.out
    assert "cannot be written" in found.err
    assert (out / "report.html").is_file()


def test_a_reader_that_went_away_costs_neither_the_work_nor_its_exit_code() -> None:
    code = "import sys, time; from claimx.cli.io import write_out; time.sleep(0.3); [write_out('x' * 99999) for _ in '123']; sys.exit(3)"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert (process.stderr.read(), process.wait()) == (b"", 3)


def test_progress_for_machines_comes_every_few_seconds() -> None:
    lines: list[str] = []
    tell = line_writer(iter([0.0, 1.0, 9.0, 9.5, 18.0]).__next__, write=lines.append)
    for n in range(2):
        tell(Progress(n, 0, 0, 0, 1.0, None))
    assert [json.loads(x)["runs"] for x in lines] == [1]
