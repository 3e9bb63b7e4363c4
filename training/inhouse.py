"""Fine-tuning on a team's own labelled replies: from the shipped weights or any encoder, mixed with the project's corpus."""

from __future__ import annotations

import json
import platform
import shutil
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from claimx.training.augment import refill
from claimx.training.export import export
from claimx.training.inhouse_data import gather
from claimx.training.model import Tagger
from claimx.training.predict import score_all, torch_runner
from claimx.training.settings import FineTune
from claimx.training.tokenizer import special_ids, tokenizer_json_of
from claimx.training.train import TrainConfig, calibrate, load_weights, save_weights, train
from claimx.training.weights import TORCH_FOLDER, trainable

from claimx.annotate.example import Example
from claimx.errors import CorpusError, ModelError
from claimx.extract.encoding import load_tokenizer
from claimx.extract.model import CONFIG_FILE, TOKENIZER_FILE, default_path, load_model

#: The share of tags that int8 must leave as they are: less than for the shipped model, whose recipe was tried until it held more.
_INT8_AGREEMENT = 0.97


def _folder_of(base: str) -> Path | None:
    """The claimx model folder that a base names, None when it names something else."""
    folder = default_path() if base == "default" else Path(base)
    if not (folder / CONFIG_FILE).is_file():
        return None
    config = json.loads((folder / CONFIG_FILE).read_text(encoding="utf-8"))
    return folder if "tags" in config and "link_width" in config else None


def start_of(base: str) -> tuple[Tagger | None, str]:
    """Return the weights to start from, None for an encoder without heads, and the tokenizer.json that goes with them."""
    folder = _folder_of(base)
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
    _claim_folder(work, data.digest, settings, fresh=fresh_start)
    (work / TOKENIZER_FILE).write_text(tokenizer_json, encoding="utf-8")
    tokenizer = load_tokenizer(work / TOKENIZER_FILE)
    config = TrainConfig(
        epochs=settings.epochs, patience=settings.patience, batch_size=settings.batch_size,
        learning_rate=settings.learning_rate, head_learning_rate=settings.head_learning_rate,
        augment_rate=settings.augment_rate, seed=settings.seed, threads=settings.threads, device=settings.device,
        freeze_words=settings.freeze_words, remember=start is not None,
    )  # fmt: skip
    before = _folder_of(settings.base)
    if not (work / "weights.safetensors").is_file():
        train(
            data.training, data.validation, base=settings.base, start=start, tokenizer=tokenizer, out=work, config=config,
            refill=refill, calibration=load_model(before).calibration if before else None,
        )  # fmt: skip
    shutil.rmtree(work / "checkpoints", ignore_errors=True)
    about = {
        "in_house": data.own, "in_house_validation": data.own_validation, "corpus": data.corpus,
        "corpus_validation": len(data.thresholds) - data.own_validation, "digest": data.digest,
    }  # fmt: skip
    meta = {"name": out.name, "fine_tune": {**asdict(settings), "base": _name_of(settings.base)}, "data": about}
    return finish(work, tokenizer_json, out, data.thresholds, meta, int8=settings.int8, before=before)


def finish(
    work: Path,
    tokenizer_json: str,
    out: Path,
    validation: Sequence[Example],
    meta: dict[str, Any],
    *,
    int8: bool,
    before: Path | None,
) -> dict[str, Any]:
    """Choose thresholds, export, score, and write the card; return what meta.json says.

    A few dozen replies are too few to choose thresholds by: those of the model folder `before` stay. None: they are chosen
    on the validation replies.
    """
    from claimx.training.card import write_card
    from claimx.training.scoring import evaluate_folder

    from claimx.extract.model import META_FILE

    model = load_weights(work, attention="eager")
    tokenizer = load_tokenizer(work / TOKENIZER_FILE)
    if before is not None:
        calibration = load_model(before).calibration
    else:
        scored = score_all(
            validation, tokenizer, torch_runner(model), special=special_ids(tokenizer)[:2],
            distance_bias=model.distance_bias.detach().numpy(),
        )  # fmt: skip
        calibration, _ = calibrate(validation, scored)
    versions = {p: version(p) for p in ("torch", "transformers", "onnxruntime", "tokenizers", "numpy")}
    meta = {**meta, "versions": versions, "python": platform.python_version()}
    texts = [e.text for e in validation[:200]]
    options: dict[str, Any] = {"calibration": calibration, "texts": texts, "meta": meta, "agreement": _INT8_AGREEMENT}
    try:
        export(model, tokenizer_json, out, int8=int8, **options)
    except ModelError as e:
        if not int8 or "int8" not in str(e):
            raise
        sys.stderr.write(f"claimx: {e}; written with floating-point weights instead\n")
        export(model, tokenizer_json, out, int8=False, **options)
    content: dict[str, Any] = json.loads((out / META_FILE).read_text(encoding="utf-8"))
    content["validation"] = evaluate_folder(out, list(validation))
    (out / META_FILE).write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    write_card(out, content)
    return content


