"""Exports of OpenTelemetry: each span is read by the conventions that it follows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from claimx.adapters import genai, openinference
from claimx.adapters.found import Found, Reading, fault
from claimx.adapters.spans import Span, holds_spans, spans_of
from claimx.adapters.steps import Step
from claimx.adapters.tracebuffer import read_steps
from claimx.records import Record


def name_of(sample: Sequence[Any]) -> str | None:
    """Return the conventions that the first spans follow, None when there are none."""
    for record in sample:
        for span in spans_of(record) if holds_spans(record) else ():
            if openinference.fits(span):
                return openinference.NAME
            if genai.fits(span):
                return genai.NAME
    return genai.NAME if any(holds_spans(r) for r in sample) else None


def read(records: Iterable[Record], reading: Reading) -> Iterator[Found]:
    """Read records of spans."""
    return read_steps(_steps(records), reading)


def _steps(records: Iterable[Record]) -> Iterator[tuple[int, Step | Found]]:
    for record in records:
        if record.error is not None:
            yield record.line, Found(record.line, error=record.error)
        elif not holds_spans(record.data):
            yield (
                record.line,
                fault(record.line, "no spans here: expected resourceSpans, or a span with its attributes"),
            )
        else:
            for span in spans_of(record.data):
                yield record.line, _step(span)


def _step(span: Span) -> Step:
    return openinference.step_of(span) if openinference.fits(span) else genai.step_of(span)
