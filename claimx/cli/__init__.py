"""The command line: each command is a thin shell over a function of the library, in a module of its own.

Exit codes: 0 nothing flagged, 1 something flagged, 2 wrong usage or unreadable input.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

from claimx._version import __version__
from claimx.cli.io import BAD_INPUT, OK, complain
from claimx.errors import ClaimxError

#: Modules of this package in the order of the help. A command's module imports what is heavy inside its functions.
COMMANDS = tuple("check extract ledger audit guard hook score view annotate redact train evaluate export".split())


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    argv = sys.argv[1:] if argv is None else list(argv)
    args = make_parser(argv[0] if argv else None).parse_args(argv)
    try:
        return int(args.run(args))
    except ClaimxError as e:
        complain(str(e))
        return BAD_INPUT
    except BrokenPipeError:
        sys.stderr.close()
        return OK


def make_parser(only: str | None = None) -> argparse.ArgumentParser:
    """Make the parser of the whole command line; where `only` is a command, without what the others need."""
    parser = argparse.ArgumentParser(
        prog="claimx", description="Catch AI agents claiming what they never did.", allow_abbrev=False
    )
    parser.add_argument("--version", action="version", version=f"claimx {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name in (only,) if only in COMMANDS else COMMANDS:
        import_module(f"claimx.cli.{name}").add(commands)
    return parser
