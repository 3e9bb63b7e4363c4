"""`claimx train`: a better model for one's own agent from one's own labelled replies."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from claimx.cli.extra import training_module
from claimx.cli.io import OK, complain
from claimx.errors import InputError

_FLAGS = ("base", "mix", "blend", "epochs", "patience", "batch_size", "learning_rate", "head_learning_rate", "validation", "seed", "device",
          "threads", "int8", "freeze_words")  # fmt: skip


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    train = commands.add_parser(
        "train",
        help="fine-tune a model on labelled replies (needs claimx[train])",
        description="Fine-tune on labelled replies and write a model folder. Starts from the shipped model or any encoder, "
        "mixes in the project's corpus against forgetting, stops early, and resumes when it is started again.",
        allow_abbrev=False,
    )
    train.add_argument(
        "--data", action="append", required=True, metavar="PATH", help="labels, exports or a folder of them"
    )
    train.add_argument("--out", required=True, metavar="DIR", help="model folder to write")
    train.add_argument("--config", metavar="FILE", help="TOML file with the settings below; flags win over it")
    train.add_argument("--base", help="'default', a claimx model folder, or a Hugging Face encoder by name or folder")
    train.add_argument("--mix", type=float, help="share of the project's corpus in an epoch (default 0.5; 0: none)")
    train.add_argument(
        "--blend",
        type=float,
        help="how much of what training changed is kept, against forgetting, where it starts from a model of claimx's (default 0.7; 1: all)",
    )
    train.add_argument("--epochs", type=float, help="epochs at most (default 10)")
    train.add_argument("--patience", type=int, help="epochs without gain before stopping (default 3; 0: never)")
    train.add_argument("--batch-size", type=int, help="default 8")
    train.add_argument("--learning-rate", type=float, help="of the encoder (default 1e-4)")
    train.add_argument("--head-learning-rate", type=float, help="of the heads (default 5e-4)")
    train.add_argument("--validation", type=float, help="share of your replies kept for validation (default 0.2)")
    train.add_argument("--seed", type=int, help="default 7")
    train.add_argument("--device", choices=["auto", "cpu", "cuda"], help="default auto; mixed precision on a GPU")
    train.add_argument("--threads", type=int, help="CPU threads (default: all, or OMP_NUM_THREADS)")
    train.add_argument("--fp32", dest="int8", action="store_false", default=None, help="write floating-point weights")
    train.add_argument("--train-words", dest="freeze_words", action="store_false", default=None,
                       help="train the word table, too (an encoder with another vocabulary may gain)")  # fmt: skip
    train.add_argument("--fresh", action="store_true", help="discard what an interrupted run left in --out")
    train.set_defaults(run=_train)


def settings_of(args: argparse.Namespace) -> Any:
    """Read the settings from file and flags; flags win."""
    settings = training_module("settings").FineTune
    flags = {k: getattr(args, k, None) for k in _FLAGS}
    if getattr(args, "config", None):
        return settings.from_toml(Path(args.config), **flags)
    return settings(**{k: v for k, v in flags.items() if v is not None})


def paths_of(names: list[str]) -> list[Path]:
    """Existing paths; raise InputError that names the one that is not there."""
    paths = [Path(n) for n in names]
    for path in paths:
        if not path.exists():
            raise InputError(f"{path}: no such file or folder")
    return paths


def _train(args: argparse.Namespace) -> int:
    data = paths_of(args.data)
    inhouse = training_module("inhouse")
    meta = inhouse.fine_tune(data, Path(args.out), settings_of(args), fresh_start=args.fresh)
    own = meta["validation"].get("by_origin", {}).get("in-house", meta["validation"])
    complain(
        f"written: {args.out} (in-house validation: claims P {own['claim_p']:.3f} R {own['claim_r']:.3f}, attributes "
        f"{own['joint']:.3f}, values {own['slot_f1']:.3f}); compare on labels kept apart: claimx evaluate {args.out} LABELS --against default"
    )
    return OK
