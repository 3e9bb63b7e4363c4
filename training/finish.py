"""From trained weights to a finished model folder: thresholds, graph, scores, card."""

from __future__ import annotations

import json
import platform
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from claimx.training.card import write_card
from claimx.training.evaluate import Predicted, flat, score
from claimx.training.export import export
from claimx.training.predict import predict_all, score_all, torch_runner
from claimx.training.saved import load_weights
from claimx.training.scoring import evaluate_folder
from claimx.training.thresholds import calibrate, quality
from claimx.training.tokenizer import special_ids

from claimx.annotate.example import Example
from claimx.errors import ModelError
from claimx.extract.encoding import load_tokenizer
from claimx.extract.model import META_FILE, TOKENIZER_FILE, load_model

#: The share of tags that int8 must leave as they are: less than for the shipped model, whose recipe was tried until it held more.
_INT8_AGREEMENT = 0.97

#: What rounding may cost in `quality` on the in-house validation replies.
_LOSS = 0.02
#: How weights are written, the smallest first.
_FORMS: tuple[dict[str, bool], ...] = ({"int8": True}, {"int8": True, "tables_only": True}, {"int8": False})


def finish(
    work: Path,
    tokenizer_json: str,
    out: Path,
    validation: Sequence[Example],
    meta: dict[str, Any],
    *,
    int8: bool,
    before: Path | None,
) -> dict[str, Any]:
    """Choose thresholds, export, score, and write the card; return what meta.json says.

    A few dozen replies are too few to choose thresholds by: those of the model folder `before` stay. None: they are chosen
    on the validation replies. Of int8 weights, int8 tables with layers in floating point, and floating point throughout, the
    first is written that reads the in-house validation replies as training left it: a short training moves many weights by
    less than int8 can tell apart.
    """
    model = load_weights(work, attention="eager")
    tokenizer = load_tokenizer(work / TOKENIZER_FILE)
    scored = score_all(
        validation, tokenizer, torch_runner(model), special=special_ids(tokenizer)[:2],
        distance_bias=model.distance_bias.detach().numpy(),
    )  # fmt: skip
    calibration = load_model(before).calibration if before is not None else calibrate(validation, scored)[0]
    learned = _quality(validation, predict_all(validation, scored, calibration))
    versions = {p: version(p) for p in ("torch", "transformers", "onnxruntime", "tokenizers", "numpy")}
    meta = {**meta, "versions": versions, "python": platform.python_version()}
    texts = [e.text for e in validation[:200]]
    options: dict[str, Any] = {"calibration": calibration, "texts": texts, "meta": meta, "agreement": _INT8_AGREEMENT}
    for form in _FORMS if int8 else _FORMS[-1:]:
        try:
            export(model, tokenizer_json, out, **form, **options)
        except ModelError as e:
            if "int8" not in str(e):
                raise
            sys.stderr.write(f"claimx: {e}; more of the weights are written in floating point\n")
            continue
        written = load_model(out)
        kept = _quality(validation, predict_all(validation, [written.score(e.text) for e in validation], calibration))
        if form == _FORMS[-1] or kept >= learned - _LOSS:
            break
        sys.stderr.write(
            f"claimx: rounded to int8 the model reads your validation replies worse ({kept:.3f}, unrounded {learned:.3f}): "
            "more of the weights are written in floating point\n"
        )
    content: dict[str, Any] = json.loads((out / META_FILE).read_text(encoding="utf-8"))
    content["validation"] = evaluate_folder(out, list(validation))
    (out / META_FILE).write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    write_card(out, content)
    return content


def _quality(validation: Sequence[Example], predictions: Sequence[Predicted]) -> float:
    """The figure that training chooses by, on one's own replies; on all where none is one's own."""
    own = [(e, p) for e, p in zip(validation, predictions, strict=True) if e.origin == "in-house"]
    pairs = own or list(zip(validation, predictions, strict=True))
    return quality(flat(score([e for e, _ in pairs], [p for _, p in pairs])))
