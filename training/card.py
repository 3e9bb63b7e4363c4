"""The card of a fine-tuned model: what it was made from, how it scores, and how to use it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

_FIGURES = (
    ("claim_p", "claims: precision"), ("claim_r", "claims: recall"), ("claim_f1", "claims: F1"),
    ("joint", "tense, modality and actor all right"), ("slot_f1", "values: type and exact span, F1"),
    ("link_f1", "value attached to the right claim, F1"), ("ece", "calibration error of the claim score"),
)  # fmt: skip


def write_card(folder: Path, meta: dict[str, Any]) -> None:
    """Write README.md from what meta.json says."""
    settings, data = meta.get("fine_tune", {}), meta.get("data", {})
    origins = meta["validation"].get("by_origin", {})
    head = "| | all | " + " | ".join(origins) + " |"
    rows = [head, "|---|---|" + "---|" * len(origins)]
    for key, name in _FIGURES:
        cells = [meta["validation"].get(key), *(o.get(key) for o in origins.values())]
        rows.append(f"| {name} | " + " | ".join("-" if c is None else f"{c:.3f}" for c in cells) + " |")
    base = meta.get("distilled_from") or settings.get("base", "")
    lines = [
        "---",
        "language: en",
        "library_name: claimx",
        "pipeline_tag: token-classification",
        "tags: [claimx, onnx]",
        "---",
        "",
        f"# {meta['name']}",
        "",
        f"A claimx model, {'distilled' if meta.get('distilled_from') else 'fine-tuned'} from `{base}`: "
        f"{data.get('in_house', '?')} in-house replies, {data.get('corpus', '?')} of the claimx corpus beside them.",
        "",
        "## Scores on validation replies",
        "",
        *rows,
        "",
        "Training stopped by these replies; `claimx evaluate` on replies kept apart says more.",
        "",
        "## Use",
        "",
        "```python",
        "import claimx",
        "",
        f'checker = claimx.Checker(claimx.Extractor(model="path/to/{meta["name"]}"))',
        "```",
        "",
    ]
    (folder / "README.md").write_text("\n".join(lines), encoding="utf-8")
