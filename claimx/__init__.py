"""claimx: catch AI agents claiming what they never did."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from claimx._version import __version__

if TYPE_CHECKING:
    from claimx.checker import Checker, acheck, check
    from claimx.completion import Completions
    from claimx.dropin import Extractor
    from claimx.errors import ClaimxError
    from claimx.guard import Guard
    from claimx.ledger import Keyring, Ledger
    from claimx.report.notebook import render
    from claimx.types import Action, ClaimStatus, Extraction, LedgerEntry, Receipt, Run, Slot, Tool, Verdict

_HOME = {
    "Action": "claimx.types",
    "Checker": "claimx.checker",
    "ClaimStatus": "claimx.types",
    "ClaimxError": "claimx.errors",
    "Completions": "claimx.completion",
    "Extraction": "claimx.types",
    "Extractor": "claimx.dropin",
    "Keyring": "claimx.ledger",
    "Ledger": "claimx.ledger",
    "Guard": "claimx.guard",
    "LedgerEntry": "claimx.types",
    "Receipt": "claimx.types",
    "Run": "claimx.types",
    "Slot": "claimx.types",
    "Tool": "claimx.types",
    "Verdict": "claimx.types",
    "acheck": "claimx.checker",
    "check": "claimx.checker",
    "render": "claimx.report.notebook",
}

__all__ = [
    "Action",
    "Checker",
    "ClaimStatus",
    "ClaimxError",
    "Completions",
    "Extraction",
    "Extractor",
    "Guard",
    "Keyring",
    "Ledger",
    "LedgerEntry",
    "Receipt",
    "Run",
    "Slot",
    "Tool",
    "Verdict",
    "__version__",
    "acheck",
    "check",
    "render",
]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'claimx' has no attribute {name!r}")
    return getattr(import_module(_HOME[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
