"""Earlier scores, as `claimx score` finds them: the one to compare with, and those that the alarm looks at."""

from __future__ import annotations

import re
from pathlib import Path

from claimx.cli.io import complain


def find_baseline(text: str | None, out: Path) -> str | Path | None:
    """The earlier score to compare with. A glob may find none: the first night has no yesterday."""
    if text is None or Path(text).exists() or not any(c in text for c in "*?["):
        return text
    earlier = find_history([text], out)
    if not earlier:
        complain(f"--baseline {text}: no finished score before this one: nothing is compared")
    return earlier[-1] if earlier else None


def find_history(globs: list[str], out: Path) -> list[Path]:
    """The folders of earlier scores; this one's own is no history of itself, nor are later nights beside it."""
    from claimx.archive.sources import named

    own = out.resolve()
    found = {p.resolve(): p for g in globs for p in named(g)}
    kept = (p for r, p in found.items() if r != own and (p / "summary.json").is_file() and not _is_later(r, own))
    return sorted(kept, key=lambda p: p.as_posix())


def _is_later(folder: Path, out: Path) -> bool:
    """Whether a folder beside `out` is of a later night, where both names are dates or numbers in one form."""
    form = [re.sub(r"\d", "0", p.name) for p in (folder, out)]
    return folder.parent == out.parent and form[0] == form[1] and folder.name > out.name
