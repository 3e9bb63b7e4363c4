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
from typing import Any, BinaryIO, Protocol

import pyarrow as pa
import pyarrow.ipc
import pyarrow.parquet as pq

from claimx.adapters import Found
from claimx.adapters.encodings import WholePart
from claimx.archive.frames import is_zstd, unpacked
from claimx.archive.sources import Source
from claimx.archive.watching import BrokenSource, Watch
from claimx.errors import InputError
from claimx.records import Record

#: Columns that may hold lists as JSON text, as Parquet files often do.
_NESTED = frozenset({"ledger", "tools", "messages", "contents", "items", "spans", "events", "trace"})
_GZIP, _ZIP, _PARQUET, _ARROW = b"\x1f\x8b", b"PK\x03\x04", b"PAR1", b"ARROW1"
_TEARS = (OSError, EOFError, zlib.error, pa.ArrowException)
_OTHERS = {b"BZh": "bzip2", b"\xfd7zXZ": "xz"}


class Reader(Protocol):
    """Reads a stream of bytes, records at hand, or a packed folder of documents by its path, as runs: what knows about
    formats. `path` is where a stream lies. `claimx.adapters.read_runs` is one."""

    def __call__(self, source: BinaryIO | Iterable[Any] | Path, *, path: Path | None = None) -> Iterable[Found]: ...


def read_source(source: Source, reader: Reader, advance: Callable[[int], None]) -> Iterator[Found]:
    """Yield what a source held when the score began. `advance` hears how far reading is, in the unit of `source.size`.

    A file that cannot be opened, breaks off or is of no known format gives an item whose error is a BrokenSource; one that
    has changed since then gives a last item that says what was read of it.
    """
    watch = Watch(source.path, source.stamp)
    last: Found | None = None
    line = 0
    for found in _read(source, reader, advance, watch):
        if last is not None:
            yield last
        last, line = found, found.line
    yield from watch.end(last, line)


def _read(source: Source, reader: Reader, advance: Callable[[int], None], watch: Watch) -> Iterator[Found]:
    line = 0
    torn: list[Exception] = []
    try:
        with ExitStack() as held:
            for found in reader(_records(source, held, advance, torn, watch), path=source.path):
                line = found.line
                yield found
    except _TEARS as e:
        torn.append(e)
    except InputError as e:
        yield Found(e.line or line + 1, error=BrokenSource(str(e), line=e.line, field=e.field))
    for error in torn[:1]:
        what = getattr(error, "strerror", None) or str(error) or type(error).__name__
        where = f"line {line + 1}: " if line else ""
        yield Found(
            line + 1, error=BrokenSource(f"{where}the file cannot be read from here on ({what})", line=line + 1)
        )


def _records(
    source: Source, held: ExitStack, advance: Callable[[int], None], torn: list[Exception], watch: Watch
) -> BinaryIO | Iterable[Any] | Path:
    """Open a source; what has to be closed goes to `held`, what breaks a stream off to `torn`."""
    if source.kind == "rows":
        return _counted(source.rows or (), advance)
    assert source.path is not None  # noqa: S101  all but rows are files
    if source.kind in ("parquet", "arrow"):
        held.callback(watch.look)
    if source.kind == "parquet":
        return _parquet_rows(held.enter_context(pq.ParquetFile(source.path)), source.size, advance)
    if source.kind == "arrow":
        # Read, not mapped: of a mapped file that is cut short the process dies.
        return _arrow_rows(held.enter_context(pa.OSFile(str(source.path), "rb")), advance)
    counting = _CountingRaw(source.path, advance, watch)
    raw = held.enter_context(io.BufferedReader(counting, buffer_size=1 << 20))
    head = raw.peek(6)[:6]
    by_name = head.startswith((_ZIP, _PARQUET))  # and not read from here
    held.callback(watch.look, None if by_name else counting)
    if head.startswith(_GZIP):
        return whole_part(held.enter_context(gzip.GzipFile(fileobj=raw)).read1, torn)
    if is_zstd(head):
        return whole_part(unpacked(raw), torn)
    if head.startswith(_ZIP):
        return source.path
    if head.startswith(_PARQUET):  # whatever it is called
        return _parquet_rows(held.enter_context(pq.ParquetFile(source.path)), source.size, advance)
    for mark, name in _OTHERS.items():
        if head.startswith(mark):
            raise InputError(f"packed with {name}, which is not read: unpack it, or pack it with gzip or zstd")
    return whole_part(raw.read1, torn)


