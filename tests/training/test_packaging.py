"""A trained model in the three ways of deployment: each is loaded by whom it is for, and reads as the model does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from claimx.cli import main
from claimx.errors import ModelError
from claimx.extract import Extractor

pytestmark = pytest.mark.train
TEXT = "I've refunded $64 for order #4821."


def test_the_folder_holds_what_is_deployed_and_nothing_else(trained: Path, tmp_path: Path) -> None:
    out = tmp_path / "m"
    assert main(["export", str(trained), "--out", str(out)]) == 0
    assert {p.name for p in out.iterdir()} == {"model.onnx", "tokenizer.json", "config.json", "meta.json", "README.md"}
    assert Extractor(out).extract_full(TEXT) == Extractor(trained).extract_full(TEXT)


def test_spacy_loads_the_package_by_its_name(trained: Path, tmp_path: Path) -> None:
    assert (
        main(
            [
                "export",
                str(trained),
                "--to",
                "spacy",
                "--out",
                str(tmp_path),
                "--name",
                "Acme Bot",
                "--version",
                "1.2.0",
            ]
        )
        == 0
    )
    folder = tmp_path / "en_claimx_acme_bot-1.2.0"
    # What an installer does, without one: the metadata by which spaCy finds an installed package.
    subprocess.run([sys.executable, "setup.py", "-q", "egg_info"], cwd=folder, check=True, capture_output=True)
    code = (
        "import spacy; nlp = spacy.load('en_claimx_acme_bot'); "
        f"doc = nlp({TEXT!r}); print(len(doc._.claimx.actions), nlp.meta['version'], nlp.meta['requirements'])"
    )
    env = {**os.environ, "PYTHONPATH": str(folder), "PYTHONWARNINGS": "ignore"}
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env, cwd=tmp_path
    )
    count = len(Extractor(trained).extract_full(TEXT).actions)
    assert out.stdout.startswith(f"{count} 1.2.0 ['claimx>=")
    config = next(folder.rglob("config.cfg")).read_text(encoding="utf-8")
    assert str(trained) not in config


def test_transformers_and_claimx_both_read_the_huggingface_folder(trained: Path, tmp_path: Path) -> None:
    import torch
    from claimx.training.inhouse import start_of
    from claimx.training.weights import trainable
    from transformers import AutoConfig, AutoModel, AutoTokenizer

    out = tmp_path / "hf"
    assert main(["export", str(trained), "--to", "huggingface", "--out", str(out)]) == 0
    assert AutoConfig.from_pretrained(out).id2label[1] == "B-ACTION"
    own = trainable(trained)
    encoder = AutoModel.from_pretrained(out)
    ours = own.encoder.state_dict()
    assert all(torch.equal(v, ours[k]) for k, v in encoder.state_dict().items() if k in ours)
    ids = AutoTokenizer.from_pretrained(out)(TEXT)["input_ids"]
    assert ids[0] == json.loads((out / "config.json").read_text(encoding="utf-8"))["special"][0]
    assert Extractor(out).extract_full(TEXT) == Extractor(trained).extract_full(TEXT)
    again, _ = start_of(str(out))
    assert all(torch.equal(v, own.state_dict()[k]) for k, v in again.state_dict().items())


@pytest.mark.parametrize(("name", "made"), [("Acme Bot", "acme_bot"), ("a-b.c", "a_b_c")])
def test_package_names_are_made_of_what_a_name_may_hold(name: str, made: str) -> None:
    from claimx.training.packaging import name_of

    assert name_of(name) == made


@pytest.mark.parametrize("name", ["", "7up", "--"])
def test_other_names_are_refused(name: str) -> None:
    from claimx.training.packaging import name_of

    with pytest.raises(ModelError, match="cannot name a package"):
        name_of(name)
