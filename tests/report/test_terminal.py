"""Receipts in a terminal: nothing of a hostile record reaches it as a command, a markup or a change of order."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path

import pytest
from rich.console import Console

sys.path.insert(0, str(Path(__file__).parent.parent / "archive"))

from archive_doubles import Words

from claimx.checker import Checker
from claimx.report.marking import printable
from claimx.report.terminal import pace_of, print_extraction, print_receipt

EVIL = "\x1b]0;owned\x07 \x1b[2J \u202e [/bold] [red] \x00"


def printed(reply: str, tool: str = "issue_refund") -> str:
    run = {"id": f"r{EVIL}", "reply": reply, "tools": [tool], "ledger": [{"id": f"c{EVIL}", "tool": "send_email"}]}
    console = Console(file=io.StringIO(), width=120, force_terminal=True, color_system=None)
    words = Words()
    from claimx.records import parse_run

    parsed = parse_run(json.loads(json.dumps(run)))
    print_receipt(parsed, Checker(words).check(parsed), explain=True, console=console)
    print_extraction(f"r{EVIL}", reply, words.extract_full(reply), console=console)
    return console.file.getvalue()  # type: ignore[attr-defined,no-any-return]


@pytest.mark.parametrize("tool", ["issue_refund", f"refund{EVIL}", "[/x]"])
def test_a_hostile_run_prints_as_letters(tool: str) -> None:
    text = printed(f"I refunded $9 {EVIL} today.", tool)
    assert not set("\x1b\x07\x00\u202e") & set(text)
    assert "[/bold] [red]" in text
    assert "␛[2J" in text


@pytest.mark.parametrize("text", ["a\r\nb", "a\x1b\u202e\ud800b", "plain é 漢"])
def test_what_is_printable_keeps_its_length_and_its_letters(text: str) -> None:
    safe = printable(text)
    assert len(safe) == len(text)
    assert [a for a, b in zip(text, safe, strict=True) if a != b] == [c for c in text if c in "\r\x1b\u202e\ud800"]


def test_line_ends_of_windows_move_no_mark() -> None:
    text = printed("Hello.\r\nI refunded $9 today.\r\nBye.")
    assert "I refunded $9 today." in text


@pytest.mark.parametrize(
    ("runs", "seconds", "says"),
    [
        (4_000, 2.5, "1,600 a second"),
        (7, 3.0, "2.3 a second"),
        (10, 10.0, "1.0 a second"),
        (16, 157.4, "9.8 s each"),
        (1, 3_000.0, "3,000.0 s each"),
    ],
)
def test_the_pace_is_never_nothing_a_second(runs: int, seconds: float, says: str) -> None:
    assert pace_of(runs, seconds) == says
