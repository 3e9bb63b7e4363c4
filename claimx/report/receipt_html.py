"""One receipt or extraction as HTML: the reply with its actions marked, then why each claim has its status.

A renderer over plain data, as displaCy's: no script, nothing loaded, every text escaped. A fragment fits into any notebook:
its colours keep their contrast on light and on dark pages, whichever the browser is set to, and its style names nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from claimx.report.counting import counted
from claimx.report.marking import Mark, pieces_of, visible
from claimx.types import Action, Extraction, JudgedClaim, LedgerEntry, Receipt

_COLOURS = {
    "confirmed": "#1a6b34",
    "unverified": "#7a5200",
    "unmatched": "#57606a",
    "misquoted": "#82208c",
    "tool_failed": "#9a3b00",
    "never_ran": "#b3231b",
    "fabricated": "#b3231b",
    "unchecked": "#57606a",
    "ok": "#1a6b34",
    "claim": "#0550ae",
    "action": "#57606a",
}
#: What lies behind marked text and below it: seen on white and on black, and either's text is read over it.
_TINTS = {
    "confirmed": "46 160 67",
    "unverified": "191 135 0",
    "misquoted": "176 84 192",
    "tool_failed": "219 109 40",
    "never_ran": "232 80 70",
    "claim": "56 132 244",
}
_GREY = "130 138 148"
_STYLE = (
    ".claimx{font:15px/1.7 system-ui,sans-serif;max-width:60em;overflow-wrap:anywhere}"
    ".claimx h1{font:inherit;margin:0}"
    ".claimx blockquote{margin:.6em 0;padding:.4em .9em;border:0;border-left:3px solid #8886;background:none;color:inherit;font:inherit;"
    "white-space:pre-wrap;unicode-bidi:isolate}"
    ".claimx mark{color:inherit;border-bottom:2px solid;padding:1px 0}"
    ".claimx b.claimx-tag{font-size:.72em;font-weight:600;color:#fff;border-radius:4px;padding:1px 5px;margin:0 2px;white-space:nowrap;vertical-align:1px}"
    ".claimx ol{margin:.6em 0;padding-left:2em}.claimx li{margin:.4em 0}.claimx .claimx-dim{opacity:.75}.claimx code{font-size:.9em;overflow-wrap:anywhere}"
    ".claimx .claimx-call{margin:8px 0}.claimx .claimx-call pre{margin:4px 0;padding:6px 8px;background:#8882;color:inherit;border-radius:6px;"
    "white-space:pre-wrap;max-height:220px;overflow:auto}"
)
_PAGE = (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">'
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">'
    "<title>{title}</title><style>body{{background:Canvas;color:CanvasText}}</style></head><body><main>{body}</main></body></html>\n"
)


@dataclass(frozen=True, slots=True)
class _Labelled:
    """An action to mark, with its label and the name of its colour."""

    action: Action
    label: str
    colour: str
    title: str
    wrong: frozenset[str] = frozenset()
    strong: bool = False


def receipt_html(
    receipt: Receipt, *, reply: str | None = None, calls: Sequence[LedgerEntry] = (), page: bool = False
) -> str:
    """Return a receipt as HTML: a fragment, or with `page` a whole page. Without its `reply` the claims stand alone; the
    recorded `calls` stand folded up below."""
    labelled = [
        _Labelled(
            c.action,
            c.status.replace("_", " "),
            str(c.status),
            c.reason,
            frozenset(m.claimed for m in c.mismatches),
            c.is_flagged,
        )
        for c in receipt.claims
    ]
    head = f"{_tag(str(receipt.verdict), str(receipt.verdict))} {_text(receipt.summary)}"
    run = f"run <code>{_text(receipt.id)}</code>" if receipt.id else ""
    name = (
        f"<h1>Receipt{f' of {run}' if run else ''}</h1>"
        if page
        else f'<div class="claimx-dim">{run}</div>'
        if run
        else ""
    )
    parts = [name, f"<div>{head}</div>"]
    if reply is not None:
        parts.append(_reply(reply, labelled))
    if receipt.claims:
        parts.append('<ol aria-label="Claims">' + "".join(_claim(c) for c in receipt.claims) + "</ol>")
    loose = [v.slot.text for v in receipt.values if not v.is_grounded]
    if loose:
        parts.append(f'<div class="claimx-dim">Not found in this run: {_text(", ".join(loose[:20]))}</div>')
    if receipt.unreported:
        parts.append(f'<div class="claimx-dim">Ran but not reported: {_text(", ".join(receipt.unreported[:20]))}</div>')
    if calls:
        shown = "".join(_call(e) for e in calls[:_MOST_CALLS])
        more = f'<div class="claimx-dim">and {len(calls) - _MOST_CALLS} more</div>' if len(calls) > _MOST_CALLS else ""
        parts.append(f"<details><summary>{counted(len(calls), 'recorded call')}</summary>{shown}{more}</details>")
    return _framed("".join(parts), page, f"claimx receipt {receipt.id}".strip(), f": {receipt.verdict}")


#: Calls that are shown, and characters of their arguments and results.
_MOST_CALLS, _MOST_TEXT = 200, 4_000
_OF_CALLS = {"success": "ok", "unknown": "unchecked"}


def _call(entry: LedgerEntry) -> str:
    result = entry.error if entry.result is None and entry.error is not None else entry.result
    args, result = (_cut(v if isinstance(v, str) else _json(v)) for v in (entry.args, result))
    head = f"<code>{_text(entry.id)}</code> <strong>{_text(entry.tool)}</strong>"
    status = _tag(str(entry.status), _OF_CALLS.get(str(entry.status), "tool_failed"))
    shown = "".join(
        f'<pre tabindex="0" role="group" aria-label="{what} of {_text(entry.id)}">{_text(value)}</pre>'
        for what, value in (("arguments", args), ("result", result))
    )
    return f'<div class="claimx-call"><div>{head} {status}</div>{shown}</div>'


def _cut(text: str) -> str:
    return text if len(text) <= _MOST_TEXT else text[: _MOST_TEXT - 1] + "…"


def extraction_html(found: Extraction, *, reply: str, page: bool = False) -> str:
    """Return a reply with its actions marked: claims stand out, the others say what keeps them from being one."""
    labelled = [_Labelled(a, *_described(a), f"{a.verb}: {a.tense}, {a.modality}, by {a.actor}") for a in found.actions]
    return _framed(("<h1>Reply</h1>" if page else "") + _reply(reply, labelled), page, "claimx reply")


def _described(action: Action) -> tuple[str, str]:
    if action.is_claim:
        return "claim", "claim"
    parts = [str(action.modality)] if action.modality != "asserted" else []
    parts += ["future"] if action.tense == "future" else []
    parts += [f"by {action.actor}"] if action.actor != "agent" else []
    return " ".join(parts), "action"


def _reply(reply: str, labelled: Sequence[_Labelled]) -> str:
    marks = [
        Mark(
            x.action.start,
            x.action.end,
            (x.action.trigger.start, x.action.trigger.end),
            tuple((s.start, s.end, s.text in x.wrong) for s in x.action.slots),
            x.strong,
        )
        for x in labelled
    ]
    pieces = pieces_of(reply, marks)
    last = {p.claim: i for i, p in enumerate(pieces)}
    out = []
    for i, piece in enumerate(pieces):
        if piece.claim < 0:
            out.append(_text(piece.text))
            continue
        x = labelled[piece.claim]
        tint = _TINTS.get(x.colour, _GREY)
        shade = ".5" if piece.role == "wrong" else ".22"
        weight = ";font-weight:600" if piece.role in ("trigger", "value", "wrong") else ""
        style = f"background:rgb({tint}/{shade});border-color:rgb({tint}){weight}"
        out.append(f'<mark style="{style}" title="{_text(x.title)}">{_text(piece.text)}</mark>')
        if last[piece.claim] == i:
            out.append(_tag(x.label, x.colour))
    return f'<blockquote dir="auto">{"".join(out)}</blockquote>'


def _claim(claim: JudgedClaim) -> str:
    tool = f" <code>{_text(claim.tool)}</code>" if claim.tool else ""
    calls = f' <span class="claimx-dim">{_text(", ".join(claim.calls))}</span>' if claim.calls else ""
    differs = "".join(
        f"<br>said <bdi>{_text(m.claimed)}</bdi>, recorded <bdi>{_text(_json(m.recorded))}</bdi> at <code>{_text(m.path)}</code>"
        for m in claim.mismatches
    )
    status = _tag(claim.status.replace("_", " "), str(claim.status))
    return f"<li>{status}{tool}{calls}<br><i>“{_text(claim.action.text)}”</i><br>{_text(claim.reason)}{differs}</li>"


def _tag(text: str, colour: str) -> str:
    return f'<b class="claimx-tag" style="background:{_COLOURS[colour]}">{_text(text)}</b>'


def _text(text: str) -> str:
    return escape(visible(text))


def _json(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _framed(body: str, page: bool, title: str, verdict: str = "") -> str:
    name = "" if page else f' role="group" aria-label="{_text(title + verdict)}"'
    fragment = f'<div class="claimx"{name}><style>{_STYLE}</style>{body}</div>'
    return _PAGE.format(title=_text(title), body=fragment) if page else fragment
