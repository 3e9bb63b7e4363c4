"""Which text is held against which calls: turns, texts beside calls, recaps, sub-agents, odd ids."""

from __future__ import annotations

from typing import Any

import pytest

from claimx.adapters import Conversation, Found, read_runs
from claimx.types import CallStatus, Run


def call(id: str, name: str = "send_email", **args: Any) -> dict[str, Any]:
    import json

    return {"id": id, "type": "function", "function": {"name": name, "arguments": json.dumps(args)}}


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def agent(text: str | None = None, *calls: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": text, **({"tool_calls": list(calls)} if calls else {})}


def back(id: str, content: str = "sent") -> dict[str, Any]:
    return {"role": "tool", "tool_call_id": id, "content": content}


def read(*messages: Any, turns: Any = "all") -> tuple[list[Run], list[Found]]:
    found = list(read_runs([list(messages)], turns=turns))
    return [f.run for f in found if f.run], [f for f in found if f.error]


def ids(run: Run) -> list[str]:
    return [e.id for e in run.ledger]


def test_each_text_is_held_against_the_calls_before_it() -> None:
    runs, faults = read(
        user("Mail it"), agent("On it.", call("a")), back("a"), agent("Sent."), user("Again"), agent(None, call("b")), back("b"), agent("Sent twice.")
    )  # fmt: skip
    assert [(r.reply, ids(r)) for r in runs] == [("On it.", []), ("Sent.", ["a"]), ("Sent twice.", ["a", "b"])]
    assert [r.user for r in runs] == ["Mail it", "Mail it", "Again"]
    assert [r.extra["turn"] for r in runs] == [1, 1, 2]
    assert [e.turn for e in runs[-1].ledger] == [1, 2]
    assert faults == []


def test_last_gives_the_last_text_alone() -> None:
    (run,), _ = read(user("Mail it"), agent("On it.", call("a")), back("a"), agent("Sent."), turns="last")
    assert (run.reply, ids(run)) == ("Sent.", ["a"])


def test_a_text_beside_a_call_is_not_backed_by_that_call() -> None:
    (run,), _ = read(user("Mail it"), agent("I've sent the email.", call("a")), turns="last")
    assert ids(run) == []
    (run,), _ = read(user("Mail it"), agent("I've sent the email.", call("a")), back("a"), turns="last")
    assert ids(run) == []


def test_a_text_after_a_call_in_the_same_message_was_written_before_it_ran() -> None:
    content = [
        {"type": "tool_use", "id": "a", "name": "send_email", "input": {}},
        {"type": "text", "text": "I've sent it."},
    ]
    (run,), _ = read(user("Mail it"), {"role": "assistant", "content": content})
    assert ids(run) == []


def test_a_text_after_a_servers_result_in_the_same_message_is_backed_by_it() -> None:
    content = [
        {"type": "text", "text": "Searching."},
        {"type": "server_tool_use", "id": "s", "name": "web_search", "input": {"query": "x"}},
        {"type": "web_search_tool_result", "tool_use_id": "s", "content": []},
        {"type": "text", "text": "I searched "},
        {"type": "text", "text": "the web."},
    ]
    runs, _ = read(user("Look"), {"role": "assistant", "content": content})
    assert [(r.reply, ids(r)) for r in runs] == [("Searching.", []), ("I searched the web.", ["s"])]


def test_a_call_without_a_result_counts_as_open_and_is_told() -> None:
    (run,), (fault,) = read(user("Mail it"), agent(None, call("a")), agent("Sent."))
    assert run.ledger[0].status is CallStatus.UNKNOWN
    assert fault.is_note
    assert "1 calls have no result, and count as open (a)" in str(fault.error)


def test_ids_that_stand_for_two_calls_are_told_apart_by_their_order() -> None:
    (run,), (fault,) = read(
        user("x"),
        agent(None, call("a", "one")),
        back("a", "1"),
        agent(None, call("a", "two")),
        back("a", "2"),
        agent("Done."),
    )
    assert [(e.id, e.tool, e.result) for e in run.ledger] == [("a", "one", "1"), ("a~2", "two", "2")]
    assert fault.is_note
    assert "1 ids stand for more than one call" in str(fault.error)


def test_a_second_result_and_a_result_of_no_call_are_told_and_change_nothing() -> None:
    (run,), faults = read(
        user("x"), agent(None, call("a")), back("a", "sent"), back("a", "failed"), back("z"), agent("Sent.")
    )
    assert [e.result for e in run.ledger] == ["sent"]
    assert all(f.is_note for f in faults)
    assert [str(f.error).split(": ")[1] for f in faults] == [
        "1 calls have more than one result; the first is kept (a)",
        "1 results belong to no call, and are left out (z)",
    ]


def test_calls_without_ids_are_matched_by_tool_and_order() -> None:
    legacy = {"role": "assistant", "content": None, "function_call": {"name": "send_email", "arguments": '{"to": "a"}'}}
    (run,), faults = read(
        user("x"), legacy, {"role": "function", "name": "send_email", "content": "sent"}, agent("Sent.")
    )
    assert [(e.tool, e.args, e.result, e.status) for e in run.ledger] == [
        ("send_email", {"to": "a"}, "sent", "success")
    ]
    assert faults == []


def test_custom_calls_keep_their_text() -> None:
    custom = {"id": "a", "type": "custom", "custom": {"name": "sql", "input": "SELECT 1"}}
    (run,), _ = read(user("x"), agent(None, custom), back("a"), agent("Ran it."))
    assert run.ledger[0].args == {"input": "SELECT 1"}


@pytest.mark.parametrize("role", ["robot", "critic", "x" * 400])
def test_an_unknown_role_is_told_and_the_other_messages_are_read(role: str) -> None:
    (run,), (fault,) = read(
        user("x"), {"role": role, "content": "token-123"}, agent(None, call("a")), back("a"), agent("Sent.")
    )
    assert ids(run) == ["a"]
    assert not fault.is_note
    assert "messages[1]: role" in str(fault.error)
    assert "user" in str(fault.error)
    assert "token-123" not in str(fault.error)
    assert len(str(fault.error)) < 400


def test_what_is_no_message_is_told_with_its_place() -> None:
    (run,), faults = read(user("x"), 7, {"note": "x"}, agent("Hello."))
    assert run.reply == "Hello."
    assert ["messages[1]" in str(f.error) or "messages[2]" in str(f.error) for f in faults] == [True, True]


def test_a_conversation_without_a_text_of_the_agent_is_told() -> None:
    runs, (fault,) = read(user("x"), agent(None, call("a")))
    assert runs == []
    assert fault.is_note
    assert "no text of the agent" in str(fault.error)


def test_messages_one_a_line_are_one_conversation() -> None:
    found = list(read_runs(iter([user("x"), agent(None, call("a")), back("a"), agent("Sent.")])))
    (run,) = [f.run for f in found if f.run]
    assert ids(run) == ["a"]


def test_the_calls_of_a_sub_agent_belong_to_the_call_that_started_it() -> None:
    talk = Conversation(id="s")
    talk.user("Fix it")
    task = talk.call("t", "Task", {"prompt": "fix"})
    with talk.inside(task, "fixer"):
        talk.say("I am fixing it.")
        talk.call("e", "Edit", {"file_path": "a.py"})
        talk.result("e", "ok")
    talk.result("t", "fixed")
    talk.message()
    talk.say("Fixed.")
    (found,) = talk.finish()
    assert found.run is not None
    assert found.run.reply == "Fixed."
    assert [(e.id, e.parent_id, e.extra.get("agent")) for e in found.run.ledger] == [
        ("t", None, None),
        ("e", "t", "fixer"),
    ]


def test_a_conversation_too_long_to_keep_lets_the_oldest_results_go_and_says_so() -> None:
    talk = Conversation()
    for i in range(130):
        talk.call(f"c{i}", "read", {"n": i})
        talk.result(f"c{i}", "x" * 390_000)
    talk.message()
    talk.say("Done.")
    run, told = [f.run or f.error for f in talk.finish()]
    assert isinstance(run, Run)
    kept = [e for e in run.ledger if e.captured]
    assert len(run.ledger) == 130
    assert 100 < len(kept) < 130
    assert run.ledger[-1].captured
    assert not run.ledger[0].captured
    assert "oldest results were let go" in str(told)
