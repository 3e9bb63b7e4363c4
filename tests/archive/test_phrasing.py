"""Wordings are counted with their values masked, whole, whatever the extraction found of them."""

from __future__ import annotations

import pytest

from claimx.archive.rows import phrasing_of
from claimx.types import Action, Actor, Modality, Slot, SlotType, Tense, TextSpan


def slot(kind: SlotType, text: str, reply: str) -> Slot:
    start = reply.index(text)
    return Slot(kind, text, start, start + len(text))


@pytest.mark.parametrize(
    ("reply", "slots", "wording"),
    [
        ("I sent (INV-44nr 20417)", [(SlotType.ID, "INV-44"), (SlotType.ID, "20417")], "i sent (<ID> <ID>)"),
        ("Upgraded to 512 GB", [(SlotType.COUNT, "51")], "upgraded to <COUNT> gb"),
        ("Paid $5,310.75 today", [], "paid <MONEY> today"),
        ("Paid $5,310.75 today", [(SlotType.MONEY, "$5,310")], "paid <MONEY> today"),
        ("Paid 5.310,75 € to ann@a.example", [], "paid <MONEY> to <CONTACT>"),
        ("Moved HB-20417 to 2026-05-03 at 14:30", [], "moved <ID> to <DATE> at <TIME>"),
        ("Gave 15% off 3 items", [], "gave <PERCENT> off <COUNT> items"),
        ("Booked the 2nd slot of a 5-star hotel.", [], "booked the 2nd slot of a 5-star hotel."),
        ("Told Priya's team.", [(SlotType.PERSON, "Priya")], "told <PERSON>'s team."),
        ("Sent it.", [], "sent it."),
    ],
)
def test_values_are_masked_whole(reply: str, slots: list[tuple[SlotType, str]], wording: str) -> None:
    found = tuple(slot(k, t, reply) for k, t in slots)
    trigger = TextSpan(reply.split()[0], 0, len(reply.split()[0]))
    action = Action(
        text=reply, start=0, end=len(reply), trigger=trigger, object=None, verb="send", tense=Tense.PAST,
        modality=Modality.ASSERTED, actor=Actor.AGENT, slots=found, score=1.0,
    )  # fmt: skip
    assert phrasing_of(action, reply) == wording
