"""Reading records: JSON Lines, one object, arrays, and faults that name line, field and remedy."""

from __future__ import annotations

import io
import json

import pytest

from claimx.errors import InputError
from claimx.records import parse_run, read_records
from claimx.types import LedgerEntry

GOOD = '{"id": "a", "reply": "Hi"}'


def read(text: str | bytes) -> list:
    data = text.encode() if isinstance(text, str) else text
    return list(read_records(io.BytesIO(data)))


def test_json_lines_are_read_with_their_numbers() -> None:
    rows = read(f"{GOOD}\n\n{GOOD}\n")
    assert [(r.line, r.data["id"]) for r in rows] == [(1, "a"), (3, "a")]


def test_one_pretty_printed_object_is_one_record() -> None:
    (row,) = read(json.dumps({"reply": "Hi", "ledger": []}, indent=2))
    assert row.data["reply"] == "Hi"


def test_an_array_is_many_records() -> None:
    assert len(read(json.dumps([{"reply": "a"}, {"reply": "b"}], indent=1))) == 2


def test_a_byte_order_mark_is_ignored() -> None:
    assert read(b"\xef\xbb\xbf" + GOOD.encode())[0].data["id"] == "a"


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        ('{"reply": "cut', "line 2: not JSON"),
        ("nonsense", "line 2: not JSON"),
        (b'{"reply": "\xff"}', "line 2: not UTF-8"),
        ("[" * 100_000, "line 2: n"),
    ],
    ids=["truncated", "words", "encoding", "deep"],
)
def test_a_faulty_line_is_named_and_the_next_one_still_comes(bad: str | bytes, says: str) -> None:
    middle = bad.encode() if isinstance(bad, str) else bad
    rows = read(GOOD.encode() + b"\n" + middle + b"\n" + GOOD.encode() + b"\n")
    assert [r.error is None for r in rows] == [True, False, True]
    assert str(rows[1].error).startswith(says)
    assert rows[1].error.line == 2


def test_a_faulty_first_line_does_not_hide_the_others() -> None:
    rows = read("oops\n" + GOOD + "\n")
    assert [r.error is None for r in rows] == [False, True]


@pytest.mark.parametrize(
    ("data", "field", "says"),
    [
        ({}, "reply", "field 'reply' is missing"),
        ({"reply": 3}, "reply", "is a number, expected the agent's reply"),
        ({"reply": "x", "tools": "a"}, "tools", "expected a list of names"),
        ({"reply": "x", "tools": [{"description": "d"}]}, "tools[0]", "a tool needs a name"),
        ({"reply": "x", "ledger": {}}, "ledger", "expected a list of calls"),
        ({"reply": "x", "ledger": [{"args": {}}]}, "ledger[0]", "needs 'tool'"),
        ({"reply": "x", "ledger": ["send"]}, "ledger[0]", "is a string, expected an object"),
        (
            {"reply": "x", "ledger": [{"tool": "t", "status": "odd"}]},
            "ledger[0].status",
            "'odd', expected success, error, timeout or unknown",
        ),
        ({"reply": "x", "ledger": [{"tool": "t", "status": {}}]}, "ledger[0].status", "'status' is dict"),
        ({"reply": "x", "user": 1}, "user", "expected a string"),
        ("text", None, "a record is a JSON object"),
    ],
)
def test_a_wrong_shape_is_told_with_line_field_and_remedy(data: object, field: str | None, says: str) -> None:
    with pytest.raises(InputError) as e:
        parse_run(data, line=7)
    assert says in str(e.value)
    assert str(e.value).startswith("line 7: ")
    assert (e.value.line, e.value.field) == (7, field)


def test_missing_and_repeated_call_ids_are_made_unique() -> None:
    run = parse_run({"reply": "x", "ledger": [{"tool": "a"}, {"tool": "b", "id": "c1"}, {"tool": "c", "id": 5}]})
    assert len({e.id for e in run.ledger}) == 3
    assert [e.tool for e in run.ledger] == ["a", "b", "c"]


def test_a_run_keeps_its_other_fields_and_survives_a_round_trip() -> None:
    data = {
        "id": "r",
        "reply": "x",
        "tools": ["t"],
        "ledger": [{"id": "c", "tool": "t", "args": {"a": 1}, "result": None, "status": "success", "team": "eu"}],
        "user": "u",
        "model": "m",
    }
    run = parse_run(data)
    assert run.extra == {"model": "m"}
    assert parse_run(run.to_dict()) == run


def test_a_completion_state_is_read_and_other_words_stay_the_recorders_own() -> None:
    for word in ("verified", "unverified", "failed"):
        entry = LedgerEntry.from_dict({"tool": "a", "state": word})
        assert entry.state == word
        assert "state" not in entry.extra
        assert LedgerEntry.from_dict(entry.to_dict()) == entry
    for word in ("done", None, {"a": 1}, ["verified"]):
        entry = LedgerEntry.from_dict({"tool": "a", "state": word})
        assert entry.state is None
        assert entry.to_dict()["state"] == word
