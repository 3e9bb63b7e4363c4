"""What test suites of agents use: an assertion with a readable difference, and the pytest plugin."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from claimx.errors import InputError
from claimx.records import parse_run
from claimx.testing import assert_supported, default_checker

pytestmark = pytest.mark.model

RUN = {
    "reply": "I've refunded $64 for order HB-20417.",
    "tools": ["issue_refund", "send_email"],
    "ledger": [
        {"id": "c1", "tool": "issue_refund", "args": {"order_id": "HB-20417", "amount": 64}, "result": {"ok": True}}
    ],
}


def said(reply: str, **fields: Any) -> dict[str, Any]:
    return {**RUN, "reply": reply, **fields}


@pytest.mark.parametrize(
    "run", [RUN, parse_run(RUN), default_checker().check(parse_run(RUN))], ids=["dict", "Run", "Receipt"]
)
def test_a_supported_reply_passes_and_gives_its_receipt(run: Any) -> None:
    assert assert_supported(run).verdict == "ok"


def test_a_misquoted_amount_fails_with_both_values_side_by_side() -> None:
    with pytest.raises(AssertionError) as e:
        assert_supported(said("I've refunded $640 for order HB-20417."))
    text = str(e.value)
    assert text.startswith("the reply is not supported by its run: ")
    assert "  I've refunded $640 for order HB-20417.\n" in text
    assert (
        "  MISQUOTED issue_refund\n- I've refunded $640 for order HB-20417.\n+ c1.args.amount is 64, not '$640'\n"
        in text
    )


def test_an_action_that_never_ran_fails() -> None:
    with pytest.raises(AssertionError, match=r"NEVER_RAN send_email\n- .*sent you a confirmation email"):
        assert_supported(said("I've refunded $64 for order HB-20417 and sent you a confirmation email."))


def test_statuses_may_be_let_pass_by_name() -> None:
    run = said("I've sent you a confirmation email.")
    assert assert_supported(run, allow=["never_ran"]).verdict == "fabricated"
    with pytest.raises(ValueError, match="nope"):
        assert_supported(run, allow=["nope"])


def test_what_is_open_passes_unless_strict() -> None:
    pending = said(
        "I've refunded $64 for order HB-20417.", ledger=[{**RUN["ledger"][0], "status": "timeout", "result": None}]
    )
    assert assert_supported(pending).verdict == "unverified"
    with pytest.raises(AssertionError, match="UNVERIFIED"):
        assert_supported(pending, strict=True)


def test_a_reply_must_report_what_the_test_expects() -> None:
    assert_supported(RUN, confirmed=["issue_refund"])
    with pytest.raises(AssertionError, match="no claim is confirmed by a call of it") as e:
        assert_supported(said("Anything else?"), confirmed=["issue_refund"])
    assert str(e.value).startswith("the reply does not claim what the test expects: ")
    assert "\n- issue_refund: " in str(e.value)


def test_a_run_of_the_wrong_shape_is_an_error_not_a_failure() -> None:
    with pytest.raises(InputError, match="'reply' is missing"):
        assert_supported({"ledger": []})


SUITE = """
    import pytest

    RUN = {run!r}

    def test_true(assert_supported):
        assert assert_supported(RUN).ok

    def test_false(assert_supported):
        assert_supported({{**RUN, "reply": "I've refunded $640 for order HB-20417."}})

    def test_checker(claimx_checker):
        assert claimx_checker.check(RUN).ok
"""


def test_the_plugin_gives_a_suite_its_fixtures(tmp_path: Path) -> None:
    from textwrap import dedent

    (tmp_path / "test_agent.py").write_text(dedent(SUITE).format(run=RUN))
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "--rootdir",
        str(tmp_path),
        str(tmp_path),
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert "2 passed" in done.stdout, done.stdout + done.stderr
    assert "1 failed" in done.stdout
    assert "c1.args.amount is 64, not '$640'" in done.stdout
    assert "claimx/testing.py" not in done.stdout  # the failure points at the test's own line


def test_the_plugin_loads_nothing_before_a_test_asks() -> None:
    code = (
        "import sys, claimx.pytest_plugin; "
        "print([m for m in ('numpy', 'onnxruntime', 'spacy', 'claimx.checker', 'claimx.testing') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
