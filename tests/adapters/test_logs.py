"""Contents of models in OpenTelemetry's log records: beside spans, alone, without a trace, and what tells nothing."""

from __future__ import annotations

import json
from typing import Any

import pytest

from claimx.adapters import detect, read_runs
from tests.adapters.test_fixtures import FIXTURES, REPLY  # type: ignore[import-not-found]


def lines_of(name: str) -> list[dict[str, Any]]:
    return [json.loads(x) for x in (FIXTURES / name).read_text(encoding="utf-8").splitlines()]


def read(source: Any) -> tuple[list[Any], list[Any]]:
    found = list(read_runs(source))
    return [f.run for f in found if f.run], [f for f in found if f.error]


@pytest.mark.parametrize("kind", ["otel_logs", "otel_events"])
def test_spans_and_log_records_are_one_whatever_comes_first(kind: str) -> None:
    spans, logs = lines_of(f"{kind}_and_spans.otlp.jsonl")
    for source in ([spans, logs], [logs, spans], [{**spans, **logs}]):
        (run,), faults = read(source)
        assert faults == []
        assert run.reply == REPLY
        assert [(e.tool, str(e.status)) for e in run.ledger] == [("issue_refund", "success"), ("send_email", "error")]
        assert "RF-7" in json.dumps(run.ledger[0].result)


def test_an_event_without_a_trace_is_a_conversation_of_its_own() -> None:
    rows = lines_of("otel_logs.records.jsonl")
    for row in rows:
        row["trace_id"] = row["span_id"] = "0x" + "0" * 32
    (run,), (note,) = read([rows[1], rows[0]])
    assert (run.reply, [e.tool for e in run.ledger]) == (REPLY, ["issue_refund", "send_email"])
    assert note.is_note  # the first exchange ended in calls, with no text


@pytest.mark.parametrize("attributes", [[], [{"key": "event.name", "value": {"stringValue": "http.request"}}]])
def test_log_records_of_other_kinds_are_told(attributes: list[Any]) -> None:
    record = {"timeUnixNano": "1", "severityNumber": 9, "body": {"stringValue": "token-123"}, "attributes": attributes}
    export = {"resourceLogs": [{"scopeLogs": [{"logRecords": [record]}]}]}
    assert detect([export]).format == "otel-genai"
    runs, (note,) = read([export])
    assert runs == []
    assert note.is_note
    assert "none of the log records is an event of GenAI" in str(note.error)
    assert "token-123" not in str(note.error)
