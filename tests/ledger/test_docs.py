"""The page about the ledger: its code runs in order, its commands end as it says and print what it shows."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from claimx.cli import main

PAGE = Path(__file__).parent.parent.parent / "docs" / "ledger.md"


@pytest.mark.model
def test_the_page_runs_from_top_to_bottom(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    shown = ""
    for language, code in re.findall(r"```(\w+)\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL):
        if language == "text":
            assert code in shown
            continue
        if language == "python":
            exec(compile(code, str(PAGE), "exec"), names)
            shown = capsys.readouterr().out
            said = [
                *re.findall(r"^# (.+)$", code, re.MULTILINE),
                *re.findall(r"print\(.*\)  # (.+)$", code, re.MULTILINE),
            ]
            for line in said:
                assert line in shown
        for line in code.splitlines() if language == "sh" else ():
            command, _, comment = line.partition("#")
            expected = re.search(r"exit code (\d)", comment)
            found = main(shlex.split(command)[1:])
            shown = capsys.readouterr().out
            assert found == (int(expected[1]) if expected else 0), line
