"""Reads the cases: a header of JSON and a reply in inline markup, as an extraction and a run."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from claimx.annotate.markup import compile_markup
from claimx.extract.clauses import clauses_of
from claimx.records import parse_run
from claimx.types import Action, Actor, Extraction, Modality, Run, Slot, SlotType, Tense, TextSpan
from claimx.values import normalise
from claimx.verbs import family


@dataclass(frozen=True)
class Case:
    """One run with what must come out of it."""

    id: str
    run: Run
    extraction: Extraction
    want: list[str]
    verdict: str


def extraction_of(marked: str) -> tuple[str, Extraction]:
    """Compile a marked reply to its text and the extraction that a perfect model would give."""
    text, actions, values = compile_markup(marked)

    def slot(s: dict[str, Any]) -> Slot:
        kind = SlotType(s["type"])
        return Slot(kind, s["text"], s["start"], s["end"], normalise(kind, s["text"]))

    groups = [
        [(x["start"], x["end"]) for x in [a["trigger"], *([a["object"]] if a["object"] else []), *a["slots"]]]
        for a in actions
    ]
    out = []
    for a, (start, end) in zip(actions, clauses_of(text, groups), strict=True):
        target = TextSpan.from_dict(a["object"]) if a["object"] else None
        trigger = TextSpan.from_dict(a["trigger"])
        out.append(
            Action(
                text=text[start:end], start=start, end=end, trigger=trigger, object=target,
                verb=family(trigger.text, target.text if target else None, text[start:end]),
                tense=Tense(a["tense"]), modality=Modality(a["modality"]), actor=Actor(a["actor"]),
                slots=tuple(map(slot, a["slots"])),
            )
        )  # fmt: skip
    return text, Extraction(tuple(out), tuple(map(slot, values)))


def _run_of(name: str, text: str, data: dict[str, Any]) -> Run:
    ledger = [dict(zip(("tool", "args", "result", "status", "state"), call, strict=False)) for call in data["ledger"]]
    rest = {k: data[k] for k in ("tools", "user", "now") if k in data}
    return parse_run({"id": name, "reply": text, "ledger": ledger, **rest})


def read_cases(path: Path) -> list[Case]:
    """Read a file of cases: each a header of JSON and its reply, or a reply with variants below it."""
    out = []
    for block in re.split(r"^=== ", path.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        head, _, body = block.partition("\n")
        if head.startswith("{"):
            data = json.loads(head)
            text, extraction = extraction_of(body.strip("\n"))
            out.append(Case(data["id"], _run_of(data["id"], text, data), extraction, data["want"], data["verdict"]))
        else:
            out.extend(_read_variants(head.strip(), body))
    return out


_LETTERS = {
    "C": "confirmed", "M": "misquoted", "F": "tool_failed", "N": "never_ran", "U": "unverified", "X": "unmatched",
}  # fmt: skip


def _read_variants(name: str, body: str) -> list[Case]:
    """One reply and, on a line each, `--- variant | statuses | verdict | ledger`, or an object in the ledger's place."""
    marked, *lines = re.split(r"^--- ", body, flags=re.MULTILINE)
    text, extraction = extraction_of(marked.strip("\n"))
    out = []
    for line in lines:
        variant, statuses, verdict, record = (x.strip() for x in line.split("|", 3))
        data = json.loads(record)
        data = data if isinstance(data, dict) else {"ledger": data}
        case = f"{name}/{variant}"
        want = [_LETTERS[letter] for letter in statuses.replace("-", "")]
        out.append(Case(case, _run_of(case, text, data), extraction, want, verdict))
    return out
