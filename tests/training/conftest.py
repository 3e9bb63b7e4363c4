"""A base encoder of a few thousand weights, as a folder that transformers reads, and labelled replies to train on."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from claimx.annotate.example import Example, write_jsonl

if TYPE_CHECKING:
    from claimx.training.settings import FineTune


def write_encoder(folder: Path, words: list[str], *, kind: str = "bert", positions: int = 512) -> Path:
    """Write an encoder with random weights and a WordPiece tokenizer over `words` and single characters."""
    import torch
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors
    from transformers import AutoConfig, AutoModel, PreTrainedTokenizerFast

    torch.manual_seed(0)
    special = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *(f"[unused{i}]" for i in range(60))]
    letters = [chr(c) for c in range(33, 127) if not chr(c).isupper()]
    vocab = dict.fromkeys([*special, *letters, *(f"##{c}" for c in letters), *words])
    tokenizer = Tokenizer(models.WordPiece({w: i for i, w in enumerate(vocab)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer.decoder = decoders.WordPiece()
    names = {
        "unk_token": "[UNK]",
        "pad_token": "[PAD]",
        "cls_token": "[CLS]",
        "sep_token": "[SEP]",
        "mask_token": "[MASK]",
    }
    PreTrainedTokenizerFast(tokenizer_object=tokenizer, **names).save_pretrained(folder)
    sizes = {"vocab_size": len(vocab), "max_position_embeddings": positions}
    if kind == "distilbert":
        config = AutoConfig.for_model(kind, dim=32, n_layers=3, n_heads=2, hidden_dim=64, **sizes)
    else:
        config = AutoConfig.for_model(
            kind, hidden_size=32, num_hidden_layers=3, num_attention_heads=2, intermediate_size=64,
            **{**sizes, "max_position_embeddings": 514 if kind == "roberta" else positions},
        )  # fmt: skip
    AutoModel.from_config(config).save_pretrained(folder)
    return folder


@pytest.fixture(scope="session")
def own() -> list[Example]:
    """Forty labelled replies that stand for a team's own."""
    from claimx.training.generate import generate

    rows = [e.to_dict() for e in generate(40)]
    return [
        Example.from_dict({**r, "origin": "in-house", "domain": "desk", "family": "", "id": f"o{n}"})
        for n, r in enumerate(rows)
    ]


@pytest.fixture(scope="session")
def own_file(own: list[Example], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("own") / "labels.jsonl"
    write_jsonl(path, own)
    return path


@pytest.fixture(scope="session")
def encoder(own: list[Example], tmp_path_factory: pytest.TempPathFactory) -> Path:
    words = sorted({w.lower() for e in own for w in e.text.split() if w.isalpha()})
    return write_encoder(tmp_path_factory.mktemp("encoder"), words)


@pytest.fixture(scope="session")
def make_encoder() -> Callable[..., Path]:
    return write_encoder


@pytest.fixture(scope="session")
def settings(encoder: Path) -> FineTune:
    """A fine-tuning run from the small encoder, as quick as one can be."""
    from claimx.training.settings import FineTune

    return FineTune(
        base=str(encoder), mix=0.2, epochs=2, patience=1, device="cpu", threads=1, learning_rate=1e-3, corpus_validation=12
    )  # fmt: skip


@pytest.fixture(scope="session")
def trained(own_file: Path, settings: FineTune, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model folder that a whole fine-tuning run wrote."""
    from claimx.training.inhouse import fine_tune

    out = tmp_path_factory.mktemp("models") / "acme"
    meta = fine_tune([own_file], out, settings)
    assert meta == json.loads((out / "meta.json").read_text(encoding="utf-8"))
    return out
