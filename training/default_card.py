"""The scores in a model card, written from what meta.json holds, so that no figure in it is typed by hand.

python -m claimx.training card models/default
python -m claimx.training card models/default --held REPLIES.jsonl    # labelled replies that nothing was trained on
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from claimx.training.forms import FORMS
from claimx.training.scoring import OTHERS, evaluate_contrast, evaluate_folder

from claimx.annotate.example import read_jsonl
from claimx.errors import CorpusError
from claimx.extract.model import META_FILE

OPENS, CLOSES = "<!-- scores -->", "<!-- /scores -->"
#: A group with fewer claims is left out of the failures: its figures are chance.
_FEWEST = 20
_TEMPLATE = f"""# Model card: {{name}}

A tagger of action claims in the replies of English-speaking AI agents, for use inside claimx.

**Intended use**: to find what an agent's reply claims to have done, so that it can be held against a record of what ran. Not for judging
people's texts, nor for text in other languages, and not by itself: it says what is claimed, not whether it is true.

{OPENS}
{CLOSES}
"""


def write_scores(folder: Path) -> None:
    """Renew the scores in a model folder's README.md from its meta.json; the card is begun where there is none.

    Raises CorpusError when the card lacks the two lines between which they belong, or meta.json has no scores.
    """
    meta = json.loads((folder / META_FILE).read_text(encoding="utf-8"))
    if "validation" not in meta:
        raise CorpusError(f"{folder / META_FILE} has no scores: python -m claimx.training card {folder}")
    path = folder / "README.md"
    card = path.read_text(encoding="utf-8") if path.is_file() else _TEMPLATE.format(name=meta.get("name", folder.name))
    before, opens, rest = card.partition(OPENS)
    _, closes, after = rest.partition(CLOSES)
    if not opens or not closes:
        raise CorpusError(f"{path} has no place for scores: add the lines {OPENS} and {CLOSES}")
    path.write_text(f"{before}{card_scores(meta)}{after}", encoding="utf-8")


def renew(folder: Path, *, held: Path | None = None) -> None:
    """Score a model folder on the validation replies (the corpus' and, where they are at hand, the real ones), the contrast
    sentences and `held`; write the scores to meta.json and to the card. Scores on `held` stay when it is not given."""
    from claimx.training.pipeline import load_data

    meta = json.loads((folder / META_FILE).read_text(encoding="utf-8"))
    meta["validation"] = evaluate_folder(folder, load_data(meta.get("recipe", {}))[1])
    meta["contrast"] = evaluate_contrast(folder)
    if held is not None:
        meta["held"] = evaluate_folder(folder, read_jsonl(held))
    (folder / META_FILE).write_text(json.dumps(meta, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    write_scores(folder)


def card_scores(meta: dict[str, Any]) -> str:
    """The block from one mark to the other, as Markdown."""
    return "\n".join([OPENS, *_lines(meta), CLOSES])


def _lines(meta: dict[str, Any]) -> Iterator[str]:
    data, parity = meta.get("data", {}), meta.get("parity", {})
    yield ""
    yield (
        f"Trained on {data.get('corpus_train', 0):,} replies of the corpus and {data.get('real', 0):,} real ones "
        f"({data.get('digest', 'no digest')[:19]}…, seed {meta.get('train', {}).get('seed', '?')}); {meta.get('bytes', 0) / 1e6:.1f} MB."
    )
    if parity:
        yield "Largest difference between torch and the fp32 graph {:.1e}{}.".format(
            parity["fp32"]["max_difference"],
            f"; int8 gives the same tag on {parity['int8']['tag_agreement']:.1%} of the pieces"
            if "int8" in parity
            else "",
        )
    for name, title in (
        ("held", "Real replies that nothing was trained on and no threshold was chosen by"),
        (
            "validation",
            "The project's validation replies, by which thresholds were chosen (authored ones are harder on purpose)",
        ),
    ):
        if name in meta:
            yield from ("", f"### {title}", "")
            yield from _group(meta[name])
    if meta.get("contrast"):
        yield from ("", "### Held-out contrast sentences, by the attribute that was edited", "")
        yield from _table(
            ["edit", "texts", "claim F1", "all three attributes right"],
            [[k, v["texts"], v["claim_f1"], v["joint"]] for k, v in meta["contrast"].items()],
        )
    failures = list(_failures(meta))
    if failures:
        yield from ("", "### Failures seen", "", *failures)


def _group(scores: dict[str, Any]) -> Iterator[str]:
    origins = scores.get("by_origin", {})
    columns = {"all": scores} | (origins if len(origins) > 1 else {})
    rows = [
        ("claim: precision", "claim_p"), ("claim: recall", "claim_r"), ("claim: F1", "claim_f1"), ("done: F1", "done_f1"),
        ("action: F1", "action_f1"), ("tense", "tense"), ("modality", "modality"), ("actor", "actor"), ("all three", "joint"),
        ("object", "object"), ("value, type and exact span: F1", "slot_f1"), ("value at the right claim: F1", "link_f1"),
        ("replies with exactly the right claims", "exact"), ("calibration error of the claim score", "ece"),
    ]  # fmt: skip
    yield from _table(["", *columns], [[title, *(c.get(key) for c in columns.values())] for title, key in rows])
    for key, title in (("by_source", "source"), ("by_form", "form of the claim")):
        groups = scores.get(key, {})
        order = (
            [f for f in FORMS if f in groups] if key == "by_form" else sorted(groups, key=lambda g: (g == OTHERS, g))
        )
        if len(order) > 1:
            yield ""
            yield from _table(
                [title, "claims", "P", "R", "F1"],
                [[g, groups[g]["claims"], groups[g]["p"], groups[g]["r"], _f1(groups[g])] for g in order],
            )
    if scores.get("types"):
        yield from ("", "Values by type (F1): " + ", ".join(f"{k} {v:.3f}" for k, v in scores["types"].items()) + ".")


def _failures(meta: dict[str, Any]) -> Iterator[str]:
    """The weakest groups and the commonest confusions, of held-out replies where there are some."""
    scores = meta.get("held") or meta["validation"]
    for key, kind in (("by_source", "source"), ("by_form", "form")):
        told = {k: v for k, v in scores.get(key, {}).items() if v["claims"] >= _FEWEST}
        if len(told) > 1:
            worst = min(told, key=lambda k: _f1(told[k]))
            v = told[worst]
            yield f"- Weakest {kind}: {worst} (P {v['p']:.3f}, R {v['r']:.3f} on {v['claims']} claims)."
    confused = scores.get("confusions", {})
    if confused:
        yield (
            "- Attributes read wrong most often (label → read): "
            + ", ".join(f"{k} {n}" for k, n in confused.items())
            + "."
        )


def _f1(group: dict[str, float]) -> float:
    p, r = group["p"], group["r"]
    return 2 * p * r / (p + r) if p + r else 0.0


def _table(head: list[str], rows: list[list[Any]]) -> Iterator[str]:
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    for row in rows:
        cells = ["-" if c is None else f"{c:.3f}" if isinstance(c, float) else str(c) for c in row]
        yield "| " + " | ".join(cells) + " |"
