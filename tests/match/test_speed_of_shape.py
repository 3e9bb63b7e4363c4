"""Matching stays cheap as runs grow: work is bounded per call, not per pair of calls."""

from __future__ import annotations

from claimx.match import judge
from claimx.records import parse_run
from claimx.types import Action, Actor, Extraction, Modality, Slot, SlotType, Tense, TextSpan


def test_a_large_run_is_judged_claim_by_claim() -> None:
    ledger = [
        {"id": f"c{i}", "tool": f"update_thing_{i}", "args": {"id": f"TH-{1000 + i}"}, "result": {"ok": True}}
        for i in range(200)
    ]
    tools = [f"send_item_{i}" for i in range(200)]
    text = "I updated TH-1007."
    claim = Action(
        text, 0, len(text), TextSpan("updated", 2, 9), None, "update", Tense.PAST, Modality.ASSERTED, Actor.AGENT,
        (Slot(SlotType.ID, "TH-1007", 10, 17),),
    )  # fmt: skip
    receipt = judge(Extraction((claim,)), parse_run({"reply": text, "ledger": ledger, "tools": tools}))
    assert receipt.claims[0].calls == ("c7",)
    assert len(receipt.unreported) == 199
