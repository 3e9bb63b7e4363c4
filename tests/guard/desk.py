"""A made-up shop's support desk: its tools and the records that its tools return."""

from __future__ import annotations

from typing import Any

TOOLS: list[dict[str, Any]] = [
    {"name": "search_orders", "parameters": {"type": "object", "properties": {"query": {"type": "string"}}}},
    {"name": "get_order", "parameters": {"type": "object", "properties": {"order_id": {"type": "string"}}}},
    {"name": "track_parcel", "parameters": {"type": "object", "properties": {"tracking_number": {"type": "string"}}}},
    {
        "name": "issue_refund",
        "parameters": {
            "type": "object",
            "properties": {
                "order_id": {"type": "string"},
                "amount_cents": {"type": "integer"},
                "reason": {"enum": ["damaged", "late", "lost"]},
                "lines": {
                    "type": "array",
                    "items": {"type": "object", "properties": {"item_id": {}, "quantity": {"type": "integer"}}},
                },
            },
            "required": ["order_id", "amount_cents"],
        },
    },
    {"name": "send_email", "parameters": {"type": "object", "properties": {"to": {}, "subject": {}, "body": {}}}},
    {"name": "escalate_to_human", "parameters": {"type": "object", "properties": {"reason": {"type": "string"}}}},
]
ORDER = {
    "order_id": "SU-88421",
    "customer_id": "cust_1892",
    "charges": [{"cents": 6400}, {"cents": 450}],
    "items": [{"item_id": "IT-771", "name": "Blue mug", "quantity": 2}],
    "tracking_number": "1Z9990042187",
    "buyer": {"email": "ann.rowe@example.com", "phone": "+1 555 010 4477"},
    "placed_at": "2026-03-14T10:30:00Z",
    "note": "Neighbour at no. 12 takes parcels; shipping was $4.50.",
}
STRANGER = {"order_id": "SU-88412", "customer_id": "cust_2005", "charges": [{"cents": 6400}]}
GOOD = {"order_id": "SU-88421", "amount_cents": 6400}
