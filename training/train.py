"""Fine-tuning of the tagger with transformers' Trainer."""

from __future__ import annotations

import copy
import hashlib
import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
import torch
from claimx.training.augment import mix
from claimx.training.dataset import Augment, WindowDataset, collate
from claimx.training.distil import Teacher
from claimx.training.evaluate import flat, score, score_by
from claimx.training.model import Tagger, packaged_encoder
from claimx.training.predict import predict_all, score_all, torch_runner
from claimx.training.saved import TAGGER_FILE, load_weights, save_weights
from claimx.training.shrink import shrink
from claimx.training.thresholds import quality
from claimx.training.tokenizer import special_ids
from claimx.training.trainer import Average, Log, Progress, TaggerTrainer, last_checkpoint
from tokenizers import Tokenizer
from transformers import EarlyStoppingCallback, TrainerCallback, TrainingArguments

from claimx.annotate.example import Example
from claimx.errors import CorpusError
from claimx.extract.decode import Calibration


@dataclass(frozen=True, slots=True)
class TrainConfig:
    """Everything that a training run depends on beside the data."""

    layers: list[int] | None = None
    epochs: float = 8.0
    batch_size: int = 24
    learning_rate: float = 1.5e-4
    head_learning_rate: float = 8e-4
    weight_decay: float = 0.01
    warmup: float = 0.06
    dropout: float = 0.1
    augment_rate: float = 0.5
    mask_rate: float = 0.03
    seed: int = 7
    threads: int = 2
    device: str = "cpu"
    average_last: int = 0
    distil: float = 0.0  # weight of the teacher's distributions beside the labels, when there is a teacher
    temperature: float = 1.5
    variants: int = 3  # augmented variants of each reply that a teacher reads
    neurons: int | None = None  # feed-forward neurons kept in each layer, when starting from trained weights
    freeze_words: bool = (
        True  # the word table stays as pretrained: rare words keep their place, and steps are a quarter cheaper
    )
    remember: bool = False  # on replies that are not in-house, stay with what the weights said before
    blend: float = 1.0  # how much of what training changed is kept, where it started from trained weights
    patience: int = 0  # epochs without a better validation score before training stops; 0: no early stopping


def train(
    examples: Sequence[Example],
    validation: Sequence[Example],
    *,
    base: Path | str | None = None,
    tokenizer: Tokenizer,
    out: Path,
    config: TrainConfig,
    refill: Augment | None = None,
    start_from: Path | None = None,
    start: Tagger | None = None,
    teacher: Path | None = None,
    calibration: Calibration | None = None,
    evaluate_every: float = 2.0,
) -> Tagger:
    """Fine-tune and return the tagger; checkpoints and a log go to `out`, from which an interrupted run resumes.

    It starts from the weights in `start_from`, from the tagger `start`, or from the encoder `base` with fresh heads.
    Validation replies are read with the thresholds of `calibration`.
    """
    out.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(config.threads)
    random.seed(config.seed)
    np.random.seed(config.seed)
    torch.manual_seed(config.seed)
    data = WindowDataset(
        examples,
        tokenizer,
        special=special_ids(tokenizer),
        augment=mix(refill=refill, rate=config.augment_rate) if config.augment_rate else None,
        mask_rate=config.mask_rate,
        seed=config.seed,
        variants=config.variants if teacher is not None else 0,
        remember=(lambda e: e.origin != "in-house") if config.remember else None,
    )

    start = load_weights(start_from) if start_from else start
    model = (
        _started(start, data, config)
        if start is not None
        else Tagger.from_encoder(base or packaged_encoder(), layers=config.layers, dropout=config.dropout)
    )
    if config.blend < 1 and start is None:
        raise CorpusError(
            "blend goes back towards the weights that training starts from: give such weights, or leave it out"
        )
    goes_back = config.blend < 1
    before = None
    if config.remember or goes_back:
        before = copy.deepcopy(model).eval().requires_grad_(False).to(config.device)
    model.encoder.get_input_embeddings().weight.requires_grad_(not config.freeze_words)

    def evaluate() -> dict[str, float]:
        was = model.training
        run = torch_runner(model, config.device)
        scored = score_all(
            validation,
            tokenizer,
            run,
            special=special_ids(tokenizer)[:2],
            distance_bias=model.distance_bias.detach().cpu().numpy(),
        )
        predictions = predict_all(validation, scored, calibration or Calibration())
        model.train(was)
        # One's own replies and the corpus' count alike, however many there are of each.
        sides = score_by(validation, predictions, lambda e: str(e.origin == "in-house")).values()
        balance = sum(quality(flat(s)) for s in sides) / max(1, len(sides))
        scores = {**flat(score(validation, predictions)), "quality": balance}
        return {k: round(v, 4) for k, v in scores.items()}

    stops = config.patience > 0
    average = Average(config.average_last, config.epochs)
    callbacks: list[TrainerCallback] = [Log(out / "log.jsonl")]
    if stops:
        callbacks.append(EarlyStoppingCallback(early_stopping_patience=config.patience))
    else:
        callbacks.append(Progress(evaluate_every))
    if config.average_last and not stops:
        callbacks.append(average)
    trainer = TaggerTrainer(
        model=model, args=_arguments(config, out / "checkpoints", windows=len(data)), train_dataset=data, eval_dataset=data,
        data_collator=collate, callbacks=callbacks,
    )  # fmt: skip
    trainer.head_learning_rate, trainer.measure, trainer.before = (
        config.head_learning_rate,
        evaluate,
        before if config.remember else None,
    )
    if teacher is not None and config.distil:
        known = out.parent / f"teacher-{_fingerprint(teacher, data)}.safetensors"
        trainer.teacher = Teacher(load_weights(teacher).to(config.device), known)
        trainer.distil, trainer.temperature = config.distil, config.temperature
    trainer.train(resume_from_checkpoint=last_checkpoint(out / "checkpoints"))
    if trainer.teacher is not None:
        trainer.teacher.save()
    if average.mean:
        model.load_state_dict({**model.state_dict(), **average.mean})
    if before is not None and goes_back:
        model.load_state_dict(blended(before.state_dict(), model.state_dict(), config.blend))
    model.eval()
    (out / "train.json").write_text(json.dumps(asdict(config), indent=1) + "\n", encoding="utf-8")
    save_weights(model, out)
    return model


