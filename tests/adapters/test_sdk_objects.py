"""Objects of the real libraries, as a program holds them, are read without being written to JSON first."""

from __future__ import annotations

import json
import warnings
from typing import Any

import pytest

from claimx.adapters import detect, read_runs
from claimx.types import Run
from tests.adapters import make_fixtures as made  # type: ignore[import-not-found]

REPLY = made.REPLY


@pytest.fixture(autouse=True)
def _quiet() -> Any:
    """What the libraries themselves warn of is not ours."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def one(source: Any, format: str) -> Run:
    assert detect(source).format == format
    found = list(read_runs(source))
    assert [str(f.error) for f in found if f.error and not f.is_note] == []
    (run,) = [f.run for f in found if f.run]
    assert run.reply == REPLY
    return run


def calls(run: Run) -> list[tuple[str, str]]:
    return [(e.tool, str(e.status)) for e in run.ledger]


def test_openai_chat_messages_as_the_client_gave_them() -> None:
    openai = pytest.importorskip("openai")
    client = openai.OpenAI(api_key="none", http_client=made.transport(*made.chat_bodies()))
    messages = made.openai_conversation(client, made.result_text)
    assert any(not isinstance(m, dict) for m in messages)
    assert calls(one(messages, "openai-chat")) == [("issue_refund", "success"), ("send_email", "success")]


def test_openai_request_with_the_response_object() -> None:
    openai = pytest.importorskip("openai")
    client = openai.OpenAI(api_key="none", http_client=made.transport(made.chat_bodies()[1]))
    asked = [{"role": "user", "content": made.USER}]
    response = client.chat.completions.create(model="gpt-5", messages=asked)
    run = one({"request": {"messages": asked, "tools": made.chat_tools()}, "response": response}, "openai-chat")
    assert (run.ledger, run.user, len(run.tools)) == ((), made.USER, 3)


def test_openai_responses_with_shell_patch_and_built_in_calls() -> None:
    pytest.importorskip("openai")
    from openai.types.responses import Response

    items = [
        {"type": "shell_call", "id": "s1", "call_id": "c1", "status": "completed", "action": {"commands": ["pytest -q"], "timeout_ms": 1, "max_output_length": 9}, "environment": None},
        {"type": "shell_call_output", "id": "o1", "call_id": "c1", "status": "completed", "max_output_length": 9,
         "output": [{"stdout": "1 failed", "stderr": "", "outcome": {"type": "exit", "exit_code": 1}}]},
        {"type": "apply_patch_call", "id": "p1", "call_id": "c2", "status": "completed", "operation": {"type": "update_file", "path": "a.py", "diff": "+x"}},
        {"type": "apply_patch_call_output", "id": "p2", "call_id": "c2", "status": "failed", "output": "no such file"},
        {"type": "local_shell_call", "id": "l1", "call_id": "c3", "status": "completed", "action": {"type": "exec", "command": ["bash", "-lc", "git push"], "env": {}}},
        {"type": "code_interpreter_call", "id": "i1", "status": "failed", "code": "1/0", "container_id": "k", "outputs": []},
        {"type": "file_search_call", "id": "f1", "status": "completed", "queries": ["refund"], "results": []},
        {"type": "mcp_list_tools", "id": "m0", "server_label": "mail", "tools": [{"name": "send_email", "input_schema": {}, "annotations": None, "description": "Send."}]},
        {"type": "mcp_call", "id": "m1", "server_label": "mail", "name": "send_email", "arguments": "{}", "output": "sent", "status": "completed", "error": None},
        {"type": "message", "id": "x", "role": "assistant", "status": "completed", "content": [{"type": "output_text", "text": REPLY, "annotations": []}]},
    ]  # fmt: skip
    base = {
        "id": "resp_1",
        "object": "response",
        "created_at": 1,
        "model": "gpt-5",
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "status": "completed",
    }
    run = one(Response.model_validate({**base, "output": items}), "openai-responses")
    by_tool = {e.tool: e for e in run.ledger}
    assert by_tool["shell"].result == {"output": "1 failed", "exit_code": 1}
    assert by_tool["shell"].args["command"] == "pytest -q"
    assert by_tool["apply_patch"].status == "error"
    assert by_tool["apply_patch"].args["path"] == "a.py"
    assert by_tool["local_shell"].args["command"] == "git push"
    assert by_tool["local_shell"].status == "unknown"
    assert by_tool["code_interpreter"].status == "error"
    assert by_tool["file_search"].result == {"results": []}
    assert by_tool["send_email"].extra["server"] == "mail"
    assert "send_email" in {t.name for t in run.tools}


def test_a_built_in_call_whose_results_were_not_asked_for_is_no_search_that_found_nothing() -> None:
    items = [
        {"role": "user", "content": "Weather?"},
        {"type": "web_search_call", "id": "w", "status": "completed", "action": {"type": "search", "query": "x"}},
        {"type": "file_search_call", "id": "f", "status": "completed", "queries": ["x"], "results": None},
        {"type": "code_interpreter_call", "id": "i", "status": "completed", "code": "1", "outputs": None},
        {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": REPLY}]},
    ]
    run = one(items, "openai-responses")
    assert [(e.result, str(e.status)) for e in run.ledger] == [({"status": "completed"}, "success")] * 3


def test_anthropic_blocks_of_client_server_and_mcp_tools() -> None:
    pytest.importorskip("anthropic")
    from anthropic.types import Message

    blocks = [
        {"type": "text", "text": "Looking."},
        {"type": "mcp_tool_use", "id": "m1", "name": "send_email", "server_name": "mail", "input": {"to": "a@example.com"}},
        {"type": "mcp_tool_result", "tool_use_id": "m1", "is_error": True, "content": [{"type": "text", "text": "refused"}]},
        {"type": "server_tool_use", "id": "b1", "name": "bash_code_execution", "input": {"command": "pytest"}},
        {"type": "bash_code_execution_tool_result", "tool_use_id": "b1",
         "content": {"type": "bash_code_execution_result", "stdout": "2 passed", "stderr": "", "return_code": 0, "content": []}},
        {"type": "text", "text": REPLY},
    ]  # fmt: skip
    usage = {"input_tokens": 1, "output_tokens": 1}
    # The MCP blocks are of the beta API, whose models take long to build: these two are put in as they come over the wire.
    message = Message.model_validate(
        {"id": "msg_1", "type": "message", "role": "assistant", "model": "c", "stop_reason": "end_turn", "usage": usage,
         "content": [b for b in blocks if not b["type"].startswith("mcp_")]}
    )  # fmt: skip
    message.content[1:1] = blocks[1:3]
    run = one([{"role": "user", "content": "Go on."}, message], "anthropic")
    email, bash = run.ledger
    assert (email.status, email.error, email.extra["server"]) == ("error", "refused", "mail")
    assert bash.result == {"stdout": "2 passed", "stderr": "", "return_code": 0, "content": []}
    first, _ = [f.run for f in read_runs([message], turns="all") if f.run]
    assert (first.reply, first.ledger) == ("Looking.", ())


def test_gemini_contents_and_a_response() -> None:
    pytest.importorskip("google.genai")
    from google.genai import types

    contents = made.gemini_contents()
    assert calls(one(contents, "gemini")) == [("issue_refund", "success"), ("send_email", "error")]
    response = types.GenerateContentResponse(
        candidates=[types.Candidate(content=contents[-1])], automatic_function_calling_history=contents[:-1]
    )
    assert calls(one(response, "gemini")) == [("issue_refund", "success"), ("send_email", "error")]


def test_gemini_code_execution() -> None:
    pytest.importorskip("google.genai")
    from google.genai import types

    parts = [
        types.Part.from_executable_code(code="1/0", language=types.Language.PYTHON),
        types.Part.from_code_execution_result(outcome=types.Outcome.OUTCOME_FAILED, output="ZeroDivisionError"),
        types.Part.from_text(text=REPLY),
    ]
    run = one(
        [types.Content(role="user", parts=[types.Part.from_text(text="x")]), types.Content(role="model", parts=parts)],
        "gemini",
    )
    assert calls(run) == [("code_execution", "error")]


def test_langchain_messages_and_a_graphs_state() -> None:
    pytest.importorskip("langchain_core")
    messages = made.langchain_messages()
    assert calls(one(messages, "langchain")) == [("issue_refund", "success"), ("send_email", "error")]
    assert calls(one({"messages": messages}, "langchain")) == [("issue_refund", "success"), ("send_email", "error")]


def test_langchain_calls_of_a_providers_blocks_and_calls_that_could_not_be_read() -> None:
    pytest.importorskip("langchain_core")
    from langchain_core.messages import AIMessage, HumanMessage

    blocks = [
        {"type": "text", "text": "Let me look."},
        {"type": "server_tool_use", "id": "w1", "name": "web_search", "input": {"query": "x"}},
        {"type": "web_search_tool_result", "tool_use_id": "w1", "content": []},
        {"type": "text", "text": REPLY},
    ]
    broken = AIMessage(
        "",
        invalid_tool_calls=[
            {"name": "send_email", "args": "{oops", "id": "i1", "error": "not JSON", "type": "invalid_tool_call"}
        ],
    )
    run = one([HumanMessage("x"), broken, AIMessage(blocks)], "langchain")
    assert calls(run) == [("send_email", "error"), ("web_search", "success")]
    assert run.ledger[0].error == "not JSON"


def test_spans_of_the_sdk() -> None:
    pytest.importorskip("opentelemetry.sdk")
    provider, memory = made.exporter()
    tracer = provider.get_tracer("t")
    with tracer.start_as_current_span("invoke_agent support", attributes={"gen_ai.operation.name": "invoke_agent"}):
        with tracer.start_as_current_span("execute_tool issue_refund") as span:
            span.set_attributes(
                {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": "issue_refund", "gen_ai.tool.call.id": "c1",
                 "gen_ai.tool.call.arguments": '{"amount": 8.45}', "gen_ai.tool.call.result": '{"ok": true}'}
            )  # fmt: skip
        with tracer.start_as_current_span("chat gpt-5") as span:
            output = json.dumps([{"role": "assistant", "parts": [{"type": "text", "content": REPLY}]}])
            span.set_attributes({"gen_ai.operation.name": "chat", "gen_ai.output.messages": output})
    run = one(list(memory.get_finished_spans()), "otel-genai")
    assert calls(run) == [("issue_refund", "success")]
    assert run.ledger[0].args == {"amount": 8.45}


def test_langsmith_run_trees() -> None:
    pytest.importorskip("langchain_core")
    from langchain_core.runnables import RunnableLambda
    from langchain_core.tracers.run_collector import RunCollectorCallbackHandler

    collector = RunCollectorCallbackHandler(_schema_format="original+chat")
    agent = RunnableLambda(lambda _: str(made.langchain_messages()[-1].content))
    agent.invoke(made.USER, config={"callbacks": [collector]})
    run = one(collector.traced_runs, "langsmith")
    assert calls(run) == [("issue_refund", "success"), ("send_email", "error")]


def test_langfuse_observations() -> None:
    pytest.importorskip("langfuse")
    from datetime import UTC, datetime

    from langfuse.api import ObservationV2

    def row(id: str, kind: str, second: int, **fields: Any) -> Any:
        at = datetime(2026, 1, 1, 0, 0, second, tzinfo=UTC)
        return ObservationV2(id=id, trace_id="t", start_time=at, end_time=at, project_id="p", type=kind, **fields)

    rows = [
        row("a", "TOOL", 1, name="send_email", input={"to": "x"}, level="ERROR", status_message="refused"),
        row("b", "GENERATION", 2, name="gpt", input="Mail it", output={"role": "assistant", "content": REPLY}),
    ]
    run = one(rows, "langfuse")
    assert (run.ledger[0].status, run.ledger[0].error, run.user) == ("error", "refused", "Mail it")
