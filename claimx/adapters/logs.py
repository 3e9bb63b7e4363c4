"""Log records of OpenTelemetry that hold what models were sent and answered, as steps: GenAI's events, old and new.

The event `gen_ai.client.inference.operation.details` holds a whole exchange; the events before it (`gen_ai.user.message`,
`gen_ai.choice` and their like) a message each. Their span, told elsewhere or not at all, is the step that they belong to.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from claimx.adapters.content import opened
from claimx.adapters.plain import first, mapping, sequence, text, word
from claimx.adapters.spans import attributes_of, hex_id, value_of
from claimx.adapters.steps import Step

_PREFIX = "gen_ai."
_CHOICE = "gen_ai.choice"


@dataclass(frozen=True, slots=True)
class Log:
    """A log record, with the name of its event."""

    name: str
    trace: str
    span: str
    at: Any
    attributes: Mapping[str, Any]
    body: Any


def holds_logs(record: Any) -> bool:
    """Whether a record is an export of log records, or one that holds an event of GenAI."""
    data = mapping(record)
    return bool(first(data, "resourceLogs", "resource_logs", "scopeLogs", "scope_logs")) or _is_log(data)


def _is_log(data: Mapping[str, Any]) -> bool:
    held = "body" in data and first(
        data, "severity_number", "severityNumber", "observed_timestamp", "observedTimeUnixNano"
    )
    return held is not None and held is not False and is_telling(_log(data))


def is_telling(log: Log) -> bool:
    """Whether a log record is an event of these conventions."""
    return log.name.startswith(_PREFIX)


def logs_of(record: Any) -> Iterator[Log]:
    """Yield the log records of a record."""
    data = mapping(record)
    resources = sequence(first(data, "resourceLogs", "resource_logs"))
    scopes = [s for r in resources for s in sequence(first(mapping(r), "scopeLogs", "scope_logs"))]
    for scope in scopes or sequence(first(data, "scopeLogs", "scope_logs")):
        for log in sequence(first(mapping(scope), "logRecords", "log_records")):
            yield _log(mapping(log))
    if not resources and _is_log(data):
        yield _log(data)


def _log(data: Mapping[str, Any]) -> Log:
    attributes = attributes_of(data.get("attributes"))
    body = data.get("body")
    return Log(
        name=str(text(first(data, "eventName", "event_name")) or attributes.get("event.name") or ""),
        trace=_id_of(first(data, "traceId", "trace_id")),
        span=_id_of(first(data, "spanId", "span_id")),
        at=first(data, "timeUnixNano", "time_unix_nano", "timestamp", "observedTimeUnixNano", "observed_timestamp"),
        attributes=attributes,
        body=value_of(body)
        if isinstance(body, Mapping) and any(k.endswith(("Value", "_value")) for k in body)
        else body,
    )


def _id_of(value: Any) -> str:
    """An id in hexadecimal; nothing but zeros stands for none."""
    id = hex_id(value)
    return id if id.strip("0") else ""


def step_of(log: Log, line: int) -> Step:
    """Read an event as a step, or as the part of one. Without a trace a record is a conversation of its own."""
    a = log.attributes
    session = text(first(a, "gen_ai.conversation.id", "session.id"))
    trace = log.trace or (session if session else f"log-{line}")
    step = Step(log.span, trace, "llm", log.name, None, log.at, log.at, session=session, is_log=True)
    role = log.name.removeprefix(_PREFIX).removesuffix(".message")
    if log.name == _CHOICE:
        body = {**a, **mapping(opened(log.body))}
        if body.get("index") in (None, 0, "0"):
            message = mapping(opened(body.get("message"))) or body
            step.answered = [{**_message(message), "role": word(message, "role") or "assistant"}]
    elif log.name.endswith(".message"):
        body = {**{k: v for k, v in a.items() if "." not in k}, **mapping(opened(log.body))}
        if isinstance(log.body, str) and not mapping(opened(log.body)):
            body["content"] = log.body
        message = {**_message(body), "role": word(body, "role") or role}
        if message["role"] == "tool":
            message.setdefault("tool_call_id", message.get("id"))
        step.asked = [message]
    else:
        held = {**a, **mapping(opened(log.body))}
        step.asked = sequence(opened(held.get("gen_ai.input.messages")))
        step.answered = sequence(opened(held.get("gen_ai.output.messages")))[:1]
        step.tools = sequence(opened(held.get("gen_ai.tool.definitions")))
    return step


def _message(body: Mapping[str, Any]) -> dict[str, Any]:
    calls = opened(body.get("tool_calls"))
    return {**body, "tool_calls": calls} if isinstance(calls, list) else dict(body)
