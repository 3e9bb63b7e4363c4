"""Receipts and extractions for people in a terminal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from claimx.report.marking import printable
from claimx.types import Action, ClaimStatus, Extraction, Receipt, Run, Verdict

STYLES: dict[str, str] = {
    ClaimStatus.CONFIRMED: "green",
    ClaimStatus.UNVERIFIED: "yellow",
    ClaimStatus.UNMATCHED: "bright_black",
    ClaimStatus.MISQUOTED: "bold magenta",
    ClaimStatus.TOOL_FAILED: "bold red",
    ClaimStatus.NEVER_RAN: "bold red",
    Verdict.OK: "bold green",
    Verdict.UNCHECKED: "bold bright_black",
    Verdict.FABRICATED: "bold white on red",
}
SIGNS = {
    ClaimStatus.CONFIRMED: "✔",
    ClaimStatus.UNVERIFIED: "?",
    ClaimStatus.UNMATCHED: "·",
    ClaimStatus.MISQUOTED: "≠",
    ClaimStatus.TOOL_FAILED: "✘",
    ClaimStatus.NEVER_RAN: "✘",
}


def print_receipt(
    run: Run, receipt: Receipt, *, explain: bool = False, name: str = "", console: Console | None = None
) -> None:
    """Print a receipt: the reply with its claims marked, then one line a claim with status, tool and reason."""
    out = console or Console()
    title = Text.assemble(("run ", "dim"), (printable(name or receipt.id or "-"), "bold"))
    out.print(Panel(_marked_reply(run.reply, receipt), title=title, title_align="left", border_style="bright_black"))
    style = STYLES[receipt.verdict]
    out.print(Text.assemble((f" {receipt.verdict.upper()} ", style), "  ", printable(receipt.summary)))
    if receipt.claims:
        table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=True, header_style="dim")
        table.add_column("status", no_wrap=True)
        table.add_column("tool", no_wrap=True, style="cyan", max_width=28, overflow="ellipsis")
        table.add_column("claim and reason", ratio=1, overflow="fold")
        for claim in receipt.claims:
            sign = Text(f"{SIGNS[claim.status]} {claim.status}", style=STYLES[claim.status])
            body = Text.assemble(("“" + _short(claim.action.text) + "”", "bold"), "\n", (printable(claim.reason), ""))
            for m in claim.mismatches[1:]:
                said = f"said {m.claimed}, recorded {m.recorded} at {m.path}"
                body.append("\n" + printable(said), style="magenta")
            if explain:
                for c in claim.candidates[:5]:
                    fit = f"{c.score:.2f} {c.tool}: {'; '.join(c.reasons)}"
                    body.append("\n" + printable(fit), style="dim")
            table.add_row(sign, Text(printable(claim.tool or "-")), body)
        out.print(Padding(table, (1, 0, 0, 1)))
    # What is not checked is not said to be missing either.
    foreign = receipt.verdict is Verdict.UNCHECKED and receipt.language != "en"
    loose = [] if foreign else [v for v in receipt.values if not v.is_grounded]
    if loose:
        found = ", ".join(printable(v.slot.text) for v in loose[:12])
        out.print(Text(" not found in this run: " + found, style="dim"))
    if receipt.unreported:
        out.print(Text(" ran but unreported: " + printable(", ".join(receipt.unreported[:12])), style="dim"))
    out.print()


def print_totals(receipts: Sequence[Receipt], *, console: Console | None = None) -> None:
    """Print how many runs got which verdict."""
    out = console or Console()
    counts = Counter(r.verdict for r in receipts)
    parts = [f"{counts[v]} {v}" for v in Verdict if counts[v]]
    out.print(Text(f"{len(receipts)} runs: {', '.join(parts)}", style="bold"))


def pace_of(runs: int, seconds: float) -> str:
    """Say how fast runs went: how many a second, or how long each took where that is more than a second.

    >>> pace_of(4_000, 2.5), pace_of(7, 3.0), pace_of(16, 157.4)
    ('1,600 a second', '2.3 a second', '9.8 s each')
    """
    rate = runs / seconds
    if rate < 1:
        return f"{1 / rate:,.1f} s each"
    return f"{rate:,.1f} a second" if rate < 10 else f"{rate:,.0f} a second"


def print_summary(
    summary: Mapping[str, Any], folder: Path, *, seconds: float, kept: int = 0, console: Console | None = None
) -> None:
    """Print what an archive came to: rates with their intervals, the tools and kinds of claims that are worst."""
    out = console or Console()
    fresh = summary["runs"] - kept
    speed = f", {pace_of(fresh, seconds)}" if seconds and fresh > 0 else ""
    again = f", {kept:,} of them kept from before" if kept else ""
    out.print(Text(f"{summary['runs']:,} runs in {seconds:,.1f} s{speed}{again}", style="bold"))
    for name in ("fabricated", "misquoted", "unverified", "unchecked"):
        rate = summary["rates"][name]
        if rate["rate"] is not None:
            style = STYLES.get(name, "") if rate["count"] else "dim"
            share = f"{rate['rate']:7.2%}  ({rate['low']:.2%} to {rate['high']:.2%})"
            out.print(Text.assemble((f" {name:<11}", style), f"{rate['count']:>9,}  {share}"))
    worst = [k for k in summary["kinds"][:5]]
    if worst:
        table = Table(box=None, padding=(0, 2, 0, 0), show_header=True, header_style="dim")
        for column, justify in (
            ("times", "right"),
            ("status", "left"),
            ("tool", "left"),
            ("most often written", "left"),
        ):
            table.add_column(column, justify=justify)  # type: ignore[arg-type]
        for k in worst:
            new = " new" if k.get("new") else ""
            status = Text(f"{k['status']}{new}", style=STYLES[k["status"]])
            table.add_row(
                f"{k['count']:,}", status, Text(printable(k["tool"])), Text(_short(k["phrasings"][0]["text"], 70))
            )
        out.print(Padding(table, (1, 0, 0, 0)))
    out.print(Text(f" {folder}", style="dim"))


def print_extraction(name: str, text: str, found: Extraction, *, console: Console | None = None) -> None:
    """Print the actions of a reply as a table, claims first in the eye, and the values of no action below."""
    out = console or Console()
    table = Table(
        title=Text(f"{printable(name)}: {_short(text, 70)}"),
        title_justify="left",
        title_style="bold",
        header_style="dim",
    )
    for column in ("", "trigger", "verb", "object", "tense", "modality", "actor", "score", "values"):
        table.add_column(column, justify="right" if column == "score" else "left")
    for a in found.actions:
        style = "bold green" if a.is_claim else ""
        table.add_row("●" if a.is_claim else "", *_cells(a), style=style)
    out.print(table if found.actions else Text(f"{printable(name)}: no action", style="dim"))
    if found.values:
        values = ", ".join(f"{v.type} {v.text}" for v in found.values)
        out.print(Text("  values: " + printable(values), style="dim"))


def _cells(a: Action) -> list[Text]:
    slots = ", ".join(f"{s.type} {s.text}" for s in a.slots)
    target = a.object.text if a.object else "-"
    cells = [a.trigger.text, a.verb, target, a.tense, a.modality, a.actor, f"{a.score:.2f}", slots]
    return [Text(printable(c)) for c in cells]


def _marked_reply(reply: str, receipt: Receipt) -> Text:
    text = Text(printable(reply))
    for claim in receipt.claims:
        text.stylize(STYLES[claim.status] + " underline", claim.action.trigger.start, claim.action.trigger.end)
        for slot in claim.action.slots:
            wrong = any(m.claimed == slot.text for m in claim.mismatches)
            text.stylize("bold magenta underline" if wrong else "cyan", slot.start, slot.end)
    return text


def _short(text: str, width: int = 160) -> str:
    flat = printable(" ".join(text.split()))
    return flat if len(flat) <= width else flat[: width - 1] + "…"
