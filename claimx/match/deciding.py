"""Arguments that name the deed of a call which may do several: `decision: "approve"`, `service: "turn_off"`."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from claimx.match.shapes import ToolShape
from claimx.values.keys import parts_of
from claimx.verbs import FAMILIES, READING, family

#: Arguments whose value is the deed, and with those whose value may be.
_ALWAYS = frozenset("decision verdict disposition resolution".split())
_DECIDING = _ALWAYS | frozenset("action service operation op transition event subcommand".split())


def decided_in(key: str, value: object) -> str | None:
    """The family of the deed that an argument names, None where it names none.

    >>> decided_in("decision", "approve"), decided_in("service", "turn_off"), decided_in("note", "approve")
    ('approve', 'disable', None)
    """
    return _family(value) if isinstance(value, str) and names_deed(key) and len(value) <= 40 else None


def names_deed(key: str) -> bool:
    """Whether an argument of this name may hold the deed of its call."""
    return key.lower() in _DECIDING


@lru_cache(maxsize=2048)
def _family(value: str) -> str | None:
    named = family(" ".join(parts_of(value)))
    return named if named in FAMILIES else None


#: Verbs of looking that may end in a decision; a list is only narrowed down by one.
_WEIGHING = frozenset("review check verify validate evaluate assess confirm".split())


def is_decided(args: Any, shape: ToolShape) -> bool:
    """Whether a call decided something by an argument: `expense_review(decision="approved")`, not `list(decision="approved")`."""
    if not isinstance(args, Mapping) or (shape.reads and _WEIGHING.isdisjoint(shape.verbs)):
        return False
    return any((decided_in(str(k), v) or "get") not in READING for k, v in args.items() if str(k).lower() in _ALWAYS)