def whole_part(read: Callable[[int], bytes], torn: list[Exception]) -> BinaryIO:
    """Return a stream that ends where its file breaks off; what broke it is added to `torn`."""
    return io.BufferedReader(WholePart(read, torn, _TEARS), buffer_size=1 << 18)


def _counted(rows: Iterable[Any], advance: Callable[[int], None]) -> Iterator[Any]:
    for i, row in enumerate(rows, 1):
        try:
            record = Record(i, _plain(row, top=True))
        except RecursionError:
            record = Record(i, error=InputError(f"line {i}: nested too deeply to read", line=i))
        yield record
        advance(i)


class _CountingRaw(io.FileIO):
    """A file that tells how far it was read, up to where it ended when the score began."""

    def __init__(self, path: Path, advance: Callable[[int], None], watch: Watch) -> None:
        super().__init__(path, "rb")
        self._advance = advance
        self._limit = watch.limit(self.fileno())
        self.at = 0
        self.ended = False
        self.last = 0

    def readinto(self, buffer: Any, /) -> int:
        left = len(buffer) if self._limit is None else min(len(buffer), self._limit - self.at)
        if not left:
            return 0
        with memoryview(buffer)[:left] as view:
            got = super().readinto(view) or 0
            self.last = view[got - 1] if got else self.last
        self.ended = not got
        self.at += got
        self._advance(self.at)
        return got


def _parquet_rows(file: Any, size: int, advance: Callable[[int], None]) -> Iterator[Any]:
    """Rows of a Parquet file, a batch at a time."""
    done, total = 0, file.metadata.num_rows
    for batch in file.iter_batches(batch_size=256):
        yield from _batch_rows(batch, done)
        done += batch.num_rows
        advance(size * done // total)


def _arrow_rows(file: Any, advance: Callable[[int], None]) -> Iterator[Any]:
    """Rows of an Arrow stream, as datasets are saved, or of an Arrow file."""
    done = 0
    for batch in _arrow_batches(file):
        yield from _batch_rows(batch, done)
        done += batch.num_rows
        advance(file.tell())


def _arrow_batches(file: Any) -> Iterator[Any]:
    head = file.read(len(_ARROW))
    file.seek(0)
    if head == _ARROW:
        whole = pa.ipc.open_file(file)
        yield from (whole.get_batch(i) for i in range(whole.num_record_batches))
    else:
        yield from pa.ipc.open_stream(file)


def _batch_rows(batch: Any, before: int) -> Iterator[Any]:
    """The rows of a batch; one with a value that Python cannot hold is a record with its error."""
    for i, field in enumerate(batch.schema):
        if pa.types.is_timestamp(field.type) and (field.type.unit == "ns" or field.type.tz):
            # Python's own times hold no nanoseconds, and not every zone that a file may name.
            unit = "us" if field.type.unit == "ns" else field.type.unit
            utc = batch.column(i).cast(pa.timestamp(unit, field.type.tz and "UTC"), safe=False)
            batch = batch.set_column(i, field.name, utc)
    try:
        yield from [_plain(row, top=True) for row in batch.to_pylist(maps_as_pydicts="lossy")]
        return
    except (ArithmeticError, LookupError, TypeError, ValueError):  # which of them, and where, the rows tell
        pass
    for i in range(batch.num_rows):
        try:
            yield _plain(batch.slice(i, 1).to_pylist(maps_as_pydicts="lossy")[0], top=True)
        except (ArithmeticError, LookupError, TypeError, ValueError) as e:
            yield _unreadable(batch.slice(i, 1), before + i + 1, e)


def _unreadable(row: Any, line: int, error: Exception) -> Record:
    """Tell which column of a row cannot be read."""
    name = ""
    for field, column in zip(row.schema, row.columns, strict=True):
        try:
            column.to_pylist(maps_as_pydicts="lossy")
        except (ArithmeticError, LookupError, TypeError, ValueError) as e:
            name, error = field.name, e
            break
    message = f"line {line}: the column {name!r} holds what cannot be read ({error})"
    return Record(line, error=InputError(message, line=line, field=name))


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
        return int(value) if value.is_finite() and value == value.to_integral_value() else float(value)
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else value


def _unpacked(key: str, value: Any) -> Any:
    if key in _NESTED and isinstance(value, str) and value[:1] in "[{":
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value
    return value
