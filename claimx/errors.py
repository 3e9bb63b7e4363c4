"""The exception tree. A doubtful claim is a status and an unreadable value is None: neither raises.

ClaimxError
├── InputError          a record or file that cannot be read: names line, field and remedy
│   ├── FormatError     a shape that no adapter knows
│   └── InputNote       something odd that cost nothing: told, never raised
├── ModelError          a model folder that is missing, damaged or of another version
├── CorpusError         training data that breaks the schema
├── LedgerError         a ledger that cannot be written or read
│   └── VerificationError   a ledger whose signatures or chain do not hold
├── ArchiveError        scoring an archive had to stop: what was done is kept
├── GuardError          a call refused before it ran
├── CompletionError     an action whose state cannot be recorded, read or trusted
├── UnsupportedClaimError   a reply held back because of what its receipt says
└── MissingExtraError   an optional dependency that is not installed
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from claimx.types import Receipt


class ClaimxError(Exception):
    """Base of every error that claimx raises on purpose."""


class InputError(ClaimxError):
    """A record or file that cannot be read.

    `line` is the 1-based number of the input line and `field` the name of the offending field, None when neither applies.
    """

    def __init__(self, message: str, *, line: int | None = None, field: str | None = None) -> None:
        super().__init__(message)
        self.line = line
        self.field = field


class FormatError(InputError):
    """A shape of input that no adapter knows."""


class InputNote(InputError):
    """Something odd in the input that cost no run: told to people, never raised, never a reason to fail."""


class ModelError(ClaimxError):
    """A model folder that is missing, damaged or made for another version."""


class CorpusError(ClaimxError):
    """Training data that breaks the schema."""


class LedgerError(ClaimxError):
    """A ledger that cannot be written or read."""


class VerificationError(LedgerError):
    """A ledger whose digests, chain or signatures do not hold."""


class ArchiveError(ClaimxError):
    """Scoring an archive had to stop; what was done is kept and can be taken up."""


class GuardError(ClaimxError):
    """A call refused before it ran; `error` is the structured error that the model is to get."""

    def __init__(self, message: str, *, error: dict[str, Any] | None = None) -> None:
        super().__init__(message)
        self.error = error or {}


class CompletionError(ClaimxError):
    """An action whose state cannot be recorded, read or trusted: nothing may be told as done."""


class UnsupportedClaimError(ClaimxError):
    """A reply held back: its `receipt` flags claims that the ledger does not support."""

    def __init__(self, receipt: Receipt) -> None:
        super().__init__(receipt.summary)
        self.receipt = receipt


class MissingExtraError(ClaimxError):
    """An optional dependency that is not installed."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f"this needs the package {package!r}: pip install 'claimx[{extra}]'")
        self.package = package
        self.extra = extra
