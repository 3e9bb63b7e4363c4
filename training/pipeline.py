"""The whole way from a recipe to a model folder: data, training, thresholds, export, scores. Each step resumes."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
import sys
import tomllib
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from typing import Any

from claimx.training import standoff
from claimx.training.augment import refill
from claimx.training.build import data_folder, load_split
from claimx.training.corpus import split_off
from claimx.training.default_card import write_scores
from claimx.training.export import export
from claimx.training.model import packaged_encoder
from claimx.training.predict import score_all, torch_runner
from claimx.training.saved import TAGGER_FILE, load_weights
from claimx.training.scoring import evaluate_contrast, evaluate_folder
from claimx.training.thresholds import calibrate
from claimx.training.tokenizer import make_tokenizer_json, special_ids
from claimx.training.train import TrainConfig, train
from claimx.training.work import RECORD_FILE, claim_folder, digest_of, weights_of
from tokenizers import Tokenizer

from claimx.annotate.example import Example
from claimx.errors import CorpusError
from claimx.extract.encoding import load_tokenizer

#: The tables of a recipe and the keys that each may have.
_TABLES = {
    "data": {"generated", "real", "real_repeat", "real_validation"},
    "teacher": set(TrainConfig.__dataclass_fields__),
    "train": set(TrainConfig.__dataclass_fields__),
    "export": {"int8"},
}
#: Settings that change how fast is trained, not what.
_NOT_LEARNED = frozenset({"threads", "device"})


def read_recipe(path: Path) -> dict[str, Any]:
    """Read a recipe, looking beside this module when the path does not exist; raise CorpusError on unknown keys and on what cannot be followed."""
    if not path.exists():
        path = Path(__file__).parent / path.name
    if not path.exists():
        raise CorpusError(f"no recipe {path.name}: give a TOML file, such as base.toml")
    try:
        recipe = tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as e:
        raise CorpusError(f"{path.name}: not TOML ({e})") from e
    _refuse_unknown(f"{path.name}:", recipe, {*_TABLES, "start"})
    for table, known in _TABLES.items():
        if not isinstance(recipe.get(table, {}), dict):
            raise CorpusError(f"{path.name}: {table} is {recipe[table]!r}, expected a table [{table}]")
        _refuse_unknown(f"{path.name}: [{table}] has", recipe.get(table, {}), known)
    start = recipe.get("start", "base")
    if start not in ("base", "teacher") or (start == "teacher" and "teacher" not in recipe):
        raise CorpusError(
            f'{path.name}: start is {start!r}: write "base", or "teacher" where there is a [teacher] table'
        )
    if "teacher" in recipe and start == "base" and not recipe.get("train", {}).get("distil"):
        raise CorpusError(
            f'{path.name}: [teacher] is trained for nothing: give distil in [train], or start = "teacher"'
        )
    return recipe


def _refuse_unknown(where: str, given: dict[str, Any], known: set[str]) -> None:
    unknown = sorted(set(given) - known)
    if unknown:
        raise CorpusError(f"{where} unknown keys {', '.join(unknown)} (known: {', '.join(sorted(known))})")


def real_replies(setting: str) -> Path | None:
    """Path of the file with real replies: the environment's before the recipe's; None when neither names one."""
    name = os.environ.get("CLAIMX_REAL_REPLIES") or setting
    if not name:
        return None
    path = Path(name)
    if not path.is_file():
        raise CorpusError(f"no file of real replies at {path}: unset CLAIMX_REAL_REPLIES, or correct it")
    return path


def load_data(recipe: dict[str, Any]) -> tuple[list[Example], list[Example], dict[str, Any]]:
    """Return training and validation examples and a description of where they come from."""
    settings = recipe.get("data", {})
    training, validation = load_split("train"), load_split("validation")
    training = _at_most(settings.get("generated"), training)
    about: dict[str, Any] = {"corpus_train": len(training), "corpus_validation": len(validation), "real": 0}
    path = real_replies(settings.get("real", ""))
    if path:
        real = standoff.join(data_folder() / "standoff" / "real.jsonl", path)
        kept, held = split_off(real, settings.get("real_validation", 0.1), seed=1)
        training += kept * int(settings.get("real_repeat", 1))
        validation += held
        about |= {"real": len(kept), "real_validation": len(held)}
    digest = hashlib.sha256()
    for e in sorted(training, key=lambda e: e.id):
        digest.update(json.dumps(standoff.strip(e), sort_keys=True).encode())
    return training, validation, {**about, "digest": f"sha256:{digest.hexdigest()}"}


def _at_most(count: int | None, examples: list[Example]) -> list[Example]:
    """Keep the first `count` generated replies (all when None) and every other one."""
    if count is None:
        return examples
    generated = [e for e in examples if e.origin == "generated"][:count]
    return [e for e in examples if e.origin != "generated"] + generated


def train_stages(
    recipe: dict[str, Any],
    training: list[Example],
    validation: list[Example],
    *,
    base: Path | str,
    tokenizer: Tokenizer,
    work: Path,
    start_from: Path | None = None,
    teacher: Path | None = None,
) -> None:
    """Train what a recipe names, the teacher first; a stage whose weights lie there is not trained again.

    Raises CorpusError that names what differs where a stage lies there of another recipe, other data or other weights.
    """
    depends = {"data": digest_of([*training, *validation]), "tokenizer": _digest(tokenizer.to_str().encode())}
    if "teacher" in recipe and teacher is None:
        teacher = work / "teacher"
        config = TrainConfig(**recipe["teacher"])
        if _to_train(teacher, {**depends, "base": weights_of(base)}, config):
            train(training, validation, base=base, tokenizer=tokenizer, out=teacher, config=config, refill=refill)
        if recipe.get("start") == "teacher" and start_from is None:
            start_from = teacher
    depends |= {"base": weights_of(start_from or base), "teacher": weights_of(teacher)}
    config = TrainConfig(**recipe.get("train", {}))
    if _to_train(work, depends, config):
        train(
            training, validation, base=base, tokenizer=tokenizer, out=work, config=config, refill=refill,
            start_from=start_from, teacher=teacher,
        )  # fmt: skip


def _to_train(stage: Path, depends: dict[str, Any], config: TrainConfig) -> bool:
    """Take the folder of a stage; whether there is anything left to train in it."""
    done = (stage / TAGGER_FILE).is_file()
    if done and not (stage / RECORD_FILE).is_file():
        sys.stderr.write(f"claimx: {stage} holds weights without a record of recipe and data: taken as they are\n")
        return False
    settings = {k: v for k, v in asdict(config).items() if k not in _NOT_LEARNED}
    claim_folder(stage, {**depends, "settings": settings}, defaults={"settings": asdict(TrainConfig())})
    return not done


def _discard(work: Path, *, keep: list[Path]) -> None:
    inside = [p for p in keep if p.resolve().is_relative_to(work.resolve())]
    if inside:
        raise CorpusError(
            f"{inside[0]} lies in {work}, which would be discarded: move it out, or give another work folder"
        )
    shutil.rmtree(work, ignore_errors=True)


def _digest(content: bytes) -> str:
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def run(
    recipe_path: Path, *, out: Path, work: Path, start_from: Path | None = None, teacher: Path | None = None,
    fresh: bool = False,
) -> dict[str, Any]:  # fmt: skip
    """Follow a recipe: train in `work` (resuming what lies there), export to `out`, return the scores.

    A [teacher] table is trained first, in `work/teacher`; the tagger of [train] learns its outputs beside the labels, and
    starts from its layers where the recipe says `start = "teacher"`. `start_from` and `teacher` are `work` folders of
    earlier runs and go before both. `fresh` discards what lies in `work`.
    """
    recipe = read_recipe(recipe_path)
    config = TrainConfig(**recipe.get("train", {}))
    base = packaged_encoder()
    if fresh:
        _discard(work, keep=[p for p in (start_from, teacher) if p])
    work.mkdir(parents=True, exist_ok=True)
    tokenizer_json = make_tokenizer_json(base)
    (work / "tokenizer.json").write_text(tokenizer_json, encoding="utf-8")
    tokenizer = load_tokenizer(work / "tokenizer.json")
    training, validation, about = load_data(recipe)
    train_stages(
        recipe, training, validation, base=base, tokenizer=tokenizer, work=work, start_from=start_from, teacher=teacher
    )
    model = load_weights(work, attention="eager")
    special = special_ids(tokenizer)[:2]
    bias = model.distance_bias.detach().numpy()
    scored = score_all(validation, tokenizer, torch_runner(model), special=special, distance_bias=bias)
    # Generated replies are for learning scope, not for what agents' replies look like: they set no threshold.
    natural = [i for i, e in enumerate(validation) if e.origin != "generated"]
    calibration, chosen = calibrate([validation[i] for i in natural], [scored[i] for i in natural])
    versions = {p: version(p) for p in ("torch", "transformers", "onnxruntime", "tokenizers", "numpy")}
    meta = {
        "name": "default", "recipe": recipe, "train": asdict(config), "data": about, "versions": versions,
        "python": platform.python_version(), "validation_torch": _rounded(chosen),
    }  # fmt: skip
    texts = [e.text for e in validation[:200]]
    export(
        model,
        tokenizer_json,
        out,
        calibration=calibration,
        texts=texts,
        int8=recipe.get("export", {}).get("int8", True),
        meta=meta,
    )
    scores = evaluate_folder(out, validation)
    contrast = evaluate_contrast(out)
    meta_path = out / "meta.json"
    content = json.loads(meta_path.read_text(encoding="utf-8"))
    content |= {"validation": scores, "contrast": contrast}
    meta_path.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    write_scores(out)
    return content


def _rounded(scores: dict[str, float]) -> dict[str, float]:
    return {k: round(v, 4) for k, v in scores.items()}
