"""The command line: each command is a thin shell over a function of the library, in a module of its own.

Exit codes: 0 nothing flagged, 1 something flagged, 2 wrong usage or unreadable input.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from claimx._version import __version__
from claimx.cli import (
    annotate,
    audit,
    check,
    evaluate,
    export,
    extract,
    guard,
    hook,
    ledger,
    redact,
    score,
    train,
    view,
)
from claimx.cli.io import BAD_INPUT, OK, complain
from claimx.errors import ClaimxError

#: In the order of the help. A command's module imports what is heavy inside its functions.
COMMANDS = (check, extract, ledger, audit, guard, hook, score, view, annotate, redact, train, evaluate, export)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    args = make_parser().parse_args(argv)
    try:
        return int(args.run(args))
    except ClaimxError as e:
        complain(str(e))
        return BAD_INPUT
    except BrokenPipeError:
        sys.stderr.close()
        return OK


def make_parser() -> argparse.ArgumentParser:
    """Make the parser of the whole command line."""
    parser = argparse.ArgumentParser(
        prog="claimx", description="Catch AI agents claiming what they never did.", allow_abbrev=False
    )
    parser.add_argument("--version", action="version", version=f"claimx {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in COMMANDS:
        command.add(commands)
    return parser
