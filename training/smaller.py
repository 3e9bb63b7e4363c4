"""Distillation by one call: the small shape learns from a team's larger model, on their replies and the corpus'."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from claimx.training.augment import refill
from claimx.training.finish import finish
from claimx.training.inhouse import claim_run, start_of
from claimx.training.inhouse_data import gather
from claimx.training.leakage import keep_seen
from claimx.training.model import Tagger
from claimx.training.saved import TAGGER_FILE, save_weights
from claimx.training.settings import TORCH_FOLDER, FineTune
from claimx.training.train import TrainConfig, train
from claimx.training.weights import trainable

from claimx.errors import ModelError
from claimx.extract.encoding import load_tokenizer
from claimx.extract.model import META_FILE, TOKENIZER_FILE, load_model

#: Layers of the small shape.
LAYERS = 3


def distil(
    model: Path,
    names: Sequence[Path],
    out: Path,
    settings: FineTune,
    *,
    name: str | None = None,
    layers: int = LAYERS,
    fresh_start: bool = False,
) -> dict[str, Any]:
    """Teach the small shape what a larger model folder knows, on in-house and corpus replies; write a model folder.

    The student starts from the shipped model where both read the same pieces, else from the teacher's own layers, evenly
    spaced. `name` is what its card calls it (None: the folder's name). An interrupted run resumes from `out`/torch, as
    `fine_tune` does.
    """
    if model.resolve() == out.resolve():
        raise ModelError(f"{out} holds the model to learn from: give another folder to write to")
    settings = settings.checked()
    tokenizer_json = (model / TOKENIZER_FILE).read_text(encoding="utf-8")
    data = gather(names, settings, fresh=False)
    work = out / TORCH_FOLDER
    claim_run(work, data, settings, taught_by=model, fresh=fresh_start)
    keep_seen(work, [*data.training, *data.validation])
    (work / TOKENIZER_FILE).write_text(tokenizer_json, encoding="utf-8")
    if not (work / TAGGER_FILE).is_file():
        student, kept = _student(model, tokenizer_json, layers)
        config = TrainConfig(
            layers=kept, epochs=settings.epochs, patience=settings.patience, batch_size=settings.batch_size, distil=0.7,
            learning_rate=settings.learning_rate, head_learning_rate=settings.head_learning_rate,
            augment_rate=settings.augment_rate, seed=settings.seed, threads=settings.threads, device=settings.device,
        )  # fmt: skip
        train(
            data.training, data.validation, start=student, teacher=_teacher(model, work), refill=refill, out=work,
            tokenizer=load_tokenizer(work / TOKENIZER_FILE), config=config, calibration=load_model(model).calibration,
        )  # fmt: skip
    elif (done := _finished(out, work)) is not None:
        return done
    for cache in (work / "checkpoints", work / "teacher"):
        shutil.rmtree(cache, ignore_errors=True)
    for outputs in out.glob("teacher-*.safetensors"):
        outputs.unlink()
    meta = {"name": name or out.name, "distilled_from": model.name, "fine_tune": asdict(settings), "data": data.about()}
    return finish(work, tokenizer_json, out, data.thresholds, meta, int8=settings.int8, before=model)


def _finished(out: Path, work: Path) -> dict[str, Any] | None:
    """What a run that came to its end said; None when it did not. The card is written last, the weights before it."""
    card = out / "README.md"
    if not card.is_file() or card.stat().st_mtime_ns < (work / TAGGER_FILE).stat().st_mtime_ns:
        return None
    said: dict[str, Any] = json.loads((out / META_FILE).read_text(encoding="utf-8"))
    return said


def _teacher(model: Path, work: Path) -> Path:
    """The folder with a model's weights: training's own, else one made of what the model folder holds."""
    own = model / TORCH_FOLDER
    if (own / TAGGER_FILE).is_file():
        return own
    save_weights(trainable(model), work / "teacher")
    return work / "teacher"


def _student(model: Path, tokenizer_json: str, layers: int) -> tuple[Tagger, list[int] | None]:
    """Weights to start from, and those of their layers that are kept (None: all)."""
    student, theirs = start_of("default")
    if student is not None and json.loads(theirs)["model"] == json.loads(tokenizer_json)["model"]:
        return student, None
    student = trainable(model)
    count = student.config.num_hidden_layers
    return student, sorted({round(i * (count - 1) / max(1, layers - 1)) for i in range(min(layers, count))})
