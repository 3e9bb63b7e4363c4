"""Lay several model folders side by side: shape, size, time a reply, scores. Prints the table of models/README.md.

    python benchmarks/models.py REPLIES.jsonl MODEL [MODEL ...] [--source tau-bench] [--repeat 5]
        [--scorer "python score_extract.py REPLIES.jsonl LABELS.jsonl"]

REPLIES holds runs (`reply`, `tools`, `ledger`) one a line. Times are the best of several rounds in which all models and
toolreceipt's `check` take turns, so that one busy moment of the machine does not fall on one of them; one thread. The
scorer is a command that takes a file of extractions as its last argument and prints `claim P .. R .. F1 ..` lines.
"""

from __future__ import annotations

import argparse
import json
import re
import shlex
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

#: Columns taken from the scorer's first block: heading, line that starts with, figure on that line.
SCORES = [
    ("claim P", "claim", "P"), ("claim R", "claim", "R"), ("claim F1", "claim", "F1"), ("done P", "done", "P"),
    ("action F1", "action", "F1"), ("slot F1", "slot", "F1"), ("link F1", "link", "F1"), ("joint", "tense", "joint"),
]  # fmt: skip


def shape_of(folder: Path) -> dict[str, Any]:
    """Layers, width, feed-forward neurons and parameters of a model folder."""
    import onnx
    import onnx.numpy_helper

    encoder = json.loads((folder / "config.json").read_text(encoding="utf-8")).get("encoder", {})
    graph = onnx.load(str(folder / "model.onnx")).graph
    sizes = [
        onnx.numpy_helper.to_array(t).size for t in graph.initializer if not t.name.endswith(("_scale", "_zero_point"))
    ]
    return {
        "layers": encoder.get("num_hidden_layers", 12 if encoder else "?"),
        "width": encoder.get("hidden_size", 768 if encoder else "?"),
        "neurons": encoder.get("intermediate_size", 3072 if encoder else "?"),
        "M parameters": round(sum(sizes) / 1e6, 1),
        "MB": round((folder / "model.onnx").stat().st_size / 1e6, 1),
    }


def scores_of(extractor: Any, replies: list[dict[str, Any]], scorer: str) -> dict[str, str]:
    """Run the scorer on what a model extracts and read its first block."""
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "extractions.jsonl"
        with path.open("w", encoding="utf-8") as f:
            for r in replies:
                f.write(json.dumps({"id": r["id"], **extractor.extract_full(r["reply"]).to_dict()}) + "\n")
        done = subprocess.run(  # noqa: S603  the command that the user gave
            [*shlex.split(scorer), str(path)], capture_output=True, text=True, check=False
        )
    if done.returncode != 0:
        raise SystemExit(f"the scorer failed: {done.stderr.strip()[-400:]}")
    block = done.stdout.split("\n==")[0]
    out = {}
    for heading, line, figure in SCORES:
        found = re.search(rf"^\s*{line}\s.*?\b{figure}\s+([\d.]+)", block, re.MULTILINE)
        out[heading] = found[1] if found else "?"
    exact = re.search(r"([\d.]+)% with exactly", block)
    out["exact"] = f"{float(exact[1]) / 100:.3f}" if exact else "?"
    return out


def times_of(extractors: dict[str, Any], runs: list[dict[str, Any]], repeat: int) -> dict[str, list[float]]:
    """Best time of each run for each extractor and for toolreceipt's rules, in milliseconds."""
    import toolreceipt

    def rules(run: dict[str, Any]) -> object:
        ledger = toolreceipt.Ledger(
            [toolreceipt.LedgerEntry(e["tool"], args=e.get("args") or {}) for e in run["ledger"]]
        )
        names = [t if isinstance(t, str) else (t.get("function") or t)["name"] for t in run.get("tools") or []]
        return toolreceipt.check(run["reply"], ledger, known_tools=names)

    calls: dict[str, Any] = {"toolreceipt": rules}
    for name, extractor in extractors.items():
        calls[name] = lambda run, e=extractor: e.extract_full(run["reply"])
    best = {name: [float("inf")] * len(runs) for name in calls}
    for _ in range(repeat):
        for i, run in enumerate(runs):
            for name, call in calls.items():
                start = time.perf_counter()
                call(run)
                best[name][i] = min(best[name][i], (time.perf_counter() - start) * 1000)
    return best


def main() -> int:
    """Print the table as Markdown."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("replies", type=Path)
    parser.add_argument("models", type=Path, nargs="+")
    parser.add_argument("--source", help="time only runs whose field `source` is this")
    parser.add_argument("--repeat", type=int, default=5)
    parser.add_argument("--scorer", help="command that scores a file of extractions")
    args = parser.parse_args()
    from claimx import Extractor

    replies = [json.loads(line) for line in args.replies.read_text(encoding="utf-8").splitlines()]
    extractors = {str(m): Extractor(m) for m in args.models}
    rows = {str(m): shape_of(m) for m in args.models}
    if args.scorer:
        for name, extractor in extractors.items():
            rows[name] |= scores_of(extractor, replies, args.scorer)
    timed = [r for r in replies if not args.source or r.get("source") == args.source]
    best = times_of(extractors, timed, args.repeat)
    base = statistics.mean(best.pop("toolreceipt"))
    for name, ms in best.items():
        mean, p95 = statistics.mean(ms), sorted(ms)[int(0.95 * (len(ms) - 1))]
        rows[name] |= {"ms": f"{mean:.2f}", "p95 ms": f"{p95:.1f}", "ratio": f"{mean / base:.2f}"}
    headings = list(next(iter(rows.values())))
    write = sys.stdout.write
    write(f"toolreceipt {base:.2f} ms a reply (mean of {len(timed)}, best of {args.repeat})\n\n")
    write("| model | " + " | ".join(headings) + " |\n" + "|---" * (len(headings) + 1) + "|\n")
    for name, row in rows.items():
        write(f"| {Path(name).name} | " + " | ".join(str(row[h]) for h in headings) + " |\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
