"""The examples of the page on adapters run."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

DOCS = Path(__file__).parent.parent.parent / "docs" / "adapters.md"
EXAMPLES = re.findall(r"```python\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
#: What each example prints, in order.
PRINTED = (
    ("openai-chat", "I've refunded $84.50 for order HB-20417. ['issue_refund']"),
    ("fabricated tool_failed",),
)


@pytest.mark.model
@pytest.mark.parametrize(("code", "printed"), list(zip(EXAMPLES, PRINTED, strict=True)), ids=["read", "check"])
def test_the_examples_run(code: str, printed: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(code, "docs/adapters.md", "exec"), {})
    out = capsys.readouterr().out
    for text in printed:
        assert text in out
