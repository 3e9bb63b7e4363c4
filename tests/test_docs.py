"""The pages on guard and completion: their Python runs, from top to bottom, and prints what stands below it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = [Path(__file__).parent.parent / "docs" / f"{name}.md" for name in ("completion", "guard")]


@pytest.mark.model
@pytest.mark.parametrize("page", DOCS, ids=lambda p: p.stem)
def test_the_code_of_a_page_runs_and_prints_what_it_says(
    page: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, page.name, "exec"), names)
        said = re.findall(r"^# -> (.+)$", block, re.MULTILINE)
        assert capsys.readouterr().out.splitlines() == said
