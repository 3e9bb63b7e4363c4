"""`claimx extract`: the actions and values of replies."""

from __future__ import annotations

import argparse
from typing import Any

from claimx.cli.io import Faults, Sink, add_input, batches, exit_code, good_runs, make_extractor
from claimx.records import reply_of
from claimx.types import Run


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    extract = commands.add_parser(
        "extract",
        help="list the actions that replies mention, with tense, modality, actor and values",
        description="Extract the actions and values of each reply. Without --out a table for people is printed.",
        allow_abbrev=False,
    )
    add_input(extract)
    extract.set_defaults(run=_extract)


def _extract(args: argparse.Namespace) -> int:
    extractor = make_extractor(args)
    faults = Faults()
    count = 0
    runs = good_runs(args, faults, _bare)
    with Sink(args.out) as sink:
        for batch in batches(runs):
            texts = [f.run.extra.get(_REPLY, f.run.reply) for f in batch]
            for record, text, found in zip(batch, texts, extractor.extract_many(texts), strict=True):
                count += 1
                row = {"id": record.run.extra.get("id", record.run.id) or str(record.line), **found.to_dict()}
                if sink.file is not None:
                    sink.write(row)
                else:
                    from claimx.report.terminal import print_extraction

                    print_extraction(str(row["id"]), text, found)
    return exit_code(count, faults)


_REPLY = "reply as it came"


def _bare(data: Any, *, line: int | None = None) -> Run:
    """Read the reply of a run alone: its ledger is of no matter here, faulty or not."""
    reply = reply_of(data, line=line)
    return Run("", extra={_REPLY: reply, **({"id": data["id"]} if data.get("id") is not None else {})})
