"""What becomes of a reply whose receipt flags something: a note under it, a refusal in its place, or words for the model."""

from __future__ import annotations

from typing import Literal

from claimx.errors import UnsupportedClaimError
from claimx.types import Receipt

#: annotate: the reply with a note; block: a refusal in its place; revise: the model is told and writes again.
Policy = Literal["annotate", "block", "revise"]
REFUSAL = "I can't confirm that what I was about to say was done. Please check before relying on it."
_MOST = 5


def require(receipt: Receipt) -> Receipt:
    """Return a receipt that flags nothing; raise UnsupportedClaimError with any other."""
    if not receipt.ok:
        raise UnsupportedClaimError(receipt)
    return receipt


def annotated(reply: str, receipt: Receipt) -> str:
    """Return a reply with a note that names its unsupported claims, the reply itself when nothing is flagged."""
    if receipt.ok:
        return reply
    said = "; ".join(f"“{c.action.text}” ({str(c.status).replace('_', ' ')})" for c in receipt.flagged[:_MOST])
    return f"{reply}\n\n[Not supported by what was done: {said}]"


def feedback(receipt: Receipt) -> str:
    """Return what to tell the model about a reply that was held back: each claim, why, and what to do now."""
    lines = [f"- “{c.action.text}”: {str(c.status).replace('_', ' ')}: {c.reason}" for c in receipt.flagged[:_MOST]]
    return "\n".join(
        [
            "Your reply claims what the record of your tool calls does not support:",
            *lines,
            "Do it now with your tools, or write the reply again: say what was done and what was not.",
        ]
    )
