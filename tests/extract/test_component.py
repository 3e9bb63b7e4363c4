"""The spaCy component: found by its name, spans and attributes, streams, disk."""

from __future__ import annotations

from pathlib import Path

import pytest
import spacy


def make_nlp(model: Path, **config: object) -> spacy.Language:
    nlp = spacy.blank("en")
    nlp.add_pipe("claimx", config={"path": str(model), **config})
    return nlp


def test_the_factory_is_advertised_by_an_entry_point() -> None:
    from importlib.metadata import entry_points

    (point,) = entry_points(group="spacy_factories", name="claimx")
    assert point.value == "claimx.extract.component:make_claimx"


def test_add_pipe_needs_no_import(tiny_model: Path) -> None:
    import subprocess
    import sys

    code = (
        "import spacy; nlp = spacy.blank('en'); "
        f"nlp.add_pipe('claimx', config={{'path': {str(tiny_model)!r}}}); "
        "print([s.label_ for s in nlp('I refunded $64.').spans['claimx']])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "['ACTION', 'MONEY']"


def test_spans_and_attributes(tiny_model: Path) -> None:
    doc = make_nlp(tiny_model)("I refunded $64 for the order #4821. You shipped the order.")
    spans = {(s.label_, s.text) for s in doc.spans["claimx"]}
    assert {("ACTION", "refunded"), ("MONEY", "$64"), ("OBJECT", "order"), ("ACTION", "shipped")} <= spans
    first = next(s for s in doc.spans["claimx"] if s.label_ == "ACTION")
    assert (first._.claimx_tense, first._.claimx_modality, first._.claimx_actor) == ("past", "asserted", "agent")
    assert first._.claimx_verb == "refund"
    assert first._.claimx_is_claim is True
    assert first._.claimx_object.text == "order"
    assert [s.label_ for s in first._.claimx_slots] == ["MONEY", "ID"]
    assert doc._.claimx.claims[0].trigger.text == "refunded"


@pytest.mark.parametrize("threads", [1, 3])
def test_a_stream_gives_what_single_calls_give(tiny_model: Path, threads: int) -> None:
    nlp = make_nlp(tiny_model, threads=threads)
    texts = ["I refunded $64.", "Monday.", "", "I emailed the receipt to you."] * 7
    assert [d._.claimx for d in nlp.pipe(texts, batch_size=5)] == [nlp(t)._.claimx for t in texts]


def test_a_pipeline_goes_to_disk_and_back(tiny_model: Path, tmp_path: Path) -> None:
    nlp = make_nlp(tiny_model)
    want = nlp("I refunded $64.")._.claimx
    nlp.to_disk(tmp_path / "pipeline")
    assert spacy.load(tmp_path / "pipeline")("I refunded $64.")._.claimx == want


def test_an_extractor_takes_a_pipeline(tiny_model: Path) -> None:
    from claimx.extract import Extractor

    assert Extractor(make_nlp(tiny_model)).extract_full("I refunded $64.").claims
