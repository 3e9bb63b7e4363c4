"""Values that say yes, no, nothing or a number in words: what `"false"` under `success` means, not what its type is."""

from __future__ import annotations

from typing import Any

#: Longer texts are prose.
_LONGEST = 16
_YES = frozenset({"true", "yes", "y", "t"})
_NO = frozenset({"false", "no", "n", "f"})
_NOTHING = frozenset(
    {"none", "null", "nil", "undefined", "nan", "n/a", "n.a.", "na", "-", "--", "—", "no error", "no errors", "nothing"}
)
#: What is never anything but a flag: here 1 and 0, on and off stand for it, too.
_FLAGS = frozenset({"success", "ok", "successful", "completed", "accepted", "executed", "saved", "delivered"})
_FLAG_WORDS = {"on": True, "off": False, "1": True, "0": False, "ok": True, "okay": True, "done": True, "success": True, "succeeded": True,
               "failed": False, "failure": False, "error": False}  # fmt: skip
#: A text of digits under these is a name, not a number.
_NAMES = frozenset({"code", "id", "error_code", "errorcode"})


def meant(key: str, value: Any) -> Any:
    """Return the flag, number or None that a value means under a key (in lower case), else the value as it is.

    >>> [meant("success", v) for v in ("false", " No ", 0, "off", "1", None, "pending")]
    [False, False, False, False, True, None, 'pending']
    >>> meant("error", "None"), meant("exit_code", "2"), meant("code", "404"), meant("state", "on")
    (None, 2, '404', 'on')
    """
    if type(value) is str:
        text = value.strip().lower() if len(value) <= _LONGEST else ""
        if not text:
            return value
        if text in _YES or text in _NO:
            return text in _YES
        if text in _NOTHING:
            return None
        if key in _FLAGS:
            return _FLAG_WORDS.get(text, value)
        is_number = text.isascii() and text.isdigit() and (text == "0" or text[0] != "0") and key not in _NAMES
        return int(text) if is_number else value
    if key in _FLAGS and type(value) is int and value in (0, 1):
        return value == 1
    return value


def is_unreadable_flag(key: str, value: Any) -> bool:
    """Whether a value stands where yes or no belongs and says neither.

    >>> [is_unreadable_flag("success", v) for v in (None, "pending", "no", True, ["a"])]
    [True, True, False, False, False]
    """
    return key in ("success", "ok", "successful") and (
        value is None or (isinstance(value, str) and not isinstance(meant(key, value), bool))
    )
