"""Write the fixtures of these tests with the real libraries: their clients on canned HTTP, their tracers, their loggers.

    pip install openai anthropic google-genai langchain-core langsmith langfuse inspect-ai agentdojo pydantic-ai-slim \\
        opentelemetry-sdk opentelemetry-exporter-otlp-proto-common opentelemetry-instrumentation-openai \\
        openinference-instrumentation openinference-instrumentation-openai
    python tests/adapters/make_fixtures.py [NAME ...]
    python tests/adapters/make_fixtures.py --check [NAME ...]

With --check nothing is replaced: what the libraries write today is held against the fixtures, field by field, and the exit
code is 1 where a field came, went or changed its type. No network, no keys. Each fixture tells the same story: a user asks for a refund, the refund runs with 8.45, the e-mail
fails, and the agent says that it refunded $84.50 and e-mailed a confirmation. The sessions of Claude Code and Codex and
the results of tau-bench and tau2-bench come from programs that are no libraries; they stand in `sessions.py`.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

warnings.simplefilter("ignore")
OUT = Path(__file__).parent / "fixtures"
USER = "Please refund order HB-20417."
REPLY = "I've refunded $84.50 for order HB-20417 and emailed you the confirmation."
REFUND = {"order_id": "HB-20417", "amount": 8.45}
EMAIL = {"to": "dana@example.com"}
REFUNDED = {"ok": True, "refund_id": "RF-7"}
REFUSED = "SMTP server refused the connection"
SCHEMAS: dict[str, dict[str, Any]] = {
    "issue_refund": {
        "type": "object",
        "properties": {"order_id": {"type": "string"}, "amount": {"type": "number"}},
        "required": ["order_id", "amount"],
    },
    "send_email": {"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]},
    "cancel_order": {"type": "object", "properties": {"order_id": {"type": "string"}}},
}
DESCRIPTIONS = {"issue_refund": "Issue a refund.", "send_email": "Send an e-mail.", "cancel_order": "Cancel an order."}


def write(name: str, *rows: Any, indent: int | None = None) -> None:
    text = "".join(
        (r if isinstance(r, str) else json.dumps(r, ensure_ascii=False, default=str, indent=indent)) + "\n"
        for r in rows
    )
    text = re.sub(
        r"/[^\s\"\\]*/(?=site-packages/|python3\.\d+/)", "", text
    )  # where a stack trace's files lie is nobody's matter
    (OUT / name).write_text(text, encoding="utf-8")
    print(f"{name}: {len(text)} bytes")


def transport(*bodies: Any) -> Any:
    """A transport that answers each request with the next body."""
    import httpx2

    left = list(bodies)
    return httpx2.Client(transport=httpx2.MockTransport(lambda request: httpx2.Response(200, json=left.pop(0))))


def chat_bodies() -> list[dict[str, Any]]:
    def completion(**message: Any) -> dict[str, Any]:
        choice = {
            "index": 0,
            "finish_reason": "stop",
            "logprobs": None,
            "message": {"role": "assistant", "content": None, "refusal": None, **message},
        }
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        return {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1767225600,
            "model": "gpt-5",
            "choices": [choice],
            "usage": usage,
        }

    def call(id: str, name: str, args: Any) -> dict[str, Any]:
        return {"id": id, "type": "function", "function": {"name": name, "arguments": json.dumps(args)}}

    return [
        completion(tool_calls=[call("call_1", "issue_refund", REFUND), call("call_2", "send_email", EMAIL)]),
        completion(content=REPLY),
    ]


def chat_tools() -> list[Any]:
    return [
        {"type": "function", "function": {"name": n, "description": DESCRIPTIONS[n], "parameters": SCHEMAS[n]}}
        for n in SCHEMAS
    ]


def openai_conversation(client: Any, run_tool: Any) -> list[Any]:
    """The usual loop with the real client; gives the message list as it grew."""
    messages: list[Any] = [{"role": "system", "content": "You help customers."}, {"role": "user", "content": USER}]
    while True:
        message = (
            client.chat.completions.create(model="gpt-5", messages=messages, tools=chat_tools()).choices[0].message
        )
        messages.append(message)
        if not message.tool_calls:
            return messages
        for call in message.tool_calls:
            result = run_tool(call.function.name, json.loads(call.function.arguments), call.id)
            messages.append({"role": "tool", "tool_call_id": call.id, "content": result})


def result_text(name: str, args: Any = None, id: str = "") -> str:
    return json.dumps(REFUNDED) if name == "issue_refund" else f"Error: {REFUSED}"


def dump_all(messages: list[Any]) -> list[Any]:
    return [m if isinstance(m, dict) else m.model_dump(mode="json", exclude_none=True) for m in messages]


def openai_chat() -> None:
    import openai

    client = openai.OpenAI(api_key="none", http_client=transport(*chat_bodies()))
    messages = openai_conversation(client, result_text)
    write("openai_chat.jsonl", {"id": "conv-1", "messages": dump_all(messages), "tools": chat_tools()})


def openai_responses() -> None:
    import openai

    base = {"object": "response", "created_at": 1767225600, "model": "gpt-5", "parallel_tool_calls": True, "tool_choice": "auto",
            "status": "completed", "error": None, "incomplete_details": None, "instructions": None, "metadata": {},
            "temperature": 1, "top_p": 1}  # fmt: skip
    tools = [
        {"type": "function", "name": n, "description": DESCRIPTIONS[n], "parameters": SCHEMAS[n], "strict": True}
        for n in SCHEMAS
    ]
    calls = [
        {"type": "reasoning", "id": "rs_1", "summary": []},
        {"type": "function_call", "id": "fc_1", "call_id": "call_1", "name": "issue_refund", "arguments": json.dumps(REFUND), "status": "completed"},
        {"type": "custom_tool_call", "id": "ct_1", "call_id": "call_3", "name": "run_sql", "input": "SELECT 1"},
        {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search", "query": "refund policy"}},
        {"type": "mcp_call", "id": "mcp_1", "name": "send_email", "server_label": "mail", "arguments": json.dumps(EMAIL), "output": None,
         "error": {"type": "mcp_tool_execution_error", "content": [{"type": "text", "text": REFUSED}]}, "status": "failed"},
    ]  # fmt: skip
    said = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed",
            "content": [{"type": "output_text", "text": REPLY, "annotations": []}]}  # fmt: skip
    bodies = [
        {**base, "id": "resp_1", "output": calls, "tools": tools},
        {**base, "id": "resp_2", "output": [said], "tools": tools},
    ]
    client = openai.OpenAI(api_key="none", http_client=transport(*bodies))
    items: list[Any] = [{"role": "user", "content": USER}]
    first = client.responses.create(model="gpt-5", input=items, tools=tools)
    items += first.output
    items.append({"type": "function_call_output", "call_id": "call_1", "output": json.dumps(REFUNDED)})
    items.append({"type": "custom_tool_call_output", "call_id": "call_3", "output": "1"})
    second = client.responses.create(model="gpt-5", input=items, tools=tools)
    write("openai_responses.jsonl", {"input": dump_all(items), "response": second.model_dump(mode="json")})


def anthropic() -> None:
    import anthropic as sdk

    def body(*content: Any) -> dict[str, Any]:
        usage = {"input_tokens": 1, "output_tokens": 1}
        return {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": "claude",
            "content": list(content),
            "stop_reason": "end_turn",
            "stop_sequence": None,
            "usage": usage,
        }

    bodies = [
        body(
            {"type": "text", "text": "I'll refund it now."},
            {"type": "server_tool_use", "id": "srv_1", "name": "web_search", "input": {"query": "refund policy"}},
            {"type": "web_search_tool_result", "tool_use_id": "srv_1", "content": {"type": "web_search_tool_result_error", "error_code": "max_uses_exceeded"}},
            {"type": "tool_use", "id": "toolu_1", "name": "issue_refund", "input": REFUND},
            {"type": "tool_use", "id": "toolu_2", "name": "send_email", "input": EMAIL},
        ),
        body({"type": "text", "text": REPLY}),
    ]  # fmt: skip
    client = sdk.Anthropic(api_key="none", http_client=transport(*bodies))
    tools = [{"name": n, "description": DESCRIPTIONS[n], "input_schema": SCHEMAS[n]} for n in SCHEMAS]
    messages: list[Any] = [{"role": "user", "content": USER}]
    first = client.messages.create(model="claude", max_tokens=100, messages=messages, tools=tools)
    messages.append({"role": "assistant", "content": dump_all(first.content)})
    results = [
        {"type": "tool_result", "tool_use_id": "toolu_1", "content": [{"type": "text", "text": json.dumps(REFUNDED)}]},
        {"type": "tool_result", "tool_use_id": "toolu_2", "content": REFUSED, "is_error": True},
    ]
    messages.append({"role": "user", "content": results})
    second = client.messages.create(model="claude", max_tokens=100, messages=messages, tools=tools)
    write("anthropic.jsonl", {"tools": tools, "messages": messages, "response": second.model_dump(mode="json")})


def gemini() -> None:
    from google.genai import types

    contents = gemini_contents()
    tools = [
        types.Tool(
            function_declarations=[
                types.FunctionDeclaration(name=n, description=DESCRIPTIONS[n], parameters_json_schema=SCHEMAS[n])
                for n in SCHEMAS
            ]
        )
    ]
    as_json = [c.model_dump(mode="json", by_alias=True, exclude_none=True) for c in contents]
    write(
        "gemini.jsonl",
        {"contents": as_json, "tools": [t.model_dump(mode="json", by_alias=True, exclude_none=True) for t in tools]},
    )


def gemini_contents() -> list[Any]:
    from google.genai import types

    return [
        types.Content(role="user", parts=[types.Part.from_text(text=USER)]),
        types.Content(
            role="model",
            parts=[
                types.Part(text="thinking about it", thought=True),
                types.Part.from_function_call(name="issue_refund", args=REFUND),
                types.Part.from_function_call(name="send_email", args=EMAIL),
            ],
        ),
        types.Content(
            role="user",
            parts=[
                types.Part.from_function_response(name="issue_refund", response=REFUNDED),
                types.Part.from_function_response(name="send_email", response={"error": REFUSED}),
            ],
        ),
        types.Content(role="model", parts=[types.Part.from_text(text=REPLY)]),
    ]


def langchain_messages() -> list[Any]:
    """Messages as LangChain's own model and tools make them."""
    from langchain_core.language_models.fake_chat_models import FakeMessagesListChatModel
    from langchain_core.messages import AIMessage, HumanMessage, SystemMessage

    answers = [
        AIMessage(
            "",
            tool_calls=[
                {"name": "issue_refund", "args": REFUND, "id": "call_1"},
                {"name": "send_email", "args": EMAIL, "id": "call_2"},
            ],
        ),
        AIMessage(REPLY),
    ]
    model = FakeMessagesListChatModel(responses=answers)
    tools = langchain_tools()
    messages: list[Any] = [SystemMessage("You help customers."), HumanMessage(USER)]
    messages.append(model.invoke(messages))
    messages += [tools[c["name"]].invoke(c) for c in messages[-1].tool_calls]
    messages.append(model.invoke(messages))
    return messages


