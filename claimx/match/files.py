"""Claims that count files and name each: every one needs a change of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence

from claimx.match.commands import file_of
from claimx.match.counts import counted
from claimx.match.evidence import Fit, Scene
from claimx.types import Action, Mismatch, SlotType

_FILE = re.compile(r"^\W*[\w./@-]*\.[A-Za-z][A-Za-z0-9]{0,7}\W*$")


def untouched_files(action: Action, fits: Sequence[Fit], scene: Scene) -> list[Mismatch]:
    """Return the files, of as many as a claim counts, that no edit and no command of the run names."""
    n = counted(action)
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
