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
from claimx.training.export import export
from claimx.training.predict import score_all, torch_runner
from claimx.training.saved import load_weights
from claimx.training.scoring import evaluate_folder
from claimx.training.thresholds import calibrate
from claimx.training.tokenizer import special_ids

from claimx.annotate.example import Example
from claimx.errors import ModelError
from claimx.extract.encoding import load_tokenizer
from claimx.extract.model import META_FILE, TOKENIZER_FILE, load_model

#: The share of tags that int8 must leave as they are: less than for the shipped model, whose recipe was tried until it held more.
_INT8_AGREEMENT = 0.97


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
    on the validation replies.
    """
    model = load_weights(work, attention="eager")
    tokenizer = load_tokenizer(work / TOKENIZER_FILE)
    if before is not None:
        calibration = load_model(before).calibration
    else:
        scored = score_all(
            validation, tokenizer, torch_runner(model), special=special_ids(tokenizer)[:2],
            distance_bias=model.distance_bias.detach().numpy(),
        )  # fmt: skip
        calibration, _ = calibrate(validation, scored)
    versions = {p: version(p) for p in ("torch", "transformers", "onnxruntime", "tokenizers", "numpy")}
    meta = {**meta, "versions": versions, "python": platform.python_version()}
    texts = [e.text for e in validation[:200]]
    options: dict[str, Any] = {"calibration": calibration, "texts": texts, "meta": meta, "agreement": _INT8_AGREEMENT}
    try:
        export(model, tokenizer_json, out, int8=int8, **options)
    except ModelError as e:
        if not int8 or "int8" not in str(e):
            raise
        sys.stderr.write(f"claimx: {e}; written with floating-point weights instead\n")
        export(model, tokenizer_json, out, int8=False, **options)
    content: dict[str, Any] = json.loads((out / META_FILE).read_text(encoding="utf-8"))
    content["validation"] = evaluate_folder(out, list(validation))
    (out / META_FILE).write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    write_card(out, content)
    return content