def langchain_tools() -> dict[str, Any]:
    from langchain_core.tools import ToolException, tool

    @tool
    def issue_refund(order_id: str, amount: float) -> str:
        """Issue a refund."""
        return json.dumps(REFUNDED)

    @tool
    def send_email(to: str) -> str:
        """Send an e-mail."""
        raise ToolException(REFUSED)

    send_email.handle_tool_error = True
    return {"issue_refund": issue_refund, "send_email": send_email}


def langchain() -> None:
    from langchain_core.load import dumpd
    from langchain_core.messages import messages_to_dict

    messages = langchain_messages()
    write("langchain.jsonl", messages_to_dict(messages))
    write("langchain_dumpd.jsonl", {"messages": dumpd(messages)})


def langsmith() -> None:
    """Runs as LangChain's tracer makes them, in the shape of LangSmith's client."""
    from langchain_core.runnables import RunnableLambda
    from langchain_core.tracers.run_collector import RunCollectorCallbackHandler

    collector = RunCollectorCallbackHandler(_schema_format="original+chat")

    def agent(question: str) -> str:
        return str(langchain_messages()[-1].content)

    RunnableLambda(agent).invoke(
        USER, config={"callbacks": [collector], "run_name": "support", "metadata": {"thread_id": "t-1"}}
    )
    root = collector.traced_runs[0]
    tree = plain_run(root)
    write("langsmith_tree.json", tree, indent=1)
    rows: list[Any] = []

    def flatten(run: dict[str, Any]) -> None:
        rows.append({k: v for k, v in run.items() if k != "child_runs"})
        for child in run["child_runs"]:
            flatten(child)

    flatten(tree)
    write("langsmith_rows.jsonl", *rows)


