"""From weights to a model folder: ONNX, int8 weights, and the proof that both say what torch says."""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from claimx.training.model import Tagger
from claimx.training.predict import torch_runner
from claimx.training.tokenizer import special_ids
from tokenizers import Tokenizer

from claimx.errors import ModelError
from claimx.extract.decode import Calibration
from claimx.extract.encoding import encode
from claimx.extract.model import CONFIG_FILE, META_FILE, MODEL_FILE, TOKENIZER_FILE, make_config
from claimx.extract.session import SPECIAL_FEATURES, open_session

#: Largest absolute difference of any packed output between torch and the fp32 ONNX graph that export accepts.
FP32_BOUND = 1e-3
#: Smallest share of pieces on which the quantised graph must give the same tag as torch.
INT8_AGREEMENT = 0.985


class _Exported(torch.nn.Module):
    """The tagger as a graph of two inputs for one window: no padding, no mask."""

    def __init__(self, model: Tagger) -> None:
        super().__init__()
        self.model = model

    def forward(self, input_ids: torch.Tensor, features: torch.Tensor) -> torch.Tensor:
        return self.model.packed(input_ids, features, None)


def encoder_config(model: Tagger) -> dict[str, Any]:
    """The encoder's shape as transformers writes it, without what belongs to this machine or library version."""
    passing = {"_name_or_path", "name_or_path", "transformers_version", "dtype", "torch_dtype", "architectures"}
    return {k: v for k, v in model.config.to_diff_dict().items() if k not in passing}


def to_onnx(model: Tagger, path: Path) -> None:
    """Write the fp32 graph. The model must use eager attention."""
    ids = torch.randint(5, min(999, model.config.vocab_size), (1, 12))
    features = torch.zeros((1, 12, 3), dtype=torch.long)
    torch.onnx.export(
        _Exported(model.eval()),
        (ids, features),
        str(path),
        input_names=["input_ids", "features"],
        output_names=["packed"],
        dynamic_axes={"input_ids": {1: "pieces"}, "features": {1: "pieces"}, "packed": {1: "pieces"}},
        opset_version=17,
        dynamo=False,
    )


def quantise(source: Path, target: Path, *, tables_only: bool = False) -> None:
    """Write the graph with int8 weights (dynamic, per channel, reduced range against AVX2 saturation).

    The heads stay in floating point: they are a hundredth of the weights and what they lose shows in every label.
    `tables_only` leaves the encoder's layers in floating point, too: of a word table that training does not touch, nothing
    is lost that was not lost before.
    """
    import onnx
    from onnxruntime.quantization import QuantType, quantize_dynamic

    graph = onnx.load(str(source)).graph
    heads = [n.name for n in graph.node if n.op_type in ("MatMul", "Gemm") and "/encoder/" not in n.name]
    quantize_dynamic(
        str(source), str(target), weight_type=QuantType.QInt8, per_channel=True, reduce_range=True,
        nodes_to_exclude=heads, extra_options={"DefaultTensorType": 1},
        op_types_to_quantize=["Gather"] if tables_only else None,
    )  # fmt: skip


def parity(model: Tagger, onnx: Path, tokenizer: Tokenizer, texts: Sequence[str]) -> dict[str, float]:
    """Compare torch with an ONNX graph: largest absolute difference and share of pieces with the same tag."""
    theirs, ours = torch_runner(model), open_session(onnx)
    special = special_ids(tokenizer)
    worst, same, total = 0.0, 0, 0
    edge = np.array([SPECIAL_FEATURES], dtype=np.int64)
    for text in texts:
        encoding = encode(tokenizer, text)
        ids = np.concatenate(([special[0]], encoding.ids[:382], [special[1]]))[None, :]
        features = np.concatenate((edge, encoding.features[:382], edge))[None, :, :]
        a, b = theirs(ids, features), ours(ids, features)
        worst = max(worst, float(np.abs(a - b).max()))
        same += int((a[..., :25].argmax(-1) == b[..., :25].argmax(-1)).sum())
        total += a.shape[1]
    return {"max_difference": worst, "tag_agreement": same / max(total, 1)}


def export(
    model: Tagger,
    tokenizer_json: str,
    folder: Path,
    *,
    calibration: Calibration,
    texts: Sequence[str],
    int8: bool = True,
    tables_only: bool = False,
    agreement: float = INT8_AGREEMENT,
    meta: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Write a model folder and return its parity figures.

    `texts` are replies on which torch and ONNX are compared. Raises ModelError, and leaves the folder as it was, when
    the fp32 graph differs from torch by more than `FP32_BOUND` or the int8 graph agrees on a smaller share of tags than
    `agreement`.
    """
    tokenizer = Tokenizer.from_str(tokenizer_json)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        full, small = Path(scratch) / "full.onnx", Path(scratch) / "int8.onnx"
        to_onnx(model, full)
        figures: dict[str, Any] = {"fp32": parity(model, full, tokenizer, texts)}
        if figures["fp32"]["max_difference"] > FP32_BOUND:
            raise ModelError(
                f"ONNX and torch differ by {figures['fp32']['max_difference']:.2g}, more than {FP32_BOUND:.0e}: not exported"
            )
        chosen = full
        if int8:
            quantise(full, small, tables_only=tables_only)
            figures["int8"] = parity(model, small, tokenizer, texts)
            if figures["int8"]["tag_agreement"] < agreement:
                raise ModelError(
                    f"the int8 graph agrees with torch on {figures['int8']['tag_agreement']:.2%} of the tags, fewer than "
                    f"{agreement:.1%}: not exported"
                )
            chosen = small
        shutil.copy2(chosen, folder / MODEL_FILE)
    (folder / TOKENIZER_FILE).write_text(tokenizer_json, encoding="utf-8")
    config = make_config(special_ids(tokenizer)[:2], model.distance_bias.detach().cpu().numpy(), calibration)
    config["encoder"] = encoder_config(model)
    (folder / CONFIG_FILE).write_text(json.dumps(config, indent=1) + "\n", encoding="utf-8")
    content = {**(meta or {}), "parity": figures, "bytes": (folder / MODEL_FILE).stat().st_size}
    (folder / META_FILE).write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return figures
