"""Records that are not whole: what only the absence of a call speaks against is left open, and said to be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from claimx import Checker
from claimx.adapters import Conversation, read_runs
from claimx.adapters.messages import feed_all
from claimx.extract import Extractor
from claimx.hooks.claude_stop import PASS, answer
from claimx.types import ClaimStatus, Run

SAID = "I've refunded $64 for order HB-20417."
OPENAI = {"tools": [{"type": "function", "function": {"name": "issue_refund"}}]}
RESPONSES = {"tools": [{"type": "function", "name": "issue_refund", "parameters": {}}]}
ANTHROPIC = {"tools": [{"name": "issue_refund", "input_schema": {}}]}
ASKED = {"role": "user", "content": "So?"}
MESSAGE = {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": SAID}]}
BLOCKS = {"role": "assistant", "content": [{"type": "text", "text": SAID}]}
CHAT = {"role": "assistant", "content": SAID}


@pytest.fixture(scope="module")
def checker() -> Checker:
    return Checker()


def last(source: Any, **options: Any) -> Run:
    return [f.run for f in read_runs(source, **options) if f.run][-1]


def lines(*records: Any) -> bytes:
    return b"".join((r if isinstance(r, bytes) else json.dumps(r).encode()) + b"\n" for r in records)


def claude(place: int, kind: str, content: Any, **fields: Any) -> dict[str, Any]:
    at = {"uuid": f"u{place}", "sessionId": "s", "timestamp": f"2026-01-01T00:00:{place:02d}.000Z"}
    return {"type": kind, **at, "message": {"id": f"m{place}", "role": kind, "content": content}, **fields}


def codex(kind: str, **payload: Any) -> dict[str, Any]:
    return {"type": kind, "timestamp": "2026-01-01T00:00:00.000Z", "payload": payload}


def words(role: str, text: str) -> dict[str, Any]:
    kind = "output_text" if role == "assistant" else "input_text"
    return codex("response_item", type="message", role=role, content=[{"type": kind, "text": text}])


TESTED = "I ran the tests and committed the change."

LOST = {
    "result without its call": {**OPENAI, "messages": [{"role": "tool", "tool_call_id": "z", "content": "ok"}, CHAT]},
    "block of a result without its call": {
        **ANTHROPIC,
        "messages": [
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "z", "content": "ok"}]},
            BLOCKS,
        ],
    },
    "compacted messages": {
        **ANTHROPIC,
        "messages": [{"role": "assistant", "content": [{"type": "compaction", "content": "..."}]}, ASKED, BLOCKS],
    },
    "compacted items": {**RESPONSES, "input": [{"type": "compaction"}, ASKED], "output": [MESSAGE]},
    "reference to an item": {
        **RESPONSES,
        "input": [ASKED, {"type": "item_reference", "id": "fc_1"}],
        "output": [MESSAGE],
    },
    "previous response": {**RESPONSES, "id": "r2", "previous_response_id": "r1", "output": [MESSAGE]},
    "previous response of a logged request": {
        "request": {**RESPONSES, "previous_response_id": "r1", "input": [ASKED]},
        "response": {"id": "r2", "output": [MESSAGE]},
    },
    "conversation at the provider's": {**RESPONSES, "id": "r2", "conversation": {"id": "c"}, "output": [MESSAGE]},
    "role that is not known": {**OPENAI, "messages": [ASKED, {"role": "tool_use", "content": "issue_refund"}, CHAT]},
    "kind of call that is not known": {
        **OPENAI,
        "messages": [ASKED, {"role": "assistant", "content": [{"toolUse": {"name": "issue_refund"}}]}, CHAT],
    },
    "claude-code goes on from another file": lines(
        claude(1, "user", "This session is being continued ...", isCompactSummary=True),
        claude(2, "user", "So?"),
        claude(3, "assistant", [{"type": "text", "text": TESTED}]),
    ),
    "claude-code with a line that is cut": lines(
        claude(1, "user", "Test it."),
        b'{"type": "assistant", "sessionId": "s", "message": {"content": [{"type": "tool_u',
        claude(3, "assistant", [{"type": "text", "text": TESTED}]),
    ),
    "claude-code whose head is cut": lines(
        b'use", "name": "Bash"}]}}',
        claude(3, "assistant", [{"type": "text", "text": TESTED}]),
    ),
    "claude-code without its sub-agent's file": lines(
        claude(1, "user", "Test it."),
        claude(
            2, "assistant", [{"type": "tool_use", "id": "t", "name": "Task", "input": {"prompt": "Test and commit"}}]
        ),
        claude(3, "user", [{"type": "tool_result", "tool_use_id": "t", "content": "Tests pass, committed."}]),
        claude(4, "assistant", [{"type": "text", "text": TESTED}]),
    ),
    "codex goes on from another file": lines(
        codex("session_meta", id="a"), codex("compacted", message="..."), words("user", "So?"), words("assistant", TESTED)
    ),
    "codex with an item that is not known": lines(
        codex("session_meta", id="a"), codex("response_item", type="deed", what="tests"), words("assistant", TESTED)
    ),
    "codex without its sub-agent's rollout": lines(
        codex("session_meta", id="a"),
        codex(
            "response_item",
            type="function_call",
            name="spawn_agent",
            call_id="c",
            arguments='{"message": "run the tests, commit"}',
        ),
        codex("response_item", type="function_call_output", call_id="c", output='{"agent_id": "b"}'),
        words("assistant", TESTED),
    ),
    "codex exec with an item that is not known": lines(
        {"type": "thread.started", "thread_id": "t"},
        {"type": "item.completed", "item": {"id": "1", "type": "deed", "what": "tests"}},
        {"type": "item.completed", "item": {"id": "2", "type": "agent_message", "text": TESTED}},
    ),
}  # fmt: skip


@pytest.mark.parametrize("source", LOST.values(), ids=LOST)
def test_a_call_that_may_be_missing_is_not_held_against_the_agent(source: Any, checker: Checker) -> None:
    receipt = checker.check(last(source))
    assert receipt.ok
    assert {c.status for c in receipt.claims} == {ClaimStatus.UNVERIFIED}
    assert all(" but " in c.reason for c in receipt.claims)


WHOLE = {
    "messages": {**OPENAI, "messages": [ASKED, CHAT]},
    "responses": {**RESPONSES, "id": "r2", "previous_response_id": None, "input": [ASKED], "output": [MESSAGE]},
    "response that goes on from one before it": [
        {**RESPONSES, "id": "r1", "input": [ASKED], "output": [{**MESSAGE, "content": "Shall I?"}]},
        {"role": "user", "content": "Yes."},
        {**RESPONSES, "id": "r2", "previous_response_id": "r1", "output": [MESSAGE]},
    ],
    "cut behind the text": lines(
        claude(1, "user", "Test it."),
        claude(2, "assistant", [{"type": "text", "text": TESTED}]),
        b'{"type": "assistant", "sess',
    ),
    "claude-code that was compacted within": lines(
        claude(1, "user", "Test it."),
        claude(2, "assistant", [{"type": "text", "text": "Which ones?"}]),
        claude(3, "user", "This session is being continued ...", isCompactSummary=True),
        claude(4, "assistant", [{"type": "text", "text": TESTED}]),
    ),
    "sub-agent that was asked for something else": lines(
        claude(1, "user", "Test it."),
        claude(2, "assistant", [{"type": "tool_use", "id": "t", "name": "Task", "input": {"prompt": "List helpers"}}]),
        claude(3, "user", [{"type": "tool_result", "tool_use_id": "t", "content": "helper() is unused"}]),
        claude(4, "assistant", [{"type": "text", "text": "I pushed the branch to origin."}]),
    ),
    "sub-agent that never began": lines(
        claude(1, "user", "Test it."),
        claude(2, "assistant", [{"type": "tool_use", "id": "t", "name": "Task", "input": {"prompt": "Test, commit"}}]),
        claude(
            3,
            "user",
            [{"type": "tool_result", "tool_use_id": "t", "content": "rejected: tests", "is_error": True}],
        ),
        claude(4, "assistant", [{"type": "text", "text": TESTED}]),
    ),
}  # fmt: skip


@pytest.mark.parametrize("source", WHOLE.values(), ids=WHOLE)
def test_a_record_that_is_whole_spares_nobody(source: Any, checker: Checker) -> None:
    run = last(source)
    assert "calls_missing" not in run.extra
    assert ClaimStatus.NEVER_RAN in {c.status for c in checker.check(run).claims}


def test_what_calls_contradict_is_told_however_much_is_missing(checker: Checker) -> None:
    run = {
        "reply": SAID,
        "calls_missing": "the log was cut",
        "ledger": [
            {
                "id": "c1",
                "tool": "issue_refund",
                "args": {"order_id": "HB-20417", "amount": 6.4},
                "result": {"ok": True},
            }
        ],
    }
    assert checker.check(run).claims[0].status is ClaimStatus.MISQUOTED
    assert checker.check({**run, "ledger": [], "tools": ["issue_refund"]}).claims[0].reason.endswith("the log was cut")


def test_a_rollout_that_is_taken_up_again_is_one_session() -> None:
    call = codex("response_item", type="function_call", name="shell", call_id="c", arguments='{"command": "pytest"}')
    back = codex("response_item", type="function_call_output", call_id="c", output="Exit code: 0\nOutput:\n5 passed")
    head = codex("session_meta", id="a")
    found = last(
        lines(head, words("user", "Test."), call, back, words("assistant", "Done."), head, words("assistant", TESTED))
    )
    assert [e.id for e in found.ledger] == ["c"]


def test_a_rollout_of_the_first_versions_is_recognised_by_its_head() -> None:
    head = {"id": "a", "timestamp": "2025-05-01T00:00:00Z", "instructions": ""}
    call = {"type": "function_call", "name": "shell", "call_id": "c", "arguments": '{"command": ["pytest", "-q"]}'}
    back = {
        "type": "function_call_output",
        "call_id": "c",
        "output": '{"output": "2 passed", "metadata": {"exit_code": 0}}',
    }
    found = list(
        read_runs(
            lines(
                head,
                {"record_type": "state"},
                call,
                back,
                {**MESSAGE, "content": [{"type": "output_text", "text": TESTED}]},
            )
        )
    )
    assert [f.error for f in found if f.error] == []
    assert found[0].run.id == "a"
    assert [(e.args, e.result) for e in found[0].run.ledger] == [
        ({"command": "pytest -q"}, {"exit_code": 0, "output": "2 passed"})
    ]


def test_the_hook_blocks_nothing_over_a_transcript_that_it_cannot_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    path.write_bytes(LOST["claude-code with a line that is cut"])
    event = {"hook_event_name": "Stop", "transcript_path": str(path), "last_assistant_message": TESTED}
    assert answer(event, extractor=Extractor()).code == PASS


@pytest.mark.parametrize(
    "message",
    [
        {"role": "assistant", "parts": [{"type": "hosted_tool_run", "name": "issue_refund"}]},
        {"role": "model", "parts": [{"text": "On it."}, {"hostedCall": {"name": "issue_refund"}}]},
    ],
)
def test_a_part_that_looks_like_a_call_and_is_not_known_is_told(message: Any) -> None:
    talk = Conversation()
    feed_all([ASKED, message, CHAT], talk)
    found = list(talk.finish())
    assert [("no known kind of call" in str(f.error)) for f in found if f.error] == [True]
    assert found[-1].run is not None
    assert found[-1].run.extra["calls_missing"]


def test_an_event_of_an_error_is_told_by_its_fields() -> None:
    begun = {"type": "message_start", "message": {"role": "assistant", "content": []}}
    found = list(read_runs([begun, {"type": "error", "error": {"type": "overloaded_error"}}], format="anthropic"))
    assert "fields" in str(found[0].error)


def test_a_command_that_the_user_ran_by_hand_is_known(checker: Checker) -> None:
    shown = "<bash-stdout>5 passed in 0.2s</bash-stdout><bash-stderr></bash-stderr>"
    run = last(
        lines(
            claude(1, "user", "<bash-input>pytest -q</bash-input>"),
            claude(2, "user", shown),
            claude(3, "user", "So?"),
            claude(4, "assistant", [{"type": "text", "text": "All tests pass."}]),
        )
    )
    assert [(e.args, e.result, e.extra) for e in run.ledger] == [
        ({"command": "pytest -q"}, {"output": "5 passed in 0.2s"}, {"agent": "user"})
    ]
    assert (run.user, checker.check(run).ok) == ("So?", True)


def test_a_session_that_is_taken_up_under_another_id_goes_on() -> None:
    run = {"type": "tool_use", "id": "t", "name": "Bash", "input": {"command": "pytest -q"}}
    records = [
        claude(1, "user", "Test it."),
        claude(2, "assistant", [run]),
        claude(3, "user", [{"type": "tool_result", "tool_use_id": "t", "content": "5 passed"}]),
        claude(4, "assistant", [{"type": "text", "text": "Done."}]),
        claude(5, "user", "So?", sessionId="s2", parentUuid="u4"),
        claude(6, "assistant", [{"type": "text", "text": TESTED}], sessionId="s2", parentUuid="u5"),
    ]
    assert [e.id for e in last(lines(*records)).ledger] == ["t"]
    records[4]["parentUuid"] = None
    assert last(lines(*records)).ledger == ()


@pytest.mark.parametrize(
    "shell", ["PowerShell", "pwsh", "zsh", "mcp__acp__Bash", "mcp__desktop-commander__execute_command"]
)
def test_a_shell_by_any_name_runs_commands(shell: str, checker: Checker) -> None:
    entry = {
        "id": "t",
        "tool": shell,
        "args": {"command": "pytest -q && git commit -qm x"},
        "result": {"exit_code": 0, "output": "5 passed"},
    }
    run = {
        "reply": "I ran the tests with pytest and committed the change.",
        "ledger": [entry],
        "tools": [{"name": "Bash", "description": "Run a shell command."}],
    }
    assert [c.status for c in checker.check(run).claims] == [ClaimStatus.CONFIRMED] * 2
