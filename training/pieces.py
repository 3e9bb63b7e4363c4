"""A reply's labels laid over its word pieces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from claimx.annotate.example import Example
from claimx.extract.labels import ACTORS, MODALITIES, TENSES, tag_id

IGNORED = -100


@dataclass(frozen=True, slots=True)
class Labels:
    """Labels per piece: tags (pieces,), attributes (pieces, 3) at first pieces of triggers, links (pieces,).

    A link is the index of the first piece of the action's trigger, -1 for none, IGNORED where no span starts.
    """

    tags: np.ndarray
    attributes: np.ndarray
    links: np.ndarray


def label_pieces(example: Example, offsets: Sequence[tuple[int, int]]) -> Labels:
    """Lay an example's labels over its pieces. A piece belongs to a span when it overlaps it."""
    n = len(offsets)
    starts = np.array([s for s, _ in offsets], dtype=np.int64)
    ends = np.array([e for _, e in offsets], dtype=np.int64)
    tags = np.zeros(n, dtype=np.int64)
    attributes = np.full((n, 3), IGNORED, dtype=np.int64)
    links = np.full(n, IGNORED, dtype=np.int64)

    def lay(kind: str, start: int, end: int) -> int | None:
        at = np.flatnonzero((starts < end) & (ends > start))
        if not len(at):
            return None
        tags[at] = tag_id("I", kind)
        tags[at[0]] = tag_id("B", kind)
        return int(at[0])

    for v in example.values:
        first = lay(v["type"], v["start"], v["end"])
        if first is not None:
            links[first] = -1
    for a in example.actions:
        trigger = lay("ACTION", a["trigger"]["start"], a["trigger"]["end"])
        if trigger is None:
            continue
        attributes[trigger] = (
            TENSES.index(a["tense"]),
            MODALITIES.index(a["modality"]),
            ACTORS.index(a["actor"]),
        )
        dependents = [("OBJECT", a["object"])] if a["object"] else []
        for kind, span in dependents + [(s["type"], s) for s in a["slots"]]:
            first = lay(kind, span["start"], span["end"])
            if first is None:
                continue
            # A span shared by several actions is learned with the nearest of them.
            if links[first] < 0 or abs(links[first] - first) > abs(trigger - first):
                links[first] = trigger
    return Labels(tags, attributes, links)
