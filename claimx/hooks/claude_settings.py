"""Claude Code's settings: our Stop hook goes in and comes out, and nothing else changes.

The file is written whole or not at all, the one before it is kept beside it, and installing twice is installing once.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import sys
import tempfile
from collections.abc import Mapping
from copy import deepcopy
from pathlib import Path
from typing import Any

from claimx.errors import InputError

EVENT = "Stop"
TIMEOUT = 30
_OURS = re.compile(r"claimx(?:\.exe)?[\"']?\s+hook\s+claude-code\b")
BACKUP = ".before-claimx"


def settings_file(scope: str, *, config: Path, project: Path) -> Path:
    """Return the settings file of a scope: `user`, `project` (committed) or `local` (of this checkout alone)."""
    if scope == "user":
        return config / "settings.json"
    return project / ".claude" / ("settings.json" if scope == "project" else "settings.local.json")


def hook_command(*, warn: bool = False) -> str:
    """Return the command line that runs the hook with this Python, quoted for a shell."""
    words = [sys.executable, "-m", "claimx", "hook", "claude-code", *(["--warn"] if warn else [])]
    return shlex.join(words)


def install(path: Path, command: str) -> bool:
    """Add the hook to a settings file, or bring its command up to date; return whether anything changed.

    The file as it was is kept as `settings.json.before-claimx`. Raises InputError when the file is not a settings file, or
    cannot be written.
    """
    text = _text(path)
    try:
        before = _settings(path, text)
    except InputError as e:
        raise InputError(f"{e}, or add this by hand: {json.dumps(merged({}, command))}") from e
    try:
        after = merged(before, command)
    except InputError as e:
        raise InputError(f"{path}: {e}; nothing was changed", field=e.field) from e
    if after == before:
        return False
    if text is not None and not _has_ours(before):
        _write(path.with_name(path.name + BACKUP), text, like=path)
    _write(path, dumped(after, like=text), like=path)
    return True


def uninstall(path: Path) -> bool:
    """Take the hook out of a settings file; return whether it was there.

    A file that nobody touched since comes back byte for byte; otherwise only our entry goes. A file that held nothing but
    the hook is removed.
    """
    text = _text(path)
    before = _settings(path, text)
    backup = path.with_name(path.name + BACKUP)
    if not _has_ours(before):
        return False
    after = without(before)
    kept = _text(backup)
    if kept is not None and (_parsed(kept) if kept.strip() else {}) == after:
        _write(path, kept, like=path)
    elif not after and kept is None:
        _mode_of(path)
        path.resolve().unlink()  # of a link the file that it leads to: the link is the user's
    else:
        _write(path, dumped(after, like=text), like=path)
    backup.unlink(missing_ok=True)
    return True


def merged(settings: Mapping[str, Any], command: str) -> dict[str, Any]:
    """Return settings with the hook in them once, after the hooks that are there.

    >>> merged({"model": "opus"}, "claimx hook claude-code")["hooks"]["Stop"][0]["hooks"][0]["command"]
    'claimx hook claude-code'
    """
    out: dict[str, Any] = deepcopy(dict(settings))
    hooks = out.setdefault("hooks", {})
    if not isinstance(hooks, dict):
        raise InputError("field 'hooks' of the settings is not an object: mend it by hand first", field="hooks")
    groups = hooks.setdefault(EVENT, [])
    if not isinstance(groups, list):
        raise InputError(f"field 'hooks.{EVENT}' of the settings is not a list: mend it by hand first", field="hooks")
    for handler in _handlers(groups):
        if _is_ours(handler):
            handler["command"] = command
            return out
    groups.append({"hooks": [{"type": "command", "command": command, "timeout": TIMEOUT}]})
    return out


def without(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings without the hook, and without the lists and objects that it leaves empty."""
    out: dict[str, Any] = deepcopy(dict(settings))
    groups = out["hooks"][EVENT]
    for group in list(groups):
        handlers = group.get("hooks") if isinstance(group, dict) else None
        if isinstance(handlers, list) and any(map(_is_ours, handlers)):
            group["hooks"] = [h for h in handlers if not _is_ours(h)]
            if not group["hooks"]:
                groups.remove(group)
    if not groups:
        del out["hooks"][EVENT]
    if not out["hooks"]:
        del out["hooks"]
    return out


def dumped(settings: Mapping[str, Any], *, like: str | None) -> str:
    """Return settings as JSON, indented as the text that they replace."""
    found = re.search(r"^\{\s*\n([ \t]+)\"", like or "")
    indent: int | str = 2 if found is None else found.group(1)
    return json.dumps(settings, indent=indent, ensure_ascii=False) + "\n"


def _handlers(groups: list[Any]) -> list[dict[str, Any]]:
    lists = [g.get("hooks") for g in groups if isinstance(g, dict)]
    return [h for handlers in lists if isinstance(handlers, list) for h in handlers if isinstance(h, dict)]


def _is_ours(handler: Any) -> bool:
    return isinstance(handler, dict) and bool(_OURS.search(str(handler.get("command") or "")))


def _has_ours(settings: Mapping[str, Any]) -> bool:
    hooks = settings.get("hooks")
    groups = hooks.get(EVENT) if isinstance(hooks, Mapping) else None
    return isinstance(groups, list) and any(map(_is_ours, _handlers(groups)))


def _text(path: Path) -> str | None:
    try:
        return path.read_bytes().decode("utf-8")
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as e:
        raise InputError(f"{path} cannot be read ({e}): nothing was changed") from e


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _settings(path: Path, text: str | None) -> dict[str, Any]:
    if text is None or not text.strip():
        return {}
    try:
        settings = json.loads(text)
    except (ValueError, RecursionError) as e:
        what = "comments are not JSON" if re.search(r"^\s*(?://|/\*)", text, re.M) else e
        raise InputError(f"{path} is not JSON ({what}): nothing was changed; mend it and try again") from e
    if not isinstance(settings, dict):
        raise InputError(f"{path} holds no JSON object: nothing was changed; mend it and try again")
    return settings


def _write(path: Path, text: str, *, like: Path) -> None:
    """Write a file whole or not at all, through a link to its target, with the rights of `like`.

    Raises InputError where that cannot be done: the file is read-only, its folder is not there to write in, the disk is full.
    """
    target, mode = path.resolve(), _mode_of(like)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=".claimx-")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="") as stream:
                stream.write(text)
            Path(name).chmod(mode)
            Path(name).replace(target)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as e:
        raise InputError(f"{target} cannot be written ({e.strerror or e}): nothing was changed") from e


def _mode_of(path: Path) -> int:
    """The rights of a file, of a new one its owner's alone. Raises InputError where it is read-only."""
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o600
    if not mode & 0o222:
        raise InputError(f"{path} is read-only: nothing was changed; make it writable (chmod u+w) and try again")
    return mode
