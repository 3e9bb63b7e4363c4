"""Time the scoring of archives: against extraction alone, on one and on several cores, and how cost and memory grow.

What several cores can give at all on a machine is measured too, by extraction alone in as many processes: cores that share
a unit or a budget give less than their number.

    python benchmarks/archive.py RUNS.jsonl [--cores 1 2] [--grow 1000 10000 100000 1000000] [--model DIR]
        [--json benchmarks/archive.json] [--plot docs/archive-cost.svg]

RUNS holds runs (`reply`, `tools`, `ledger`) one a line; larger archives repeat them under new ids, each with a ledger of its own, so
that extraction is shared and matching is not. `taskset` is not needed: each measurement pins itself to as many cores as it is about.
`--in-turn` measures instead how much CPU scoring takes beside extraction alone, chunk by chunk in turn in one process: what else the machine
does then falls on both alike. `--redraw FILE.json` draws the plot of an earlier measurement.
"""

from __future__ import annotations

import argparse
import json
import os
import pickle
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from claimx.archive.intake import CHUNK_RUNS, Intake
from claimx.archive.parcel import Parcel
from claimx.archive.schema import from_batches, to_parquet
from claimx.archive.scoring import Scorer
from claimx.archive.sources import list_sources
from claimx.archive.tally import tally
from claimx.extract import Extractor

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
    parser.add_argument("runs", type=Path, nargs="?")
    parser.add_argument("--cores", type=int, nargs="*", default=[1, 2])
    parser.add_argument(
        "--count", type=int, default=4000, help="runs with distinct replies for the comparison of rates"
    )
    parser.add_argument(
        "--rounds", type=int, default=1, help="compare so often, in turn; the least time of each counts"
    )
    parser.add_argument("--grow", type=int, nargs="*", default=[1_000, 10_000, 100_000, 1_000_000])
    parser.add_argument("--model", default="")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures")
    parser.add_argument("--plot", type=Path, metavar="FILE", help="draw them (.svg or .png; needs matplotlib)")
    parser.add_argument("--redraw", type=Path, metavar="FILE", help="draw the figures of an earlier measurement")
    parser.add_argument("--in-turn", action="store_true", help="compare CPU in turn, on a machine that is not idle")
    args = parser.parse_args()
    if args.redraw:
        draw(json.loads(args.redraw.read_text(encoding="utf-8")), args.plot or Path("archive-cost.svg"))
        return 0
    if args.runs is None:
        parser.error("RUNS is missing: a file of runs, one a line")
    rows = [json.loads(x) for x in args.runs.read_text(encoding="utf-8").splitlines() if x.strip()]
    if args.in_turn:
        in_turn(rows, args.count, args.model)
        return 0
    figures: dict[str, Any] = {
        "cpus": len(os.sched_getaffinity(0)),
        "processor": processor(),
        "python": platform.python_version(),
        "replies": len(rows),
        "rates": [],
        "growth": [],
    }
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        if args.cores:
            figures["rates"] = compare(rows, args.count, args.cores, work, args.model, args.rounds)
            table(
                ("distinct replies", "runs/s", "x extraction", "x one core", "ms CPU a run"),
                [(r["what"], f"{r['rate']:.1f}", f"{r['of_extraction']:.2f}", f"{r['of_first']:.2f}", f"{r['cpu_ms']:.2f}") for r in figures["rates"]],
            )  # fmt: skip
        for count in args.grow:
            figures["growth"].append(grow(rows, count, work, args.model))
        table(
            ("runs", "seconds", "runs/s", "ms CPU a run", "peak MiB", "B a row"),
            [(f"{g['runs']:,}", f"{g['seconds']:.1f}", f"{g['rate']:,.0f}", f"{g['cpu_ms']:.3f}", f"{g['peak_mib']:,.0f}", f"{g['row_bytes']:,.0f}") for g in figures["growth"]],
        )  # fmt: skip
    if args.json:
        args.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    if args.plot:
        draw(figures, args.plot)
    return 0


