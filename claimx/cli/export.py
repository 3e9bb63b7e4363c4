"""`claimx export`: a trained model as a folder, a spaCy package or a Hugging Face style folder; distilled where asked."""

from __future__ import annotations

import argparse
from pathlib import Path

from claimx.cli.extra import training_module
from claimx.cli.io import OK, complain
from claimx.cli.train import paths_of, settings_of
from claimx.errors import InputError


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    export = commands.add_parser(
        "export",
        help="package a model: a folder, a spaCy package, a Hugging Face style folder",
        description="Package a model folder for deployment and check that the package reads as the model does. --distil first "
        "teaches the small shape what the model knows, in the folder OUT-distilled.",
        allow_abbrev=False,
    )
    export.add_argument("model", metavar="MODEL", help="model folder, or 'default' for the shipped model")
    export.add_argument(
        "--to", choices=["folder", "spacy", "huggingface"], default="folder", help="default %(default)s"
    )
    export.add_argument("--out", required=True, metavar="DIR", help="folder to write to")
    export.add_argument("--name", help="of the spaCy package: en_claimx_NAME (default: the model folder's name)")
    export.add_argument("--version", default="0.1.0", help="of the spaCy package (default %(default)s)")
    export.add_argument("--wheel", action="store_true", help="with --to spacy: also build a wheel")
    export.add_argument("--fp32", action="store_true", help="with --to folder: floating-point weights instead of int8")
    export.add_argument(
        "--distil", action="store_true", help="teach the small shape (three layers) first; needs --data"
    )
    export.add_argument(
        "--data", action="append", default=[], metavar="PATH", help="with --distil: your labelled replies"
    )
    export.add_argument(
        "--config", metavar="FILE", help="with --distil: TOML file with settings, as 'claimx train' reads"
    )
    export.add_argument("--epochs", type=float, help="with --distil: epochs at most (default 10)")
    export.add_argument("--device", choices=["auto", "cpu", "cuda"], help="with --distil: default auto")
    export.add_argument("--fresh", action="store_true", help="with --distil: discard what an interrupted run left")
    export.set_defaults(run=_export)


def _export(args: argparse.Namespace) -> int:
    packaging = training_module("packaging")
    model, out = packaging.folder_of(args.model), Path(args.out)
    own_name = model.name
    if args.fp32 and args.to != "folder":
        raise InputError("--fp32 goes with --to folder; export to a folder first, then package that")
    if args.distil:
        if not args.data:
            raise InputError("--distil needs --data: the labelled replies that the model was trained on")
        # Beside the package, not in it: weights to go on from are no part of what is deployed.
        named = out if out.name.strip(".") else out.resolve()
        small = named.with_name(f"{named.name}-distilled")
        meta = training_module("smaller").distil(
            model, paths_of(args.data), small, settings_of(args), name=named.name, fresh_start=args.fresh
        )
        complain(f"distilled: {small} (claims F1 {meta['validation']['claim_f1']:.3f} on validation replies)")
        model = small
    if args.to == "huggingface" or args.fp32:
        training_module("weights")  # says which package is missing
    if args.to == "folder":
        made = packaging.to_folder(model, out, int8=not args.fp32)
    elif args.to == "spacy":
        name = packaging.name_of(args.name or own_name)
        made = packaging.to_spacy(model, out, name=name, version=args.version, wheel=args.wheel)
    else:
        made = packaging.to_huggingface(model, out)
    complain(f"written: {made}")
    return OK
