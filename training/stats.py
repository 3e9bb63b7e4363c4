"""The corpus in figures: a table for the terminal and a picture of the spread."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from claimx.training.build import statistics

from claimx.annotate.example import Example


def print_table(examples: Sequence[Example]) -> None:
    """Print sizes, shares and the spread over domains, voices, attributes and slot types."""
    from rich.console import Console
    from rich.table import Table

    s = statistics(examples)
    console = Console()
    head = Table(title="corpus", show_header=False)
    for key in ("replies", "actions", "claims", "values_of_no_action"):
        head.add_row(key.replace("_", " "), f"{s[key]:,}")
    head.add_row("words a reply", f"median {s['words']['median']}, longest {s['words']['max']}")
    for key in ("share_without_claim", "share_with_lists_or_tables", "share_with_code_or_paths"):
        head.add_row(key.replace("_", " "), f"{s[key]:.1%}")
    console.print(head)
    for key in ("origin", "domain", "voice", "part", "tense", "modality", "actor", "slot"):
        table = Table(title=key)
        table.add_column(key)
        table.add_column("count", justify="right")
        for name, n in s[key].items():
            table.add_row(name or "-", f"{n:,}")
        console.print(table)


def plot(examples: Sequence[Example], path: Path) -> None:
    """Draw the spread over domains, voices, modalities and lengths to a PNG or SVG file."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    s = statistics(examples)
    figure, axes = plt.subplots(2, 2, figsize=(12, 10), layout="constrained")
    for ax, key in zip(axes.flat[:3], ("domain", "voice", "modality"), strict=True):
        names, counts = list(s[key])[::-1], list(s[key].values())[::-1]
        ax.barh(names, counts, color="#33658a")
        ax.set_title(f"{'actions' if key == 'modality' else 'replies'} by {key}")
        ax.tick_params(axis="y", labelsize=7)
        if key == "modality":
            ax.set_xscale("log")
    axes.flat[3].hist([len(e.text.split()) for e in examples], bins=50, color="#f26419")
    axes.flat[3].set_yscale("log")
    axes.flat[3].set_title("words a reply")
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110)
    plt.close(figure)
