"""Fine-tuning of the tagger with transformers' Trainer, and the choice of thresholds on validation data."""

from __future__ import annotations

import hashlib
import json
import random
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from claimx.training.augment import mix
from claimx.training.dataset import Augment, WindowDataset, collate
from claimx.training.distil import Teacher, distillation_loss
from claimx.training.evaluate import calibration_error, flat, score
from claimx.training.model import Tagger, packaged_encoder
from claimx.training.predict import predict_all, score_all, torch_runner
from claimx.training.shrink import shrink
from claimx.training.tokenizer import special_ids
from tokenizers import Tokenizer
from torch import nn
from transformers import AutoConfig, EarlyStoppingCallback, Trainer, TrainerCallback, TrainingArguments

from claimx.annotate.example import Example
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
    patience: int = 0  # epochs without a better validation score before training stops; 0: no early stopping


class _TaggerTrainer(Trainer):
    """Trainer with a higher learning rate for the fresh heads than for the pretrained encoder."""

    head_learning_rate: float = 1e-3
    teacher: Teacher | None = None
    distil: float = 0.0
    temperature: float = 1.0
    measure: Callable[[], dict[str, float]] | None = None

    def evaluate(self, *_: Any, metric_key_prefix: str = "eval", **__: Any) -> dict[str, float]:
        """Score validation replies as production reads them, in place of a loss over padded batches."""
        figures = {f"{metric_key_prefix}_{k}": v for k, v in self.measure().items()} if self.measure else {}
        self.log(figures)
        self.control = self.callback_handler.on_evaluate(self.args, self.state, self.control, figures)
        return figures

    def compute_loss(self, model: nn.Module, inputs: dict[str, Any], return_outputs: bool = False, **_: Any) -> Any:
        out = model(**inputs)
        loss = out["loss"]
        if self.teacher is not None:
            target = self.teacher.packed(inputs)
            soft = distillation_loss(
                self.model, self.teacher.model, out["packed"], target, inputs, temperature=self.temperature
            )
            loss = (1 - self.distil) * loss + self.distil * soft
        return (loss, out) if return_outputs else loss

    def create_optimizer(self, model: nn.Module | None = None) -> torch.optim.Optimizer:
        if self.optimizer is None:
            groups: dict[tuple[bool, bool], list[nn.Parameter]] = {}
            for name, p in self.model.named_parameters():
                if not p.requires_grad:
                    continue
                fresh = not name.startswith("encoder.")
                decays = p.ndim > 1
                groups.setdefault((fresh, decays), []).append(p)
            self.optimizer = torch.optim.AdamW(
                [
                    {
                        "params": params,
                        "lr": self.head_learning_rate if fresh else self.args.learning_rate,
                        "weight_decay": self.args.weight_decay if decays else 0.0,
                    }
                    for (fresh, decays), params in groups.items()
                ],
                fused=self.args.device.type == "cpu" or None,
            )
        return self.optimizer


class _Progress(TrainerCallback):
    """Asks for validation scores at the end of some epochs."""

    def __init__(self, every: float) -> None:
        self.every, self.next = every, every

    def on_epoch_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        if state.epoch + 1e-3 >= self.next:
            self.next += self.every
            control.should_evaluate = True


