"""`claimx redact`: runs or labels with stand-ins for ids, amounts, names and addresses, verdicts unchanged."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any

from claimx.cli.io import BAD_INPUT, OK, Faults, Sink, add_format, complain, exit_code, runs_in
from claimx.errors import InputError
from claimx.types import Run

_WHOLE = "record as it came"


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    redact = commands.add_parser(
        "redact",
        help="put stand-ins in place of ids, amounts, names and addresses, with unchanged verdicts",
        description="Exchange ids, amounts, names, addresses, accounts and days of birth for stand-ins of the same length, the same for the same value "
        "in reply and ledger. Each run is checked before and after: one whose verdict would change is withheld and named. "
        "Nothing leaves this machine.",
        allow_abbrev=False,
    )
    redact.add_argument("input", nargs="?", default="-", help="runs or labels as JSON Lines, or messages, traces, "
                        "sessions, which come out as runs; - or nothing: stdin")  # fmt: skip
    add_format(redact, turns="all")
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
    records = _records(args, faults)
    first = next(records, None)  # an input that cannot be read begins no output
    if first is not None:
        records = chain([first], records)
    with Sink(args.out) as sink:
        for line, record in records:
            try:
                found = redactor.redact(record)
            except InputError as e:
                faults.report(InputError(f"line {line}: {e}", line=line))
                continue
            if found.record is None:
                withheld += 1
                complain(f"line {line}: {found.reason}")
                continue
            count += 1
            stand_ins |= found.stand_ins
            sink.write(found.record)
    if args.map:
        secret = Path(args.map)
        secret.touch(mode=0o600)
        secret.write_text(json.dumps(stand_ins, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    complain(f"{count} record{'' if count == 1 else 's'} redacted, {withheld} withheld")
    return BAD_INPUT if withheld else exit_code(count, faults) or OK


def _records(args: argparse.Namespace, faults: Faults) -> Iterator[tuple[int, dict[str, Any]]]:
    """Records with their lines: runs and labels with every field they have, what other tools wrote as runs."""

    def whole(data: Any, *, line: int | None = None) -> Run:
        if not isinstance(data, Mapping):
            raise InputError(f"line {line}: not an object", line=line)
        return Run("", extra={_WHOLE: dict(data)})

    for found in runs_in(args.input, args.format, args.turns, faults, whole):
        if found.run is not None:
            record = found.run.extra.get(_WHOLE)
            yield found.line, found.run.to_dict() if record is None else record


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
