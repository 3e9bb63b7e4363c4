"""One source of an archive as runs and errors, each with its line; a broken file ends early and says where."""

from __future__ import annotations

import gzip
import io
import json
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, Protocol

import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet as pq

from claimx.archive.sources import Source
from claimx.errors import InputError
from claimx.records import parse_run, read_records
from claimx.types import Run

#: Columns that may hold lists as JSON text, as Parquet files often do.
_NESTED = frozenset({"ledger", "tools", "messages", "contents", "items", "spans", "events", "trace"})
_GZIP, _ZSTD = b"\x1f\x8b", b"\x28\xb5\x2f\xfd"


class Found(Protocol):
    """A run with the line it came from, or what is wrong there."""

    @property
    def line(self) -> int: ...

    @property
    def run(self) -> Run | None: ...

    @property
    def error(self) -> InputError | None: ...


#: Reads a stream of bytes, or records at hand, as runs: what knows about formats.
Reader = Callable[[BinaryIO | Iterable[Any]], Iterable[Found]]


class _Found(NamedTuple):
    line: int
    run: Run | None = None
    error: InputError | None = None


class BrokenSource(InputError):
    """A file that cannot be opened, or that breaks off: what came before it stands."""


def read_native(records: BinaryIO | Iterable[Any]) -> Iterator[Found]:
    """Read runs in the project's own shape; see `Reader`."""
    if isinstance(records, io.IOBase) or hasattr(records, "readline"):
        for record in read_records(records):  # type: ignore[arg-type]
            yield _found(record.line, record.data, record.error)
    else:
        for line, data in enumerate(records, 1):
            yield _found(line, data, None)


def _found(line: int, data: Any, error: InputError | None) -> Found:
    try:
        return _Found(line, error=error) if error else _Found(line, parse_run(data, line=line))
    except InputError as e:
        return _Found(line, error=e)


def read_source(source: Source, reader: Reader, advance: Callable[[int], None]) -> Iterator[Found]:
    """Yield what a source holds. `advance` hears how far reading is, in the unit of `source.size`.

    A file that cannot be opened, breaks off or is of no known format gives a last item whose error is a BrokenSource.
    """
    line = 0
    try:
        with ExitStack() as held:
            for found in reader(_records(source, held, advance)):
                line = found.line
                yield found
    except (OSError, EOFError, zlib.error, pa.ArrowException) as e:
        what = getattr(e, "strerror", None) or str(e) or type(e).__name__
        where = f"line {line + 1}: " if line else ""
        yield _Found(
            line + 1, error=BrokenSource(f"{where}the file cannot be read from here on ({what})", line=line + 1)
        )
    except InputError as e:
        yield _Found(e.line or line + 1, error=BrokenSource(str(e), line=e.line, field=e.field))


def _records(source: Source, held: ExitStack, advance: Callable[[int], None]) -> BinaryIO | Iterable[Any]:
    """Open a source; what has to be closed goes to `held`."""
    if source.kind == "rows":
        return _counted(source.rows or (), advance)
    assert source.path is not None  # noqa: S101  all but rows are files
    if source.kind == "parquet":
        return _parquet_rows(held.enter_context(pq.ParquetFile(source.path)), source.size, advance)
    if source.kind == "arrow":
        return _arrow_rows(held.enter_context(pa.memory_map(str(source.path), "rb")), advance)
    raw = held.enter_context(_CountingFile(source.path, advance))
    head = raw.peek(4)[:4]
    if head.startswith(_GZIP):
        return io.BufferedReader(held.enter_context(gzip.GzipFile(fileobj=raw)))
    if head == _ZSTD:
        return io.BufferedReader(held.enter_context(pa.CompressedInputStream(raw, "zstd")))
    return raw


def _counted(rows: Iterable[Any], advance: Callable[[int], None]) -> Iterator[Any]:
    for i, row in enumerate(rows, 1):
        yield _plain(row, top=True)
        advance(i)


class _CountingFile(io.BufferedReader):
    """A file that tells how far it was read."""

    def __init__(self, path: Path, advance: Callable[[int], None]) -> None:
        super().__init__(_CountingRaw(path, advance), buffer_size=1 << 20)


class _CountingRaw(io.FileIO):
    def __init__(self, path: Path, advance: Callable[[int], None]) -> None:
        super().__init__(path, "rb")
        self._advance = advance
        self._at = 0

    def readinto(self, buffer: Any, /) -> int:
        got = super().readinto(buffer)
        self._at += got or 0
        self._advance(self._at)
        return got


def _parquet_rows(file: Any, size: int, advance: Callable[[int], None]) -> Iterator[dict[str, Any]]:
    """Rows of a Parquet file, a batch at a time."""
    done, total = 0, file.metadata.num_rows
    for batch in file.iter_batches(batch_size=256):
        yield from _batch_rows(batch)
        done += batch.num_rows
        advance(size * done // total)


def _arrow_rows(file: Any, advance: Callable[[int], None]) -> Iterator[dict[str, Any]]:
    """Rows of an Arrow stream, as datasets are saved."""
    for batch in pa.ipc.open_stream(file):
        yield from _batch_rows(batch)
        advance(file.tell())


def _batch_rows(batch: Any) -> Iterator[dict[str, Any]]:
    for row in batch.to_pylist(maps_as_pydicts="lossy"):
        yield _plain(row, top=True)


def _plain(value: Any, *, top: bool = False) -> Any:
    """Make JSON of what tables hold. Struct fields that are null were never written: they are left out."""
    if isinstance(value, Mapping):
        out = {str(k): _plain(v) for k, v in value.items() if v is not None}
        return {k: _unpacked(k, v) for k, v in out.items()} if top else out
    if isinstance(value, list | tuple):
        return [_plain(v) for v in value]
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def _unpacked(key: str, value: Any) -> Any:
    if key in _NESTED and isinstance(value, str) and value[:1] in "[{":
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value
