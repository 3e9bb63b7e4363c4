"""Reading runs: JSON Lines, one pretty-printed object or an array, with errors that name line, field and remedy."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

from claimx.errors import InputError
from claimx.types import LedgerEntry, Run, Tool

#: A file that is not JSON Lines is read as one JSON value; past this size only JSON Lines are accepted.
MAX_WHOLE = 64 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Record:
    """One raw record with the number of the line (1-based) it came from, or what is wrong with it."""

    line: int
    data: Any = None
    error: InputError | None = None


def read_records(stream: BinaryIO) -> Iterator[Record]:
    """Yield the records of a stream. A faulty line gives a record with its error; the lines after it still come."""
    first = _first_line(stream)
    if first is None:
        return
    head, number = first
    try:
        _loads(head)
    except (ValueError, RecursionError):
        yield from _whole_or_lines(head, number, stream)
        return
    record = parse_line(head, number)
    if isinstance(record.data, list):
        message = f"line {number}: an array stands where an object is expected: write one run a line"
        record = Record(number, error=InputError(message, line=number))
    yield record
    yield from _lines(stream, number)


def _first_line(stream: BinaryIO) -> tuple[bytes, int] | None:
    for number, line in enumerate(iter(stream.readline, b""), 1):
        if number == 1:
            line = line.removeprefix(b"\xef\xbb\xbf")
        if line.strip():
            return line, number
    return None


def _lines(stream: BinaryIO, number: int) -> Iterator[Record]:
    for line in iter(stream.readline, b""):
        number += 1
        if line.strip():
            yield parse_line(line, number)


def _whole_or_lines(head: bytes, number: int, stream: BinaryIO) -> Iterator[Record]:
    """A first line that is no JSON by itself starts a pretty-printed value, or is a faulty line of many."""
    rest = stream.read(MAX_WHOLE)
    try:
        value = _loads(head + rest)
    except (ValueError, RecursionError):
        yield parse_line(head, number)
        yield from _lines(chained(rest, stream), number)
        return
    if isinstance(value, list):
        for item in value:
            yield Record(number, item)
    else:
        yield Record(number, value)


def chained(head: bytes, tail: BinaryIO) -> BinaryIO:
    """Return bytes already read, followed by the stream that they came from."""
    return io.BufferedReader(_Chain(head, tail))


class _Chain(io.RawIOBase):
    """Bytes already read, followed by the stream that they came from."""

    def __init__(self, head: bytes, tail: BinaryIO) -> None:
        self._parts: list[BinaryIO] = [io.BytesIO(head), tail]

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        while self._parts:
            data = self._parts[0].read(len(buffer))
            if data:
                buffer[: len(data)] = data
                return len(data)
            self._parts.pop(0)
        return 0


def _loads(data: bytes) -> Any:
    return json.loads(data.decode("utf-8"))


def parse_line(line: bytes, number: int) -> Record:
    """Read one line as a record; what is wrong with it stands in the record."""
    try:
        value = _loads(line)
    except UnicodeDecodeError as e:
        message = f"line {number}: not UTF-8 (byte {e.start}): save the file as UTF-8"
        return Record(number, error=InputError(message, line=number))
    except json.JSONDecodeError as e:
        message = f"line {number}: not JSON ({e.msg} at column {e.colno}): each line must be one complete JSON object"
        return Record(number, error=InputError(message, line=number))
    except ValueError as e:
        return Record(number, error=InputError(f"line {number}: cannot be read ({e})", line=number))
    except RecursionError:
        return Record(number, error=InputError(f"line {number}: nested too deeply to read", line=number))
    return Record(number, value)


def open_input(path: str) -> BinaryIO:
    """Open a file, or standard input for `-`. Raises InputError when it cannot be opened."""
    if path == "-":
        import sys

        return sys.stdin.buffer
    try:
        return Path(path).open("rb")
    except FileNotFoundError as e:
        raise InputError(f"{path}: no such file") from e
    except OSError as e:
        raise InputError(f"{path}: cannot be read ({e.strerror})") from e


def reply_of(data: Any, *, line: int | None = None) -> str:
    """Return the reply of a record (its `reply`, or `text`). Raises InputError when there is none."""
    where = f"line {line}: " if line else ""
    if not isinstance(data, Mapping):
        raise InputError(f"{where}a record is a JSON object, not {_kind(data)}", line=line)
    for key in ("reply", "text"):
        value = data.get(key)
        if isinstance(value, str):
            return value
        if value is not None:
            message = f"{where}field {key!r} is {_kind(value)}, expected the agent's reply as a string"
            raise InputError(message, line=line, field=key)
    keys = ", ".join(sorted(map(str, data))[:8]) or "none"
    raise InputError(
        f"{where}field 'reply' is missing (fields: {keys}): add the agent's reply as a string", line=line, field="reply"
    )


def parse_run(data: Any, *, line: int | None = None) -> Run:
    """Read a run from its JSON shape. Raises InputError that names the line, the field and the remedy."""
    where = f"line {line}: " if line else ""
    reply = reply_of(data, line=line)
    tools = []
    listed = data.get("tools")
    if listed is not None and not isinstance(listed, list):
        raise InputError(
            f"{where}field 'tools' is {_kind(listed)}, expected a list of names or definitions",
            line=line,
            field="tools",
        )
    for i, item in enumerate(listed or []):
        try:
            tools.append(Tool.from_any(item))
        except ValueError as e:
            raise InputError(f"{where}field 'tools[{i}]': {e}", line=line, field=f"tools[{i}]") from e
    recorded = data.get("ledger")
    if recorded is not None and not isinstance(recorded, list):
        raise InputError(
            f"{where}field 'ledger' is {_kind(recorded)}, expected a list of calls", line=line, field="ledger"
        )
    ledger = []
    seen: set[str] = set()
    for i, item in enumerate(recorded or []):
        name = f"ledger[{i}]"
        if not isinstance(item, Mapping):
            raise InputError(f"{where}field {name!r} is {_kind(item)}, expected an object", line=line, field=name)
        try:
            entry = LedgerEntry.from_dict(item, default_id=f"c{i + 1}")
        except ValueError as e:
            if str(e).startswith("'status'"):
                name += ".status"
            raise InputError(f"{where}field {name!r}: {e}", line=line, field=name) from e
        if entry.id in seen:
            entry = LedgerEntry.from_dict({**item, "id": f"{entry.id}~{i + 1}"})
        seen.add(entry.id)
        ledger.append(entry)
    user = data.get("user")
    if user is not None and not isinstance(user, str):
        raise InputError(f"{where}field 'user' is {_kind(user)}, expected a string", line=line, field="user")
    known = {"id", "reply", "text", "tools", "ledger", "user", "now"}
    return Run(
        reply=reply,
        ledger=tuple(ledger),
        tools=tuple(tools),
        id="" if data.get("id") is None else str(data["id"]),
        user=user,
        now=data.get("now") if isinstance(data.get("now"), str) else None,
        extra={k: v for k, v in data.items() if k not in known},
    )


def _kind(value: Any) -> str:
    names = {dict: "an object", list: "a list", str: "a string", bool: "a boolean", int: "a number", float: "a number"}
    return "null" if value is None else names.get(type(value), type(value).__name__)
