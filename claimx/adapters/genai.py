"""Spans of OpenTelemetry's GenAI conventions, those of its events and of OpenLLMetry included, as steps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from claimx.adapters.content import args_of, opened, result_of
from claimx.adapters.plain import first, mapping, sequence, text, word
from claimx.adapters.spans import Span, numbered, unflattened
from claimx.adapters.steps import Step
from claimx.types import CallStatus

NAME = "otel-genai"
_TOOL_NAMES = ("gen_ai.tool.name", "traceloop.entity.name")
_LLM = frozenset({"chat", "text_completion", "generate_content", "completion", "responses"})
_AGENT = frozenset({"invoke_agent", "create_agent", "invoke_workflow"})


def fits(span: Span) -> bool:
    """Whether a span carries attributes of these conventions."""
    return any(k.startswith(("gen_ai.", "traceloop.")) for k in span.attributes) or any(
        n.startswith("gen_ai.") for n, _ in span.events
    )


def step_of(span: Span) -> Step:
    """Read a span as a step."""
    a = span.attributes
    operation = str(a.get("gen_ai.operation.name") or "")
    entity = str(a.get("traceloop.span.kind") or "")
    session = text(first(a, "gen_ai.conversation.id", "session.id", "traceloop.association.properties.session_id"))
    step = Step(
        span.id, span.trace, "other", str(first(a, "gen_ai.agent.name", "traceloop.entity.name") or span.name), span.parent,
        span.start, span.end, session=session,
    )  # fmt: skip
    if operation == "execute_tool" or entity == "tool":
        step.kind = "tool"
        step.name = str(first(a, *_TOOL_NAMES) or span.name.removeprefix("execute_tool "))
        step.call_id = text(a.get("gen_ai.tool.call.id"))
        step.args = _given(opened(first(a, "gen_ai.tool.call.arguments", "traceloop.entity.input")))
        result = opened(first(a, "gen_ai.tool.call.result", "traceloop.entity.output"))
        step.result = result_of(_returned(result))
        failed = span.failed or a.get("error.type") is not None
        step.status = CallStatus.ERROR if failed else CallStatus.SUCCESS
        if str(a.get("error.type") or "").lower() in ("timeout", "timeouterror", "asyncio.timeouterror"):
            step.status = CallStatus.TIMEOUT
        step.error = (span.said or text(a.get("error.type"))) if failed else None
    elif operation in _AGENT or entity in ("agent", "workflow"):
        step.kind = "agent"
        step.output = first(a, "gen_ai.output.messages", "traceloop.entity.output")
        if isinstance(step.output, str):
            step.output = opened(step.output)
    elif operation in _LLM or _asked(span) or _answered(span):
        step.kind = "llm"
        step.asked, step.answered = _asked(span), _answered(span)
        step.tools = _tools(a)
        step.model = text(first(a, "gen_ai.response.model", "gen_ai.request.model"))
    step.version = text(first(a, "gen_ai.agent.version") or span.resource.get("service.version"))
    return step


def _given(value: Any) -> Any:
    """OpenLLMetry writes the arguments of a call as {"inputs": ...} or {"args": [], "kwargs": {}}."""
    data = mapping(value)
    if "kwargs" in data and "args" in data:
        return data["kwargs"] or {"args": data["args"]}
    return data["inputs"] if set(data) == {"inputs"} else value


def _returned(value: Any) -> Any:
    data = mapping(value)
    return data["output"] if set(data) == {"output"} else value


def _asked(span: Span) -> list[Any]:
    a = span.attributes
    listed = sequence(opened(first(a, "gen_ai.input.messages", "gen_ai.prompt.messages")))
    if listed:
        return listed
    flat = [_flat(m) for m in unflattened(a, "gen_ai.prompt.")]
    if flat:
        return flat
    events = [_event(n, v) for n, v in span.events if n.startswith("gen_ai.") and n.endswith(".message")]
    return [e for e in events if e]


def _answered(span: Span) -> list[Any]:
    a = span.attributes
    listed = sequence(opened(first(a, "gen_ai.output.messages", "gen_ai.completion.messages")))
    if listed:
        return listed
    flat = [_flat(m) for m in unflattened(a, "gen_ai.completion.")]
    if flat:
        return [{**m, "role": word(m, "role") or "assistant"} for m in flat[:1]]
    choices = [v for n, v in span.events if n == "gen_ai.choice"]
    out = []
    for c in choices[:1]:
        message = mapping(opened(c.get("message"))) or c
        out.append({**message, "role": word(message, "role") or "assistant"})
    return out


def _flat(message: Mapping[str, Any]) -> dict[str, Any]:
    """A message of numbered attributes; its calls are numbered too."""
    out = dict(message)
    calls = numbered(message.get("tool_calls"))
    if calls:
        out["tool_calls"] = [
            {**c, "arguments": args_of(mapping(c).get("arguments"))} for c in calls if isinstance(c, Mapping)
        ]
    content = message.get("content")
    if isinstance(content, str) and content[:1] in "[{":
        inner = opened(content)
        if isinstance(inner, list) and all(isinstance(p, Mapping) and "type" in p for p in inner):
            out["content"] = inner
    return out


def _event(name: str, values: Mapping[str, Any]) -> dict[str, Any]:
    role = name.removeprefix("gen_ai.").removesuffix(".message")
    out = {**values, "role": word(values, "role") or role}
    calls = opened(values.get("tool_calls"))
    if isinstance(calls, list):
        out["tool_calls"] = calls
    if role == "tool":
        out.setdefault("tool_call_id", values.get("id"))
    return out


def _tools(a: Mapping[str, Any]) -> list[Any]:
    listed = sequence(opened(first(a, "gen_ai.tool.definitions", "gen_ai.request.tools")))
    if listed:
        return listed
    flat = unflattened(a, "llm.request.functions.")
    return [{**t, "parameters": opened(t.get("parameters"))} for t in flat]
