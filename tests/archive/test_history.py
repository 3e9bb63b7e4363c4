"""Earlier scores that are damaged, unfinished or somebody else's: left out and told; no night stops for them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from archive_doubles import Here, Words, make_run, mixed

from claimx.archive.history import read_history
from claimx.archive.prometheus import to_metrics
from claimx.archive.summary import names_of
from claimx.cli.nights import find_baseline, find_history
from claimx.cli.outcome import tell_outcome
from claimx.errors import InputError

Scored = Callable[..., Any]


def changed(change: Callable[[dict[str, Any]], object]) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        summary = json.loads(path.read_text())
        change(summary)
        path.write_text(json.dumps(summary))

    return make


def unlinked(path: Path) -> None:
    path.unlink()


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


def a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def a_circle(path: Path) -> None:
    path.unlink()
    path.symlink_to(path.name)


DAMAGE: dict[str, tuple[Callable[[Path], object], str, str]] = {
    "torn": (lambda p: p.write_bytes(p.read_bytes()[:300]), "is no summary of a score", "score that archive again"),
    "empty": (lambda p: p.write_bytes(b""), "is no summary of a score", "score that archive again"),
    "noughts": (lambda p: p.write_bytes(b"\0" * 4096), "is no summary of a score", "move the folder away"),
    "not UTF-8": (lambda p: p.write_bytes(b'{"runs": "\xff"}'), "is no summary of a score", "move the folder away"),
    "nested": (lambda p: p.write_text("[" * 100_000), "nested too deeply", "move the folder away"),
    "a list": (lambda p: p.write_text("[1]"), "holds a list", "move the folder away"),
    "foreign": (lambda p: p.write_text('{"total": {"lines": 3}}'), "has no 'runs'", "move the folder away"),
    "older schema": (changed(lambda s: s.update(format=0)), "is in format 0, and this", "score that archive again"),
    "newer schema": (changed(lambda s: s.update(format="2.1")), 'is in format "2.1"', "score that archive again"),
    "no tools": (changed(lambda s: s.pop("tools")), "has no 'tools'", "score that archive again"),
    "odd count": (
        changed(lambda s: s["tools"]["issue_refund"].update(claims=float("nan"))),
        "'issue_refund' counts NaN",
        "score that archive again",
    ),
    "more false than said": (
        changed(lambda s: s["tools"]["issue_refund"].update(claims=1)),
        "more false claims than claims",
        "score that archive again",
    ),
    "unfinished": (unlinked, "the score was not finished", "finish it with --resume"),
    "a folder of that name": (a_folder, "is no file", "move the folder away"),
    "a pipe": (a_pipe, "is no file", "move the folder away"),
    "a link to itself": (a_circle, "cannot be read", "move the folder away"),
}


@pytest.fixture
def nights(scored: Scored, tmp_path: Path) -> list[Path]:
    return [
        scored([make_run(n, "misquoted" if n % 50 == 0 else "true") for n in range(300)], out=f"2026-03-0{i}").folder
        for i in (1, 2, 3)
    ]


@pytest.mark.parametrize("how", DAMAGE)
def test_a_damaged_night_is_left_out_and_told_and_the_alarm_goes_by_the_others(
    how: str, nights: list[Path], scored: Scored, capsys: pytest.CaptureFixture[str]
) -> None:
    damage, reason, remedy = DAMAGE[how]
    damage(nights[1] / "summary.json")
    history = find_history([str(nights[0].parent / "*")], nights[0].parent / "2026-03-04")
    outcome = scored(mixed(300), out="2026-03-04", history=history)
    (alarm,) = outcome.summary["alarms"]
    assert (alarm["false"], alarm["false_before"], alarm["points"]) == (60, 12, 2)
    (left,) = outcome.summary["history"]["left_out"]
    assert left["file"] == (nights[1] / "summary.json").as_posix()
    assert reason in left["reason"]
    assert remedy in left["remedy"]
    assert json.loads((outcome.folder / "summary.json").read_text())["history"]["left_out"] == [left]
    assert tell_outcome(outcome, [], json_lines=False, quiet=True, formats={}) == 0
    told = capsys.readouterr().err
    assert f"--history: left out: {left['file']} {left['reason']}: {left['remedy']}" in told
    assert tell_outcome(outcome, ["alarms > 0"], json_lines=False, quiet=True, formats={}) == 1
    assert (names_of(outcome.summary)["history"], names_of(outcome.summary)["history_left_out"]) == (2, 1)
    assert "claimx_history_left_out 1" in to_metrics(outcome.summary, seconds=1, now=1)


def test_nights_that_are_all_unreadable_stop_nothing(
    nights: list[Path], scored: Scored, capsys: pytest.CaptureFixture[str]
) -> None:
    for night in nights:
        (night / "summary.json").write_text("{")
    outcome = scored(mixed(300), out="now", history=nights)
    assert (outcome.summary["history"]["read"], len(outcome.summary["history"]["left_out"])) == ([], 3)
    assert tell_outcome(outcome, [], json_lines=False, quiet=True, formats={}) == 0
    assert "no earlier score could be read" in capsys.readouterr().err


def test_damage_makes_the_window_reach_further_back(nights: list[Path], scored: Scored) -> None:
    (nights[1] / "summary.json").write_text("{")
    earlier = read_history(nights, window=2)
    assert [f.name for f, _ in earlier.nights] == ["2026-03-01", "2026-03-03"]
    (nights[0] / "summary.json").write_text("{")
    assert read_history(nights, window=1).left_out == ()  # what lies behind the window is no matter


def test_what_happens_to_earlier_scores_during_the_work_costs_nothing(nights: list[Path], scored: Scored) -> None:
    """A night's work is done; a retention job took the nights before it away meanwhile."""
    words = Words()

    class Deleting(Here):
        def run(self, *args: Any) -> Any:
            for night in nights:
                (night / "summary.json").unlink()
            yield from super().run(*args)

    from claimx.archive import score

    out = nights[0].parent / "now"
    outcome = score([mixed(300)], out, engine=Deleting(words), history=nights, baseline=nights[2])
    assert outcome.summary["alarms"][0]["points"] == 3
    assert outcome.summary["baseline"]["runs"] == 300


def test_a_name_that_leads_nowhere_is_told_before_the_work(
    nights: list[Path], scored: Scored, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(InputError, match="nor such a folder"):
        scored(mixed(10), out="now", history=[*nights, nights[0].parent / "nowhere"])
    assert find_history([str(nights[0].parent / "nowhere")], nights[0].parent / "now") == []
    assert "no such folder" in capsys.readouterr().err


def test_other_folders_and_files_that_a_glob_names_are_no_earlier_scores(nights: list[Path], tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    (tmp_path / "notes.txt").write_text("")
    assert find_history([str(tmp_path / "*")], tmp_path / "now") == nights
    (tmp_path / "begun").mkdir()
    (tmp_path / "begun" / "manifest.jsonl").write_text("{}")
    found = find_history([str(tmp_path / "*")], tmp_path / "now")
    assert found == [*nights, tmp_path / "begun"]
    assert read_history(found, window=14).left_out[0].reason == "is not there, the score was not finished"


def test_of_a_glob_the_last_score_that_can_be_read_is_compared_with(
    nights: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    (nights[2] / "summary.json").write_text("{")
    assert find_baseline(str(nights[0].parent / "*"), nights[0].parent / "now") == nights[1]
    told = capsys.readouterr().err
    assert f"--baseline: left out: {nights[2] / 'summary.json'} is no summary of a score" in told
