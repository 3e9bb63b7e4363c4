"""Whatever the model says, no span is cut out of a word."""

from __future__ import annotations

import numpy as np
import pytest

from claimx import Extractor
from claimx.extract.decode import Calibration, decode
from claimx.extract.encoding import encode
from claimx.extract.session import PACKED_WIDTH, score_reply

MODEL = Extractor().model
REPLY = (
    "I sympathise: `go vet` complains about pulmonology_dictionary. i-0f3 is deprovisioned, the Bluetooth toothbrush (16GB) "
    "and jigsaw puzzles went to Reykjavík with Oluwaseun; resequencing microbenchmarks took 12min."
)


@pytest.mark.parametrize("seed", range(12))
def test_no_span_is_cut_out_of_a_word(seed: int) -> None:
    rng = np.random.default_rng(seed)

    def guess(ids: np.ndarray, _: np.ndarray) -> np.ndarray:
        return rng.normal(0, 3, (1, ids.shape[1], PACKED_WIDTH)).astype(np.float32)

    encoding = encode(MODEL.tokenizer, REPLY)
    scores = score_reply(encoding, guess, special=MODEL.special, distance_bias=MODEL.distance_bias)
    actions, values = decode(scores, Calibration())
    spans = [*values, *(s for a in actions for s in (a.trigger, *a.slots, *([a.object] if a.object else [])))]
    edges = {at for s in spans for at in (encoding.offsets[s.first][0], encoding.offsets[s.last - 1][1])}
    assert len(edges) > 10
    assert [REPLY[at - 5 : at + 5] for at in sorted(edges) if REPLY[max(0, at - 1) : at + 1].isalpha() and at] == []
