"""Conditions: what they say, what they refuse, and that nothing of Python can be reached through them."""

from __future__ import annotations

import pytest

from claimx.archive.expressions import Condition
from claimx.archive.figures import ANY
from claimx.errors import InputError

NAMES = {
    "rate": 0.02,
    "runs": 100,
    "none": None,
    "agent": "support",
    "tools": {"send-email": {"fabricated_rate": 0.3}, "refund": {"fabricated_rate": 0.0}},
    "called": ["a", "b"],
}


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("rate > 0.01", True),
        ("rate > 0.01 and runs >= 200", False),
        ("rate > 0.01 or runs >= 200", True),
        ("not rate > 0.01", False),
        ("0.01 < rate <= 0.02", True),
        ("rate * 100 - 1 == 1", True),
        ("runs / 0 > 1", False),
        ("agent == 'support'", True),
        ("agent in ['billing', 'support']", True),
        ("agent not in ('billing',)", True),
        ("'a' in called", True),
        ("called[-1] == 'b' or called[0] == 'a'", True),
        ("tools['send-email'].fabricated_rate > 0.2", True),
        ("tools.refund.fabricated_rate > 0.2", False),
        ("tools['nope'].fabricated_rate > 0.2", False),
        ("none > 1", False),
        ("none < 1", False),
        ("none == None", True),
        ("agent != None", True),
        ("agent > 3", False),
        ("-rate < 0", True),
        ("unknown > 1", False),
    ],
)
def test_a_condition_holds_or_not(text: str, holds: bool) -> None:
    if "[-1]" in text:
        with pytest.raises(InputError):
            Condition(text)
        return
    assert Condition(text).matches(NAMES) is holds


@pytest.mark.parametrize(
    "text",
    [
        "",
        "rate >",
        "rate = 1",
        "__import__('os').system('true')",
        "open('/etc/passwd')",
        "(lambda: 1)()",
        "[x for x in called]",
        "9 ** 9 ** 9 > 1",
        "runs << 60 > 1",
        "rate if runs else 1",
        "f'{rate}'",
        "called[0:1]",
        "called[runs]",
        "rate := 1",
        "b'x' == agent",
        "(" * 500 + "1" + ")" * 500,
        "not " * 300 + "rate",
        "x" * 3000,
    ],
)
def test_what_is_no_condition_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="condition"):
        Condition(text)


def test_attributes_lead_to_fields_never_to_python() -> None:
    assert Condition("agent.__class__ == None").matches(NAMES)
    assert not Condition("tools.__class__.__mro__ != None").matches(NAMES)


def test_a_strict_condition_names_the_known_words() -> None:
    with pytest.raises(InputError, match=r"'fabricate_rate' is not known \(known: agent, called"):
        Condition("fabricate_rate > 1", option="--fail-if").matches(NAMES, strict=True)


def test_a_misspelt_name_is_told_with_the_one_that_was_meant() -> None:
    with pytest.raises(InputError, match=r"'fabricatd_rate' is not known; did you mean 'fabricated_rate'\? \(known: "):
        Condition("fabricatd_rate > 0.01", option="--fail-if").require(["runs", "fabricated_rate"])


KNOWN = {"runs": {}, "rate": {}, "verdicts": {"ok": {}}, "tools": {ANY: {"fabricated_rate": {}, "claims": {}}}}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("runs > '5'", "'5' is text: figures are written without quotes"),
        ("'5' == runs", "'5' is text"),
        ("rate > (0, 1)", "a figure is written with a point"),
        ("rate > 0,1", "cannot be read: a figure is written with a point"),
        ("tools > 3", r"tools is no figure: name one, such as tools\['NAME'\].claims"),
        ("tools['x'] > 0", r"tools\['x'\] is no figure: name one, such as tools\['x'\].claims"),
        ("1 + verdicts > 0", "verdicts is no figure: name one, such as verdicts.ok"),
        ("runs > 5 and (rate > 0.1 or not verdicts >= 2)", "verdicts is no figure"),
        ("'x' in runs", "runs holds no names"),
        ("0.01", "names no figure"),
        ("1 > 0", "names no figure"),
    ],
)
def test_a_condition_that_could_not_fail_or_not_hold_is_refused(text: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        Condition(text, option="--fail-if").require_fields(KNOWN)


@pytest.mark.parametrize(
    "text",
    [
        "runs",
        "not runs",
        "runs == None or rate > 0.1",
        "tools['x'].fabricated_rate > 0.1 and 2 * rate < 1",
        "'x' in tools",
        "tools['x'] == None",
        "runs in [1, 2]",
        "-runs < 0",
    ],
)
def test_what_can_fail_and_hold_is_taken(text: str) -> None:
    Condition(text, option="--fail-if").require_fields(KNOWN)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("rate > 0.1 && runs > 5", "'and' and 'or' are words"),
        ("rate => 0.1", "at least is >="),
        ("model = 'm-1'", "equal is ==.*agent == 'support'"),
        ("rate > 1%", "one per cent is 0.01"),
        ("rate > 0,01", "written with a point"),
        ("rate >", "invalid syntax"),
    ],
)
def test_a_slip_is_told_in_the_words_of_a_condition(text: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        Condition(text, option="--where")
