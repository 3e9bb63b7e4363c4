"""`claimx extract`: the actions and values of replies."""

from __future__ import annotations

import argparse

from claimx.cli.io import Faults, Sink, add_input, batches, exit_code, good_records, make_extractor
from claimx.records import open_input, read_records, reply_of


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
    with open_input(args.input) as stream, Sink(args.out) as sink:
        for batch in batches(good_records(read_records(stream), faults, reply_of)):
            for (record, text), found in zip(batch, extractor.extract_many([t for _, t in batch]), strict=True):
                count += 1
                row = {"id": record.data.get("id", str(record.line)), **found.to_dict()}
                if sink.file is not None:
                    sink.write(row)
                else:
                    from claimx.report.terminal import print_extraction

                    print_extraction(str(row["id"]), text, found)
    return exit_code(count, faults)
