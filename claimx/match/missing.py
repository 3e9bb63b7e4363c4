"""Ledgers that are not whole: what only the absence of a call speaks against is left open where that call may be missing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from claimx.types import Action, ClaimStatus, JudgedClaim, LedgerEntry, Run

#: The field of a run, and of an entry whose work was done by calls of its own, that says why calls may be missing.
FIELD = "calls_missing"
_WORD = re.compile(r"[a-z]{3,}")
#: Characters of a word that stay the same in its forms, and of an entry's contents that are looked at.
_STEM, _MOST = 5, 20_000


class Missing:
    """What a run tells of calls that its ledger may lack."""

    def __init__(self, run: Run) -> None:
        why = run.extra.get(FIELD)
        self.why = why if isinstance(why, str) else ""
        self.entries: Sequence[LedgerEntry] = [e for e in run.ledger if isinstance(e.extra.get(FIELD), str)]

    def spare(self, judged: JudgedClaim) -> JudgedClaim:
        """Leave a claim open that no call bears out, if the call that would may be one of those that are missing."""
        if judged.status is not ClaimStatus.NEVER_RAN or not (self.why or self.entries):
            return judged
        if self.why:
            reason = f"{judged.reason}, but calls may be missing from it: {self.why}"
            return replace(judged, status=ClaimStatus.UNVERIFIED, reason=reason)
        for entry in self.entries:
            if _tells(entry, judged.action):
                reason = f"{judged.reason}, but {entry.id} ({entry.tool}) tells of it: {entry.extra[FIELD]}"
                return replace(judged, status=ClaimStatus.UNVERIFIED, reason=reason)
        return judged


def _tells(entry: LedgerEntry, action: Action) -> bool:
    """Whether what an entry was given or gave back mentions the deed or the thing of an action."""
    held = f"{entry.args}"[:_MOST] + f" {entry.result}"[:_MOST]
    known = {w[:_STEM] for w in _WORD.findall(held.lower())}
    said = f"{action.trigger.text} {action.verb} {action.object.text if action.object else ''}".lower()
    return any(w[:_STEM] in known for w in _WORD.findall(said) if w not in _EMPTY)


_EMPTY = frozenset("the and that this them all both every each have has been done did for with its".split())
