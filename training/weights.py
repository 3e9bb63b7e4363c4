"""Trainable weights from a model folder: those that training left beside the graph, else the graph's own, dequantised.

A folder that ships holds int8 weights in `model.onnx` and nothing else. They lose little against what was trained
(the rounding of 7 bits a weight), and fine-tuning starts from them without a download.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import torch
from claimx.training.model import Tagger
from claimx.training.saved import TAGGER_FILE, load_weights
from claimx.training.settings import TORCH_FOLDER
from transformers import AutoConfig

from claimx.errors import ModelError
from claimx.extract.model import CONFIG_FILE, MODEL_FILE, load_model

#: A Hugging Face style folder's encoder, and our heads beside it.
WEIGHTS_FILE, HEADS_FILE = "model.safetensors", "heads.safetensors"


def trainable(folder: Path, *, attention: str = "sdpa") -> Tagger:
    """Return a model folder's tagger for training; raise ModelError when neither weights nor graph can be read."""
    own = folder / TORCH_FOLDER
    if (own / TAGGER_FILE).is_file():
        return load_weights(own, attention=attention)
    if (folder / HEADS_FILE).is_file():
        return _from_huggingface(folder, attention)
    return weights_from_onnx(folder, attention=attention)


def _from_huggingface(folder: Path, attention: str) -> Tagger:
    from safetensors.torch import load_file

    model = Tagger(AutoConfig.from_pretrained(folder, attn_implementation=attention))
    encoder = {f"encoder.{k}": v for k, v in load_file(folder / WEIGHTS_FILE).items()}
    model.load_state_dict({**encoder, **load_file(folder / HEADS_FILE)})
    return model.eval()


def weights_from_onnx(folder: Path | str, *, attention: str = "sdpa") -> Tagger:
    """Rebuild the torch tagger of an exported folder from its graph, int8 or fp32.

    Tables keep their names in the graph; a matrix is known by the bias that its product is added to. Raises ModelError
    when the graph holds less or more than a tagger of ours.
    """
    import onnx

    folder = Path(folder)
    load_model(folder)  # says what is wrong with a folder that is none of ours
    graph = onnx.load(str(folder / MODEL_FILE)).graph
    config = json.loads((folder / CONFIG_FILE).read_text(encoding="utf-8"))
    arrays = {i.name: onnx.numpy_helper.to_array(i) for i in graph.initializer}
    state = {**_tables(arrays), **_matrices(graph, arrays)}
    state["distance_bias"] = np.asarray(config["distance_bias"], dtype=np.float32)
    encoder = config.get("encoder") or _encoder_config(graph, arrays, state)
    model = Tagger(AutoConfig.for_model(**encoder, attn_implementation=attention))
    wanted = {k: tuple(v.shape) for k, v in model.state_dict().items()}
    given = {k: tuple(v.shape) for k, v in state.items()}
    if wanted != given:
        odd = sorted(set(wanted.items()) ^ set(given.items()))
        raise ModelError(
            f"{folder / MODEL_FILE} does not hold the weights of a tagger ({odd[0][0]} is missing or of another shape): "
            f"start from the folder '{TORCH_FOLDER}' that training wrote, or from an encoder"
        )
    model.load_state_dict({k: torch.from_numpy(np.array(v, dtype=np.float32)) for k, v in state.items()})
    return model.eval()


def _dequantised(arrays: dict[str, np.ndarray], name: str) -> np.ndarray:
    """A tensor by its plain name: as stored, or (quantised - zero point) * scale; scales go by the last axis."""
    if name in arrays:
        return arrays[name].astype(np.float32)
    q, zero, scale = (arrays[f"{name}_{part}"] for part in ("quantized", "zero_point", "scale"))
    return (q.astype(np.float32) - zero.astype(np.float32)) * scale


def _tables(arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Embeddings, norms and biases: everything that carries its module's name."""
    out = {}
    for name in arrays:
        plain = name
        for part in ("_quantized", "_zero_point", "_scale"):
            plain = plain.removesuffix(part)
        if plain.startswith("model."):
            out[plain.removeprefix("model.")] = _dequantised(arrays, plain)
    return out


def _matrices(graph: Any, arrays: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Weights of linear layers, (out, in): the nameless operand of each product that a named bias is added to."""
    readers: dict[str, list[Any]] = {}
    for node in graph.node:
        for name in node.input:
            readers.setdefault(name, []).append(node)
    out = {}
    for node in graph.node:
        if node.op_type not in ("MatMul", "MatMulInteger"):
            continue
        stored = node.input[1]
        plain = stored.removesuffix("_quantized")
        if stored not in arrays:
            continue  # a product of two activations, in attention
        bias = _bias_after(node, readers, arrays)
        if bias:
            out[bias.removeprefix("model.").removesuffix("bias") + "weight"] = _dequantised(arrays, plain).T
    return out


def _bias_after(node: Any, readers: dict[str, list[Any]], arrays: dict[str, np.ndarray]) -> str | None:
    """Follow a product through the casts and scales of quantisation to the addition of its bias."""
    while True:
        following = [n for n in readers.get(node.output[0], ()) if n.op_type in ("Add", "Cast", "Mul")]
        if not following:
            return None
        node = following[0]
        if node.op_type == "Add":
            return next((i for i in node.input if i in arrays and i.endswith("bias")), None)


def _encoder_config(graph: Any, arrays: dict[str, np.ndarray], state: dict[str, np.ndarray]) -> dict[str, Any]:
    """The shape of a BERT encoder, read off its weights and off the scale of its attention."""
    import onnx

    words = state.get("encoder.embeddings.word_embeddings.weight")
    if words is None:
        raise ModelError("the graph does not hold the weights of a tagger: start from an encoder instead")
    layers = {k.split(".")[3] for k in state if k.startswith("encoder.encoder.layer.")}
    constants = {
        n.output[0]: onnx.numpy_helper.to_array(n.attribute[0].t) for n in graph.node if n.op_type == "Constant"
    }
    # Eager attention multiplies by 1 / sqrt(width of a head).
    scales = [
        float(constants[i])
        for n in graph.node
        if n.op_type == "Mul" and "attention/self" in n.name
        for i in n.input
        if i in constants and constants[i].size == 1
    ]
    if not scales:
        raise ModelError("the graph does not tell how many heads its attention has: start from an encoder instead")
    width = round(1 / scales[0] ** 2)
    return {
        "model_type": "bert",
        "vocab_size": words.shape[0],
        "hidden_size": words.shape[1],
        "num_hidden_layers": len(layers),
        "num_attention_heads": words.shape[1] // width,
        "intermediate_size": state["encoder.encoder.layer.0.intermediate.dense.bias"].shape[0],
        "max_position_embeddings": state["encoder.embeddings.position_embeddings.weight"].shape[0],
        "type_vocab_size": state["encoder.embeddings.token_type_embeddings.weight"].shape[0],
        "hidden_dropout_prob": 0.1,
        "attention_probs_dropout_prob": 0.0,
    }
