"""Time the scoring of archives: against extraction alone, on one and on several cores, and how cost and memory grow.

    python benchmarks/archive.py RUNS.jsonl [--cores 1 2] [--grow 1000 10000 100000 1000000] [--model DIR]

RUNS holds runs (`reply`, `tools`, `ledger`) one a line; larger archives repeat them under new ids with new amounts, so that
extraction is shared and matching is not. `taskset` is not needed: each measurement pins itself to as many cores as it is about.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

EXTRACT = """
import json, os, sys, time
os.sched_setaffinity(0, [int(sys.argv[1])])
from claimx.extract import Extractor
extractor = Extractor(sys.argv[3] or None)
replies = [json.loads(x)["reply"] for x in open(sys.argv[2], encoding="utf-8")]
extractor.extract_full(replies[0])
began, cpu = time.perf_counter(), time.process_time()
for reply in replies:
    extractor.extract_full(reply)
print(json.dumps({"seconds": time.perf_counter() - began, "cpu": time.process_time() - cpu, "runs": len(replies)}))
"""


def repeated(rows: list[dict[str, Any]], count: int, *, distinct: bool) -> Iterator[dict[str, Any]]:
    """Yield `count` runs under new ids; with `distinct` every reply is one of its own."""
    for n in range(count):
        row = rows[n % len(rows)]
        calls = [{**c, "note": n} for c in row.get("ledger") or []]
        reply = f"{row['reply']}\n({n})" if distinct else row["reply"]
        yield {**row, "id": f"run-{n:08}", "reply": reply, "ledger": calls, "time": 1767225600 + n % 7_000_000}


def main() -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("runs", type=Path)
    parser.add_argument("--cores", type=int, nargs="*", default=[1, 2])
    parser.add_argument(
        "--count", type=int, default=1500, help="runs with distinct replies for the comparison of rates"
    )
    parser.add_argument("--grow", type=int, nargs="*", default=[1_000, 10_000, 100_000, 1_000_000])
    parser.add_argument("--model", default="")
    args = parser.parse_args()
    rows = [json.loads(x) for x in args.runs.read_text(encoding="utf-8").splitlines() if x.strip()]
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        if args.cores:
            compare(rows, args.count, args.cores, work, args.model)
        for count in args.grow:
            grow(rows, count, work, args.model)
    return 0


def compare(rows: list[dict[str, Any]], count: int, cores: list[int], work: Path, model: str) -> None:
    """Rates on distinct replies: extraction alone on one core, then scoring on each number of cores."""
    path = written(work / "distinct.jsonl", repeated(rows, count, distinct=True))
    cpus = sorted(os.sched_getaffinity(0))
    alone = json.loads(
        subprocess.run(  # noqa: S603  our own interpreter
            [sys.executable, "-c", EXTRACT, str(cpus[0]), str(path), model], check=True, capture_output=True, text=True
        ).stdout
    )
    tell(
        f"extraction alone, one core: {count / alone['seconds']:.1f} replies/s ({alone['cpu'] / count * 1e3:.2f} ms CPU each)"
    )
    first = 0.0
    for n in cores:
        warm = scored(
            written(work / "few.jsonl", repeated(rows, 64 * n, distinct=True)), work / f"w{n}", n, cpus[:n], model
        )
        full = scored(path, work / f"c{n}", n, cpus[:n], model)
        # The start of the workers is measured by itself: an archive is long.
        seconds = full["seconds"] - warm["seconds"] + 64 * n / count * full["seconds"]
        rate, cpu = count / seconds, full["cpu"] - warm["cpu"]
        first = first or rate
        tell(
            f"scoring, {n} core{'s' if n > 1 else ''}: {rate:.1f} runs/s = {rate / (count / alone['seconds']):.2f} x extraction, "
            f"{rate / first:.2f} x the first ({cpu / (count - 64 * n) * 1e3:.2f} ms CPU a run; start {warm['seconds']:.1f} s)"
        )


def grow(rows: list[dict[str, Any]], count: int, work: Path, model: str) -> None:
    """Cost and memory of an archive of repeated replies."""
    path = written(work / "grow.jsonl", repeated(rows, count, distinct=False))
    cpus = sorted(os.sched_getaffinity(0))
    found = scored(path, work / f"g{count}", len(cpus), cpus, model)
    size = sum(p.stat().st_size for p in (work / f"g{count}" / "receipts").iterdir())
    tell(
        f"{count:>9,} runs of {len(rows)} replies: {found['seconds']:8.1f} s, {count / found['seconds']:7.0f} runs/s, "
        f"{found['cpu'] / count * 1e3:6.3f} ms CPU a run, peak {found['peak']:,.0f} MiB in all, {size / count:.0f} B a row"
    )


def scored(path: Path, out: Path, workers: int, cpus: list[int], model: str) -> dict[str, float]:
    """Score an archive by the command line; peak memory is that of all processes together, sampled."""
    command = [
        sys.executable,
        "-m",
        "claimx",
        "score",
        str(path),
        "--out",
        str(out),
        "--workers",
        str(workers),
        "--quiet",
        "--no-report",
    ]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    process = subprocess.Popen(  # noqa: S603  our own interpreter
        command + (["--model", model] if model else []), preexec_fn=lambda: os.sched_setaffinity(0, cpus)
    )
    peak = 0.0
    while process.poll() is None:
        peak = max(peak, memory(process.pid))
        time.sleep(0.2)
    seconds = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if process.returncode:
        raise SystemExit(f"scoring ended with {process.returncode}")
    return {
        "seconds": seconds,
        "cpu": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        "peak": peak,
    }


def memory(root: int) -> float:
    """Proportional set size of a process and its children, MiB."""
    total = 0
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            parent = int((entry / "stat").read_text().rsplit(")", 1)[1].split()[1])
            if int(entry.name) == root or parent == root:
                total += int((entry / "smaps_rollup").read_text().split("Pss:")[1].split()[0])
        except (OSError, ValueError, IndexError):
            continue
    return total / 1024


def written(path: Path, rows: Iterator[dict[str, Any]]) -> Path:
    with path.open("w", encoding="utf-8") as f:
        for row in rows:
            f.write(json.dumps(row) + "\n")
    return path


def tell(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
