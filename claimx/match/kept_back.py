"""What stands in a record for a value that the ledger kept back: it says that there was one, and not which."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from claimx.match.fields import Leaf

_DIGEST = re.compile(r"(?:hmac-)?sha256:[0-9a-f]{64}")
#: The words of `claimx.ledger.mask`, and those for what only a digest is kept of.
_MASKED = frozenset({"[redacted]", "[not stored]"})
#: Names under which a digest is the value itself.
_DIGESTS = re.compile(r"digest|hash|sha|checksum|image|etag|layer|blob|commit|(?:^|_)ref", re.I)


def stand_ins(args: Iterable[Leaf]) -> frozenset[Any]:
    """Return what stands for values that were kept back: the words of masks, and the digests among the arguments, which a
    result may repeat."""
    texts = ((x.key, x.value) for x in args if isinstance(x.value, str) and x.value[-65:-64] == ":")
    return _MASKED | {v for k, v in texts if _DIGEST.fullmatch(v) and not _DIGESTS.search(k)}
