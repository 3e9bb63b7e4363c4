"""Truncated, oversized, wrongly encoded, half-written: what is wrong is told, the rest is read, secrets stay unsaid."""

from __future__ import annotations

import gzip
import io
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from claimx.adapters import Found, read_runs
from claimx.adapters.jsonstream import BrokenJson, pieces
from claimx.errors import FormatError, InputError
from tests.adapters.sessions import Claude, write_lines  # type: ignore[import-not-found]

RUN = {"id": "r", "reply": "Sent.", "ledger": [{"id": "c", "tool": "send_email", "args": {}, "result": "ok"}]}
TALK = {
    "messages": [
        {"role": "user", "content": "Mail it"},
        {
            "role": "assistant",
            "content": None,
            "tool_calls": [{"id": "a", "function": {"name": "send_email", "arguments": "{}"}}],
        },
        {"role": "tool", "tool_call_id": "a", "content": "password=hunter2-very-secret"},
        {"role": "assistant", "content": "Sent."},
    ]
}


def read(data: bytes) -> tuple[list[Any], list[Found]]:
    found = list(read_runs(data))
    return [f.run for f in found if f.run], [f for f in found if f.error]


def lines(*rows: Any) -> bytes:
    return b"".join((r if isinstance(r, bytes) else json.dumps(r).encode()) + b"\n" for r in rows)


@pytest.mark.parametrize("row", [RUN, TALK], ids=["runs", "conversations"])
@pytest.mark.parametrize(
    ("bad", "says"),
    [(b'{"messages": [{"role": "us', "not JSON"), (b'{"a": "\xff\xfe"}', "not UTF-8"), (b"[" * 90_000, "nested"), (b"null null", "not JSON")],
    ids=["cut", "encoding", "deep", "words"],
)  # fmt: skip
def test_a_faulty_line_is_told_and_those_around_it_are_read(row: Any, bad: bytes, says: str) -> None:
    runs, (fault,) = read(lines(row, bad, row))
    assert len(runs) == 2
    assert not fault.is_note
    assert fault.line == 2
    assert "line 2: " in str(fault.error)
    assert says in str(fault.error) or (says == "nested" and "recursion" in str(fault.error).lower())


def test_a_faulty_first_line_hides_nothing() -> None:
    for bad in (b"oops", b'{"messages": [', b'{"reply": "cut'):
        runs, (fault,) = read(lines(bad, TALK, TALK))
        assert (len(runs), fault.line) == (2, 1)


def test_a_session_cut_in_its_last_line_is_read_up_to_there(tmp_path: Path) -> None:
    c = Claude()
    rows = [c.user("Fix"), c.call("e", "Edit", file_path="a.py"), c.result("e", "ok"), c.text("Fixed.")]
    path = write_lines(tmp_path / "s.jsonl", *rows, '{"type": "assistant", "message": {"role": "assis')
    found = list(read_runs(path))
    (run,) = [f.run for f in found if f.run]
    assert (run.reply, len(run.ledger)) == ("Fixed.", 1)
    assert [str(f.error)[:7] for f in found if f.error] == ["line 5:"]


@pytest.mark.parametrize("cut", [30, 90, 130])
def test_a_document_cut_short_gives_what_stands_before_the_cut(cut: int) -> None:
    text = json.dumps([RUN, RUN, RUN], indent=1).encode()
    runs, (fault,) = read(text[: len(text) - cut])
    assert len(runs) == 2
    assert "cut short" in str(fault.error)


def test_a_run_cut_short_is_never_judged_without_its_missing_calls() -> None:
    text = json.dumps(RUN, indent=1).encode()
    runs, (fault,) = read(text[:-20])
    assert runs == []
    assert "cut short" in str(fault.error)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_a_marked_encoding_is_read(encoding: str) -> None:
    text = json.dumps({**RUN, "reply": "Sent to Zoë."}, ensure_ascii=False) + "\n"
    mark = b"\xff\xfe" if encoding == "utf-16-le" else b""
    (run,), faults = read(mark + text.encode(encoding))
    assert (run.reply, faults) == ("Sent to Zoë.", [])


def test_latin_1_is_told_by_its_line() -> None:
    runs, (fault,) = read(lines(RUN) + '{"reply": "Zoë"}\n'.encode("latin-1") + lines(RUN))
    assert len(runs) == 2
    assert "line 2: not UTF-8" in str(fault.error)
    assert "save the file as UTF-8" in str(fault.error)


def test_nothing_at_all_gives_nothing() -> None:
    assert read(b"") == ([], [])
    assert read(b"\n \n") == ([], [])


