"""Every reply that a model misreads, predicted against gold, as one self-contained page."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from claimx.training.compare import Comparison
from claimx.training.evaluate import Predicted, is_claim, pair

from claimx.annotate.example import Example

_STYLE = """
:root{color-scheme:light dark}
body{font:15px/1.5 system-ui,sans-serif;max-width:1200px;margin:2em auto;padding:0 1em;color:#1d1d1f}
table{border-collapse:collapse;margin:1em 0}td,th{padding:.2em .7em;text-align:right;border-bottom:1px solid #ddd}
th:first-child,td:first-child{text-align:left}.better{color:#116329;font-weight:600}.worse{color:#b3261e;font-weight:600}
.noise{color:#6b6b6b}.wide{overflow-x:auto;white-space:nowrap}article{border:1px solid #ddd;border-radius:8px;padding:.8em 1em;margin:1em 0}
.two{display:grid;grid-template-columns:1fr 1fr;gap:1.5em}.two p{white-space:pre-wrap;overflow-wrap:anywhere;margin:.2em 0}
mark{padding:.05em .2em;border-radius:3px;background:#e8eefc}mark.A{background:#ffd9d6}mark.C{background:#ff9d94}
mark.O{background:#ead9f7}sub{font-size:.65em;color:#444;margin-left:.2em}
h2 small{font-weight:400;color:#6b6b6b}li{margin:.1em 0}.tags{color:#6b6b6b;font-size:.9em}
@media(max-width:800px){.two{grid-template-columns:1fr}}
@media(prefers-color-scheme:dark){body{background:#1b1b1d;color:#eee}mark{color:#111}td,th,article{border-color:#444}
sub{color:#333}.noise,h2 small,.tags{color:#a6a6a6}.better{color:#6fdd8b}.worse{color:#ff9d94}}
"""
_LEGEND = (
    "<p><mark class='C'>verb of a claim</mark> <mark class='A'>verb of another action</mark> <mark class='O'>object</mark> "
    "<mark class='V'>value</mark>; small: number of the action, and its attributes or the value's type</p>"
)


def errors_of(example: Example, predicted: Predicted) -> list[tuple[str, str]]:
    """List what a model got wrong in a reply, as (kind, words): the kinds are those by which the page counts."""
    actions, values = predicted
    out: list[tuple[str, str]] = []
    pairs = pair(example.actions, actions)
    found, used = {i for i, _ in pairs}, {j for _, j in pairs}
    for i, a in enumerate(example.actions):
        if i not in found:
            out.append(("missed claim" if is_claim(a) else "missed action", f"“{a['trigger']['text']}” ({_code(a)})"))
    for j, a in enumerate(actions):
        if j not in used:
            kind = "invented claim" if is_claim(a) else "invented action"
            out.append((kind, f"“{a['trigger']['text']}” ({_code(a)})"))
    for i, j in pairs:
        gold, read = example.actions[i], actions[j]
        for name in ("tense", "modality", "actor"):
            if gold[name] != read[name]:
                turned = "" if is_claim(gold) == is_claim(read) else ", which changes what is claimed"
                out.append((name, f"“{gold['trigger']['text']}” is {gold[name]}, read as {read[name]}{turned}"))
        have, want = ({(s["type"], s["start"], s["end"]) for s in x["slots"]} for x in (read, gold))
        for kind, start, end in sorted(want ^ have):
            side = "lacks" if (kind, start, end) in want else "was given"
            out.append(("value's action", f"“{gold['trigger']['text']}” {side} {kind} “{example.text[start:end]}”"))
    gold_values, read_values = _typed(example.actions, example.values), _typed(actions, values)
    for kind, start, end in sorted(gold_values ^ read_values, key=lambda x: x[1]):
        missed = (kind, start, end) in gold_values
        out.append(("missed value" if missed else "invented value", f"{kind} “{example.text[start:end]}”"))
    return out


def _code(action: dict[str, Any]) -> str:
    return f"{action['tense']} {action['modality']} {action['actor']}"


def _typed(actions: list[dict[str, Any]], values: list[dict[str, Any]]) -> set[tuple[str, int, int]]:
    slots = [s for a in actions for s in a["slots"]] + list(values)
    return {(s["type"], s["start"], s["end"]) for s in slots}


def make_page(examples: Sequence[Example], comparison: Comparison, *, title: str, against: str | None = None) -> str:
    """Return the page: the scores, errors by kind, then every misread reply with gold on the left, read on the right."""
    articles, kinds = [], dict[str, int]()
    for e, p in zip(examples, comparison.predictions, strict=True):
        errors = errors_of(e, p)
        for kind, _ in errors:
            kinds[kind] = kinds.get(kind, 0) + 1
        if errors:
            articles.append((len(errors), _article(e, p, errors)))
    counted = "".join(
        f"<tr><td>{escape(k)}</td><td>{n}</td></tr>" for k, n in sorted(kinds.items(), key=lambda x: -x[1])
    )
    scores = "".join(_table(g, against) for g in comparison.groups)
    listed = "".join(a for _, a in sorted(articles, key=lambda x: -x[0]))
    return (
        f"<!doctype html><html lang='en'><meta charset='utf-8'><meta name='viewport' content='width=device-width'>"
        f"<title>{escape(title)}</title><style>{_STYLE}</style><h1>{escape(title)}</h1>"
        f"<p><strong>{escape(comparison.summary)}</strong></p>{scores}"
        f"<h2>Errors by kind</h2><table>{counted}</table>"
        f"<h2>Misread replies <small>{len(articles)} of {len(examples)}; gold on the left, read on the right</small></h2>{_LEGEND}"
        f"{listed}</html>\n"
    )


def _table(group: Any, against: str | None) -> str:
    head = "<th>score</th><th>value</th><th>95 %</th>"
    head += f"<th>{escape(against)}</th><th>difference</th><th>95 %</th><th></th>" if against else ""
    rows = []
    for key, f in group.figures.items():
        cells = f"<td>{escape(key)}</td><td>{f.value:.3f}</td><td>{f.low:.3f} to {f.high:.3f}</td>"
        if f.difference is not None and f.other is not None:
            d, low, high = f.difference
            cells += (
                f"<td>{f.other:.3f}</td><td>{d:+.3f}</td><td>{low:+.3f} to {high:+.3f}</td>"
                f"<td class='{f.verdict}'>{'inside the noise' if f.verdict == 'noise' else f.verdict}</td>"
            )
        rows.append(f"<tr>{cells}</tr>")
    return f"<h2>{escape(group.name)} <small>{group.replies} replies</small></h2><div class='wide'><table><tr>{head}</tr>{''.join(rows)}</table></div>"


def _article(e: Example, predicted: Predicted, errors: list[tuple[str, str]]) -> str:
    items = "".join(f"<li><strong>{escape(kind)}</strong> {escape(said)}</li>" for kind, said in errors)
    about = " · ".join(x for x in (e.domain, e.voice, e.origin) if x)
    return (
        f"<article><h3>{escape(e.id)} <span class='tags'>{escape(about)}</span></h3><div class='two'>"
        f"<p>{_marked(e.text, e.actions, e.values)}</p><p>{_marked(e.text, *predicted)}</p></div><ul>{items}</ul></article>"
    )


def _marked(text: str, actions: list[dict[str, Any]], values: list[dict[str, Any]]) -> str:
    """The text with its labels as marks; a later label that overlaps an earlier one is left out of the picture."""
    spans: dict[tuple[int, int], tuple[str, str]] = {}
    for n, a in enumerate(actions, 1):
        t = a["trigger"]
        spans[t["start"], t["end"]] = ("C" if is_claim(a) else "A", f"{n} {_code(a)}")
        if a["object"]:
            spans.setdefault((a["object"]["start"], a["object"]["end"]), ("O", f"{n}"))
        for s in a["slots"]:
            spans.setdefault((s["start"], s["end"]), ("V", f"{n} {s['type']}"))
    for v in values:
        spans.setdefault((v["start"], v["end"]), ("V", v["type"]))
    out, at = [], 0
    for (start, end), (css, label) in sorted(spans.items()):
        if start < at:
            continue
        out += [
            escape(text[at:start]),
            f"<mark class='{css}'>{escape(text[start:end])}<sub>{escape(label)}</sub></mark>",
        ]
        at = end
    return "".join([*out, escape(text[at:])])
