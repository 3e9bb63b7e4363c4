"""Rates, their intervals, and the test that one is higher."""

from __future__ import annotations

import random

import pytest

from claimx.archive.alarm import Point, spikes
from claimx.archive.intervals import Rate, p_higher, wilson


@pytest.mark.parametrize(
    ("count", "of", "low", "high"),
    [  # values of statsmodels' proportion_confint(method="wilson")
        (0, 10, 0.0, 0.2775),
        (1, 10, 0.0179, 0.4042),
        (5, 10, 0.2366, 0.7634),
        (10, 10, 0.7225, 1.0),
        (10, 1000, 0.0054, 0.0183),
        (0, 0, 0.0, 1.0),
    ],
)
def test_wilsons_interval(count: int, of: int, low: float, high: float) -> None:
    assert wilson(count, of) == pytest.approx((low, high), abs=5e-5)


def test_a_rate_of_nothing_has_no_value() -> None:
    assert Rate(0, 0).to_dict() == {"count": 0, "of": 0, "rate": None, "low": 0.0, "high": 1.0}


@pytest.mark.parametrize(
    ("case", "p"),
    [
        ((3, 4, 1, 4), 0.2429),
        ((10, 20, 0, 20), 0.0002),
        ((0, 10, 5, 10), 1.0),
        ((5, 10, 5, 10), 0.6719),
        ((1, 10, 0, 0), 1.0),
    ],
)
def test_fishers_exact_test(case: tuple[int, int, int, int], p: float) -> None:
    assert p_higher(*case) == pytest.approx(p, abs=5e-5)


def night(**tools: tuple[int, int]) -> Point:
    return Point("n", tools)


@pytest.mark.parametrize(
    ("points", "raised"),
    [
        ([night(refund=(1000, 5))] * 7 + [night(refund=(1000, 40))], ["refund"]),
        ([night(refund=(1000, 5))] * 7 + [night(refund=(1000, 8))], []),
        ([night(refund=(1000, 5))] * 7 + [night(refund=(4, 2))], []),  # too few to say
        ([night(refund=(1000, 0))] * 3 + [night(refund=(100, 6))], ["refund"]),
        ([night(refund=(1000, 300))] * 3 + [night(refund=(1000, 400))], []),  # more, but no spike
        ([night(email=(100, 1))] * 3 + [night(refund=(100, 50))], []),  # a tool without a past
        ([night(refund=(1000, 40))], []),
        ([], []),
    ],
    ids=["spike", "steady", "too few", "from nothing", "not twice", "new tool", "one night", "no night"],
)
def test_an_alarm_is_raised_for_a_spike_alone(points: list[Point], raised: list[str]) -> None:
    assert [a["tool"] for a in spikes(points)] == raised


def test_steady_nights_raise_hardly_any_alarm_and_a_tripled_rate_nearly_always() -> None:
    rng = random.Random(5)

    def drawn(rate: float) -> Point:
        return night(**{f"t{i}": (400, sum(rng.random() < rate for _ in range(400))) for i in range(3)})

    usual = [drawn(0.03) for _ in range(14)]
    assert sum(bool(spikes([*usual, drawn(0.03)])) for _ in range(60)) <= 1
    assert sum(len(spikes([*usual, drawn(0.09)])) == 3 for _ in range(20)) >= 17
