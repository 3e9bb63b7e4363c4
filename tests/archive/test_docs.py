"""docs/archive.md says what is so: its columns, its queries, its commands, its names."""

from __future__ import annotations

import ast
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from archive_doubles import Here, mixed, write_lines

from claimx.archive import score
from claimx.archive.schema import CLAIM_COLUMNS, COLUMNS
from claimx.archive.summary import names_of
from claimx.cli import make_parser

DOC = (Path(__file__).parent.parent.parent / "docs" / "archive.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", DOC, re.DOTALL)


def table(columns: Any) -> str:
    rows = [f"| `{name}` | {short(str(type_))} | {says} |" for name, type_, says in columns]
    return "\n".join(["| column | type | what |", "|---|---|---|", *rows])


def short(type_: str) -> str:
    type_ = re.sub(
        r"struct<(.*)>",
        lambda m: "struct: " + ", ".join(re.findall(r"(\w+):", m[1])) if "list" not in m[1] else "struct",
        type_,
    )
    return re.sub(r"list<\w+: (.*?)>?$", r"list of \1", type_).replace("timestamp[us, tz=UTC]", "timestamp, UTC")


def test_every_column_is_described() -> None:
    assert table(COLUMNS) in DOC
    assert table(CLAIM_COLUMNS) in DOC


@pytest.mark.parametrize("query", blocks("sql"), ids=lambda q: q.splitlines()[0][3:40])
def test_the_queries_run(query: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    duckdb = pytest.importorskip("duckdb")
    monkeypatch.chdir(tmp_path)
    score([mixed(200)], "scored", engine=Here())
    with duckdb.connect(config={"autoinstall_known_extensions": "false"}) as connection:
        found = connection.execute(query).fetchall()
    assert found


def test_the_first_query_gives_shares_that_add_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    duckdb = pytest.importorskip("duckdb")
    monkeypatch.chdir(tmp_path)
    score([mixed(200)], "scored", engine=Here())
    with duckdb.connect() as connection:
        found = connection.execute(blocks("sql")[0]).fetchall()
    assert set(found) == {("m-1", "ok", 160, 0.8), ("m-1", "fabricated", 20, 0.1), ("m-1", "misquoted", 20, 0.1)}


@pytest.mark.model
def test_the_python_example_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    write_lines(tmp_path / "runs.jsonl", mixed(12))
    exec(compile(blocks("python")[0], "archive.md", "exec"), {})
    assert "'rate':" in capsys.readouterr().out
    ast.parse(blocks("python")[-1])


@pytest.mark.model
def test_the_notebook_example_draws_receipts_and_documents() -> None:
    """Out of a notebook `render` returns what it would show."""
    (example,) = [b for b in blocks("python") if "render" in b]
    shown: list[str] = []
    module = ast.parse(example)
    for statement in module.body:
        if isinstance(statement, ast.Expr) and "render" in ast.unparse(statement):
            statement.value = ast.Call(ast.Name("show", ast.Load()), [statement.value], [])
    exec(compile(ast.fix_missing_locations(module), "archive.md", "exec"), {"show": shown.append})
    assert len(shown) == 3
    assert ">misquoted</b>" in shown[0]
    assert ["<blockquote" in html for html in shown] == [True, False, True]
    assert ">claim</b>" in shown[2]


def test_every_command_in_the_page_is_one() -> None:
    text = "\n".join(blocks("sh")).replace("\\\n", " ")
    commands = [c for c in text.splitlines() if c.startswith("claimx ")]
    assert len(commands) >= 7
    for command in commands:
        args = make_parser().parse_args(shlex.split(command)[1:])
        assert args.run is not None
    cron = re.search(r"(claimx score .*?) \|\|", DOC)
    assert cron
    assert make_parser().parse_args(shlex.split(cron[1])[1:]).quiet


def test_every_name_of_a_condition_is_told(scored: Callable[..., Any]) -> None:
    for name in names_of(scored(mixed(20)).summary):
        base = re.sub(r"_(rate|low|high)$", "", name)
        assert name in DOC or base in DOC, name
