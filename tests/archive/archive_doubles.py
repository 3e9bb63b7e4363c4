"""Runs whose verdict is known, and doubles that worker processes import too: an extractor by pattern, engines around it."""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from claimx.archive.intake import Shard
from claimx.archive.local import ScoredShard
from claimx.archive.scoring import Scored, Scorer, Settings
from claimx.types import Action, Actor, Extraction, Modality, Slot, SlotType, Tense, TextSpan

VERBS = {"refunded": "refund", "emailed": "email", "cancelled": "cancel"}


class Words:
    """Finds `I refunded $64 ...` and the like: one claim a sentence. Counts what it reads."""

    def __init__(self, pause: float = 0.0) -> None:
        self.read: list[str] = []
        self.pause = pause

    def extract_full(self, text: str) -> Extraction:
        self.read.append(text)
        if "POISON" in text:
            os._exit(3)
        if "RAISE" in text:
            raise RuntimeError("a fault of the code")
        if self.pause:
            time.sleep(self.pause)
        actions = []
        for clause in re.finditer(r"I (refunded|emailed|cancelled) [^.!\n]*", text):
            start, end = clause.span()
            money = re.search(r"\$(\d+)", clause[0])
            slots = ()
            if money:
                at = start + money.start()
                value = {"amount": money[1], "currency": "USD"}
                slots = (Slot(SlotType.MONEY, money[0], at, at + len(money[0]), value),)
            trigger = TextSpan(clause[1], *clause.span(1))
            actions.append(
                Action(
                    clause[0],
                    start,
                    end,
                    trigger,
                    None,
                    VERBS[clause[1]],
                    Tense.PAST,
                    Modality.ASSERTED,
                    Actor.AGENT,
                    slots,
                )
            )
        return Extraction(tuple(actions))

    def extract_many(self, texts: Iterable[str]) -> list[Extraction]:
        return [self.extract_full(t) for t in texts]


@dataclass(frozen=True, slots=True)
class WordSettings(Settings):
    """Settings of real workers that read with `Words`."""

    pause: float = 0.0

    def make_scorer(self) -> Scorer:
        return Scorer(Words(self.pause), self.options)


class Here:
    """An engine without processes."""

    def __init__(self, words: Words | None = None) -> None:
        self.scorer = Scorer(words or Words())
        self.shards = 0

    def run(
        self, shards: Iterable[Shard], on_chunk: Callable[[Scored], None] = lambda _: None
    ) -> Iterator[ScoredShard]:
        for shard in shards:
            self.shards += 1
            chunks = []
            for items in shard.chunks:
                chunks.append(self.scorer.score(items))
                on_chunk(chunks[-1])
            yield ScoredShard(shard, chunks)


def make_run(n: int, what: str = "true", **fields: Any) -> dict[str, Any]:
    """A run that tells the truth, misquotes an amount, invents a refund, or claims nothing."""
    amount = 10 + n % 7
    call = {"id": "c1", "tool": "issue_refund", "args": {"amount": amount}, "result": {"ok": True}}
    said = {"true": amount, "misquoted": amount + 100, "invented": amount}
    reply = f"I refunded ${said[what]} today." if what in said else "How can I help?"
    return {
        "id": f"r{n:04}",
        "reply": reply,
        "tools": ["issue_refund", "send_email"],
        "ledger": [call] if what in ("true", "misquoted") else [],
        "time": f"2026-03-{1 + n % 28:02}T{n % 24:02}:00:00Z",
        "agent": ("support", "billing")[n % 2],
        "model": "m-1",
        **fields,
    }


def mixed(count: int) -> list[dict[str, Any]]:
    """Runs of every sort: of ten, one invents, one misquotes, two claim nothing."""
    return [
        make_run(n, {3: "invented", 6: "misquoted", 8: "nothing", 9: "nothing"}.get(n % 10, "true"))
        for n in range(count)
    ]


def write_lines(path: Path, rows: list[Any]) -> Path:
    path.write_text("".join((r if isinstance(r, str) else json.dumps(r)) + "\n" for r in rows), encoding="utf-8")
    return path
