"""The corpus: sources compile, splits do not leak, labels follow the schema; markup, stand-off and augmentation."""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path

import pytest
from claimx.training import augment, build, standoff
from claimx.training.corpus import from_quotes
from claimx.training.generate import generate
from hypothesis import given
from hypothesis import strategies as st

from claimx.annotate.example import Example, faults_of
from claimx.annotate.markup import compile_markup, parse_source, to_markup
from claimx.errors import CorpusError


def example(marked: str) -> Example:
    text, actions, values = compile_markup(marked)
    return Example("x", text, actions, values)


MARKED = "I've ⟦refunded|A1 paa⟧ ⟦$64|MONEY1⟧ for ⟦order|O1⟧ ⟦#4821|ID1⟧. I'll ⟦mail|A2 faa⟧ ⟦ann@example.com|CONTACT2⟧ on ⟦Monday|DATE⟧."


def test_markup_compiles_and_is_written_back() -> None:
    e = example(MARKED)
    assert e.text == "I've refunded $64 for order #4821. I'll mail ann@example.com on Monday."
    assert to_markup(e.text, e.actions, e.values) == MARKED
    assert faults_of(e) == []


@pytest.mark.parametrize(
    ("marked", "says"),
    [
        ("⟦sent|A1 xaa⟧", "unknown code"),
        ("⟦sent|A1⟧", "a trigger is written"),
        ("⟦sent|A1 paa⟧ ⟦sent|A1 paa⟧", "two triggers"),
        ("⟦note|O2⟧", r"slots of action 2, which has no trigger: mark its verb as in ⟦sent\|A2 paa⟧"),
        ("⟦ sent|A1 paa⟧", "spaces at an end"),
        ("⟦5|AMOUNT⟧", "unknown type 'AMOUNT' .known: A, O, ID, MONEY, "),
        ("⟦sent|A1 paa", "cannot be read"),
    ],
)
def test_a_faulty_mark_is_told(marked: str, says: str) -> None:
    with pytest.raises(CorpusError, match=says):
        compile_markup(marked)


def test_a_faulty_record_does_not_stop_the_next() -> None:
    items = list(
        parse_source("=== domain=a voice=b\n⟦x\n\n=== domain=a\nhi\n\n=== domain=a voice=b\nfine\n", name="f.txt")
    )
    assert [isinstance(i, CorpusError) for i in items] == [True, True, False]
    assert str(items[1]).startswith("f.txt:4: the header lacks voice")


@pytest.fixture(scope="module")
def sources() -> tuple[list[Example], list[str]]:
    return build.read_sources(build.data_folder() / "source")


@pytest.fixture(scope="module")
def splits() -> dict[str, list[Example]]:
    return {s: build.load_split(s) for s in build.SPLITS}


def test_every_source_compiles(sources: tuple[list[Example], list[str]]) -> None:
    examples, faults = sources
    assert faults == []
    assert len(examples) >= 500


def test_the_built_corpus_is_what_its_sources_give(
    sources: tuple[list[Example], list[str]], splits: dict[str, list[Example]]
) -> None:
    folder = build.data_folder()
    manifest = json.loads((folder / "manifest.json").read_text())
    for split in build.SPLITS:
        digest = hashlib.sha256((folder / f"{split}.jsonl").read_bytes()).hexdigest()
        assert manifest["splits"][split]["sha256"] == digest
    given = {e.id: e.text for e in (*sources[0], *generate())}
    built = {e.id: e.text for examples in splits.values() for e in examples}
    assert built.items() <= given.items()
    assert len(given) - len(built) == manifest["dropped_as_near_duplicates"]


def test_training_replies_that_nearly_repeat_a_held_out_one_are_dropped(tmp_path: Path) -> None:
    held = "Would you like me to add the product to the basket now?"
    (tmp_path / "source").mkdir()
    for n, text in enumerate((held.replace("basket", "cart"), "I ⟦sent|A1 paa⟧ it.", held), 1):
        (tmp_path / "source" / f"part-x-{n:02}.txt").write_text(f"=== domain=a voice=b\n{text}\n", encoding="utf-8")
    own = [
        Example(f"gen-{n}", text, [], [], origin="generated", meta={"split": "train"})
        for n, text in enumerate(
            (held.removesuffix(" to the basket now?") + "?", "I have sent six letters to the bank.")
        )
    ]
    manifest = build.build(tmp_path, iter(own))
    assert manifest["dropped_as_near_duplicates"] == 2
    assert [e.id for e in build.load_split("validation", tmp_path)] == ["part-x-03/001"]
    assert [e.id for e in build.load_split("train", tmp_path)] == ["part-x-02/001", "gen-1"]


