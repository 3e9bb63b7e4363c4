"""A reply cut into pieces, each with the claim and the kind of span it belongs to: what every HTML view draws."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

Role = Literal["", "claim", "trigger", "value", "wrong", "gap"]

#: Characters that reorder or hide text, and controls: shown by their number instead of being obeyed.
_UNSEEN = re.compile(
    "[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e"
    "\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e0fff]"
)


@dataclass(frozen=True, slots=True)
class Mark:
    """A claim in a reply: its clause, its trigger, its values and which of them the ledger contradicts."""

    start: int
    end: int
    trigger: tuple[int, int]
    values: tuple[tuple[int, int, bool], ...] = ()
    flagged: bool = False


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of the reply. `claim` is the index of its mark, -1 outside; a `gap` tells how many characters are left out."""

    text: str
    claim: int = -1
    role: Role = ""


def marks_of(claims: Iterable[Mapping[str, Any]]) -> list[Mark]:
    """Return the marks of claims in the shape of the output's rows."""
    out = []
    for c in claims:
        said = {m["claimed"] for m in c["mismatches"]}
        values = tuple((s["start"], s["end"], s["text"] in said) for s in c["slots"])
        out.append(Mark(c["start"], c["end"], (c["trigger_start"], c["trigger_end"]), values, c["flagged"]))
    return out


def pieces_of(reply: str, marks: Sequence[Mark], *, most: int | None = None, around: int = 400) -> list[Piece]:
    """Cut a reply at the borders of its marks. A reply longer than `most` keeps its start and what is around its marks."""
    kept = [(0, len(reply))] if most is None or len(reply) <= most else _windows(reply, marks, most, around)
    cuts = {0, len(reply), *(x for window in kept for x in window)}
    for m in marks:
        cuts |= {m.start, m.end, *m.trigger, *(x for v in m.values for x in v[:2])}
    borders = sorted(c for c in cuts if 0 <= c <= len(reply))
    out: list[Piece] = []
    for start, end in pairwise(borders):
        if not any(a <= start and end <= b for a, b in kept):
            left_out = end - start + (int(out.pop().text) if out and out[-1].role == "gap" else 0)
            out.append(Piece(str(left_out), role="gap"))
            continue
        claim, role = _at(start, end, marks)
        out.append(Piece(visible(reply[start:end]), claim, role))
    return out


def visible(text: str) -> str:
    """Return text with characters that reorder, hide or control shown as their numbers.

    >>> visible("paid \\u202e001")
    'paid ⟨U+202E⟩001'
    """
    return _UNSEEN.sub(lambda m: f"⟨U+{ord(m[0]):04X}⟩", text)


def printable(text: str) -> str:
    """Return text of the same length that no terminal obeys: one sign for each character that controls, hides or reorders.

    >>> printable("paid \\x1b[2J\\u202e001")
    'paid ␛[2J�001'
    """
    signs = _UNSEEN.sub(lambda m: chr(0x2400 + ord(m[0])) if ord(m[0]) < 32 else "\ufffd", text)
    return signs.replace("\r", " ")


def _at(start: int, end: int, marks: Sequence[Mark]) -> tuple[int, Role]:
    """The claim that a stretch belongs to: by trigger or value first, then a flagged one, then the shortest."""
    best: tuple[tuple[int, bool, int], int, Role] | None = None
    for i, m in enumerate(marks):
        wrong = [w for a, b, w in m.values if a <= start and end <= b]
        role: Role = "wrong" if any(wrong) else "value" if wrong else ""
        if m.trigger[0] <= start and end <= m.trigger[1]:
            role = "trigger"
        elif not role and m.start <= start and end <= m.end:
            role = "claim"
        if role:
            key = (2 if role == "wrong" else 1 if role != "claim" else 0, m.flagged, m.start - m.end)
            if best is None or key > best[0]:
                best = (key, i, role)
    return (best[1], best[2]) if best else (-1, "")


def _windows(reply: str, marks: Sequence[Mark], most: int, around: int) -> list[tuple[int, int]]:
    """Stretches to keep: the start, then the flagged claims, then the others, as far as `most` characters go."""
    wanted = [(0, min(around, len(reply)))]
    ordered = sorted(marks, key=lambda m: (not m.flagged, m.start))
    wanted += [(max(0, m.start - around), min(len(reply), min(m.end, m.start + most) + around)) for m in ordered]
    kept: list[tuple[int, int]] = []
    for window in wanted:
        joined = _joined([*kept, window])
        if kept and sum(b - a for a, b in joined) > most:
            continue
        kept = joined
    return kept


def _joined(windows: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    out: list[tuple[int, int]] = []
    for a, b in sorted(windows):
        if out and a <= out[-1][1]:
            out[-1] = (out[-1][0], max(b, out[-1][1]))
        else:
            out.append((a, b))
    return out
