"""What a reader who hears the report, steers it by keys or by voice, or sees little of it, must find there."""

from __future__ import annotations

import json
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "archive"))
sys.path.insert(0, str(Path(__file__).parent))

from archive_doubles import Here, Words, make_run, mixed
from test_browser import CONTRAST, Opened, browser, pytestmark, report  # noqa: F401  fixtures

from claimx.archive import score
from claimx.checker import Checker
from claimx.records import parse_run
from claimx.report.page import to_page, write_report
from claimx.report.page_runs import flagged_runs
from claimx.report.receipt_html import extraction_html, receipt_html

# Chromium computes names and roles as it tells them to screen readers.
NAMELESS = """() => [...document.querySelectorAll('button, a, input, select, summary, [role=region], [role=img], [role=group], [tabindex="0"]')]
  .filter((n) => n.checkVisibility())
  .filter((n) => !(n.getAttribute('aria-label') || n.textContent.trim() || n.labels?.length || document.getElementById(n.getAttribute('aria-labelledby') || '')))
  .map((n) => n.outerHTML.slice(0, 90))"""
LONELY = """() => [...document.querySelectorAll('table')].filter((t) => !t.closest('.u-legend') && !t.classList.contains('u-legend'))
  .filter((t) => !t.caption?.textContent || [...t.tHead.rows[0].cells].some((c) => c.tagName !== 'TH' || c.scope !== 'col' || !c.textContent))
  .map((t) => t.outerHTML.slice(0, 90))"""


@pytest.fixture
def dated(tmp_path: Path) -> Path:
    rows = [{**r, "time": f"2026-03-{2 + n % 7:02}T08:00:00Z"} for n, r in enumerate(mixed(700))]
    outcome = score([rows], tmp_path / "o", engine=Here())
    return write_report(outcome.folder, outcome.summary)


def test_every_control_has_a_name_and_every_table_heads(browser: Any, report: Path) -> None:  # noqa: F811
    with Opened(browser, report, hash="#run=r0006") as page:
        page.evaluate("document.querySelectorAll('details').forEach((d) => { d.open = true; })")
        assert page.evaluate(NAMELESS) == []
        assert page.evaluate(LONELY) == []
        assert page.evaluate("[...document.querySelectorAll('main, header, [role=search]')].length") == 3
        levels = page.evaluate("[...document.querySelectorAll('h1, h2, h3, h4')].map((h) => +h.tagName[1])")
        assert levels[0] == 1
        assert all(b - a <= 1 for a, b in pairwise(levels))
        assert page.evaluate("document.querySelectorAll('pre:not([aria-label])').length") == 0
        ids = page.evaluate("[...document.querySelectorAll('[id]')].map((n) => n.id)")
        assert len(ids) == len(set(ids))


def test_a_chart_is_told_in_words_and_its_points_can_be_had_by_keys(browser: Any, dated: Path) -> None:  # noqa: F811
    with Opened(browser, dated) as page:
        page.wait_for_selector("#time .chart[data-span]")
        told = page.locator("#time canvas").first.get_attribute("aria-label")
        assert told.startswith("Lines of the share of fabricated claims, by hour. ")
        assert "issue_refund: from 12.5% on 2026-03-02 08:00 to 12.5% on 2026-03-08 08:00, lowest " in told
        assert "highest " in told
        assert page.locator("#time canvas").first.get_attribute("role") == "img"
        page.locator("#time summary").press("Enter")
        page.locator("#time details tbody tr").nth(1).locator("button").first.press("Enter")
        assert page.locator("#runs select[aria-label=verdict]").input_value() == "fabricated"
        assert "from 2026-03-03" in page.locator(".chip").first.inner_text()
        assert page.inner_text("#runs [role=status]") == "10 flagged runs"


def test_a_rate_is_told_with_its_interval(browser: Any, report: Path) -> None:  # noqa: F811
    with Opened(browser, report) as page:
        cell = page.locator("#tools tbody td").nth(1).text_content()
        assert " to " in cell
        assert page.locator("#headline li").count() == 5
        assert page.locator("#headline button").first.text_content().endswith(": show these runs")


def test_keys_lead_into_a_run_and_back(browser: Any, report: Path) -> None:  # noqa: F811
    focused = "document.activeElement.closest('.detail') ? 'detail' : document.activeElement.className"
    with Opened(browser, report) as page:
        page.keyboard.press("j")
        assert page.evaluate(focused) == "item"
        page.keyboard.press("Enter")
        assert page.evaluate(focused) == "detail"
        name = page.locator(".detail h3").inner_text()
        page.keyboard.press("j")
        page.keyboard.press("k")
        assert page.locator(".detail h3").inner_text() == name
        page.keyboard.press("Enter")
        page.keyboard.press("k")  # from within the run to the one before it
        assert page.locator(".detail h3").inner_text() != name
        page.keyboard.press("Enter")
        page.keyboard.press("Escape")
        assert page.evaluate(focused) == "item"


