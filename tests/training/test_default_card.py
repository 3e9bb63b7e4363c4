"""The scores in a model card come from meta.json, and the shipped card tells what its meta.json says."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytestmark = pytest.mark.train

SCORES = {
    "claim_p": 0.9, "claim_r": 0.8, "claim_f1": 0.847, "ece": 0.02,
    "by_source": {"depot": {"replies": 9, "claims": 30, "p": 0.9, "r": 0.5}, "others": {"replies": 3, "claims": 25, "p": 1.0, "r": 1.0}},
    "by_form": {"list": {"claims": 25, "p": 0.6, "r": 0.6}, "passive": {"claims": 2, "p": 0.0, "r": 0.0}},
    "types": {"MONEY": 0.97}, "confusions": {"actor agent → user": 3},
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "meta.json").write_text(json.dumps({"name": "depot", "validation": SCORES}), encoding="utf-8")
    return tmp_path


def test_a_card_is_begun_with_its_use_scores_and_failures(folder: Path) -> None:
    from claimx.training.default_card import write_scores

    write_scores(folder)
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert "# Model card: depot" in card
    assert "**Intended use**" in card
    assert "| claim: precision | 0.900 |" in card
    assert card.index("| depot | 30 | 0.900 | 0.500 | 0.643 |") < card.index("| others | 25 |")
    assert "Weakest source: depot" in card
    assert "Weakest form" not in card  # one form alone has enough claims to be told
    assert "actor agent → user 3" in card


def test_what_a_person_wrote_around_the_scores_stays(folder: Path) -> None:
    from claimx.training.default_card import CLOSES, OPENS, write_scores

    (folder / "README.md").write_text(f"Before\n{OPENS}\nstale figures\n{CLOSES}\nAfter\n", encoding="utf-8")
    write_scores(folder)
    card = (folder / "README.md").read_text(encoding="utf-8")
    assert card.startswith("Before\n")
    assert card.endswith("\nAfter\n")
    assert "stale" not in card


def test_a_card_without_a_place_for_scores_is_left_alone_and_said(folder: Path) -> None:
    from claimx.training.default_card import write_scores

    from claimx.errors import CorpusError

    (folder / "README.md").write_text("By hand\n", encoding="utf-8")
    with pytest.raises(CorpusError, match="no place for scores"):
        write_scores(folder)
    assert (folder / "README.md").read_text(encoding="utf-8") == "By hand\n"


def test_scores_that_are_not_there_are_not_made_up(folder: Path) -> None:
    from claimx.training.default_card import write_scores

    from claimx.errors import CorpusError

    (folder / "meta.json").write_text("{}", encoding="utf-8")
    with pytest.raises(CorpusError, match="has no scores"):
        write_scores(folder)


def test_the_shipped_card_tells_what_its_meta_says() -> None:
    from claimx.training.default_card import card_scores

    from claimx.extract.model import default_path

    meta = json.loads((default_path() / "meta.json").read_text(encoding="utf-8"))
    assert card_scores(meta) in (default_path() / "README.md").read_text(encoding="utf-8"), (
        "renew it: python -m claimx.training card models/default"
    )


def test_rare_sources_are_scored_together(tiny_model: Path) -> None:
    from claimx.training.scoring import evaluate_folder

    from claimx.annotate.example import Example
    from claimx.annotate.markup import compile_markup

    text, actions, values = compile_markup("I ⟦refunded|A1 paa⟧ ⟦$64|MONEY1⟧.")
    many = [Example(str(i), text, actions, values, origin="real", domain="depot") for i in range(5)]
    scores = evaluate_folder(tiny_model, [*many, Example("x", text, actions, values, origin="real", domain="rare")])
    assert scores["by_source"] == {
        "depot": {"replies": 5, "claims": 5, "p": 1.0, "r": 1.0},
        "others": {"replies": 1, "claims": 1, "p": 1.0, "r": 1.0},
    }
    assert scores["confusions"] == {}
