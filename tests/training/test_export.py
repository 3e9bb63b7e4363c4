"""From torch to ONNX: a small tagger trains, exports, and both say the same; export refuses what differs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.train


@pytest.fixture(scope="module")
def small():
    import torch
    from claimx.training.model import Tagger, packaged_encoder
    from claimx.training.tokenizer import make_tokenizer_json
    from transformers import BertConfig

    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=30522,
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        attn_implementation="eager",
    )
    return Tagger(config).eval(), make_tokenizer_json(packaged_encoder())


TEXTS = ["I've refunded $64 for order #4821.", "✅ Email sent to ann@example.com", "Shall I cancel it?"]


def test_onnx_says_what_torch_says_and_loads_as_a_model(small, tmp_path: Path) -> None:
    from claimx.training.export import FP32_BOUND, export

    from claimx.extract.decode import Calibration
    from claimx.extract.model import load_model

    model, tokenizer_json = small
    figures = export(model, tokenizer_json, tmp_path, calibration=Calibration(), texts=TEXTS, int8=False)
    assert figures["fp32"]["max_difference"] <= FP32_BOUND
    encoding, scores = load_model(tmp_path).score(TEXTS[0])
    assert scores.tags.shape == (len(encoding), 25)


def test_export_refuses_a_graph_that_differs(small, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from claimx.training import export as module

    from claimx.errors import ModelError
    from claimx.extract.decode import Calibration

    model, tokenizer_json = small
    monkeypatch.setattr(module, "FP32_BOUND", -1.0)
    with pytest.raises(ModelError, match="not exported"):
        module.export(model, tokenizer_json, tmp_path, calibration=Calibration(), texts=TEXTS, int8=False)
    assert list(tmp_path.iterdir()) == []


def test_signs_have_tokens_of_their_own(small) -> None:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_str(small[1])
    assert tokenizer.encode("✅Email", add_special_tokens=False).tokens == ["✅", "email"]


def test_a_tagger_learns_a_handful_of_replies(tmp_path: Path) -> None:
    """A complete training run on twenty generated replies: the loss falls, weights are written and read back."""
    from claimx.training.generate import generate
    from claimx.training.model import packaged_encoder
    from claimx.training.saved import load_weights
    from claimx.training.tokenizer import make_tokenizer_json
    from claimx.training.train import TrainConfig, train

    from claimx.extract.encoding import load_tokenizer

    base = packaged_encoder()
    (tmp_path / "tokenizer.json").write_text(make_tokenizer_json(base), encoding="utf-8")
    tokenizer = load_tokenizer(tmp_path / "tokenizer.json")
    data = list(generate(20))
    config = TrainConfig(layers=[0], epochs=1, batch_size=10, threads=1)
    model = train(data, data[:4], base=base, tokenizer=tokenizer, out=tmp_path / "run", config=config, evaluate_every=1)
    again = load_weights(tmp_path / "run")
    assert (tmp_path / "run" / "log.jsonl").is_file()
    for (name, a), (_, b) in zip(model.state_dict().items(), again.state_dict().items(), strict=True):
        assert np.array_equal(a.numpy(), b.numpy()), name


def test_with_tables_alone_in_int8_the_layers_lose_nothing(small, tmp_path: Path) -> None:
    """A short training moves a layer's weights by less than int8 tells apart; the word table it leaves alone."""
    import onnx
    from claimx.training.export import parity, quantise, to_onnx
    from tokenizers import Tokenizer

    model, tokenizer_json = small
    whole, tables = tmp_path / "int8.onnx", tmp_path / "tables.onnx"
    to_onnx(model, tmp_path / "full.onnx")
    quantise(tmp_path / "full.onnx", whole)
    quantise(tmp_path / "full.onnx", tables, tables_only=True)
    tokenizer = Tokenizer.from_str(tokenizer_json)
    lost, kept = (parity(model, p, tokenizer, TEXTS)["max_difference"] for p in (whole, tables))
    assert kept < lost
    graph = onnx.load(str(tables)).graph
    quantised = {i.name for i in graph.initializer if i.name.endswith("_quantized")}
    assert quantised, "the tables are int8"
    assert all("embeddings" in name or "features" in name for name in quantised), quantised
    assert not [n for n in graph.node if n.op_type == "MatMulInteger"]
