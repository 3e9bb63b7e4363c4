"""Unpacking Zstandard frame by frame (RFC 8878): what a frame is followed by must cost none of what stands before."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from functools import partial
from typing import BinaryIO

import pyarrow as pa

from claimx.adapters.encodings import Filled

_MAGIC = b"\x28\xb5\x2f\xfd"
_SKIPPABLE = b"\x2a\x4d\x18"  # after a first byte of 0x50 to 0x5f
#: Bytes that are unpacked at a time: what is lost, at most, before a fault within a frame.
STEP = 1 << 10


def is_zstd(head: bytes) -> bool:
    """Whether a file begins with a frame, be it one to skip, as parallel packers write them."""
    return head.startswith(_MAGIC) or _is_skippable(head[:4])


def unpacked(raw: BinaryIO) -> Callable[[int], bytes]:
    """Return what reads the content of a file's frames, so many bytes at most. It raises OSError where something else follows."""
    pieces = _pieces(raw)
    held = b""

    def read(size: int) -> bytes:
        nonlocal held
        data = held or next(pieces, b"")
        held = data[size:]
        return data[:size]

    return read


def _pieces(raw: BinaryIO) -> Iterator[bytes]:
    for frame in _frames(raw):
        with pa.CompressedInputStream(frame, "zstd") as stream:
            while data := stream.read(STEP):
                yield data


def _frames(raw: BinaryIO) -> Iterator[io.RawIOBase]:
    while magic := raw.read(4):
        if _is_skippable(magic):
            left = int.from_bytes(raw.read(4), "little")
            while left and (skipped := raw.read(min(left, 1 << 20))):
                left -= len(skipped)
        elif magic == _MAGIC:
            yield Filled(partial(next, _parts(raw), b""))
        else:
            raise OSError("what follows is not packed with zstd")


def _parts(raw: BinaryIO) -> Iterator[bytes]:
    """Yield a frame's header, then block after block. One that is cut short comes as it is: unpacking tells that."""
    described = raw.read(1)
    bits = described[0] if described else 0
    single, checksum = bits >> 5 & 1, bits >> 2 & 1
    sizes = (1 if single else 0, 2, 4, 8)
    yield _MAGIC + described + raw.read((1 - single) + (0, 1, 2, 4)[bits & 3] + sizes[bits >> 6])
    last = 0
    while not last:
        head = raw.read(3)
        number = int.from_bytes(head, "little")
        last = number & 1
        block = head + (raw.read(1 if number >> 1 & 3 == 1 else number >> 3) if len(head) == 3 else b"")
        if not block:
            return
        yield block
    if checksum:
        yield raw.read(4)


def _is_skippable(head: bytes) -> bool:
    return len(head) == 4 and head[1:] == _SKIPPABLE and head[0] >> 4 == 5
