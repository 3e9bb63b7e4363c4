"""Redaction by name: what stands under a name is hidden, in objects, in lists of pairs and in texts."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from claimx.errors import LedgerError

_BOUNDARY = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
#: Words that stand beside a name in keys that are written as one (`creditcard`, `apitoken`).
_BESIDE = (
    "access account api auth bank client code credit customer data debit field hash header holder id info key new no num number "
    "old secret string text token user val value"
).split()
#: Keys of pairs: {"name": "Authorization", "value": "Bearer ..."}.
_PAIR_NAMES, _PAIR_VALUES = ("name", "key", "field", "header", "parameter"), ("value", "values", "val", "text")
_KEY_IN_TEXT = re.compile(
    r"(?<![\w-])(?P<key>[^\W\d_][\w-]*+(?:\.[\w-]++)*+)(?P<more>\s+(?:number|no\.?|num|nr\.?|id|code|key|value)\b)?(?P<quote>\\*[\"'`]?)\s*"
    r"(?P<sep>:=|=>|->|[:=#]|\b(?:is|was|of)\b|)\s*"
)
_WORD = re.compile(r"[^\W\d_]+(?![\w-])")
_SCHEME = re.compile(r"(?:bearer|basic|token|digest)\s+", re.I)
_VALUE = re.compile(
    r"(?P<escapes>\\*)(?P<mark>[\"'`])(?P<inside>.*?)(?P=escapes)(?P=mark)|\d(?:[ -]?\d)++|[^\s,;&)}\]\"'`<>]++",
    re.DOTALL,
)
#: What is said of a thing rather than what it is: "the card was declined".
_SAID_OF = frozenset(
    "a an the not no too already also invalid valid wrong incorrect missing required empty unknown expired declined denied rejected "
    "refused accepted blocked locked reported stolen lost used being now still never set unset absent present ok there".split()
)
_CLOSING = {"{": "}", "[": "]", "(": ")"}


def mask(*names: str, by: str = "[redacted]", exact: bool = False) -> Callable[[Any, str, str], Any]:
    """Make a redaction that hides what stands under the given names, at any depth.

    A name is found as words of a key, in any case, style and number: `card` in `Card`, `cards`, `card_number` and
    `creditCard`, not in `discard`; with `exact` it must be the whole key. Pairs (`{"name": "card", "value": ...}`), JSON inside
    texts, and texts (`card=4111`, `"card": "4111"`, `card number 4111`) are read alike. What was hidden in the arguments of a
    call is hidden in its result and error, too, wherever it stands: see `claimx.ledger.hiding`.

    >>> mask("card")({"card_number": "4111", "items": [{"Cards": 1, "discard": 2}]}, "pay", "args")
    {'card_number': '[redacted]', 'items': [{'Cards': '[redacted]', 'discard': 2}]}
    >>> mask("card")("ValueError: card 4111 1111 was declined, card=4111", "pay", "error")
    'ValueError: card [redacted] was declined, card=[redacted]'
    """
    is_hidden = name_matcher(names, exact=exact)

    def redact(value: Any, tool: str, part: str) -> Any:
        if isinstance(value, Mapping):
            paired = next((k for k in value if k.casefold() in _PAIR_NAMES and isinstance(value[k], str)), None)
            is_pair = paired is not None and is_hidden(value[paired])
            return {
                k: by if is_hidden(k) or (is_pair and k.casefold() in _PAIR_VALUES) else redact(v, tool, part)
                for k, v in value.items()
            }
        if isinstance(value, list):
            return [redact(v, tool, part) for v in value]
        return _in_text(value, is_hidden, redact, by) if isinstance(value, str) else value

    return redact


def name_matcher(names: Any, *, exact: bool = False) -> Callable[[str], bool]:
    """Return what tells whether a key bears one of some names, found as words of it. Raises LedgerError for what is no name."""
    names = list(names)
    if wrong := [n for n in names if not isinstance(n, str) or not words_of(n)]:
        raise LedgerError(f"{wrong[0]!r:.80} is no name of a field: give texts such as 'card', each for itself")
    wanted = [words_of(n) for n in names]
    joined = {"".join(w) for w in wanted}
    known: dict[str, bool] = {}

    def is_hidden(key: str) -> bool:
        found = known.get(key)
        if found is None:
            words = words_of(key)
            found = "".join(words) in joined
            if not found and not exact:
                found = any(words[i : i + len(w)] == w for w in wanted for i in range(len(words) - len(w) + 1) if w)
                found = found or any(_is_compound(word, w) for word in words for w in joined)
            if len(known) < 10_000:
                known[key] = found
        return found

    return is_hidden


def words_of(key: str) -> list[str]:
    """Return the words of a key in lower case and the singular.

    >>> words_of("customerCardNumbers"), words_of("API-Keys"), words_of("address")
    (['customer', 'card', 'number'], ['api', 'key'], ['address'])
    """
    return [_singular(w) for w in re.split(r"[\W_]+", _BOUNDARY.sub("_", key).casefold()) if w]


def _singular(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    base = word[:-2]
    if word.endswith("es") and len(word) > 4:
        is_whole = base.endswith(("ss", "x", "ch", "sh")) or (base.endswith("us") and not base.endswith(("ous", "aus")))
        return base if is_whole else word[:-1]
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")) else word


def _is_compound(word: str, name: str) -> bool:
    """Whether a word is a name written together with what often stands beside it."""
    if len(name) < 4 or len(word) <= len(name):
        return False
    return (word.startswith(name) and word[len(name) :] in _BESIDE) or (
        word.endswith(name) and word[: -len(name)] in _BESIDE
    )


def _in_text(text: str, is_hidden: Callable[[str], bool], redact: Callable[[Any, str, str], Any], by: str) -> str:
    stripped = text.strip()
    if stripped[:1] in ("{", "[") and stripped[-1:] in ("}", "]"):
        try:
            value = json.loads(stripped)
        except (ValueError, RecursionError):
            pass
        else:
            kept = redact(value, "", "")
            return text if kept == value else json.dumps(kept, ensure_ascii=False)
    parts, at = [], 0
    for found in _KEY_IN_TEXT.finditer(text):
        if found.start() < at or not any(is_hidden(k) for k in (found["key"], found["key"].rpartition(".")[2])):
            continue
        start = found.end()
        if found["sep"].isalpha() and (said := _WORD.match(text, start)) and said[0].casefold() in _SAID_OF:
            continue
        end = _end_of_value(text, start, needs_digit=not found["sep"])
        if end > start:
            parts += [text[at:start], by]
            at = end
    return "".join([*parts, text[at:]]) if parts else text


def _end_of_value(text: str, start: int, *, needs_digit: bool) -> int:
    """Where the value that begins at a place ends; the place itself where none does."""
    scheme = _SCHEME.match(text, start)
    if scheme:
        start_of_value, needs_digit = scheme.end(), False
    else:
        start_of_value = start
    if text[start_of_value : start_of_value + 1] in _CLOSING:
        return start if needs_digit else _end_of_container(text, start_of_value)
    value = _VALUE.match(text, start_of_value)
    if value is None or (needs_digit and not any(c.isdigit() for c in value[0])):
        return start
    return value.end() - len(value[0]) + len(value[0].rstrip(".:!?")) if value["mark"] is None else value.end()


def _end_of_container(text: str, start: int) -> int:
    """Where brackets that open at a place close; the end of the text where they don't."""
    waiting: list[str] = []
    for i in range(start, len(text)):
        c = text[i]
        if c in _CLOSING:
            waiting.append(_CLOSING[c])
        elif waiting and c == waiting[-1]:
            waiting.pop()
            if not waiting:
                return i + 1
    return len(text)
