"""Fine-tuning on a team's own labelled replies: from the shipped weights or any encoder, mixed with the project's corpus."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import shutil
import sys
import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

import torch
from claimx.training.augment import refill
from claimx.training.build import load_split
from claimx.training.corpus import split_off
from claimx.training.export import export
from claimx.training.model import Tagger
from claimx.training.predict import score_all, torch_runner
from claimx.training.standoff import strip
from claimx.training.tokenizer import special_ids, tokenizer_json_of
from claimx.training.train import TrainConfig, calibrate, load_weights, save_weights, train
from claimx.training.weights import TORCH_FOLDER, trainable

from claimx.annotate.example import Example
from claimx.annotate.exchange import read_labelled
from claimx.annotate.marks import ATTRIBUTES, KINDS
from claimx.errors import CorpusError, ModelError
from claimx.extract.encoding import load_tokenizer
from claimx.extract.model import CONFIG_FILE, TOKENIZER_FILE, default_path

#: Fewer labelled replies than this teach nothing that could be told from chance.
FEWEST = 20
#: The share of tags that int8 must leave as they are: less than for the shipped model, whose recipe was tried until it held more.
_INT8_AGREEMENT = 0.97
#: At most this many replies of the corpus stand beside the in-house ones for early stopping and thresholds.
_CORPUS_VALIDATION = 120


@dataclass(frozen=True, slots=True)
class FineTune:
    """Everything that a fine-tuning run depends on beside the data; the defaults suit some hundred replies on a CPU."""

    base: str = "default"
    mix: float = 0.5
    epochs: float = 10.0
    patience: int = 3
    batch_size: int = 16
    learning_rate: float = 6e-5
    head_learning_rate: float = 3e-4
    validation: float = 0.2
    augment_rate: float = 0.4
    seed: int = 7
    device: str = "auto"
    threads: int = 0
    int8: bool = True
    freeze_words: bool = True

    @classmethod
    def from_toml(cls, path: Path, **flags: Any) -> FineTune:
        """Read a configuration file; `flags` that are not None win over it. Raises CorpusError on what is not known."""
        known = {f.name for f in fields(cls)}
        try:
            data = tomllib.loads(path.read_text(encoding="utf-8"))
        except OSError as e:
            raise CorpusError(f"{path}: cannot be read ({e.strerror})") from e
        except tomllib.TOMLDecodeError as e:
            raise CorpusError(f"{path}: not TOML ({e})") from e
        data = data.get("train", data)
        unknown = sorted(set(data) - known)
        if unknown:
            raise CorpusError(f"{path}: unknown keys {', '.join(unknown)} (known: {', '.join(sorted(known))})")
        return cls(**data)._with(flags)

    def _with(self, flags: dict[str, Any]) -> FineTune:
        return replace(self, **{k: v for k, v in flags.items() if v is not None})

    def checked(self) -> FineTune:
        """Return the settings with the device resolved; raise CorpusError on values that cannot be."""
        for name, low, high in (("mix", 0, 0.95), ("validation", 0.05, 0.5), ("augment_rate", 0, 1)):
            if not low <= getattr(self, name) <= high:
                raise CorpusError(f"{name} is {getattr(self, name)}, expected {low} to {high}")
        for name in ("epochs", "batch_size", "learning_rate", "head_learning_rate"):
            if not getattr(self, name) > 0:
                raise CorpusError(f"{name} is {getattr(self, name)}, expected more than 0")
        return replace(self, device=device_of(self.device), threads=self.threads or os.cpu_count() or 1)


@dataclass(slots=True)
class Data:
    """The replies of a run, and what to tell the user of them."""

    training: list[Example]
    validation: list[Example]
    own: int = 0
    corpus: int = 0
    own_validation: int = 0
    notes: list[str] = field(default_factory=list)

    @property
    def digest(self) -> str:
        """Digest of every label and text digest, in order."""
        digest = hashlib.sha256()
        for e in [*self.training, *self.validation]:
            digest.update(json.dumps(strip(e), sort_keys=True).encode())
        return f"sha256:{digest.hexdigest()}"


def device_of(name: str) -> str:
    """Resolve `auto`; raise ModelError when a GPU is asked for and none is there."""
    there = torch.cuda.is_available()
    if name == "auto":
        return "cuda" if there else "cpu"
    if name not in ("cpu", "cuda"):
        raise ModelError(f"device is {name!r}, expected cpu, cuda or auto")
    if name == "cuda" and not there:
        raise ModelError("torch sees no CUDA device: install torch with CUDA, or give --device cpu")
    return name


def load_own(names: Sequence[Path], settings: FineTune) -> tuple[list[Example], list[Example]]:
    """Read labelled replies and set some apart for validation: `validation.jsonl` where the folder has one, else a share.

    Raises CorpusError that lists what is wrong, or says that there are too few.
    """
    held_files = [n / "validation.jsonl" for n in names if n.is_dir() and (n / "validation.jsonl").is_file()]
    found = read_labelled(names)
    if found.faults:
        shown = "\n  ".join(found.faults[:20])
        more = f"\n  ... and {len(found.faults) - 20} more" if len(found.faults) > 20 else ""
        raise CorpusError(
            f"{found.faulty} labelled replies have faults; correct them, or leave them out:\n  {shown}{more}"
        )
    if len(found.examples) < FEWEST:
        raise CorpusError(
            f"{len(found.examples)} labelled replies are too few, {FEWEST} are the least: label more with "
            "'claimx annotate' ('--limit 200' is a good start)"
        )
    if held_files:
        texts = {e.text for e in read_labelled(held_files).examples}
        return [e for e in found.examples if e.text not in texts], [e for e in found.examples if e.text in texts]
    return split_off(found.examples, settings.validation, seed=settings.seed)


def gather(names: Sequence[Path], settings: FineTune, *, fresh: bool) -> Data:
    """Put in-house replies and replies of the corpus together; `fresh` says that the base has no trained heads.

    `mix` is the corpus' share of an epoch. Raises CorpusError when a label would be learned from nothing.
    """
    own, held = load_own(names, settings)
    corpus = (
        _sample("train", round(len(own) * settings.mix / (1 - settings.mix)), settings.seed) if settings.mix else []
    )
    beside = _sample("validation", min(_CORPUS_VALIDATION, 2 * len(held)), settings.seed) if settings.mix else []
    data = Data([*own, *corpus], [*held, *beside], len(own), len(corpus), len(held))
    counts = _label_counts(data.training)
    missing = [k for k in counts if not counts[k]]
    if missing and fresh:
        raise CorpusError(
            f"no reply has a label for {', '.join(missing)}: an encoder without trained heads cannot learn them; label some, "
            "raise --mix, or start from --base default"
        )
    own_counts = _label_counts(own)
    rare = [f"{k} {n}" for k, n in own_counts.items() if n < 5]
    if rare:
        data.notes.append(
            "seldom or never labelled in your replies, learned from base and corpus alone: " + ", ".join(rare)
        )
    if len(own) < 100:
        data.notes.append(
            f"{len(own)} replies to train on: expect a gain only where they differ much from what the base knows"
        )
    return data


def _sample(split: str, count: int, seed: int) -> list[Example]:
    """Draw replies of a split of the corpus, the grammar's left out: they teach scope, not how agents write."""
    from datasets import Dataset

    pool = [e for e in load_split(split) if e.origin != "generated"]
    order = Dataset.from_dict({"at": list(range(len(pool)))}).shuffle(seed=seed)["at"]
    return [pool[i] for i in list(order)[:count]]