def test_a_missing_file_and_a_broken_archive_are_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        list(read_runs(tmp_path / "nowhere.json"))
    import zipfile

    path = tmp_path / "x.eval"
    with zipfile.ZipFile(path, "w") as z:
        z.writestr("samples/1.json", json.dumps({"id": 1, "epoch": 1, "target": "x", **TALK}))
        z.writestr("samples/2.json", "{cut")
        z.writestr("header.json", "{}")
        z.writestr("samples/3.json", json.dumps({"id": 3, "epoch": 1, "target": "x", **TALK}))
    data = path.read_bytes()
    at = data.index(b'"target": "x"', data.index(b"samples/3.json"))
    path.write_bytes(data[:at] + b"#" + data[at + 1 :])  # a byte changed on the disk
    found = list(read_runs(path))
    assert [f.run.reply for f in found if f.run] == ["Sent."]
    told = [str(f.error) for f in found if f.error]
    assert "samples/2.json: line 1: not JSON" in told[0]
    assert told[1].startswith("samples/3.json: cannot be read (Bad CRC-32")
    with zipfile.ZipFile(path, "w") as z:
        z.writestr("notes.txt", "x")
    with pytest.raises(InputError, match="holds no samples"):
        list(read_runs(path))


def test_no_error_or_note_repeats_what_a_tool_returned() -> None:
    secret = "password=hunter2-very-secret"
    odd = [
        {"role": "tool", "tool_call_id": "zz", "content": secret},
        {"role": "robot", "content": secret},
        secret,
        {"x": secret},
    ]
    cut = json.dumps(TALK)[:-40].encode()
    runs, faults = read(lines({"messages": [*TALK["messages"], *odd]}, cut, {"result": secret}))
    assert len(runs) == 1
    assert len(faults) >= 5
    assert not any("hunter2" in str(f.error) for f in faults)


class Slow(io.RawIOBase):
    """Bytes made as they are asked for; knows how many were."""

    def __init__(self, parts: Iterator[bytes]) -> None:
        self.parts, self.rest, self.given = parts, b"", 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while not self.rest:
            part = next(self.parts, None)
            if part is None:
                return 0
            self.rest = part
        given, self.rest = self.rest[: len(buffer)], self.rest[len(buffer) :]
        buffer[: len(given)] = given
        self.given += len(given)
        return len(given)


def long_list(count: int, before: bytes = b"[", after: bytes = b"]") -> Iterator[bytes]:
    yield before
    row = json.dumps({**RUN, "pad": "x" * 100_000})
    for i in range(count):
        yield (b"," if i else b"") + b"\n" + row.encode()
    yield after


def test_a_long_list_is_read_element_by_element() -> None:
    stream = Slow(long_list(300))
    found = read_runs(io.BufferedReader(stream, 1 << 20))
    assert next(found).run is not None
    assert stream.given < 20_000_000
    assert sum(f.run is not None for f in found) == 299
    assert stream.given > 30_000_000


def test_a_long_object_is_read_by_the_elements_of_its_list_beside_its_small_values() -> None:
    sample = json.dumps({"id": 1, "epoch": 1, "target": "x" * 100_000, **TALK}).encode()
    parts = [
        b'{"version": 2, "eval": {"task": "t"}, "status": "success", "samples": [',
        *[sample + b",\n"] * 220,
        sample,
        b"]}",
    ]
    found = list(read_runs(io.BufferedReader(Slow(iter(parts)), 1 << 20)))
    assert [f.run.reply for f in found if f.run] == ["Sent."] * 221
    assert [f for f in found if f.error] == []


def test_long_json_lines_are_read_line_by_line() -> None:
    row = json.dumps({**RUN, "pad": "x" * 2_000_000}).encode() + b"\n"
    stream = Slow(iter([row] * 12))
    found = read_runs(io.BufferedReader(stream, 1 << 20))
    assert next(found).run is not None
    assert stream.given < 5_000_000
    assert sum(1 for _ in found) == 11


def test_a_list_of_messages_too_long_to_hold_is_told_with_the_remedy() -> None:
    message = json.dumps({"role": "user", "content": "x" * 500_000}).encode()
    parts = [b"[", *[message + b","] * 140, message, b"]"]
    (found,) = read_runs(io.BufferedReader(Slow(iter(parts)), 1 << 20))
    assert "write one message a line" in str(found.error)


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ('[1, "a]b", {"c": "\\"}"}]', [(None, 1), (None, "a]b"), (None, {"c": '"}'})]),
        (
            '{"a": 1, "b": [2, 3], "c": {"d": []}, "e": "x"}',
            [("a", 1), ("b", 2), ("b", 3), ("c", {"d": []}), ("e", "x")],
        ),
        ("[]", []),
        ("{}", []),
        ('{"é": [null, true, -1.5e3]}', [("é", None), ("é", True), ("é", -1500.0)]),
    ],
)
def test_pieces_of_a_document(text: str, values: list[Any]) -> None:
    assert [(p.key, p.value) for p in pieces(io.BytesIO(text.encode()))] == values