def plain_run(run: Any) -> dict[str, Any]:
    from langsmith._internal._serde import dumps_json
    from langsmith.schemas import Run

    data = Run(
        **{
            k: getattr(run, k)
            for k in Run.model_fields
            if k not in ("child_runs", "session_id") and getattr(run, k, None) is not None
        }
    )
    keep = (
        "id",
        "name",
        "run_type",
        "start_time",
        "end_time",
        "error",
        "parent_run_id",
        "trace_id",
        "dotted_order",
        "extra",
    )
    out = {k: v for k, v in data.model_dump(mode="json", include=set(keep)).items() if v is not None}
    out["inputs"], out["outputs"] = json.loads(dumps_json(run.inputs)), json.loads(dumps_json(run.outputs))
    out["extra"].pop("runtime", None)
    out["child_runs"] = [plain_run(c) for c in run.child_runs]
    return out


def exporter() -> tuple[Any, Any]:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    memory = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(memory))
    return provider, memory


def write_spans(name: str, memory: Any) -> None:
    """The spans in three forms: OTLP as the collector's file exporter writes it, protobuf's own JSON, the SDK's `to_json`."""
    from google.protobuf.json_format import MessageToDict
    from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans

    spans = memory.get_finished_spans()
    raw = MessageToDict(encode_spans(spans))
    write(f"{name}.otlp_base64.json", raw, indent=1)
    write(f"{name}.otlp.jsonl", hexed(raw))
    write(f"{name}.spans.jsonl", *[json.loads(s.to_json()) for s in spans])


