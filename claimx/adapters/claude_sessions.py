"""Where Claude Code keeps its sessions, and what stands at the end of one: read backwards, so that its length costs nothing."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from claimx.adapters.claude_blocks import blocks_of, is_message, is_said, text_in
from claimx.adapters.plain import mapping, text
from claimx.errors import InputError
from claimx.records import Record, parse_line

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


def last_reply(path: Path, *, own: bool = False) -> str:
    """Return the text of the last assistant message, read from the file's end; empty when the user's words came later.

    `own` tells that the file is a sub-agent's own, whose lines are all marked as aside.
    """
    parts: list[str] = []
    message: str | None = None
    for line in lines_backwards(path):
        data = mapping(parse_line(line, 0).data)  # a line still being written is none
        if not is_message(data) or (data.get("isSidechain") and not own):
            continue
        if data["type"] == "user":
            if message is not None or not data.get("isMeta"):
                break
            continue
        key = text(data["message"].get("id")) or str(data.get("uuid"))
        if message is not None and key != message:
            break
        message = key
        said = text_in(blocks_of(data))
        if said and not data.get("isApiErrorMessage"):
            parts.append(said)
    return "\n\n".join(reversed(parts))


def last_turn(path: Path, least: int = 0) -> list[Record]:
    """Return the lines since the user's last words, those included; or since earlier ones, so that they are `least` bytes."""
    lines: list[Record] = []
    size = 0
    for line in lines_backwards(path):
        record = parse_line(line, 0)
        size += len(line)
        if record.error is None:
            lines.append(record)
            if size >= least and is_said(mapping(record.data)):
                break
    return lines[::-1]


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
