"""The completion contract: what was attempted, what it came to, whether the system of record shows it, what may be said."""

from __future__ import annotations

from claimx.completion.completions import Completions
from claimx.completion.contract import Contract, Wording
from claimx.completion.document import Completion
from claimx.completion.entries import entries_of, with_states
from claimx.completion.freshness import Freshness
from claimx.completion.gate import Gate, Gated
from claimx.completion.intent import Intent, derive_action_id
from claimx.completion.journal import Verified
from claimx.completion.looking import holds_completions, verify_file
from claimx.completion.outcome import TypedOutcome
from claimx.completion.receipt import AttemptReceipt, RuntimeStatus
from claimx.completion.sqlite import SqliteStore
from claimx.completion.store import CompletionStore, MemoryStore
from claimx.completion.verification import Check, Finding, Reading, Subject, Verifier
from claimx.completion.work import Attempted, Work
from claimx.match.results import Outcome
from claimx.types import CompletionState

__all__ = [
    "AttemptReceipt",
    "Attempted",
    "Check",
    "Completion",
    "CompletionState",
    "CompletionStore",
    "Completions",
    "Contract",
    "Finding",
    "Freshness",
    "Gate",
    "Gated",
    "Intent",
    "MemoryStore",
    "Outcome",
    "Reading",
    "RuntimeStatus",
    "SqliteStore",
    "Subject",
    "TypedOutcome",
    "Verified",
    "Verifier",
    "Wording",
    "Work",
    "derive_action_id",
    "entries_of",
    "holds_completions",
    "verify_file",
    "with_states",
]
