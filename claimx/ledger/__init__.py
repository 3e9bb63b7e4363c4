"""What the run really did: a recorder that wraps tools, stores, signed and chained rows, their verification, the audit.

Nothing here knows a reply. Databases, Redis and Ed25519 need extras, which are imported where they are used.
"""

from __future__ import annotations

from claimx.ledger.audit import AuditVerdict, Claimed, Finding, audit
from claimx.ledger.binding import Binding
from claimx.ledger.canonical import canonical, digest_of, plain
from claimx.ledger.context import CarryingPool, carry, current_call
from claimx.ledger.folding import fold, make_run, runs_of
from claimx.ledger.keyring import Keyring
from claimx.ledger.keys import Ed25519Key, HmacKey, Signer, Verifier, make_key
from claimx.ledger.masking import mask
from claimx.ledger.proof import check_proof
from claimx.ledger.recorder import Ledger
from claimx.ledger.recording import Recording
from claimx.ledger.row import Kind, Row
from claimx.ledger.stores import JsonlStore, MemoryStore, Store, open_store
from claimx.ledger.verification import Fault, FaultKind, Verification, verify

__all__ = [
    "AuditVerdict", "Binding", "CarryingPool", "Claimed", "Ed25519Key", "Fault", "FaultKind", "Finding", "HmacKey", "JsonlStore",
    "Keyring",
    "Kind", "Ledger", "MemoryStore", "Recording", "Row", "Signer", "Store", "Verification", "Verifier", "audit",
    "canonical", "carry", "check_proof", "current_call", "digest_of", "fold", "make_key", "make_run", "mask", "open_store", "plain", "runs_of",
    "verify",
]  # fmt: skip
