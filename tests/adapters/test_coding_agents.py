"""Sessions of Claude Code and Codex: shells with their exit codes, files, sub-agents, what the client itself writes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from claimx.adapters import detect, read_runs
from claimx.adapters.codex import outcome_of
from claimx.hooks.claude_stop import run_of
from claimx.types import Run
from tests.adapters.sessions import (  # type: ignore[import-not-found]
    CODEX_META,
    Claude,
    codex,
    codex_call,
    codex_item,
    codex_output,
    codex_said,
    write_lines,
)


def runs_of(source: Any, turns: Any = "last") -> list[Run]:
    found = list(read_runs(source, turns=turns))
    assert [str(f.error) for f in found if f.error and not f.is_note] == []
    return [f.run for f in found if f.run]


def session() -> list[dict[str, Any]]:
    c = Claude()
    return [
        {"type": "summary", "summary": "Fix the tests", "leafUuid": "x"},
        {"type": "file-history-snapshot", "messageId": "m", "snapshot": {}, "isSnapshotUpdate": False},
        c.user("<command-name>/clear</command-name>", isMeta=True),
        c.user("Fix the failing test and push."),
        c.block({"type": "thinking", "thinking": "hm", "signature": "s"}, "m1"),
        c.text("Let me run the tests.", "m1"),
        c.call("t1", "Bash", "m1", command="pytest -q"),
        c.result("t1", "Exit code 1\n1 failed, 2 passed", is_error=True, result="Error: Exit code 1\n1 failed, 2 passed"),
        c.call("t2", "Edit", file_path="/home/dev/shop/a.py", old_string="a", new_string="b"),
        c.result("t2", "The file /home/dev/shop/a.py has been updated.", result={"filePath": "/home/dev/shop/a.py"}),
        c.call("t3", "Bash", command="npm run dev", run_in_background=True),
        c.result("t3", "Command running in background with ID: b1", result={"stdout": "", "stderr": "", "interrupted": False, "backgroundTaskId": "b1"}),
        c.call("t4", "Bash", command="git push"),
        c.result("t4", "The user doesn't want to proceed with this tool use.", is_error=True),
        c.text("I fixed a.py and pushed. All tests pass.", "m9"),
    ]  # fmt: skip


def test_a_session_of_claude_code(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "s.jsonl", *session())
    assert detect(path).format == "claude-code"
    (run,) = runs_of(path)
    assert run.reply == "I fixed a.py and pushed. All tests pass."
    assert run.user == "Fix the failing test and push."
    assert run.id == Claude().session
    assert run.now == "2026-01-05T10:13:00.000Z"
    assert [(e.tool, str(e.status)) for e in run.ledger] == [
        ("Bash", "error"),
        ("Edit", "success"),
        ("Bash", "unknown"),
        ("Bash", "error"),
    ]
    assert run.ledger[0].result == {"exit_code": 1, "output": "1 failed, 2 passed"}
    assert {"Bash", "Edit", "Write"} <= {t.name for t in run.tools}


def test_every_text_of_a_session_and_blocks_of_one_answer_are_one_message(tmp_path: Path) -> None:
    first, last = runs_of(session(), "all")
    assert (first.reply, first.ledger) == ("Let me run the tests.", ())
    assert len(last.ledger) == 4


def test_lines_that_a_resumed_session_repeats_count_once() -> None:
    lines = session()
    (run,) = runs_of([*lines, *lines])
    assert len(run.ledger) == 4


def test_an_inline_sub_agents_calls_belong_to_its_task_and_its_texts_are_no_replies() -> None:
    c, side = Claude(), Claude(isSidechain=True, agentId="a1b2c3d")
    lines = [
        c.user("Fix it"),
        c.call("task", "Task", subagent_type="general-purpose", description="fix", prompt="Fix a.py"),
        side.user("Fix a.py"),
        side.call("e1", "Edit", file_path="a.py"),
        side.result("e1", "updated"),
        side.text("I fixed a.py and deployed it."),
        c.result("task", [{"type": "text", "text": "I fixed a.py and deployed it."}]),
        c.text("a.py is fixed."),
    ]
    (run,) = runs_of(lines, "all")
    assert run.reply == "a.py is fixed."
    assert [(e.tool, e.parent_id, e.extra.get("agent")) for e in run.ledger] == [
        ("Task", None, None),
        ("Edit", "task", "a1b2c3d"),
    ]


def test_a_sub_agent_told_by_progress_and_by_its_file_counts_once(tmp_path: Path) -> None:
    c, side = Claude(), Claude(isSidechain=True, agentId="a1b2c3d")
    edit, done = side.call("e1", "Edit", file_path="a.py"), side.result("e1", "ok")
    progress = [
        {"type": "progress", "parentToolUseID": "task", "sessionId": c.session,
         "data": {"type": "agent_progress", "agentId": "a1b2c3d", "message": {"type": x["type"], "message": x["message"]}}}
        for x in (edit, done)
    ]  # fmt: skip
    write_lines(tmp_path / "s" / "subagents" / "agent-a1b2c3d.jsonl", edit, done)
    start = [c.user("Fix it"), c.call("task", "Task", prompt="Fix a.py"), *progress]
    end = [c.result("task", "Done.", result={"agentId": "a1b2c3d"}), c.text("a.py is fixed.")]
    (run,) = runs_of(write_lines(tmp_path / "s.jsonl", *start, *end))
    assert [(e.tool, e.parent_id, e.extra.get("agent")) for e in run.ledger] == [
        ("Task", None, None),
        ("Edit", "task", "a1b2c3d"),
    ]


def test_each_text_of_a_session_has_its_own_line() -> None:
    found = [f for f in read_runs(iter(session()), turns="all") if f.run]
    assert [f.line for f in found] == [6, 15]


@pytest.mark.parametrize("place", ["{s}/subagents/agent-a1b2c3d.jsonl", "agent-a1b2c3d.jsonl"])
@pytest.mark.parametrize("told", ["result", "text"])
def test_a_sub_agents_own_file_beside_the_session_is_read(tmp_path: Path, place: str, told: str) -> None:
    c, side = Claude(), Claude(isSidechain=True, agentId="a1b2c3d")
    write_lines(
        tmp_path / place.format(s="s"),
        side.user("Fix a.py"),
        side.call("e1", "Edit", file_path="a.py"),
        side.result("e1", "ok"),
        "{cut",
    )
    text = "Done." if told == "result" else "Done.\nagentId: a1b2c3d (use it to resume)"
    path = write_lines(
        tmp_path / "s.jsonl",
        c.user("Fix it"),
        c.call("task", "Agent", prompt="Fix a.py"),
        c.result("task", text, result={"status": "completed", "agentId": "a1b2c3d"} if told == "result" else None),
        c.text("a.py is fixed."),
    )
    found = list(read_runs(path))
    (run,) = [f.run for f in found if f.run]
    assert [(e.tool, e.parent_id) for e in run.ledger] == [("Agent", None), ("Edit", "task")]
    assert ["agent-a1b2c3d.jsonl: line 4" in str(f.error) for f in found if f.error] == [True]


def test_a_sub_agents_file_by_itself_is_a_conversation(tmp_path: Path) -> None:
    side = Claude(isSidechain=True, agentId="a1")
    (run,) = runs_of(
        [side.user("Fix a.py"), side.call("e1", "Edit", file_path="a.py"), side.result("e1", "ok"), side.text("Fixed.")]
    )
    assert (run.reply, len(run.ledger)) == ("Fixed.", 1)


def test_a_session_that_the_client_itself_wrote_is_read_as_the_hook_reads_it() -> None:
    path = Path(__file__).parent / "claude_code" / "session.jsonl"
    ours = runs_of(path, "all")
    hooks = run_of(path, ours[-1].reply)
    assert (hooks.ledger, hooks.tools, hooks.user, hooks.id) == (
        ours[-1].ledger,
        ours[-1].tools,
        "Commit it",
        ours[-1].id.split("#")[0],
    )
    assert {e.parent_id for e in ours[-1].ledger} == {None, "toolu_00030"}
    assert ours[-1].ledger[0].result == {"exit_code": 1, "output": "1 failed, 2 passed"}


def test_two_sessions_in_one_file_are_two_conversations() -> None:
    a, b = Claude("aaaa-1"), Claude("bbbb-2")
    runs = runs_of([a.user("x"), a.text("One."), b.user("y"), b.text("Two.")])
    assert [(r.id, r.reply) for r in runs] == [("aaaa-1", "One."), ("bbbb-2", "Two.")]


def test_the_stream_of_claude_code_names_its_tools_and_the_parents_of_calls() -> None:
    def line(kind: str, message: dict[str, Any], parent: str | None = None) -> dict[str, Any]:
        return {"type": kind, "message": message, "parent_tool_use_id": parent, "session_id": "s1"}

    def use(id: str, name: str) -> dict[str, Any]:
        return {
            "role": "assistant",
            "id": f"m{id}",
            "content": [{"type": "tool_use", "id": id, "name": name, "input": {}}],
        }

    def done(id: str) -> dict[str, Any]:
        return {"role": "user", "content": [{"type": "tool_result", "tool_use_id": id, "content": "ok"}]}

    lines = [
        {"type": "system", "subtype": "init", "session_id": "s1", "tools": ["Bash", "mcp__mail__send_email"]},
        line("assistant", use("t", "Task")), line("assistant", use("e", "Edit"), "t"), line("user", done("e"), "t"), line("user", done("t")),
        line("assistant", {"role": "assistant", "id": "z", "content": [{"type": "text", "text": "Fixed."}]}),
        {"type": "result", "subtype": "success", "result": "Fixed.", "session_id": "s1"},
    ]  # fmt: skip
    (run,) = runs_of(lines)
    assert "mcp__mail__send_email" in {t.name for t in run.tools}
    assert [(e.tool, e.parent_id) for e in run.ledger] == [("Task", None), ("Edit", "t")]


PATCH = "*** Begin Patch\n*** Update File: a.py\n@@\n-x\n+y\n*** Add File: b.py\n+z\n*** End Patch"


def rollout() -> list[dict[str, Any]]:
    return [
        CODEX_META,
        codex_said("developer", "<permissions instructions>"),
        codex_said("user", "# AGENTS.md instructions for /home/dev/shop"),
        codex_said("user", "<environment_context>\n  <cwd>/home</cwd>\n</environment_context>"),
        codex_said("user", "Fix it and run the tests."),
        codex("event_msg", type="user_message", message="Fix it and run the tests."),
        codex("turn_context", cwd="/home", model="gpt-5-codex"),
        codex_item("reasoning", summary=[], encrypted_content="x"),
        codex_said("assistant", "I'll patch it."),
        codex_item("custom_tool_call", status="completed", call_id="p1", name="apply_patch", input=PATCH),
        codex_item("custom_tool_call_output", call_id="p1", output='{"output": "Success.", "metadata": {"exit_code": 0, "duration_seconds": 0.1}}'),
        codex_call("c1", "shell", command=["bash", "-lc", "pytest -q"], workdir="/home"),
        codex_output("c1", '{"output": "1 failed", "metadata": {"exit_code": 1, "duration_seconds": 2.0}}'),
        codex_call("c2", "shell_command", command="ls"),
        codex_output("c2", "Exit code: 0\nWall time: 0.1 seconds\nOutput:\na.py\n"),
        codex_call("c3", "exec_command", cmd="pytest -q tests"),
        codex_output("c3", "Chunk ID: 1\nWall time: 10 seconds\nProcess running with session ID 7\nOutput:\n..."),
        codex_call("c4", "write_stdin", session_id=7, chars=""),
        codex_output("c4", "Chunk ID: 2\nWall time: 5 seconds\nProcess exited with code 0\nOriginal token count: 3\nOutput:\n3 passed"),
        codex_item("web_search_call", status="completed", action={"type": "search", "query": "x"}),
        codex_call("c5", "mcp__mail__send", to="a"),
        codex_output("c5", {"content": "refused", "success": False}),
        codex_said("assistant", "Fixed a.py and b.py; all tests pass."),
        codex("event_msg", type="agent_message", message="Fixed a.py and b.py; all tests pass."),
    ]  # fmt: skip


def test_a_rollout_of_codex(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "rollout.jsonl", *rollout())
    assert detect(path).format == "codex"
    (run,) = runs_of(path)
    assert (run.id, run.user) == ("rollout-1", "Fix it and run the tests.")
    assert run.reply == "Fixed a.py and b.py; all tests pass."
    assert [(e.id, e.tool, str(e.status)) for e in run.ledger] == [
        ("p1", "apply_patch", "success"), ("p1/2", "apply_patch", "success"), ("c1", "shell", "error"), ("c2", "shell_command", "success"),
        ("c3", "exec_command", "success"), ("c4", "write_stdin", "success"), ("c7", "web_search", "success"),
        ("c5", "mcp__mail__send", "error"),
    ]  # fmt: skip
    by_id = {e.id: e for e in run.ledger}
    assert [by_id["p1"].args["path"], by_id["p1/2"].args["path"]] == ["a.py", "b.py"]
    assert by_id["c1"].args["command"] == "pytest -q"
    assert by_id["c1"].result == {"exit_code": 1, "output": "1 failed"}
    assert by_id["c3"].result == {"exit_code": 0, "output": "3 passed"}
    assert by_id["c3"].args["command"] == "pytest -q tests"
    assert by_id["c5"].error == "refused"


@pytest.mark.parametrize(
    ("output", "status"),
    [
        ("command timed out after 10000 milliseconds\n", "timeout"),
        ('{"output": "command timed out after 1000 ms\\nx", "metadata": {"exit_code": 124}}', "timeout"),
        ("Exit code: 124\nWall time: 10 seconds\nOutput:\ncommand timed out after 10000 milliseconds", "timeout"),
        ("Exit code: 1\nWall time: 1 seconds\nOutput:\n1 test timed out", "error"),
        ("Exit code: 0\nWall time: 1 seconds\nOutput:\ncommand timed out is tested", "success"),
    ],
)
def test_a_command_of_codex_that_ran_out_of_time_is_a_timeout(output: str, status: str) -> None:
    assert str(outcome_of(output)[1]) == status


def test_texts_between_calls_of_a_rollout_are_runs_of_their_own() -> None:
    first, last = runs_of(rollout(), "all")
    assert (first.reply, first.ledger, first.id) == ("I'll patch it.", (), "rollout-1#1")
    assert last.id == "rollout-1#2"


def at(minute: int, row: dict[str, Any]) -> dict[str, Any]:
    return {**row, "timestamp": f"2026-01-05T10:{minute:02d}:00.000Z"}


CHILD, DEEPER = "0199aaaa-0000-7000-8000-000000000002", "0199aaaa-0000-7000-8000-000000000003"


def thread(id: str, parent: str) -> dict[str, Any]:
    spawn = {"parent_thread_id": parent, "depth": 1, "agent_nickname": "Ada", "agent_role": "worker"}
    return codex("session_meta", id=id, forked_from_id=parent, source={"subagent": {"thread_spawn": spawn}})


@pytest.mark.parametrize(
    ("told", "day"), [("output", "05"), ("output", "06"), ("event", "05"), ("event", "06"), ("head", "05")]
)
def test_a_sub_agent_of_codex_is_read_from_the_rollout_of_its_thread(tmp_path: Path, told: str, day: str) -> None:
    folder = tmp_path / "sessions" / "2026" / "01"
    spawn = codex_call("s1", "spawn_agent", message="Fix a.py", agent_type="worker")
    write_lines(
        folder / day / f"rollout-2026-01-{day}T10-01-00-{CHILD}.jsonl",
        at(2, thread(CHILD, "rollout-1")),
        at(2, CODEX_META),  # a fork repeats what the thread did before
        at(2, codex_said("user", "Fix it.")),
        at(2, spawn),
        at(3, codex_call("x1", "exec_command", cmd="pytest -q")),
        at(3, codex_output("x1", "Process exited with code 1\nOutput:\n1 failed")),
        at(3, codex_call("x2", "spawn_agent", message="Look")),
        at(3, codex_output("x2", {"content": f'{{"agent_id": "{DEEPER}"}}'})),
        at(4, codex_said("assistant", "I deployed it.")),
        at(8, codex_call("x3", "exec_command", cmd="git push")),
    )
    write_lines(
        folder / day / f"rollout-2026-01-{day}T10-03-00-{DEEPER}.jsonl",
        at(3, thread(DEEPER, CHILD)),
        at(3, codex_call("y1", "exec_command", cmd="ls")),
        at(4, codex_output("y1", "Process exited with code 0\nOutput:\na.py")),
    )
    end = codex("event_msg", type="collab_agent_spawn_end", call_id="s1", new_thread_id=CHILD, new_agent_nickname="Ada")
    output = {
        "output": f'{{"agent_id": "{CHILD}", "nickname": "Ada"}}',
        "event": '{"task_name": "fix"}',
        "head": '{"task_name": "fix"}',
    }
    path = write_lines(
        folder / "05" / "rollout-2026-01-05T10-00-00-rollout-1.jsonl",
        at(0, CODEX_META),
        at(0, codex_said("user", "Fix it.")),
        at(1, spawn),
        *([at(1, end)] if told == "event" else []),
        at(1, codex_output("s1", output[told])),
        at(2, codex_said("assistant", "It is at work.")),
        at(5, codex_call("w1", "wait_agent", ids=[CHILD])),
        at(6, codex_output("w1", "{}")),
        at(7, codex_said("assistant", "a.py is fixed.")),
    )
    first, last = runs_of(path, "all")
    assert [e.id for e in first.ledger] == ["s1"]
    assert [(e.id, e.parent_id, str(e.status)) for e in last.ledger] == [
        ("s1", None, "success"), ("x1", "s1", "error"), ("x2", "s1", "success"), ("y1", "x2", "success"), ("w1", None, "success"),
    ]  # fmt: skip
    assert last.ledger[1].extra["agent"] == ("fix" if told == "head" else "Ada")
    assert (first.user, last.reply) == ("Fix it.", "a.py is fixed.")


def test_a_sub_agent_of_codex_whose_rollout_is_not_there_costs_nothing(tmp_path: Path) -> None:
    lines = [
        CODEX_META,
        codex_said("user", "x"),
        codex_call("s1", "spawn_agent", message="y"),
        codex_output("s1", '{"agent_id": "../../etc"}'),
    ]
    path = write_lines(tmp_path / "r.jsonl", *lines, codex_said("assistant", "Done."))
    for source in (path, path.read_bytes()):
        (run,) = runs_of(source)
        assert [e.id for e in run.ledger] == ["s1"]


def test_events_of_codex_exec() -> None:
    def item(kind: str, id: str, **fields: Any) -> dict[str, Any]:
        return {"type": "item.completed", "item": {"id": id, "type": kind, **fields}}

    events = [
        {"type": "thread.started", "thread_id": "th-1"},
        {"type": "turn.started"},
        {
            "type": "item.started",
            "item": {"id": "i1", "type": "command_execution", "command": "pytest", "status": "in_progress"},
        },
        item("command_execution", "i1", command="pytest", aggregated_output="1 failed", exit_code=1, status="failed"),
        item("file_change", "i2", changes=[{"path": "a.py", "kind": "update"}], status="completed"),
        item(
            "mcp_tool_call",
            "i3",
            server="mail",
            tool="send",
            arguments={"to": "a"},
            error={"message": "refused"},
            status="failed",
        ),
        item(
            "collab_tool_call",
            "i5",
            tool="wait",
            prompt=None,
            receiver_thread_ids=["t2"],
            agents_states={"t2": {"status": "completed"}},
            status="completed",
        ),
        item("agent_message", "i4", text="All tests pass."),
        {"type": "turn.completed", "usage": {}},
    ]
    assert detect(events).format == "codex"
    (run,) = runs_of(events)
    assert run.id == "th-1"
    assert [(e.tool, str(e.status), e.error) for e in run.ledger] == [
        ("shell", "error", None), ("apply_patch", "success", None), ("send", "error", "refused"),
        ("wait", "success", None),
    ]  # fmt: skip
    assert run.ledger[0].result == {"exit_code": 1, "output": "1 failed"}
    assert run.ledger[3].args == {"receiver_thread_ids": ["t2"]}
    assert run.ledger[3].result == {"t2": {"status": "completed"}}
