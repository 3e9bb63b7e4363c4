"""`claimx annotate`: what is worth labelling, pre-labelled, for an annotation tool; and `annotate import`, the way back."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from claimx.cli.io import BAD_INPUT, OK, Faults, add_format, complain, runs_in
from claimx.errors import InputError
from claimx.records import parse_run
from claimx.types import Run

_FORMATS = ("label-studio", "prodigy", "doccano", "inline")


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Declare the command."""
    annotate = commands.add_parser(
        "annotate",
        help="pick replies worth labelling for an annotation tool, or 'annotate import' labels from one",
        description="Pick the replies that are most worth a person's labels (where the model is unsure, where the "
        "ledger disagrees, none twice) and write them, labelled by the current model, as tasks for an annotation tool. "
        "'claimx annotate import EXPORT --out LABELS.jsonl' brings the corrected labels back and reports what is wrong.",
        allow_abbrev=False,
    )
    annotate.add_argument("input", nargs="+", metavar="TRANSCRIPTS",
                          help="files of runs, messages, traces or sessions, folders of them, or: import EXPORT ...")  # fmt: skip
    add_format(annotate, turns="all")
    annotate.add_argument("--out", required=True, metavar="FILE", help="where the tasks (or the labels) go")
    annotate.add_argument(
        "--for", dest="form", choices=_FORMATS, default="label-studio", help="the tool (default %(default)s)"
    )
    annotate.add_argument("--limit", type=int, default=200, metavar="N", help="tasks at most (default %(default)s)")
    annotate.add_argument("--known", action="append", default=[], metavar="LABELS", help="labelled already: left out")
    annotate.add_argument("--model", metavar="DIR", help="model folder (default: the model shipped with claimx)")
    annotate.add_argument("--from", dest="source", choices=_FORMATS, help="with import: the export's format")
    annotate.set_defaults(run=_annotate)


def _annotate(args: argparse.Namespace) -> int:
    if args.input[0] == "import":
        return _import(args)
    from rich.progress import Progress

    from claimx.annotate.exchange import read_labelled, write_tasks
    from claimx.annotate.selection import candidates_of, select

    if args.limit < 1:
        raise InputError(f"--limit is {args.limit}, expected 1 or more")
    faults = Faults()
    runs = _named([pair for name in _files(args.input) for pair in _runs(name, args, faults)])
    if not runs:
        complain("the input holds no run")
        return BAD_INPUT
    known = read_labelled([Path(path) for path in args.known]).examples
    with Progress(transient=True) as progress:
        bar = progress.add_task("reading", total=len(runs))
        found = candidates_of(runs, model=args.model, watch=lambda n: progress.update(bar, completed=n))
    chosen = select(found, args.limit, known=known)
    model = Path(args.model).name if args.model else "claimx-default"
    files = write_tasks(Path(args.out), chosen.taken, args.form, model=model)
    complain(
        f"{len(chosen.taken)} of {chosen.seen} replies chosen ({chosen.repeated} near-duplicates, {chosen.known} labelled "
        f"already, {chosen.empty} empty left out); written: {', '.join(map(str, files))}"
    )
    return BAD_INPUT if faults.count else OK


def _import(args: argparse.Namespace) -> int:
    from claimx.annotate.example import write_jsonl
    from claimx.annotate.exchange import read_export, twins_of

    if len(args.input) < 2:
        raise InputError("name the export: claimx annotate import EXPORT --out LABELS.jsonl")
    examples, faulty = {}, 0
    for path in map(Path, args.input[1:]):
        found = read_export(path, args.source)
        for fault in found.faults:
            complain(fault)
        faulty += found.faulty
        examples.update({e.text: e for e in found.examples})
        complain(
            f"{path}: {len(found.examples)} replies with labels, {found.faulty} faulty, {found.skipped} skipped or "
            f"unlabelled, {found.repeated} repeated"
        )
    kept = list(examples.values())
    if not kept:
        complain("no labels: nothing is written")
        return BAD_INPUT
    write_jsonl(Path(args.out), kept)
    twins = twins_of(kept)
    if twins:
        complain(f"{twins} pairs are near-duplicates of each other: they teach little and make scores look better")
    complain(f"written: {args.out}")
    return BAD_INPUT if faulty else OK


def _files(names: list[str]) -> list[str]:
    """Files as named; of a folder, the JSON and JSONL files in it."""
    out: list[str] = []
    for name in names:
        folder = Path(name)
        if name != "-" and folder.is_dir():
            inside = sorted(p for p in folder.rglob("*") if p.suffix in {".jsonl", ".json", ".ndjson", ".eval"})
            if not inside:
                raise InputError(f"{name}: no .jsonl or .json file in it")
            out += map(str, inside)
        else:
            out.append(name)
    return out


def _runs(name: str, args: argparse.Namespace, faults: Faults) -> list[tuple[str, Run]]:
    """Runs with their source's name; one without an id is named by source and line."""
    source = "stdin" if name == "-" else Path(name).stem
    found = [(f.line, f.run) for f in runs_in(name, args.format, args.turns, faults, parse_run) if f.run is not None]
    return [(source, run if run.id else replace(run, id=f"{source}/{line}")) for line, run in found]


def _named(runs: list[tuple[str, Run]]) -> list[tuple[str, Run]]:
    """Runs under ids that are theirs alone: one that was taken already gets its source before it, then a number behind."""
    used: set[str] = set()
    out = []
    for source, run in runs:
        key = str(run.id)
        if key in used and f"{source}/{key}" not in used:
            key = f"{source}/{key}"
        plain, number = key, 2
        while key in used:
            key, number = f"{plain}~{number}", number + 1
        used.add(key)
        out.append((source, run if run.id == key else replace(run, id=key)))
    return out