def hexed(value: Any) -> Any:
    """OTLP's JSON writes ids in hexadecimal, where protobuf's writes base64."""
    import base64

    if isinstance(value, dict):
        ids = ("traceId", "spanId", "parentSpanId")
        return {k: base64.b64decode(v).hex() if k in ids else hexed(v) for k, v in value.items()}
    return [hexed(v) for v in value] if isinstance(value, list) else value


def openinference() -> None:
    import openai
    from openinference.instrumentation import OITracer, TraceConfig
    from openinference.instrumentation.openai import OpenAIInstrumentor

    provider, memory = exporter()
    OpenAIInstrumentor().instrument(tracer_provider=provider)
    tracer = OITracer(provider.get_tracer("support"), config=TraceConfig())
    client = openai.OpenAI(api_key="none", http_client=transport(*chat_bodies()))

    @tracer.tool
    def issue_refund(order_id: str, amount: float) -> dict[str, Any]:
        """Issue a refund."""
        return REFUNDED

    @tracer.tool
    def send_email(to: str) -> str:
        """Send an e-mail."""
        raise ConnectionError(REFUSED)

    tools = {"issue_refund": issue_refund, "send_email": send_email}

    def run_tool(name: str, args: Any, id: str) -> str:
        try:
            return json.dumps(tools[name](**args))
        except ConnectionError as e:
            return f"Error: {e}"

    @tracer.agent(name="support")
    def agent(question: str) -> str:
        return str(openai_conversation(client, run_tool)[-1].content)

    agent(USER)
    OpenAIInstrumentor().uninstrument()
    write_spans("openinference", memory)


