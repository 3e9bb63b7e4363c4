"""The exception tree. A doubtful claim is a status and an unreadable value is None: neither raises.

ClaimxError
├── InputError          a record or file that cannot be read: names line, field and remedy
│   └── FormatError     a shape that no adapter knows
├── ModelError          a model folder that is missing, damaged or of another version
├── CorpusError         training data that breaks the schema
├── LedgerError         a ledger that cannot be written or read
│   └── VerificationError   a ledger whose signatures or chain do not hold
├── ArchiveError        scoring an archive had to stop: what was done is kept
├── GuardError          a call refused before it ran
└── MissingExtraError   an optional dependency that is not installed
"""

from __future__ import annotations


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
    """A call refused before it ran."""


class MissingExtraError(ClaimxError):
    """An optional dependency that is not installed."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(f"this needs the package {package!r}: pip install 'claimx[{extra}]'")
        self.package = package
        self.extra = extra
