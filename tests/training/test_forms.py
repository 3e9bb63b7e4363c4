"""The form of a claim is read off the words before its trigger."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.train


@pytest.mark.parametrize(
    ("text", "trigger", "want"),
    [
        ("We have rebooked you on the 9:40.", "rebooked", "first person"),
        ("I went ahead and moved the pickup.", "moved", "first person"),
        ("The dose has been corrected in your file.", "corrected", "passive"),
        ("Your locker was opened remotely.", "opened", "passive"),
        ("The gate is now unlocked.", "unlocked", "result state"),
        ("- Permit renewed until June", "renewed", "list"),
        ("✅ Sensor paired", "paired", "list"),
        ("Registration complete.", "Registration", "nominal"),
        ("Voucher sent.", "sent", "elliptic"),
        ("I saw it. Parcel rerouted.", "rerouted", "elliptic"),
    ],
)
def test_a_form_follows_from_the_words_before_the_trigger(text: str, trigger: str, want: str) -> None:
    from claimx.training.forms import form_of

    start = text.index(trigger)
    assert form_of(text, {"trigger": {"text": trigger, "start": start, "end": start + len(trigger)}}) == want


def test_recall_counts_labelled_claims_and_precision_made_ones() -> None:
    from claimx.training.forms import score_by_form

    from claimx.annotate.example import Example

    def action(text: str, trigger: str) -> dict:
        start = text.index(trigger)
        return {
            "trigger": {"text": trigger, "start": start, "end": start + len(trigger)},
            "object": None, "slots": [], "tense": "past", "modality": "asserted", "actor": "agent",
        }  # fmt: skip

    text = "I moved it. Note sent."
    example = Example("x", text, [action(text, "moved"), action(text, "sent")], [])
    scores = score_by_form([example], [([action(text, "moved"), action(text, "Note")], [])])
    assert scores["first person"] == {"claims": 1, "p": 1.0, "r": 1.0}
    assert scores["elliptic"] == {"claims": 1, "p": 0.0, "r": 0.0}
