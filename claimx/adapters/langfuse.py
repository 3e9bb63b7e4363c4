"""Exports of Langfuse: traces with their observations, pages of them, or observations row by row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from claimx.adapters import documents
from claimx.adapters.content import args_of, opened, result_of
from claimx.adapters.found import Found, Reading, fault
from claimx.adapters.plain import first, mapping, sequence, text, word
from claimx.adapters.spans import Span
from claimx.adapters.steps import Step
from claimx.adapters.tracebuffer import read_steps
from claimx.records import Record
from claimx.types import CallStatus

NAME, SPANS = "langfuse", "langfuse-otel"
_INPUT, _OUTPUT = "langfuse.observation.input", "langfuse.observation.output"
_TYPES = frozenset(
    {"GENERATION", "SPAN", "EVENT", "TOOL", "AGENT", "CHAIN", "RETRIEVER", "EVALUATOR", "EMBEDDING", "GUARDRAIL"}
)


def matches(sample: Sequence[Any]) -> bool:
    """Whether records are traces with observations, or observations."""
    return any(_is_observation(r) or _is_trace(r) for record in sample for r in _rows(record))


def fits(span: Span) -> bool:
    """Whether a span of OpenTelemetry carries an observation, as the SDK of Langfuse writes it."""
    told = [k for k in span.attributes if k.startswith("langfuse.observation.")]
    others = any(k.startswith("gen_ai.") for k in span.attributes)
    return any(k in told for k in (_INPUT, _OUTPUT)) or (bool(told) and not others)


def step_of(span: Span) -> Step:
    """Read a span that carries an observation as a step."""
    a = span.attributes
    failed = span.failed or str(a.get("langfuse.observation.level") or "").upper() == "ERROR"
    data = {
        "id": span.id,
        "type": a.get("langfuse.observation.type") or "span",
        "name": span.name,
        "parentObservationId": span.parent,
        "startTime": span.start,
        "endTime": span.end,
        "sessionId": first(a, "session.id", "langfuse.session.id"),
        "input": first(a, _INPUT, *(() if span.parent else ("langfuse.trace.input",))),
        "output": first(a, _OUTPUT, *(() if span.parent else ("langfuse.trace.output",))),
        "level": "ERROR" if failed else None,
        "statusMessage": first(a, "langfuse.observation.status_message") or span.said,
    }
    return _step(data, span.trace)


def _is_observation(row: Any) -> bool:
    data = mapping(row)
    return str(word(data, "type") or "").upper() in _TYPES and first(data, "traceId", "trace_id") is not None


def _is_trace(row: Any) -> bool:
    data = mapping(row)
    held = data.get("observations")
    return (
        isinstance(held, list)
        and ("id" in data)
        and (not held or _is_observation(held[0]) or "type" in mapping(held[0]))
    )


def _rows(record: Any) -> list[Any]:
    """A page of the API holds its rows in `data`; `{"trace": ..., "observations": [...]}` is a trace taken apart."""
    data = mapping(record)
    if isinstance(data.get("data"), list):
        return sequence(data["data"])
    if isinstance(data.get("trace"), Mapping) and "observations" in data:
        return [{**mapping(data["trace"]), "observations": data["observations"]}]
    return [record]


def read(records: Iterable[Record], reading: Reading) -> Iterator[Found]:
    """Read traces and observations."""
    return read_steps(_steps(records), reading)


def _steps(records: Iterable[Record]) -> Iterator[tuple[int, Step | Found]]:
    for record in records:
        if record.error is not None:
            yield record.line, Found(record.line, error=record.error)
            continue
        for row in _rows(record.data):
            data = mapping(row)
            if _is_trace(data):
                trace = str(data["id"])
                session = text(first(data, "sessionId", "session_id"))
                root = Step(
                    f"{trace}/trace", trace, "agent", str(data.get("name") or ""), start=first(data, "timestamp", "createdAt"),
                    session=session, output=data.get("output"), version=text(first(data, "version", "release")),
                )  # fmt: skip
                yield record.line, root
                for observation in data["observations"]:
                    step = _step(mapping(observation), trace)
                    step.parent = step.parent or root.id
                    yield record.line, step
            elif _is_observation(data):
                yield record.line, _step(data, str(first(data, "traceId", "trace_id")))
            else:
                yield record.line, fault(record.line, "neither a trace with its observations nor an observation")


def _step(data: Mapping[str, Any], trace: str) -> Step:
    kind = str(word(data, "type") or "").upper()
    output = opened(data.get("output"))
    failed = str(data.get("level") or "").upper() == "ERROR"
    step = Step(
        str(data.get("id") or ""), trace, "other", str(data.get("name") or ""), text(first(data, "parentObservationId", "parent_observation_id")),
        first(data, "startTime", "start_time"), first(data, "endTime", "end_time"),
        session=text(first(data, "sessionId", "session_id")),
        status=CallStatus.ERROR if failed else CallStatus.SUCCESS,
        error=text(first(data, "statusMessage", "status_message")) if failed else None,
    )  # fmt: skip
    given = opened(data.get("input"))
    if kind == "GENERATION":
        step.kind = "llm"
        step.model = text(first(data, "model", "providedModelName", "provided_model_name"))
        asked = documents.unfold(given)
        step.asked = (
            asked.messages if asked else ([{"role": "user", "content": given}] if isinstance(given, str) else [])
        )
        step.tools = asked.tools if asked else []
        answered = documents.unfold(output)
        step.answered = (
            answered.messages
            if answered
            else ([{"role": "assistant", "content": output}] if isinstance(output, str) else [])
        )
        return step
    if kind == "TOOL":
        step.kind = "tool"
    elif kind == "AGENT":
        step.kind = "agent"
    step.args, step.result, step.output = args_of(given), result_of(output), output
    return step
