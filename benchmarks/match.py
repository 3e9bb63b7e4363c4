"""Time pure matching (no extraction): how it grows with claims, calls and known tools, on one thread.

    python benchmarks/match.py [--repeat 20]

Runs are made up from a seed: order, mail and calendar tools in several naming conventions, some of them called, and
claims about calls that worked, that failed and that never ran. Prints the least, the median and the 95th percentile of the
thread's own processor time in milliseconds, which other work on the machine still stretches: the least tells most there.
Every run is new to the matcher, only tool definitions repeat.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time

from claimx.match import judge
from claimx.types import (
    Action,
    Actor,
    CallStatus,
    Extraction,
    LedgerEntry,
    Modality,
    Run,
    Slot,
    SlotType,
    Tense,
    TextSpan,
    Tool,
)
from claimx.verbs import family

VERBS = "cancel create update send refund schedule archive assign export approve delete book pay merge deploy".split()
NOUNS = (
    "order ticket invoice reservation message parcel subscription report contact task address prescription branch playlist "
    "vehicle certificate policy shipment budget door"
).split()
#: Share of the calls that only look something up, as in recorded runs.
LOOKUPS = 0.6
PAST = {"send": "sent", "schedule": "scheduled", "create": "created", "update": "updated", "archive": "archived"}


def made_up(rng: random.Random, claims: int, calls: int, tools: int) -> tuple[Extraction, Run]:
    """A run with its extraction: `claims` claims, `calls` calls, `tools` known tools."""
    names = [f"{v}_{n}" for v in VERBS for n in NOUNS]
    lookups = [f"{v}_{n}" for v in ("get", "search") for n in NOUNS]
    picked = rng.sample(names, max(2, tools * 4 // 5)) + rng.sample(lookups, min(len(lookups), max(1, tools // 5)))
    known = tuple(Tool(n, f"{n.replace('_', ' ').capitalize()} for a customer.") for n in picked)
    writes = [t for t in known if t.name.split("_")[0] in VERBS]
    reads = [t for t in known if t not in writes]
    ledger = []
    for i in range(calls):
        args = {
            "id": f"RF-{rng.randint(1000, 9999)}",
            "amount": rng.randint(100, 99999) / 100,
            "note": "as agreed on the phone",
        }
        result = {
            "status": "done",
            "record": {
                "id": args["id"],
                "updated_at": f"2026-03-{rng.randint(10, 28)}T{rng.randint(10, 23)}:{rng.randint(10, 59)}:{rng.randint(10, 59)}Z",
                "lines": [{"price": 1.5}] * 3,
            },
        }
        status = CallStatus.ERROR if rng.random() < 0.1 else CallStatus.SUCCESS
        ledger.append(
            LedgerEntry(f"c{i}", rng.choice(reads if rng.random() < LOOKUPS else writes).name, args, result, status)
        )
    text, actions = "", []
    for _ in range(claims):
        done = [e for e in ledger if e.tool.split("_")[0] in VERBS]
        entry = rng.choice(done) if done else LedgerEntry("c0", writes[0].name, {"id": "RF-1", "amount": 1.0})
        verb, noun = entry.tool.split("_")[:2]
        trigger = PAST.get(verb, verb + ("d" if verb.endswith("e") else "ed"))
        ref = entry.args["id"] if rng.random() < 0.8 else "RF-0000"
        sum_ = f"${entry.args['amount']:.2f}"
        clause = f"I have {trigger} the {noun} {ref} for {sum_}."
        at = len(text)
        where = {w: at + clause.index(w) for w in (trigger, noun, ref, sum_)}
        actions.append(
            Action(
                clause, at, at + len(clause),
                TextSpan(trigger, where[trigger], where[trigger] + len(trigger)),
                TextSpan(noun, where[noun], where[noun] + len(noun)),
                family(trigger, noun, clause), Tense.PAST, Modality.ASSERTED, Actor.AGENT,
                (
                    Slot(SlotType.ID, ref, where[ref], where[ref] + len(ref)),
                    Slot(SlotType.MONEY, sum_, where[sum_], where[sum_] + len(sum_)),
                ),
            )
        )  # fmt: skip
        text += clause + " "
    return Extraction(tuple(actions)), Run(text, tuple(ledger), known)


def main() -> int:
    """Run the benchmark."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeat", type=int, default=20)
    args = parser.parse_args()
    rows = [
        (1, 10, 10),
        (10, 10, 10),
        (10, 50, 50),
        (10, 200, 50),
        (10, 50, 200),
        (10, 200, 200),
        (10, 1000, 200),
        (10, 2000, 200),
        (40, 200, 200),
        (200, 200, 200),
        (2000, 200, 200),
    ]
    sys.stdout.write(f"{'claims':>7} {'calls':>7} {'tools':>7} {'least ms':>9} {'p50 ms':>9} {'p95 ms':>9}\n")
    for claims, calls, tools in rows:
        times = []
        for i in range(args.repeat if claims * calls <= 20_000 else max(1, args.repeat // 10)):
            extraction, run = made_up(random.Random(i), claims, calls, tools)  # noqa: S311
            start = time.thread_time()
            judge(extraction, run)
            times.append((time.thread_time() - start) * 1000)
        times.sort()
        p95 = times[int(0.95 * (len(times) - 1))]
        figures = f"{times[0]:9.2f} {statistics.median(times):9.2f} {p95:9.2f}"
        sys.stdout.write(f"{claims:7} {calls:7} {tools:7} {figures}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
