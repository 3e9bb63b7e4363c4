"""Results of tau-bench (a list of trajectories) and tau2-bench (simulations, with calls of agent and user apart)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from claimx.adapters import messages
from claimx.adapters.conversation import Conversation
from claimx.adapters.found import Found, Reading, fault
from claimx.adapters.plain import first, mapping, sequence, word
from claimx.records import Record

NAME = "tau-bench"
NAME_2 = "tau2-bench"


def name_of(sample: Sequence[Any]) -> str | None:
    """Return which of the two a sample is of, None when of neither."""
    for record in map(mapping, sample):
        if _is_trajectory(record):
            return NAME
        if isinstance(record.get("simulations"), list) or _is_simulation(record):
            return NAME_2
    return None


def _is_trajectory(data: Mapping[str, Any]) -> bool:
    return isinstance(data.get("traj"), list) and "task_id" in data


def _is_simulation(data: Mapping[str, Any]) -> bool:
    return isinstance(data.get("messages"), list) and "task_id" in data and "termination_reason" in data


def read(records: Iterable[Record], reading: Reading) -> Iterator[Found]:
    """Read trajectories and simulations."""
    for record in records:
        data = mapping(record.data)
        if record.error is not None:
            yield Found(record.line, error=record.error)
        elif _is_trajectory(data):
            yield from _run(data, sequence(data["traj"]), record.line, reading, ())
        elif _is_simulation(data):
            yield from _run(data, sequence(data["messages"]), record.line, reading, ())
        elif isinstance(data.get("simulations"), list):
            environment = mapping(mapping(data.get("info")).get("environment_info"))
            tools = sequence(first(environment, "tool_defs", "tools"))
            for simulation in map(mapping, data["simulations"]):
                yield from _run(simulation, sequence(simulation.get("messages")), record.line, reading, tools)
        elif not set(data) <= {"info", "tasks", "timestamp"}:
            yield fault(record.line, "neither a trajectory of tau-bench nor a simulation of tau2-bench")


def _run(
    data: Mapping[str, Any], listed: Sequence[Any], line: int, reading: Reading, tools: Sequence[Any]
) -> Iterator[Found]:
    id = f"task {data.get('task_id')}"
    if data.get("trial") is not None:
        id += f", trial {data['trial']}"
    conversation = Conversation(id=id, line=line, turns=reading.turns, tools=tools)
    messages.feed_all([m for x in listed for m in _agents(mapping(x))], conversation)
    yield from conversation.finish()


def _agents(message: Mapping[str, Any]) -> Iterator[Any]:
    """The agent's side of a message: the user's own tools are no evidence of what the agent did."""
    if isinstance(message.get("tool_messages"), list):
        for inner in message["tool_messages"]:
            yield from _agents(mapping(inner))
    elif word(message, "role") == "tool" and message.get("requestor") == "user":
        return
    elif word(message, "role") == "tool" and "tool_call_id" not in message:
        yield {**message, "tool_call_id": message.get("id")}
    else:
        yield message
