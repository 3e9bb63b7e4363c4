"""One receipt as HTML: what it shows, and that nothing in it becomes markup."""

from __future__ import annotations

from pathlib import Path

import pytest
import spacy

import claimx
from claimx.checker import Checker
from claimx.extract import Extractor
from claimx.records import parse_run
from claimx.types import Extraction, Run

HOSTILE = 'I refunded $64 for the order </blockquote><script>alert(1)</script><img src=x onerror="alert(2)"> \u202e&amp; #4821.'


@pytest.fixture(scope="module")
def checker(tiny_model: Path) -> Checker:
    return Checker(Extractor(tiny_model))


def test_a_receipt_shows_its_reply_reasons_and_paths(checker: Checker) -> None:
    call = {"id": "c1", "tool": "issue_refund", "args": {"amount": 6.4}, "result": {"ok": True}}
    run = parse_run({"id": "r1", "reply": "I refunded $64 for the order.", "tools": ["issue_refund"], "ledger": [call]})
    html = claimx.render(checker.check(run), reply=run)
    assert html is not None
    for part in (">misquoted</b>", ">refunded</mark>", ">$64</mark>", "c1.args.amount", "recorded <bdi>6.4</bdi>"):
        assert part in html
    assert "<mark" not in str(claimx.render(checker.check(run)))


def test_the_reply_may_come_as_text_or_within_its_run(checker: Checker) -> None:
    run = Run("I refunded $64.")
    receipt = checker.check(run)
    assert (
        claimx.render(receipt, reply=run.reply)
        == claimx.render(receipt, reply=run)
        == claimx.render(receipt, reply={"reply": run.reply})
    )


def test_nothing_in_a_hostile_reply_becomes_markup(checker: Checker) -> None:
    run = parse_run({"id": '"><script>', "reply": HOSTILE, "tools": ["issue_refund"]})
    for html in (
        claimx.render(checker.check(run), reply=run, page=True),
        claimx.render(checker.extractor.extract_full(HOSTILE), reply=HOSTILE),
    ):
        assert html is not None
        assert "<script" not in html
        assert "<img" not in html
        assert "⟨U+202E⟩" in html
        assert "\u202e" not in html


def test_a_doc_shows_claims_and_what_keeps_the_others_from_being_one(tiny_model: Path) -> None:
    nlp = spacy.blank("en")
    nlp.add_pipe("claimx", config={"path": str(tiny_model)})
    html = claimx.render(nlp("I refunded the order. I cancel the order."))
    assert html is not None
    assert ">claim</b>" in html
    assert ">possible future</b>" in html


@pytest.mark.parametrize("given", [3, "text", None])
def test_anything_else_is_refused(given: object) -> None:
    with pytest.raises(TypeError, match="render takes"):
        claimx.render(given)
    with pytest.raises(TypeError, match="reply=text"):
        claimx.render(Extraction())
