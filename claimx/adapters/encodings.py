"""Bytes as UTF-8, whatever they came as: with a mark or without, in UTF-16 or UTF-32, packed with gzip."""

from __future__ import annotations

import codecs
import gzip
import io
import zlib
from collections.abc import Callable
from typing import Any, BinaryIO

from claimx.errors import InputError
from claimx.records import chained

_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF32_LE, "utf-32"), (codecs.BOM_UTF32_BE, "utf-32"), (codecs.BOM_UTF16_LE, "utf-16"),
          (codecs.BOM_UTF16_BE, "utf-16"))  # fmt: skip
#: What begins a JSON document in UTF-16 without a mark.
_UNMARKED = {b"{\0": "utf-16-le", b"[\0": "utf-16-le", b"\0{": "utf-16-be", b"\0[": "utf-16-be"}
_GZIP = b"\x1f\x8b"
_TEARS = (OSError, EOFError, zlib.error)
#: What is told and not read: how the file begins, what packs it, what unpacks it.
_PACKED = (
    (b"\x28\xb5\x2f\xfd", "Zstandard", "zstd -d"),
    (b"BZh", "bzip2", "bunzip2"),
    (b"\xfd7zXZ", "xz", "unxz"),
    (b"PAR1", "Parquet", "claimx score"),
)


def as_utf8(stream: BinaryIO, torn: list[Exception]) -> BinaryIO:
    """Return a stream of UTF-8 without a mark. What breaks off a packed one is added to `torn`; what came before stands.

    Raises InputError, with the remedy, on what is packed in another way.
    """
    head = read_full(stream, 6)
    stream = chained(head, stream)
    if head.startswith(_GZIP):
        return as_utf8(io.BufferedReader(WholePart(gzip.GzipFile(fileobj=stream).read1, torn, _TEARS)), torn)
    for mark, packer, remedy in _PACKED:
        if head.startswith(mark):
            how = f"{remedy} reads it" if remedy.startswith("claimx") else f"unpack it first ({remedy})"
            raise InputError(f"the input is packed with {packer}, not JSON: {how}")
    for bom, name in _MARKS:
        if head.startswith(bom):
            if name == "utf-8":
                read_full(stream, len(bom))
                return stream
            return _recoded(stream, name)
    return _recoded(stream, _UNMARKED[head[:2]]) if head[:2] in _UNMARKED else stream


def read_full(stream: BinaryIO, size: int) -> bytes:
    """Read as many bytes as asked for, fewer only at the end."""
    out = b""
    while len(out) < size and (part := stream.read(size - len(out))):
        out += part
    return out


def _recoded(stream: BinaryIO, name: str) -> BinaryIO:
    return io.BufferedReader(Filled(_texts(codecs.getreader(name)(stream, "replace"))))


def _texts(reader: codecs.StreamReader) -> Callable[[], bytes]:
    return lambda: reader.read(65536).encode("utf-8", "replace")


class Filled(io.RawIOBase):
    """Bytes that something gives piece by piece, nothing at the end."""

    def __init__(self, more: Callable[[], bytes]) -> None:
        self._more = more
        self._rest = b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._rest = self._rest or self._more()
        part, self._rest = self._rest[: len(buffer)], self._rest[len(buffer) :]
        buffer[: len(part)] = part
        return len(part)


class WholePart(io.RawIOBase):
    """Ends where reading fails with one of `tears`, which is added to `torn`: nothing before the tear is lost in a reader's hands."""

    def __init__(self, read: Callable[[int], bytes], torn: list[Exception], tears: tuple[type[Exception], ...]) -> None:
        self._read = read
        self._torn = torn
        self._tears = tears

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self._torn:
            return 0
        try:
            data = self._read(min(len(buffer), 1 << 16))
        except self._tears as e:
            self._torn.append(e)
            return 0
        buffer[: len(data)] = data
        return len(data)