def openllmetry() -> None:
    os.environ["TRACELOOP_TRACE_CONTENT"] = "true"
    import openai
    from opentelemetry.instrumentation.openai import OpenAIInstrumentor

    provider, memory = exporter()
    OpenAIInstrumentor().instrument(tracer_provider=provider)
    client = openai.OpenAI(api_key="none", http_client=transport(*chat_bodies()))
    with provider.get_tracer("support").start_as_current_span("support"):
        openai_conversation(client, result_text)
    OpenAIInstrumentor().uninstrument()
    write_spans("openllmetry", memory)


def pydantic_agent() -> Any:
    from pydantic_ai import Agent
    from pydantic_ai.messages import ModelResponse, TextPart, ToolCallPart
    from pydantic_ai.models.function import FunctionModel

    answers = [
        ModelResponse(
            parts=[ToolCallPart("issue_refund", REFUND, "call_1"), ToolCallPart("send_email", EMAIL, "call_2")]
        ),
        ModelResponse(parts=[TextPart(REPLY)]),
    ]
    agent = Agent(FunctionModel(lambda messages, info: answers.pop(0)), name="support")

    @agent.tool_plain
    def issue_refund(order_id: str, amount: float) -> dict[str, Any]:
        """Issue a refund."""
        return REFUNDED

    @agent.tool_plain
    def send_email(to: str) -> str:
        """Send an e-mail."""
        from pydantic_ai import ModelRetry

        raise ModelRetry(REFUSED)

    return agent


def pydantic_ai() -> None:
    """Spans of the GenAI conventions as Pydantic AI writes them."""
    from pydantic_ai.models.instrumented import InstrumentationSettings

    provider, memory = exporter()
    agent = pydantic_agent()
    type(agent).instrument_all(InstrumentationSettings(tracer_provider=provider))
    asyncio.run(agent.run(USER))
    write_spans("otel_genai", memory)


