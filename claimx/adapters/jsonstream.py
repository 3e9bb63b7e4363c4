"""Large JSON documents piece by piece: the elements of a list, or of the long lists of an object, one at a time."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO

#: A longer value is never held; what is read at a time.
MAX_VALUE = 64 * 1024 * 1024
CHUNK = 1024 * 1024
_INSIDE = re.compile(rb'[^"{}\[\]]*+(?:"(?:[^"\\]++|\\.)*+"[^"{}\[\]]*+)*+', re.DOTALL)
_BLANK = re.compile(rb"[\s,:]*")
_SCALAR = re.compile(rb'"(?:[^"\\]++|\\.)*+"|[^\s,:\[\]{}"]+', re.DOTALL)


class BrokenJson(ValueError):
    """The document ends, or breaks, at a line."""

    def __init__(self, message: str, line: int) -> None:
        super().__init__(message)
        self.line = line


@dataclass(frozen=True, slots=True)
class Piece:
    """An element of a list (`key` None at the top), or a whole value of an object, with the line it starts on."""

    key: str | None
    value: Any
    line: int
    is_element: bool


class _Feed:
    """Bytes of a stream with a place in them, the numbers of lines counted."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream = stream
        self.buffer = bytearray()
        self.at = 0
        self._line = 1
        self._counted = 0
        self.ended = False

    def more(self) -> bool:
        if self.ended:
            return False
        chunk = self.stream.read(CHUNK)
        if not chunk:
            self.ended = True
            return False
        if self.at > CHUNK:
            self.drop(self.at)
            self.at = 0
        self.buffer += chunk
        return True

    @property
    def here(self) -> int:
        """The number of the line at the place."""
        return self._line_at(self.at)

    def drop(self, end: int) -> None:
        """Let go of what stands before an end."""
        self._line_at(end)
        del self.buffer[:end]
        self._counted = 0

    def _line_at(self, at: int) -> int:
        """Each line is counted once: places are asked for in order, but for those before a value that was looked through."""
        if at < self._counted:
            return self._line - self.buffer.count(b"\n", at, self._counted)
        self._line += self.buffer.count(b"\n", self._counted, at)
        self._counted = at
        return self._line

    def skip(self) -> int:
        """Pass over blanks, commas and colons; return the next byte, -1 at the end."""
        while True:
            found = _BLANK.match(self.buffer, self.at)
            self.at = found.end() if found else self.at
            if self.at < len(self.buffer):
                return self.buffer[self.at]
            if not self.more():
                return -1

    def raw(self) -> bytes | None:
        """Take the next value; None when it is too large to hold. Raises BrokenJson when the document ends inside it."""
        kind = self.skip()
        if kind >= 0 and kind in b"{[":
            return self._nested()
        return self._scalar()

    def _scalar(self) -> bytes:
        while True:
            found = _SCALAR.match(self.buffer, self.at)
            if found and (found.end() < len(self.buffer) or self.ended):
                self.at = found.end()
                return bytes(found.group())
            if len(self.buffer) - self.at > MAX_VALUE or not self.more():
                if found and self.ended:
                    continue
                raise BrokenJson("the document ends or breaks inside a value", self.here)

    def _nested(self) -> bytes | None:
        start, depth, at, large = self.at, 0, self.at, False
        while True:
            found = _INSIDE.match(self.buffer, at)
            at = found.end() if found else at
            if at < len(self.buffer) and self.buffer[at] in b"{}[]":
                depth += 1 if self.buffer[at] in b"{[" else -1
                at += 1
                if not depth:
                    value = None if large else bytes(self.buffer[start:at])
                    self.at = at
                    return value
                continue
            if at - start > MAX_VALUE:
                large = True
            if large:
                self.drop(at)
                start = at = self.at = 0
            moved = self.at
            if not self.more():
                raise BrokenJson("the document ends inside a value: it is cut short", self.here)
            start, at = start - (moved - self.at), at - (moved - self.at)


def pieces(stream: BinaryIO) -> Iterator[Piece]:
    """Yield the elements of a document that is a list; of one that is an object its values, those of its lists one by one.

    Raises BrokenJson where the document is no JSON or cut short; what came before it stands.
    """
    feed = _Feed(stream)
    kind = feed.skip()
    if kind == ord("["):
        yield from _elements(feed, None)
    elif kind == ord("{"):
        feed.at += 1
        while True:
            kind = feed.skip()
            if kind == ord("}"):
                feed.at += 1
                break
            if kind < 0:
                raise BrokenJson("the document ends inside an object: it is cut short", feed.here)
            if kind != ord('"'):
                raise BrokenJson("a name is expected here", feed.here)
            key = _loaded(feed, feed.raw())
            if feed.skip() == ord("["):
                yield from _elements(feed, key)
            else:
                line = feed.here
                yield Piece(key, _loaded(feed, feed.raw()), line, is_element=False)
    if feed.skip() >= 0:
        raise BrokenJson("there is more after the end of the document", feed.here)


def _elements(feed: _Feed, key: str | None) -> Iterator[Piece]:
    feed.at += 1
    while True:
        kind = feed.skip()
        if kind == ord("]"):
            feed.at += 1
            return
        if kind < 0:
            raise BrokenJson("the document ends inside a list: it is cut short", feed.here)
        line = feed.here
        yield Piece(key, _loaded(feed, feed.raw()), line, is_element=True)


def _loaded(feed: _Feed, raw: bytes | None) -> Any:
    if raw is None:
        raise BrokenJson(f"a value is longer than {MAX_VALUE >> 20} MiB", feed.here)
    try:
        return json.loads(raw.decode("utf-8"))
    except UnicodeDecodeError as e:
        raise BrokenJson(f"not UTF-8 (byte {e.start} of a value)", feed.here) from e
    except (ValueError, RecursionError) as e:
        what = e.msg if isinstance(e, json.JSONDecodeError) else "nested too deeply"
        raise BrokenJson(f"not JSON ({what})", feed.here) from e
