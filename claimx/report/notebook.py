"""`claimx.render`: a spaCy Doc, an extraction or a receipt, drawn in a notebook or returned as HTML, as displaCy does."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from claimx.report.receipt_html import extraction_html, receipt_html
from claimx.types import Extraction, Receipt, Run


def render(
    doc_or_receipt: Any,
    *,
    reply: str | Run | Mapping[str, Any] | None = None,
    page: bool = False,
    jupyter: bool | None = None,
) -> str | None:
    """Draw the actions of a Doc that the component `claimx` has read, of an Extraction, or the claims of a Receipt.

    A receipt does not hold its reply: give it as `reply` (or the run) to see the claims in their context; an Extraction needs
    it. `page` makes a whole page. In a notebook the result is shown and None returned; `jupyter` decides that by hand.
    Raises TypeError for anything else.
    """
    text = reply.reply if isinstance(reply, Run) else reply.get("reply") if isinstance(reply, Mapping) else reply
    if isinstance(doc_or_receipt, Receipt):
        html = receipt_html(doc_or_receipt, reply=text, page=page)
    elif isinstance(doc_or_receipt, Extraction):
        if text is None:
            raise TypeError("an Extraction does not hold its text: render(extraction, reply=text)")
        html = extraction_html(doc_or_receipt, reply=text, page=page)
    elif hasattr(doc_or_receipt, "spans") and hasattr(doc_or_receipt, "text"):
        from claimx.extract.component import extraction_of

        html = extraction_html(extraction_of(doc_or_receipt), reply=doc_or_receipt.text, page=page)
    else:
        given = type(doc_or_receipt).__name__
        raise TypeError(f"render takes a spaCy Doc, an Extraction or a Receipt, not {given}")
    if jupyter or (jupyter is None and _in_notebook()):
        from IPython.display import HTML, display

        display(HTML(html))
        return None
    return html


def _in_notebook() -> bool:
    """Whether an IPython kernel runs this process; IPython is never imported for the question."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    # Colab and other hosts have a shell of their own, derived from the kernel's.
    return any(c.__name__ == "ZMQInteractiveShell" for c in type(shell).__mro__)
