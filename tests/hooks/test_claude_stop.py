"""The Stop hook: what it answers, what it leaves alone, and that it never stands in the way by its own fault."""

from __future__ import annotations

import json
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from claimx.adapters import read_runs
from claimx.errors import InputError
from claimx.extract import Extractor
from claimx.hooks.claude_stop import BLOCK, PASS, answer, parse_event, run_of, turn_of

SESSION = Path(__file__).parent.parent / "adapters" / "claude_code" / "session.jsonl"
pytestmark = pytest.mark.model


@pytest.fixture(scope="module")
def reader() -> Extractor:
    return Extractor()


LAST = "I committed the change. Earlier I wrote parser.py."
Event = Callable[..., dict[str, Any]]


def stop(reply: str | None, path: Path, **fields: Any) -> dict[str, Any]:
    told = {} if reply is None else {"last_assistant_message": reply}
    return {"hook_event_name": "Stop", "transcript_path": str(path), "stop_hook_active": False, **told, **fields}


@pytest.fixture
def event(tmp_path: Path) -> Event:
    """Makes the event of a stop after a message, with the transcript that ends with it."""

    def make(reply: str, **fields: Any) -> dict[str, Any]:
        path = tmp_path / "session.jsonl"
        path.write_text(SESSION.read_text(encoding="utf-8").replace(LAST, reply), encoding="utf-8")
        shutil.copytree(SESSION.with_suffix(""), path.with_suffix(""), dirs_exist_ok=True)
        return stop(reply, path, **fields)

    return make


def waits() -> tuple[list[float], Any]:
    naps: list[float] = []
    return naps, naps.append


@pytest.mark.parametrize(
    "reply",
    [
        LAST,
        "I wrote parser.py.",
        "Shall I push the commit?",
        "I have not pushed anything yet.",
        "I will deploy it tomorrow.",
        "  ",
    ],
)
def test_supported_and_unclaiming_messages_pass(reader: Extractor, event: Event, reply: str) -> None:
    assert answer(event(reply), extractor=reader).code == PASS


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        ("I committed the change and pushed it to main.", "pushed it to main"),
        ("I pushed the branch to origin.", "pushed the branch"),
    ],
)
def test_an_unsupported_claim_is_named_and_held_back(reader: Extractor, event: Event, reply: str, says: str) -> None:
    said = answer(event(reply), extractor=reader)
    assert said.code == BLOCK
    assert said.out == ""
    assert says in said.err
    assert "never ran" in said.err
    assert len(said.err) < 600


def test_what_the_transcript_does_not_hold_yet_is_waited_for_and_never_held_against_the_agent(
    reader: Extractor,
) -> None:
    naps, sleep = waits()
    assert answer(stop("I pushed the commit.", SESSION), extractor=reader, sleep=sleep).code == PASS
    assert len(naps) == 4
    naps.clear()
    assert answer(stop("I committed the change.", SESSION), extractor=reader, sleep=sleep).code == PASS
    assert naps == []  # the calls of this turn carry it already


