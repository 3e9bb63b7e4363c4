"""The command line on other people's records: what it says, what it writes, how it exits."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from claimx.cli import main

FIXTURES = Path(__file__).parent / "fixtures"
TALK = [
    {"role": "user", "content": "Refund 4821"},
    {"role": "assistant", "content": "On it.", "tool_calls": [{"id": "c1", "function": {"name": "issue_refund", "arguments": '{"order_id": "#4821", "amount": 6.4}'}}]},
    {"role": "tool", "tool_call_id": "c1", "content": '{"ok": true}'},
    {"role": "assistant", "content": "I refunded $64 for the order #4821."},
]  # fmt: skip


def test_check_says_which_format_it_took_and_writes_receipts(
    tiny_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "talk.jsonl"
    path.write_text(json.dumps({"id": "conv-9", "messages": TALK}) + "\n")
    assert main(["check", str(path), "--model", str(tiny_model), "--out", "-"]) == 1
    out, err = capsys.readouterr()
    receipt = json.loads(out)
    assert (receipt["id"], receipt["verdict"]) == ("conv-9", "misquoted")
    assert receipt["claims"][0]["mismatches"][0]["path"] == "c1.args.amount"
    assert "talk.jsonl: read as openai-chat (OpenAI Chat Completions" in err
    assert (
        main(
            ["check", str(path), "--model", str(tiny_model), "--turns", "all", "--out", "-", "--format", "openai-chat"]
        )
        == 1
    )
    out, err = capsys.readouterr()
    assert [json.loads(x)["id"] for x in out.splitlines()] == ["conv-9#1", "conv-9#2"]
    assert err == ""


def test_notes_are_told_and_change_no_exit_code(
    tiny_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "talk.json"
    path.write_text(json.dumps([*TALK[:2], {"role": "assistant", "content": "The order is on hold."}]))
    assert main(["check", str(path), "--model", str(tiny_model)]) == 0
    assert "1 calls have no result, and count as open (c1)" in capsys.readouterr().err


def test_what_could_not_be_read_exits_with_two_and_the_rest_is_checked(
    tiny_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "talk.jsonl"
    path.write_text(json.dumps({"messages": TALK}) + "\n{cut\n" + json.dumps({"messages": TALK}) + "\n")
    assert main(["check", str(path), "--model", str(tiny_model), "--out", "-"]) == 2
    out, err = capsys.readouterr()
    assert [json.loads(x)["id"] for x in out.splitlines()] == ["1", "3"]
    assert "line 2: not JSON" in err


def test_an_unknown_shape_exits_with_two_and_lists_the_known_ones(
    tiny_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "odd.json"
    path.write_text('{"hello": 1}')
    assert main(["check", str(path), "--model", str(tiny_model)]) == 2
    err = capsys.readouterr().err
    assert "the format is not known (fields: hello)" in err
    assert "otel-genai" in err


def test_no_output_is_begun_for_an_input_that_cannot_be_read(tiny_model: Path, tmp_path: Path) -> None:
    out, odd = tmp_path / "receipts.jsonl", tmp_path / "odd.json"
    out.write_text("kept")
    odd.write_text('{"hello": 1}')
    for source in (tmp_path / "missing.json", odd):
        assert main(["check", str(source), "--model", str(tiny_model), "--out", str(out)]) == 2
        assert out.read_text() == "kept"


def test_extract_reads_them_too(tiny_model: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert (
        main(["extract", str(FIXTURES / "anthropic.jsonl"), "--turns", "all", "--model", str(tiny_model), "--out", "-"])
        == 0
    )
    rows = [json.loads(x) for x in capsys.readouterr().out.splitlines()]
    assert [r["id"] for r in rows] == ["1#1", "1#2"]
    assert [a["verb"] for a in rows[1]["actions"]] == ["refund", "send"]


@pytest.mark.model
@pytest.mark.parametrize("name", ["openai_chat.jsonl", "otel_genai.otlp.jsonl", "inspect.json"])
def test_a_fabricated_reply_is_caught_in_what_a_library_wrote(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(FIXTURES / name), "--out", "-"]) == 1
    receipt = json.loads(capsys.readouterr().out)
    assert receipt["verdict"] == "fabricated"
    assert {c["status"] for c in receipt["claims"]} == {"misquoted", "tool_failed"}


def test_view_of_several_runs_says_that_there_are_more_and_how_to_see_them(
    tiny_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "talk.jsonl"
    path.write_text(json.dumps({"id": "conv-9", "messages": TALK}) + "\n")
    words = ["view", str(path), "--model", str(tiny_model), "--html", "-"]
    main([*words, "--turns", "all"])
    out, err = capsys.readouterr()
    assert (
        err
        == f"claimx: the first run of several: --id conv-9#2 shows the next, 'claimx check {path}' all of them, one after the other\n"
    )
    assert "several" not in out
    for more in ([], ["--turns", "all", "--id", "conv-9#2"]):
        main([*words, *more])
        assert capsys.readouterr().err == ""


def test_what_is_said_for_people_holds_no_markup_and_names_the_page_that_was_written(
    tiny_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "receipt.html"
    main(["view", str(FIXTURES / "inspect.json"), "--model", str(tiny_model), "--html", str(page)])
    assert capsys.readouterr().err.endswith(f"; the receipt is in {page}\n")
    assert page.exists()
    main(["check", str(FIXTURES / "inspect.json"), "--model", str(tiny_model)])
    assert "read as inspect (logs of Inspect: .json, and .eval with claimx[inspect])\n" in capsys.readouterr().err