def compare(
    rows: list[dict[str, Any]], count: int, cores: list[int], work: Path, model: str, rounds: int = 1
) -> list[dict[str, Any]]:
    """Rates on distinct replies: extraction alone and scoring on each number of cores, the least time of the rounds."""
    path = written(work / "distinct.jsonl", repeated(rows, count, distinct=True))
    cpus = sorted(os.sched_getaffinity(0))
    alone: dict[int, list[tuple[float, float]]] = {n: [] for n in sorted({1, *cores})}
    starts: dict[int, list[dict[str, float]]] = {n: [] for n in cores}
    wholes: dict[int, list[dict[str, float]]] = {n: [] for n in cores}
    for i in range(rounds):
        for n, measured in alone.items():
            measured.append(extraction(path, cpus[:n], model))
        for n in cores:
            few = written(work / "few.jsonl", repeated(rows, CHUNK_RUNS * n, distinct=True))  # each worker gets to work
            starts[n].append(scored(few, work / f"w{n}-{i}", n, cpus[:n], model))
            wholes[n].append(scored(path, work / f"c{n}-{i}", n, cpus[:n], model))
        tell(f"round {i + 1} of {rounds}: measured")
    reading = max(rate for rate, _ in alone[1])
    out: list[dict[str, Any]] = [
        {
            "what": f"extraction alone, {named(n)}",
            "cores": n,
            "rate": max(rate for rate, _ in measured),
            "of_extraction": max(rate for rate, _ in measured) / reading,
            "of_first": max(rate for rate, _ in measured) / reading,
            "cpu_ms": min(cpu for _, cpu in measured),
        }
        for n, measured in alone.items()
    ]
    first = 0.0
    for n in cores:
        few_runs = CHUNK_RUNS * n
        start, whole = (min(m["seconds"] for m in of[n]) for of in (starts, wholes))
        # The start of the workers is measured by itself: an archive is long.
        rate = (count - few_runs) / (whole - start)
        cpu = min(m["cpu"] for m in wholes[n]) - min(m["cpu"] for m in starts[n])
        first = first or rate
        out.append(
            {
                "what": f"scoring, {named(n)}",
                "cores": n,
                "rate": rate,
                "of_extraction": rate / reading,
                "of_first": rate / first,
                "cpu_ms": cpu / (count - few_runs) * 1e3,
                "start_seconds": start,
            }
        )
        tell(f"scoring on {n}: the start and the first {few_runs} runs took {start:.1f} s, left out of the rate")
    return out


def in_turn(rows: list[dict[str, Any]], count: int, model: str) -> None:
    """Tell the milliseconds of CPU a run of extraction alone and of all that scoring does, of as many distinct replies."""
    os.sched_setaffinity(0, [min(os.sched_getaffinity(0))])
    clock = time.thread_time
    extractor = Extractor(model or None, threads=1)
    scorer = Scorer(extractor)
    extractor.extract_full(rows[0]["reply"])
    with tempfile.TemporaryDirectory() as folder:
        path = written(Path(folder) / "distinct.jsonl", repeated(rows, count, distinct=True))
        began = clock()
        shards = list(Intake(list_sources([path])).shards())
        intake = clock() - began
    alone = scoring = 0.0
    batches: list[bytes] = []
    for i, items in enumerate(chunk for shard in shards for chunk in shard.chunks):
        for extraction_now in (i % 2 == 0, i % 2 == 1):
            began = clock()
            if extraction_now:
                for item in items:
                    extractor.extract_full(item.run.reply[:-1] + "]")  # as long, and not known yet
                alone += clock() - began
            else:
                sent = pickle.loads(pickle.dumps(Parcel(items)))  # noqa: S301  what we have just written
                batches += pickle.loads(pickle.dumps(scorer.score(sent))).batches  # noqa: S301
                scoring += clock() - began
    began = clock()
    found = from_batches(batches)
    to_parquet(found)
    tally(found)
    out = clock() - began
    whole = scoring + intake + out
    parts = [
        ("extraction alone", alone),
        ("scoring", whole),
        ("of it in the workers", scoring),
        ("reading", intake),
        ("writing", out),
    ]
    table(("in turn", "ms CPU a run"), [(name, f"{part / count * 1e3:.3f}") for name, part in parts])
    tell(f"scoring at {alone / whole:.3f} of the rate of extraction alone")


def named(cores: int) -> str:
    return f"{cores} core{'s' if cores > 1 else ''}"


