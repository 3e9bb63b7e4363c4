"""python -m claimx.training: build and describe the corpus, train by a recipe, score a model."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from claimx.errors import ClaimxError


def main(argv: list[str] | None = None) -> int:
    """Run the command line; return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m claimx.training", description=__doc__)
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    corpus = commands.add_parser("corpus", help="build, check or describe the corpus in data/")
    corpus.add_argument("what", choices=["build", "check", "stats"])
    corpus.add_argument("--plot", metavar="FILE", help="with stats: write a picture of the spread (PNG or SVG)")
    corpus.add_argument("--card", metavar="FILE", help="with stats: renew the statistics in this data card")
    corpus.set_defaults(run=_corpus)
    run = commands.add_parser("run", help="train and export by a recipe")
    run.add_argument("recipe", type=Path)
    run.add_argument("--out", type=Path, required=True, help="model folder to write")
    run.add_argument(
        "--work", type=Path, required=True, help="folder for checkpoints; an interrupted run resumes there"
    )
    run.add_argument("--start-from", type=Path, help="weights to start from instead of the base encoder")
    run.add_argument("--teacher", type=Path, help="weights whose distributions are learned beside the labels")
    run.add_argument("--fresh", action="store_true", help="discard what lies in --work")
    run.set_defaults(run=_run)
    evaluate = commands.add_parser("evaluate", help="score a model folder on a split of the corpus")
    evaluate.add_argument("split", choices=["train", "validation", "test", "contrast"])
    evaluate.add_argument("--model", type=Path, help="model folder (default: the shipped one)")
    evaluate.set_defaults(run=_evaluate)
    card = commands.add_parser("card", help="score a model folder and renew the scores in its meta.json and its card")
    card.add_argument("model", type=Path, help="model folder")
    card.add_argument("--held", type=Path, help="labelled replies (JSON Lines) that nothing was trained on")
    card.set_defaults(run=_card)
    args = parser.parse_args(argv)
    try:
        return int(args.run(args))
    except ClaimxError as e:
        sys.stderr.write(f"claimx.training: {e}\n")
        return 2


def _corpus(args: argparse.Namespace) -> int:
    from claimx.training import build

    folder = build.data_folder()
    if args.what == "build":
        from claimx.training.generate import generate

        build.source_folder()
        _print(build.build(folder, generate()))
        return 0
    if args.what == "check":
        examples, faults = build.read_sources(build.source_folder())
        sys.stdout.write(f"{len(examples)} replies read, {len(faults)} faulty\n")
        sys.stdout.writelines(f"  {f}\n" for f in faults)
        return 1 if faults else 0
    from claimx.training.stats import plot, print_table, write_card

    examples = [e for s in build.SPLITS for e in build.load_split(s, folder)]
    print_table(examples)
    if args.card:
        write_card(examples, Path(args.card))
    if args.plot:
        plot(examples, Path(args.plot))
    return 0


def _run(args: argparse.Namespace) -> int:
    from claimx.training.pipeline import run

    content = run(
        args.recipe, out=args.out, work=args.work, start_from=args.start_from, teacher=args.teacher, fresh=args.fresh
    )
    _print({k: content[k] for k in ("data", "parity", "bytes", "validation", "contrast")})
    return 0


def _evaluate(args: argparse.Namespace) -> int:
    from claimx.training.build import load_split
    from claimx.training.scoring import evaluate_contrast, evaluate_folder

    scores = (
        evaluate_contrast(args.model)
        if args.split == "contrast"
        else evaluate_folder(args.model, load_split(args.split))
    )
    _print(scores)
    return 0


def _card(args: argparse.Namespace) -> int:
    from claimx.training.default_card import renew

    renew(args.model, held=args.held)
    return 0


def _print(data: object) -> None:
    sys.stdout.write(json.dumps(data, indent=1, ensure_ascii=False) + "\n")


if __name__ == "__main__":
    sys.exit(main())
