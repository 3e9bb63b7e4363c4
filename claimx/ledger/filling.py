"""Holding asserted values against what stands in a record for values that were kept back: digests, words of a mask."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from claimx.ledger.canonical import digest_of

_DIGEST = re.compile(r"(hmac-)?sha256:[0-9a-f]{64}")
#: What `mask` writes, and what is written where only a digest of the whole is kept.
_MASKED = frozenset({"[redacted]", "[not stored]"})


def filled(asserted: Any, recorded: Any, path: str, key: bytes | None, open_: list[str]) -> Any:
    """Return a recorded value with the asserted one wherever a digest of it stands, or where nobody can tell: why, is added
    to `open_`. A digest of anything else stays. `key` is the key of keyed digests.

    >>> found = []
    >>> filled({"card": "4111", "to": "a"}, {"card": "[redacted]", "to": "b"}, "args", None, found), found
    ({'card': '4111', 'to': 'b'}, ['args.card was kept back by a mask'])
    """
    if isinstance(asserted, Mapping) and isinstance(recorded, Mapping):
        return {
            k: filled(asserted[k], v, f"{path}.{k}", key, open_) if k in asserted else v for k, v in recorded.items()
        }
    if isinstance(asserted, list) and isinstance(recorded, list) and len(asserted) == len(recorded):
        return [
            filled(a, r, f"{path}[{i}]", key, open_) for i, (a, r) in enumerate(zip(asserted, recorded, strict=True))
        ]
    if not isinstance(recorded, str) or asserted == recorded:
        return recorded
    if recorded in _MASKED:
        open_.append(f"{path} was kept back by a mask")
        return asserted
    found = _DIGEST.fullmatch(recorded)
    if found is None:
        return recorded
    if found[1] and key is None:
        open_.append(f"{path} is stored as a keyed digest, and the key was not given")
        return asserted
    return asserted if digest_of(asserted, key=key if found[1] else None) == recorded else recorded
