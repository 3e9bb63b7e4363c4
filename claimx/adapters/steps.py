"""Spans and observations of a trace put together: what models said and asked for, what tools really did, in order of time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from claimx.adapters import documents, messages
from claimx.adapters.content import opened, text_of
from claimx.adapters.conversation import Conversation
from claimx.adapters.found import Found, Turns
from claimx.adapters.moments import seconds
from claimx.adapters.plain import mapping, sequence, text, word
from claimx.types import CallStatus, LedgerEntry


@dataclass(slots=True)
class Step:
    """One span: a model's answer, a tool's work, an agent around them, or anything else. Times sort as they are."""

    id: str
    trace: str
    kind: Literal["llm", "tool", "agent", "other"]
    name: str = ""
    parent: str | None = None
    start: Any = None
    end: Any = None
    asked: list[Any] = field(default_factory=list)
    answered: list[Any] = field(default_factory=list)
    tools: list[Any] = field(default_factory=list)
    call_id: str | None = None
    args: Any = None
    result: Any = None
    status: CallStatus = CallStatus.SUCCESS
    error: str | None = None
    session: str | None = None
    output: Any = None
    #: Whether a log record told it: of a step that a span tells as well it holds the contents at most.
    is_log: bool = False
    #: Whether the contents of a span come from log records.
    from_logs: bool = False
    model: str | None = None
    version: str | None = None


class _Trace(Conversation):
    """A conversation told by spans: a call is told many times, and what a model was sent again is no news."""

    replaying = False

    def message(self, key: object = None) -> None:
        if not self.replaying:
            super().message(key)

    def say(self, text: str, *, line: int = 0, at: Any = None) -> None:
        if not self.replaying:
            super().say(text, line=line, at=at)

    def call(self, id: Any, tool: str, args: Any, *, at: Any = None, parent: str | None = None, **extra: Any) -> str:
        if id and self.has(str(id)):
            return str(id)
        if self.replaying and not id:
            known = next((c for c in self._calls.all if c.entry.tool == tool and c.entry.args == args), None)
            if known is not None:
                return known.entry.id
        return super().call(id, tool, args, at=at, parent=parent, **extra)

    def result(self, id: Any, result: Any, **more: Any) -> bool:
        if id and self.is_done(str(id)):
            known = self.entry(str(id))
            if self.replaying and known is not None and known.result is None and result is not None:
                # The span of the tool told that it ran, not what it gave back.
                self.amend(str(id), result, known.status)
            return True
        return super().result(id, result, **more)

    def began(self, step: Step) -> str:
        """A tool began to work: the call that a model asked for, or one of its own. Returns its id."""
        wanted = [c for c in self._calls.all if not c.done and c.entry.tool == step.name]
        found = None
        if step.call_id:
            found = next((c for c in self._calls.by_id.get(step.call_id, ()) if not c.done), None)
        else:
            found = next((c for c in wanted if c.entry.args == step.args), wanted[0] if wanted else None)
        if found is None:
            if step.call_id and self.is_done(step.call_id):
                return step.call_id
            return super().call(step.call_id or step.id, step.name, step.args, at=step.start)
        # What the executor was given counts, not what the model wrote.
        args = step.args if step.args not in (None, "", {}) else found.entry.args
        found.entry = replace(found.entry, args=args, parent_id=found.entry.parent_id or self.owner)
        return found.named or found.entry.id


def runs_of(
    steps: Sequence[Step], *, id: str, line: int, turns: Turns, earlier: Iterable[LedgerEntry] = ()
) -> tuple[list[Found], tuple[LedgerEntry, ...]]:
    """Return the runs of one trace, and all its calls. `earlier` are the calls of traces before it in the same session."""
    steps = _joined(steps)
    by_id = {s.id: s for s in steps if s.id}
    _tell_tools(steps)
    trace = _Trace(id=id, line=line, turns=turns, earlier=earlier)
    top = next((s for s in steps if s.kind == "agent" and s.name and s.parent not in by_id), None)
    trace.tell(agent=top.name if top else None, version=next((s.version for s in steps if s.version), None))
    seen_users = 0
    ids: dict[str, str] = {}
    said = ""
    for _, _, what, step in sorted(_events(steps), key=lambda e: (e[0], e[1])):
        above = _above(step, by_id)
        inside = next((s for s in above if s.kind == "tool"), None)
        trace.owner = ids.get(inside.id) if inside else None
        agents = [s.name for s in above if s.kind == "agent" and s.name]
        trace.agent = agents[0] if agents and (inside or len(agents) > 1) else None
        trace.muted = inside is not None
        trace.clock = step.start if what == "start" else step.end
        if what == "start":
            for tool in step.tools:
                trace.tool(tool)
        if step.kind == "llm" and what == "start":
            seen_users = _replay(trace, step, seen_users)
        elif step.kind == "llm":
            trace.message()
            messages.feed_all(step.answered, trace, name="output")
            trace.tell(model=None if trace.muted else step.model)
            words = _last_text(step.answered)
            said = words if words and not trace.muted else said
        elif what == "start":
            ids[step.id] = trace.began(step)
        else:
            trace.result(ids.get(step.id, step.id), step.result, status=step.status, error=step.error, at=step.end)
    trace.owner, trace.agent, trace.muted = None, None, False
    root = next((s for s in steps if s.parent not in by_id and s.kind in ("agent", "other")), None)
    final = output_text(root.output) if root else None
    if final and final.strip() != said.strip():
        trace.message()
        trace.say(final, at=root.end if root else None)
    return list(trace.finish()), trace.entries


def _joined(steps: Sequence[Step]) -> list[Step]:
    """Put together what was told of one step in parts: by its span, twice where an export repeats it, and by log records."""
    out: list[Step] = []
    places: dict[str, int] = {}
    for step in steps:
        place = places.setdefault(step.id, len(out)) if step.id else len(out)
        if place == len(out):
            out.append(step)
            continue
        known = out[place]
        if known.is_log and step.is_log:
            known.asked, known.answered = known.asked + step.asked, known.answered + step.answered
            known.tools, known.end = known.tools or step.tools, step.end
        elif known.is_log != step.is_log:
            out[place] = _with_contents(*((step, known) if known.is_log else (known, step)))
        elif known.end is None:
            out[place] = step
    return out


def _with_contents(span: Step, log: Step) -> Step:
    """A span with what log records (one, or one a message) tell of its contents, where it does not tell them itself."""
    if span.kind not in ("llm", "other"):
        return span
    if (span.asked or span.answered) and not span.from_logs:
        return replace(span, asked=span.asked or log.asked, answered=span.answered or log.answered)
    asked, answered = span.asked + log.asked, span.answered + log.answered
    return replace(span, kind="llm", asked=asked, answered=answered, tools=span.tools or log.tools, from_logs=True)


def _tell_tools(steps: Sequence[Step]) -> None:
    """A plain span with the name of a tool that a model asked for is that tool's work."""
    asked = Conversation()
    for s in steps:
        if s.kind == "llm":
            messages.feed_all(s.answered, asked)
    names = {e.tool for e in asked.entries}
    for s in steps:
        if s.kind == "other" and s.name in names and s.args is not None:
            s.kind = "tool"


