"""Running the model: one window a call at its exact length, outputs joined to scores for the whole reply."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt
import onnxruntime

from claimx.errors import ModelError
from claimx.extract.decode import Floats, Scores
from claimx.extract.encoding import Encoding, windows_of
from claimx.extract.features import inside_words
from claimx.extract.labels import HEADS, LINK_WIDTH

#: Maps ids (1, T) and features (1, T, 3), both int64 with the special pieces, to the packed heads (1, T, width).
RunWindow = Callable[[npt.NDArray[np.int64], npt.NDArray[np.int64]], Floats]

#: Width of the packed output: all heads, then the link's query and key.
PACKED_WIDTH = sum(HEADS.values()) + 2 * LINK_WIDTH
#: onnxruntime's kernel for a norm with its addition takes 1.5 times as long as the two by themselves (1.32, AVX2): 5 % of a run.
_SLOW_FUSIONS = ["SkipLayerNormFusion"]
#: The feature row of the special pieces.
SPECIAL_FEATURES = (28, 0, 0)


def open_session(path: Path, *, threads: int = 1) -> RunWindow:
    """Load an ONNX model; the returned function is safe to call from several threads.

    Raises ModelError when the file is missing or is not a model of ours.
    """
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.execution_mode = onnxruntime.ExecutionMode.ORT_SEQUENTIAL
    options.add_session_config_entry("session.intra_op.allow_spinning", "0" if threads == 1 else "1")
    options.log_severity_level = 3
    if not path.is_file():
        raise ModelError(f"no model file at {path}: give the folder of a model that 'claimx.training' exported")
    try:
        session = onnxruntime.InferenceSession(
            str(path), options, providers=["CPUExecutionProvider"], disabled_optimizers=_SLOW_FUSIONS
        )
    except Exception as e:  # onnxruntime raises its own classes, not all of them public
        raise ModelError(f"{path.name} is not a readable ONNX model: {e}") from e
    inputs = {i.name for i in session.get_inputs()}
    if inputs != {"input_ids", "features"}:
        raise ModelError(f"{path.name} takes {sorted(inputs)}, expected input_ids and features: re-export the model")

    def run(ids: npt.NDArray[np.int64], features: npt.NDArray[np.int64]) -> Floats:
        out: Floats = session.run(["packed"], {"input_ids": ids, "features": features})[0]
        return out

    return run


def score_reply(encoding: Encoding, run: RunWindow, *, special: tuple[int, int], distance_bias: Floats) -> Scores:
    """Run every window of a reply and keep each piece's outputs from the window in which it has most context.

    `special` holds the ids of the opening and the closing piece.
    """
    n = len(encoding)
    packed = np.zeros((n, PACKED_WIDTH), dtype=np.float32)
    null = np.zeros(n, dtype=np.float32)
    edge = np.array([SPECIAL_FEATURES], dtype=np.int64)
    for start, end, keep_from, keep_to in windows_of(n):
        ids = np.concatenate(([special[0]], encoding.ids[start:end], [special[1]]))
        features = np.concatenate((edge, encoding.features[start:end], edge))
        out = run(ids[None, :], features[None, :, :])[0]
        kept = out[1 + keep_from - start : 1 + keep_to - start]
        packed[keep_from:keep_to] = kept
        null[keep_from:keep_to] = kept[:, -2 * LINK_WIDTH : -LINK_WIDTH] @ out[0, -LINK_WIDTH:] / np.sqrt(LINK_WIDTH)
    parts = {}
    at = 0
    for name, width in HEADS.items():
        parts[name] = packed[:, at : at + width]
        at += width
    return Scores(
        **parts,
        query=packed[:, at : at + LINK_WIDTH],
        key=packed[:, at + LINK_WIDTH :],
        null=null,
        distance_bias=distance_bias,
        inside=inside_words(encoding.features),
    )
