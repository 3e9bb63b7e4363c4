"""Whole coding sessions, each ended honestly and with one claim too many: the hook names that claim and nothing else."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

from claimx.extract import Extractor
from claimx.hooks.claude_stop import check_event

_spec = importlib.util.spec_from_file_location("claimx_coding_sessions", Path(__file__).parent / "coding_sessions.py")
assert _spec is not None
assert _spec.loader is not None
sessions = importlib.util.module_from_spec(_spec)
sys.modules["claimx_coding_sessions"] = sessions
_spec.loader.exec_module(sessions)

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
