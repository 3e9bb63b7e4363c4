"""Batches whose result tells of each thing by itself: what came of every one of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from claimx.match.fields import is_object
from claimx.match.outcomes import Outcome, Result

#: Under which names results list what came of each thing.
_LISTS = frozenset(
    "results items messages recipients responses deliveries outcomes entries notifications emails operations updates jobs details reports".split()
)
#: Those that hold nothing but what came of each thing, also of a single one.
_OF_EACH = frozenset("results responses deliveries outcomes".split())
#: Things looked at of one list.
_MOST = 500


def _read_items(
    value: Any, path: str, read: Callable[[Any, str, int], Result | None]
) -> tuple[str, list[Result | None]]:
    """Return the path of the list that tells what came of each thing, and what did; empty where a result has no such list.

    `read` reads the outcome of one record.
    """
    least = 2
    if is_object(value):
        lists = [(k, v) for k, v in value.items() if str(k).lower() in _LISTS and isinstance(v, list) and v]
        if len(lists) != 1:
            return "", []
        least = 1 if str(lists[0][0]).lower() in _OF_EACH else 2
        path, value = f"{path}.{lists[0][0]}", lists[0][1]
    if not isinstance(value, list) or len(value) < least or not all(map(is_object, value[:_MOST])):
        return "", []
    return path, [read(v, f"{path}[{i}]", 1) for i, v in enumerate(value[:_MOST])]


def of_items(
    found: Result | None, value: Any, path: str, read: Callable[[Any, str, int], Result | None]
) -> Result | None:
    """Return the outcome of a batch of which some or all things failed, else the outcome found so far."""
    if found is not None and (found.outcome is not Outcome.ACCEPTED or found.partial):
        return found
    where, outcomes = _read_items(value, path, read)
    failed = [r for r in outcomes if r is not None and r.failed]
    if not failed:
        return found
    if len(failed) == len(outcomes):
        return failed[0]._replace(reason=f"all of {where} failed: {failed[0].reason}")
    why = f"{len(failed)} of {len(outcomes)} at {where} failed: {failed[0].reason}"
    paths = tuple(f"{where}[{i}]" for i, r in enumerate(outcomes) if r is not None and r.failed)
    return Result(Outcome.ACCEPTED, why, where, partial=paths[0], failed_items=paths)
