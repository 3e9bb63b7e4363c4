"""The tools that exist: names and parameters that a model invents are answered with what there really is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from difflib import SequenceMatcher
from typing import Any

from claimx.guard.refusal import Code, Refusal, Retry, listed
from claimx.guard.schema import Fault, faults_of
from claimx.guard.walk import shown
from claimx.types import Tool
from claimx.values.keys import words_of

#: First words of names that only look something up.
_LOOKS_UP = frozenset(
    "get list search find lookup look read fetch view show query check describe retrieve count browse inspect calculate compute "
    "estimate summarize summarise compare preview validate verify track see download".split()
)
_HANDS_OVER = frozenset("escalate human handoff handover operator".split())
#: From this likeness on a name is taken for a slip of another.
_SLIP = 0.82
_NEAR = 0.55
#: Tools whose likeness is measured letter by letter; the others share too little.
_MEASURED = 10


class Catalogue:
    """Tools by name. `hand_over` is the tool that takes what the agent cannot do, found by its name when not given;
    `absent` maps names of things that this agent can't do at all to a sentence that says what to do instead."""

    def __init__(
        self, tools: Iterable[Any], *, hand_over: str | None = None, absent: Mapping[str, str] | None = None
    ) -> None:
        self.tools = {t.name: t for t in map(Tool.from_any, tools)}
        if hand_over is not None and hand_over not in self.tools:
            raise ValueError(f"hand_over is {hand_over!r}, which is none of the tools: {listed(list(self.tools), 40)}")
        self.hand_over = hand_over or next((n for n in self.tools if not _HANDS_OVER.isdisjoint(words_of(n))), None)
        self.absent = dict(absent or {})
        self._words = {n: frozenset(words_of(n)) for n in self.tools}

    def unknown_tool(self, name: str) -> Refusal | None:
        """Return the refusal of a tool that does not exist, None for one that does."""
        if name in self.tools:
            return None
        near = self.nearest(name[:200])
        slip = bool(near) and likeness(name, near[0]) >= _SLIP
        parts = [f"No tool named {shown(name)}. Available: {listed(list(self.tools), 60)}."]
        if name in self.absent:
            parts.append(self.absent[name])
        else:
            parts += [f"Did you mean {near[0]}?"] if slip else []
            parts.append(self._not_possible(shown(name)))
        return Refusal(
            Code.UNKNOWN_TOOL, " ".join(parts), Retry.FIX_AND_RETRY, None, shown(name), tuple(self.tools), tuple(near)
        )

    def _not_possible(self, name: str) -> str:
        what = shown(" ".join(words_of(name)) or name)
        instead = (
            f"{self.hand_over} handles those."
            if self.hand_over
            else "tell the user so; do not use another tool in its place and do not say that it was done."
        )
        return f"If none of these is made for it, to {what} is not something this agent can do at all; {instead}"

    def wrong_arguments(self, name: str, args: Mapping[str, Any]) -> list[Refusal]:
        """Return the refusals of arguments that the tool's definition does not allow; none where it has no schema."""
        parameters = self.tools[name].parameters
        if parameters is None:
            return []
        return [self._fault(name, f) for f in faults_of(parameters, args)]

    def _fault(self, tool: str, fault: Fault) -> Refusal:
        inside = fault.path.rpartition(".")[0].removeprefix("args").lstrip(".")
        where = f"{tool} ({shown(inside)})" if inside else tool
        name, given = shown(fault.name), fault.given
        if fault.kind == "unknown":
            near = tuple(nearest(fault.name[:200], fault.options))
            hint = f" Did you mean {near[0]}?" if near and likeness(fault.name[:200], near[0]) >= _SLIP else ""
            message = (
                f"{where} has no parameter {name}. It takes: {listed(fault.options, 40)}.{hint} "
                f"What no parameter holds cannot be asked of {tool}: leave it out and tell the user."
            )
            code, options = Code.UNKNOWN_PARAMETER, fault.options
        elif fault.kind == "missing":
            near, options = (), fault.options
            message = f"{where} needs {name}. Use a value that this run has seen; look it up or ask the user, do not make one up."
            code = Code.MISSING_PARAMETER
        else:
            near, options = tuple(nearest(str(given)[:200], fault.options)), fault.options
            message = (
                f"{where} does not take {shown(repr(given))} as {name}. It is one of: {listed(options, 40)}. "
                "If none of them is meant, do not pick the nearest: tell the user."
            )
            code = Code.INVALID_VALUE
        return Refusal(code, message, Retry.FIX_AND_RETRY, shown(fault.path, 200), _brief(given), options, near)

    def nearest(self, name: str, most: int = 3) -> list[str]:
        """Return the names of the real tools that are most like a name, best first."""
        mine = frozenset(words_of(name))
        ranked = sorted(self._words, key=lambda n: -len(mine & self._words[n]))[: _MEASURED * 2]
        return nearest(name, ranked, most)


def no_tool(name: object, catalogue: Catalogue | None) -> Refusal:
    """Return the refusal of a call that names no tool at all."""
    tools = tuple(catalogue.tools) if catalogue is not None else ()
    given = "is empty" if isinstance(name, str) else f"is {shown(name)!r} ({type(name).__name__}), not a text"
    there = f" Available: {listed(list(tools), 60)}." if tools else ""
    message = f"The call names no tool: its name {given}.{there} Send the name of one tool."
    return Refusal(Code.UNKNOWN_TOOL, message, Retry.FIX_AND_RETRY, None, shown(name), tools)


def _brief(value: Any) -> Any:
    return shown(value, 200) if isinstance(value, str) else value


def nearest(name: str, options: Sequence[str], most: int = 3) -> list[str]:
    """Return the options most like a name, best first; none that is unlike it.

    >>> nearest("orderId", ["order_id", "amount"])
    ['order_id']
    """
    head = sorted(options, key=lambda o: (abs(len(o) - len(name)), o))[:_MEASURED]
    head += [o for o in options[:_MEASURED] if o not in head]
    scored = sorted(((likeness(name, o, _NEAR), o) for o in head), reverse=True)
    return [o for score, o in scored[:most] if score >= _NEAR]


def likeness(a: str, b: str, floor: float = 0.0) -> float:
    """How alike two names are, from 0 to 1; conventions and the order of words do not matter. What cannot reach
    `floor` may be given as 0.

    >>> likeness("getOrder", "get_order"), likeness("order_get", "get_order")
    (1.0, 1.0)
    """
    mine, theirs = words_of(a), words_of(b)
    if mine and sorted(mine) == sorted(theirs):
        return 1.0
    match = SequenceMatcher(None, "_".join(mine) or a.lower(), "_".join(theirs) or b.lower(), autojunk=False)
    return match.ratio() if floor <= 0 or match.quick_ratio() >= floor else 0.0


def looks_up(name: str) -> bool:
    """Whether a tool's name says that it only looks something up; a name that leaves it open counts as a write.

    >>> [looks_up(n) for n in ("get_order", "orders.search", "get_or_create_user", "check_in_guest", "mcp__crm__listContacts")]
    [True, True, False, False, True]
    """
    plain = name.rsplit("__", 1)[-1].replace("/", ".").replace(":", ".").rpartition(".")[2]
    words = words_of(plain)
    if not words or words[0] not in _LOOKS_UP or not {"and", "or", "then"}.isdisjoint(words):
        return False
    return not (words[0] == "check" and len(words) > 1 and words[1] in {"in", "out"})
