"""Which format a source is of, and what is said when it is of none."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from claimx.adapters import FORMATS, detect, read_runs
from claimx.errors import FormatError, InputError
from claimx.types import Run
from tests.adapters.sessions import TAU, TAU2  # type: ignore[import-not-found]
from tests.adapters.test_fixtures import FILES, FIXTURES  # type: ignore[import-not-found]

DOCS = Path(__file__).parent.parent.parent / "docs" / "adapters.md"
PLAIN = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello."}]


def runs_of(source: Any, **options: Any) -> list[Run]:
    return [f.run for f in read_runs(source, **options) if f.run]


@pytest.mark.parametrize(
    ("source", "format"),
    [
        ({"reply": "Hi"}, "claimx"),
        ({"text": "Hi"}, "claimx"),
        ({"ledger": []}, "claimx"),
        ({"reply": "Hi", "messages": PLAIN}, "claimx"),
        (PLAIN, "openai-chat"),
        ({"messages": PLAIN}, "openai-chat"),
        ({"body": {"messages": PLAIN}, "custom_id": "r-1"}, "openai-chat"),
        ({"object": "chat.completion", "choices": [{"index": 0, "message": PLAIN[1]}]}, "openai-chat"),
        ({"contents": [{"role": "user", "parts": [{"text": "Hi"}]}]}, "gemini"),
        ({"input": "Hi", "output": [{"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Hello."}]}]}, "openai-responses"),
        ([{"type": "human", "content": "Hi"}, {"type": "ai", "content": "Hello."}], "langchain"),
        ([{"type": "human", "data": {"content": "Hi"}}], "langchain"),
        (TAU, "tau-bench"),
        (TAU2, "tau2-bench"),
        ({"resourceSpans": [{"scopeSpans": []}]}, "otel-genai"),
        ({"run_type": "chain", "inputs": {}, "outputs": {}}, "langsmith"),
        ({"id": "t", "observations": []}, "langfuse"),
        ({"data": [{"id": "o", "type": "SPAN", "traceId": "t"}]}, "langfuse"),
    ],
)  # fmt: skip
def test_the_first_records_show_the_format(source: Any, format: str) -> None:
    assert detect(source).format == format


@pytest.mark.parametrize(
    "source",
    [
        {"hello": 1},
        [1, 2],
        {},
        {"choices": []},
        {"messages": "hi"},
        {"type": "user"},
        {"role": 3},
        b'{"a": 1}\n{"b": 2}\n',
        {"samples": []},
    ],
    ids=repr,
)
def test_an_unknown_shape_is_told_with_what_was_seen_and_what_is_known(source: Any) -> None:
    with pytest.raises(FormatError) as e:
        list(read_runs(source))
    assert "the format is not known" in str(e.value)
    for format in FORMATS:
        assert format.name in str(e.value)


def test_an_unknown_shape_shows_its_fields_and_never_its_values() -> None:
    with pytest.raises(FormatError) as e:
        detect({"api_key": "sk-live-12345", "k" * 300: 1, **{f"f{i}": i for i in range(50)}})
    assert "api_key" in str(e.value)
    assert "sk-live" not in str(e.value)
    assert len(str(e.value)) < 900


def test_a_named_format_is_taken_and_an_unknown_name_lists_those_that_are_known() -> None:
    (run,) = runs_of({"messages": PLAIN, "reply": "Hi"}, format="openai-chat")
    assert run.reply == "Hello."
    with pytest.raises(FormatError, match=r"format 'openai' is not known \(known: claimx, claude-code"):
        list(read_runs(PLAIN, format="openai"))
    with pytest.raises(InputError, match="turns is 'first'"):
        list(read_runs(PLAIN, turns="first"))  # type: ignore[arg-type]


@pytest.mark.parametrize("format", [f.name for f in FORMATS])
def test_a_record_of_another_format_than_the_named_one_is_an_error_of_its_line(format: str) -> None:
    found = list(read_runs({"hello": "secret-1"}, format=format))
    assert [f.run for f in found if f.run] == []
    if format not in ("claude-code", "codex"):  # their files hold lines of many kinds
        assert found[0].error is not None
        assert "line 1" in str(found[0].error)
    assert "secret-1" not in " ".join(str(f.error) for f in found)


def test_the_format_is_told_once() -> None:
    told: list[Any] = []
    list(read_runs(PLAIN, told=told.append))
    assert [(d.format, d.title != "") for d in told] == [("openai-chat", True)]


def test_a_line_of_another_shape_among_conversations_is_an_error_of_its_line(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_text("\n".join(json.dumps(x) for x in ({"messages": PLAIN}, {"hello": 1}, {"messages": PLAIN})))
    found = list(read_runs(path))
    assert [f.line for f in found] == [1, 2, 3]
    assert "no conversation here (fields: hello)" in str(found[1].error)


def test_results_of_tau_bench() -> None:
    found = list(read_runs(TAU))
    (run,) = [f.run for f in found if f.run]
    assert (run.id, run.user) == ("task 3, trial 1", "Please cancel GV1N64.")
    assert run.reply == "Your reservation GV1N64 has been cancelled."
    assert [(e.tool, e.args, e.result) for e in run.ledger] == [
        ("cancel_reservation", {"reservation_id": "GV1N64"}, "Error: reservation not found")
    ]
    assert [str(f.error) for f in found if f.error] == ["line 2: task 4, trial 0: no text of the agent to check"]


def test_results_of_tau2_bench_leave_the_users_own_tools_out() -> None:
    first, last = runs_of(TAU2, turns="all")
    assert first.reply == "Hi! How can I help?"
    assert [(e.id, str(e.status)) for e in last.ledger] == [("a1", "error"), ("a2", "success")]
    assert [t.name for t in last.tools] == ["enable_roaming"]


def test_the_table_of_the_docs_lists_every_format() -> None:
    text = DOCS.read_text(encoding="utf-8")
    for format in FORMATS:
        assert f"| `{format.name}` | {format.title} | {format.seen} | {format.lost} |" in text


RUN = {"id": "r", "reply": "Sent.", "ledger": [{"id": "c", "tool": "send_email"}]}


@pytest.mark.parametrize("name", sorted(FILES))
@pytest.mark.parametrize("key", ["data", "conversations"])
def test_a_page_of_an_interface_gives_what_is_in_it(name: str, key: str) -> None:
    text = (FIXTURES / name).read_text(encoding="utf-8")
    rows = [json.loads(text)] if name.endswith(".json") else [json.loads(x) for x in text.splitlines()]
    page = json.dumps({key: rows, "meta": {"page": 1, "tags": ["a"]}, "links": []}).encode()
    format = FILES[name][0]
    assert detect(page).format == format
    want = [f.run.ledger for f in read_runs(FIXTURES / name) if f.run]
    for source, options in ((page, {}), (page, {"format": format}), (page + b"\n" + page, {})):
        found = [f.run.ledger for f in read_runs(source, **options) if f.run]  # type: ignore[arg-type]
        assert found[:1] == want
        assert len(found) in (1, 2)


def test_a_record_with_two_lists_is_no_page() -> None:
    with pytest.raises(FormatError, match="fields: a, b"):
        list(read_runs({"a": [RUN], "b": [RUN]}))


def test_a_page_of_runs_is_read_and_what_is_no_run_in_it_is_told() -> None:
    found = list(read_runs({"runs": [RUN, {"id": "x", "reply": 7, "ledger": []}, RUN]}))
    assert [f.run is not None for f in found] == [True, False, True]
