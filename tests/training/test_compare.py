"""Two models side by side: intervals, paired differences, and noise called noise."""

from __future__ import annotations

import copy
import json
from pathlib import Path

import pytest
from claimx.training.compare import FEWEST_CHANGED, compare
from claimx.training.error_page import errors_of, make_page

from claimx.annotate.example import Example, write_jsonl
from claimx.annotate.markup import compile_markup
from claimx.cli import main

TEXT, ACTIONS, VALUES = compile_markup("I ⟦sent|A1 paa⟧ the ⟦invoice|O1⟧ ⟦INV-7|ID1⟧ & <b>. Total ⟦$5|MONEY⟧.")
EXAMPLES = [Example(f"e{n}", TEXT, ACTIONS, VALUES, domain="ab"[n % 2]) for n in range(40)]
RIGHT, BLIND = (ACTIONS, VALUES), ([], VALUES)


def mixed(wrong: int) -> list:
    return [BLIND if n < wrong else RIGHT for n in range(40)]


def test_an_interval_holds_its_value_and_is_narrow_where_all_is_alike() -> None:
    whole = compare(EXAMPLES, mixed(10), by=None).groups[0]
    figure = whole.figures["claim_r"]
    assert figure.value == 0.75
    assert 0.55 < figure.low < 0.75 < figure.high < 0.92
    perfect = compare(EXAMPLES, mixed(0)).groups[0].figures["claim_f1"]
    assert (perfect.low, perfect.high) == (1.0, 1.0)


def test_a_clear_gain_is_better_and_the_reverse_is_worse() -> None:
    found = compare(EXAMPLES, mixed(2), mixed(20))
    assert found.groups[0].figures["claim_f1"].verdict == "better"
    assert found.summary.startswith("better in claim_f1, action_f1")
    assert compare(EXAMPLES, mixed(20), mixed(2)).summary.startswith("worse in claim_f1")


def test_the_same_readings_are_no_difference() -> None:
    found = compare(EXAMPLES, mixed(5), mixed(5))
    assert found.groups[0].changed == 0
    assert {f.verdict for f in found.groups[0].figures.values()} == {"noise"}
    assert found.summary.startswith("no difference can be told: 0 of 40")


def test_a_few_changed_replies_are_noise_however_good_they_look() -> None:
    found = compare(EXAMPLES, mixed(0), mixed(FEWEST_CHANGED - 1))
    assert found.groups[0].figures["claim_f1"].difference[0] > 0
    assert {f.verdict for f in found.groups[0].figures.values()} == {"noise"}


def test_gains_and_losses_that_cancel_are_noise() -> None:
    other = [RIGHT if n < 10 else BLIND if n < 20 else RIGHT for n in range(40)]
    found = compare(EXAMPLES, mixed(10), other)
    assert found.groups[0].changed == 20
    assert found.groups[0].figures["claim_f1"].verdict == "noise"
    assert "neither better nor worse" in found.summary


def test_each_source_is_scored_by_itself() -> None:
    predictions = [BLIND if e.domain == "a" else RIGHT for e in EXAMPLES]
    groups = {g.name: g for g in compare(EXAMPLES, predictions, by=lambda e: e.domain).groups}
    assert (groups["a"].figures["claim_r"].value, groups["b"].figures["claim_r"].value) == (0.0, 1.0)
    assert (groups["all"].replies, groups["a"].replies) == (40, 20)


def test_the_draws_are_seeded() -> None:
    first, again = (compare(EXAMPLES, mixed(7), mixed(9), seed=3).to_dict() for _ in range(2))
    assert first == again


def test_every_kind_of_error_is_listed() -> None:
    assert errors_of(EXAMPLES[0], RIGHT) == []
    read = copy.deepcopy(ACTIONS)
    read[0]["modality"] = "negated"
    read[0]["slots"] = []
    extra = {
        **copy.deepcopy(ACTIONS[0]),
        "trigger": {"text": "Total", "start": 26, "end": 31},
        "slots": [],
        "object": None,
    }
    found = dict(errors_of(EXAMPLES[0], ([*read, extra], VALUES)))
    assert found["modality"] == "“sent” is asserted, read as negated, which changes what is claimed"
    assert found["value's action"] == "“sent” lacks ID “INV-7”"
    assert "invented claim" in found
    assert dict(errors_of(EXAMPLES[0], BLIND))["missed claim"] == "“sent” (past asserted agent)"


def test_the_page_shows_gold_and_read_and_escapes_the_reply() -> None:
    found = compare(EXAMPLES, mixed(1), mixed(0))
    page = make_page(EXAMPLES, found, title="acme <on> b", against="default")
    assert "<b>" not in page
    assert "&amp; &lt;b&gt;" in page
    assert "1 of 40; gold on the left" in page
    assert "<mark class='C'>sent<sub>1 past asserted agent</sub></mark>" in page
    assert "inside the noise" in page
    assert "http" not in page, "nothing is loaded from elsewhere"


def test_the_command_compares_two_folders(tiny_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data, page, out = tmp_path / "d.jsonl", tmp_path / "e.html", tmp_path / "s.json"
    text, actions, values = compile_markup("I ⟦refunded|A1 paa⟧ the ⟦order|O1⟧.")
    write_jsonl(data, [Example(f"e{n}", f"{text}", actions, values) for n in range(1)])
    args = [
        "evaluate",
        str(tiny_model),
        str(data),
        "--against",
        str(tiny_model),
        "--html",
        str(page),
        "--out",
        str(out),
    ]
    assert main([*args, "--draws", "100"]) == 0
    assert "no difference can be told" in capsys.readouterr().out
    scores = json.loads(out.read_text(encoding="utf-8"))
    assert scores["groups"]["all"]["claim_f1"]["value"] == 1.0
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")


def test_faulty_labels_are_told_and_the_others_scored(
    tiny_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = tmp_path / "d.txt"
    data.write_text("=== domain=a voice=b\nI ⟦refunded|A1 paa⟧.\n\n=== domain=a voice=b\nI ⟦oops\n", encoding="utf-8")
    assert main(["evaluate", str(tiny_model), str(data), "--out", "-", "--draws", "100"]) == 2
    captured = capsys.readouterr()
    assert "d.txt:4: a mark that cannot be read" in captured.err
    assert json.loads(captured.out)["groups"]["all"]["replies"] == 1
