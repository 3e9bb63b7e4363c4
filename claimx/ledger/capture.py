"""What of a call is kept: redaction, hashed arguments, nothing at all, or as much as the caps let through."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any

from claimx.errors import LedgerError
from claimx.ledger.canonical import canonical, digest_of, plain
from claimx.ledger.hiding import Hidden
from claimx.ledger.masking import name_matcher

#: `redact(value, tool, part)`: the JSON value to keep. `part` is "args", "result", "error" or "message".
Redact = Callable[[Any, str, str], Any]


@dataclass(frozen=True, slots=True)
class Capture:
    """The rules for what is kept.

    `hash_args`: True keeps a digest of the arguments instead of them; names (found in keys as `mask` finds them) keep
    digests of the values under those names, at any depth. `hash_key` makes the digests HMACs, which can't be guessed from likely values.
    `keep=False` keeps digests of arguments and results alone. `max_chars` caps each text, `max_bytes` the whole value.
    Where less than the whole was kept its digest stands beside it. What was kept back of arguments is kept back in the
    call's result and error, too: `hidden` carries it through a call and those inside of it.
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
        if not isinstance(self.hash_args, bool):
            name_matcher(self.hash_args)

    @property
    def keeps_back(self) -> bool:
        """Whether anything may be kept back of arguments."""
        return self.redact is not None or bool(self.hash_args) or not self.keep

    def args(self, value: Any, tool: str, hidden: Hidden | None = None) -> dict[str, Any]:
        """Return the fields of a row that hold a call's arguments."""
        whole = value = plain(value)
        if self.hash_args is not True and self.hash_args:
            value = self._hash_named(value, name_matcher(self.hash_args))
        value = self._redacted(value, tool, "args")
        if hidden is not None and self.keeps_back:
            hidden.learn(whole, value)
            value = hidden.value(value)
            if self.hash_args is True or not self.keep:
                hidden.learn_quoted(whole)
        if self.hash_args is True or not self.keep:
            return {"args_digest": digest_of(value, key=self.hash_key)} | ({} if self.keep else {"captured": False})
        return self._capped("args", value)

    def result(self, value: Any, tool: str, hidden: Hidden | None = None) -> dict[str, Any]:
        """Return the fields of a row that hold a call's result."""
        value = self._redacted(plain(value), tool, "result")
        if hidden:
            value = hidden.value(value)
        if not self.keep:
            return {"result_digest": digest_of(value, key=self.hash_key), "captured": False}
        return self._capped("result", value)

    def error(self, error: BaseException | str, tool: str, hidden: Hidden | None = None) -> str:
        """Return what is kept of an error: its type and message."""
        text = str(self._redacted(plain(error), tool, "error"))
        whole = len(text)
        if hidden is not None:
            text = hidden.in_error(text, self.max_chars)
            whole = len(text) if whole <= self.max_chars else whole
        return _cut(text, self.max_chars, max(whole, len(text)))

    def message(self, text: str) -> str:
        """Return what is kept of a message of the conversation: all of it that redaction leaves."""
        return str(self._redacted(plain(text), "", "message"))

    def _redacted(self, value: Any, tool: str, part: str) -> Any:
        return value if self.redact is None else plain(self.redact(value, tool, part))

    def _hash_named(self, value: Any, names: Callable[[str], bool]) -> Any:
        if isinstance(value, Mapping):
            return {
                k: digest_of(v, key=self.hash_key) if names(k) else self._hash_named(v, names) for k, v in value.items()
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
