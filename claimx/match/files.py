"""Claims that count files and name each: every one needs a change of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence

from claimx.match.commands import file_of, is_editor
from claimx.match.counts import counted
from claimx.match.evidence import Fit, Scene
from claimx.match.handwork import may_touch
from claimx.types import Action, Mismatch, SlotType

_FILE = re.compile(r"^\W*[\w./@-]*\.[A-Za-z][A-Za-z0-9]{0,7}\W*$")


def untouched_files(action: Action, fits: Sequence[Fit], scene: Scene) -> list[Mismatch]:
    """Return the files, of as many as a claim counts, that no edit and no command of the run names."""
    n = counted(action) or _listed(action, scene)
    names = list(
        dict.fromkeys(s.text.strip("`*'\" ") for s in action.slots if s.type is SlotType.NAME and _FILE.search(s.text))
    )
    if n is None or n < 2 or len(names) < n or not all(file_of(f.call.entry) for f in fits):
        return []
    done = [c for c in scene.calls if not c.reads and not c.result.failed]
    out = []
    for name in names:
        base = name.rsplit("/", 1)[-1].lower()
        if not any((file_of(c.entry) or "").lower().endswith(base) or base in c.view.raw for c in done):
            out.append(Mismatch("NAME", name, None, f"{fits[0].call.id}.args", f"no call changes {name}"))
    return out if len(out) <= len(names) - 1 and len(names) - len(out) < n else []


_JOINED = re.compile(r"[\s`*',]*(?:(?:and(?: also)?|&|plus|as well as)[\s`*']*)?(?:\b(?:the|also|both)\b[\s`*']*)?")


def _listed(action: Action, scene: Scene) -> int | None:
    """How many files stand in a row right behind a claim's verb, None where a command may have changed some unnamed."""
    files = [s for s in action.slots if s.type is SlotType.NAME and _FILE.search(s.text)]
    at = action.trigger.end
    for s in files:
        if not _JOINED.fullmatch(action.text[max(0, at - action.start) : max(0, s.start - action.start)]):
            return None
        at = s.end
    shells = (c for c in scene.calls if c.deeds and not is_editor(c.tool) and not c.result.failed)
    return len(files) if len(files) > 1 and all(c.reads or not may_touch(c) for c in shells) else None
