"""A model folder as one object: tokenizer, ONNX session, label and threshold configuration."""

from __future__ import annotations

import json
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from tokenizers import Tokenizer

from claimx.errors import ModelError
from claimx.extract.decode import Calibration, Floats, Scores
from claimx.extract.encoding import Encoding, encode, load_tokenizer
from claimx.extract.labels import HEADS, LINK_WIDTH, TAGS
from claimx.extract.session import RunWindow, open_session, score_reply

#: Version of the folder's layout and of the output's packing; a model of another version is refused.
FORMAT = 1
MODEL_FILE, TOKENIZER_FILE, CONFIG_FILE, META_FILE = "model.onnx", "tokenizer.json", "config.json", "meta.json"


@dataclass(frozen=True, slots=True)
class Model:
    """Everything needed to score a reply. Safe to share between threads."""

    tokenizer: Tokenizer
    run: RunWindow
    special: tuple[int, int]
    distance_bias: Floats
    calibration: Calibration
    meta: dict[str, Any]
    path: Path | None = None

    def score(self, text: str) -> tuple[Encoding, Scores]:
        """Encode a text and run the model on it."""
        encoding = encode(self.tokenizer, text)
        return encoding, score_reply(encoding, self.run, special=self.special, distance_bias=self.distance_bias)


def default_path() -> Path:
    """Folder of the model that ships with the package."""
    return Path(str(files("claimx.models.default")))


def make_config(special: tuple[int, int], distance_bias: Floats, calibration: Calibration) -> dict[str, Any]:
    """Return the content of config.json for a freshly trained model."""
    return {
        "format": FORMAT,
        "special": list(special),
        "tags": list(TAGS),
        "heads": dict(HEADS),
        "link_width": LINK_WIDTH,
        "distance_bias": [round(float(x), 6) for x in distance_bias],
        "calibration": {k: getattr(calibration, k) for k in Calibration.__dataclass_fields__},
    }


def load_model(path: Path | str | None = None, *, threads: int = 1) -> Model:
    """Load a model folder, the shipped one when `path` is None.

    Raises ModelError when the folder is missing or damaged, or was exported for other labels.
    """
    folder = default_path() if path is None else Path(path)
    if not folder.is_dir():
        raise ModelError(f"no model folder at {folder}: give the folder that 'claimx.training' exported")
    try:
        config = json.loads((folder / CONFIG_FILE).read_text(encoding="utf-8"))
        meta_file = folder / META_FILE
        meta = json.loads(meta_file.read_text(encoding="utf-8")) if meta_file.is_file() else {}
    except FileNotFoundError as e:
        raise ModelError(f"{folder} has no {CONFIG_FILE}: it is not a claimx model") from e
    except ValueError as e:
        raise ModelError(f"{folder / CONFIG_FILE} is not JSON: {e}") from e
    if config.get("format") != FORMAT:
        raise ModelError(
            f"{folder} has format {config.get('format')!r}, this version reads {FORMAT}: re-export the model"
        )
    if config.get("tags") != list(TAGS) or config.get("link_width") != LINK_WIDTH:
        raise ModelError(f"{folder} was trained on other labels than this version's: re-train or re-export it")
    try:
        tokenizer = load_tokenizer(folder / TOKENIZER_FILE)
    except Exception as e:  # the tokenizers library raises bare Exception
        raise ModelError(f"{folder / TOKENIZER_FILE} cannot be read: {e}") from e
    return Model(
        tokenizer=tokenizer,
        run=open_session(folder / MODEL_FILE, threads=threads),
        special=(config["special"][0], config["special"][1]),
        distance_bias=np.asarray(config["distance_bias"], dtype=np.float32),
        calibration=Calibration(**config["calibration"]),
        meta=meta,
        path=folder,
    )
