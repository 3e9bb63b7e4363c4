"""Where records come from: a path, a stream, an archive, objects at hand. JSON Lines are read line by line, documents in pieces."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO

from claimx.adapters import messages
from claimx.adapters.archives import archived
from claimx.adapters.encodings import as_utf8, read_full
from claimx.adapters.jsonstream import MAX_VALUE, BrokenJson, pieces
from claimx.adapters.plain import to_plain
from claimx.errors import InputError
from claimx.records import Record, chained, open_input, parse_line

#: Up to this size a document is held whole; a larger one is read by the elements of its lists.
MAX_WHOLE = 16 * 1024 * 1024
_HEAD = 1024 * 1024
#: Lists whose beginning stands by itself when the rest is missing.
_IN_ORDER = frozenset(
    {
        "messages",
        "contents",
        "items",
        "samples",
        "simulations",
        "resourceSpans",
        "resource_spans",
        "resourceLogs",
        "resource_logs",
        "traces",
        "data",
        "runs",
    }
)
#: Lists whose elements are parts of what the object around them tells.
_STEPS = frozenset({"child_runs"})
#: Values of a large object that are kept beside the elements of its lists.
_MOST_BESIDE = 200_000


def records_of(source: Any) -> Iterator[Record]:
    """Yield the records of a source. What cannot be read gives a record with its error; those after it still come.

    A source is a path (`-`: standard input), bytes, an open binary file, one object, or an iterable of objects.
    """
    if isinstance(source, str | Path):
        name = str(source)
        if name != "-" and zipfile.is_zipfile(name):
            yield from archived(name)
            return
        with open_input(name) as stream:
            yield from records_in(stream)
    elif isinstance(source, bytes | bytearray):
        yield from records_in(io.BytesIO(source))
    elif hasattr(source, "read"):
        yield from records_in(source)
    elif isinstance(source, Mapping) or hasattr(type(source), "model_fields") or not isinstance(source, Iterable):
        yield Record(1, to_plain(source))
    else:
        yield from _listed(source)


def _listed(source: Iterable[Any]) -> Iterator[Record]:
    """Objects at hand: a list of messages is one conversation, any other list one record each. Records pass as they are."""
    if isinstance(source, list | tuple):
        held = to_plain(source)
        if held and messages.is_message(held[0]):
            yield Record(1, held)
            return
        for i, item in enumerate(held, 1):
            yield Record(i, item)
        return
    for i, item in enumerate(source, 1):
        try:
            yield item if isinstance(item, Record) else Record(i, to_plain(item))
        except RecursionError:
            yield Record(i, error=InputError(f"line {i}: nested too deeply to read", line=i))


def records_in(stream: BinaryIO) -> Iterator[Record]:
    """Yield the records of a stream of bytes."""
    torn: list[Exception] = []
    line = 0
    for record in _records_in(as_utf8(stream, torn)):
        line = record.line
        yield record
    for e in torn[:1]:
        message = f"after line {line}: the packed file cannot be read from here on ({e}); what stands before it is read"
        yield Record(line, error=InputError(message, line=line or None))


def _records_in(stream: BinaryIO) -> Iterator[Record]:
    head = read_full(stream, _HEAD)
    whole = len(head) < _HEAD
    stream = chained(head, stream)
    start = head.lstrip()[:1]
    if start in (b"[", b"{") and not whole and b"\n" not in head.strip():
        # The first line is longer than the head: a line of many, or the only one.
        head = stream.readline(MAX_WHOLE)
        whole = len(head) < MAX_WHOLE and not head.endswith(b"\n")
        stream = chained(head, stream)
    if start in (b"[", b"{") and not _is_lines(head, whole):
        yield from _document(stream, start == b"[")
    else:
        yield from _lines(stream)


def _is_lines(head: bytes, whole: bool) -> bool:
    """Whether a head is that of JSON Lines: one of its first two lines is a value of its own."""
    lines = [x.strip() for x in head.split(b"\n") if x.strip()][:2]
    if lines[0] in (b"[", b"{"):
        return False
    if len(lines) == 1 and (whole or not head.endswith(b"\n")):
        return whole and lines[0][:1] == b"{"
    return any(isinstance(parse_line(x, 0).data, dict | list) for x in lines)


def _lines(stream: BinaryIO) -> Iterator[Record]:
    number = 0
    while True:
        line = stream.readline(MAX_VALUE)
        if not line:
            return
        number += 1
        if len(line) >= MAX_VALUE and not line.endswith(b"\n"):
            while line and not line.endswith(b"\n"):
                line = stream.readline(MAX_VALUE)
            message = f"line {number}: longer than {MAX_VALUE >> 20} MiB: it is left out"
            yield Record(number, error=InputError(message, line=number))
        elif line.strip():
            yield parse_line(line, number)


def _document(stream: BinaryIO, is_list: bool) -> Iterator[Record]:
    """One JSON document: whole while it is small, else by the elements of its lists."""
    held: list[tuple[str | None, Any, int, bool]] = []
    size = 0
    parts = pieces(stream)
    try:
        for piece in parts:
            size += _size(piece.value)
            held.append((piece.key, piece.value, piece.line, piece.is_element))
            if size > MAX_VALUE or (size > MAX_WHOLE and not _is_one(held)):
                break
        else:
            yield from _whole(held, is_list)
            return
        yield from _apart(held, parts, is_list)
    except BrokenJson as e:
        if size <= MAX_WHOLE and (is_list or (held and held[-1][0] in _IN_ORDER)):
            yield from _whole(held, is_list)
        message = f"line {e.line}: {e}; what stands before it is read"
        yield Record(e.line, error=InputError(message, line=e.line))


def _is_one(held: list[tuple[str | None, Any, int, bool]]) -> bool:
    """Whether what was read belongs together: the messages of one conversation, the steps of one trace."""
    first: dict[str | None, Any] = {}
    for key, value, _, is_element in held:
        if is_element:
            first.setdefault(key, value)
    return any(k in _STEPS or messages.is_message(v) for k, v in first.items())


def _whole(held: list[tuple[str | None, Any, int, bool]], is_list: bool) -> Iterator[Record]:
    if is_list:
        values = [v for _, v, _, _ in held]
        if values and messages.is_message(values[0]):
            yield Record(1, values)
        else:
            yield from (Record(line, v) for _, v, line, _ in held)
        return
    out: dict[str, Any] = {}
    for key, value, _, is_element in held:
        if is_element:
            out.setdefault(str(key), []).append(value)
        else:
            out[str(key)] = value
    if out:
        yield Record(1, out)


def _apart(held: list[tuple[str | None, Any, int, bool]], rest: Iterator[Any], is_list: bool) -> Iterator[Record]:
    """The elements of a large document, each as a record of its own, beside the small values that came before it."""
    beside: dict[str, Any] = {}
    queue = iter(held)
    if _is_one(held):
        message = f"the conversation is longer than {MAX_VALUE >> 20} MiB: write one message a line"
        yield Record(1, error=InputError(f"line 1: {message}", line=1))
        return

    def all_pieces() -> Iterator[tuple[str | None, Any, int, bool]]:
        yield from queue
        held.clear()
        for p in rest:
            yield p.key, p.value, p.line, p.is_element

    for key, value, line, is_element in all_pieces():
        if is_list:
            yield Record(line, value)
        elif is_element:
            yield Record(line, {**beside, str(key): [value]})
        elif _size(value) < _MOST_BESIDE:
            beside[str(key)] = value


def _size(value: Any, depth: int = 0) -> int:
    """Return about how many bytes a value took; what is nested very deeply counts little."""
    if isinstance(value, str):
        return len(value) + 2
    if depth < 120 and isinstance(value, dict):
        return sum(len(k) + _size(v, depth + 1) + 4 for k, v in value.items()) + 2
    if depth < 120 and isinstance(value, list):
        return sum(_size(v, depth + 1) + 1 for v in value) + 2
    return 6
