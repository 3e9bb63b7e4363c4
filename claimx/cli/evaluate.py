"""`claimx evaluate`: a model's scores on labelled replies, beside another's, with what is noise called noise."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from claimx.cli.extra import training_module
from claimx.cli.io import BAD_INPUT, OK, Sink, complain
from claimx.cli.train import paths_of
from claimx.errors import InputError

_SPLITS = ("validation", "test", "contrast")


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    evaluate = commands.add_parser(
        "evaluate",
        help="score a model on labelled replies, beside another model",
        description="Score a model on labelled replies, with bootstrap intervals, per source, beside another model on the "
        "same replies. A difference inside the noise is called noise.",
        allow_abbrev=False,
    )
    evaluate.add_argument("model", metavar="MODEL", help="model folder, or 'default' for the shipped model")
    evaluate.add_argument("data", nargs="+", metavar="DATA", help="labels, exports, folders of them, or corpus:validation, "
                          "corpus:test, corpus:contrast")  # fmt: skip
    evaluate.add_argument("--against", metavar="MODEL", help="another model folder, or 'default'")
    evaluate.add_argument("--by", choices=["domain", "origin", "part", "voice", "none"], default="domain",
                          help="what a source is (default %(default)s)")  # fmt: skip
    evaluate.add_argument(
        "--html", metavar="FILE", help="write a page with every misread reply, predicted against gold"
    )
    evaluate.add_argument("--out", metavar="FILE", help="write the scores as JSON (- for stdout)")
    evaluate.add_argument("--draws", type=int, default=1000, metavar="N", help="of the bootstrap (default %(default)s)")
    evaluate.add_argument("--seed", type=int, default=0, help="default %(default)s")
    evaluate.set_defaults(run=_evaluate)


def _evaluate(args: argparse.Namespace) -> int:
    compare = training_module("compare")
    if args.draws < 100:
        raise InputError(f"--draws is {args.draws}, expected 100 or more")
    examples, faults = _labelled(args.data)
    for fault in faults:
        complain(fault)
    if not examples:
        complain("no labelled reply to score")
        return BAD_INPUT
    for name in filter(None, (args.model, args.against)):
        seen = training_module("leakage").seen_among(Path(name), examples)
        if seen:
            complain(
                f"{name} was trained on {seen} of these {len(examples)} replies: score replies that it has not seen"
            )
    read = compare.predictions_of(_folder(args.model), examples)
    other = compare.predictions_of(_folder(args.against), examples) if args.against else None
    by = None if args.by == "none" else lambda e: getattr(e, args.by) or "-"
    found = compare.compare(examples, read, other, by=by, draws=args.draws, seed=args.seed)
    if args.html:
        page = training_module("error_page").make_page(
            examples, found, title=f"{Path(args.model).name} on {', '.join(args.data)}", against=args.against
        )
        Path(args.html).write_text(page, encoding="utf-8")
    if args.out:
        with Sink(args.out) as sink:
            sink.write({"model": args.model, "against": args.against, "data": args.data, **found.to_dict()})
    if args.out != "-":
        _print(found, args)
    return BAD_INPUT if faults else OK


def _folder(name: str) -> Path | None:
    return None if name == "default" else Path(name)


def _labelled(names: list[str]) -> tuple[list[Any], list[str]]:
    from claimx.annotate.exchange import read_labelled

    examples: list[Any] = []
    files = []
    for name in names:
        head, _, split = name.partition(":")
        if head == "corpus" and split in _SPLITS:
            examples += training_module("build").load_split(split)
        else:
            files.append(name)
    found = read_labelled(paths_of(files))
    return examples + found.examples, found.faults


def _print(found: Any, args: argparse.Namespace) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console()
    for group in found.groups:
        table = Table(
            title=f"{group.name}: {group.replies} replies", title_justify="left", header_style="dim", box=None
        )
        names = ["score", Path(args.model).name, "95 %"]
        names += [Path(args.against).name, "gain", "95 %", ""] if args.against else []
        for at, name in enumerate(names):
            table.add_column(name, justify="left" if at == 0 else "right", no_wrap=at not in (1, 3), min_width=5)
        for key, f in group.figures.items():
            cells = [key, f"{f.value:.3f}", f"{f.low:.3f} to {f.high:.3f}"]
            if f.difference is not None:
                d, low, high = f.difference
                style = {"better": "[green]better[/]", "worse": "[red]worse[/]"}.get(f.verdict, "[dim]noise[/]")
                cells += [f"{f.other:.3f}", f"{d:+.3f}", f"{low:+.3f} to {high:+.3f}", style]
            table.add_row(*cells)
        console.print(table)
    console.print(f"[bold]{found.summary}[/]")
    console.print(json.dumps({"calibration_error": round(found.calibration_error, 4)}), style="dim")
