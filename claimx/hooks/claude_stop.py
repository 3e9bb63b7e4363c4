"""Claude Code's Stop hook: the last message held against what the session's tools did, within a second.

The model is loaded only if the message has text, the transcript is read only if the text claims something, and a message is
held back once: a stop that the hook itself caused goes through with a note for the user. Sub-agents (SubagentStop) alike.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from claimx.adapters.claude_code import TOOLS, Session
from claimx.adapters.claude_sessions import last_reply, last_turn
from claimx.adapters.found import UNREADABLE, Reading
from claimx.adapters.plain import mapping
from claimx.errors import InputError
from claimx.hooks.claude_lines import telling
from claimx.records import Record, open_input
from claimx.types import ClaimStatus, Extraction, JudgedClaim, Receipt, Run

#: Exit codes as Claude Code documents them: 2 hands standard error to the model, which goes on; 1 is shown and blocks nothing.
PASS, NOTICE, BLOCK = 0, 1, 2
_TRIES, _PAUSE = 4, 0.1
#: Bytes at a transcript's end that are looked at before all of it is.
_RECENT = 400_000
_ALL = re.compile(r"\b(?:all|every|each|both)\b", re.I)
_OWN = frozenset(t.name for t in TOOLS)
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
    from claimx.extract import Extractor

    reader = extractor or Extractor(model)
    with _loading(reader):
        from claimx.checker import Checker
    found = reader.extract_full(reply)
    if not found.claims:
        return None
    checker = Checker(_Read(found))
    # Where the calls of this turn, or of the last ones, carry every claim there is no need of the whole session.
    turn = turn_of(path, reply, own=is_agent)
    if _stands(receipt := checker.check(turn)):
        return receipt
    if told and not _arrives(path, reply, own=is_agent, sleep=sleep):
        return None  # what a transcript does not hold yet is no evidence
    recent = turn_of(path, reply, own=is_agent, least=_RECENT)
    if len(recent.ledger) > len(turn.ledger) and _stands(receipt := checker.check(recent)):
        return receipt
    return checker.check(run_of(path, reply, own=is_agent))


@contextmanager
def _loading(reader: Any) -> Iterator[None]:
    """Load a reader's model beside what is done within: the interpreter has next to no part in it."""

    def load() -> None:
        # What goes wrong here goes wrong once more where the model is asked for, and is told there.
        with suppress(Exception):
            _ = reader.model

    thread = threading.Thread(target=load, daemon=True)
    thread.start()
    try:
        yield
    finally:
        thread.join()


def _stands(receipt: Receipt) -> bool:
    """Whether calls of the last turns carry every claim, whatever earlier ones hold.

    Of all things told as done an earlier turn may hold the one that failed; what Claude Code's own tools did is not held
    against a claim like that.
    """
    return all(
        c.status is ClaimStatus.CONFIRMED and (c.tool in _OWN or not _ALL.search(c.action.text)) for c in receipt.claims
    )


def _arrives(path: Path, reply: str, *, own: bool, sleep: Callable[[float], None]) -> bool:
    """Whether a transcript comes as far as a message: it is written behind the agent's back."""
    for _ in range(_TRIES):
        if _holds(path, reply, own=own):
            return True
        sleep(_PAUSE)
    return _holds(path, reply, own=own)


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
    with open_input(str(path)) as stream:
        return _run(path, reply, telling(stream), own=own)


def turn_of(path: Path, reply: str, *, own: bool = False, least: int = 0) -> Run:
    """Return a reply with the calls since the user's last words, read from the end of the file.

    Earlier turns are taken along, whole ones, until `least` bytes are read.
    """
    return _run(None, reply, last_turn(path, least), own=own)


#: The hook names claims alone. As of a turn without calls a reply leaves none unsaid, and no time goes into looking for them.
_NOTHING_LEFT = {"turn": -1}


def _run(path: Path | None, reply: str, records: Iterable[Record | None], *, own: bool) -> Run:
    session = Session("", 0, Reading(path=path), is_side=own or None)
    for record in records:
        if record is None:
            session.conversation.say("")
        elif record.error is not None:
            session.conversation.lacks(UNREADABLE)
        else:
            session.take(mapping(record.data), record.line)
    session.arrive(None)
    talk = session.conversation
    missing = {"calls_missing": talk.missing} if talk.missing else {}
    return Run(reply, talk.entries, talk.tools, id=session.id, user=talk.asked, extra={**_NOTHING_LEFT, **missing})


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
