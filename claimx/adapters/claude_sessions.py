"""Where Claude Code keeps its sessions, their sub-agents' files beside them, and the last message read from a file's end."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

from claimx.adapters.claude_blocks import blocks_of, text_in
from claimx.adapters.claude_transcript import Complain, Session, is_claude_code, read_runs
from claimx.errors import InputError
from claimx.records import open_input, read_records
from claimx.types import LedgerEntry, Run

_BLOCK = 1 << 16


def config_folder() -> Path:
    """Return the folder of Claude Code's settings and sessions: `CLAUDE_CONFIG_DIR`, else `~/.claude`."""
    given = os.environ.get("CLAUDE_CONFIG_DIR")
    return Path(given) if given else Path.home() / ".claude"


def find_session(name: str, folder: Path | None = None) -> Path:
    """Return the transcript that `name` stands for: `last` (the newest), a path, or the start of a session's id.

    Raises InputError when there is none, or more than one.
    """
    if name != "last" and Path(name).is_file():
        return Path(name)
    home = (folder or config_folder()) / "projects"
    found = [p for p in home.glob("*/*.jsonl") if not p.name.startswith("agent-")]
    if not found:
        raise InputError(
            f"no session of Claude Code under {home}: give the path of a transcript, or set CLAUDE_CONFIG_DIR"
        )
    if name == "last":
        return max(found, key=lambda p: (p.stat().st_mtime_ns, p.name))
    fitting = [p for p in found if p.stem.startswith(name)]
    if len(fitting) == 1:
        return fitting[0]
    what = f"{len(fitting)} sessions start" if fitting else "no session starts"
    raise InputError(f"{what} with {name!r} under {home}: give 'last', a path, or more of the id")


def read_session(path: Path, *, turns: str = "last", complain: Complain | None = None) -> Iterator[Run]:
    """Yield the runs of a session with its sub-agents' calls; see `read_runs`."""
    agents = [a for file in agent_files(path) for a in read_agent(file, complain=complain)]
    with open_input(str(path)) as stream:
        yield from read_runs(stream, turns=turns, name=path.stem[:8], agents=agents, complain=complain)


def agent_files(path: Path) -> list[Path]:
    """Return the files of a session's sub-agents, those that compact its context left out."""
    return sorted(f for f in path.with_suffix("").glob("**/agent-*.jsonl") if not f.name.startswith("agent-acompact"))


def read_agent(path: Path, *, complain: Complain | None = None) -> list[tuple[str, LedgerEntry]]:
    """Return the calls of a sub-agent's file with the times by which they had run."""
    agent = path.stem.removeprefix("agent-")
    try:
        meta = json.loads(path.with_suffix(".meta.json").read_text(encoding="utf-8"))
        agent = str(meta.get("toolUseId") or agent)
    except (OSError, ValueError, AttributeError):
        pass  # older versions write no such file: the agent's own id stands for the call
    session = Session(agent=agent, complain=complain)
    with open_input(str(path)) as stream:
        for _ in session.drafts(read_records(stream)):
            pass
    return [(str(e.ended_at or e.started_at or ""), e) for e in session.calls.values()]


def last_reply(path: Path, *, own: bool = False) -> str:
    """Return the text of the last assistant message, read from the file's end; empty when the user's words came later.

    `own` tells that the file is a sub-agent's own, whose lines are all marked as aside.
    """
    parts: list[str] = []
    message: str | None = None
    for line in lines_backwards(path):
        try:
            data = json.loads(line)
        except ValueError:
            continue  # a line still being written
        if (
            not is_claude_code(data)
            or data["type"] not in ("user", "assistant")
            or (data.get("isSidechain") and not own)
        ):
            continue
        blocks = blocks_of(data["message"].get("content"))
        text = text_in(blocks)
        if data["type"] == "user":
            if message is not None or not data.get("isMeta"):
                break
            continue
        key = str(data["message"].get("id") or data.get("uuid"))
        if message is not None and key != message:
            break
        message = key
        if text and not data.get("isApiErrorMessage"):
            parts.append(text)
    return "\n\n".join(reversed(parts))


def lines_backwards(path: Path) -> Iterator[bytes]:
    """Yield the lines of a file from its last to its first, blank ones left out."""
    with path.open("rb") as stream:
        at = stream.seek(0, os.SEEK_END)
        rest: list[bytes] = []
        while at > 0:
            size = min(_BLOCK, at)
            at -= size
            stream.seek(at)
            block = stream.read(size)
            pieces = block.split(b"\n")
            if len(pieces) == 1:
                rest.append(block)
                continue
            last = pieces[-1] + b"".join(reversed(rest))
            if last.strip():
                yield last
            yield from (p for p in reversed(pieces[1:-1]) if p.strip())
            rest = [pieces[0]]
        first = b"".join(reversed(rest))
        if first.strip():
            yield first
