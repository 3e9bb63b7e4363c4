"""The report as a file: nothing in it can be loaded, and nothing of a reply stands in it as it was written."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent.parent / "archive"))

from archive_doubles import Here, make_run, mixed

from claimx.archive import score
from claimx.report.page import to_page, write_report
from claimx.report.page_runs import flagged_runs, shown


def unpacked(page: str, id: str) -> Any:
    letters = re.search(rf'id="{id}">([A-Za-z0-9+/=]*)</script>', page)
    assert letters
    return json.loads(gzip.decompress(base64.b64decode(letters[1])))


@pytest.fixture
def outcome(tmp_path: Path) -> Any:
    rows: list[Any] = mixed(200)
    hostile = "I refunded $9 </script><script>alert(1)</script> \u202e now."
    rows.append({"id": "</title><script>x", "reply": hostile, "tools": ["issue_refund"], "agent": "<b>x</b>"})
    rows.append({**make_run(500, "invented"), "reply": "I cancelled order 1.", "tools": ["cancel_order"]})
    return score([rows], tmp_path / "o<ut", engine=Here())


def test_the_page_holds_the_summary_and_the_flagged_runs(outcome: Any) -> None:
    page = write_report(outcome.folder, outcome.summary).read_text(encoding="utf-8")
    summary = unpacked(page, "summary")
    assert summary == shown(outcome.summary)
    assert {k: summary[k] for k in ("runs", "rates", "tools", "time")} == {
        k: outcome.summary[k] for k in ("runs", "rates", "tools", "time")
    }
    assert "\u202e" in json.dumps(outcome.summary, ensure_ascii=False)
    assert "\u202e" not in json.dumps(summary, ensure_ascii=False)
    flagged = unpacked(page, "flagged")
    assert flagged["total"] == len(flagged["runs"]) == 42
    (hostile,) = [r for r in flagged["runs"] if r["i"].startswith("</title>")]
    assert "".join(p[0] for p in hostile["p"]) == "I refunded $9 </script><script>alert(1)</script> ⟨U+202E⟩ now."


def test_long_names_that_differ_at_their_end_differ_in_the_page(tmp_path: Path) -> None:
    names = ["issue_refund_" + "x" * 300 + n for n in "12"]
    rows = [
        {**r, "id": "i" * 250 + r["id"], "tools": [t], "ledger": [{**c, "tool": t} for c in r["ledger"]]}
        for r, t in zip([make_run(1, "misquoted"), make_run(2, "misquoted")], names, strict=True)
    ]
    outcome = score([rows], tmp_path / "out", engine=Here())
    page = write_report(outcome.folder, outcome.summary).read_text(encoding="utf-8")
    tools, runs = unpacked(page, "summary")["tools"], unpacked(page, "flagged")["runs"]
    assert len(tools) == len({r["i"] for r in runs}) == 2
    assert {c["t"] for r in runs for c in r["c"]} == set(tools)
    assert max(map(len, tools)) <= 200


def test_replies_stand_in_the_page_as_base64_alone(outcome: Any) -> None:
    page = write_report(outcome.folder, outcome.summary).read_text(encoding="utf-8")
    assert "alert(1)" not in page
    assert "I refunded" not in page
    assert "<title>claimx report: o&lt;ut</title>" in page


def test_nothing_can_be_loaded_and_only_the_pages_own_scripts_run(outcome: Any) -> None:
    page = write_report(outcome.folder, outcome.summary).read_text(encoding="utf-8")
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', page)
    assert policy
    assert "default-src 'none'" in policy[1]
    scripts = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    assert len(scripts) == 2
    for script in scripts:
        assert f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'" in policy[1]
    markup = re.sub(r"<script.*?</script>|<style>.*?</style>", "", page, flags=re.DOTALL)
    assert not re.search(r"\b(src|href)=(?!\"#)", markup)
    styles = "".join(re.findall(r"<style>(.*?)</style>", page, re.DOTALL))
    assert "url(" not in styles
    assert "@import" not in styles


def test_of_too_many_runs_some_of_every_kind_are_kept(outcome: Any) -> None:
    data = flagged_runs(outcome.folder, outcome.summary, most=12)
    assert (data["total"], len(data["runs"])) == (42, 12)
    kinds = {c["k"] for r in data["runs"] for c in r["c"] if c["w"]}
    assert kinds == set(range(len(outcome.summary["kinds"])))
    assert data == flagged_runs(outcome.folder, outcome.summary, most=12)


def test_equal_scores_give_equal_pages(outcome: Any) -> None:
    pages = [
        to_page(outcome.summary, flagged_runs(outcome.folder, outcome.summary, most=100), title="t") for _ in range(2)
    ]
    assert pages[0] == pages[1]


def test_a_run_of_thousands_of_claims_and_calls_stays_small(tmp_path: Path) -> None:
    reply = "".join(f"I refunded ${n} on day {n}.\n" for n in range(3000))
    calls = [{"id": f"c{n}", "tool": "send_email", "args": {"to": "ada@example.org"}} for n in range(500)]
    outcome = score(
        [[{"id": "i" * 9000, "reply": reply, "tools": ["issue_refund"], "ledger": calls}]],
        tmp_path / "o",
        engine=Here(),
    )
    (run,) = flagged_runs(outcome.folder, outcome.summary, most=10)["runs"]
    assert len(json.dumps(run)) < 60_000
    assert len(run["c"]) + run["o"] == 3000
    assert all(c["w"] for c in run["c"])
    assert max(p[1] for p in run["p"]) == len(run["c"]) - 1
    assert run["u"][-1] == "and 480 more"