def test_splits_share_no_family_file_or_near_duplicate(splits: dict[str, list[Example]]) -> None:
    train = splits["train"]
    families = {e.family for e in train if e.family}
    for name in ("validation", "test", "contrast"):
        held = splits[name]
        assert not families & {e.family for e in held if e.family}
        authored = [(e.id, e.text) for e in held if e.origin == "authored"]
        assert build.near_duplicates(authored, [(e.id, e.text) for e in train], limit=0.7) == []
    assert not {e.text for e in train} & {e.text for s in ("validation", "test") for e in splits[s]}


def test_the_spread_of_the_corpus(splits: dict[str, list[Example]]) -> None:
    stats = build.statistics([e for examples in splits.values() for e in examples])
    assert stats["replies"] >= 1500
    assert len(stats["domain"]) >= 12
    assert stats["share_without_claim"] >= 0.4
    assert set(stats["slot"]) == {
        "ID",
        "MONEY",
        "DATE",
        "TIME",
        "DURATION",
        "COUNT",
        "PERCENT",
        "CONTACT",
        "PERSON",
        "NAME",
    }
    assert set(stats["modality"]) == {
        "asserted",
        "negated",
        "possible",
        "conditional",
        "offered",
        "directive",
        "attributed",
    }


def test_the_generator_is_seeded_and_sound() -> None:
    first, again = list(generate(60)), list(generate(60))
    assert [e.to_dict() for e in first] == [e.to_dict() for e in again]
    assert [e.to_dict() for e in generate(60, seed=12)] != [e.to_dict() for e in first]
    assert all(faults_of(e) == [] for e in generate(400))


def test_standoff_labels_hold_no_text_and_join_again() -> None:
    e = example(MARKED)
    record = standoff.strip(e)
    assert "refunded" not in json.dumps(record)
    assert standoff.restore(record, e.text).actions == e.actions
    with pytest.raises(CorpusError, match="has changed"):
        standoff.restore(record, e.text + " ")


def test_quoting_labels_find_the_right_occurrence() -> None:
    label = {
        "id": "q",
        "actions": [
            {
                "trigger": "sent",
                "n": 2,
                "tense": "past",
                "modality": "asserted",
                "actor": "agent",
                "slots": [["COUNT", "2", 1]],
            }
        ],
    }
    e = from_quotes(label, "unsent; I sent 2, then sent 12")
    assert e.actions[0]["trigger"]["start"] == 23
    assert e.text[e.actions[0]["slots"][0]["start"] :].startswith("2, then")


@given(st.integers(0, 10_000))
def test_augmented_examples_stay_sound(seed: int) -> None:
    rng = random.Random(seed)
    changed = augment.mix(refill=augment.refill, rate=1.0)(example(MARKED), rng)
    assert faults_of(changed) == []
    assert len(changed.actions) == 2


def test_load_dataset_reads_the_folder_with_the_features_that_its_card_declares(
    tmp_path: Path, splits: dict[str, list[Example]]
) -> None:
    import datasets

    folder = build.data_folder()
    loaded = datasets.load_dataset(str(folder), cache_dir=str(tmp_path))
    assert {s: d.num_rows for s, d in loaded.items()} == {s: len(e) for s, e in splits.items()}
    assert {"text", "actions", "values", "domain", "voice", "split"} <= set(loaded["train"].features)
    assert loaded["test"].features["values"].feature["start"].dtype == "int32", "declared; a guess would be int64"


def test_the_data_card_tells_the_figures_of_the_corpus(splits: dict[str, list[Example]]) -> None:
    from claimx.training.stats import card_block

    examples = [e for s in build.SPLITS for e in splits[s]]
    assert card_block(examples) in (build.data_folder() / "README.md").read_text(encoding="utf-8"), (
        "renew it: python -m claimx.training corpus stats --card data/README.md"
    )
