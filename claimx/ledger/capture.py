"""What of a call is kept: redaction, hashed arguments, nothing at all, or as much as the caps let through."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from claimx.errors import LedgerError
from claimx.ledger.canonical import canonical, digest_of, plain

#: `redact(value, tool, part)`: the JSON value to keep. `part` is "args", "result", "error" or "message".
Redact = Callable[[Any, str, str], Any]


@dataclass(frozen=True, slots=True)
class Capture:
    """The rules for what is kept.

    `hash_args`: True keeps a digest of the arguments instead of them; names keep digests of the values under those
    names, at any depth. `hash_key` makes the digests HMACs, which can't be guessed from likely values.
    `keep=False` keeps digests of arguments and results alone. `max_chars` caps each text, `max_bytes` the whole value.
    Where less than the whole was kept its digest stands beside it.
    """

    redact: Redact | None = None
    hash_args: bool | Collection[str] = ()
    hash_key: bytes | None = None
    keep: bool = True
    max_chars: int = 20_000
    max_bytes: int = 256_000

    def __post_init__(self) -> None:
        if self.max_chars < 1 or self.max_bytes < 1:
            raise LedgerError(f"caps are 1 or more, not {self.max_chars} characters and {self.max_bytes} bytes")
        if isinstance(self.hash_args, str):
            raise LedgerError(f"hash_args is a collection of names, not the text {self.hash_args!r}")

    def args(self, value: Any, tool: str) -> dict[str, Any]:
        """Return the fields of a row that hold a call's arguments."""
        value = plain(value)
        if self.hash_args is not True and self.hash_args:
            value = self._hash_named(value, frozenset(self.hash_args))
        value = self._redacted(value, tool, "args")
        if self.hash_args is True or not self.keep:
            return {"args_digest": digest_of(value, key=self.hash_key)} | ({} if self.keep else {"captured": False})
        return self._capped("args", value)

    def result(self, value: Any, tool: str) -> dict[str, Any]:
        """Return the fields of a row that hold a call's result."""
        value = self._redacted(plain(value), tool, "result")
        if not self.keep:
            return {"result_digest": digest_of(value, key=self.hash_key), "captured": False}
        return self._capped("result", value)

    def error(self, error: BaseException | str, tool: str) -> str:
        """Return what is kept of an error: its type and message."""
        text = str(self._redacted(plain(error), tool, "error"))
        return _cut(text, self.max_chars)

    def message(self, text: str) -> str:
        """Return what is kept of a message of the conversation: all of it that redaction leaves."""
        return str(self._redacted(plain(text), "", "message"))

    def _redacted(self, value: Any, tool: str, part: str) -> Any:
        return value if self.redact is None else plain(self.redact(value, tool, part))

    def _hash_named(self, value: Any, names: frozenset[str]) -> Any:
        if isinstance(value, Mapping):
            return {
                k: digest_of(v, key=self.hash_key) if k in names else self._hash_named(v, names)
                for k, v in value.items()
            }
        return [self._hash_named(v, names) for v in value] if isinstance(value, list) else value

    def _capped(self, name: str, value: Any) -> dict[str, Any]:
        cuts: list[str] = []
        kept = _cap(value, self.max_chars, name, cuts)
        data = canonical(kept)
        if len(data) > self.max_bytes:
            kept = _cut(data[: self.max_bytes].decode("utf-8", "ignore"), self.max_bytes, len(data))
            cuts = [name]
        if not cuts:
            return {name: kept}
        return {name: kept, f"{name}_digest": digest_of(value, key=self.hash_key), f"{name}_cut": cuts}


def mask(*names: str, by: str = "[redacted]") -> Redact:
    """Make a redaction that replaces what stands under the given names (any case, any depth).

    >>> mask("card")({"card": "4111", "items": [{"Card": 1, "qty": 2}]}, "pay", "args")
    {'card': '[redacted]', 'items': [{'Card': '[redacted]', 'qty': 2}]}
    """
    hidden = {n.casefold() for n in names}

    def redact(value: Any, tool: str, part: str) -> Any:
        if isinstance(value, Mapping):
            return {k: by if k.casefold() in hidden else redact(v, tool, part) for k, v in value.items()}
        return [redact(v, tool, part) for v in value] if isinstance(value, list) else value

    return redact


def _cap(value: Any, limit: int, path: str, cuts: list[str]) -> Any:
    if isinstance(value, str) and len(value) > limit:
        cuts.append(path)
        return _cut(value, limit)
    if isinstance(value, dict):
        return {k: _cap(v, limit, f"{path}.{k}", cuts) for k, v in value.items()}
    if isinstance(value, list):
        return [_cap(v, limit, f"{path}[{i}]", cuts) for i, v in enumerate(value)]
    return value


def _cut(text: str, limit: int, whole: int | None = None) -> str:
    whole = len(text) if whole is None else whole
    return text if whole <= limit else f"{text[:limit]}… [{whole - limit} more]"
