"""Options of matching from a file and from flags."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from claimx.errors import InputError

if TYPE_CHECKING:
    from claimx.match import MatchOptions


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the flags that say how claims are matched."""
    parser.add_argument("--strict-values", action="store_true", help="flag values that nothing in the run holds")
    parser.add_argument(
        "--ignore-tool", action="append", default=[], metavar="NAME", help="never list it as unreported"
    )
    parser.add_argument(
        "--options",
        metavar="FILE",
        help="a JSON object of options: tool_hints, rules, compare_not, blocking, result_cap, sure, ignore_tools, strict_values",
    )


def options_of(args: argparse.Namespace) -> MatchOptions:
    """Return the options that a file and flags give together. Raises InputError, which names file and field."""
    from claimx.match import MatchOptions

    given = MatchOptions()
    if args.options is not None:
        try:
            data = json.loads(Path(args.options).read_text(encoding="utf-8"))
        except OSError as e:
            raise InputError(f"{args.options}: {e.strerror or e}", field="--options") from e
        except ValueError as e:
            raise InputError(f"{args.options} is no JSON: {e}", field="--options") from e
        if not isinstance(data, dict):
            raise InputError(f"{args.options} holds {type(data).__name__}, expected an object", field="--options")
        try:
            given = MatchOptions.from_dict(data)
        except InputError as e:
            raise InputError(f"{args.options}: {e}", field=e.field) from e
    return replace(
        given,
        strict_values=given.strict_values or args.strict_values,
        ignore_tools=given.ignore_tools | frozenset(args.ignore_tool),
    )
