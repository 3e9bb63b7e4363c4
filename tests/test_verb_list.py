"""How many of the labelled pairs in `cases/verbs.txt` have their family; the last of them are held out from tuning."""

from __future__ import annotations

from pathlib import Path

import pytest

from claimx.verbs import family

CASES = Path(__file__).parent / "cases" / "verbs.txt"
HELD_OUT = 200


def read_pairs() -> list[tuple[str, str | None, str, str]]:
    """Trigger, object, wanted family and clause of each line."""
    pairs = []
    for line in CASES.read_text(encoding="utf-8").splitlines():
        if line.strip() and not line.startswith("#"):
            trigger, target, want, *clause = (part.strip() for part in line.split("|"))
            pairs.append((trigger, None if target == "-" else target, want, clause[0] if clause else ""))
    return pairs


PAIRS = read_pairs()


def test_the_list_is_long_and_has_each_pair_once() -> None:
    assert len(PAIRS) >= 650
    assert len({(t.lower(), (o or "").lower()) for t, o, _, _ in PAIRS}) == len(PAIRS)


@pytest.mark.parametrize(
    ("pairs", "floor"),
    [
        pytest.param(PAIRS[:-HELD_OUT], 0.97, id="tuned"),
        pytest.param(PAIRS[-HELD_OUT:], 0.85, id="held-out"),
    ],
)
def test_pairs_have_their_family(pairs: list[tuple[str, str | None, str, str]], floor: float) -> None:
    misses = []
    for trigger, target, want, clause in pairs:
        got = family(trigger, target, clause)
        if got != want:
            misses.append(f"{trigger} | {target or '-'} | {want}, not {got} | {clause}")
    accuracy = 1 - len(misses) / len(pairs)
    # Misses of the held-out part stay unseen, so that its figure keeps its meaning.
    seen = "\n".join(misses) if len(pairs) > HELD_OUT else f"{len(misses)} held-out pairs"
    assert accuracy >= floor, f"{accuracy:.3f} of {len(pairs)} pairs\n{seen}"
