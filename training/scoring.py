"""Scores of an exported model folder; needs no torch."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from claimx.training.build import load_split
from claimx.training.evaluate import calibration_error, confusions, flat, is_claim, score, score_by, seqeval_report
from claimx.training.forms import score_by_form
from claimx.training.pieces import label_pieces
from claimx.training.predict import predict_all

from claimx.annotate.example import Example
from claimx.extract.decode import best_tags
from claimx.extract.labels import TAGS
from claimx.extract.model import load_model

#: Sources with fewer claims than this are scored together, as `OTHERS`.
_FEWEST = 5
OTHERS = "others"


def evaluate_folder(folder: Path | None, examples: list[Example]) -> dict[str, Any]:
    """Score an exported model on examples, as a whole and by origin; with the calibration error of its claim score."""
    model = load_model(folder)
    scored = [model.score(e.text) for e in examples]
    predictions = predict_all(examples, scored, model.calibration)
    out: dict[str, Any] = dict(_rounded(flat(score(examples, predictions))))
    out["ece"] = round(calibration_error(examples, predictions), 4)
    gold_tags = [
        [TAGS[t] for t in label_pieces(e, enc.offsets).tags] for e, (enc, _) in zip(examples, scored, strict=True)
    ]
    read_tags = [[TAGS[t] for t in best_tags(s.tags)] for _, s in scored]
    out["seqeval"] = _rounded(seqeval_report(gold_tags, read_tags))
    by = {k: _rounded(flat(v)) for k, v in score_by(examples, predictions, lambda e: e.origin).items()}
    real = [i for i, e in enumerate(examples) if e.origin == "real"]
    claims = Counter(examples[i].domain for i in real for a in examples[i].actions if is_claim(a))
    named = {k for k, n in claims.items() if k and n >= _FEWEST}
    sources = score_by(
        [examples[i] for i in real], [predictions[i] for i in real], lambda e: e.domain if e.domain in named else OTHERS
    )
    claims[OTHERS] = sum(n for k, n in claims.items() if k not in named)
    return {
        **out,
        "by_origin": by,
        "by_source": {
            k: {"replies": v["replies"], "claims": claims[k], **{m: round(v["claim"][m], 4) for m in ("p", "r")}}
            for k, v in sources.items()
        },
        "by_form": score_by_form(examples, predictions),
        "types": {k: round(v, 4) for k, v in score(examples, predictions)["types"].items()},
        "confusions": dict(confusions(examples, predictions).most_common(8)),
    }


def evaluate_contrast(folder: Path | None) -> dict[str, Any]:
    """Score the held-out contrast families per kind of edit: claims and joint attributes."""
    model = load_model(folder)
    examples = load_split("contrast")
    if not examples:
        return {}
    predictions = predict_all(examples, [model.score(e.text) for e in examples], model.calibration)
    groups = score_by(examples, predictions, lambda e: e.flip or "base")
    return {
        k: {"texts": v["replies"], "claim_f1": round(v["claim"]["f1"], 4), "joint": round(v["attributes"]["joint"], 4)}
        for k, v in groups.items()
    }


def _rounded(scores: dict[str, float]) -> dict[str, float]:
    return {k: round(v, 4) for k, v in scores.items()}
