"""Reasons say what was looked for, so that a person can contest them."""

from __future__ import annotations

import pytest

from claimx.match.wording import looked_for
from claimx.types import Action, Actor, LedgerEntry, Modality, Tense, TextSpan


def pushed(target: str | None) -> Action:
    span = TextSpan(target, 7, 7 + len(target)) if target else None
    return Action(
        f"pushed {target or ''}",
        0,
        20,
        TextSpan("pushed", 0, 6),
        span,
        "push",
        Tense.PAST,
        Modality.ASSERTED,
        Actor.AGENT,
    )


def calls(*tools: str) -> list[LedgerEntry]:
    return [LedgerEntry(f"c{i}", t) for i, t in enumerate(tools)]


@pytest.mark.parametrize(
    ("target", "ran", "says"),
    [
        ("branch", [], "no call of Bash is in the ledger, nor of another tool that could have done it"),
        ("branch", ["Edit"], "no call of Bash is in the ledger, nor of another tool that could have done it"),
        ("branch", ["Bash"], "the one call of Bash does not show it (push branch), nor does another tool's"),
        ("branch", ["Bash", "Bash"], "none of the 2 calls of Bash shows it (push branch), nor does another tool's"),
        (None, ["Bash", "Bash"], "none of the 2 calls of Bash shows it (push), nor does another tool's"),
    ],
)
def test_where_the_tool_was_called_the_reason_tells_what_no_call_shows(
    target: str | None, ran: list[str], says: str
) -> None:
    assert looked_for(pushed(target), "Bash", calls(*ran)) == says
