"""Claude Code's Stop hook: the last message held against what the session's tools did, within a second.

The model is loaded only if the message has text, the transcript is read only if the text claims something, and a message is
held back once: a stop that the hook itself caused goes through with a note for the user. Sub-agents (SubagentStop) alike.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from claimx.adapters.claude_sessions import agent_files, last_reply, lines_backwards, read_agent
from claimx.adapters.claude_transcript import Session, is_claude_code, is_said
from claimx.errors import InputError
from claimx.records import Record, open_input, read_records
from claimx.types import ClaimStatus, Extraction, JudgedClaim, LedgerEntry, Receipt, Run

#: Exit codes as Claude Code documents them: 2 hands standard error to the model, which goes on; 1 is shown and blocks nothing.
PASS, NOTICE, BLOCK = 0, 1, 2
_TRIES, _PAUSE = 4, 0.1
_MOST_CLAIMS, _MOST_TEXT = 4, 240


@dataclass(frozen=True, slots=True)
class Answer:
    """What the hook's process says: its exit code, and the texts for standard output and standard error."""

    code: int = PASS
    out: str = ""
    err: str = ""


def parse_event(text: str) -> Mapping[str, Any]:
    """Read the hook's JSON. Raises InputError that names what is missing."""
    try:
        event = json.loads(text)
    except ValueError as e:
        raise InputError(f"the hook's input is not JSON ({e}): Claude Code writes it to standard input") from e
    if not isinstance(event, Mapping):
        raise InputError("the hook's input is not a JSON object")
    if not isinstance(event.get("transcript_path"), str):
        raise InputError("field 'transcript_path' is missing from the hook's input", field="transcript_path")
    return event


def answer(
    event: Mapping[str, Any],
    *,
    extractor: Any = None,
    model: str | None = None,
    warn: bool = False,
    sleep: Callable[[float], None] = time.sleep,
) -> Answer:
    """Answer a Stop or SubagentStop event. With `warn` the user is told and nothing is held back.

    `extractor` defaults to one over the folder `model` (None: the shipped one). Raises ClaimxError and OSError where the
    transcript cannot be read.
    """
    receipt = check_event(event, extractor=extractor, model=model, sleep=sleep)
    if receipt is None or receipt.ok:
        return Answer()
    if warn or event.get("stop_hook_active") is True:
        return Answer(out=json.dumps({"systemMessage": message_of(receipt)}, ensure_ascii=False) + "\n")
    return Answer(BLOCK, err=message_of(receipt, for_model=True) + "\n")


def check_event(
    event: Mapping[str, Any],
    *,
    extractor: Any = None,
    model: str | None = None,
    sleep: Callable[[float], None] = time.sleep,
) -> Receipt | None:
    """Return the receipt of the event's last message, None when it says nothing that could be held against the ledger."""
    is_agent = event.get("hook_event_name") == "SubagentStop"
    given = event.get("agent_transcript_path") if is_agent else None
    path = Path(given if isinstance(given, str) else event["transcript_path"]).expanduser()
    told = event.get("last_assistant_message")
    reply = told if isinstance(told, str) else last_reply(path, own=is_agent)
    if not reply.strip():
        return None
    from claimx.checker import Checker
    from claimx.extract import Extractor

    reader = extractor or Extractor(model)
    found = reader.extract_full(reply)
    if not found.claims:
        return None
    checker = Checker(_Read(found))
    receipt = checker.check(turn_of(path, reply, own=is_agent))
    if all(c.status is ClaimStatus.CONFIRMED for c in receipt.claims):
        return receipt  # the calls of this turn carry every claim: no need of the whole session
    if not told or _holds(path, reply, own=is_agent):
        return checker.check(run_of(path, reply, own=is_agent))
    for _ in range(_TRIES):
        sleep(_PAUSE)  # the transcript is written behind the agent's back
        if _holds(path, reply, own=is_agent):
            return checker.check(run_of(path, reply, own=is_agent))
    return None  # what a transcript does not hold yet is no evidence


def _holds(path: Path, reply: str, *, own: bool) -> bool:
    """Whether a transcript has come as far as a message, and so holds the calls before it."""
    return "".join(last_reply(path, own=own).split()).endswith("".join(reply.split()))


@dataclass(frozen=True, slots=True)
class _Read:
    """A reply that has been read already."""

    found: Extraction

    def extract_full(self, text: str) -> Extraction:
        return self.found

    def extract_many(self, texts: Any) -> list[Extraction]:
        return [self.found for _ in texts]


def run_of(path: Path, reply: str, *, own: bool = False) -> Run:
    """Return a reply with all calls of its session so far, or (`own`) of the sub-agent whose file it is."""
    agents = [] if own else [a for f in agent_files(path) for a in read_agent(f)]
    with open_input(str(path)) as stream:
        return _run(path, reply, read_records(stream), agents, own=own)


def turn_of(path: Path, reply: str, *, own: bool = False) -> Run:
    """Return a reply with the calls since the user's last words, read from the end of the file."""
    lines: list[Any] = []
    for line in lines_backwards(path):
        try:
            data = json.loads(line)
        except ValueError:
            continue  # a line still being written
        lines.append(data)
        if is_claude_code(data) and is_said(data):
            break
    return _run(path, reply, (Record(0, data) for data in reversed(lines)), [], own=own)


def _run(path: Path, reply: str, records: Iterable[Record], agents: list[tuple[str, LedgerEntry]], *, own: bool) -> Run:
    session = Session(agents=agents, agent="agent" if own else None)
    for _ in session.drafts(records):
        pass
    calls, tools = tuple(session.calls.values()), tuple(session.tools.values())
    return Run(reply=reply, ledger=calls, tools=tools, id=path.stem, user=session.user)


def message_of(receipt: Receipt, *, for_model: bool = False) -> str:
    """Return the short message that names the unsupported claims, and for the model what to do about them."""
    flagged = receipt.flagged
    one = len(flagged) == 1
    head = f"claimx: {len(flagged)} claim{'' if one else 's'} of the last message {'is' if one else 'are'} not supported by what ran:"
    lines = [head, *(f"- {_line(c)}" for c in flagged[:_MOST_CLAIMS])]
    if len(flagged) > _MOST_CLAIMS:
        lines.append(f"- and {len(flagged) - _MOST_CLAIMS} more")
    if for_model:
        lines.append("Do it now and look at the result, or correct the message: say what was done and what was not.")
    return "\n".join(lines)


def _line(claim: JudgedClaim) -> str:
    said = " ".join(claim.action.text.split())
    said = said if len(said) <= _MOST_TEXT else said[: _MOST_TEXT - 1] + "…"
    reason = " ".join(claim.reason.split())
    reason = reason if len(reason) <= _MOST_TEXT else reason[: _MOST_TEXT - 1] + "…"
    return f"“{said}”: {str(claim.status).replace('_', ' ')}: {reason}"
