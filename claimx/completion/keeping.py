"""What of errors, reasons and evidence is kept: what redaction leaves of it, and not more than is of use."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Any

from claimx.ledger.canonical import canonical, digest_of, plain
from claimx.ledger.capture import Capture, Redact
from claimx.ledger.hiding import Hidden

#: Characters of an error or a reason, and bytes of evidence, that are kept as they are.
MAX_DETAIL, MAX_EVIDENCE = 4000, 4000
_UNCUT = 2**62
_LEFT_OUT = "left out: its redaction failed"
log = logging.getLogger("claimx.completion")


class Keeping:
    """Applies a redaction. One that fails stops no receipt: what it was given is left out."""

    def __init__(self, redact: Redact | None) -> None:
        self._capture = Capture(redact, max_chars=MAX_DETAIL)
        self._whole = Capture(
            redact, max_chars=_UNCUT, max_bytes=_UNCUT
        )  # of evidence the digest is that of all that was read

    def hidden_in(self, args: Mapping[str, Any], tool: str) -> Hidden:
        """What a redaction keeps back of arguments, to be kept back of the outcome, too."""
        hidden = Hidden()
        _tried(lambda: self._capture.args(args, tool, hidden))
        return hidden

    def text(self, text: str, tool: str, hidden: Hidden | None = None) -> str:
        return str(_tried(lambda: self._capture.error(text, tool, hidden)))

    def evidence(self, evidence: Any, operation: str) -> Any:
        return _tried(lambda: kept_evidence(self._whole.result(evidence, operation)["result"]))


def kept_evidence(evidence: Any) -> Any:
    """Return what is kept of the values that were read: as JSON, long ones as their digest.

    >>> kept_evidence({"status": "closed", "at": None})
    {'status': 'closed', 'at': None}
    >>> sorted(kept_evidence("x" * 5000))
    ['bytes', 'digest']
    """
    value = plain(evidence)
    data = canonical(value)
    return value if len(data) <= MAX_EVIDENCE else {"digest": digest_of(value), "bytes": len(data)}


def _tried(capture: Callable[[], Any]) -> Any:
    try:
        return capture()
    except Exception as error:  # its text may hold what should have been redacted
        log.error("a redaction failed (%s): what it was given is left out", type(error).__name__)
        return _LEFT_OUT
