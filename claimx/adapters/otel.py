"""Exports of OpenTelemetry: each span and each event in the logs is read by the conventions that it follows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from claimx.adapters import genai, langfuse, openinference
from claimx.adapters.found import Found, Reading, fault, note
from claimx.adapters.logs import holds_logs, is_telling, logs_of
from claimx.adapters.logs import step_of as step_of_log
from claimx.adapters.plain import mapping
from claimx.adapters.spans import Span, holds_spans, spans_of
from claimx.adapters.steps import Step
from claimx.adapters.tracebuffer import read_steps
from claimx.records import Record

#: The most telling first.
_CONVENTIONS: tuple[tuple[Any, str], ...] = (
    (openinference, openinference.NAME),
    (langfuse, langfuse.SPANS),
    (genai, genai.NAME),
)


def name_of(sample: Sequence[Any]) -> str | None:
    """Return the conventions that the first spans follow, None when there are none."""
    any_held = False
    for record in sample:
        for span in spans_of(record) if holds_spans(record) else ():
            for conventions, name in _CONVENTIONS:
                if conventions.fits(span):
                    return name
        any_held = any_held or holds_spans(record) or holds_logs(record)
    return genai.NAME if any_held else None


def read(records: Iterable[Record], reading: Reading) -> Iterator[Found]:
    """Read records of spans."""
    return read_steps(_steps(records), reading)


def _steps(records: Iterable[Record]) -> Iterator[tuple[int, Step | Found]]:
    logs = events = 0
    for record in records:
        if record.error is not None:
            yield record.line, Found(record.line, error=record.error)
        elif holds_logs(record.data) or holds_spans(record.data):
            for span in spans_of(record.data) if holds_spans(record.data) else ():
                yield record.line, _step(span)
            logs += holds_logs(record.data)
            for log in filter(is_telling, logs_of(record.data)):
                events += 1
                yield record.line, step_of_log(log, record.line)
        elif "resourceMetrics" in mapping(record.data):
            yield record.line, note(record.line, "metrics hold no contents: they are passed over")
        else:
            what = "no spans here: expected resourceSpans or resourceLogs, or a span with its attributes"
            yield record.line, fault(record.line, what)
    if logs and not events:
        yield 0, note(0, "none of the log records is an event of GenAI's conventions (gen_ai.*)")


def _step(span: Span) -> Step:
    conventions = next((c for c, _ in _CONVENTIONS if c.fits(span)), genai)
    step: Step = conventions.step_of(span)
    return step
