"""Time the guard's decision: how it grows with the values that a run has seen, on one thread.

    python benchmarks/guard.py [--repeat 200]

Runs are made up from a seed: order records with ids, amounts, addresses, times and remarks. Each row prints the median
and the 95th percentile, in milliseconds, of deciding on a call whose values were all seen, on one whose order id has two
digits swapped, on one with an amount from nowhere, and on an invented tool; the last column is the time of taking in the
whole run, once. Times are those of the thread on its processor, so that other programs do not count.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from typing import Any

from claimx.guard import Guard, GuardedRun, amount_unmatched, wrong_customer

TOOLS = [
    {"name": n, "parameters": {"type": "object", "properties": {p: {} for p in parameters.split()}}}
    for n, parameters in (
        ("search_orders", "query"), ("get_order", "order_id"), ("track_parcel", "tracking_number"), ("search_policy", "query"),
        ("start_return", "order_id item_id reason"), ("offer_replacement", "order_id item_id"),
        ("issue_refund", "order_id amount_cents email lines note"), ("message_seller", "seller_id body"),
        ("escalate_to_human", "reason"),
    )
]  # fmt: skip
RULES = {
    "issue_refund": [wrong_customer("order_id"), amount_unmatched("amount_cents", of="order_id", amounts="charges")]
}
#: Scalars of one made-up order.
PER_ORDER = 11


def order(rng: random.Random) -> dict[str, Any]:
    return {
        "order_id": f"SU-{rng.randint(10000, 99999)}",
        "customer_id": "cust_1892",
        "email": f"buyer{rng.randint(1, 999)}@example.com",
        "placed_at": f"2026-03-{rng.randint(10, 28)}T10:{rng.randint(10, 59)}:00Z",
        "status": "delivered",
        "charges": [{"cents": rng.randint(500, 99999)}, {"cents": rng.randint(500, 99999)}],
        "tracking_number": f"1Z{rng.randint(10**9, 10**10)}",
        "items": [{"sku": f"SKU-{rng.randint(100, 99999)}", "quantity": rng.randint(1, 5)}],
        "remark": "left with a neighbour at no. 12, call +1 555 010 9988 before 18:00",
    }


def made_up(seed: int, values: int) -> tuple[GuardedRun, dict[str, Any], float]:
    """A run that has seen `values` values, the last of its orders, and the time it took to take them in (ms)."""
    rng = random.Random(seed)  # noqa: S311
    orders = [order(rng) for _ in range(max(1, values // PER_ORDER))]
    run = Guard(TOOLS, rules=RULES).run(user="Please refund my order.", context={"customer_id": "cust_1892"})
    start = time.thread_time()
    for i in range(0, len(orders), 5):
        run.saw({"orders": orders[i : i + 5]}, call_id=f"c{i}", tool="search_orders")
    return run, orders[-1], (time.thread_time() - start) * 1000


def calls(order: dict[str, Any]) -> dict[str, tuple[str, dict[str, Any]]]:
    good = {
        "order_id": order["order_id"],
        "amount_cents": order["charges"][0]["cents"],
        "email": order["email"],
        "lines": [{"sku": order["items"][0]["sku"]}],
    }
    digits = order["order_id"]
    at = next((i for i in range(3, len(digits) - 1) if digits[i] != digits[i + 1]), 3)
    swapped = digits[:at] + digits[at + 1] + digits[at] + digits[at + 2 :]
    return {
        "seen": ("issue_refund", good),
        "swapped id": ("issue_refund", {**good, "order_id": swapped}),
        "no such amount": ("issue_refund", {**good, "amount_cents": 123456789}),
        "invented tool": ("cancel_order", {"order_id": order["order_id"]}),
    }


def main() -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=200)
    args = parser.parse_args()
    names = list(calls(order(random.Random(0))))  # noqa: S311
    head = "".join(f"{n + ' p50 / p95':>28}" for n in names)
    sys.stdout.write(f"{'values':>7}{head}{'taking in':>12}\n")
    for values in (50, 500, 5000):
        cells, taken = [], 0.0
        for name in names:
            times = []
            for i in range(args.repeat):
                if i % 50 == 0:
                    run, last, taken = made_up(i, values)
                tool, given = calls(last)[name]
                start = time.thread_time()
                decision = run.check(tool, given)
                times.append((time.thread_time() - start) * 1000)
                assert decision.allowed == (name == "seen"), decision  # noqa: S101
            times.sort()
            cells.append(f"{statistics.median(times):>19.3f} / {times[int(0.95 * (len(times) - 1))]:.3f}")
        sys.stdout.write(f"{values:7}{''.join(f'{c:>28}' for c in cells)}{taken:>12.1f}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
