"""Receipts on spans and in logs, with OpenTelemetry's own in-memory exporter."""

from __future__ import annotations

import logging
from typing import Any

import pytest

from claimx.integrations.opentelemetry import attributes_of, log_receipt, record_receipt
from claimx.types import Receipt

from .desk import FALSE, TRUE

pytestmark = pytest.mark.model


def receipt_of(checker: Any, reply: str) -> Receipt:
    ledger = [
        {"id": "c1", "tool": "issue_refund", "args": {"order_id": "HB-20417", "amount": 64}, "result": {"ok": True}}
    ]
    return checker.check({"id": "r1", "reply": reply, "ledger": ledger, "tools": ["send_email"]})


def test_attributes_say_what_was_flagged_and_no_content(checker: Any) -> None:
    found = attributes_of(receipt_of(checker, FALSE))
    assert found == {
        "claimx.verdict": "fabricated", "claimx.ok": False, "claimx.claims": 2, "claimx.claims.flagged": 1,
        "claimx.unreported": 0, "claimx.run.id": "r1", "claimx.flagged.statuses": ["never_ran"],
        "claimx.flagged.tools": ["send_email"], "claimx.flagged.calls": [""],
    }  # fmt: skip
    assert "dana@example.com" not in str(found)
    told = attributes_of(receipt_of(checker, FALSE), content=True)
    assert "dana@example.com" in str(told["claimx.flagged.texts"])
    assert "claimx.flagged.statuses" not in attributes_of(receipt_of(checker, TRUE))


@pytest.mark.integration
def test_a_span_carries_attributes_and_an_event(checker: Any) -> None:
    pytest.importorskip("opentelemetry.sdk")
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    tracer = provider.get_tracer("test")
    with tracer.start_as_current_span("invoke_agent"):
        record_receipt(receipt_of(checker, FALSE))
    record_receipt(receipt_of(checker, FALSE))  # outside of any span
    with tracer.start_as_current_span("other") as span:
        pass
    record_receipt(receipt_of(checker, FALSE), span=span)  # ended: left alone
    first, other = exporter.get_finished_spans()
    assert first.attributes["claimx.verdict"] == "fabricated"
    assert first.attributes["claimx.flagged.statuses"] == ("never_ran",)
    assert [e.name for e in first.events] == ["claimx.receipt"]
    assert first.status.is_unset
    assert not other.attributes


def test_a_flagged_receipt_is_a_warning_and_another_information(checker: Any, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, logger="claimx"):
        log_receipt(receipt_of(checker, FALSE))
        log_receipt(receipt_of(checker, TRUE))
    assert [(r.name, r.levelname, r.getMessage()) for r in caplog.records] == [
        ("claimx", "WARNING", "claimx receipt r1: fabricated, 1 of 2 claims flagged"),
        ("claimx", "INFO", "claimx receipt r1: ok, 0 of 1 claims flagged"),
    ]
    assert caplog.records[0].claimx["claimx.verdict"] == "fabricated"