def _claim_folder(work: Path, digest: str, settings: FineTune, *, fresh: bool) -> None:
    """Refuse to resume a run of other data or settings; clear what lies there when a fresh start is asked for."""
    wanted = {"data": digest, "settings": {k: v for k, v in asdict(settings).items() if k not in ("threads", "int8")}}
    file = work / "run.json"
    if fresh:
        shutil.rmtree(work, ignore_errors=True)
    if file.is_file() and json.loads(file.read_text(encoding="utf-8")) != wanted:
        raise CorpusError(
            f"{work} holds a run with other data or settings: give --fresh to start over, or another --out"
        )
    work.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(wanted, indent=1) + "\n", encoding="utf-8")


def _name_of(base: str) -> str:
    """A base's name without the machine's folders."""
    return Path(base).name if Path(base).exists() else base


def distil(
    model: Path, names: Sequence[Path], out: Path, settings: FineTune, *, layers: int = 3, fresh_start: bool = False
) -> dict[str, Any]:
    """Teach the small shape what a larger model folder knows, on in-house and corpus replies; write a model folder.

    The student starts from the shipped model where both read the same pieces, else from the teacher's own layers, evenly
    spaced.
    """
    settings = settings.checked()
    own = model / TORCH_FOLDER
    if not (own / "weights.safetensors").is_file():
        raise ModelError(
            f"{model} has no {TORCH_FOLDER}/weights.safetensors to learn from: distil a folder that 'train' wrote"
        )
    tokenizer_json = (model / TOKENIZER_FILE).read_text(encoding="utf-8")
    data = gather(names, settings, fresh=False)
    student, theirs = start_of("default")
    config = TrainConfig(
        epochs=settings.epochs, patience=settings.patience, batch_size=settings.batch_size, distil=0.7,
        learning_rate=settings.learning_rate, head_learning_rate=settings.head_learning_rate,
        augment_rate=settings.augment_rate, seed=settings.seed, threads=settings.threads, device=settings.device,
    )  # fmt: skip
    if json.loads(theirs)["model"] != json.loads(tokenizer_json)["model"]:
        student = load_weights(own)
        count = student.config.num_hidden_layers
        config = replace(
            config, layers=[round(i * (count - 1) / max(1, layers - 1)) for i in range(min(layers, count))]
        )
    work = out / TORCH_FOLDER
    _claim_folder(work, data.digest, replace(settings, base=str(model)), fresh=fresh_start)
    (work / TOKENIZER_FILE).write_text(tokenizer_json, encoding="utf-8")
    tokenizer = load_tokenizer(work / TOKENIZER_FILE)
    if not (work / "weights.safetensors").is_file():
        small = train(
            data.training, data.validation, start=student, teacher=own, tokenizer=tokenizer, out=work, config=config,
            refill=refill, calibration=load_model(model).calibration,
        )  # fmt: skip
        save_weights(small, work, config)
    shutil.rmtree(work / "checkpoints", ignore_errors=True)
    for cache in out.glob("teacher-*.safetensors"):
        cache.unlink()
    meta = {
        "name": out.name,
        "distilled_from": model.name,
        "fine_tune": asdict(settings),
        "data": {"digest": data.digest},
    }
    return finish(work, tokenizer_json, out, data.thresholds, meta, int8=settings.int8, before=model)
