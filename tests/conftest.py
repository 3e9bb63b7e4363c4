"""Shared doubles: a tiny model whose answers are fixed by its words, in the real folder format."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from claimx.extract.decode import Calibration
from claimx.extract.labels import ACTORS, HEADS, LINK_WIDTH, MODALITIES, TENSES, tag_id
from claimx.extract.model import make_config
from claimx.extract.session import PACKED_WIDTH

#: word -> (tag, tense, modality, actor); what is not listed is outside of every span.
TINY_LEXICON = {
    "refunded": ("B-ACTION", "past", "asserted", "agent"),
    "emailed": ("B-ACTION", "past", "asserted", "agent"),
    "cancel": ("B-ACTION", "future", "possible", "agent"),
    "shipped": ("B-ACTION", "past", "asserted", "other"),
    "order": ("B-OBJECT", "past", "asserted", "agent"),
    "receipt": ("B-OBJECT", "past", "asserted", "agent"),
    "$": ("B-MONEY", "past", "asserted", "agent"),
    "64": ("I-MONEY", "past", "asserted", "agent"),
    "#": ("B-ID", "past", "asserted", "agent"),
    "4821": ("I-ID", "past", "asserted", "agent"),
    "monday": ("B-DATE", "past", "asserted", "agent"),
}
TINY_WORDS = [
    "[PAD]",
    "[UNK]",
    "[CLS]",
    "[SEP]",
    "[MASK]",
    *TINY_LEXICON,
    "i",
    "the",
    "for",
    "and",
    ".",
    ",",
    "to",
    "you",
]


def tiny_table() -> np.ndarray:
    """Packed output per word (words, width): strong logits for the listed tags and attributes."""
    table = np.zeros((len(TINY_WORDS), PACKED_WIDTH), dtype=np.float32)
    table[:, 0] = 6.0
    for word, (tag, tense, modality, actor) in TINY_LEXICON.items():
        row = table[TINY_WORDS.index(word)]
        row[tag_id(*tag.split("-"))] = 12.0
        at = HEADS["tags"]
        for values, value in ((TENSES, tense), (MODALITIES, modality), (ACTORS, actor)):
            row[at + list(values).index(value)] = 8.0
            at += len(values)
    # Queries are zero, so links follow the distance bias alone; "monday" prefers to stand alone.
    table[TINY_WORDS.index("[CLS]"), -LINK_WIDTH:] = 1.0
    table[TINY_WORDS.index("monday"), -2 * LINK_WIDTH : -LINK_WIDTH] = 9.0
    table[TINY_WORDS.index("$"), -2 * LINK_WIDTH : -LINK_WIDTH] = -1.0
    table[TINY_WORDS.index("#"), -2 * LINK_WIDTH : -LINK_WIDTH] = -1.0
    return table


def write_tiny_model(folder: Path) -> Path:
    """Write a model folder: an ONNX graph that looks words up, a WordPiece tokenizer, a configuration."""
    import onnx
    from onnx import TensorProto, helper, numpy_helper
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers

    folder.mkdir(parents=True, exist_ok=True)
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["looked_up"], axis=0),
        helper.make_node("ReduceSum", ["features", "last"], ["sum"], keepdims=1),
        helper.make_node("Cast", ["sum"], ["as_float"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["as_float", "zero"], ["nothing"]),
        helper.make_node("Add", ["looked_up", "nothing"], ["packed"]),
    ]
    graph = helper.make_graph(
        nodes,
        "tiny",
        [
            helper.make_tensor_value_info("input_ids", TensorProto.INT64, [1, "pieces"]),
            helper.make_tensor_value_info("features", TensorProto.INT64, [1, "pieces", 3]),
        ],
        [helper.make_tensor_value_info("packed", TensorProto.FLOAT, [1, "pieces", PACKED_WIDTH])],
        [
            numpy_helper.from_array(tiny_table(), "table"),
            numpy_helper.from_array(np.array([2], dtype=np.int64), "last"),
            numpy_helper.from_array(np.array(0.0, dtype=np.float32), "zero"),
        ],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.save(model, str(folder / "model.onnx"))
    tokenizer = Tokenizer(models.WordPiece({w: i for i, w in enumerate(TINY_WORDS)}, unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.save(str(folder / "tokenizer.json"))
    bias = np.zeros(16, dtype=np.float32)
    bias[:8] = np.linspace(-3, 0, 8)
    bias[8:] = np.linspace(-1, -4, 8)
    config = make_config((2, 3), bias, Calibration())
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of the tiny model."""
    return write_tiny_model(tmp_path_factory.mktemp("tiny"))
