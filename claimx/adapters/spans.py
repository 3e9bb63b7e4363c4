"""OpenTelemetry spans in one form: OTLP as JSON, what the SDK's `to_json` writes, and the SDK's own objects."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from claimx.adapters.plain import first, mapping, sequence, text


@dataclass(slots=True)
class Span:
    """A span. Times are as written; `failed` is whether its status is an error."""

    id: str
    trace: str
    parent: str | None
    name: str
    start: Any
    end: Any
    attributes: dict[str, Any]
    resource: Mapping[str, Any] = field(default_factory=dict)
    events: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    failed: bool = False
    said: str | None = None


def holds_spans(record: Any) -> bool:
    """Whether a record is an export of spans, or one span."""
    data = mapping(record)
    return bool(first(data, "resourceSpans", "resource_spans", "scopeSpans", "scope_spans")) or _is_span(data)


def _is_span(data: Mapping[str, Any]) -> bool:
    context = mapping(data.get("context"))
    own = first(data, "spanId", "span_id") or context.get("span_id")
    return bool(own) and "attributes" in data and bool(first(data, "name", "span_name"))


def spans_of(record: Any) -> Iterator[Span]:
    """Yield the spans of a record."""
    data = mapping(record)
    if _is_span(data):
        yield _span(data, {})
        return
    resources = sequence(first(data, "resourceSpans", "resource_spans")) or [data]
    for r in map(mapping, resources):
        resource = attributes_of(mapping(r.get("resource")).get("attributes"))
        for scope in sequence(first(r, "scopeSpans", "scope_spans", "instrumentationLibrarySpans")):
            for span in sequence(mapping(scope).get("spans")):
                yield _span(mapping(span), resource)


def _span(data: Mapping[str, Any], resource: Mapping[str, Any]) -> Span:
    context = mapping(data.get("context")) or data
    status = mapping(data.get("status"))
    code = str(first(status, "code", "status_code") or "")
    events = [
        (str(first(e, "name") or ""), attributes_of(e.get("attributes")))
        for e in map(mapping, sequence(data.get("events")))
    ]
    raised = next((a for n, a in events if n == "exception"), {})
    said = text(first(status, "message", "description")) or text(raised.get("exception.message"))
    return Span(
        id=hex_id(first(context, "spanId", "span_id")),
        trace=hex_id(first(context, "traceId", "trace_id")),
        parent=hex_id(first(data, "parentSpanId", "parent_span_id", "parent_id")) or None,
        name=str(first(data, "name", "span_name") or ""),
        start=first(data, "startTimeUnixNano", "start_time_unix_nano", "start_time", "startTime"),
        end=first(data, "endTimeUnixNano", "end_time_unix_nano", "end_time", "endTime"),
        attributes=attributes_of(data.get("attributes")),
        resource=resource or attributes_of(mapping(data.get("resource")).get("attributes")),
        events=events,
        failed=code in ("2", "ERROR", "STATUS_CODE_ERROR", "StatusCode.ERROR"),
        said=said,
    )


def hex_id(value: Any) -> str:
    """Return an id in hexadecimal; protobuf's own JSON writes it in base64.

    >>> hex_id("0x00ab"), hex_id("q80=")
    ('00ab', 'abcd')
    """
    id = str(value or "").removeprefix("0x")
    if id.endswith("=") or (len(id) in (12, 24) and any(c not in "0123456789abcdefABCDEF" for c in id)):
        try:
            return base64.b64decode(id, validate=True).hex()
        except (ValueError, binascii.Error):
            return id
    return id


def attributes_of(raw: Any) -> dict[str, Any]:
    """Return attributes as a dict, OTLP's typed values opened."""
    if isinstance(raw, Mapping):
        return dict(raw)
    return {str(a["key"]): _value(a.get("value")) for a in map(mapping, sequence(raw)) if "key" in a}


def _value(value: Any) -> Any:
    data = mapping(value)
    for key, v in data.items():
        kind = key.replace("_v", "V")
        if kind == "arrayValue":
            return [_value(x) for x in sequence(mapping(v).get("values"))]
        if kind == "kvlistValue":
            return attributes_of(mapping(v).get("values"))
        if kind == "intValue":
            return int(v) if isinstance(v, str) and v.lstrip("-").isdecimal() else v
        return v
    return None if isinstance(value, Mapping) else value


def unflattened(attributes: Mapping[str, Any], prefix: str) -> list[dict[str, Any]]:
    """Return the list that numbered attributes spell out.

    >>> unflattened({"m.0.a.b": 1, "m.1.a.b": 2, "n": 3}, "m.")
    [{'a': {'b': 1}}, {'a': {'b': 2}}]
    """
    rows: dict[int, dict[str, Any]] = {}
    for key, value in attributes.items():
        if not key.startswith(prefix):
            continue
        number, _, rest = key[len(prefix) :].partition(".")
        if not number.isdigit() or not rest:
            continue
        at = rows.setdefault(int(number), {})
        *path, last = rest.split(".")
        for part in path:
            inner = at.get(part)
            if not isinstance(inner, dict):
                inner = at[part] = {}
            at = inner
        at[last] = value
    return [rows[i] for i in sorted(rows)]


def numbered(value: Any) -> list[Any]:
    """Return a list that was spelled out by numbers as keys, a list as it is.

    >>> numbered({"1": "b", "0": "a"})
    ['a', 'b']
    """
    if isinstance(value, list):
        return value
    data = mapping(value)
    return [data[k] for k in sorted((k for k in data if str(k).isdigit()), key=int)]
