"""What the signed rows of a run bind: of all that a verdict depends on, what they record and what is only given."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from claimx.errors import VerificationError
from claimx.ledger.canonical import canonical
from claimx.ledger.row import Kind, Row
from claimx.types import Run, Tool

#: Fields of a run that only the guard reads: what else counts as seen, and calls that ask to run.
_OF_GUARD = ("seen", "calls")


@dataclass(frozen=True, slots=True)
class Binding:
    """`bound` names the fields that the signed rows record and that agree with them; `open` those that a verdict depends
    on, that the run gives, and that no signed row holds: they are taken as given."""

    bound: tuple[str, ...]
    open: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {"bound": list(self.bound), "open": list(self.open)}


def bind(run: Run, rows: Sequence[Row], label: str) -> Binding:
    """Hold a run's fields against rows that have been verified; raise VerificationError where one contradicts them.

    Rows of an older release, or of a ledger that records no messages, bind the calls alone: what they say nothing of is
    open, not refused. `label` names the run in messages.
    """
    bound = ["id", "ledger"]
    open_: list[str] = []
    last = rows[-1].body if rows else {}
    closing = last if last.get("role") == "assistant" and last.get("captured", True) else {}
    for name, given, state in (
        ("reply", run.reply != "", _reply(run, closing, label)),
        ("user", run.user is not None, _user(run, rows, label)),
        ("tools", bool(run.tools), _tools(run, closing, label)),
        ("now", run.now is not None, run.now == last.get("at")),
    ):
        if given or state:
            (bound if state else open_).append(name)
    return Binding(tuple(bound), tuple(open_))


def open_to_the_guard(run: Run) -> tuple[str, ...]:
    """Return the fields that only the guard reads and that no row ever records, where the run has them."""
    return tuple(name for name in _OF_GUARD if run.extra.get(name))


def _reply(run: Run, closing: Any, label: str) -> bool:
    if not closing:
        return False
    if closing.get("text") != run.reply:
        raise VerificationError(f"{label}: 'reply' is not the one recorded in row {closing.get('seq')}")
    return True


def _user(run: Run, rows: Sequence[Row], label: str) -> bool:
    said = [r.body for r in rows if r.kind == Kind.MESSAGE and r.body.get("role") == "user"]
    if run.user is None or not said or not said[-1].get("captured", True):
        return False
    if said[-1].get("text") != run.user:
        raise VerificationError(
            f"{label}: 'user' is not the message recorded in row {said[-1].get('seq')}: leave it out and export anew"
        )
    return True


def _tools(run: Run, closing: Any, label: str) -> bool:
    """Whether the rows hold every tool just as the run lists it. One that they hold must not be missing or another."""
    if not isinstance(closing.get("tools"), list):
        return False
    try:
        recorded = {t.name: t.to_dict() for t in map(Tool.from_any, closing["tools"])}
    except ValueError as e:
        raise VerificationError(f"{label}: the recorded tools cannot be read ({e})") from e
    given = {t.name: t.to_dict() for t in run.tools}
    for name, tool in recorded.items():
        if name not in given:
            raise VerificationError(f"{label}: tool {name!r} of the signed rows is missing from its 'tools'")
        for part, value in tool.items():
            if canonical(value) != canonical(given[name].get(part)):
                raise VerificationError(f"{label}: {part!r} of tool {name!r} in 'tools' is not the recorded one")
    return canonical(recorded) == canonical(given)
