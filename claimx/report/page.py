"""report.html: one page with everything in it. Nothing is loaded, and nothing from a reply can become markup or script.

All data travel as compressed base64 and reach the page as text nodes alone; a content security policy forbids any
connection and any script but the page's own, by their digests.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import html
import json
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from claimx.archive.atomic import write_atomic
from claimx.archive.manifest import REPORT
from claimx.errors import ArchiveError
from claimx.report.page_runs import flagged_runs, shown

#: The page's own scripts, in the order in which they build on each other.
SCRIPTS = ("dom.js", "data.js", "overview.js", "charts.js", "kinds.js", "detail.js", "runs.js", "main.js")

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src {digests}; img-src data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<noscript><style>#page, .skip {{ display: none; }}</style></noscript>
<style>{style}</style>
</head>
<body>
<a class="skip" href="#runs">Skip to the flagged runs</a>
<div id="page"><p class="loading">Opening the report…</p></div>
<noscript><p class="loading">This report needs JavaScript; the same figures stand in summary.json and receipts/*.parquet.</p></noscript>
<script type="text/plain" id="summary">{summary}</script>
<script type="text/plain" id="flagged">{flagged}</script>
{scripts}
</body>
</html>
"""


def write_report(folder: Path, summary: Mapping[str, Any], *, most: int = 10_000) -> Path:
    """Write report.html of a finished score, with up to `most` flagged runs. Raises ArchiveError when the disk gives out."""
    path = folder / REPORT
    page = to_page(summary, flagged_runs(folder, summary, most=most), title=f"claimx report: {folder.name}")
    try:
        write_atomic(path, page.encode("utf-8"))
    except OSError as e:
        raise ArchiveError(
            f"{path}: cannot be written ({e.strerror}); the receipts and the summary are complete"
        ) from e
    return path


def to_page(summary: Mapping[str, Any], runs: Mapping[str, Any], *, title: str) -> str:
    """Return the page. `runs` is what `claimx.report.page_runs.flagged_runs` returns."""
    assets = files("claimx.report") / "assets"
    chart = (assets / "vendor" / "uplot.js").read_text(encoding="utf-8")
    own = "\n".join((assets / name).read_text(encoding="utf-8") for name in SCRIPTS)
    scripts = [chart, f'(() => {{\n"use strict";\n{own}\n}})();']
    style = "\n".join((assets / name).read_text(encoding="utf-8") for name in ("vendor/uplot.css", "page.css"))
    return _PAGE.format(
        title=html.escape(title.encode("utf-8", "replace").decode()),
        style=style,
        digests=" ".join(_digest(s) for s in scripts),
        summary=packed(shown(summary)),
        flagged=packed(runs),
        scripts="\n".join(f"<script>{s}</script>" for s in scripts),
    )


def packed(data: Any) -> str:
    """Return data as compressed JSON in base64: letters that no browser reads as markup."""
    text = json.dumps(data, ensure_ascii=True, separators=(",", ":"))
    return base64.b64encode(gzip.compress(text.encode("ascii"), 6, mtime=0)).decode("ascii")


def _digest(script: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode('utf-8')).digest()).decode()}'"