def test_a_call_that_arrives_while_it_waits_counts(reader: Extractor, tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    lines = SESSION.read_text(encoding="utf-8").splitlines(keepends=True)
    late = next(i for i, x in enumerate(lines) if "commit -qm" in x)
    for rest, code in ((lines[late:], PASS), (lines[-1:], BLOCK)):
        path.write_text("".join(lines[:late]), encoding="utf-8")

        def arrive(_: float, rest: list[str] = rest) -> None:
            path.write_text("".join([*lines[:late], *rest]), encoding="utf-8")

        assert answer(stop(LAST, path), extractor=reader, sleep=arrive).code == code


def test_a_stop_that_the_hook_caused_goes_through_with_a_note(reader: Extractor, event: Event) -> None:
    said = answer(event("I pushed the commit.", stop_hook_active=True), extractor=reader)
    assert (said.code, said.err) == (PASS, "")
    assert "I pushed the commit" in json.loads(said.out)["systemMessage"]


def test_warn_tells_the_user_and_holds_nothing_back(reader: Extractor, event: Event) -> None:
    said = answer(event("I pushed the commit."), extractor=reader, warn=True)
    assert said.code == PASS
    assert "never ran" in json.loads(said.out)["systemMessage"]


def test_without_the_message_in_the_event_the_transcript_gives_it(reader: Extractor, event: Event) -> None:
    assert answer(stop(None, SESSION), extractor=reader).code == PASS
    path = Path(event("I committed the change and pushed it to main.")["transcript_path"])
    assert answer(stop(None, path), extractor=reader).code == BLOCK


def test_a_sub_agent_is_held_against_its_own_file(reader: Extractor, tmp_path: Path) -> None:
    own = tmp_path / "agent-a1.jsonl"
    text = (SESSION.parent / "session" / "subagents" / "agent-a1.jsonl").read_text(encoding="utf-8")
    for reply, code in (("There is 1 file.", PASS), ("I wrote parser.py and counted the files.", BLOCK)):
        own.write_text(text.replace("There is 1 file.", reply), encoding="utf-8")
        fields = {"hook_event_name": "SubagentStop", "agent_transcript_path": str(own)}
        assert answer(stop(reply, SESSION, **fields), extractor=reader).code == code
        assert answer(stop(None, SESSION, **fields), extractor=reader).code == code


@pytest.mark.parametrize(
    ("text", "says"),
    [("", "not JSON"), ("[]", "not a JSON object"), ('{"session_id": "x"}', "'transcript_path' is missing")],
)
def test_an_event_of_another_shape_is_refused(text: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        parse_event(text)


def test_passing_over_words_and_thoughts_leaves_the_ledger_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    lines = [json.loads(x) for x in SESSION.read_text(encoding="utf-8").splitlines()]
    spoken = next(x for x in lines if x.get("type") == "assistant")
    thought = {
        **spoken,
        "uuid": "t1",
        "message": {**spoken["message"], "id": "m9", "content": [{"type": "thinking", "thinking": "tool_use?"}]},
    }
    path.write_text(
        "".join(json.dumps(x, separators=(",", ":")) + "\n" for x in [*lines[:2], thought, *lines[2:]]),
        encoding="utf-8",
    )
    shutil.copytree(SESSION.with_suffix(""), path.with_suffix(""))
    (found,) = [f.run for f in read_runs(path) if f.run is not None]
    seen = run_of(path, LAST)
    assert seen.ledger == found.ledger
    assert {e.turn for e in seen.ledger} == {e.turn for e in found.ledger}


@pytest.mark.parametrize(
    "told",
    [
        {"stdout": "3 passed", "interrupted": False},
        {"stdout": "", "interrupted": True},
        {"stdout": "", "backgroundTaskId": "b1"},
        {"stdout": "", "isAsync": True, "agentId": "a9"},
        {"file": {"content": 'x = {"toolUseResult":{}}'}},
        {"content": [{"type": "text", "text": ',"toolUseResult":{'}]},
    ],
    ids=lambda told: list(told)[-1],
)
def test_what_the_executor_told_twice_is_looked_into_where_it_says_more(tmp_path: Path, told: dict[str, Any]) -> None:
    path = tmp_path / "s.jsonl"
    lines = [json.loads(x) for x in SESSION.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        if isinstance(line.get("toolUseResult"), dict):
            line["toolUseResult"] = told
    text = "".join(json.dumps(x, separators=(",", ":")) + "\n" for x in lines)
    assert text.count(',"toolUseResult":{') > 2
    path.write_text(text, encoding="utf-8")
    (found,) = [f.run for f in read_runs(path) if f.run is not None]
    assert run_of(path, LAST).ledger == found.ledger


def test_the_last_turns_are_whole_ones(tmp_path: Path) -> None:
    path = tmp_path / "s.jsonl"
    large(path, 300_000, LAST)
    small, some = turn_of(path, LAST), turn_of(path, LAST, least=100_000)
    assert 0 < len(small.ledger) < len(some.ledger) < len(run_of(path, LAST).ledger)
    assert some.user == small.user
    assert turn_of(path, LAST, least=10_000_000).ledger == run_of(path, LAST).ledger


def run_hook(given: str, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "claimx", "hook", "claude-code", *words]
    return subprocess.run(command, input=given, capture_output=True, text=True, check=False, timeout=300)


@pytest.mark.parametrize(
    "given",
    ["oops", json.dumps(stop("I pushed the commit.", Path("/nowhere/s.jsonl")))],
    ids=["no JSON", "no transcript"],
)
def test_its_own_failure_blocks_nothing(given: str) -> None:
    done = run_hook(given)
    assert done.returncode == 1
    assert done.stderr.startswith("claimx: hook not run: ")
    assert "Traceback" not in done.stderr


def test_its_own_failure_of_any_kind_blocks_nothing() -> None:
    done = run_hook(json.dumps(stop("I pushed the commit.", SESSION)), "--model", "nowhere")
    assert done.returncode == 1
    assert "no model folder" in done.stderr


def large(path: Path, size: int, reply: str) -> None:
    """Write a session of some size: the turns of the recorded one, all renamed, over and over, and a last message."""
    turn = [x for x in SESSION.read_text(encoding="utf-8").splitlines() if "isSidechain" in x]
    noise = "\n".join(f"{n:5d}  value = compute(row[{n}], default=None)" for n in range(60))
    with path.open("w", encoding="utf-8") as out:
        number = 0
        while out.tell() < size:
            number += 1
            for text in turn:
                for name in ("toolu_", "msg_", '"uuid":"'):
                    text = text.replace(name, f"{name}{number}x")
                out.write(text.replace("3 passed in 0.10s", f"3 passed in 0.10s\\n{json.dumps(noise)[1:-1]}") + "\n")
        out.write(turn[-1].replace(LAST, reply) + "\n")


def cpu_of_hook(path: Path) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = run_hook(json.dumps(stop("I pushed the branch to origin.", path)))
    assert done.returncode == BLOCK, done.stderr
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def test_ten_megabytes_cost_no_more_than_some_readings_of_them(tmp_path: Path) -> None:
    small, path = tmp_path / "small.jsonl", tmp_path / "s.jsonl"
    large(small, 1_000, "I pushed the branch to origin.")
    large(path, 10_000_000, "I pushed the branch to origin.")
    more = cpu_of_hook(path) - cpu_of_hook(small)
    before = time.process_time()
    for line in path.read_bytes().splitlines():
        json.loads(line)
    # The processor's time, and as a ratio, since others may be at work: 3 on a quiet machine, 8 on a busy one.
    assert more < 25 * (time.process_time() - before)


def test_it_imports_neither_spacy_nor_torch() -> None:
    code = (
        "import sys, json; from claimx.hooks.claude_stop import answer; "
        f"answer(json.loads({json.dumps(json.dumps(stop('I committed the change.', SESSION)))})); "
        "print([m for m in ('spacy', 'torch', 'rich', 'pandas') if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"
