"""The closed label sets of the model's heads and their order in its output. Changing an order needs a new model."""

from __future__ import annotations

from claimx.types import Actor, Modality, SlotType, Tense

ACTION, OBJECT = "ACTION", "OBJECT"
SPAN_TYPES: tuple[str, ...] = (ACTION, OBJECT, *(str(t) for t in SlotType))
#: O, then B- and I- of every span type.
TAGS: tuple[str, ...] = ("O", *(f"{p}-{t}" for t in SPAN_TYPES for p in "BI"))
TENSES: tuple[Tense, ...] = tuple(Tense)
MODALITIES: tuple[Modality, ...] = tuple(Modality)
ACTORS: tuple[Actor, ...] = tuple(Actor)
HEADS: dict[str, int] = {"tags": len(TAGS), "tense": len(TENSES), "modality": len(MODALITIES), "actor": len(ACTORS)}
#: Width of the two projections whose product links an object or slot to its action.
LINK_WIDTH = 48
#: Bucketed signed distances (in pieces) from a dependent to a trigger, for the link head's bias.
DISTANCES: tuple[int, ...] = (-128, -64, -32, -16, -8, -4, -2, 0, 2, 4, 8, 16, 32, 64, 128)


def tag_id(prefix: str, span_type: str) -> int:
    """Return the index of a tag.

    >>> TAGS[tag_id("B", "ID")], TAGS[tag_id("I", "ID")]
    ('B-ID', 'I-ID')
    """
    return 1 + 2 * SPAN_TYPES.index(span_type) + (prefix == "I")
