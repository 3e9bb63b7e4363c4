"""Earlier scores, as `claimx score` finds them: the one to compare with, and those that the alarm looks at."""

from __future__ import annotations

import re
from pathlib import Path

from claimx.cli.io import complain

_GLOB = "*?["


def find_baseline(text: str | None, out: Path) -> str | Path | None:
    """The earlier score to compare with. A glob may find none: the first night has no yesterday, and one that cannot be
    read is none."""
    if text is None or Path(text).exists() or not any(c in text for c in _GLOB):
        return text
    from claimx.archive.history import read_history

    earlier = read_history(find_history([text], out), window=1)
    for left in earlier.left_out:
        complain(f"--baseline: left out: {left.file} {left.reason}: {left.remedy}")
    if earlier.nights:
        return earlier.nights[0][0]
    complain(f"--baseline {text}: no finished score before this one: nothing is compared")
    return None


def find_history(globs: list[str], out: Path) -> list[Path]:
    """The folders of earlier scores, finished or not; this one's own is no history of itself, nor are later nights beside it."""
    from claimx.archive.sources import named

    own = out.resolve()
    found: dict[Path, Path] = {}
    for pattern in globs:
        is_glob = any(c in pattern for c in _GLOB)
        paths = [p for p in named(pattern) if not is_glob or _is_scored(p)]
        if not paths and not is_glob:
            complain(f"--history {pattern}: no such folder: the alarm goes without it")
        found |= {p.resolve(): p for p in paths}
    kept = (p for r, p in found.items() if r != own and not _is_later(r, own))
    return sorted(kept, key=lambda p: p.as_posix())


def _is_scored(folder: Path) -> bool:
    """Whether a score was begun there. Where that cannot be seen it may be: the reason is told later."""
    try:
        names = {p.name for p in folder.iterdir()}
    except NotADirectoryError:
        return False
    except OSError:
        return True
    return "summary.json" in names or "manifest.jsonl" in names


def _is_later(folder: Path, out: Path) -> bool:
    """Whether a folder beside `out` is of a later night, where both names are dates or numbers in one form."""
    form = [re.sub(r"\d", "0", p.name) for p in (folder, out)]
    return folder.parent == out.parent and form[0] == form[1] and folder.name > out.name
