"""The parts of the guard: doctests, walking, texts, schemas, what was seen."""

from __future__ import annotations

import dataclasses
import doctest
import importlib
from typing import Any

import pytest

from claimx.guard.amounts import Amounts
from claimx.guard.catalogue import Catalogue
from claimx.guard.identifiers import Identifiers
from claimx.guard.schema import faults_of
from claimx.guard.seen import Seen
from claimx.guard.walk import Leaf, walk
from claimx.types import SlotType

MODULES = [
    "amount_forms", "amounts", "catalogue", "echo", "identifiers", "kinds", "names", "parts", "plain_words", "refusal", "rules", "schema", "seen", "shapes",
    "spoken", "sums", "tables", "texts", "walk",
]  # fmt: skip


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_in_the_docstrings_hold(name: str) -> None:
    assert doctest.testmod(importlib.import_module(f"claimx.guard.{name}")).failed == 0


@dataclasses.dataclass
class Point:
    x: int


def leaves(value: Any) -> dict[str, Any]:
    return {x.path: x.value for x in walk(value, "r") if isinstance(x, Leaf)}


def test_walking_reads_json_in_strings_tuples_and_objects() -> None:
    value = {"a": '{"b": [1, {"c": 2}]}', "t": (3,), "p": Point(4), "none": None, "odd": object}
    found = leaves(value)
    assert found["r.a.b[0]"] == 1
    assert found["r.a.b[1].c"] == 2
    assert found["r.t[0]"] == 3
    assert found["r.p.x"] == 4
    assert "r.none" not in found


def test_walking_ends_in_a_record_that_holds_itself() -> None:
    loop: dict[str, Any] = {"id": "A-12"}
    loop["self"] = loop
    assert set(leaves(loop).values()) == {"A-12"}


def test_nothing_is_passed_over_for_number_or_depth() -> None:
    deep: Any = "A-77123"
    for _ in range(60):
        deep = {"in": [deep]}
    seen = Seen()
    seen.add({"rows": [{"id": f"R-{i:05}"} for i in range(4100)], "deep": deep}, "c1.result")
    assert seen.find(SlotType.ID, "R-04099") is not None
    assert seen.find(SlotType.ID, "A-77123") is not None
    assert seen.find(SlotType.ID, "R-04100") is None


SCHEMAS = [
    ("bare properties", {"a": {"type": "string"}}, {"b": 1}, [("unknown", "args.b")]),
    ("reference", {"properties": {"o": {"$ref": "#/$defs/O"}}, "$defs": {"O": {"properties": {"x": {}}}}}, {"o": {"y": 1}}, [("unknown", "args.o.y")]),
    ("broken reference", {"properties": {"o": {"$ref": "#/$defs/P"}}}, {"o": {"y": 1}}, []),
    ("alternatives", {"anyOf": [{"properties": {"a": {}}}, {"properties": {"b": {}}}]}, {"a": 1, "b": 2, "c": 3}, [("unknown", "args.c")]),
    ("an open alternative", {"anyOf": [{"properties": {"a": {}}}, {"additionalProperties": True}]}, {"c": 3}, []),
    ("patterns", {"properties": {"a": {}}, "patternProperties": {"^x": {}}}, {"xy": 1}, []),
    ("no properties", {"type": "object"}, {"c": 3}, []),
    ("constant", {"properties": {"a": {"const": 1}}}, {"a": 2}, [("value", "args.a")]),
    ("object as text", {"properties": {"o": {"type": "object", "properties": {"x": {}}}}}, {"o": '{"y": 1}'}, [("unknown", "args.o.y")]),
    ("list of objects", {"properties": {"l": {"items": {"properties": {"x": {}}, "required": ["x"]}}}}, {"l": [{"x": 1}, {}]}, [("missing", "args.l[1].x")]),
]  # fmt: skip


@pytest.mark.parametrize(("_", "schema", "args", "want"), SCHEMAS, ids=[s[0] for s in SCHEMAS])
def test_faults_against_a_schema(_: str, schema: Any, args: Any, want: list[tuple[str, str]]) -> None:
    assert [(f.kind, f.path) for f in faults_of(schema, args)] == want


def test_a_tool_that_takes_over_must_exist() -> None:
    with pytest.raises(ValueError, match="none of the tools"):
        Catalogue(["a"], hand_over="b")


def test_identifiers_are_found_by_what_tells_them_apart() -> None:
    ids = Identifiers()
    for text in ("SU-88421", "9f1b2c3d4e5f6a7b8c9d", "4111111111114471", "TK-0061860", "acme/repo#12"):
        ids.add(text, text, named=True)
    same = {
        "su 88421": "SU-88421",
        "61860": "TK-0061860",
        "9f1b2c3": None,
        "4471": "4111111111114471",
        "SU-88412": None,
    }
    for given, path in same.items():
        found = ids.find(given)
        assert (found[0] if found else None) == path, given


def test_near_misses_are_named() -> None:
    ids = Identifiers()
    ids.add("SU-88421", "c1", named=True)
    assert [ids.near(x)[0][2] for x in ("SU-88412", "SU-8842", "SU-88429", "SU-884211")] == [
        "one digit transposed", "one digit missing", "one digit differs", "one digit too many",
    ]  # fmt: skip
    assert ids.near("ZZ-11111") == []


def test_amounts_are_the_same_to_the_cent() -> None:
    amounts = Amounts()
    amounts.add(64.3, "a", key="total")
    amounts.add("1.250,00 €", "b")
    assert amounts.find(64, key="amount") is None
    assert amounts.find(6430, key="amount_cents") is not None
    assert amounts.find(1250, key="amount") is not None
    assert amounts.find(-64.30, key="amount") is None
    amounts.add(-64.30, "c", key="total")
    assert amounts.find(-64.30, key="amount") is not None
    assert amounts.find("soon", key="amount") is None


def test_numbers_in_the_prose_of_results_are_amounts_only_where_they_are_told_as_such() -> None:
    seen = Seen()
    seen.add("There are 64 mugs in 12 boxes; the charge was 99 and shipping 4.50 in all cases, so far.", "c1.result")
    assert seen.find(SlotType.MONEY, 64, key="amount") is None
    assert seen.find(SlotType.MONEY, 99, key="amount") is not None
    assert seen.find(SlotType.MONEY, 4.5, key="amount") is not None


def test_identifiers_without_digits_are_found_as_words() -> None:
    seen = Seen()
    seen.add({"seller": "acme-tools", "note": "Sold by Birch Lane Goods, always."}, "c1.result")
    assert seen.find(SlotType.ID, "acme-tools").path == "c1.result.seller"
    assert seen.find(SlotType.ID, "Birch Lane Goods").path == "c1.result.note"
    assert seen.find(SlotType.ID, "acme") is None
    assert seen.find(SlotType.ID, "irch Lane") is None