def blended(old: Mapping[str, torch.Tensor], new: Mapping[str, torch.Tensor], share: float) -> dict[str, torch.Tensor]:
    """Go back part of the way from new weights to those that training started from: `share` of each change stays.

    What was learned elsewhere comes back sooner than what was learned here is lost (Wortsman et al., Robust fine-tuning of
    zero-shot models, arXiv:2109.01903).
    """
    return {k: torch.lerp(old[k].to(v), v, share) if v.is_floating_point() else v for k, v in new.items()}


def _arguments(config: TrainConfig, folder: Path, *, windows: int) -> TrainingArguments:
    """What the Trainer is told: half precision on a GPU, the best epoch kept where training may stop early."""
    stops = config.patience > 0
    on_gpu = config.device == "cuda"
    whole = on_gpu and torch.cuda.is_bf16_supported()
    return TrainingArguments(
        output_dir=str(folder),
        num_train_epochs=config.epochs,
        per_device_train_batch_size=config.batch_size,
        learning_rate=config.learning_rate,
        weight_decay=config.weight_decay,
        warmup_steps=int(max(1, windows / config.batch_size * config.epochs) * config.warmup),
        lr_scheduler_type="linear",
        max_grad_norm=1.0,
        train_sampling_strategy="group_by_length",
        save_strategy="epoch",
        save_total_limit=2,
        eval_strategy="epoch" if stops else "no",
        load_best_model_at_end=stops,
        metric_for_best_model="eval_quality" if stops else None,
        greater_is_better=True if stops else None,
        logging_steps=25,
        report_to=[],
        seed=config.seed,
        use_cpu=not on_gpu,
        bf16=whole,
        fp16=on_gpu and not whole,
        remove_unused_columns=False,
        dataloader_num_workers=0,
        disable_tqdm=False,
    )


def _started(model: Tagger, data: WindowDataset, config: TrainConfig) -> Tagger:
    """Cut loaded weights to the configured shape; the first windows of the data tell which neurons matter."""
    everything = list(range(model.config.num_hidden_layers))
    layers = everything if config.layers is None else config.layers
    if layers == everything and config.neurons in (None, model.config.intermediate_size):
        return model
    step = max(1, len(data) // 256)
    windows = [data[i] for i in range(0, len(data), step)]
    batches = [collate(windows[i : i + 16]) for i in range(0, len(windows), 16)]
    return shrink(model, layers=layers, neurons=config.neurons, batches=batches)


def _fingerprint(teacher: Path, data: WindowDataset) -> str:
    """Name the outputs of a teacher on a data set: they hold for these weights, replies, seed and variants alone."""
    digest = hashlib.sha256((teacher / TAGGER_FILE).read_bytes())
    digest.update(json.dumps([data.seed, data.variants, data.mask_rate]).encode())
    for e in data.examples:
        digest.update(e.text.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:16]
