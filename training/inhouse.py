"""Fine-tuning on a team's own labelled replies: from the shipped weights or any encoder, mixed with the project's corpus."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from claimx.training.augment import refill
from claimx.training.finish import finish
from claimx.training.inhouse_data import Data, gather
from claimx.training.leakage import keep_seen
from claimx.training.model import Tagger
from claimx.training.saved import TAGGER_FILE
from claimx.training.settings import TORCH_FOLDER, FineTune
from claimx.training.tokenizer import tokenizer_json_of
from claimx.training.train import TrainConfig, train
from claimx.training.weights import trainable
from claimx.training.work import claim_folder, weights_of

from claimx.errors import ModelError
from claimx.extract.encoding import load_tokenizer
from claimx.extract.model import CONFIG_FILE, TOKENIZER_FILE, default_path, load_model


def folder_of(base: str) -> Path | None:
    """The claimx model folder that a base names, None when it names something else."""
    folder = default_path() if base == "default" else Path(base)
    if not (folder / CONFIG_FILE).is_file():
        return None
    config = json.loads((folder / CONFIG_FILE).read_text(encoding="utf-8"))
    return folder if "tags" in config and "link_width" in config else None


def start_of(base: str) -> tuple[Tagger | None, str]:
    """Return the weights to start from, None for an encoder without heads, and the tokenizer.json that goes with them."""
    folder = folder_of(base)
    if folder is not None:
        return trainable(folder), (folder / TOKENIZER_FILE).read_text(encoding="utf-8")
    try:
        return None, tokenizer_json_of(base)
    except (OSError, ValueError) as e:
        raise ModelError(
            f"{base!r} is neither 'default', a claimx model folder, nor an encoder that transformers can load: {e}"
        ) from e


def fine_tune(names: Sequence[Path], out: Path, settings: FineTune, *, fresh_start: bool = False) -> dict[str, Any]:
    """Train on labelled replies and write a model folder; return what its meta.json says.

    An interrupted run resumes from `out`/torch when it is started again with the same data and settings.
    """
    settings = settings.checked()
    start, tokenizer_json = start_of(settings.base)
    data = gather(names, settings, fresh=start is None)
    for note in data.notes:
        sys.stderr.write(f"claimx: {note}\n")
    sys.stderr.write(
        f"claimx: {data.own} in-house and {data.corpus} corpus replies to train on, {data.own_validation} and "
        f"{len(data.validation) - data.own_validation} to validate, on {settings.device}\n"
    )
    work = out / TORCH_FOLDER
    claim_run(work, data, settings, fresh=fresh_start)
    keep_seen(work, [*data.training, *data.validation])
    (work / TOKENIZER_FILE).write_text(tokenizer_json, encoding="utf-8")
    tokenizer = load_tokenizer(work / TOKENIZER_FILE)
    config = TrainConfig(
        epochs=settings.epochs, patience=settings.patience, batch_size=settings.batch_size,
        learning_rate=settings.learning_rate, head_learning_rate=settings.head_learning_rate,
        augment_rate=settings.augment_rate, seed=settings.seed, threads=settings.threads, device=settings.device,
        freeze_words=settings.freeze_words, remember=start is not None,
        blend=settings.blend if start is not None else 1.0,
    )  # fmt: skip
    before = folder_of(settings.base)
    if not (work / TAGGER_FILE).is_file():
        train(
            data.training, data.validation, base=settings.base, start=start, tokenizer=tokenizer, out=work, config=config,
            refill=refill, calibration=load_model(before).calibration if before else None,
        )  # fmt: skip
    shutil.rmtree(work / "checkpoints", ignore_errors=True)
    meta = {"name": out.name, "fine_tune": {**asdict(settings), "base": _name_of(settings.base)}, "data": data.about()}
    return finish(work, tokenizer_json, out, data.thresholds, meta, int8=settings.int8, before=before)


def claim_run(work: Path, data: Data, settings: FineTune, *, taught_by: Path | None = None, fresh: bool) -> None:
    """Take `work` for a run on these replies with these settings; raise CorpusError where another was begun."""
    wanted = {
        "data": data.digest,
        "settings": {k: v for k, v in asdict(settings).items() if k not in ("threads", "int8", "base")},
        "base": weights_of(folder_of(settings.base) or settings.base),
        "teacher": weights_of(taught_by),
    }
    claim_folder(work, wanted, fresh=fresh, defaults={"settings": asdict(FineTune())})


def _name_of(base: str) -> str:
    """A base's name without the machine's folders."""
    return Path(base).name if Path(base).exists() else base