def test_what_filters_the_runs_leads_to_them_and_says_how_many(browser: Any, report: Path) -> None:  # noqa: F811
    with Opened(browser, report) as page:
        page.locator("#headline button").first.press("Enter")
        assert page.evaluate("document.activeElement.textContent") == "Flagged runs"
        assert page.locator("#runs [role=status]").get_attribute("aria-live") == "polite"
        page.locator("a.skip").press("Enter")
        assert page.evaluate("document.activeElement.id") == "runs"


def test_letters_as_keys_can_be_switched_off(browser: Any, report: Path) -> None:  # noqa: F811
    with Opened(browser, report) as page:
        name = page.locator(".detail h3").inner_text()
        page.locator("button[aria-pressed]").press("Enter")
        page.keyboard.press("j")
        page.keyboard.press("/")
        assert page.locator(".detail h3").inner_text() == name
        assert page.evaluate("document.activeElement.id") != "search"
        page.locator("button[aria-pressed]").press("Enter")
        page.keyboard.press("j")
        assert page.locator(".detail h3").inner_text() != name


def test_more_runs_can_be_asked_for_where_nothing_scrolls(browser: Any, dated: Path) -> None:  # noqa: F811
    with Opened(browser, dated) as page:
        before = page.locator("button.item").count()
        assert page.locator(".end").inner_text() == "Show more runs"
        page.evaluate("document.querySelector('.end').click()")
        assert page.locator("button.item").count() > before
        assert page.evaluate("document.activeElement.dataset.at") == str(before)
    with Opened(browser, dated) as page:
        page.locator(".end").focus()  # which scrolls to it, so that more come by themselves and it goes
        page.locator(f"[data-at='{before}']:focus").wait_for()


LATENCY = """async () => {
  const drawn = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const told = () => document.querySelector('#runs [role=status]').textContent;
  const out = {};
  const timed = async (name, acts) => {
    const all = [];
    for (const act of acts) { const began = performance.now(); await act(); await drawn(); all.push(performance.now() - began); }
    out[name] = all.sort((a, b) => a - b)[all.length >> 1];
  };
  const search = document.getElementById('search');
  const type = (text) => async () => { const was = told(); search.value = text; search.dispatchEvent(new Event('input')); while (told() === was) await new Promise((r) => setTimeout(r, 1)); };
  const pick = (value) => () => { const s = document.querySelector('select[aria-label=verdict]'); s.value = value; s.dispatchEvent(new Event('change')); };
  const key = (name) => () => { document.activeElement.dispatchEvent(new KeyboardEvent('keydown', {key: name, bubbles: true})); };
  await timed('search', ['account 7777.', 'dear', 'account 99', 'account 1234.', ''].map(type));
  await timed('filter', ['fabricated', '', 'misquoted', '', 'fabricated'].map(pick));
  pick('')();
  document.activeElement.blur();
  await timed('next', Array(40).fill(key('j')));
  await timed('previous', Array(20).fill(key('k')));
  const items = [...document.querySelectorAll('button.item')];
  await timed('drill-down', [5, 30, 12, 77, 50].map((n) => () => items[n].click()));
  return out;
}"""


def test_ten_thousand_runs_answer_at_once(browser: Any, report: Path, tmp_path: Path) -> None:  # noqa: F811
    summary = json.loads((report.parent / "summary.json").read_text())
    data = flagged_runs(report.parent, summary, most=100)
    two = [next(r for r in data["runs"] if r["i"] == i) for i in ("r0003", "r0006")]
    many = [
        {
            **two[n % 2],
            "i": f"run-{n}",
            "p": [*two[n % 2]["p"], [f" Account {n}. " + f"Thanks, dear {n}. " * 60, -1, 0]],
        }
        for n in range(10_000)
    ]
    path = tmp_path / "many.html"
    path.write_text(to_page(summary, {**data, "runs": many, "total": len(many)}, title="many"))
    with Opened(browser, path) as page:
        slow = {name: ms for name, ms in page.evaluate(LATENCY).items() if ms > 1000}
        assert slow == {}  # a fifth of this where the machine does nothing else


