"""The lines of a long session that bear on its ledger: what tells nothing of calls, or tells it twice, is passed over unread."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from claimx.adapters.plain import mapping
from claimx.records import Record, parse_line

#: A block that is a call or its result; and what tells a line of the agent's own that holds neither.
_CALLS = re.compile(rb'"type":\s*"\w*tool_(?:use|result)"')
_AGENTS = b'"role":"assistant"'
_ASIDE = (b'"isSidechain":true', b'"agent_progress"', b'"parent_tool_use_id":"')
#: Where a line's fields stand before its message's content; further on it is not looked for.
_HEAD = 2_000
#: The executor's own record of a result, told a second time; and what is looked for in it.
_TWICE = b',"toolUseResult":{'
_TOLD = re.compile(rb'"(?:interrupted":\s*true|backgroundTaskId|backgroundedByUser|isAsync|agentId)')


def telling(stream: Iterable[bytes]) -> Iterator[Record | None]:
    """The lines of a session that bear on its ledger; None for one of the agent's that holds only words or thoughts."""
    for number, line in enumerate(stream, 1):
        # Lines without a message are the client's; one that is still being written is none.
        if b'"message"' not in line:
            continue
        if line.find(_AGENTS, 0, _HEAD) >= 0:
            if not _CALLS.search(line) and not any(a in line for a in _ASIDE):
                yield None
                continue
        elif (short := _told_once(line)) is not None:
            record = parse_line(short, number)
            if record.error is None and {"uuid", "timestamp"} <= mapping(record.data).keys():
                yield record
                continue
        yield parse_line(line, number)


def _told_once(line: bytes) -> bytes | None:
    """A line without the executor's record of its result, which is as long again; None where that is looked into."""
    at = line.find(_TWICE)
    if at < 0 or _TOLD.search(line, at):
        return None
    return line[:at] + b"}"
