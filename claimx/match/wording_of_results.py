"""What a result says in words: errors, exit codes, and the kind of a failure by what is said of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from claimx.match.fields import unwrapped
from claimx.match.meaning import meant
from claimx.match.outcomes import Outcome, Result

#: Keys under which a command's exit code stands.
EXIT_KEYS = frozenset({"exit_code", "exitcode", "returncode", "return_code", "exit_status"})
#: Characters at the start of a text that are looked at.
_SHORT = 600
_RETRYABLE = re.compile(
    r"time[d -]?\s?out|temporar|unavailable|rate limit|too many requests|try again|connection|overloaded|\b(?:429|502|503|504)\b",
    re.I,
)
_REJECTED = re.compile(
    r"doesn['’]t want to proceed|declin|den(?:y|ied)|forbidden|not allowed|unauthori|permission|refused|reject|policy|ineligible|\b40[13]\b",
    re.I,
)
_ERROR_TEXT = re.compile(
    r"^\W{0,3}traceback \(most recent call last\)|^\W{0,3}(?:error|fatal|failed|failure|exception|err|"
    r"(?:[A-Z]\w*)?(?:Error|Exception))\b\s*(?:[:!(\-\[]|\d{3}|$|executing|occurred|while|to\b|in\b)"
    r"|^\W{0,3}(?:HTTP(?:/\d(?:\.\d)?)?\s*)?[45]\d\d\s+(?:[A-Z]|error|not|bad|internal|service)"
    r"|^\W{0,3}(?:(?:the )?(?:operation|request|action|command|tool|call|transaction)\s+(?:has\s+)?(?:failed|was (?:rejected|denied|declined))"
    r"|(?:could not|couldn't|cannot|can't|unable to|failed to)\s+\w+|permission denied|access denied|unauthorized|forbidden|"
    r"the user (?:doesn['’]t want to proceed|(?:has )?(?:rejected|declined|denied|cancelled|aborted|refused) )|(?:tool (?:use|call)|action) (?:was )?rejected|"
    r"(?:smtp |connection |request )?time[d]?[ -]?out\b|<tool_use_error>|command failed)",
    re.I,
)
_EXIT_TEXT = re.compile(
    r"^\W{0,3}(?:\[?exit(?:ed)?(?: with)?(?: code| status)?[: =]+|command (?:exited|failed) with (?:exit )?code )(-?\d{1,3})\b",
    re.I,
)
_EXIT_TAIL = re.compile(
    r"(?:^|\n)\W{0,3}(?:exit(?:ed)?(?: with)? (?:code|status)|exit_code|returncode)[: =]+(-?\d{1,3})\W*$", re.I
)


def read_text(text: str, path: str) -> Result | None:
    head = text.strip()[:_SHORT]
    if not head:
        return None
    m = _EXIT_TEXT.match(head) or _EXIT_TAIL.search(text.strip()[-200:])
    if m and int(m.group(1)) != 0:
        return Result(Outcome.PERMANENT_FAILURE, f"{path} says exit code {m.group(1)}", path, exit_code=int(m.group(1)))
    if _ERROR_TEXT.match(head) and not re.match(
        r"\W*(?:errors?|failures?|failed)\b\s*[:=]\s*(?:0|none|null)\b", head, re.I
    ):
        return Result(kind_of(head), f"{path} says {short(head)!r}", path)
    if m:
        return Result(Outcome.ACCEPTED, f"{path} says exit code 0", path, exit_code=0)
    return None


def exit_code_in(value: Any) -> int | None:
    inner = unwrapped(value)
    if isinstance(inner, Mapping):
        for k, v in inner.items():
            low = str(k).lower()
            code = meant(low, v) if low in EXIT_KEYS else None
            if isinstance(code, int) and not isinstance(code, bool):
                return code
    if isinstance(inner, str):
        m = _EXIT_TEXT.match(inner.strip()[:_SHORT]) or _EXIT_TAIL.search(inner.strip()[-200:])
        return int(m.group(1)) if m else None
    return None


def kind_of(text: str) -> Outcome:
    if _REJECTED.search(text[:_SHORT]):
        return Outcome.REJECTED
    if _RETRYABLE.search(text[:_SHORT]):
        return Outcome.RETRYABLE_FAILURE
    return Outcome.PERMANENT_FAILURE


def short(value: Any, width: int = 90) -> str:
    flat = " ".join(str(value).split())
    return flat if len(flat) <= width else flat[: width - 1] + "…"