def _label_counts(examples: Sequence[Example]) -> Counter[str]:
    """How often each span type and each attribute value is labelled; every label of the schema has a count."""
    counts: Counter[str] = Counter({k: 0 for k in (*KINDS, *(v for vs in ATTRIBUTES.values() for v in vs))})
    for e in examples:
        counts.update(kind for kind, _, _ in e.spans())
        counts.update(a[k] for a in e.actions for k in ATTRIBUTES)
    return counts


def start_of(base: str) -> tuple[Tagger | None, str]:
    """Return the weights to start from, None for an encoder without heads, and the tokenizer.json that goes with them."""
    folder = default_path() if base == "default" else Path(base)
    if (folder / CONFIG_FILE).is_file():
        config = json.loads((folder / CONFIG_FILE).read_text(encoding="utf-8"))
        if "tags" in config and "link_width" in config:
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
        freeze_words=settings.freeze_words,
    )  # fmt: skip
    if not (work / "weights.safetensors").is_file():
        train(
            data.training, data.validation, base=settings.base, start=start, tokenizer=tokenizer, out=work, config=config,
            refill=refill,
        )  # fmt: skip
    shutil.rmtree(work / "checkpoints", ignore_errors=True)
    about = {
        "in_house": data.own, "in_house_validation": data.own_validation, "corpus": data.corpus,
        "corpus_validation": len(data.validation) - data.own_validation, "digest": data.digest,
    }  # fmt: skip
    meta = {"name": out.name, "fine_tune": {**asdict(settings), "base": _name_of(settings.base)}, "data": about}
    return finish(work, tokenizer_json, out, data.validation, meta, int8=settings.int8)


def finish(
    work: Path, tokenizer_json: str, out: Path, validation: Sequence[Example], meta: dict[str, Any], *, int8: bool
) -> dict[str, Any]:
    """Choose thresholds on validation replies, export, score, and write the card; return what meta.json says."""
    from claimx.training.card import write_card
    from claimx.training.scoring import evaluate_folder

    from claimx.extract.model import META_FILE

    model = load_weights(work, attention="eager")
    tokenizer = load_tokenizer(work / TOKENIZER_FILE)
    scored = score_all(
        validation, tokenizer, torch_runner(model), special=special_ids(tokenizer)[:2],
        distance_bias=model.distance_bias.detach().numpy(),
    )  # fmt: skip
    calibration, chosen = calibrate(validation, scored)
    versions = {p: version(p) for p in ("torch", "transformers", "onnxruntime", "tokenizers", "numpy")}
    meta = {**meta, "versions": versions, "python": platform.python_version(), "validation_torch": chosen}
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
            refill=refill,
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
    return finish(work, tokenizer_json, out, data.validation, meta, int8=settings.int8)
