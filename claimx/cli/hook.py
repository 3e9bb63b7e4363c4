"""`claimx hook`: the Stop hook of a coding agent, and the commands that put it into the agent's settings and out again."""

from __future__ import annotations

import argparse
import gc
import os
import sys
from pathlib import Path

from claimx.cli.io import OK, complain


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    hook = commands.add_parser(
        "hook",
        help="check a coding agent's last message whenever it stops",
        description="Without an option: answer a hook event from standard input, as Claude Code calls it. Exit code: "
        "0 nothing to say, 2 a claim is not supported (the agent is told and goes on), 1 the hook itself failed.",
        allow_abbrev=False,
    )
    hook.add_argument("agent", choices=["claude-code"], help="the coding agent")
    act = hook.add_mutually_exclusive_group()
    act.add_argument("--install", action="store_true", help="add the hook to the agent's settings")
    act.add_argument("--uninstall", action="store_true", help="take it out again; the settings come back as they were")
    hook.add_argument(
        "--scope",
        choices=["user", "project", "local"],
        default="user",
        help="whose settings: yours (default), the project's, or this checkout's alone",
    )
    hook.add_argument("--warn", action="store_true", help="tell the user and let the agent stop")
    hook.add_argument("--model", metavar="DIR", help="model folder (default: the model shipped with claimx)")
    hook.set_defaults(run=_hook)


def _hook(args: argparse.Namespace) -> int:
    if args.install or args.uninstall:
        return _settle(args)
    from claimx.hooks.claude_stop import NOTICE, answer, parse_event

    # A second's work in a process of its own: nothing to collect, and no threads for arithmetic to wait in.
    gc.disable()
    for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    try:
        said = answer(parse_event(sys.stdin.read()), model=args.model, warn=args.warn)
    except Exception as e:  # whatever fails here must never hold the agent back
        complain(f"hook not run: {e or type(e).__name__}")
        return NOTICE
    sys.stdout.write(said.out)
    sys.stderr.write(said.err)
    gc.freeze()  # what is left goes with the process: nothing of it is looked through once more
    return said.code


def _settle(args: argparse.Namespace) -> int:
    from claimx.adapters.claude_sessions import config_folder
    from claimx.hooks.claude_settings import BACKUP, hook_command, install, settings_file, uninstall

    path = settings_file(args.scope, config=config_folder(), project=Path.cwd())
    if args.uninstall:
        gone = uninstall(path)
        complain(f"{path}: the hook is out" if gone else f"{path}: the hook was not there")
        return OK
    if install(path, hook_command(warn=args.warn)):
        backup = path.with_name(path.name + BACKUP)
        kept = f"; the file before is {backup.name}" if backup.exists() else ""
        complain(
            f"{path}: Claude Code's Stop hook is in{kept}. Undo: claimx hook claude-code --uninstall --scope {args.scope}"
        )
    else:
        complain(f"{path}: the hook is there already")
    return OK
