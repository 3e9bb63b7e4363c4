"""The corpus in figures: a table for the terminal and a picture of the spread."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from claimx.training.build import statistics

from claimx.annotate.example import Example
from claimx.errors import CorpusError

_OPENS, _CLOSES = "<!-- stats -->", "<!-- /stats -->"


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


def card_block(examples: Sequence[Example]) -> str:
    """The statistics of the data card as a Markdown table, between its two markers."""
    s = statistics(examples)
    splits = Counter(str(e.meta.get("split", "train")) for e in examples)
    written = [e for e in examples if e.origin == "authored" and not e.family]
    own = statistics(written)
    longer = [sum(len(e.text.split()) >= n for e in written) for n in (90, 200)]

    def spread(key: str) -> str:
        return ", ".join(f"{k} {n}" for k, n in s[key].items())

    rows = {
        "replies": f"{s['replies']:,} ({', '.join(f'{k} {n:,}' for k, n in splits.items())})",
        "by origin": spread("origin"),
        "authored outside contrast sets": f"{len(written):,}, of them {longer[0]} of 90 words or more, {longer[1]} of 200 or more",
        "... with lists or tables, with code or paths": f"{own['share_with_lists_or_tables']:.0%}, {own['share_with_code_or_paths']:.0%}",
        "contrast families": f"{len({e.family for e in examples if e.family}):,}, {sum(bool(e.family) for e in examples):,} sentences",
        "actions, claims, values of no action": f"{s['actions']:,}, {s['claims']:,}, {s['values_of_no_action']:,}",
        "without any claim": f"{s['share_without_claim']:.0%}",
        "with lists or tables": f"{s['share_with_lists_or_tables']:.0%}",
        "with code or paths": f"{s['share_with_code_or_paths']:.0%}",
        "words a reply": f"median {s['words']['median']}, longest {s['words']['max']}",
        "domains": spread("domain"),
        "voices": spread("voice"),
        "parts": spread("part"),
        "tense": spread("tense"),
        "modality": spread("modality"),
        "actor": spread("actor"),
        "slot types": spread("slot"),
    }
    lines = "\n".join(f"| {k} | {v} |" for k, v in rows.items())
    return f"{_OPENS}\n| | |\n|---|---|\n{lines}\n{_CLOSES}"


def write_card(examples: Sequence[Example], path: Path) -> None:
    """Put the statistics into a data card that holds the two markers; raise CorpusError when it lacks them."""
    card = path.read_text(encoding="utf-8")
    before, opens, rest = card.partition(_OPENS)
    _, closes, after = rest.partition(_CLOSES)
    if not opens or not closes:
        raise CorpusError(f"{path.name} has no place for statistics: add the lines {_OPENS} and {_CLOSES}")
    path.write_text(before + card_block(examples) + after, encoding="utf-8")


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