class _Log(TrainerCallback):
    """Keeps the validation scores as JSON lines."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def on_evaluate(self, args: Any, state: Any, control: Any, metrics: dict[str, float], **_: Any) -> None:
        scores = {k.removeprefix("eval_"): v for k, v in metrics.items()}
        row = {"epoch": round(state.epoch or 0.0, 2), "step": state.global_step, **scores}
        with self.path.open("a", encoding="utf-8") as f:
            f.write(json.dumps(row) + "\n")


class _Average(TrainerCallback):
    """Averages the weights over the last epochs, which costs nothing and steadies small-data training."""

    def __init__(self, last: int, epochs: float) -> None:
        self.start, self.n = epochs - last + 1e-3, 0
        self.mean: dict[str, torch.Tensor] = {}

    def on_epoch_end(self, args: Any, state: Any, control: Any, model: nn.Module, **_: Any) -> None:
        if state.epoch < self.start:
            return
        self.n += 1
        for k, v in model.state_dict().items():
            if v.is_floating_point():
                self.mean[k] = v.detach().clone() if self.n == 1 else self.mean[k] + (v - self.mean[k]) / self.n


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
    evaluate_every: float = 2.0,
) -> Tagger:
    """Fine-tune and return the tagger; checkpoints and a log go to `out`, from which an interrupted run resumes.

    It starts from the weights in `start_from`, from the tagger `start`, or from the encoder `base` with fresh heads.
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
    )

    start = load_weights(start_from) if start_from else start
    model = (
        _started(start, data, config)
        if start is not None
        else Tagger.from_encoder(base or packaged_encoder(), layers=config.layers, dropout=config.dropout)
    )
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
        scores = flat(score(validation, predict_all(validation, scored, Calibration())))
        model.train(was)
        return {k: round(v, 4) for k, v in {**scores, "quality": quality(scores)}.items()}

    steps = max(1, round(len(data) / config.batch_size * config.epochs))
    stops = config.patience > 0
    on_gpu = config.device == "cuda"
    whole = on_gpu and torch.cuda.is_bf16_supported()
    args = TrainingArguments(
        output_dir=str(out / "checkpoints"),
        num_train_epochs=config.epochs,
        per_device_train_batch_size=config.batch_size,
        learning_rate=config.learning_rate,
        weight_decay=config.weight_decay,
        warmup_steps=int(steps * config.warmup),
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
    average = _Average(config.average_last, config.epochs)
    callbacks: list[TrainerCallback] = [_Log(out / "log.jsonl")]
    if stops:
        callbacks.append(EarlyStoppingCallback(early_stopping_patience=config.patience))
    else:
        callbacks.append(_Progress(evaluate_every))
    if config.average_last and not stops:
        callbacks.append(average)
    trainer = _TaggerTrainer(
        model=model, args=args, train_dataset=data, eval_dataset=data, data_collator=collate, callbacks=callbacks
    )
    trainer.head_learning_rate, trainer.measure = config.head_learning_rate, evaluate
    if teacher is not None and config.distil:
        known = out.parent / f"teacher-{_fingerprint(teacher, data)}.safetensors"
        trainer.teacher = Teacher(load_weights(teacher).to(config.device), known)
        trainer.distil, trainer.temperature = config.distil, config.temperature
    resumable = any((out / "checkpoints").glob("checkpoint-*"))
    trainer.train(resume_from_checkpoint=resumable or None)
    if trainer.teacher is not None:
        trainer.teacher.save()
    if average.mean:
        model.load_state_dict({**model.state_dict(), **average.mean})
    model.eval()
    save_weights(model, out, config)
    return model


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
    digest = hashlib.sha256((teacher / "weights.safetensors").read_bytes())
    digest.update(json.dumps([data.seed, data.variants, data.mask_rate]).encode())
    for e in data.examples:
        digest.update(e.text.encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:16]


def save_weights(model: Tagger, folder: Path, config: TrainConfig | None = None) -> None:
    """Write weights (safetensors) and the encoder's configuration."""
    from safetensors.torch import save_file

    folder.mkdir(parents=True, exist_ok=True)
    save_file({k: v.contiguous().cpu() for k, v in model.state_dict().items()}, folder / "weights.safetensors")
    model.config.save_pretrained(folder)
    if config:
        (folder / "train.json").write_text(json.dumps(asdict(config), indent=1) + "\n", encoding="utf-8")


def load_weights(folder: Path, *, attention: str = "sdpa") -> Tagger:
    """Read what `save_weights` wrote; export needs `attention` "eager"."""
    from safetensors.torch import load_file

    model = Tagger(AutoConfig.from_pretrained(folder, attn_implementation=attention))
    model.load_state_dict(load_file(folder / "weights.safetensors"))
    return model.eval()


def quality(scores: dict[str, float]) -> float:
    """The one figure that training and thresholds are chosen by: claims first, all actions and attributes beside them.

    Claims count by their F0.5: a claim read where none is made may end as a false accusation, which is worse than a miss.
    """
    p, r = scores["claim_p"], scores["claim_r"]
    claims = 1.25 * p * r / (0.25 * p + r) if p + r else 0.0
    return claims + 0.3 * scores["action_f1"] + 0.3 * scores["joint"]


def calibrate(examples: Sequence[Example], scored: Sequence[Any]) -> tuple[Calibration, dict[str, float]]:
    """Choose temperature, trigger bias and claim threshold on validation scores.

    The temperature minimises the calibration error of the claim score; bias and threshold then maximise `quality`.
    """
    errors = {
        t: calibration_error(examples, predict_all(examples, scored, Calibration(attributes=t)))
        for t in (0.8, 1.0, 1.25, 1.5, 2.0)
    }
    t = min(errors, key=errors.__getitem__)

    def best_of(choices: Sequence[Calibration]) -> Calibration:
        return max(choices, key=lambda c: quality(flat(score(examples, predict_all(examples, scored, c)))))

    # One after the other: the two hardly interact, and every try decodes all replies.
    found = best_of([Calibration(attributes=t, trigger_bias=b) for b in (-0.5, 0.0, 0.5, 1.0)])
    thresholds = (0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7)
    found = best_of([replace(found, claim_threshold=x) for x in thresholds])
    final = score(examples, predict_all(examples, scored, found))
    return found, {**flat(final), "ece": errors[t]}
