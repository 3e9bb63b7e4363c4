"""Tools that operate a screen or a page: what they bring about cannot be told from their names."""

from __future__ import annotations

from functools import lru_cache

from claimx.match.call import Call
from claimx.values.keys import parts_of

_WIDE = frozenset("browser webpage browse click navigate computer form playwright puppeteer selenium".split())


@lru_cache(maxsize=4096)
def operates_pages(tool: str) -> bool:
    """Whether a tool's name says that it operates a screen or a page."""
    return bool(_WIDE & set(parts_of(tool)))


def is_wide(call: Call) -> bool:
    """Whether a call operates a screen or a page, by which anything may be done."""
    return operates_pages(call.tool)
