"""Receipts out: attributes and an event on the current span, and a plain logging record. Nothing happens unless called.

Replies, arguments and results stay out by default, since traces and logs travel far; `content=True` puts each flagged
claim's text and reason in.
"""

from __future__ import annotations

import logging
from typing import Any

from claimx.errors import MissingExtraError
from claimx.types import Receipt

EVENT = "claimx.receipt"
LOGGER = "claimx"


def attributes_of(receipt: Receipt, *, content: bool = False) -> dict[str, str | bool | int | list[str]]:
    """Return a receipt as span attributes: verdict, counts, and the statuses, tools and calls of flagged claims."""
    flagged = receipt.flagged
    out: dict[str, str | bool | int | list[str]] = {
        "claimx.verdict": str(receipt.verdict),
        "claimx.ok": receipt.ok,
        "claimx.claims": len(receipt.claims),
        "claimx.claims.flagged": len(flagged),
        "claimx.unreported": len(receipt.unreported),
    }
    if receipt.id:
        out["claimx.run.id"] = receipt.id
    if flagged:
        out["claimx.flagged.statuses"] = [str(c.status) for c in flagged]
        out["claimx.flagged.tools"] = [c.tool or "" for c in flagged]
        out["claimx.flagged.calls"] = [",".join(c.calls) for c in flagged]
        if content:
            out["claimx.flagged.texts"] = [c.action.text for c in flagged]
            out["claimx.flagged.reasons"] = [c.reason for c in flagged]
    return out


def record_receipt(receipt: Receipt, *, span: Any = None, content: bool = False) -> None:
    """Put a receipt on a span, the current one by default: attributes, and an event `claimx.receipt` with the same.

    A flagged receipt does not make the span an error: the agent ran, it is what it said that is wrong. A span that is not
    recording is left alone. Raises MissingExtraError without opentelemetry-api.
    """
    if span is None:
        try:
            from opentelemetry import trace
        except ImportError as e:
            raise MissingExtraError("opentelemetry-api", "otel") from e
        span = trace.get_current_span()
    if span.is_recording():
        attributes = attributes_of(receipt, content=content)
        span.set_attributes(attributes)
        span.add_event(EVENT, attributes)


def log_receipt(receipt: Receipt, *, logger: logging.Logger | None = None, content: bool = False) -> None:
    """Write a receipt to a logger (default: `claimx`): a warning when something is flagged, else information.

    The message is short and holds no claim; the attributes stand in the record's `claimx`, for formatters that write JSON.
    """
    out = logger if logger is not None else logging.getLogger(LOGGER)
    level = logging.INFO if receipt.ok else logging.WARNING
    flagged, claims = len(receipt.flagged), len(receipt.claims)
    extra = {"claimx": attributes_of(receipt, content=content)}
    out.log(
        level,
        "claimx receipt %s: %s, %d of %d claims flagged",
        receipt.id or "-",
        receipt.verdict,
        flagged,
        claims,
        extra=extra,
    )