# What notebooks bring along: Jupyter's own rules for what is shown, and those of a few themes around it.
NOTEBOOK = """<!doctype html><html><head><style>
:root {{ color-scheme: only light; }}
body {{ background: {paper}; color: {ink}; font: 14px/1.3 serif; width: 600px; }}
.jp-RenderedHTMLCommon blockquote {{ margin: 1em 2em; padding: 0 1em; border-left: 5px solid #bdbdbd; color: #777; background: #ddd; }}
.jp-RenderedHTMLCommon ol {{ padding-left: 2em; }} .jp-RenderedHTMLCommon code {{ background: {code}; padding: 1px 5px; }}
.jp-RenderedHTMLCommon mark {{ background: yellow; color: black; }}
.tag {{ display: none; }} .dim {{ visibility: hidden; }} .call {{ display: none; }}
</style></head><body><div class="jp-RenderedHTMLCommon" id="page">{fragments}</div><div class="jp-RenderedHTMLCommon" id="own">
<p>text</p><blockquote>quoted</blockquote><ol><li><code>x</code> <mark>m</mark></li></ol></div></body></html>"""
LOOKS = """() => [...document.querySelectorAll('#own *')].map((n) => JSON.stringify(Object.fromEntries([...getComputedStyle(n)].map((k) => [k, getComputedStyle(n)[k]]))))"""


@pytest.fixture(scope="module")
def fragments() -> str:
    words = Words()
    run = parse_run({**make_run(6, "misquoted"), "id": "x" * 300})
    long = parse_run({**make_run(7, "misquoted"), "reply": f"I refunded $117 to {'a' * 500} today. I cancelled it."})
    checker = Checker(words)  # type: ignore[arg-type]
    parts = [receipt_html(checker.check(r), reply=r.reply) for r in (run, long)]
    parts += [receipt_html(checker.check(run)), extraction_html(words.extract_full(run.reply), reply=run.reply)]
    return "".join(parts)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_drawing_fits_into_a_notebook_whatever_its_theme(
    browser: Any,  # noqa: F811
    fragments: str,
    theme: str,
    scheme: str,
    tmp_path: Path,
) -> None:
    """A notebook's theme is its own: the browser's setting tells nothing of it."""
    paper, ink, code = ("#fff", "rgb(0 0 0 / 87%)", "#eee") if theme == "light" else ("#111", "#fff", "#424242")
    pages = {}
    for name, shown in (("with", fragments), ("without", "")):
        pages[name] = tmp_path / f"{name}.html"
        pages[name].write_text(NOTEBOOK.format(paper=paper, ink=ink, code=code, fragments=shown), encoding="utf-8")
    page = browser.new_page()
    page.emulate_media(color_scheme=scheme)
    page.goto(pages["without"].as_uri())
    looks = page.evaluate(LOOKS)
    page.goto(pages["with"].as_uri())
    assert page.evaluate(LOOKS) == looks  # nothing of ours reaches the notebook
    assert page.evaluate(CONTRAST) == []
    wide = "[...document.querySelectorAll('.claimx, .claimx *')].filter((n) => n.scrollWidth > n.clientWidth + 1 && getComputedStyle(n).display !== 'inline').length"
    assert page.evaluate(wide) == 0
    mark = "getComputedStyle(document.querySelector('.claimx mark')).backgroundColor"
    assert "176, 84, 192" in page.evaluate(mark)  # and nothing of the notebook's reaches ours
    assert page.locator(".claimx-tag").first.is_visible()
    assert page.evaluate("getComputedStyle(document.querySelector('.claimx blockquote')).color") == page.evaluate(
        "getComputedStyle(document.querySelector('.claimx')).color"
    )
    page.close()


@pytest.fixture
def receipt_page(tmp_path: Path) -> Path:
    call = {"id": "c2", "tool": "send_email", "args": {"body": "x" * 9000}, "status": "error", "error": "no"}
    run = parse_run({**make_run(6, "misquoted"), "ledger": [*make_run(6, "misquoted")["ledger"], call]})
    page = receipt_html(Checker(Words()).check(run), reply=run.reply, calls=run.ledger, page=True)  # type: ignore[arg-type]
    path = tmp_path / "receipt.html"
    path.write_text(page, encoding="utf-8")
    return path


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_receipt_of_its_own_has_a_heading_a_main_part_and_contrast(
    browser: Any,  # noqa: F811
    receipt_page: Path,
    scheme: str,
) -> None:
    page = browser.new_page()
    page.emulate_media(color_scheme=scheme)
    page.goto(receipt_page.as_uri())
    page.evaluate("document.querySelector('details').open = true")
    assert page.inner_text("main h1") == "Receipt of run r0006"
    assert page.evaluate(NAMELESS) == []
    assert page.evaluate(CONTRAST.replace("#page *", "main *")) == []
    assert page.evaluate("document.querySelectorAll('pre:not([tabindex])').length") == 0
    page.close()
