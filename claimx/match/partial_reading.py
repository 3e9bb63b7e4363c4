"""Files told as read whole of which the ledger shows a part: the first lines, a range, the end."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from claimx.match.beside import reads_file, tells_of_whole
from claimx.match.call import Call
from claimx.match.commands import is_generic
from claimx.match.fields import is_object
from claimx.match.handwork import command_of
from claimx.types import Action, Mismatch

_LENGTHS = frozenset("limit max_lines num_lines line_count lines nlines head_limit length count".split())
_STARTS = frozenset("offset start_line line_start from_line start first_line".split())
_ENDS = frozenset("end_line line_end to_line end last_line".split())
#: How a result tells how long the whole file is.
_TOTALS = frozenset("total_lines totallines line_total num_lines_total".split())
_LINK = re.compile(r"&&|\|\||[;\n]")
_HEAD = re.compile(r"\b(head|tail)\b(?:\s+-(?:n\s*)?(\d+)|\s+--lines[= ](\d+))?(?![^|]*\s-[cfq])")
_RANGE = re.compile(r"\bsed\s+-n\s+['\"]?(\d+),(\d+)p")
#: Lines that `head` and `tail` show when they are told no number.
_UNTOLD = 10


def read_in_part(action: Action, calls: Iterable[Call]) -> Mismatch | None:
    """Return the mismatch where all calls behind a file told as read whole show one and the same part of it."""
    if not reads_file(action) or not (told := tells_of_whole(action)):
        return None
    parts = [_part_of(c) for c in calls]
    first = parts[0] if parts else None
    if first is None or any(p is None or p.recorded != first.recorded for p in parts):
        return None
    return replace(first, claimed=told)


def _part_of(call: Call) -> Mismatch | None:
    """The arguments by which a call shows less than the whole file, None where it may show all of it."""
    if call.is_cut() or not call.entry.captured:
        return None
    if is_generic(call.tool) and not _is_reader(call):
        return _part_of_command(call)
    args = call.entry.args
    if not is_object(args):
        return None
    numbers = {str(k).lower(): (k, v) for k, v in args.items() if type(v) is int}
    start = next((numbers[k] for k in _STARTS if k in numbers and numbers[k][1] > 1), None)
    if start is not None:
        return _told(call, f"{call.id}.args.{start[0]}", f"{start[0]} {start[1]}")
    size = next((numbers[k] for k in (*_LENGTHS, *_ENDS) if k in numbers and numbers[k][1] > 0), None)
    if size is None or not _is_full(call, size[1]):
        return None
    return _told(call, f"{call.id}.args.{size[0]}", f"{size[0]} {size[1]}")


def _is_reader(call: Call) -> bool:
    return not command_of(call).strip() or (not any(f == "run" for f, _ in call.deeds) and "command" not in call.fields)


def _part_of_command(call: Call) -> Mismatch | None:
    """The same of a command line: all its links that read the file cut it."""
    links = [x for x in _LINK.split(command_of(call)) if x.strip()]
    if len(links) != 1:
        return None
    span = _RANGE.search(links[0])
    if span is not None:
        whole = int(span.group(1)) <= 1 and not _is_full(call, int(span.group(2)))
        return None if whole else _told(call, f"{call.id}.args.command", span.group())
    cut = _HEAD.search(links[0])
    if cut is None or not _is_full(call, int(cut.group(2) or cut.group(3) or _UNTOLD)):
        return None
    return _told(call, f"{call.id}.args.command", cut.group())


def _is_full(call: Call, lines: int) -> bool:
    """Whether a result has as many lines as were asked for, so that the file goes on behind them."""
    result = call.entry.result
    total = next((x.value for x in call.view.results if x.key.lower() in _TOTALS and type(x.value) is int), None)
    if total is not None:
        return total > lines
    return isinstance(result, str) and result.rstrip("\n").count("\n") + 1 >= lines


def _told(call: Call, path: str, part: str) -> Mismatch:
    return Mismatch("OUTCOME", "", part, path, f"{call.id} shows no more of the file than that")
