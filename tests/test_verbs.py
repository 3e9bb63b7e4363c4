"""Verb families: trigger, object and clause decide together."""

from __future__ import annotations

import doctest

import pytest

import claimx.verbs
from claimx.verbs import FAMILIES, family, lemma


@pytest.mark.parametrize(
    ("trigger", "target", "want"),
    [
        ("cancelled", "order", "cancel"),
        ("Cancellation", None, "cancel"),
        ("issued", "refund", "refund"),
        ("reversed", "charge", "refund"),
        ("processed", "return", "return"),
        ("submitted", "return requests", "return"),
        ("requested", "exchange", "exchange"),
        ("made", "reservation", "book"),
        ("placed", "order", "order"),
        ("put in", "ticket", "create"),
        ("emailed", None, "send"),
        ("shot", "email", "send"),
        ("wired", "money", "transfer"),
        ("looked up", "account", "get"),
        ("found", "flights", "get"),
        ("ran", "tests", "run"),
        ("pass", "tests", "run"),
        ("Lint", None, "run"),
        ("committed", "changes", "commit"),
        ("rolled back", "deployment", "rollback"),
        ("set up", "account", "create"),
        ("turned off", "lights", "disable"),
        ("switched on", "heating", "enable"),
        ("rescheduled", "visit", "schedule"),
        ("handed over", "case", "escalate"),
        ("took care of", "refund", "refund"),
        ("all set", None, "do"),
    ],
)
def test_a_trigger_with_its_object_has_its_family(trigger: str, target: str | None, want: str) -> None:
    assert family(trigger, target) == want


@pytest.mark.parametrize(
    ("word", "want"),
    [("stopped", "stop"), ("emailing", "email"), ("closes", "close"), ("applied", "apply"), ("sent", "send"),
     ("initiated", "initiate"), ("rewritten", "rewrite"), ("defragging", "defrag"), ("paid", "pay"), ("written", "write")],
)  # fmt: skip
def test_inflected_words_have_their_lemma(word: str, want: str) -> None:
    assert lemma(word) == want


def test_a_word_stands_in_one_family_only_where_it_is_listed_first() -> None:
    for name, words in FAMILIES.items():
        assert words.split(), name


def test_the_docs_examples_hold() -> None:
    assert doctest.testmod(claimx.verbs).failed == 0
