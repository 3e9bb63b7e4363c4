"""What recording adds to a call, store by store: `python benchmarks/ledger.py [URL ...]` (default: memory, JSONL, SQLite)."""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

from claimx.ledger import HmacKey, JsonlStore, Ledger, MemoryStore, Store, open_store, verify
from claimx.ledger.keyring import Keyring

CALLS = 200
ARGS = {"order_id": "HB-20417", "amount": 8.45, "lines": [{"sku": f"SKU-{i}", "qty": i} for i in range(10)]}


def main(addresses: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        stores: dict[str, Store] = {
            "memory": MemoryStore(),
            "JSON lines": JsonlStore(Path(folder) / "a.jsonl"),
            "JSON lines, sync=False": JsonlStore(Path(folder) / "b.jsonl", sync=False),
        }
        try:
            from claimx.ledger.stores.sql import SqlStore

            stores["SQLite, FULL"] = SqlStore(Path(folder) / "a.db")
            stores["SQLite, NORMAL"] = SqlStore(Path(folder) / "b.db", synchronous="NORMAL")
        except ImportError:
            pass
        stores |= {a.split("://")[0]: open_store(a) for a in addresses}
        for name, store in stores.items():
            measure(name, store)


def measure(name: str, store: Store) -> None:
    key = HmacKey.generate("k")
    with Ledger(store, signer=key) as ledger:
        tool = ledger.tool(lambda **args: {"ok": True, **args}, name="refund")
        times, cpu = [], time.process_time()
        for _ in range(CALLS):
            start = time.perf_counter()
            tool(**ARGS)
            times.append((time.perf_counter() - start) * 1000)
        cpu = (time.process_time() - cpu) * 1000 / CALLS
        rows = ledger.rows()
        start = time.process_time()
        assert verify(rows, Keyring.of(key)).ok  # noqa: S101
        took = (time.process_time() - start) * 1000 / len(rows)
    p50, p95 = statistics.median(times), statistics.quantiles(times, n=20)[-1]
    print(
        f"{name:24} a call: p50 {p50:6.2f} ms  p95 {p95:6.2f} ms  CPU {cpu:5.2f} ms   verifying a row: CPU {took:.3f} ms"
    )


if __name__ == "__main__":
    main(sys.argv[1:])
