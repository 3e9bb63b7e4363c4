"""What the real libraries wrote gives the run that really was: every format, one story."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from claimx.adapters import detect, read_runs
from claimx.types import Run

FIXTURES = Path(__file__).parent / "fixtures"
REPLY = "I've refunded $84.50 for order HB-20417 and emailed you the confirmation."
TOOLS = {"issue_refund", "send_email", "cancel_order"}
#: file -> format, tools that the file names, whether it marks the failed e-mail as an error.
FILES = {
    "openai_chat.jsonl": ("openai-chat", TOOLS, False),
    "openai_responses.jsonl": ("openai-responses", TOOLS, True),
    "anthropic.jsonl": ("anthropic", TOOLS, True),
    "gemini.jsonl": ("gemini", TOOLS, True),
    "langchain.jsonl": ("langchain", set(), True),
    "langchain_dumpd.jsonl": ("langchain", set(), True),
    "langsmith_tree.json": ("langsmith", set(), True),
    "langsmith_rows.jsonl": ("langsmith", set(), True),
    "langfuse_rows.jsonl": ("langfuse", TOOLS, True),
    "langfuse_trace.json": ("langfuse", TOOLS, True),
    "openinference.otlp.jsonl": ("openinference", TOOLS, True),
    "openinference.otlp_base64.json": ("openinference", TOOLS, True),
    "openinference.spans.jsonl": ("openinference", TOOLS, True),
    "openllmetry.otlp.jsonl": ("otel-genai", TOOLS, False),
    "openllmetry.otlp_base64.json": ("otel-genai", TOOLS, False),
    "openllmetry.spans.jsonl": ("otel-genai", TOOLS, False),
    "otel_genai.otlp.jsonl": ("otel-genai", {"issue_refund", "send_email"}, True),
    "otel_genai.otlp_base64.json": ("otel-genai", {"issue_refund", "send_email"}, True),
    "otel_genai.spans.jsonl": ("otel-genai", {"issue_refund", "send_email"}, True),
    "langfuse_otel.otlp.jsonl": ("langfuse-otel", TOOLS, True),
    "langfuse_otel.otlp_base64.json": ("langfuse-otel", TOOLS, True),
    "langfuse_otel.spans.jsonl": ("langfuse-otel", TOOLS, True),
    # Log records alone tell what the model was told of a failure; the tools' own spans mark it as one.
    "otel_logs.otlp.jsonl": ("otel-genai", TOOLS, False),
    "otel_logs.records.jsonl": ("otel-genai", TOOLS, False),
    "otel_logs_and_spans.otlp.jsonl": ("otel-genai", TOOLS, True),
    "otel_events.otlp.jsonl": ("otel-genai", set(), False),
    "otel_events.records.jsonl": ("otel-genai", set(), False),
    "otel_events_and_spans.otlp.jsonl": ("otel-genai", set(), True),
    "inspect.json": ("inspect", {"issue_refund", "send_email"}, True),
    "agentdojo.json": ("agentdojo", set(), True),
}


def runs_of(source: object, **options: object) -> list[Run]:
    found = list(read_runs(source, **options))  # type: ignore[arg-type]
    assert [str(f.error) for f in found if f.error] == []
    return [f.run for f in found if f.run]


def test_every_fixture_is_in_the_table() -> None:
    assert {p.name for p in FIXTURES.iterdir()} == {*FILES, "inspect.eval"}


@pytest.mark.parametrize("name", FILES)
def test_the_run_is_read_out_of_what_a_library_wrote(name: str) -> None:
    format, tools, marked = FILES[name]
    assert detect(FIXTURES / name).format == format
    (run,) = runs_of(FIXTURES / name)
    assert run.reply == REPLY
    assert run.user == "Please refund order HB-20417."
    assert {t.name for t in run.tools} >= tools
    by_tool = {e.tool: e for e in run.ledger}
    refund, email = by_tool["issue_refund"], by_tool["send_email"]
    assert refund.args == {"order_id": "HB-20417", "amount": 8.45}
    assert refund.status == "success"
    assert "RF-7" in json.dumps(refund.result)
    assert email.args == {"to": "dana@example.com"}
    assert (email.status == "error") is marked
    assert "SMTP server refused the connection" in f"{email.error} {email.result}"
    assert {e.turn for e in run.ledger} == {1}
    extra = {"run_sql", "web_search"} if format in ("openai-responses", "anthropic") else set()
    assert set(by_tool) <= {"issue_refund", "send_email", *extra}


@pytest.mark.parametrize("name", [n for n in FILES if n.endswith((".json", ".jsonl"))])
def test_a_fixture_is_read_the_same_from_bytes_and_with_its_format_named(name: str) -> None:
    data = (FIXTURES / name).read_bytes()
    assert runs_of(data) == runs_of(data, format=FILES[name][0]) == runs_of(FIXTURES / name)


def test_of_a_conversation_every_text_is_a_run_against_the_calls_before_it() -> None:
    first, last = runs_of(FIXTURES / "anthropic.jsonl", turns="all")
    assert (first.reply, [e.tool for e in first.ledger]) == ("I'll refund it now.", [])
    assert (last.reply, len(last.ledger)) == (REPLY, 3)
    assert [r.id for r in (first, last)] == ["1#1", "1#2"]
    texts = [r.reply for r in runs_of(FIXTURES / "inspect.json", turns="all")]
    assert texts == ["One moment.", REPLY]


def test_the_archive_and_the_json_of_an_evaluation_give_the_same_run() -> None:
    pytest.importorskip("compression.zstd" if sys.version_info >= (3, 14) else "backports.zstd")
    assert detect(FIXTURES / "inspect.eval").format == "inspect"
    (run,), (same,) = runs_of(FIXTURES / "inspect.eval"), runs_of(FIXTURES / "inspect.json")
    assert (run.reply, run.user, run.id, run.tools) == (same.reply, same.user, same.id, same.tools)
    told = [(e.tool, e.args, e.result, e.status, e.error) for e in run.ledger]
    assert told == [(e.tool, e.args, e.result, e.status, e.error) for e in same.ledger]


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="the standard library opens Zstandard")
def test_without_the_extra_an_archive_names_it_and_the_other_way() -> None:
    code = (
        "import sys; sys.modules['backports.zstd.zipfile'] = None\n"
        "from claimx.adapters import read_runs\n"
        f"try: list(read_runs({str(FIXTURES / 'inspect.eval')!r}))\n"
        "except Exception as e: print(type(e).__name__, e)"
    )
    out = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert out.startswith("InputError")
    assert "pip install 'claimx[inspect]'" in out
    assert "inspect log convert --to json" in out


def test_the_comparison_with_what_libraries_write_today_tells_a_field_that_came_went_or_changed() -> None:
    code = (
        "from tests.adapters.make_fixtures import differences, shape\n"
        "old, new = shape({'a': 1, 'b': [{'c': 'x'}], 'd': 1}), shape({'a': 2, 'b': [{'c': None}], 'e': 1})\n"
        "print(list(differences(old, new)))"
    )
    out = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=FIXTURES.parents[2]
    )
    assert out.stdout.strip() == str([".b[0].c: str is NoneType now", ".d: gone", ".e: new"])


def test_calls_of_traces_before_in_the_same_session_count() -> None:
    rows = [json.loads(x) for x in (FIXTURES / "langfuse_rows.jsonl").read_text().splitlines()]
    later = {"id": "x", "traceId": "trace-2", "sessionId": "s-1", "type": "GENERATION", "name": "gpt-5", "startTime": "2026-01-01T01:00:00Z",
             "endTime": "2026-01-01T01:00:02Z", "input": [{"role": "user", "content": "What did you do?"}],
             "output": {"role": "assistant", "content": "As I said, I refunded $8.45."}}  # fmt: skip
    first, second = runs_of([*rows, later])
    assert [e.tool for e in second.ledger] == ["issue_refund", "send_email"]
    assert (first.id, second.id, second.user) == ("trace-1", "trace-2", "What did you do?")
