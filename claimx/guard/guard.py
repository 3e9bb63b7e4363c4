"""The guard: decides before a call runs whether it may, from the tools that exist and from what its run has seen."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from threading import Lock
from typing import Any

from claimx.guard.catalogue import Catalogue, looks_up, no_tool
from claimx.guard.counts import Counts
from claimx.guard.echo import NO_ECHOES, brings_nothing, own_values
from claimx.guard.policy import Policy
from claimx.guard.provenance import trace
from claimx.guard.refusal import Code, Decision, Refusal, Retry, Sighting
from claimx.guard.rules import Call, Derived, Rule
from claimx.guard.seen import Seen
from claimx.guard.walk import TooDeep, shown, walk


class Guard:
    """Checks calls before they run. One guard serves any number of runs and threads.

    `tools` are names, (name, description) pairs or definitions; None leaves names and parameters unchecked. `rules`
    maps a tool, or `*`, to its rules. `derived` maps a field (`book.payments.amount`) to a callable over call and run
    that returns the values that may be worked out for it, such as a total; they count as seen. `on_decision` is told of every decision. With `enforce=False` wrapped dispatchers
    run refused calls all the same: decisions are made, counted and told, but hold nothing up.
    """

    def __init__(
        self,
        tools: Iterable[Any] | None = None,
        *,
        policy: Policy | Mapping[str, Any] | None = None,
        rules: Mapping[str, Sequence[Rule] | Rule] | None = None,
        derived: Mapping[str, Derived] | None = None,
        on_decision: Callable[[Decision], object] | None = None,
        enforce: bool = True,
    ) -> None:
        self.policy = policy if isinstance(policy, Policy) else Policy.from_dict(policy or {})
        self.catalogue = (
            Catalogue(tools, hand_over=self.policy.hand_over, absent=self.policy.absent) if tools is not None else None
        )
        self.rules = {name: (r,) if callable(r) else tuple(r) for name, r in (rules or {}).items()}
        self.derived = dict(derived or {})
        self.on_decision = on_decision
        self.enforce = enforce
        self.counts = Counts()

    def run(
        self, *, user: str | Iterable[str] = (), context: Mapping[str, Any] | None = None, config: Any = None
    ) -> GuardedRun:
        """Start a run. `user` are the user's words so far, `config` what counts as seen from the start, `context` the
        facts that rules ask for (they do not count as seen)."""
        run = GuardedRun(self, context or {})
        for text in [user] if isinstance(user, str) else user:
            run.heard(text)
        if config is not None:
            run.configured(config)
        return run

    def writes(self, tool: str) -> bool:
        """Whether a tool changes something; a name that leaves it open counts as one that does."""
        if tool in self.policy.writes or tool in self.policy.reads:
            return tool in self.policy.writes
        return not looks_up(tool)


class GuardedRun:
    """One run under guard: tell it what the run sees, ask it before each call."""

    def __init__(self, guard: Guard, context: Mapping[str, Any]) -> None:
        self.guard = guard
        self.context = context
        self.seen = Seen(guard.policy.kinds, minor_units=guard.policy.minor_units)
        self._lock = Lock()
        self._brought = NO_ECHOES
        self._heard = 0
        self._calls = 0

    def heard(self, text: str) -> None:
        """Take in words of the user."""
        with self._lock:
            self._heard += 1
            self.seen.add(text, "user" if self._heard == 1 else f"user[{self._heard - 1}]", trusted=True)

    def configured(self, value: Any, name: str = "config") -> None:
        """Take in configuration: what the application itself gives the agent to work with."""
        with self._lock:
            self.seen.add(value, name, trusted=True)

    def saw(
        self,
        result: Any,
        *,
        call_id: str | None = None,
        tool: str = "",
        args: Any = None,
        failed: bool = False,
    ) -> None:
        """Take in the result of a call. What a failed call, one that found nothing, or one whose result repeats its own
        arguments and says nothing else brought itself proves nothing; nor does what a result repeats as its query, nor an identifier that a write put
        into a text and that this or a later result holds in a text. With
        `count_echoes` off an argument that the model made up stays unseen even where a record is found under it."""
        with self._lock:
            self._calls += 1
            source = f"{call_id or f'c{self._calls}'}.result"
            given = _arguments(args) or {}
            own = own_values(given, self.seen.holds) if given else NO_ECHOES
            nothing = failed or not self.guard.policy.count_echoes or brings_nothing(result, own, given)
            if tool and given and self.guard.writes(tool):
                self._brought = self._brought.joined(own.lasting())
            self.seen.add(
                result,
                source,
                echoes=own if nothing else NO_ECHOES,
                repeats=own.joined(self._brought),
                quoted=self._brought,
            )

    def check(self, tool: str, args: Any = None, *, call_id: str | None = None) -> Decision:
        """Decide whether a call may run. Never raises; an asynchronous rule refuses here, `acheck` waits for it."""
        call, decision = self._before_rules(tool, args, call_id)
        if call is None or not decision.allowed:
            return self._done(decision)
        for rule in self._rules(tool):
            try:
                found = rule(call, self)
                if inspect.isawaitable(found):
                    _close(found)
                    raise TypeError("the rule is asynchronous: use acheck, or wrap an asynchronous dispatcher")
            except Exception as e:
                found = _rule_failed(rule, e)
            if found is not None:
                decision = _refused(decision, found)
        return self._done(decision)

    async def acheck(self, tool: str, args: Any = None, *, call_id: str | None = None) -> Decision:
        """Asynchronous twin of `check`: rules may be asynchronous."""
        call, decision = self._before_rules(tool, args, call_id)
        if call is None or not decision.allowed:
            return self._done(decision)
        for rule in self._rules(tool):
            try:
                found = rule(call, self)
                found = await found if inspect.isawaitable(found) else found
            except Exception as e:
                found = _rule_failed(rule, e)
            if found is not None:
                decision = _refused(decision, found)
        return self._done(decision)

    def _before_rules(self, tool: str, args: Any, call_id: str | None) -> tuple[Call | None, Decision]:
        """Everything but the rules: the tool, its parameters, the provenance of its values."""
        catalogue, policy = self.guard.catalogue, self.guard.policy
        if not isinstance(tool, str) or not tool.strip():
            return None, Decision("", call_id, (no_tool(tool, catalogue),))
        writes = self.guard.writes(tool)
        unknown = catalogue.unknown_tool(tool) if catalogue is not None else None
        if unknown is not None:
            return None, Decision(shown(tool), call_id, (unknown,), writes=writes)
        given = _arguments(args)
        if given is None:
            message = f"the arguments of {shown(tool)} are not a JSON object: {shown(args)!r}. Send one object."
            refusal = Refusal(Code.UNREADABLE_ARGUMENTS, message, Retry.FIX_AND_RETRY)
            return None, Decision(tool, call_id, (refusal,), writes=writes)
        try:
            walked = tuple(walk(given, "args", strict=True))
        except TooDeep as e:
            message = (
                f"the arguments of {shown(tool)} cannot be checked: {e}. Send the values flat, without such nesting."
            )
            refusal = Refusal(Code.UNREADABLE_ARGUMENTS, message, Retry.FIX_AND_RETRY)
            return None, Decision(tool, call_id, (refusal,), writes=writes)
        refusals = catalogue.wrong_arguments(tool, given) if catalogue is not None else []
        sightings: list[Sighting] = []
        call = Call(tool, given, call_id, walked)
        if writes or policy.check_reads:
            untraced, sightings = trace(
                tool,
                walked,
                self.seen,
                fields=policy.fields,
                parameters=self._parameters(tool),
                derived={name: partial(work_out, call, self) for name, work_out in self.guard.derived.items()},
            )
            refusals += untraced
        return call, Decision(tool, call_id, tuple(refusals), tuple(sightings), writes)

    def _parameters(self, tool: str) -> Mapping[str, Any] | None:
        known = self.guard.catalogue.tools.get(tool) if self.guard.catalogue is not None else None
        return known.parameters if known is not None else None

    def _rules(self, tool: str) -> tuple[Rule, ...]:
        return (*self.guard.rules.get("*", ()), *self.guard.rules.get(tool, ()))

    def _done(self, decision: Decision) -> Decision:
        self.guard.counts.add(decision)
        if self.guard.on_decision is not None:
            self.guard.on_decision(decision)
        return decision


def _refused(decision: Decision, refusal: Refusal) -> Decision:
    return Decision(decision.tool, decision.call_id, (*decision.refusals, refusal), decision.sightings, decision.writes)


def _rule_failed(rule: Rule, error: Exception) -> Refusal:
    name = getattr(rule, "__qualname__", type(rule).__name__).split(".")[0]
    message = f"the rule {name} could not be evaluated ({type(error).__name__}: {error}): the call does not run."
    return Refusal(Code.RULE_FAILED, message, Retry.DO_NOT_RETRY)


def _close(awaitable: Any) -> None:
    close = getattr(awaitable, "close", None)
    if close is not None:
        close()


def _arguments(args: Any) -> Mapping[str, Any] | None:
    """Arguments as an object: providers also send them as the text of one."""
    if args is None or args == "":
        return {}
    if isinstance(args, str | bytes):
        try:
            args = json.loads(args)
        except (ValueError, RecursionError):
            return None
    return args if isinstance(args, Mapping) else None
