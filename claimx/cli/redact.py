"""`claimx redact`: runs or labels with stand-ins for ids, amounts, names and addresses, verdicts unchanged."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from claimx.cli.io import BAD_INPUT, OK, Faults, Sink, complain, exit_code
from claimx.errors import InputError
from claimx.records import open_input, read_records


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    redact = commands.add_parser(
        "redact",
        help="put stand-ins in place of ids, amounts, names and addresses, with unchanged verdicts",
        description="Exchange ids, amounts, names and addresses for stand-ins of the same length, the same for the same value "
        "in reply and ledger. Each run is checked before and after: one whose verdict would change is withheld and named. "
        "Nothing leaves this machine.",
        allow_abbrev=False,
    )
    redact.add_argument("input", nargs="?", default="-", help="runs or labels as JSON Lines; - or nothing: stdin")
    redact.add_argument("--out", default="-", metavar="FILE", help="where the redacted records go (default: stdout)")
    redact.add_argument("--key-file", metavar="FILE", help="secret that makes the stand-ins: the same in every file redacted "
                        "with it (default: a new one, forgotten afterwards)")  # fmt: skip
    redact.add_argument("--also", action="append", default=[], metavar="TEXT", help="a further name that must go")
    redact.add_argument("--map", metavar="FILE", help="write what stands for what; keep it as secret as the originals")
    redact.add_argument("--no-check", action="store_true", help="do not prove that the verdicts are unchanged")
    redact.add_argument("--model", metavar="DIR", help="model folder (default: the model shipped with claimx)")
    redact.set_defaults(run=_redact)


def _redact(args: argparse.Namespace) -> int:
    from claimx.checker import Checker
    from claimx.extract import Extractor
    from claimx.redact import Redactor

    redactor = Redactor(
        key=_key(args.key_file), checker=Checker(Extractor(args.model)), terms=args.also, check=not args.no_check
    )
    faults = Faults()
    count = withheld = 0
    stand_ins: dict[str, str] = {}
    with open_input(args.input) as stream, Sink(args.out) as sink:
        for record in read_records(stream):
            if record.error is not None:
                faults.report(record.error)
                continue
            try:
                found = redactor.redact(record.data)
            except InputError as e:
                faults.report(InputError(f"line {record.line}: {e}", line=record.line))
                continue
            if found.record is None:
                withheld += 1
                complain(f"line {record.line}: {found.reason}")
                continue
            count += 1
            stand_ins |= found.stand_ins
            sink.write(found.record)
    if args.map:
        Path(args.map).write_text(json.dumps(stand_ins, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    complain(f"{count} records redacted, {withheld} withheld")
    return BAD_INPUT if withheld else exit_code(count, faults) or OK


def _key(path: str | None) -> bytes | None:
    if path is None:
        return None
    try:
        key = Path(path).read_bytes().strip()
    except OSError as e:
        raise InputError(f"{path}: cannot be read ({e.strerror})") from e
    if len(key) < 16:
        raise InputError(f"{path}: a key needs 16 bytes or more, for instance from 'openssl rand -hex 32'")
    return key
