"""Sessions of Claude Code, as the real client wrote them (see claude_code/record.py) and with what goes wrong in files."""

from __future__ import annotations

import io
import json
import os
from pathlib import Path
from typing import Any

import pytest

from claimx.adapters.claude_blocks import MOST_TEXT, shortened, status_of, text_of
from claimx.adapters.claude_sessions import agent_files, find_session, last_reply, lines_backwards, read_session
from claimx.adapters.claude_transcript import is_claude_code, is_said, read_runs
from claimx.errors import FormatError, InputError
from claimx.types import CallStatus, Run

SESSION = Path(__file__).parent / "claude_code" / "session.jsonl"


def line(kind: str, content: Any, **fields: Any) -> dict[str, Any]:
    message = {"role": kind, "content": content, **({"id": fields.pop("id")} if "id" in fields else {})}
    return {"type": kind, "uuid": "u", "sessionId": "s", "message": message, **fields}


def said(text: str, **fields: Any) -> dict[str, Any]:
    return line("assistant", [{"type": "text", "text": text}], **fields)


def call(name: str, number: str, args: Any = None, **fields: Any) -> dict[str, Any]:
    return line("assistant", [{"type": "tool_use", "id": number, "name": name, "input": args or {}}], **fields)


def result(number: str, content: Any = "ok", **fields: Any) -> dict[str, Any]:
    more = {"is_error": True} if fields.pop("is_error", False) else {}
    return line("user", [{"type": "tool_result", "tool_use_id": number, "content": content, **more}], **fields)


def runs(*lines: Any, turns: str = "all", **options: Any) -> list[Run]:
    text = "".join((x if isinstance(x, str) else json.dumps(x)) + "\n" for x in lines)
    return list(read_runs(io.BytesIO(text.encode()), turns=turns, **options))


def test_each_message_with_text_is_a_run_held_against_the_calls_before_it() -> None:
    first, second, third = read_session(SESSION, turns="all")
    assert first.reply == "I'll run the tests first."
    assert first.ledger == ()  # the call of the same message comes after its text
    assert [(e.tool, e.status) for e in second.ledger] == [
        ("Bash", "error"), ("Write", "success"), ("Bash", "success"), ("Agent", "success"), ("Bash", "success"),
    ]  # fmt: skip
    assert second.ledger[0].result == "Exit code 1\n1 failed, 2 passed"
    assert (second.user, third.user) == ("Fix the parser", "Commit it")
    assert [e.turn for e in third.ledger] == [1, 1, 1, 1, 1, 2]  # earlier turns count, for recaps


def test_the_calls_of_a_sub_agent_carry_the_call_that_started_it() -> None:
    (last,) = read_session(SESSION)
    agent = next(e for e in last.ledger if e.tool == "Agent")
    assert [e.args["command"] for e in last.ledger if e.parent_id == agent.id] == ["ls /tmp/project | wc -l"]
    assert [f.name for f in agent_files(SESSION)] == ["agent-a1.jsonl"]


def test_a_run_id_names_session_and_message_and_tools_are_those_of_every_session() -> None:
    (last,) = read_session(SESSION)
    assert last.id == "session:3"
    assert {"Bash", "Edit", "Write", "Agent"} <= {t.name for t in last.tools}


def test_asides_in_the_same_file_are_attributed_by_their_prompt() -> None:
    (run,) = runs(
        line("user", "Look around"),
        call("Task", "t1", {"prompt": "Count files"}, id="m1"),
        line("user", "Count files", isSidechain=True, parentUuid=None),
        call("Bash", "b1", {"command": "ls"}, isSidechain=True),
        result("b1", "a.py", isSidechain=True),
        said("There is one file.", isSidechain=True),
        result("t1", "There is one file."),
        said("I counted the files.", id="m2"),
    )
    assert run.user == "Look around"
    assert [(e.id, e.parent_id) for e in run.ledger] == [("t1", None), ("b1", "t1")]


def test_blocks_of_one_message_are_one_reply_judged_against_what_ran_before_it() -> None:
    (run,) = runs(
        call("Bash", "b1", id="m1"),
        result("b1"),
        said("First.", id="m2"),
        call("Bash", "b2", id="m2"),
        result("b2"),
        said("Second.", id="m2"),
    )
    assert run.reply == "First.\n\nSecond."
    assert [e.id for e in run.ledger] == ["b1"]


def test_a_call_without_a_result_is_unknown_and_one_in_the_background_too() -> None:
    (run,) = runs(
        call("Bash", "b1", id="m1"),
        call("Bash", "b2", id="m2"),
        result("b2", "running", toolUseResult={"backgroundTaskId": "x"}),
        said("Started.", id="m3"),
    )
    assert [e.status for e in run.ledger] == [CallStatus.UNKNOWN, CallStatus.UNKNOWN]


def test_notes_of_the_harness_are_not_the_users_words() -> None:
    (run,) = runs(
        line("user", "Fix it"),
        line("user", "<command-name>/clear</command-name>"),
        line("user", "Stop hook feedback:\nno", isMeta=True),
        line("user", "[Request interrupted by user]"),
        said("Done.", id="m1"),
    )
    assert (run.user, run.extra["turn"]) == ("Fix it", 1)
    assert not is_said(line("user", "Prompt of an agent", isSidechain=True))