def extraction(path: Path, cpus: list[int], model: str) -> tuple[float, float]:
    """Runs a second and milliseconds of CPU a run of extraction alone, in one process on each of the CPUs at once."""
    at_work = [
        subprocess.Popen(  # noqa: S603  our own interpreter
            [sys.executable, "-c", EXTRACT, str(cpu), str(path), model], stdout=subprocess.PIPE, text=True
        )
        for cpu in cpus
    ]
    found = []
    for process in at_work:
        told, _ = process.communicate()
        if process.returncode:
            raise SystemExit(f"extraction ended with {process.returncode}")
        found.append(json.loads(told))
    return sum(f["runs"] / f["seconds"] for f in found), sum(f["cpu"] / f["runs"] for f in found) / len(found) * 1e3


def grow(rows: list[dict[str, Any]], count: int, work: Path, model: str) -> dict[str, Any]:
    """Cost and memory of an archive of repeated replies, the start of the workers included."""
    path = written(work / "grow.jsonl", repeated(rows, count, distinct=False))
    cpus = sorted(os.sched_getaffinity(0))
    found = scored(path, work / f"g{count}", len(cpus), cpus, model, sample=True)
    size = sum(p.stat().st_size for p in (work / f"g{count}" / "receipts").iterdir())
    tell(f"{count:,} runs: measured ({found['seconds']:.1f} s)")
    return {
        "runs": count,
        "seconds": found["seconds"],
        "rate": count / found["seconds"],
        "cpu_ms": found["cpu"] / count * 1e3,
        "peak_mib": found["peak"],
        "row_bytes": size / count,
    }


def scored(
    path: Path, out: Path, workers: int, cpus: list[int], model: str, *, sample: bool = False
) -> dict[str, float]:
    """Score an archive by the command line; peak memory is that of all processes together, sampled (which takes CPU of its own)."""
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
    while sample and process.poll() is None:
        peak = max(peak, memory(process.pid))
        time.sleep(0.2)
    process.wait()
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


def draw(figures: dict[str, Any], path: Path) -> None:
    """Draw how time and memory grow with the archive, on logarithmic axes."""
    try:
        import matplotlib
    except ModuleNotFoundError:
        raise SystemExit("the plot needs matplotlib: pip install matplotlib") from None
    matplotlib.use("Agg")
    matplotlib.rcParams.update(
        {"svg.hashsalt": "claimx", "svg.fonttype": "none", "font.size": 10, "axes.spines.top": False}
    )
    from matplotlib import pyplot, ticker

    growth = figures["growth"]
    runs = [g["runs"] for g in growth]
    plot, seconds = pyplot.subplots(figsize=(7.2, 3.6), layout="constrained")
    seconds.plot(runs, [g["seconds"] for g in growth], "o-", color="#1f6feb")
    for g in growth:
        seconds.annotate(
            f"{g['seconds']:,.0f} s", (g["runs"], g["seconds"]), xytext=(0, 8), textcoords="offset points", ha="center", color="#1f6feb"
        )  # fmt: skip
    seconds.set(xscale="log", yscale="log", xlabel="runs in the archive", ylabel="seconds, start included")
    seconds.yaxis.label.set_color("#1f6feb")
    seconds.set_ylim(top=max(g["seconds"] for g in growth) * 3)
    seconds.yaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
    seconds.yaxis.set_minor_locator(ticker.NullLocator())
    for axis in (seconds.xaxis, seconds.yaxis):
        axis.set_major_formatter(ticker.StrMethodFormatter("{x:,.0f}"))
    memory_ = seconds.twinx()
    memory_.plot(runs, [g["peak_mib"] for g in growth], "s--", color="#b35900")
    memory_.set_ylim(0, max(1600, 1.1 * max(g["peak_mib"] for g in growth)))
    memory_.yaxis.set_major_formatter(ticker.StrMethodFormatter("{x:,.0f}"))
    memory_.set_ylabel("peak memory of all processes, MiB")
    memory_.yaxis.label.set_color("#b35900")
    seconds.set_title(f"claimx score on {figures['cpus']} cores", loc="left", fontsize=11)
    plot.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None, dpi=144)


def table(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> None:
    """Print a table in Markdown."""
    if rows:
        widths = [max(len(r[i]) for r in (heads, *rows)) for i in range(len(heads))]
        lines = [heads, tuple("-" * w for w in widths), *rows]
        tell(
            "\n"
            + "\n".join("| " + " | ".join(c.ljust(w) for c, w in zip(r, widths, strict=True)) + " |" for r in lines)
            + "\n"
        )


def processor() -> str:
    """Return the name of the processor, as the kernel tells it."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((x.partition(":")[2].strip() for x in lines if x.startswith("model name")), platform.processor())


def tell(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main())
