"""Archives of every format that `claimx check` reads: the same runs as there, with what the records say of them."""

from __future__ import annotations

import gzip
import json
import zipfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from archive_doubles import make_run, write_lines

from claimx.adapters import read_runs
from claimx.archive import Condition, Selection
from claimx.cli import main

ADAPTERS = Path(__file__).parent.parent / "adapters"
FIXTURES = sorted(p for p in (ADAPTERS / "fixtures").iterdir() if p.suffix != ".eval")
#: file -> agent, model as its records tell them.
TOLD = {
    "openai_responses.jsonl": (None, "gpt-5"),
    "openinference.spans.jsonl": ("support", "gpt-5"),
    "openllmetry.otlp.jsonl": (None, "gpt-5"),
    "otel_genai.spans.jsonl": ("support", "function:<lambda>:"),
    "langfuse_trace.json": ("support", None),
    "inspect.json": (None, "mockllm/model"),
    "agentdojo.json": (None, "said"),
    "openai_chat.jsonl": (None, None),
}
CHAT = {
    "id": "chat-1",
    "model": "m-7",
    "created": 1772409600,
    "tier": "gold",
    "metadata": {"agent": "support"},
    "messages": [
        {"role": "user", "content": "Refund me."},
        {"role": "assistant", "content": "Sure.", "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "issue_refund", "arguments": '{"amount": 64}'}}]},
        {"role": "tool", "tool_call_id": "c1", "content": '{"ok": true}'},
        {"role": "assistant", "content": "I refunded $64 today."},
    ],
}  # fmt: skip


def rows(folder: Path, *columns: str) -> list[Any]:
    found = [r for p in sorted((folder / "receipts").iterdir()) for r in pq.read_table(p).to_pylist()]
    return [tuple(r[c] for c in columns) for r in found]


def test_every_format_gives_the_runs_that_check_reads(scored: Callable[..., Any]) -> None:
    outcome = scored(*FIXTURES)
    expected = [f.run.reply for p in FIXTURES for f in read_runs(p) if f.run]
    kept = rows(outcome.folder, "reply")
    told = outcome.summary["rejected"]  # files that tell of the same trace in two shapes
    assert len(kept) + sum(told.values()) == len(expected) == len(FIXTURES)
    assert set(told) <= {"duplicate", "conflict"}
    assert outcome.broken == ()


@pytest.mark.parametrize("name", TOLD)
def test_agent_and_model_are_what_the_records_say(name: str, scored: Callable[..., Any]) -> None:
    assert rows(scored(ADAPTERS / "fixtures" / name).folder, "agent", "model") == [TOLD[name]]


def test_a_conversations_own_fields_can_be_asked_for(scored: Callable[..., Any]) -> None:
    outcome = scored([CHAT], selection=Selection(where=Condition("tier == 'gold' and model == 'm-7'")))
    ((agent, model, time, verdict),) = rows(outcome.folder, "agent", "model", "time", "verdict")
    assert (agent, model, str(time)[:10], verdict) == ("support", "m-7", "2026-03-02", "ok")


def test_a_session_is_read_with_its_sub_agents_files_and_its_version(scored: Callable[..., Any]) -> None:
    session = ADAPTERS / "claude_code" / "session.jsonl"
    outcome = scored(session)
    (run,) = [f.run for f in read_runs(session) if f.run]
    ((line, model, version, unreported),) = rows(outcome.folder, "line", "model", "version", "unreported")
    assert line > 1
    assert model
    assert version
    assert set(unreported) <= {e.id for e in run.ledger}


def test_in_a_folder_of_sessions_sub_agents_are_no_runs_of_their_own(scored: Callable[..., Any]) -> None:
    outcome = scored(ADAPTERS / "claude_code")
    assert [Path(f).name for f in outcome.summary["archive"]] == ["session.jsonl"]
    assert (outcome.summary["runs"], outcome.summary["rejected"], outcome.broken) == (1, {}, ())


def test_every_text_of_a_conversation_is_a_run_where_that_is_asked(scored: Callable[..., Any]) -> None:
    outcome = scored([CHAT], reader=partial(read_runs, turns="all"))
    assert rows(outcome.folder, "id", "reply") == [("chat-1#1", "Sure."), ("chat-1#2", "I refunded $64 today.")]


def test_conversations_come_packed_and_in_columns(scored: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "a.jsonl.gz").write_bytes(gzip.compress(json.dumps({**CHAT, "id": "gz"}).encode()))
    nested = {"id": "text", "messages": json.dumps(CHAT["messages"])}
    pq.write_table(pa.Table.from_pylist([nested]), tmp_path / "b.parquet")
    sample = {"id": "s", "epoch": 1, "target": "", "messages": CHAT["messages"]}
    with zipfile.ZipFile(tmp_path / "c.eval", "w") as z:
        z.writestr("samples/s_epoch_1.json", json.dumps(sample))
    assert rows(scored(tmp_path).folder, "id", "verdict") == [("gz", "ok"), ("text", "ok"), ("s/1", "ok")]


def test_what_is_odd_and_cost_nothing_is_noted_and_rejects_no_run(scored: Callable[..., Any], tmp_path: Path) -> None:
    open_ended = {
        **CHAT,
        "id": "odd",
        "messages": [*CHAT["messages"], {"role": "tool", "tool_call_id": "cX", "content": "?"}],
    }
    outcome = scored(write_lines(tmp_path / "a.jsonl", [CHAT, open_ended]))
    assert (outcome.summary["runs"], outcome.summary["read"], outcome.summary["notes"]) == (2, 2, 1)
    assert outcome.summary["rejected"] == {}
    (note,) = map(json.loads, (outcome.folder / "notes.jsonl").read_text().splitlines())
    assert (note["kind"], note["line"]) == ("note", 2)
    assert "results belong to no call" in note["reason"]
    assert (outcome.folder / "rejected.jsonl").read_text() == ""


def test_a_file_of_no_known_format_is_told_and_the_others_are_scored(
    scored: Callable[..., Any], tmp_path: Path
) -> None:
    write_lines(tmp_path / "a.jsonl", [{"colour": "red"}])
    write_lines(tmp_path / "b.jsonl", [make_run(1)])
    outcome = scored(tmp_path)
    assert outcome.summary["runs"] == 1
    (broken,) = outcome.broken
    assert "format is not known (fields: colour)" in broken.reason


def test_commands_take_a_format_and_tell_which_was_read(
    tiny_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = write_lines(tmp_path / "chat.jsonl", [CHAT])
    args = ["score", str(source), "--model", str(tiny_model), "--workers", "1", "--no-report", "--json"]
    assert main([*args, "--out", str(tmp_path / "o"), "--turns", "all"]) == 0
    found = capsys.readouterr()
    event = json.loads(found.out.splitlines()[-1])
    assert (event["formats"], event["summary"]["runs"]) == ({"openai-chat": 1}, 2)
    assert "files read: 1 as openai-chat" in found.err
    assert main([*args, "--out", str(tmp_path / "o"), "--resume"]) == 2
    assert "was begun otherwise (reading was" in capsys.readouterr().err
    assert main([*args, "--out", str(tmp_path / "x"), "--format", "codex"]) == 0
    assert json.loads(capsys.readouterr().out.splitlines()[-1])["summary"]["runs"] == 0  # no rollout, no run
    assert main(["view", str(source), "--id", "chat-1", "--model", str(tiny_model)]) == 0
    assert "run chat-1" in capsys.readouterr().out
