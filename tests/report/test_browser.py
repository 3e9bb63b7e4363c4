"""The report in a real Chromium: it opens at once, shows what it should, obeys keys, and runs nothing of a hostile reply."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "archive"))

from archive_doubles import Here, make_run, mixed

from claimx.archive import score
from claimx.report.page import to_page, write_report
from claimx.report.page_runs import flagged_runs

CHROMIUM = os.environ.get("CLAIMX_CHROMIUM") or shutil.which("chromium") or ""
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(not CHROMIUM, reason="Chromium is not installed: apt-get install chromium"),
    pytest.mark.skipif(
        importlib.util.find_spec("playwright") is None, reason="Playwright is not installed: pip install playwright"
    ),
]
FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update",
    "--disable-sync", "--no-first-run", "--mute-audio",
]  # fmt: skip
HOSTILE = (
    "I refunded $9 </script><img src=x onerror=\"document.title='owned'\"><script>document.title='owned'</script>"
    " \u202eedoc lived\u202c [x](javascript:alert(1)) now. " + "long " * 40_000
)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("score")
    rows: list[Any] = mixed(600)
    rows.append(
        {"id": "hostile <b>", "reply": HOSTILE, "tools": ["issue_refund"], "agent": "<i>evil</i>", "time": "2026-03-02"}
    )
    before = score(
        [[make_run(n, "misquoted" if n % 50 == 0 else "true") for n in range(200)]], folder / "before", engine=Here()
    )
    outcome = score([rows], folder / "out", engine=Here(), baseline=before.folder)
    return write_report(outcome.folder, outcome.summary)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        profile = tmp_path_factory.mktemp("profile")
        context = playwright.chromium.launch_persistent_context(profile, executable_path=CHROMIUM, args=FLAGS)
        yield context
        context.close()


class Opened:
    """A page with what went wrong on it and what it asked for."""

    def __init__(self, context: Any, path: Path, *, width: int = 1280, scheme: str = "light", hash: str = "") -> None:
        self.page = context.new_page()
        self.wrong: list[str] = []
        self.asked: list[str] = []
        self.page.on("console", lambda m: self.wrong.append(m.text) if m.type in ("error", "warning") else None)
        self.page.on("pageerror", lambda e: self.wrong.append(str(e)))
        self.page.on("request", lambda r: self.asked.append(r.url))
        self.page.on("dialog", lambda d: (self.wrong.append(d.message), d.dismiss()))
        self.page.set_viewport_size({"width": width, "height": 860})
        self.page.emulate_media(color_scheme=scheme)
        began = time.monotonic()
        self.page.goto(path.as_uri() + hash)
        self.page.wait_for_selector("html[data-ready=yes]", timeout=120_000)
        self.seconds = time.monotonic() - began

    def __enter__(self) -> Any:
        return self.page

    def __exit__(self, kind: Any, *_: object) -> None:
        self.page.close()
        if kind is None:
            assert self.wrong == []
            assert len(self.asked) == 1  # the file itself


def test_the_figures_the_charts_and_the_kinds_are_shown(browser: Any, report: Path) -> None:
    with Opened(browser, report) as page:
        text = page.inner_text("main")
        for part in ("10.1%", "61 runs claim something", "new since", "issue_refund", "By agent", "121 flagged runs"):
            assert part in text.replace("1 kind new", "1 kind new since")
        page.wait_for_selector("#time canvas")
        assert page.locator("#time canvas").count() == 2
        assert page.locator(".kind .new").count() == 1
        # A click on a tool or a kind leads to its runs.
        page.locator(".kind").first.click()
        assert page.inner_text("#runs [role=status]") == "61 flagged runs"
        page.locator(".chip").first.click()
        page.locator("#facets button.link", has_text="billing").click()
        assert page.locator("#runs select[aria-label=agent]").input_value() == "billing"


def test_search_keys_and_filters_lead_to_a_marked_reply(browser: Any, report: Path) -> None:
    with Opened(browser, report) as page:
        page.keyboard.press("/")
        page.keyboard.type("r0006")
        page.locator("#runs [role=status]").get_by_text("1 flagged run", exact=True).wait_for()
        page.keyboard.press("Escape")
        page.keyboard.press("j")
        assert page.evaluate("document.activeElement.className") == "item"
        detail = page.locator(".detail")
        assert "c1.args.amount" in detail.inner_text()
        assert page.locator(".detail mark.r-wrong").inner_text() == "$116"
        page.locator(".detail mark").first.hover()
        assert "116" in page.locator(".tip").inner_text()
        assert "c1.args.amount" in page.locator(".tip").inner_text()
        page.locator(".detail mark").first.focus()
        page.keyboard.press("Enter")
        assert page.evaluate("document.activeElement.id") == "claim-0"
        assert page.url.endswith("#run=r0006")
        page.keyboard.press("Escape")
        assert page.locator(".detail mark").count() == 0


def test_a_hostile_reply_stays_text(browser: Any, report: Path) -> None:
    with Opened(browser, report, hash="#run=hostile%20%3Cb%3E") as page:
        reply = page.locator(".reply")
        assert "</script><img src=x onerror=" in reply.inner_text()
        assert "⟨U+202E⟩edoc lived⟨U+202C⟩" in reply.inner_text()
        assert "characters left out]" in reply.inner_text()
        assert page.title() == "claimx report: out"
        assert page.locator(".reply img, .reply script, .reply a, .dim i").count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_text_has_contrast_enough(browser: Any, report: Path, scheme: str) -> None:
    with Opened(browser, report, scheme=scheme, hash="#run=r0006") as page:
        low = page.evaluate(CONTRAST)
        assert low == []


def test_a_phone_shows_everything_without_scrolling_sideways(browser: Any, report: Path) -> None:
    with Opened(browser, report, width=360) as page:
        assert page.evaluate("document.documentElement.scrollWidth") == 360
        assert (
            page.evaluate(
                "[...document.querySelectorAll('.scroll:not(details *)')].filter((s) => s.clientWidth && s.scrollWidth > s.clientWidth).map((s) => s.ariaLabel)"
            )
            == []
        )
        assert page.evaluate("Math.min(...[...document.querySelectorAll('.track')].map((t) => t.clientWidth))") >= 40
        page.locator("button.item").first.click()
        assert page.locator(".detail.open").bounding_box()["width"] == 360
        assert page.evaluate("document.activeElement.tagName") == "H3"
        page.locator(".detail mark").first.click()
        assert page.locator(".tip").is_visible()
        page.locator(".detail .close").click()
        assert not page.locator(".detail").is_visible()


def test_ten_thousand_flagged_runs_open_quickly(browser: Any, report: Path, tmp_path: Path) -> None:
    summary = json.loads((report.parent / "summary.json").read_text())
    data = flagged_runs(report.parent, summary, most=100)
    run = next(r for r in data["runs"] if r["i"] == "r0003")
    many = [
        {**run, "i": f"run-{n}", "p": [*run["p"], [f" Account {n}. " + f"Thanks for waiting, dear {n}. " * 30, -1, 0]]}
        for n in range(10_000)
    ]
    path = tmp_path / "many.html"
    path.write_text(to_page(summary, {**data, "runs": many, "total": len(many)}, title="many"))
    assert path.stat().st_size < 3_000_000
    with Opened(browser, path) as page:
        # A page of a hundred runs takes a fifth of this; a busy machine is given its time.
        assert page.evaluate("performance.now()") < 15_000
        assert page.inner_text("#runs [role=status]") == "10,000 flagged runs"
        assert page.locator("button.item").count() <= 200
        began = time.monotonic()
        page.locator("#search").fill("account 7777.")
        page.locator("#runs [role=status]").get_by_text("1 flagged run", exact=True).wait_for()
        assert time.monotonic() - began < 10


def test_the_first_run_stands_open_where_there_is_room(browser: Any, report: Path) -> None:
    with Opened(browser, report) as page:
        assert page.locator(".detail h3").inner_text().endswith("r0003")
        assert "#run=" not in page.url
        page.keyboard.press("j")
        assert page.locator(".detail h3").inner_text().endswith("r0006")
    with Opened(browser, report, width=390) as page:
        assert not page.locator(".detail").is_visible()


def test_the_charts_tell_the_latest_figures_until_asked_for_others(browser: Any, tmp_path: Path) -> None:
    rows = [{**r, "time": f"2026-03-{2 + n % 7:02}T08:00:00Z"} for n, r in enumerate(mixed(700))]
    with Opened(browser, written(tmp_path / "o", rows)) as page:
        chart = page.locator("#time .chart").first
        page.wait_for_selector("#time .chart[data-span]")
        assert "2026-03-08" in chart.inner_text()
        box = chart.locator(".u-over").bounding_box()
        page.mouse.move(box["x"] + 2, box["y"] + 30)
        chart.get_by_text("2026-03-02").wait_for()
        page.mouse.move(box["x"] + 2, box["y"] - 200)
        chart.get_by_text("2026-03-08").wait_for()


def written(folder: Path, rows: list[Any], most: int = 10_000) -> Path:
    outcome = score([rows], folder, engine=Here())
    return write_report(outcome.folder, outcome.summary, most=most)


def test_one_day_is_a_point_in_the_middle_of_its_hour(browser: Any, tmp_path: Path) -> None:
    path = written(tmp_path / "o", [{**r, "time": "2026-03-02"} for r in mixed(80)])
    with Opened(browser, path) as page:
        page.wait_for_selector("#time .chart[data-span]")
        assert page.locator(".chart").first.get_attribute("data-span") == "2026-03-01 23:30 to 2026-03-02 00:30"
        assert "80 runs · 2026-03-02 · " in page.inner_text("header")


def test_a_run_with_a_wrong_clock_presses_no_chart_together(browser: Any, tmp_path: Path) -> None:
    rows = [{**r, "time": f"2026-03-{2 + n % 7:02}T08:00:00Z"} for n, r in enumerate(mixed(700))]
    with Opened(browser, written(tmp_path / "o", [*rows, make_run(900, time="2099-01-01")])) as page:
        page.wait_for_selector("#time .chart[data-span]")
        span = page.locator("#time .chart").first.get_attribute("data-span")
        assert span == "2026-03-02 08:00 to 2026-03-08 08:00"
        assert "2026-03-08" in page.locator("#time .chart").first.inner_text()


def test_verbs_of_one_tool_and_one_difference_are_one_kind(browser: Any, tmp_path: Path) -> None:
    outcome = score([mixed(60)], tmp_path / "o", engine=Here())
    kinds = outcome.summary["kinds"]
    kinds += [{**k, "kind": k["kind"].replace("|refund|", "|return|"), "verb": "return", "count": 2} for k in kinds]
    with Opened(browser, write_report(outcome.folder, outcome.summary)) as page:
        assert page.locator("#kinds li").count() == 2
        told = page.locator("#kinds .kind", has=page.locator(".differs"))
        assert all(part in told.inner_text() for part in ("8", "issue_refund", "refund, return"))
        told.click()
        assert page.inner_text("#runs [role=status]") == "6 flagged runs"
        assert page.locator(".chip").first.inner_text().startswith("misquoted issue_refund money")


def test_a_single_run_is_told_in_the_singular(browser: Any, tmp_path: Path) -> None:
    with Opened(browser, written(tmp_path / "o", [make_run(1, "misquoted")])) as page:
        text = page.inner_text("main")
        told = ("1 run tells a value or an outcome wrong", "1 time, 1 kind", "No hour has 5 claims or more", "100%")
        assert [part for part in told if part not in text] == []
        assert "100.0%" not in text
        assert page.locator("canvas").count() == 0


def test_no_flagged_run_and_no_run_at_all_are_said_in_words(browser: Any, tmp_path: Path) -> None:
    for name, rows, says in (
        ("none", [make_run(n) for n in range(20)], "No run is flagged: every claim that could be judged stands."),
        ("empty", [], "No run was scored."),
    ):
        with Opened(browser, written(tmp_path / name, rows)) as page:
            assert says in page.inner_text("#runs")
            assert page.locator("#runs input, #runs select, button.card").count() == 0
            page.keyboard.press("/")
    with Opened(browser, written(tmp_path / "few", mixed(20), most=0)) as page:
        assert "4 runs flagged; the page was made without them" in page.inner_text("#runs")


def test_filters_that_leave_nothing_can_be_cleared(browser: Any, report: Path) -> None:
    with Opened(browser, report) as page:
        page.locator("#search").fill("no such words")
        page.locator(".list-box .link").click()
        page.locator("#runs [role=status]").get_by_text("121 flagged runs", exact=True).wait_for()


@pytest.mark.parametrize("hash", ["#run=100%", "#run=%E0%A4%A", "#run=", "#nowhere"])
def test_a_mangled_link_opens_the_page_all_the_same(browser: Any, report: Path, hash: str) -> None:
    with Opened(browser, report, hash=hash) as page:
        page.locator("#runs [role=status]").get_by_text("121 flagged runs", exact=True).wait_for()


def test_names_that_are_whole_numbers_stand_where_their_figures_put_them(browser: Any, tmp_path: Path) -> None:
    rows: list[Any] = [{**r, "agent": "7" if n < 15 else "support"} for n, r in enumerate(mixed(60))]
    with Opened(browser, written(tmp_path / "o", rows)) as page:
        assert page.locator("#facets div:has(> h3:text('By agent')) tbody th").all_inner_texts() == ["support", "7"]


def test_without_scripts_the_page_says_where_its_figures_stand(browser: Any, report: Path) -> None:
    context = browser.browser.new_context(java_script_enabled=False) if browser.browser else None
    if context is None:
        pytest.skip("this browser makes no second context")
    page = context.new_page()
    page.goto(report.as_uri())
    text = page.inner_text("body")
    assert "the same figures stand in summary.json" in text
    assert "Opening the report" not in text
    context.close()


def test_long_and_hostile_names_fit_and_reorder_nothing(browser: Any, tmp_path: Path) -> None:
    tool = "issue_refund_" + "x" * 300
    rows = [
        {**r, "id": f"{r['id']}{'y' * 5000}", "tools": [tool], "agent": "evil\u202e<b>" + "z" * 180, "model": "m" * 190,
         "ledger": [{**c, "tool": tool, "id": "c" * 900} for c in r["ledger"]]}
        for r in mixed(60)
    ]  # fmt: skip
    path = written(tmp_path / "o", rows)
    for width in (1280, 360):
        with Opened(browser, path, width=width) as page:
            assert page.evaluate("document.documentElement.scrollWidth") == width
            assert "\u202e" not in page.inner_text("#page")
            assert "evil⟨U+202E⟩<b>" in page.inner_text("#facets")
            page.locator("#tools button.link").first.click()
            page.locator("#runs [role=status]").get_by_text("12 flagged runs", exact=True).wait_for()


# WCAG 2: the ratio of the luminances of a text and of what lies behind it; 4.5 is asked, 3 for large text.
CONTRAST = """() => {
  const canvas = document.createElement('canvas').getContext('2d', {willReadFrequently: true});
  const rgba = (c) => { canvas.clearRect(0, 0, 1, 1); canvas.fillStyle = c; canvas.fillRect(0, 0, 1, 1); const d = canvas.getImageData(0, 0, 1, 1).data; return [d[0], d[1], d[2], d[3] / 255]; };
  const over = (top, below) => top.slice(0, 3).map((x, i) => x * top[3] + below[i] * (1 - top[3]));
  const luminance = (c) => { const [r, g, b] = c.map((x) => { x /= 255; return x <= 0.03928 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4; }); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const low = [];
  for (const node of document.querySelectorAll('#page *')) {
    const own = [...node.childNodes].some((c) => c.nodeType === 3 && c.textContent.trim());
    if (!own || !node.checkVisibility({visibilityProperty: true, opacityProperty: true, contentVisibilityAuto: true})) continue;
    const layers = [];
    for (let at = node; at; at = at.parentElement) layers.push(rgba(getComputedStyle(at).backgroundColor));
    let behind = [255, 255, 255];
    for (const layer of layers.reverse()) behind = over(layer, behind);
    const style = getComputedStyle(node);
    const text = over(rgba(style.color), behind);
    const [a, b] = [luminance(text), luminance(behind)].sort((x, y) => y - x);
    const ratio = (a + 0.05) / (b + 0.05);
    const large = parseFloat(style.fontSize) >= 24 || (parseFloat(style.fontSize) >= 18.66 && style.fontWeight >= 700);
    if (ratio < (large ? 3 : 4.5)) low.push([node.tagName, node.className, node.textContent.slice(0, 30), Math.round(ratio * 100) / 100]);
  }
  return low;
}"""
