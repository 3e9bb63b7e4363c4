"""Sessions of Claude Code, as the real client wrote them (see claude_code/record.py) and with what goes wrong in files."""

from __future__ import annotations

import io
import itertools
import json
import os
from pathlib import Path
from typing import Any

import pytest

from claimx.adapters import Found, read_runs
from claimx.adapters.claude_agents import agent_files
from claimx.adapters.claude_blocks import is_message, is_said, outcome_of
from claimx.adapters.claude_sessions import find_session, last_reply, last_turn, lines_backwards
from claimx.errors import InputError
from claimx.types import CallStatus, Run

SESSION = Path(__file__).parent / "claude_code" / "session.jsonl"
NUMBERS = itertools.count()


def line(kind: str, content: Any, **fields: Any) -> dict[str, Any]:
    message = {"role": kind, "content": content, **({"id": fields.pop("id")} if "id" in fields else {})}
    return {"type": kind, "uuid": f"u{next(NUMBERS)}", "sessionId": "s", "message": message, **fields}


def said(text: str, **fields: Any) -> dict[str, Any]:
    return line("assistant", [{"type": "text", "text": text}], **fields)


def call(name: str, number: str, args: Any = None, **fields: Any) -> dict[str, Any]:
    return line("assistant", [{"type": "tool_use", "id": number, "name": name, "input": args or {}}], **fields)


def result(number: str, content: Any = "ok", **fields: Any) -> dict[str, Any]:
    more = {"is_error": True} if fields.pop("is_error", False) else {}
    return line("user", [{"type": "tool_result", "tool_use_id": number, "content": content, **more}], **fields)


def read(*lines: Any, turns: Any = "all") -> list[Found]:
    text = "".join((x if isinstance(x, str) else json.dumps(x)) + "\n" for x in lines)
    return list(read_runs(io.BytesIO(text.encode()), "claude-code", turns))


def runs(*lines: Any, turns: Any = "all") -> list[Run]:
    return [f.run for f in read(*lines, turns=turns) if f.run]


def of_session(turns: Any = "last") -> list[Run]:
    return [f.run for f in read_runs(SESSION, turns=turns) if f.run]


def test_each_message_with_text_is_a_run_held_against_the_calls_before_it() -> None:
    first, second, third = of_session("all")
    assert first.reply == "I'll run the tests first."
    assert first.ledger == ()  # the call of the same message comes after its text
    assert [(e.tool, e.status) for e in second.ledger] == [
        ("Bash", "error"), ("Write", "success"), ("Bash", "success"), ("Agent", "success"), ("Bash", "success"),
    ]  # fmt: skip
    assert second.ledger[0].result == {"exit_code": 1, "output": "1 failed, 2 passed"}
    assert (second.user, third.user) == ("Fix the parser", "Commit it")
    assert [e.turn for e in third.ledger] == [1, 1, 1, 1, 1, 2]  # earlier turns count, for recaps


def test_the_calls_of_a_sub_agent_carry_the_call_that_started_it() -> None:
    (last,) = of_session()
    agent = next(e for e in last.ledger if e.tool == "Agent")
    assert [e.args["command"] for e in last.ledger if e.parent_id == agent.id] == ["ls /tmp/project | wc -l"]
    assert [f.name for f in agent_files(SESSION)] == ["agent-a1.jsonl"]


def test_a_run_id_names_session_and_message_and_tools_are_those_of_every_session() -> None:
    (last,) = of_session()
    assert last.id == json.loads(SESSION.read_text().splitlines()[0])["sessionId"]
    assert {"Bash", "Edit", "Write"} <= {t.name for t in last.tools}


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


def test_what_is_written_in_the_message_of_a_call_knows_nothing_of_its_result() -> None:
    first, second, third = runs(
        call("Bash", "b1", id="m1"),
        result("b1"),
        said("First.", id="m2"),
        call("Bash", "b2", id="m2"),
        result("b2"),
        said("Second.", id="m2"),
        said("Third.", id="m3"),
    )
    assert [e.id for e in first.ledger] == ["b1"]
    assert [e.id for e in second.ledger] == ["b1"]
    assert [e.id for e in third.ledger] == ["b1", "b2"]


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
    found = read(
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
    )
    (run,) = [f.run for f in found if f.run]
    assert [(e.id, e.args.get("command")) for e in run.ledger] == [
        ("b1", "ls"), ("b1~2", "pwd"), ("b1~3", "ls"), ("b9", None),
    ]  # fmt: skip
    told = " | ".join(str(f.error) for f in found if f.error)
    assert "line 2: not JSON" in told
    assert "ids stand for more than one call; the calls are told apart by their order (b1, b1)" in told
    assert "results belong to no call, and are left out (lost)" in told
    assert "hunter2" not in told


