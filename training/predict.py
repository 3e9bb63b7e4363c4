"""Predictions of a torch or ONNX model in the corpus' shape, by the very code that runs in production."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from claimx.training.evaluate import Predicted
from tokenizers import Tokenizer

from claimx.annotate.example import Example
from claimx.extract.decode import Calibration, RawAction, RawSpan, Scores, decode
from claimx.extract.encoding import Encoding, encode
from claimx.extract.session import RunWindow, score_reply


def torch_runner(model: Any, device: str = "cpu") -> RunWindow:
    """Wrap a torch model as the function that the extractor calls for a window."""
    import torch

    model.eval()

    def run(ids: np.ndarray, features: np.ndarray) -> np.ndarray:
        with torch.inference_mode():
            out = model.packed(torch.from_numpy(ids).to(device), torch.from_numpy(features).to(device))
        return out.float().cpu().numpy()

    return run


def shape_of(encoding: Encoding, text: str, scores: Scores, calibration: Calibration) -> Predicted:
    """Decode scores to actions and values with character offsets."""
    return shaped(encoding, text, *decode(scores, calibration))


def shaped(encoding: Encoding, text: str, actions: Sequence[RawAction], values: Sequence[RawSpan]) -> Predicted:
    """Decoded actions and values in the corpus' shape, with character offsets."""

    def span(s: Any) -> dict[str, Any]:
        start, end = encoding.offsets[s.first][0], encoding.offsets[s.last - 1][1]
        return {"text": text[start:end], "start": start, "end": end}

    out = [
        {
            "trigger": span(a.trigger),
            "object": span(a.object) if a.object else None,
            "tense": str(a.tense),
            "modality": str(a.modality),
            "actor": str(a.actor),
            "score": a.claim_score,
            "slots": [{"type": s.type, **span(s)} for s in a.slots],
        }
        for a in actions
    ]
    return out, [{"type": v.type, **span(v)} for v in values]


def score_all(
    examples: Sequence[Example], tokenizer: Tokenizer, run: RunWindow, *, special: tuple[int, int], distance_bias: Any
) -> list[tuple[Encoding, Scores]]:
    """Encode and run every example; keep the scores so that thresholds can be tried on them."""
    out = []
    for e in examples:
        encoding = encode(tokenizer, e.text)
        out.append((encoding, score_reply(encoding, run, special=special, distance_bias=distance_bias)))
    return out


def predict_all(
    examples: Sequence[Example], scored: Sequence[tuple[Encoding, Scores]], calibration: Calibration
) -> list[Predicted]:
    """Decode all scored examples under one calibration."""
    return [shape_of(enc, e.text, s, calibration) for e, (enc, s) in zip(examples, scored, strict=True)]
