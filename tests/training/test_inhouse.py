"""Fine-tuning on one's own replies: any base, what is written, resuming, and what is refused with which words."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from claimx.annotate.example import Example, write_jsonl
from claimx.cli import main
from claimx.errors import ClaimxError, CorpusError, ModelError

if TYPE_CHECKING:
    from claimx.training.settings import FineTune

pytestmark = pytest.mark.train


def test_a_run_writes_a_folder_that_the_extractor_reads(trained: Path, own: list[Example]) -> None:
    from claimx.extract import Extractor

    found = Extractor(trained).extract_full(own[0].text)
    assert found.language == "en"
    meta = json.loads((trained / "meta.json").read_text(encoding="utf-8"))
    assert (meta["data"]["in_house"], meta["data"]["in_house_validation"], meta["data"]["corpus"]) == (32, 8, 8)
    assert set(meta["validation"]["by_origin"]) == {"in-house", "authored"}
    assert meta["parity"]["fp32"]["max_difference"] < 1e-3
    assert str(trained.parent) not in json.dumps(meta), "no folder of this machine in what is shipped"
    card = (trained / "README.md").read_text(encoding="utf-8")
    assert "32 in-house replies, 8 of the claimx corpus" in card
    assert not (trained / "torch" / "checkpoints").exists()
    log = [json.loads(x) for x in (trained / "torch" / "log.jsonl").read_text(encoding="utf-8").splitlines()]
    assert all("quality" in row for row in log)


def test_a_finished_run_is_not_trained_again_and_another_is_refused(
    trained: Path, own_file: Path, settings: FineTune
) -> None:
    from claimx.training.inhouse import fine_tune

    before = (trained / "torch" / "weights.safetensors").stat().st_mtime_ns
    fine_tune([own_file], trained, settings)
    assert (trained / "torch" / "weights.safetensors").stat().st_mtime_ns == before
    with pytest.raises(
        CorpusError, match=r"other data, settings or model \(data differs; settings.seed was 7, is 8\): give --fresh"
    ):
        fine_tune([own_file], trained, replace(settings, seed=8))


def test_scores_on_the_replies_of_the_training_are_told(
    trained: Path, own: list[Example], own_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fresh = [replace(e, text=f"Well. {e.text}", actions=[], values=[]) for e in own[:3]]
    assert main(["evaluate", str(trained), str(write(tmp_path / "fresh.jsonl", fresh)), "--draws", "100"]) == 0
    assert "was trained on" not in capsys.readouterr().err
    mixed = write(tmp_path / "mixed.jsonl", [*own[:2], *fresh])
    assert main(["evaluate", str(trained), str(mixed), "--draws", "100"]) == 0
    assert (
        f"{trained} was trained on 2 of these 5 replies: score replies that it has not seen" in capsys.readouterr().err
    )
    kept = (trained / "torch" / "replies.json").read_text(encoding="utf-8")
    assert own[0].text[:12] not in kept


def test_an_interrupted_run_goes_on_from_its_last_checkpoint(own: list[Example], encoder: Path, tmp_path: Path) -> None:
    from claimx.training.inhouse import start_of
    from claimx.training.train import TrainConfig, train
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_str(start_of(str(encoder))[1])
    common = {"base": str(encoder), "tokenizer": tokenizer, "out": tmp_path}
    train(own[:20], own[20:24], config=TrainConfig(epochs=1, patience=3, batch_size=10, threads=1), **common)
    (tmp_path / "weights.safetensors").unlink()
    half = tmp_path / "checkpoints" / "checkpoint-3"  # killed while a checkpoint was written
    half.mkdir()
    (half / "model.safetensors").write_bytes(b"\0" * 20)
    train(own[:20], own[20:24], config=TrainConfig(epochs=2, patience=3, batch_size=10, threads=1), **common)
    epochs = [json.loads(x)["epoch"] for x in (tmp_path / "log.jsonl").read_text(encoding="utf-8").splitlines()]
    assert epochs == [1.0, 2.0]


def test_training_stops_when_validation_no_longer_gains(own: list[Example], encoder: Path, tmp_path: Path) -> None:
    from claimx.training.inhouse import start_of
    from claimx.training.train import TrainConfig, train
    from tokenizers import Tokenizer

    config = TrainConfig(epochs=30, patience=2, batch_size=20, threads=1, learning_rate=1e-9, head_learning_rate=1e-9)
    tokenizer = Tokenizer.from_str(start_of(str(encoder))[1])
    train(own[:20], own[20:24], base=str(encoder), tokenizer=tokenizer, out=tmp_path, config=config)
    assert len((tmp_path / "log.jsonl").read_text(encoding="utf-8").splitlines()) < 8


@pytest.mark.parametrize("kind", ["bert", "distilbert", "roberta", "electra"])
def test_encoders_of_several_families_become_taggers(
    kind: str, own: list[Example], make_encoder: Callable[..., Path], tmp_path: Path
) -> None:
    from claimx.training.export import FP32_BOUND, export
    from claimx.training.inhouse import start_of
    from claimx.training.model import Tagger
    from claimx.training.saved import load_weights, save_weights

    from claimx.extract.decode import Calibration

    folder = make_encoder(tmp_path / "base", ["order", "refund"], kind=kind)
    start, tokenizer_json = start_of(str(folder))
    assert start is None
    assert "✅" in tokenizer_json
    tagger = Tagger.from_encoder(folder, layers=[0, 2])
    assert tagger.config.num_hidden_layers == 2
    save_weights(tagger, tmp_path / "w")
    again = load_weights(tmp_path / "w", attention="eager")
    figures = export(
        again, tokenizer_json, tmp_path / "out", calibration=Calibration(), texts=[e.text for e in own[:3]], int8=False
    )
    assert figures["fp32"]["max_difference"] <= FP32_BOUND


def test_an_encoder_that_reads_too_little_at_once_is_refused(make_encoder: Callable[..., Path], tmp_path: Path) -> None:
    from claimx.training.model import Tagger

    folder = make_encoder(tmp_path / "short", ["order"], positions=128)
    with pytest.raises(ModelError, match="reads at most 128 pieces at once, expected 384 or more"):
        Tagger.from_encoder(folder)


def test_early_layers_are_taken_from_the_encoder(encoder: Path) -> None:
    import torch
    from claimx.training.model import Tagger
    from transformers import AutoModel

    base, cut = AutoModel.from_pretrained(encoder), Tagger.from_encoder(encoder, layers=[2])
    theirs, mine = base.encoder.layer[2].state_dict(), cut.encoder.encoder.layer[0].state_dict()
    assert all(torch.equal(theirs[k], mine[k]) for k in theirs)


def write(path: Path, examples: list[Example], **first) -> Path:
    rows = [e.to_dict() for e in examples]
    rows[0] |= first
    path.write_text("".join(json.dumps(r) + "\n" for r in rows), encoding="utf-8")
    return path


def test_what_cannot_be_trained_on_is_told(
    own: list[Example], own_file: Path, encoder: Path, settings: FineTune, tmp_path: Path
) -> None:
    from claimx.training.inhouse import fine_tune

    wrong_label = [{**own[0].actions[0], "tense": "yesterday"}]
    moved = [{**own[0].actions[0], "trigger": {"text": "zzz", "start": 0, "end": 3}}]
    no_actions = [replace(e, actions=[], values=[]) for e in own]
    cases = [
        ([write(tmp_path / "few.jsonl", own[:5])], {}, "5 labelled replies are too few, 20 are the least"),
        ([write(tmp_path / "label.jsonl", own, actions=wrong_label)], {}, r"line 1 \(id o0\): .*'yesterday' is not one of"),
        ([write(tmp_path / "moved.jsonl", own, actions=moved)], {}, r"label.*|line 1 \(id o0\): .*not 'zzz'"),
        ([write(tmp_path / "none.jsonl", no_actions)], {"mix": 0.0}, "no reply has a label for ACTION"),
        ([own_file], {"mix": 1.5}, "mix is 1.5, expected 0 to 0.95"),
        ([own_file], {"epochs": 0}, "epochs is 0, expected more than 0"),
        ([own_file], {"device": "tpu"}, "expected cpu, cuda or auto"),
        ([own_file], {"base": "no/such/encoder"}, "is neither 'default', a claimx model folder, nor an encoder"),
    ]  # fmt: skip
    for names, changes, says in cases:
        with pytest.raises(ClaimxError, match=says):
            fine_tune(names, tmp_path / "out", replace(settings, **changes))
    assert not (tmp_path / "out").exists()


def test_a_gpu_that_is_not_there_is_told(own_file: Path, encoder: Path, tmp_path: Path) -> None:
    import torch
    from claimx.training.settings import device_of

    if torch.cuda.is_available():
        assert device_of("auto") == "cuda"
    else:
        assert device_of("auto") == "cpu"
        with pytest.raises(ModelError, match="sees no CUDA device"):
            device_of("cuda")


def test_flags_win_over_the_configuration_file(tmp_path: Path) -> None:
    from claimx.training.settings import FineTune

    file = tmp_path / "acme.toml"
    file.write_text("[train]\nmix = 0.3\nepochs = 4\n", encoding="utf-8")
    assert FineTune.from_toml(file, epochs=7, seed=None) == FineTune(mix=0.3, epochs=7)
    file.write_text("mixx = 0.3\n", encoding="utf-8")
    with pytest.raises(CorpusError, match="unknown keys mixx"):
        FineTune.from_toml(file)


def test_validation_files_of_a_folder_are_kept_apart(own: list[Example], settings: FineTune, tmp_path: Path) -> None:
    from claimx.training.inhouse_data import load_own

    write_jsonl(tmp_path / "train.jsonl", own[:30])
    write_jsonl(tmp_path / "validation.jsonl", own[30:])
    training, held = load_own([tmp_path], settings)
    assert ({e.id for e in held}, len(training)) == ({e.id for e in own[30:]}, 30)


def test_mix_is_the_share_of_the_corpus(own_file: Path, settings: FineTune) -> None:
    from claimx.training.inhouse_data import gather

    data = gather([own_file], replace(settings, mix=0.75), fresh=True)
    assert (data.own, data.corpus) == (32, 96)
    assert not {e.origin for e in data.training} - {"in-house", "authored"}
    again = gather([own_file], replace(settings, mix=0.75), fresh=True)
    assert again.digest == data.digest


def test_the_shipped_weights_come_out_of_the_graph() -> None:
    from claimx.training import weights_from_onnx
    from claimx.training.build import load_split
    from claimx.training.export import parity

    from claimx.extract.model import default_path, load_model

    tagger = weights_from_onnx(default_path(), attention="eager")
    texts = [e.text for e in load_split("contrast")[:40]]
    figures = parity(tagger, default_path() / "model.onnx", load_model().tokenizer, texts)
    assert figures["tag_agreement"] >= 0.95  # the weights have gone through int8, the graph computes in it


def test_floating_point_weights_come_out_of_a_graph_unchanged(trained: Path, tmp_path: Path) -> None:
    import torch
    from claimx.training.packaging import to_folder
    from claimx.training.weights import trainable, weights_from_onnx

    own = trainable(trained)
    again = weights_from_onnx(to_folder(trained, tmp_path / "f", int8=False))
    for (name, a), (_, b) in zip(own.state_dict().items(), again.state_dict().items(), strict=True):
        assert torch.allclose(a, b, atol=1e-5), name


def test_a_graph_that_is_no_tagger_gives_no_weights(tiny_model: Path) -> None:
    from claimx.training import weights_from_onnx

    with pytest.raises(ModelError, match=r"does not hold the weights|does not tell|is missing"):
        weights_from_onnx(tiny_model)


def test_a_smaller_shape_learns_from_the_trained_one(
    trained: Path, own_file: Path, settings: FineTune, tmp_path: Path
) -> None:
    from claimx.training.packaging import to_huggingface
    from claimx.training.smaller import distil
    from claimx.training.weights import trainable

    teacher = to_huggingface(
        trained, tmp_path / "acme"
    )  # without what training left: its weights are made of the folder's
    meta = distil(teacher, [own_file], tmp_path / "small", replace(settings, epochs=1), layers=2)
    assert meta["distilled_from"] == "acme"
    assert trainable(tmp_path / "small").config.num_hidden_layers == 2
    assert "32 in-house replies, 8 of the claimx corpus" in (tmp_path / "small" / "README.md").read_text("utf-8")
    assert not list((tmp_path / "small").rglob("teacher*"))


def test_a_model_is_not_distilled_into_itself(trained: Path, own_file: Path, settings: FineTune) -> None:
    from claimx.training.smaller import distil

    with pytest.raises(ModelError, match="holds the model to learn from"):
        distil(trained, [own_file], trained, settings)


def test_one_flag_distils_and_packages(
    trained: Path, own_file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from claimx.extract import Extractor

    out = tmp_path / "small"
    config = tmp_path / "acme.toml"
    config.write_text("[train]\nmix = 0.2\ncorpus_validation = 12\nthreads = 1\n", encoding="utf-8")
    taught = ["--distil", "--data", str(own_file), "--config", str(config), "--epochs", "1"]
    assert main(["export", str(trained), "--out", str(out), *taught]) == 0
    assert {p.name for p in out.iterdir()} == {"model.onnx", "tokenizer.json", "config.json", "meta.json", "README.md"}
    made = json.loads((out / "meta.json").read_text(encoding="utf-8"))
    assert (made["name"], made["distilled_from"]) == ("small", "acme")
    assert Extractor(out).extract_full(own_file.read_text(encoding="utf-8")[:80]).language
    # What was learned is kept beside it: packaging the same model in another way trains nothing again.
    weights = tmp_path / "small-distilled" / "torch" / "weights.safetensors"
    before = weights.stat().st_mtime_ns
    args = ["export", str(trained), "--to", "spacy", "--out", str(out), *taught]
    assert main(args) == 0
    assert weights.stat().st_mtime_ns == before
    assert (out / "en_claimx_acme-0.1.0").is_dir()
    # ... unless the model is another one by now.
    small = tmp_path / "small-distilled" / "torch" / "run.json"
    small.write_text(
        small.read_text(encoding="utf-8").replace('"data": "sha256:', '"data": "sha256:0'), encoding="utf-8"
    )
    assert main(args) == 2
    assert "give --fresh to start over" in capsys.readouterr().err


@pytest.mark.parametrize(
    "command",
    [["train", "--data", "DATA", "--out", "OUT"], ["export", "default", "--to", "huggingface", "--out", "OUT"]],
)
def test_without_the_extra_the_command_names_it(command: list[str], own_file: Path, tmp_path: Path) -> None:
    args = [{"DATA": str(own_file), "OUT": str(tmp_path / "out")}.get(a, a) for a in command]
    code = (
        "import sys\nfor m in ('torch', 'transformers', 'datasets', 'safetensors'): sys.modules[m] = None\n"
        f"from claimx.cli import main\nsys.exit(main({args!r}))"
    )
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "PYTHONWARNINGS": "ignore"}
    )
    assert out.returncode == 2, out.stderr
    assert "pip install 'claimx[train]'" in out.stderr


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["train", "--data", "nowhere", "--out", "x"], "nowhere: no such file or folder"),
        (["evaluate", "default", "nowhere"], "nowhere: no such file or folder"),
        (["export", "nowhere", "--out", "x"], "nowhere is no model folder"),
        (["export", "default", "--out", "x", "--distil"], "--distil needs --data"),
        (["export", "default", "--out", "x", "--to", "spacy", "--fp32"], "--fp32 goes with --to folder"),
    ],
)  # fmt: skip
def test_wrong_use_is_told(args: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(args) == 2
    assert says in capsys.readouterr().err


def test_blending_goes_back_part_of_the_way(encoder: Path) -> None:
    import torch
    from claimx.training.model import Tagger
    from claimx.training.train import blended

    old, new = (Tagger.from_encoder(encoder).state_dict() for _ in range(2))
    for n, tensor in enumerate(new.values()):
        if tensor.is_floating_point():
            tensor.add_(0.1 * (n % 3))
    found = blended(old, new, 0.25)
    assert found.keys() == old.keys()
    for name in old:
        torch.testing.assert_close(found[name], old[name] + 0.25 * (new[name] - old[name]))
