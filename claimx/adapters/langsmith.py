"""Runs of LangSmith: trees with `child_runs`, rows of an export, objects of its client."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from claimx.adapters import documents, langchain
from claimx.adapters.content import args_of, result_of
from claimx.adapters.found import Found, Reading, fault
from claimx.adapters.plain import first, mapping, sequence, text, word
from claimx.adapters.steps import Step
from claimx.adapters.tracebuffer import read_steps
from claimx.records import Record
from claimx.types import CallStatus

NAME = "langsmith"


def matches(sample: Sequence[Any]) -> bool:
    """Whether records are runs: a run type and inputs."""
    return any(_is_run(r) for record in sample for r in _rows(record))


def _is_run(row: Any) -> bool:
    data = mapping(row)
    return isinstance(word(data, "run_type"), str) and ("inputs" in data or "outputs" in data)


def _rows(record: Any) -> list[Any]:
    held = mapping(record).get("runs")
    return held if isinstance(held, list) else [record]


def read(records: Iterable[Record], reading: Reading) -> Iterator[Found]:
    """Read runs."""
    return read_steps(_steps(records), reading)


def _steps(records: Iterable[Record]) -> Iterator[tuple[int, Step | Found]]:
    for record in records:
        if record.error is not None:
            yield record.line, Found(record.line, error=record.error)
            continue
        for row in _rows(record.data):
            if not _is_run(row):
                yield record.line, fault(record.line, "no run here: expected 'run_type', 'inputs' and 'outputs'")
                continue
            yield from ((record.line, s) for s in _tree(mapping(row), None, 0))


def _tree(run: Mapping[str, Any], parent: str | None, depth: int) -> Iterator[Step]:
    step = _step(run)
    step.parent = step.parent or parent
    yield step
    for child in sequence(run.get("child_runs")) if depth < 50 else ():
        yield from _tree(mapping(child), step.id, depth + 1)


def _step(run: Mapping[str, Any]) -> Step:
    id = str(run.get("id"))
    kind = str(word(run, "run_type"))
    extra = mapping(run.get("extra"))
    meta = mapping(extra.get("metadata"))
    outputs = run.get("outputs")
    failed = bool(run.get("error"))
    step = Step(
        id, str(run.get("trace_id") or id), "other", str(run.get("name") or ""), text(run.get("parent_run_id")),
        run.get("start_time"), run.get("end_time"), session=text(first(meta, "thread_id", "session_id", "conversation_id")),
        status=CallStatus.ERROR if failed else CallStatus.SUCCESS,
        error=str(run.get("error")).strip().splitlines()[0] if failed else None,
    )  # fmt: skip
    inputs = run.get("inputs")
    if kind in ("llm", "chat_model"):
        step.kind = "llm"
        asked = documents.unfold(inputs)
        step.asked = (
            asked.messages
            if asked
            else [
                {"role": "user", "content": str(p).rsplit("Human: ", 1)[-1]}
                for p in sequence(mapping(inputs).get("prompts"))[:1]
            ]
        )
        params = mapping(extra.get("invocation_params"))
        step.model = text(first(meta, "ls_model_name") or first(params, "model", "model_name"))
        step.tools = documents.tools_of(params) or (asked.tools if asked else [])
        step.answered = _answered(outputs)
    elif kind == "tool":
        step.kind = "tool"
        step.args = _given(inputs)
        step.result, step.call_id, message_failed = _returned(outputs)
        step.call_id = step.call_id or text(meta.get("tool_call_id")) or text(extra.get("tool_call_id"))
        if message_failed:
            step.status, step.error = CallStatus.ERROR, text(step.result)
    else:
        step.output = outputs
    return step


def _answered(outputs: Any) -> list[Any]:
    """A model's answer: generations with messages, or a response as its provider gave it."""
    generations = mapping(outputs).get("generations")
    while isinstance(generations, list) and generations and isinstance(generations[0], list):
        generations = generations[0]
    if isinstance(generations, list) and generations:
        best = mapping(generations[0])
        if isinstance(best.get("message"), Mapping):
            return [best["message"]]
        return [{"role": "assistant", "content": best.get("text")}]
    document = documents.unfold(outputs)
    return document.messages if document else []


def _given(inputs: Any) -> Any:
    """A tool's arguments; its tracer may write them as the text of a Python dict under `input`."""
    data = mapping(inputs)
    if set(data) == {"input"} and isinstance(data["input"], str):
        opened = args_of(data["input"])
        if isinstance(opened, str):
            try:
                value = ast.literal_eval(opened)
            except (ValueError, SyntaxError, MemoryError, RecursionError):
                return data
            return value if isinstance(value, dict) else data
        return opened
    return inputs


def _returned(outputs: Any) -> tuple[Any, str | None, bool]:
    """A tool's result, the id of its call where a message holds it, and whether the message is an error's."""
    value = outputs
    if isinstance(outputs, Mapping) and len(outputs) == 1:
        value = next(iter(outputs.values()))
    data = mapping(value)
    if langchain.fits(data):
        inner = mapping(data.get("kwargs")) or mapping(data.get("data")) or data
        return result_of(inner.get("content")), text(inner.get("tool_call_id")), word(inner, "status") == "error"
    return result_of(value), None, False
