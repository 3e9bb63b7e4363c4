"""A receipt's page shows the recorded calls folded up, escaped, with their status."""

from __future__ import annotations

from claimx.report.receipt_html import receipt_html
from claimx.types import CallStatus, LedgerEntry, Receipt, Verdict


def test_the_recorded_calls_stand_below_a_receipt() -> None:
    calls = (
        LedgerEntry("c1", "send<b>", {"to": "<script>"}, {"ok": True}),
        LedgerEntry("c2", "refund", {}, None, CallStatus.ERROR, error="declined"),
    )
    page = receipt_html(Receipt("r", Verdict.OK, "Fine."), reply="Hi", calls=calls, page=True)
    assert "<summary>2 recorded calls</summary>" in page
    assert "send&lt;b&gt;" in page
    assert "<script>" not in page
    assert ">error</b>" in page
    assert 'aria-label="result of c2"' in page
    assert "declined" in page
    assert "<summary>" not in receipt_html(Receipt("r", Verdict.OK, "Fine."), reply="Hi")


def test_many_calls_are_cut_and_counted() -> None:
    calls = [LedgerEntry(f"c{i}", "t", "x" * 9000) for i in range(205)]
    page = receipt_html(Receipt("r", Verdict.OK, "Fine."), calls=calls)
    assert "205 recorded calls" in page
    assert "and 5 more" in page
    assert len(page) < 1_000_000
