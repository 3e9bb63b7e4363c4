"""Spans of OpenInference as steps."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from claimx.adapters.content import args_of, opened, result_of
from claimx.adapters.plain import first, mapping, text, word
from claimx.adapters.spans import Span, numbered, unflattened
from claimx.adapters.steps import Step
from claimx.types import CallStatus

NAME = "openinference"


def fits(span: Span) -> bool:
    """Whether a span has OpenInference's kind."""
    return "openinference.span.kind" in span.attributes


def step_of(span: Span) -> Step:
    """Read a span as a step."""
    a = span.attributes
    kind = str(a.get("openinference.span.kind") or "").upper()
    session = text(first(a, "session.id", "gen_ai.conversation.id"))
    step = Step(
        span.id,
        span.trace,
        "other",
        str(first(a, "agent.name") or span.name),
        span.parent,
        span.start,
        span.end,
        session=session,
    )
    if kind == "TOOL":
        step.kind = "tool"
        step.name = str(first(a, "tool.name", "tool_call.function.name") or span.name)
        step.call_id = text(first(a, "tool_call.id", "tool.id", "gen_ai.tool.call.id"))
        schema = opened(first(a, "tool.parameters", "tool.json_schema"))
        is_schema = "properties" in mapping(schema)
        step.args = args_of(first(a, "input.value", "tool_call.function.arguments") or (None if is_schema else schema))
        if is_schema:
            step.tools = [{"name": step.name, "description": a.get("tool.description"), "parameters": schema}]
        step.result = result_of(opened(a.get("output.value")))
        step.status = CallStatus.ERROR if span.failed else CallStatus.SUCCESS
        step.error = span.said if span.failed else None
    elif kind == "LLM":
        step.kind = "llm"
        step.asked = [_message(m) for m in unflattened(a, "llm.input_messages.")]
        step.answered = [_message(m) for m in unflattened(a, "llm.output_messages.")]
        step.tools = [_tool(t) for t in unflattened(a, "llm.tools.")]
        step.model = text(a.get("llm.model_name"))
    elif kind in ("AGENT", "CHAIN", "WORKFLOW"):
        step.kind = "agent" if kind == "AGENT" else "other"
        step.output = a.get("output.value")
    step.version = text(span.resource.get("service.version"))
    return step


def _message(row: Mapping[str, Any]) -> dict[str, Any]:
    """A message in the shape of Chat Completions."""
    m = mapping(row.get("message"))
    parts = [mapping(mapping(p).get("message_content")) for p in numbered(m.get("contents"))]
    out: dict[str, Any] = {"role": word(m, "role") or "assistant", "content": m.get("content")}
    if out["content"] is None and parts:
        out["content"] = [{"type": word(p, "type") or "text", "text": p.get("text")} for p in parts if p.get("text")]
    calls = [mapping(mapping(c).get("tool_call")) for c in numbered(m.get("tool_calls"))]
    if calls:
        out["tool_calls"] = [
            {"id": c.get("id"), "function": {"name": mapping(c.get("function")).get("name"), "arguments": mapping(c.get("function")).get("arguments")}}
            for c in calls
        ]  # fmt: skip
    for key in ("tool_call_id", "name"):
        if m.get(key) is not None:
            out[key] = m[key]
    if m.get("function_call_name"):
        out["function_call"] = {"name": m["function_call_name"], "arguments": m.get("function_call_arguments_json")}
    return out


def _tool(row: Mapping[str, Any]) -> Any:
    tool = mapping(row.get("tool"))
    return opened(tool.get("json_schema")) or tool