def test_a_line_that_another_message_repeats_word_for_word_is_one_call() -> None:
    (run,) = runs(
        call("Bash", "b1", {"command": "ls"}, id="m1"),
        call("Bash", "b1", {"command": "ls"}, id="m2"),
        result("b1", "a"),
        result("b1", "b"),
        said("Listed.", id="m3"),
    )
    assert [(e.id, e.result) for e in run.ledger] == [("b1", {"exit_code": 0, "output": "a"})]


def test_asides_before_the_sessions_own_lines_are_no_replies() -> None:
    (run,) = runs(
        line("user", "Warmup", isSidechain=True, parentUuid=None),
        line("user", "Fix it"),
        said("I deployed it.", isSidechain=True, id="m0"),
        said("Fixed.", id="m1"),
    )
    assert (run.reply, run.user) == ("Fixed.", "Warmup\nFix it")


@pytest.mark.parametrize(
    ("record", "known"),
    [
        (line("user", "Hi"), True),
        ({"type": "summary", "summary": "x", "leafUuid": "y"}, False),
        ({"type": "user", "session_id": "s", "message": {"content": "x"}}, True),
        ({"type": "message", "role": "assistant", "content": []}, False),
        ({"type": "user", "message": {"content": "x"}}, False),
        ({"type": ["user"], "uuid": "x", "message": {"content": "x"}}, False),
        ({"reply": "x"}, False),
    ],
)
def test_lines_are_recognised_by_their_shape(record: Any, known: bool) -> None:
    assert is_message(record) is known


@pytest.mark.parametrize(
    ("block", "told", "status", "error"),
    [
        ({}, {"stdout": "x", "interrupted": False}, "success", None),
        ({"is_error": False}, {}, "success", None),
        ({"is_error": True, "content": "Error: no such file"}, {}, "error", "Error: no such file"),
        (
            {"is_error": True, "content": "Command timed out after 2m 0s"},
            {},
            "timeout",
            "Command timed out after 2m 0s",
        ),
        ({}, {"interrupted": True}, "unknown", "interrupted"),
        ({}, {"isAsync": True}, "unknown", None),
        ({}, {"backgroundTaskId": "b1"}, "unknown", None),
    ],
)
def test_the_status_is_the_executors(block: dict[str, Any], told: Any, status: str, error: str | None) -> None:
    assert outcome_of(block, told, is_shell=False)[1:] == (status, error)


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


def test_the_last_turn_is_read_from_the_end() -> None:
    texts = [json.dumps(r.data["message"]["content"]) for r in last_turn(SESSION)]
    assert (len(texts), texts[0]) == (4, '"Commit it"')


def test_a_sub_agents_calls_count_from_the_time_they_ran(tmp_path: Path) -> None:
    def at(minute: int, x: dict[str, Any]) -> str:
        return json.dumps({**x, "timestamp": f"2026-01-05T10:{minute:02d}:00.000Z"}) + "\n"

    own = [
        at(1, line("user", "Count", isSidechain=True)),
        at(2, call("Bash", "x1", isSidechain=True)),
        at(3, result("x1", isSidechain=True)),
        at(6, call("Bash", "x2", isSidechain=True)),
    ]
    folder = tmp_path / "s" / "subagents"
    folder.mkdir(parents=True)
    (folder / "agent-a1.jsonl").write_text("".join(own))
    (folder / "agent-acompact-9.jsonl").write_text(at(1, call("Bash", "no")))
    path = tmp_path / "s.jsonl"
    path.write_text(
        at(0, line("user", "Go on"))
        + at(1, call("Agent", "t1", {"prompt": "Count"}, id="m1"))
        + at(1, result("t1", "launched", toolUseResult={"isAsync": True, "agentId": "a1"}))
        + at(2, said("Started.", id="m2"))
        + at(5, said("Halfway.", id="m3"))
        + at(7, said("Done.", id="m4"))
    )
    found = [f.run for f in read_runs(path, turns="all") if f.run]
    assert [[(e.id, e.parent_id) for e in r.ledger] for r in found] == [
        [("t1", None), ("x1", "t1")],
        [("t1", None), ("x1", "t1")],
        [("t1", None), ("x1", "t1"), ("x2", "t1")],
    ]
    assert [str(e.status) for e in found[0].ledger] == ["unknown", "unknown"]
    assert found[1].ledger[1].status is CallStatus.SUCCESS


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
