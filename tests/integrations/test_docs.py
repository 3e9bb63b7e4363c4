"""The worked examples of docs/live.md run, one after the other, and print the verdicts that they promise."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

TEXT = (Path(__file__).parents[2] / "docs" / "live.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)


@pytest.mark.model
@pytest.mark.integration
def test_the_examples_run(capsys: pytest.CaptureFixture[str]) -> None:
    for needed in ("langgraph", "agents", "pydantic_ai", "mcp", "opentelemetry"):
        pytest.importorskip(needed)
    names: dict[str, object] = {}
    for code in BLOCKS:
        exec(compile(code, "docs/live.md", "exec"), names)
        out = capsys.readouterr().out
        for said in re.findall(r"\)  # (ok|misquoted|fabricated)$", code, re.MULTILINE):
            assert said in out, code
        if "insists" in code:
            assert "[Not supported by what was done" in out


def test_every_integration_is_in_the_table() -> None:
    folder = Path(__file__).parents[2] / "claimx" / "integrations"
    modules = {p.stem for p in folder.glob("*.py")} - {"__init__", "capture", "plain", "replies", "opentelemetry"}
    table = set(re.findall(r"`(?:claimx\.integrations)?\.(\w+)`", TEXT))
    assert modules <= table | {"loop"}