def _events(steps: Sequence[Step]) -> Iterator[tuple[float, int, str, Step]]:
    for i, s in enumerate(steps):
        if s.kind in ("llm", "tool"):
            start = seconds(s.start)
            yield start, 4 * i, "start", s
            yield max(seconds(s.end), start), 4 * i + 2, "end", s


def _above(step: Step, by_id: Mapping[str, Step]) -> list[Step]:
    out: list[Step] = []
    at = by_id.get(step.parent or "")
    while at is not None and len(out) < 64:
        out.append(at)
        at = by_id.get(at.parent or "")
    return out


def _replay(trace: _Trace, step: Step, seen: int) -> int:
    """What a model was sent: the user's words that are new, calls and results that no span told."""
    users = [m for m in step.asked if _is_user(m)]
    if not trace.muted:
        for m in users[seen:]:
            words = text_of(mapping(m).get("content")) or text_of(mapping(m).get("parts"))
            if words:
                trace.user(words)
            else:
                messages.feed_all([m], trace)
    trace.replaying = True
    messages.feed_all([m for m in step.asked if not _is_user(m)], trace, name="input")
    trace.replaying = False
    return max(seen, len(users))


def _is_user(message: Any) -> bool:
    data = mapping(message)
    parts = sequence(data.get("content")) or sequence(data.get("parts"))
    results = any("result" in str(word(p, "type")) or word(p, "type") == "tool_call_response" for p in parts)
    return (word(data, "role") in ("user", "human") or word(data, "type") == "human") and not results


def _last_text(answered: Sequence[Any]) -> str:
    scratch = Conversation()
    messages.feed_all(answered, scratch)
    runs = [f.run for f in scratch.finish() if f.run]
    return runs[-1].reply if runs else ""


_ANSWERS = ("output", "answer", "response", "result", "content", "text", "reply", "final_output", "output_text")


def output_text(output: Any, depth: int = 0) -> str | None:
    """Return the text that a whole agent gave back, None when its output holds none."""
    output = opened(output)
    if isinstance(output, str):
        return text(output.strip())
    document = documents.unfold(output)
    if document is not None:
        return text(_last_text(document.messages))
    if isinstance(output, Mapping) and depth < 3:
        return next((found for k in _ANSWERS if k in output and (found := output_text(output[k], depth + 1))), None)
    return None
