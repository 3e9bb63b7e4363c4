"""The desk whose tools and replies the tests of live integrations share."""

from __future__ import annotations

from typing import Any

TRUE = "I've refunded $64 for order HB-20417."
FALSE = "I've refunded $64 for order HB-20417 and sent a confirmation email to dana@example.com."
WRONG = "I've refunded $640 for order HB-20417."
MAIL_FAILED = "I've sent a confirmation email to dana@example.com."


def issue_refund(order_id: str, amount: float) -> dict[str, Any]:
    """Refund an order."""
    return {"order_id": order_id, "amount": amount, "status": "succeeded"}


def send_email(to: str, subject: str) -> dict[str, Any]:
    """Send an e-mail."""
    raise ConnectionError("SMTP connection refused")


def get_order(order_id: str) -> dict[str, Any]:
    """Look an order up."""
    return {"order_id": order_id, "total": 64.0}