@pytest.mark.parametrize("text", ["[1", '{"a"', '{"a": [1, 2', '["abc', "[1] 2", "{1: 2}", "[tru]", '[{"a": 1]', "{]"])
def test_a_broken_document_is_told(text: str) -> None:
    with pytest.raises(BrokenJson):
        list(pieces(io.BytesIO(text.encode())))


def test_pieces_know_their_lines() -> None:
    assert [p.line for p in pieces(io.BytesIO(b'[\n1,\n\n{"a":\n2},\n3]'))] == [2, 4, 6]


ASIDE = [
    {"role": "user", "content": "Refund it."},
    {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "function": {"name": "issue_refund", "arguments": "{}"}}]},
    {"role": "tool", "tool_call_id": "c1", "content": "done"},
    {"role": "assistant", "content": "I’ve refunded it."},
]  # fmt: skip
LINES = "\n".join(json.dumps(m, ensure_ascii=False) for m in ASIDE)


@pytest.mark.parametrize(
    "data",
    [
        LINES.encode("utf-16-le"),
        LINES.encode("utf-16-be"),
        json.dumps({"messages": ASIDE}, indent=1).encode("utf-16-le"),
        gzip.compress(LINES.encode()),
        gzip.compress(LINES.encode("utf-16")),
    ],
    ids=["UTF-16 LE without mark", "UTF-16 BE without mark", "a document of it", "gzip", "gzip of UTF-16"],
)
def test_what_can_be_told_from_its_bytes_is_read(data: bytes) -> None:
    (found,) = read_runs(data)
    assert found.run is not None
    assert found.run.reply == "I’ve refunded it."
    assert [e.result for e in found.run.ledger] == ["done"]


def test_a_packed_file_that_breaks_off_gives_what_came_and_is_told() -> None:
    rows = "\n".join(json.dumps({"id": str(n), "messages": ASIDE, "salt": os.urandom(60).hex()}) for n in range(400))
    found = list(read_runs(gzip.compress(rows.encode())[:-9_000]))
    runs = [f.run.id for f in found if f.run]
    assert runs == [str(n) for n in range(len(runs))]
    assert len(runs) > 100
    assert "the packed file cannot be read from here on" in str(found[-1].error)
    assert not found[-1].is_note


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"\x28\xb5\x2f\xfd....", r"packed with Zstandard, not JSON: unpack it first \(zstd -d\)"),
        (b"BZh91AY", r"bzip2, not JSON: unpack it first"),
        (b"PAR1....", "Parquet, not JSON: claimx score reads it"),
    ],
)
def test_what_is_packed_in_another_way_names_the_remedy(data: bytes, says: str) -> None:
    with pytest.raises(InputError, match=says):
        list(read_runs(data))


@pytest.mark.parametrize(
    ("data", "seen"), [(b"42", "seen: a number"), (b'["a"]', "seen: a string"), (b"[[1]]", "seen: a list of numbers")]
)
def test_a_shape_that_has_no_fields_is_named_for_what_it_is(data: bytes, seen: str) -> None:
    with pytest.raises(FormatError, match=rf"not known \({seen}\)"):
        list(read_runs(data))


def test_a_message_that_is_a_line_is_told_by_its_line_alone() -> None:
    (odd, *_) = read_runs("\n".join(map(json.dumps, [{"role": "wizard", "content": "x"}, *ASIDE])).encode())
    assert str(odd.error).startswith("line 1: role 'wizard' is not known")


def test_each_element_of_a_large_document_has_the_line_it_starts_on() -> None:
    rows = [{"n": n, "text": "\n".join(["x" * 40] * (n % 5)), "more": ["y" * 400] * (n % 7)} for n in range(3_000)]
    text = '{"a": 1,\n"data": ' + json.dumps(rows, indent=1) + "}\n\n"
    assert len(text) > 3_000_000
    starts = [i for i, line in enumerate(text.split("\n"), 1) if line == " {"]
    found = [p for p in pieces(io.BytesIO(text.encode())) if p.is_element]
    assert [p.line for p in found] == starts
    assert [p.value for p in found] == rows


@pytest.mark.parametrize("indent", [None, 1])
def test_a_large_document_that_is_one_conversation_is_not_torn(indent: int | None) -> None:
    padded = [{"role": "user", "content": "y" * 1_000_000}] * 17 + ASIDE
    document = padded if indent else {"tools": [{"name": "issue_refund"}], "messages": padded}
    (found,) = read_runs(json.dumps(document, indent=indent).encode())
    assert found.run is not None
    assert [(e.tool, e.result) for e in found.run.ledger] == [("issue_refund", "done")]
