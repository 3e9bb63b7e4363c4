"""What the package promises from outside: public names, package list, import cost, docs that run, no text of held-out sets."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest

import claimx

ROOT = Path(__file__).parent.parent


def test_the_public_names() -> None:
    assert set(claimx.__all__) == {
        "Action", "Checker", "ClaimStatus", "ClaimxError", "Completions", "Extraction", "Extractor", "Guard",
        "Keyring", "Ledger", "LedgerEntry", "Receipt", "Run", "Slot", "Tool", "Verdict", "acheck", "check", "render",
        "__version__",
    }  # fmt: skip
    for name in claimx.__all__:
        assert getattr(claimx, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nope'"):
        claimx.nope  # noqa: B018


def test_the_package_list_is_what_lies_on_disk() -> None:
    listed = set(tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"])
    homes = {"claimx": "claimx", "training": "claimx.training", "models": "claimx.models", "data": "claimx.data"}
    found = set()
    for folder, name in homes.items():
        for init in (ROOT / folder).rglob("__init__.py"):
            below = init.parent.relative_to(ROOT / folder).parts
            found.add(".".join([name, *below]))
    assert listed == found


@pytest.mark.parametrize(
    ("package", "needed"),
    [
        ("claimx.data", ["train.jsonl", "validation.jsonl", "test.jsonl", "contrast.jsonl", "manifest.json"]),
        ("claimx.training", ["base.toml"]),
        ("claimx.models.default", ["model.onnx", "tokenizer.json", "config.json", "meta.json"]),
    ],
)
def test_what_the_code_reads_beside_itself_is_shipped(package: str, needed: list[str]) -> None:
    shipped = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["setuptools"]["package-data"]
    left_out = [n for n in needed if not any(fnmatch(n, pattern) for pattern in shipped[package])]
    assert left_out == []


def test_importing_claimx_loads_no_heavy_package() -> None:
    code = (
        "import sys, claimx, claimx.records, claimx.types; "
        "print([m for m in ('spacy', 'onnxruntime', 'torch', 'tokenizers', 'numpy', 'rich') if m in sys.modules])"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert out.stdout.strip() == "[]"


@pytest.mark.model
def test_checking_a_run_never_loads_torch() -> None:
    # spaCy imports torch where it is installed; without it the light install must do.
    code = (
        "import sys; sys.modules['torch'] = None; import claimx; "
        "r = claimx.check('Your order has been cancelled.', tools=['cancel_order']); print(r.verdict)"
    )
    env = {**os.environ, "PYTHONWARNINGS": "ignore"}
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env)
    assert out.stdout.strip() == "fabricated"


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.model
@pytest.mark.parametrize("code", blocks("python"), ids=lambda c: c.strip().splitlines()[0][:30])
def test_the_readme_code_runs(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(code, "README.md", "exec"), {})
    out = capsys.readouterr().out
    for said in re.findall(r"print\(receipt\.verdict\)  # (\w+)", code):
        assert said in out


def test_every_command_is_in_the_readme() -> None:
    from claimx.cli import make_parser

    actions = next(a for a in make_parser()._actions if a.choices and not a.option_strings)
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    for command in actions.choices:
        assert f"claimx {command}" in text


def test_the_version_stands_in_the_changelog() -> None:
    assert f"## {claimx.__version__}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def held_out() -> list[Path]:
    shared = ROOT.parent / "shared"
    return [p for p in (shared / "gold" / "dev.jsonl", shared / "cases" / "runs.jsonl") if p.is_file()]


@pytest.mark.skipif(not held_out(), reason="the held-out sets are not here")
def test_no_text_of_the_held_out_sets_is_in_the_corpus() -> None:
    from claimx.training.build import load_split, near_duplicates

    held = []
    for path in held_out():
        with path.open(encoding="utf-8") as f:
            held += [(r["id"], r["reply"]) for r in map(json.loads, f)]
    ours = [(e.id, e.text) for s in ("train", "validation", "test", "contrast") for e in load_split(s)]
    assert near_duplicates(held, ours, limit=0.5, min_words=10) == []
