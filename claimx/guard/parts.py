"""What the texts of a call hold that must be traced by itself: the members of a list, of pairs, of tags, the steps of a route,
what is written in another encoding, and what two fields spell together."""

from __future__ import annotations

import base64
import binascii
import html
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from urllib.parse import unquote

from claimx.guard.names import is_free, is_site
from claimx.guard.shapes import is_firm_shape, shape_of
from claimx.guard.walk import Leaf, Record, opened, walk
from claimx.values.keys import words_of

_BETWEEN = re.compile(r"\s*[,;|\n\t&=<>\"']+\s*|:\s+")
#: Longer texts with commas are prose or tables.
_LONGEST_LIST = 4000
_ESCAPED = re.compile(r"%[0-9A-Fa-f]{2}|&#?\w{1,8};|\\u[0-9A-Fa-f]{4}|\\x[0-9A-Fa-f]{2}")
_UNICODE = re.compile(r"\\u([0-9A-Fa-f]{4})|\\x([0-9A-Fa-f]{2})")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{8,4000}={0,2}")
_HEX = re.compile(r"(?:[0-9a-f]{2}){5,2000}", re.I)
_ROUTES = frozenset({"path", "route", "resource"})
_VERBS = frozenset("GET POST PUT PATCH DELETE".split())
#: Last words of names under which a text is written into a file, and those that name the file beside it.
_WRITTEN = frozenset("content contents text str string code source patch diff new old".split())
_FILES = frozenset("path file filename filepath notebook document".split())
_PLACE = re.compile(r"\[(\d+)\]\.[^.\[\]]+$")
_STEP = re.compile(r"[/?&=#;,]+")


def parts_of_list(leaf: Leaf) -> list[Leaf]:
    """Return the members of a list, of pairs or of tags that are written as one text, each as a value of the same field; of two or three words those that are
    an identifier or an address without doubt. Nothing for other texts.

    >>> [[x.value for x in parts_of_list(Leaf("a", ("orders",), v))] for v in ("SU-1, SU-2", "IBAN DE89370400440532013000", "a b")]
    [['SU-1', 'SU-2'], ['DE89370400440532013000'], []]
    """
    text = leaf.value
    if not isinstance(text, str) or not 5 <= len(text) <= _LONGEST_LIST or is_free(leaf.key):
        return []
    parts = [p for p in _BETWEEN.split(text.strip()) if p]
    if len(parts) == 1:
        words = text.split()
        if len(words) < 2:
            return []
        same = all(shape_of(w) is not None for w in words)
        parts = words if same else [w for w in words if len(words) <= 3 and is_firm_shape(w)]
    elif sum(" " in p for p in parts) * 2 > len(parts):
        return []  # prose
    return [Leaf(leaf.path, leaf.keys, p, leaf.currency) for p in parts]


def decoded(text: str) -> str | None:
    """Return what a text says in plain letters where it is written as escapes, in base64 or in hexadecimal digits; None where it is
    plain already, or no text comes out.

    >>> [decoded(t) for t in ("SU%2D88412", "U1UtODg0MTI=", "53552d3838343132", "SU-88412", "deadbeef00")]
    ['SU-88412', 'SU-88412', 'SU-88412', None, None]
    """
    if len(text) > _LONGEST_LIST:
        return None
    if _ESCAPED.search(text):
        plain = html.unescape(unquote(_UNICODE.sub(lambda m: chr(int(m[1] or m[2], 16)), text)))
        return plain if plain != text else None
    text = text.strip()
    try:
        if _HEX.fullmatch(text) and any(c.isdigit() for c in text):
            return _readable(bytes.fromhex(text))
        if len(text) % 4 == 0 and _BASE64.fullmatch(text):
            return _readable(base64.b64decode(text.replace("-", "+").replace("_", "/"), validate=True))
    except (ValueError, binascii.Error):
        return None
    return None


def _readable(data: bytes) -> str | None:
    """Bytes as a text that somebody wrote: printable, and not the chance of a few letters."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return None
    return text if len(text) >= 5 and text.isascii() and text.replace("\n", "").isprintable() else None


def inside_of(leaf: Leaf) -> Iterator[Leaf]:
    """Yield the values inside an encoded text, each under the name of its field."""
    if not isinstance(leaf.value, str) or is_free(leaf.key) or "://" in leaf.value:
        return
    plain = decoded(leaf.value)
    if plain is None:
        return
    inner = opened(plain)
    if isinstance(inner, str):
        yield Leaf(leaf.path, leaf.keys, inner, leaf.currency)
    else:
        yield from (
            Leaf(x.path, (*leaf.keys, *x.keys), x.value, x.currency or leaf.currency)
            for x in walk(inner, leaf.path)
            if isinstance(x, Leaf)
        )


def steps_of(leaf: Leaf, record: Mapping[object, object]) -> list[Leaf]:
    """Return the steps of a route on a site that is named elsewhere: `/orders/SU-88421/refund`.

    `record` is what the value stands in: under `path` a route is one where the verb of a request stands beside it.
    """
    text, last = leaf.value, words_of(leaf.key)[-1:]
    if not isinstance(text, str) or not text.startswith("/") or text.startswith("//") or len(text) > _LONGEST_LIST:
        return []
    asks = any(isinstance(v, str) and v.upper() in _VERBS for v in record.values())
    if not (is_site(leaf.key) or (asks and not _ROUTES.isdisjoint(last))):
        return []
    return [Leaf(leaf.path, leaf.keys, p, leaf.currency) for p in _STEP.split(unquote(text)) if p]


def file_texts(record: Record) -> list[str]:
    """Return the paths of the texts that a record writes into a file: what they hold is no argument, also where it is JSON."""
    names = {k: words_of(k) for k in record.fields if isinstance(k, str)}
    asks = any(isinstance(v, str) and v.upper() in _VERBS for v in record.fields.values())
    if asks or not any(not _FILES.isdisjoint(words) for words in names.values()):
        return []
    return [
        f"{record.path}.{k}"
        for k, words in names.items()
        if not _WRITTEN.isdisjoint(words[-1:]) and isinstance(record.fields[k], str)
    ]


def is_place(leaf: Leaf, record: Mapping[object, object]) -> bool:
    """Whether a value is the place of a text in a list that the call writes: `[{"id": "1", "content": "Fix the tests"}]`."""
    m = _PLACE.search(leaf.path)
    value = str(leaf.value)
    if m is None or not value.isdecimal() or len(value) > 3 or int(value) - int(m.group(1)) not in (0, 1):
        return False
    return any(isinstance(k, str) and isinstance(v, str) and v and is_free(k) for k, v in record.items())


def joined(items: Sequence[Leaf | Record], is_of_a_series: Callable[[str], bool]) -> Iterator[Leaf]:
    """Yield what two fields of one record spell together that looks like the identifiers of this run: letters here, digits there."""
    before: Leaf | None = None
    for item in items:
        if not isinstance(item, Leaf):
            continue
        if before is not None and _beside(before, item):
            text = f"{str(before.value).rstrip('-_# ')}-{item.value}"
            if is_of_a_series(text):
                yield Leaf(item.path, item.keys, text)
        before = item


def _beside(a: Leaf, b: Leaf) -> bool:
    letters, digits = str(a.value).rstrip("-_# "), str(b.value)
    same_record = a.path.rpartition(".")[0] == b.path.rpartition(".")[0]
    return same_record and len(letters) <= 8 and letters.isalpha() and 4 <= len(digits) <= 12 and digits.isdecimal()
