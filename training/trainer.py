"""transformers' Trainer as the tagger needs it: two learning rates, a teacher or a memory beside the labels, scores as production reads."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from claimx.training.distil import Teacher, distillation_loss
from claimx.training.model import Tagger
from torch import nn
from transformers import Trainer, TrainerCallback
from transformers.trainer import TRAINER_STATE_NAME


class TaggerTrainer(Trainer):
    """Trainer with a higher learning rate for the fresh heads than for the pretrained encoder."""

    head_learning_rate: float = 1e-3
    teacher: Teacher | None = None
    distil: float = 0.0
    temperature: float = 1.0
    measure: Callable[[], dict[str, float]] | None = None
    before: Tagger | None = None

    def evaluate(self, *_: Any, metric_key_prefix: str = "eval", **__: Any) -> dict[str, float]:
        """Score validation replies as production reads them, in place of a loss over padded batches."""
        figures = {f"{metric_key_prefix}_{k}": v for k, v in self.measure().items()} if self.measure else {}
        self.log(figures)
        self.control = self.callback_handler.on_evaluate(self.args, self.state, self.control, figures)
        return figures

    def compute_loss(self, model: nn.Module, inputs: dict[str, Any], return_outputs: bool = False, **_: Any) -> Any:
        remember = inputs.pop("remember", None)
        if self.before is not None and remember is not None and bool(remember.any()):
            return self._remembering(model, inputs, remember, return_outputs)
        out = model(**inputs)
        loss = out["loss"]
        if self.teacher is not None:
            target = self.teacher.packed(inputs)
            soft = distillation_loss(
                self.model, self.teacher.model, out["packed"], target, inputs, temperature=self.temperature
            )
            loss = (1 - self.distil) * loss + self.distil * soft
        return (loss, out) if return_outputs else loss

    def _remembering(self, model: nn.Module, inputs: dict[str, Any], rows: torch.Tensor, return_outputs: bool) -> Any:
        """Learn labels on some rows; on `rows` stay with what the model said before (Li, Hoiem: Learning without Forgetting,
        arXiv:1606.09282)."""
        labels = ("tags", "attributes", "links")
        hidden = {k: inputs[k].masked_fill(rows.view(-1, *[1] * (inputs[k].ndim - 1)), -100) for k in labels}
        out = model(**{**inputs, **hidden})
        batch = {k: v[rows] for k, v in inputs.items()}
        with torch.no_grad():
            target = self.before.packed(batch["input_ids"], batch["features"], batch["attention_mask"])
        kept = distillation_loss(self.model, self.before, out["packed"][rows], target, batch, temperature=1.0)
        share = rows.float().mean()
        loss = (1 - share) * out["loss"] + share * kept
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


class Progress(TrainerCallback):
    """Asks for validation scores at the end of some epochs."""

    def __init__(self, every: float) -> None:
        self.every, self.next = every, every

    def on_epoch_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
        if state.epoch + 1e-3 >= self.next:
            self.next += self.every
            control.should_evaluate = True


class Log(TrainerCallback):
    """Keeps the validation scores as JSON lines."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def on_evaluate(self, args: Any, state: Any, control: Any, metrics: dict[str, float], **_: Any) -> None:
        scores = {k.removeprefix("eval_"): v for k, v in metrics.items()}
        row = {"epoch": round(state.epoch or 0.0, 2), "step": state.global_step, **scores}
        with self.path.open("a", encoding="utf-8") as f:
            f.write(json.dumps(row) + "\n")


class Average(TrainerCallback):
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


def last_checkpoint(folder: Path) -> str | None:
    """Path of the newest checkpoint that was written to its end, None where there is none; newer halves are removed.

    The Trainer writes a checkpoint's trainer_state.json last.
    """
    steps = {int(p.name.rpartition("-")[2]): p for p in folder.glob("checkpoint-*") if p.name[11:].isdigit()}
    for step in sorted(steps, reverse=True):
        try:
            json.loads((steps[step] / TRAINER_STATE_NAME).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            shutil.rmtree(steps[step])
        else:
            return str(steps[step])
    return None
