"""Progress of long work: a bar for people at a terminal, JSON lines for machines, silence for logs."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from claimx.cli.io import write_out

if TYPE_CHECKING:
    from claimx.archive import Progress

#: Seconds between two lines for machines.
EVERY = 5.0


@contextmanager
def shown(*, json_lines: bool, quiet: bool) -> Iterator[Callable[[Progress], None]]:
    """Yield what to call with progress. A bar appears only where standard error is a terminal."""
    if json_lines:
        yield line_writer(time.monotonic, write=write_out)
    elif quiet or not sys.stderr.isatty():
        yield lambda _: None
    else:
        with _bar() as tell:
            yield tell


def line_writer(clock: Callable[[], float], *, write: Callable[[str], object]) -> Callable[[Progress], None]:
    """Return what writes progress as JSON lines, one every few seconds."""
    last = clock()

    def tell(p: Progress) -> None:
        nonlocal last
        if clock() - last < EVERY:
            return
        last = clock()
        event = {
            "event": "progress",
            "runs": p.runs,
            "flagged": p.flagged,
            "rejected": p.rejected,
            "rate": round(p.rate, 1),
            "fraction": None if p.fraction is None else round(p.fraction, 4),
            "eta": None if p.eta is None else round(p.eta),
        }
        write(json.dumps(event) + "\n")

    return tell


@contextmanager
def _bar() -> Iterator[Callable[[Progress], None]]:
    from rich.console import Console
    from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn
    from rich.progress import Progress as Bar

    from claimx.report.counting import paced

    columns = (
        TextColumn("{task.fields[runs]} runs"),
        BarColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[rate]}"),
        TimeElapsedColumn(),
        TextColumn("{task.fields[eta]}"),
        TextColumn("[bold red]{task.fields[flagged]} flagged"),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("", total=None, runs="0", rate="-", eta="", flagged="0")

        def tell(p: Progress) -> None:
            bar.update(
                task,
                total=None if p.fraction is None else 1.0,
                completed=p.fraction or 0.0,
                runs=f"{p.runs:,}",
                rate=paced(p.rate) if p.rate else "-",
                eta="" if p.eta is None else f"{_span(p.eta)} left",
                flagged=f"{p.flagged:,}",
            )

        yield tell


def _span(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
