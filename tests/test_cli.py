"""The command line: shapes, exit codes, messages."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest

from claimx import __version__
from claimx.cli import main

RUN = {
    "id": "r1",
    "reply": "I refunded $64 for the order #4821.",
    "tools": ["issue_refund"],
    "ledger": [
        {"id": "c1", "tool": "issue_refund", "args": {"order_id": "#4821", "amount": 64}, "result": {"ok": True}}
    ],
}
WRONG = {**RUN, "id": "r2", "ledger": [{**RUN["ledger"][0], "args": {"order_id": "#4821", "amount": 6.4}}]}


def write(path: Path, *rows: object) -> str:
    path.write_text("".join((r if isinstance(r, str) else json.dumps(r)) + "\n" for r in rows), encoding="utf-8")
    return str(path)


def lines(path: Path) -> list[dict]:
    return [json.loads(x) for x in path.read_text(encoding="utf-8").splitlines()]


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as e:
        main(["--version"])
    assert e.value.code == 0
    assert capsys.readouterr().out.strip() == f"claimx {__version__}"


def test_extract_writes_the_documented_shape(tiny_model: Path, tmp_path: Path) -> None:
    source, out = write(tmp_path / "in.jsonl", RUN, {"text": "Monday."}), tmp_path / "out.jsonl"
    assert main(["extract", source, "--model", str(tiny_model), "--out", str(out)]) == 0
    first, second = lines(out)
    (action,) = first["actions"]
    assert set(action) >= {
        "text",
        "start",
        "end",
        "trigger",
        "object",
        "verb",
        "tense",
        "modality",
        "actor",
        "claim",
        "score",
        "slots",
    }
    assert action["claim"] is True
    assert action["slots"][0]["value"] == {"amount": "64", "currency": "USD"}
    assert second["id"] == "2"
    assert [v["type"] for v in second["values"]] == ["DATE"]


def test_check_writes_receipts_and_says_by_its_exit_code_whether_something_is_flagged(
    tiny_model: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out.jsonl"
    model = ["--model", str(tiny_model), "--out", str(out)]
    assert main(["check", write(tmp_path / "a.jsonl", RUN), *model]) == 0
    (receipt,) = lines(out)
    assert set(receipt) >= {"id", "verdict", "ok", "summary", "claims", "values", "unreported"}
    assert receipt["verdict"] == "ok"
    assert main(["check", write(tmp_path / "b.jsonl", RUN, WRONG), *model]) == 1
    right, wrong = lines(out)
    assert (right["verdict"], wrong["verdict"]) == ("ok", "misquoted")
    (mismatch,) = wrong["claims"][0]["mismatches"]
    assert (mismatch["claimed"], mismatch["recorded"], mismatch["path"]) == ("$64", 6.4, "c1.args.amount")


def test_a_bad_line_is_reported_and_the_others_are_checked(
    tiny_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out.jsonl"
    source = write(tmp_path / "in.jsonl", RUN, "{oops", {"id": "x"}, WRONG)
    assert main(["check", source, "--model", str(tiny_model), "--out", str(out)]) == 2
    assert [r["id"] for r in lines(out)] == ["r1", "r2"]
    err = capsys.readouterr().err
    assert "line 2: not JSON" in err
    assert "line 3: field 'reply' is missing" in err


def test_stdin_is_read_when_no_file_is_named(
    tiny_model: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Stdin:
        buffer = io.BytesIO(json.dumps(RUN).encode())

    monkeypatch.setattr("sys.stdin", Stdin)
    assert main(["check", "--model", str(tiny_model), "--out", "-"]) == 0
    assert json.loads(capsys.readouterr().out)["id"] == "r1"


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["check", "missing.jsonl"], "no such file"),
        (["check", "--model", "nowhere", "IN"], "no model folder at nowhere"),
        (["extract", "IN", "--threads", "0"], "--threads is 0"),
        (["extract", "EMPTY"], "holds no record"),
        (["extract", "IN", "--out", "no/such/folder/x"], "cannot be written"),
    ],
)
def test_wrong_use_is_told_in_one_line(
    args: list[str], says: str, tiny_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = {"IN": write(tmp_path / "in.jsonl", RUN), "EMPTY": write(tmp_path / "empty.jsonl")}
    args = [names.get(a, a) for a in args]
    if "--model" not in args:
        args += ["--model", str(tiny_model)]
    assert main(args) == 2
    err = capsys.readouterr().err
    assert says in err
    assert err.count("\n") == 1


def test_an_unknown_option_exits_with_two() -> None:
    with pytest.raises(SystemExit) as e:
        main(["check", "--nope"])
    assert e.value.code == 2


def test_the_report_for_people_names_status_tool_path_and_both_values(
    tiny_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "160")
    assert main(["check", write(tmp_path / "in.jsonl", RUN, WRONG), "--model", str(tiny_model), "--explain"]) == 1
    out = capsys.readouterr().out
    for text in ("MISQUOTED", "issue_refund", "c1.args.amount", "$64", "6.4", "2 runs: 1 ok, 1 misquoted"):
        assert text in out
    assert main(["extract", write(tmp_path / "in.jsonl", RUN), "--model", str(tiny_model)]) == 0
    assert "refunded" in capsys.readouterr().out
