"""The words of the project as types: actions, slots, ledger entries, runs and receipts. Standard library only.

Every type that leaves the process has `to_dict` and `from_dict`; the JSON shapes are those of the documentation
("What claimx reads, writes and means"). Offsets are Unicode code points into the reply as given, end exclusive.
"""

from __future__ import annotations

from claimx.types.kinds import (
    FLAGGED,
    Actor,
    CallStatus,
    ClaimStatus,
    CompletionState,
    Modality,
    SlotType,
    Tense,
    Verdict,
)
from claimx.types.receipt import Candidate, JudgedClaim, JudgedValue, Mismatch, Receipt
from claimx.types.run import LedgerEntry, Run, Tool
from claimx.types.text import Action, Extraction, Slot, TextSpan

__all__ = [
    "FLAGGED",
    "Action",
    "Actor",
    "CallStatus",
    "Candidate",
    "ClaimStatus",
    "CompletionState",
    "Extraction",
    "JudgedClaim",
    "JudgedValue",
    "LedgerEntry",
    "Mismatch",
    "Modality",
    "Receipt",
    "Run",
    "Slot",
    "SlotType",
    "Tense",
    "TextSpan",
    "Tool",
    "Verdict",
]
