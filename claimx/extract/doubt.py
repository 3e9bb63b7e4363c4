"""How unsure the model is of a reply: what is worth a person's label."""

from __future__ import annotations

import numpy as np

from claimx.extract.decode import decode, softmax
from claimx.extract.model import Model

#: The doubt of a reply is that of its most doubtful pieces, this many of them.
_PIECES = 4


def doubt_of(model: Model, text: str) -> float:
    """Return 0 (sure of everything) to 1: the doubt of the tags where it is greatest, or of the claims, the greater.

    A tag's doubt is what its best label leaves to the others; a claim's is greatest where its score is a half.
    """
    encoding, scores = model.score(text)
    if not len(encoding):
        return 0.0
    left = 1.0 - softmax(scores.tags / model.calibration.tags).max(axis=-1)
    tags = float(np.sort(left)[-_PIECES:].mean())
    actions, _ = decode(scores, model.calibration)
    claims = max((1.0 - abs(2.0 * a.claim_score - 1.0) for a in actions), default=0.0)
    return max(tags, claims)
