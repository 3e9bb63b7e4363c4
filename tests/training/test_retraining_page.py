"""The page on retraining: its commands run as they stand, the depot's bot is read better, and other agents no worse."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest

from claimx.cli import main

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "retraining.md").read_text(encoding="utf-8")
pytestmark = [pytest.mark.train, pytest.mark.model]


def commands() -> list[list[str]]:
    blocks = re.findall(r"```sh\n(.*?)```", PAGE, re.DOTALL)
    return [shlex.split(line) for block in blocks for line in block.splitlines()]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the page's commands have run."""
    folder = tmp_path_factory.mktemp("page")
    shutil.copytree(ROOT / "examples" / "depot", folder / "depot")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for command in commands():
            assert command[0] == "claimx"
            code = main(command[1:])
            if command[1] == "redact":
                # A run that the model reads in another way under every key it tries is withheld, and said so.
                given, kept = (len(Path(f).read_text("utf-8").splitlines()) for f in (command[2], "shared.jsonl"))
                assert (code, kept) == (0, given) or (code == 2 and given - 3 <= kept < given), command
            else:
                assert code == 0, command
    return folder


def scores(path: Path) -> dict:
    return json.loads(path.read_text(encoding="utf-8"))["groups"]["all"]


def test_the_depot_is_read_better(folder: Path) -> None:
    found = scores(folder / "depot.json")
    assert found["replies"] == 24
    assert found["claim_r"]["difference"] >= 0.02, found["claim_r"]
    assert found["claim_f1"]["difference"] >= 0.0, found["claim_f1"]
    for name in ("slot_f1", "link_f1"):
        assert found[name]["verdict"] == "better", found[name]


def test_other_agents_are_read_no_worse(folder: Path) -> None:
    found = scores(folder / "elsewhere.json")
    assert [k for k in ("claim_f1", "action_f1", "joint", "link_f1") if found[k]["verdict"] == "worse"] == []
    assert found["replies"] > 200


def test_the_jargon_is_not_in_the_corpus() -> None:
    corpus = "".join(p.read_text(encoding="utf-8") for p in (ROOT / "data").glob("*.jsonl")).lower()
    jargon = "bobtailed xdocked devanned yarded lumpered glad-handed deadheaded redtagged outgated retendered".split()
    assert [w for w in jargon if w in corpus] == []
    depot = (ROOT / "examples" / "depot" / "labels" / "dispatch.txt").read_text(encoding="utf-8").lower()
    assert [w for w in jargon if w not in depot] == []


def test_every_step_left_what_the_page_says(folder: Path) -> None:
    for name in (
        "shared.jsonl", "secret.json", "tasks.config.xml", "tasks.txt", "labels.jsonl", "errors.html", "models/depot/README.md",
        "dist/folder/model.onnx", "dist/spacy/en_claimx_depot-0.1.0/setup.py", "dist/hf/model.safetensors",
    ):  # fmt: skip
        assert (folder / name).is_file(), name
    assert "LD-77102" not in (folder / "shared.jsonl").read_text(encoding="utf-8")
    assert len((folder / "labels.jsonl").read_text(encoding="utf-8").splitlines()) == 3


def test_the_configuration_file_of_the_page_is_valid(tmp_path: Path) -> None:
    from claimx.training.settings import FineTune

    file = tmp_path / "acme.toml"
    file.write_text(re.search(r"```toml\n(.*?)```", PAGE, re.DOTALL).group(1), encoding="utf-8")
    assert FineTune.from_toml(file) == FineTune()


def test_the_marks_of_the_page_are_those_that_are_read() -> None:
    from claimx.annotate.markup import ACTORS, MODALITIES, TENSES, compile_markup
    from claimx.types import SlotType

    for name, codes in (("tense", TENSES), ("modality", MODALITIES), ("actor", ACTORS)):
        row = re.search(rf"^\| {name} \| (.*) \|$", PAGE, re.MULTILINE).group(1)
        assert dict(re.findall(r"`(\w)` (\w+)", row)) == codes
    assert f": {' '.join(SlotType.__members__)};" in PAGE
    marked = re.search(r"^    === .*\n    (.*)$", PAGE, re.MULTILINE).group(1)
    text, actions, _ = compile_markup(marked)
    assert text == "Trailer 5531 is spotted at D14 and chocked."
    assert [a["trigger"]["text"] for a in actions] == ["spotted", "chocked"]