def test_faulty_lines_are_reported_and_the_rest_is_read() -> None:
    told: list[InputError] = []
    found = runs(
        line("user", "Hi"),
        '{"type": "assistant", "uu',
        result("lost", "SECRET=hunter2"),
        call("Bash", "b1", {"command": "ls"}, id="m1"),
        call("Bash", "b1", {"command": "pwd"}, id="m2"),
        call("Bash", "b1", {"command": "ls"}, id="m3"),
        line("assistant", [{"type": "tool_use", "id": "b9", "input": {}}], id="m4"),
        {"type": "brand-new", "sessionId": "s"},
        line("assistant", None, id="m5"),
        said("Listed.", id="m6"),
        complain=told.append,
    )
    assert [e.id for e in found[0].ledger] == ["b1", "b1~5"]
    messages = [str(e) for e in told]
    assert messages[0].startswith("line 2: not JSON")
    assert "line 3: a result names the call 'lost'" in messages[1]
    assert "line 5: the id 'b1' stands for two calls" in messages[2]
    assert "line 7: a tool_use has no name" in messages[3]
    assert len(messages) == 4
    assert not any("hunter2" in m for m in messages)


def test_a_file_of_another_kind_is_refused() -> None:
    with pytest.raises(FormatError, match="no line is one of a Claude Code transcript"):
        runs({"role": "user", "content": "Hi"})
    assert runs() == []


@pytest.mark.parametrize(
    ("record", "known"),
    [
        (line("user", "Hi"), True),
        ({"type": "summary", "summary": "x", "leafUuid": "y"}, True),
        ({"type": "queue-operation", "sessionId": "s"}, True),
        ({"type": "message", "role": "assistant", "content": []}, False),
        ({"type": "user", "message": {"content": "x"}}, False),
        ({"reply": "x"}, False),
        ([], False),
        (None, False),
    ],
)
def test_lines_are_recognised_by_their_shape(record: Any, known: bool) -> None:
    assert is_claude_code(record) is known


@pytest.mark.parametrize(
    ("block", "told", "status"),
    [
        ({}, {"stdout": "x", "interrupted": False}, "success"),
        ({"is_error": False}, None, "success"),
        ({"is_error": True}, "Error: Exit code 1", "error"),
        ({"is_error": True, "late": True}, None, "timeout"),
        ({}, {"interrupted": True}, "unknown"),
        ({}, {"isAsync": True}, "unknown"),
    ],
)
def test_the_status_is_the_executors(block: dict[str, Any], told: Any, status: str) -> None:
    text = "Command timed out after 2m 0s" if block.get("late") else "Exit code 1"
    assert status_of(block, told, text)[0] == status


def test_results_keep_their_text_and_say_what_they_held_instead() -> None:
    assert text_of([{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]) == "a\nb"
    assert text_of([{"type": "image", "source": {}}]) == "[image]"
    assert text_of(None) is None


def test_long_texts_lose_their_middle_only() -> None:
    cut = shortened({"a": ["x" * 10, "head" + "y" * 3 * MOST_TEXT + "tail"]})
    assert cut["a"][0] == "x" * 10
    assert cut["a"][1].startswith("head")
    assert cut["a"][1].endswith("tail")
    assert len(cut["a"][1]) < MOST_TEXT + 100


def test_lines_come_from_the_end_whatever_their_length(tmp_path: Path) -> None:
    texts = ["a", "b" * 70_000, "", "c" * 200_000, "ü" * 40_000, "d"]
    path = tmp_path / "x"
    for end in ("", "\n"):
        path.write_bytes(("\n".join(texts) + end).encode())
        assert [x.decode() for x in lines_backwards(path)] == [t for t in reversed(texts) if t]
    path.write_bytes(b"")
    assert list(lines_backwards(path)) == []


def test_the_last_message_is_read_from_the_end(tmp_path: Path) -> None:
    assert last_reply(SESSION) == "I committed the change. Earlier I wrote parser.py."
    path = tmp_path / "s.jsonl"

    def write(*lines: Any) -> str:
        path.write_text("".join(json.dumps(x) + "\n" for x in lines) + '{"half', encoding="utf-8")
        return last_reply(path)

    assert write(said("One.", id="m1"), said("Two.", id="m1"), said("Aside.", isSidechain=True)) == "One.\n\nTwo."
    assert write(said("One.", id="m1"), line("user", "And?")) == ""
    assert write(said("One.", id="m1"), call("Bash", "b", id="m2"), result("b")) == ""


def test_a_session_is_found_by_age_id_and_path(tmp_path: Path) -> None:
    home = tmp_path / "projects" / "-tmp-p"
    home.mkdir(parents=True)
    with pytest.raises(InputError, match="no session of Claude Code under"):
        find_session("last", tmp_path)
    for i, name in enumerate(("ab1", "ab2", "agent-x")):
        (home / f"{name}.jsonl").write_text("{}\n")
        os.utime(home / f"{name}.jsonl", (1000 + i, 1000 + i))
    assert find_session("last", tmp_path).stem == "ab2"
    assert find_session("ab1", tmp_path).stem == "ab1"
    assert find_session(str(home / "ab1.jsonl"), tmp_path).stem == "ab1"
    with pytest.raises(InputError, match="2 sessions start with 'ab'"):
        find_session("ab", tmp_path)
    with pytest.raises(InputError, match="no session starts with 'zz'"):
        find_session("zz", tmp_path)