def otel_logs() -> None:
    """Log records of the GenAI conventions, alone and beside spans without contents, and the events of version 1.36."""
    from google.protobuf.json_format import MessageToDict
    from opentelemetry._logs import LogRecord
    from opentelemetry.exporter.otlp.proto.common._log_encoder import encode_logs
    from opentelemetry.exporter.otlp.proto.common.trace_encoder import encode_spans
    from opentelemetry.sdk._logs import LoggerProvider
    from opentelemetry.sdk._logs.export import InMemoryLogRecordExporter, SimpleLogRecordProcessor
    from opentelemetry.trace import Status, StatusCode

    asked = {"role": "user", "parts": [{"type": "text", "content": USER}]}
    wanted = {
        "role": "assistant",
        "parts": [
            {"type": "tool_call", "id": "call_1", "name": "issue_refund", "arguments": REFUND},
            {"type": "tool_call", "id": "call_2", "name": "send_email", "arguments": EMAIL},
        ],
    }
    back = {
        "role": "tool",
        "parts": [
            {"type": "tool_call_response", "id": "call_1", "response": REFUNDED},
            {"type": "tool_call_response", "id": "call_2", "response": f"Error: {REFUSED}"},
        ],
    }
    said = {"role": "assistant", "parts": [{"type": "text", "content": REPLY}], "finish_reason": "stop"}
    tools = [{"type": "function", "name": n, "description": DESCRIPTIONS[n], "parameters": SCHEMAS[n]} for n in SCHEMAS]

    def details(given: list[Any], answer: Any) -> list[tuple[str, Any, Any]]:
        held = {
            "gen_ai.operation.name": "chat", "gen_ai.request.model": "gpt-5", "gen_ai.input.messages": given,
            "gen_ai.output.messages": [answer], "gen_ai.tool.definitions": tools,
        }  # fmt: skip
        return [("gen_ai.client.inference.operation.details", None, held)]

    calls = chat_bodies()[0]["choices"][0]["message"]["tool_calls"]
    user, ask = ("gen_ai.user.message", {"content": USER}), ("gen_ai.assistant.message", {"tool_calls": calls})
    results = [
        ("gen_ai.tool.message", {"id": "call_1", "content": json.dumps(REFUNDED)}),
        ("gen_ai.tool.message", {"id": "call_2", "content": f"Error: {REFUSED}"}),
    ]

    def choice(**message: Any) -> tuple[str, Any]:
        return "gen_ai.choice", {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", **message}}

    old = [[user, choice(tool_calls=calls)], [user, ask, *results, choice(content=REPLY)]]
    new = [details([asked], wanted), details([asked, wanted, back], said)]
    for name, exchanges in (("otel_logs", new), ("otel_events", [[(n, b, {}) for n, b in e] for e in old])):
        provider, memory = exporter()
        logs = InMemoryLogRecordExporter()
        loggers = LoggerProvider(shutdown_on_exit=False)
        loggers.add_log_record_processor(SimpleLogRecordProcessor(logs))
        tracer, logger = provider.get_tracer("support"), loggers.get_logger("support")
        with tracer.start_as_current_span("invoke_agent support", attributes={"gen_ai.operation.name": "invoke_agent"}):
            for i, exchange in enumerate(exchanges):
                with tracer.start_as_current_span("chat gpt-5", attributes={"gen_ai.operation.name": "chat"}):
                    for event, body, attributes in exchange:
                        logger.emit(LogRecord(event_name=event, body=body, attributes=attributes))
                for tool, id in (("issue_refund", "call_1"), ("send_email", "call_2")) if i == 0 else ():
                    at = {"gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": tool, "gen_ai.tool.call.id": id}
                    with tracer.start_as_current_span(f"execute_tool {tool}", attributes=at) as span:
                        if tool == "send_email":
                            span.set_status(Status(StatusCode.ERROR, REFUSED))
        records = hexed(MessageToDict(encode_logs(logs.get_finished_logs())))
        write(f"{name}.otlp.jsonl", records)
        write(f"{name}.records.jsonl", *[json.loads(r.to_json()) for r in logs.get_finished_logs()])
        write(f"{name}_and_spans.otlp.jsonl", hexed(MessageToDict(encode_spans(memory.get_finished_spans()))), records)


def langfuse_otel() -> None:
    """Spans of Langfuse's SDK, as its exporter gets them."""
    from langfuse import Langfuse

    provider, memory = exporter()
    client = Langfuse(
        public_key="pk-lf-1",
        secret_key="sk-lf-1",
        base_url="http://localhost:9",
        tracer_provider=provider,
        span_exporter=memory,
    )
    messages = [{"role": "user", "content": USER}]
    asked, said = (b["choices"][0]["message"] for b in chat_bodies())
    observe = client.start_as_current_observation
    with observe(as_type="agent", name="support", input=USER) as root:
        with observe(as_type="generation", name="gpt-5", input={"messages": messages, "tools": chat_tools()}) as one:
            one.update(output=asked)
        with observe(as_type="tool", name="issue_refund", input=REFUND) as tool:
            tool.update(output=REFUNDED)
        with observe(as_type="tool", name="send_email", input=EMAIL) as tool:
            tool.update(level="ERROR", status_message=REFUSED)
        with observe(as_type="generation", name="gpt-5", input=[*messages, asked]) as two:
            two.update(output=said)
        root.update(output=REPLY)
    client.flush()
    seen = {s.context.span_id: s for s in memory.get_finished_spans()}
    memory.clear()
    memory.export(list(seen.values()))
    write_spans("langfuse_otel", memory)


def langfuse() -> None:
    """Rows of Langfuse's API as its own models write them."""
    from datetime import UTC, datetime, timedelta

    from langfuse.api import ObservationV2

    start = datetime(2026, 1, 1, tzinfo=UTC)

    def row(n: int, kind: str, name: str, **fields: Any) -> dict[str, Any]:
        parent = None if n == 0 else "o0"
        end = start + timedelta(seconds=60 if n == 0 else n + 0.5)
        observation = ObservationV2(
            id=f"o{n}", trace_id="trace-1", start_time=start + timedelta(seconds=n), end_time=end, project_id="p",
            parent_observation_id=parent, type=kind, name=name, session_id="s-1", **fields,
        )  # fmt: skip
        return dict(json.loads(observation.json()))

    messages = [{"role": "user", "content": USER}]
    asked, said = (b["choices"][0]["message"] for b in chat_bodies())
    rows = [
        row(0, "AGENT", "support", input=USER, output=REPLY),
        row(1, "GENERATION", "gpt-5", input={"messages": messages, "tools": chat_tools()}, output=asked),
        row(2, "TOOL", "issue_refund", input=REFUND, output=REFUNDED),
        row(3, "TOOL", "send_email", input=EMAIL, output=None, level="ERROR", status_message=REFUSED),
        row(4, "GENERATION", "gpt-5", input=[*messages, asked], output=said),
    ]
    write("langfuse_rows.jsonl", *rows)
    write(
        "langfuse_trace.json",
        {"id": "trace-1", "name": "support", "sessionId": "s-1", "output": REPLY, "observations": rows},
        indent=1,
    )


def inspect() -> None:
    os.environ["INSPECT_DISPLAY"] = "none"
    from inspect_ai import Task, eval
    from inspect_ai.dataset import Sample
    from inspect_ai.model import ModelOutput, ModelUsage, get_model
    from inspect_ai.solver import generate, use_tools
    from inspect_ai.tool import ToolError, tool

    @tool
    def issue_refund():  # type: ignore[no-untyped-def]
        async def execute(order_id: str, amount: float) -> str:
            """Issue a refund.

            Args:
                order_id: The order.
                amount: The amount.
            """
            return json.dumps(REFUNDED)

        return execute

    @tool
    def send_email():  # type: ignore[no-untyped-def]
        async def execute(to: str) -> str:
            """Send an e-mail.

            Args:
                to: The address.
            """
            raise ToolError(REFUSED)

        return execute

    answers = [
        ModelOutput.for_tool_call("mockllm/model", "issue_refund", REFUND, content="One moment."),
        ModelOutput.for_tool_call("mockllm/model", "send_email", EMAIL, content=""),
        ModelOutput.from_content("mockllm/model", REPLY),
    ]
    for answer in answers:
        answer.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    for kind in ("json", "eval"):
        with tempfile.TemporaryDirectory() as folder:
            task = Task(
                dataset=[Sample(id="s1", input=USER, target="x")],
                solver=[use_tools(issue_refund(), send_email()), generate()],
            )
            model = get_model("mockllm/model", custom_outputs=list(answers), memoize=False)
            (log,) = eval(task, model=model, log_dir=folder, log_format=kind, display="none")
            assert log.status == "success", str(log.error)[:300]
            data = Path(log.location).read_bytes()
            if kind == "json":
                data = (json.dumps(json.loads(data), indent=1) + "\n").encode()
            (OUT / f"inspect.{kind}").write_bytes(data)
            print(f"inspect.{kind}: {len(data)} bytes")


def agentdojo() -> None:
    """A trace as AgentDojo's own logger and tools loop write it."""
    from agentdojo.agent_pipeline import ToolsExecutionLoop, ToolsExecutor
    from agentdojo.agent_pipeline.base_pipeline_element import BasePipelineElement
    from agentdojo.functions_runtime import FunctionCall, FunctionsRuntime
    from agentdojo.logging import OutputLogger, TraceLogger
    from agentdojo.types import text_content_block_from_string as block

    runtime = FunctionsRuntime()

    @runtime.register_function
    def issue_refund(order_id: str, amount: float) -> dict[str, Any]:
        """Issue a refund.

        :param order_id: The order.
        :param amount: The amount.
        """
        return REFUNDED

    @runtime.register_function
    def send_email(to: str) -> str:
        """Send an e-mail.

        :param to: The address.
        """
        raise ValueError(REFUSED)

    calls = [
        FunctionCall(function="issue_refund", args=REFUND, id="call_1"),
        FunctionCall(function="send_email", args=EMAIL, id="call_2"),
    ]

    class Said(BasePipelineElement):
        def query(self, query, runtime, env, messages=(), extra_args=None):  # type: ignore[no-untyped-def]
            done = any(m["role"] == "tool" for m in messages)
            answer = (
                {"role": "assistant", "content": [block(REPLY)], "tool_calls": None}
                if done
                else {"role": "assistant", "content": None, "tool_calls": calls}
            )
            return query, runtime, env, [*messages, answer], extra_args or {}

    with tempfile.TemporaryDirectory() as folder, OutputLogger(folder) as out:
        logger = TraceLogger(
            out,
            suite_name="banking",
            user_task_id="user_task_0",
            injection_task_id=None,
            injections={},
            attack_type="none",
            pipeline_name="said",
        )
        with logger:
            messages = [{"role": "user", "content": [block(USER)]}]
            from agentdojo.functions_runtime import EmptyEnv

            said = Said()
            _, _, _, messages, _ = said.query(USER, runtime, EmptyEnv(), messages)
            _, _, _, messages, _ = ToolsExecutionLoop([ToolsExecutor(), said]).query(
                USER, runtime, EmptyEnv(), messages
            )
            logger.log(messages)
            logger.set_contextarg("utility", True)
        (file,) = Path(folder).rglob("*.json")
        data = json.loads(file.read_text())
    write("agentdojo.json", data, indent=1)


MAKERS = [openai_chat, openai_responses, anthropic, gemini, langchain, langsmith, openinference, openllmetry, pydantic_ai, langfuse, langfuse_otel, otel_logs, inspect, agentdojo]  # fmt: skip


def shape(value: Any) -> Any:
    """The fields of a value with the types of what they hold."""
    if isinstance(value, dict):
        return {k: shape(v) for k, v in value.items()}
    return [shape(v) for v in value] if isinstance(value, list) else type(value).__name__


def differences(old: Any, new: Any, path: str = "") -> Iterator[str]:
    """Where two shapes differ."""
    if isinstance(old, dict) and isinstance(new, dict):
        for key in sorted(old.keys() | new.keys()):
            if key in old and key in new:
                yield from differences(old[key], new[key], f"{path}.{key}")
            else:
                yield f"{path}.{key}: {'gone' if key in old else 'new'}"
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for i, (a, b) in enumerate(zip(old, new, strict=True)):
            yield from differences(a, b, f"{path}[{i}]")
    elif old != new:
        yield f"{path}: {old if isinstance(old, str) else type(old).__name__} is {new if isinstance(new, str) else type(new).__name__} now"


def documents_of(file: Path) -> list[Any]:
    """The documents of a fixture: of an archive those of its samples."""
    if file.suffix == ".eval":
        from claimx.adapters.source import records_of

        return [r.data for r in records_of(file)]
    text = file.read_text(encoding="utf-8")
    return [json.loads(x) for x in text.splitlines()] if file.suffix == ".jsonl" else [json.loads(text)]


def compare(folder: Path, fixtures: Path) -> bool:
    """Tell how the files of a folder differ from the fixtures of their names; whether none does."""
    same = True
    for file in sorted(folder.iterdir()):
        found = list(differences(shape(documents_of(fixtures / file.name)), shape(documents_of(file))))
        same = same and not found
        print(f"{file.name}: {'as it was' if not found else ''}", *found[:20], sep="\n  " if found else "")
    return same


def main() -> int:
    global OUT
    named = [a for a in sys.argv[1:] if a != "--check"]
    makers = [m for m in MAKERS if not named or m.__name__ in named]
    if "--check" not in sys.argv:
        for maker in makers:
            maker()
        return 0
    fixtures = OUT
    with tempfile.TemporaryDirectory() as folder:
        OUT = Path(folder)
        for maker in makers:
            maker()
        return 0 if compare(OUT, fixtures) else 1


if __name__ == "__main__":
    sys.exit(main())
