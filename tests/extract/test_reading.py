"""From text to an extraction, over the tiny model: offsets, attributes, links, windows, robustness."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimx.errors import ModelError
from claimx.extract import Extractor
from claimx.extract.model import load_model
from claimx.types import Actor, Modality, Tense


@pytest.fixture(scope="module")
def extractor(tiny_model: Path) -> Extractor:
    return Extractor(tiny_model)


def test_a_claim_carries_its_attributes_object_and_slots(extractor: Extractor) -> None:
    text = "I refunded $64 for the order #4821."
    found = extractor.extract_full(text)
    (action,) = found.actions
    assert action.is_claim
    assert (action.tense, action.modality, action.actor) == (Tense.PAST, Modality.ASSERTED, Actor.AGENT)
    assert action.verb == "refund"
    assert action.object is not None
    assert action.object.text == "order"
    assert [(s.type, s.text) for s in action.slots] == [("MONEY", "$64"), ("ID", "#4821")]
    assert action.text == text
    assert all(text[s.start : s.end] == s.text for s in action.slots)


def test_what_is_not_claimed_is_an_action_but_no_claim(extractor: Extractor) -> None:
    found = extractor.extract_full("I cancel the order. You shipped the order.")
    assert [(a.trigger.text, a.is_claim) for a in found.actions] == [("cancel", False), ("shipped", False)]
    assert found.claims == ()


def test_a_slot_that_prefers_no_action_is_a_value(extractor: Extractor) -> None:
    found = extractor.extract_full("I refunded the order. Monday.")
    assert [v.text for v in found.values] == ["Monday"]


def test_two_actions_of_a_sentence_get_a_clause_each(extractor: Extractor) -> None:
    found = extractor.extract_full("I refunded the order, and emailed the receipt to you.")
    assert [a.text for a in found.actions] == ["I refunded the order", "emailed the receipt to you."]
    assert [a.object.text for a in found.actions if a.object] == ["order", "receipt"]


@pytest.mark.parametrize("text", ["", " ", "\n\n", "\u200b"])
def test_a_reply_without_words_holds_nothing(extractor: Extractor, text: str) -> None:
    assert extractor.extract_full(text).actions == ()


def test_a_very_long_reply_is_read_to_its_end(extractor: Extractor) -> None:
    text = "I emailed the receipt to you. " * 4000
    found = extractor.extract_full(text)
    assert len(found.actions) == 4000
    assert found.actions[-1].trigger.end <= len(text)


def test_many_replies_give_what_each_gives_alone(tiny_model: Path) -> None:
    texts = ["I refunded $64.", "You shipped the order.", "", "I emailed the receipt. Monday."] * 5
    alone = [Extractor(tiny_model).extract_full(t) for t in texts]
    assert Extractor(tiny_model, threads=2).extract_many(texts) == alone
    assert Extractor(tiny_model).extract_many(reversed(texts)) == alone[::-1]


def test_an_extractor_survives_pickling(extractor: Extractor) -> None:
    import pickle

    extractor.extract_full("I refunded $64.")
    again = pickle.loads(pickle.dumps(extractor))
    assert again.extract_full("I refunded $64.").claims


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet=st.characters(), max_size=300))
def test_any_text_gives_offsets_inside_of_it(extractor: Extractor, text: str) -> None:
    found = extractor.extract_full(text)
    for span in [x for a in found.actions for x in (a, a.trigger, *([a.object] if a.object else []), *a.slots)]:
        assert 0 <= span.start < span.end <= len(text)
        assert text[span.start : span.end] == span.text
    for value in found.values:
        assert text[value.start : value.end] == value.text


@pytest.mark.parametrize(
    "text",
    [
        "\ud800 I refunded $64",
        "I refunded\x00 $64",
        "a" * 1_000_000,
        "I refunded $64 \u202e for",
        "> " * 5000 + "I refunded $64",
    ],
    ids=["surrogate", "null", "one-megabyte", "right-to-left", "deep-quote"],
)
def test_odd_text_is_read_without_an_error(extractor: Extractor, text: str) -> None:
    found = extractor.extract_full(text)
    assert bool(found.actions) == ("refunded" in text)


def test_a_missing_model_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="no model folder at"):
        load_model(tmp_path / "nowhere")


def test_a_folder_without_configuration_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"has no config\.json"):
        load_model(tmp_path)


def test_a_model_of_another_format_is_refused(tiny_model: Path, tmp_path: Path) -> None:
    import json
    import shutil

    shutil.copytree(tiny_model, tmp_path / "m")
    config = json.loads((tmp_path / "m/config.json").read_text())
    (tmp_path / "m/config.json").write_text(json.dumps({**config, "format": 99}))
    with pytest.raises(ModelError, match="has format 99"):
        load_model(tmp_path / "m")


@pytest.mark.model
def test_code_of_a_named_language_states_nothing() -> None:
    shipped = Extractor()
    said = "I've sent the invoice to Ada."
    quoted = f"Not applied yet:\n\n```diff\n-pass\n+print({said!r})\n```\n"
    assert [a.verb for a in shipped.extract_full(said).actions] == ["send"]
    assert not [a for a in shipped.extract_full(quoted).actions if a.verb == "send"]
