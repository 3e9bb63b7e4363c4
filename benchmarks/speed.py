"""Time extraction and checking against toolreceipt's rules in one run, one thread each.

    python benchmarks/speed.py REPLIES.jsonl [--source tau-bench] [--repeat 3]

Prints milliseconds a reply (mean, p50, p95) and the ratios; REPLIES holds runs (`reply`, `tools`, `ledger`) one a line.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any


def timed(call: Callable[[dict[str, Any]], object], runs: list[dict[str, Any]], repeat: int) -> list[float]:
    """Best of `repeat` times for every run, in milliseconds."""
    best = [float("inf")] * len(runs)
    for _ in range(repeat):
        for i, run in enumerate(runs):
            start = time.perf_counter()
            call(run)
            best[i] = min(best[i], (time.perf_counter() - start) * 1000)
    return best


def main() -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("replies", type=Path)
    parser.add_argument("--source", help="only runs whose field `source` is this")
    parser.add_argument("--repeat", type=int, default=3)
    args = parser.parse_args()
    runs = [json.loads(line) for line in args.replies.read_text(encoding="utf-8").splitlines()]
    runs = [r for r in runs if not args.source or r.get("source") == args.source]

    cold = time.perf_counter()
    from claimx import Checker, Extractor

    extractor = Extractor()
    extractor.extract_full("I've sent the invoice.")
    cold = time.perf_counter() - cold
    checker = Checker(extractor)

    import toolreceipt

    def rules(run: dict[str, Any]) -> object:
        ledger = toolreceipt.Ledger(
            [toolreceipt.LedgerEntry(e["tool"], args=e.get("args") or {}) for e in run["ledger"]]
        )
        names = [t if isinstance(t, str) else (t.get("function") or t)["name"] for t in run.get("tools") or []]
        return toolreceipt.check(run["reply"], ledger, known_tools=names)

    rows = {
        "toolreceipt check": timed(rules, runs, args.repeat),
        "claimx extract": timed(lambda r: extractor.extract_full(r["reply"]), runs, args.repeat),
        "claimx check": timed(checker.check, runs, args.repeat),
    }
    base = rows["toolreceipt check"]
    write = sys.stdout.write
    write(f"{len(runs)} runs, best of {args.repeat}; cold start (import to first result) {cold:.2f} s\n")
    write(f"{'':20} {'mean':>8} {'p50':>8} {'p95':>8}   ratio of means, of p50\n")
    for name, ms in rows.items():
        ordered = sorted(ms)
        p50, p95 = statistics.median(ms), ordered[int(0.95 * (len(ordered) - 1))]
        write(
            f"{name:20} {statistics.mean(ms):8.2f} {p50:8.2f} {p95:8.2f}   "
            f"{statistics.mean(ms) / statistics.mean(base):.2f}, {p50 / statistics.median(base):.2f}\n"
        )
    write(f"peak resident memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
