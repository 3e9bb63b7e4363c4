"""JSON that reads back equal everywhere, its canonical bytes and their digests."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from enum import Enum
from pathlib import PurePosixPath
from typing import Any, NamedTuple
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from claimx.errors import LedgerError
from claimx.ledger.canonical import MAX_INTEGER, canonical, digest_of, plain


@dataclass
class Order:
    id: str
    lines: list[int]


class Point(NamedTuple):
    x: int
    y: int


class Colour(Enum):
    RED = "red"


class Model:
    def model_dump(self) -> dict[str, Any]:
        return {"id": 7}


class Hostile:
    def __getattribute__(self, name: str) -> Any:
        raise RuntimeError("do not look at me")


class Secret:
    def __repr__(self) -> str:
        return "Secret(password='hunter2')"


CASES = [
    (None, None),
    (True, True),
    (64, 64),
    (64.5, 64.5),
    (2**53, "9007199254740992"),
    (-(2**70), str(-(2**70))),
    (1e300, "1e+300"),
    (float("nan"), "nan"),
    (float("-inf"), "-inf"),
    ("caf\u00e9", "caf\u00e9"),
    ("\ud800", "\\ud800"),
    (b"\x00\xff", "base64:AP8="),
    (Decimal("8.450"), "8.450"),
    (datetime(2026, 1, 2, 3, 4, tzinfo=UTC), "2026-01-02T03:04:00+00:00"),
    (date(2026, 1, 2), "2026-01-02"),
    (timedelta(hours=1), "1:00:00"),
    (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
    (PurePosixPath("/a/b"), "/a/b"),
    (Order("A", [1]), {"id": "A", "lines": [1]}),
    (Point(1, 2), {"x": 1, "y": 2}),
    (Colour.RED, "red"),
    (Model(), {"id": 7}),
    ((1, (2,)), [1, [2]]),
    ({3, 1, 2}, [1, 2, 3]),
    ({7: "a", None: "b", True: "c", 1.5: "d"}, {"7": "a", "null": "b", "true": "c", "1.5": "d"}),
    ({1: "a", "1": "b"}, [["1", "a"], ["1", "b"]]),
    (ValueError("no"), "ValueError: no"),
    (Secret(), "<secret>"),
    (Secret, "<secret>"),
    (object, "<builtins.object>"),
]


@pytest.mark.parametrize(("value", "expected"), CASES, ids=lambda v: repr(v)[:24].encode("ascii", "replace").decode())
def test_any_value_becomes_json(value: object, expected: object) -> None:
    found = plain(value)
    if expected == "<secret>":
        assert "hunter2" not in found
        assert found.endswith("Secret>")
        return
    assert found == expected
    assert type(found) is type(expected)


def test_what_cannot_be_looked_at_is_told_by_its_type() -> None:
    assert plain({"a": Hostile(), "b": 1}) == {"a": f"<unreadable {Hostile.__module__}.Hostile>", "b": 1}


def test_numpy_values_become_numbers_and_lists() -> None:
    np = pytest.importorskip("numpy")
    assert plain({"n": np.int64(3), "v": np.array([1.5, 2.5])}) == {"n": 3, "v": [1.5, 2.5]}


def test_what_contains_itself_or_has_no_bottom_ends() -> None:
    loop: list[Any] = [1]
    loop.append(loop)
    assert plain(loop) == [1, "<contains itself>"]
    deep: list[Any] = []
    for _ in range(500):
        deep = [deep]
    assert "<deeper than 64 levels>" in json.dumps(plain(deep))


def test_a_value_used_twice_is_not_taken_for_a_loop() -> None:
    part = {"a": 1}
    assert plain([part, part]) == [part, part]


def test_the_snapshot_does_not_change_with_the_value() -> None:
    args = {"items": [1]}
    kept = plain(args)
    args["items"].append(2)
    assert kept == {"items": [1]}


#: Appendix of RFC 8785, 3.2.4: sorting and number forms.
RFC = {
    "numbers": [333333333.33333329, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000f\u000aA'\u0042\u0022\u005c\\\"\u002f",
    "literals": [None, True, False],
}
RFC_BYTES = (
    '{"literals":[null,true,false],"numbers":[333333333.3333333,4.5,0.002,1e-27],'
    '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}'
)


def test_the_canonical_form_is_that_of_the_rfc() -> None:
    assert canonical(RFC).decode() == RFC_BYTES


@pytest.mark.parametrize("bad", [float("nan"), 2**60, {1: 2}, {"a": object()}, "\ud800"])
def test_what_json_cannot_carry_has_no_canonical_form(bad: object) -> None:
    with pytest.raises(LedgerError, match="no canonical form"):
        canonical(bad)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.decimals(allow_nan=True),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=25, deadline=None)
@given(json_values)
def test_what_was_made_plain_has_the_same_digest_after_any_json_reader(value: object) -> None:
    kept = plain(value)
    assert digest_of(json.loads(canonical(kept))) == digest_of(kept)
    assert digest_of(json.loads(json.dumps(kept))) == digest_of(kept)
    assert plain(kept) == kept


def test_digests_name_their_algorithm_and_a_key_changes_them() -> None:
    assert digest_of({"b": 1, "a": 2}) == digest_of({"a": 2, "b": 1.0})
    assert digest_of("x").startswith("sha256:")
    assert digest_of("x", key=b"k").startswith("hmac-sha256:")
    assert digest_of("x", key=b"k") != digest_of("x", key=b"l")
    assert digest_of(1) != digest_of(True)
    assert MAX_INTEGER == 2**53 - 1
