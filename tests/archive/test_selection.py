"""What a run says about itself, and which runs are taken."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from claimx.archive.expressions import Condition
from claimx.archive.facets import Facets, facets_of, parse_map, parse_time
from claimx.archive.selection import Selection, parse_bound
from claimx.errors import InputError
from claimx.records import parse_run


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2026-03-01T10:00:00Z", "2026-03-01T10:00:00+00:00"),
        ("2026-03-01 10:00:00+02:00", "2026-03-01T08:00:00+00:00"),
        ("2026-03-01", "2026-03-01T00:00:00+00:00"),
        (1767225600, "2026-01-01T00:00:00+00:00"),
        (1767225600.5, "2026-01-01T00:00:00.500000+00:00"),
        (1767225600000, "2026-01-01T00:00:00+00:00"),
        (1767225600000000000, "2026-01-01T00:00:00+00:00"),
        ("0001-01-01T00:00:00+23:00", None),
        ("1767225600", "2026-01-01T00:00:00+00:00"),
        ("1767225600.25", "2026-01-01T00:00:00.250000+00:00"),
        ("1761123000000", "2025-10-22T08:50:00+00:00"),  # of which ISO 8601 makes a day of 1761
        ("20260301100000", "2026-03-01T10:00:00+00:00"),
        ("2026-03-01 10:00:00 UTC", "2026-03-01T10:00:00+00:00"),
        ("Sun, 01 Mar 2026 10:00:00 GMT", "2026-03-01T10:00:00+00:00"),
        ("1 Mar 2026 10:00:00 +0200", "2026-03-01T08:00:00+00:00"),
        ({"$date": "2026-03-01T10:00:00Z"}, "2026-03-01T10:00:00+00:00"),
        ({"$date": {"$numberLong": "1767225600000"}}, "2026-01-01T00:00:00+00:00"),
        ({"$date": {"$date": 1767225600}}, None),
        ("99999999999999", None),
        pytest.param(10**400, None, id="huge"),
        pytest.param(-(10**400), None, id="-huge"),
        ("yesterday", None),
        (True, None),
        (12, None),
        (float("nan"), None),
        (float("inf"), None),
        ({}, None),
    ],
)
def test_times_are_read_in_the_shapes_they_come_in(value: Any, expected: str | None) -> None:
    moment = parse_time(value)
    assert (moment.isoformat() if moment else None) == expected


@pytest.mark.parametrize(
    ("fields", "facets"),
    [
        ({"agent": "a", "model": "m", "version": 3}, ("a", "m", "3")),
        ({"agent": {"name": "a", "version": "2"}, "model_name": "m"}, ("a", "m", "2")),
        ({"metadata": {"agent_name": "a", "model": "m"}}, ("a", "m", None)),
        ({"agent": ["x"], "model": "  "}, (None, None, None)),
    ],
)
def test_facets_are_found_where_people_write_them(fields: dict[str, Any], facets: tuple[str | None, ...]) -> None:
    found = facets_of(parse_run({"reply": "", **fields}))
    assert (found.agent, found.model, found.version) == facets


def test_a_run_without_a_time_is_dated_by_its_last_call() -> None:
    calls = [{"tool": "a", "started_at": "2026-03-01T00:00:00Z"}, {"tool": "b", "ended_at": "2026-03-02T00:00:00Z"}]
    assert facets_of(parse_run({"reply": "", "ledger": calls})).time == datetime(2026, 3, 2, tzinfo=UTC)


@pytest.mark.parametrize(
    "zero",
    ["0001-01-01T00:00:00Z", "1970-01-01T00:00:00Z", "9999-12-31T23:59:59Z", 0, pytest.param(10**400, id="huge")],
)
def test_a_clock_that_was_never_set_says_nothing_and_costs_nothing(zero: Any) -> None:
    run = parse_run({"reply": "", "time": zero, "created_at": "2026-03-01", "agent": 10**400})
    assert facets_of(run).time == datetime(2026, 3, 1, tzinfo=UTC)
    assert len(facets_of(run).agent or "") == 200
    assert facets_of(parse_run({"reply": "", "time": zero})).time is None


def test_a_map_of_ones_own_wins() -> None:
    run = parse_run({"reply": "", "agent": "x", "meta": {"bot": "b"}})
    assert facets_of(run, parse_map({"agent": "meta.bot"})).agent == "b"
    with pytest.raises(InputError, match="'bot' is not known"):
        parse_map({"bot": "x"})


def test_a_sample_is_stable_nested_and_of_the_wished_size() -> None:
    runs = [parse_run({"id": f"r{i}", "reply": ""}) for i in range(4000)]

    def taken(**options: Any) -> set[str]:
        return {r.id for r in runs if Selection(**options).refuses(r, Facets()) is None}

    tenth = taken(sample=0.1, seed=7)
    assert 340 < len(tenth) < 460
    assert tenth == taken(sample=0.1, seed=7)
    assert tenth < taken(sample=0.3, seed=7)
    assert tenth != taken(sample=0.1, seed=8)


@pytest.mark.parametrize(
    ("options", "time", "why"),
    [
        ({"since": "2026-03-02"}, "2026-03-01T23:59:59Z", "time"),
        ({"since": "2026-03-02"}, "2026-03-02T00:00:00Z", None),
        ({"until": "2026-03-02"}, "2026-03-02T23:00:00Z", None),
        ({"until": "2026-03-02"}, "2026-03-03T00:00:00Z", "time"),
        ({"until": "2026-03-02T12:00:00Z"}, "2026-03-02T12:00:00Z", "time"),
        ({"until": "1772452800"}, "2026-03-02T12:00:00Z", "time"),
        ({"until": "9999-12-31"}, "2026-03-02T12:00:00Z", None),
        ({"since": "2026-03-02"}, None, "no_time"),
    ],
)
def test_a_span_of_days_takes_both_its_ends(options: dict[str, str], time: str | None, why: str | None) -> None:
    bounds = {k: parse_bound(v, option=f"--{k}", end=k == "until") for k, v in options.items()}
    run = parse_run({"reply": "", "time": time})
    assert Selection(**bounds).refuses(run, facets_of(run)) == why


def test_a_condition_sees_fields_and_calls() -> None:
    run = parse_run({"reply": "", "tier": {"name": "gold"}, "ledger": [{"tool": "refund"}], "model": "m"})
    for text, why in (
        ("tier.name == 'gold' and calls == 1", None),
        ("'refund' in called", None),
        ("model == 'x'", "where"),
    ):
        assert Selection(where=Condition(text)).refuses(run, facets_of(run)) == why


@pytest.mark.parametrize("share", [0, -1, 1.5])
def test_a_share_lies_between_nothing_and_all(share: float) -> None:
    with pytest.raises(InputError, match="--sample"):
        Selection(sample=share)


def test_bounds_that_leave_nothing_are_refused() -> None:
    with pytest.raises(InputError, match="is not before"):
        Selection(since=datetime(2026, 3, 2, tzinfo=UTC), until=datetime(2026, 3, 1, tzinfo=UTC))
    with pytest.raises(InputError, match="no date or time"):
        parse_bound("soon", option="--since")


def test_a_week_as_until_means_all_of_it() -> None:
    week, day = (parse_bound(t, option="--until", end=True) for t in ("2026-W10", "2026-W10-7"))
    assert week == day == parse_bound("2026-03-09", option="--until")
