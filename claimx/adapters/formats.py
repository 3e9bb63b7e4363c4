"""The formats that are known, in the order in which they are tried: how each is recognised, what of it is lost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from claimx.adapters import (
    agentdojo,
    claude_code,
    codex,
    conversations,
    inspect_ai,
    langfuse,
    langsmith,
    native,
    otel,
    tau,
)
from claimx.adapters.found import Found, Reading
from claimx.records import Record


@dataclass(frozen=True, slots=True)
class Format:
    """A format. `shows` tells whether the first records are of it; `seen` what shows it; `lost` what no run holds."""

    name: str
    title: str
    seen: str
    lost: str
    shows: Callable[[Sequence[Any]], bool]
    read: Callable[[Iterable[Record], Reading], Iterator[Found]]


def _named(name_of: Callable[[Sequence[Any]], str | None], name: str) -> Callable[[Sequence[Any]], bool]:
    return lambda sample: name_of(sample) == name


def _dialect(name: str, title: str, seen: str, lost: str) -> Format:
    return Format(name, title, seen, lost, _named(conversations.name_of, name), partial(conversations.read, only=name))


def _native(records: Iterable[Record], _: Reading) -> Iterator[Found]:
    from claimx.records import parse_run

    return native.read(records, parse_run)


FORMATS: tuple[Format, ...] = (
    Format("claimx", "runs of claimx", "`reply` (or `text`), `ledger`", "nothing", native.matches, _native),
    Format(
        "claude-code", "sessions and `stream-json` of Claude Code",
        "lines with `type` user or assistant, `message`, and a session's id",
        "thinking, images, texts of sub-agents; calls of sub-agents whose files are not beside the session",
        claude_code.matches, claude_code.read,
    ),
    Format(
        "codex", "rollouts of Codex and `codex exec --json`", "lines with `type` session_meta or response_item, and `payload`",
        "reasoning, images, texts of sub-agents; calls of sub-agents whose rollouts are not among those beside it, or that `codex exec` ran", codex.matches, codex.read,
    ),
    Format(
        "inspect", "logs of Inspect: `.json`, and `.eval` with `claimx[inspect]`", "`eval` with `samples`, or a sample with `epoch`",
        "scores, reasoning, texts of sub-agents", inspect_ai.matches, inspect_ai.read,
    ),
    Format(
        "tau-bench", "results of tau-bench", "`traj` and `task_id`", "rewards, the tools that were never called", _named(tau.name_of, "tau-bench"), tau.read,
    ),
    Format(
        "tau2-bench", "results of tau2-bench", "`simulations`, or `messages` with `termination_reason`",
        "rewards, the user's own tool calls, speech", _named(tau.name_of, "tau2-bench"), tau.read,
    ),
    Format(
        "agentdojo", "traces of AgentDojo", "`suite_name`, `user_task_id`, `messages`", "injections, the tools that were never called",
        agentdojo.matches, agentdojo.read,
    ),
    Format(
        "openinference", "OpenInference spans: OTLP JSON, `to_json`, span objects", "`resourceSpans` or spans with `openinference.span.kind`",
        "retrieval, embeddings, texts of sub-agents", _named(otel.name_of, "openinference"), otel.read,
    ),
    Format(
        "langfuse-otel", "OpenTelemetry spans of Langfuse's SDK", "`resourceSpans` or spans with `langfuse.observation.*`",
        "scores, media, texts of sub-agents", _named(otel.name_of, "langfuse-otel"), otel.read,
    ),
    Format(
        "otel-genai", "OpenTelemetry GenAI spans and log records, OpenLLMetry's included",
        "`resourceSpans` or spans with `gen_ai.*`, `traceloop.*`; `resourceLogs` or log records with events `gen_ai.*`",
        "contents that the exporter was not told to record, or that it uploaded elsewhere, texts of sub-agents",
        _named(otel.name_of, "otel-genai"), otel.read,
    ),
    Format(
        "langfuse", "traces and observations of Langfuse", "`observations`, or rows with `type` and `traceId`",
        "scores, media, texts of sub-agents", langfuse.matches, langfuse.read,
    ),
    Format(
        "langsmith", "runs of LangSmith", "`run_type` with `inputs` or `outputs`", "feedback, streamed tokens, texts of sub-agents",
        langsmith.matches, langsmith.read,
    ),
    _dialect(
        "openai-responses", "items of OpenAI's Responses", "items with `type` function_call, message with output_text, ...",
        "reasoning, images, what stands behind `previous_response_id`",
    ),
    _dialect("anthropic", "Anthropic Messages", "content blocks tool_use, tool_result, server_tool_use, ...", "thinking, images, documents"),
    _dialect("gemini", "contents of Gemini", "`parts` with text, functionCall, functionResponse, ...", "thoughts, files"),
    _dialect(
        "vercel", "messages of the Vercel AI SDK: model messages and UI messages",
        "`content` with tool-call, tool-result, or `parts` with step-start, tool-*, dynamic-tool, ...",
        "reasoning, files, sources, data parts",
    ),
    _dialect("langchain", "messages of LangChain", "`type` human, ai, tool, or constructors with `lc`", "reasoning, artifacts beside a content"),
    _dialect("openai-chat", "OpenAI Chat Completions and what follows them", "`role` with `content`, `tool_calls`", "images, audio, thoughts (`<think>`), all choices but the first"),
)  # fmt: skip
BY_NAME = {f.name: f for f in FORMATS}
