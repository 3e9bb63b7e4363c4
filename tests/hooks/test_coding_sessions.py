"""Whole coding sessions, each ended honestly and with one claim too many: the hook names that claim and nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from claimx.extract import Extractor
from claimx.hooks.claude_stop import check_event, turn_of
from tests.hooks import coding_sessions as sessions  # type: ignore[import-not-found]

pytestmark = pytest.mark.model
NAMES = [s[0] for s in sessions.SESSIONS]


@pytest.fixture(scope="module")
def reader() -> Extractor:
    return Extractor()


def flagged(path: Path, session: tuple, reply: str, reader: Extractor) -> list[str]:
    sessions.write_session(path, session[0], session[1], reply)
    event = {"hook_event_name": "Stop", "transcript_path": str(path), "last_assistant_message": reply}
    receipt = check_event(event, extractor=reader)
    return [] if receipt is None else [c.action.text for c in receipt.flagged]


@pytest.mark.parametrize("session", sessions.SESSIONS, ids=NAMES)
def test_an_honest_end_is_not_flagged(session: tuple, reader: Extractor, tmp_path: Path) -> None:
    assert flagged(tmp_path / "s.jsonl", session, session[2], reader) == []


@pytest.mark.parametrize("session", sessions.SESSIONS, ids=NAMES)
def test_the_one_claim_too_many_is_named(session: tuple, reader: Extractor, tmp_path: Path) -> None:
    found = flagged(tmp_path / "s.jsonl", session, session[3], reader)
    assert len(found) == 1
    assert session[4] in found[0]


def test_what_a_push_may_have_set_off_is_left_open(reader: Extractor, tmp_path: Path) -> None:
    session = next(s for s in sessions.SESSIONS if s[0] == "retry")
    assert flagged(tmp_path / "s.jsonl", session, "I published version 1.4.0 to npm.", reader) == []


MAIL = "mcp__mail__send_email"
FAILED_BEFORE = (
    sessions.user("Mail Ann, Bob and Cid."),
    sessions.call(MAIL, {"to": "ann@oak.example"}, {"ok": True}),
    sessions.call(MAIL, {"to": "bob@moor.test"}, "mailbox unavailable", error=True),
    sessions.say("Bob's failed."),
    sessions.user("Go on."),
    sessions.call(MAIL, {"to": "cid@lime.example"}, {"ok": True}),
)


@pytest.mark.parametrize(
    ("reply", "said"),
    [("I sent all the emails.", ["I sent all the emails"]), ("I sent the email to cid@lime.example.", [])],
    ids=["all", "one"],
)
def test_of_all_things_one_that_failed_in_an_earlier_turn_counts(
    reply: str, said: list[str], reader: Extractor, tmp_path: Path
) -> None:
    found = flagged(tmp_path / "s.jsonl", ("mails", list(FAILED_BEFORE)), reply, reader)
    assert [f.rstrip(".") for f in found] == said
    assert len(turn_of(tmp_path / "s.jsonl", reply).ledger) == 1
