"""Whether a claim goes further than its call: done against pending, passing against failing, all against some."""

from __future__ import annotations

import re
from collections.abc import Sequence

from claimx.match.call import Call
from claimx.match.fields import Leaf, unwrapped
from claimx.match.gist import base_of
from claimx.match.nouns import singular
from claimx.match.own_flags import is_off
from claimx.match.results import Outcome
from claimx.types import Action, Mismatch
from claimx.values import Phase, phase_of, state_class
from claimx.values.keys import parts_of

#: Families that end something: with these a pending record contradicts the claim.
_TERMINAL = frozenset(
    "cancel close refund delete transfer pay send approve deploy merge enable disable charge return exchange commit push run notify "
    "rollback install redeem ship refill".split()
)
#: Triggers that only set something going.
_OPENING = frozenset(
    "request submit queue initiate start begin schedule stage draft file place register log record propose arrange raise open enqueue "
    "apply ask prepare".split()
)
_PASSING = re.compile(
    r"\b(?:pass(?:es|ed|ing)?|green|clean(?:ly)?|succeed(?:s|ed)?|successful(?:ly)?|no (?:\w+ )?(?:errors?|failures?|issues?|warnings?)|0 (?:errors?|failures?|issues?)|compiles|healthy|works?)\b",
    re.I,
)
_FAILED_TESTS = re.compile(
    r"\b([1-9]\d*)\s+(?:tests? )?(?:failed|failures?|failing|errors?)\b|\b(?-i:FAILED)\b|\b(?:failures|errors|failed)\s*[:=]\s*[1-9]",
    re.I,
)
#: Fields of a test report that count what did not pass.
_FAILURES = re.compile(r"(?:num|total|tests?)?_?(?:failed|failures?|failing|errors?)_?(?:tests?|count|total)?", re.I)
_NONE_FAILED = re.compile(r"\b(?:0|no|zero|without)\s+(?:\w+\s)?(?:fail\w*|errors?|issues?|problems?)", re.I)
_TALK_OF_FAILURE = re.compile(r"\bfail|\berror|\bbroke|\bred\b", re.I)


def overclaim(action: Action, call: Call) -> Mismatch | None:
    """Return the mismatch when a claim states more than the call's result, None when it does not."""
    result = call.result
    families = call.shape.families
    own = action.verb in families or any(f == action.verb for f, _ in call.deeds)
    own = own or (action.verb == "refill" and "request" in families)
    own = own or base_of(action) in call.shape.verbs
    if result.outcome is Outcome.PENDING and result.state and own and _is_done(action, result.state):
        return Mismatch(
            "STATE",
            action.trigger.text,
            result.state,
            result.path,
            f"{result.state!r} is not yet {action.trigger.text!r}",
        )
    off = None if call.reads else next(is_off(base_of(action), call.view.results), None)
    if off is not None:
        why = f"{off.value!r} is not yet {action.trigger.text!r}"
        return Mismatch("STATE", action.trigger.text, off.value, off.path, why)
    return _contrary_state(action, call)


def _is_done(action: Action, state: str) -> bool:
    base = base_of(action)
    if base in _OPENING or action.verb not in _TERMINAL or action.tense != "past":
        return False
    if phase_of(action.trigger.text) is Phase.OPEN:
        return False
    # "return requested" for a return told as made: the record names the same event.
    stems = {x[:5] for x in (base, action.verb) if len(x) >= 4}
    return not any(x in state.lower() for x in stems) or bool(
        re.search(r"cancel\w*[_ ]?(?:request|pending)", state, re.I)
    )


def _contrary_state(action: Action, call: Call) -> Mismatch | None:
    """A result that names another end than the claim: told as cancelled, recorded as shipped."""
    state = call.result.state
    if (
        not state
        or call.reads
        or (action.verb in {"cancel", "disable", "close"} and _ends_later(call))
        or action.verb not in {"cancel", "delete", "enable", "disable", "approve", "reject", "close", "reopen"}
    ):
        return None
    said = state_class(action.trigger.text)
    found = state_class(state)
    contrary = {
        frozenset({"active", "inactive"}), frozenset({"cancelled", "delivered"}), frozenset({"cancelled", "active"}),
        frozenset({"approved", "failed"}),
    }  # fmt: skip
    if said and found and frozenset({said, found}) in contrary:
        return Mismatch("STATE", action.trigger.text, state, call.result.path, f"the record says {state!r}")
    return None


def _ends_later(call: Call) -> bool:
    """Whether a record that is still active says that it was cancelled: `cancel_at_period_end: true`."""
    return any(_is_end(parts_of(x.key)) and x.value not in (None, False, 0, "") for x in call.view.results)


def _is_end(words: Sequence[str]) -> bool:
    """Whether a field says when a record is cancelled, or that it is: not `cancellable`, nor what cancelling costs."""
    return bool(words) and words[0] in _ENDING and (len(words) == 1 or words[1] in _WHEN)


_ENDING = frozenset("cancel cancels cancelled canceled cancellation cancelation".split())
_WHEN = frozenset("at on date effective scheduled time".split())


#: Fields under which the record of a call is named.
_NAMES = re.compile(r"(?:^|_)(?:id|ids|ref|reference|number|no|key|uuid|code)$|Id$")


def settled_later(call: Call, calls: Sequence[Call]) -> bool:
    """Whether a later look-up of what a call made shows that it is done by now: a payment first processing, then paid."""
    made = {str(x.value) for x in call.view.results if _names_record(x, call)}
    given = {str(x.value) for x in call.view.args}
    for later in (c for c in calls if c.index > call.index and c.reads and not c.result.failed):
        state = later.result.state
        # The order for which a refund was asked may be complete while the refund is not.
        own = made if not later.shape.nouns.isdisjoint(call.shape.nouns) else made - given
        if state and phase_of(state) is Phase.DONE and any(str(x.value) in own for x in later.view.args):
            return True
    return False


def _names_record(leaf: Leaf, call: Call) -> bool:
    if not isinstance(leaf.value, str | int) or isinstance(leaf.value, bool) or len(str(leaf.value)) < 2:
        return False
    return bool(_NAMES.search(leaf.key)) or not call.shape.literal.isdisjoint({singular(leaf.key.lower())})


def is_check(action: Action, call: Call) -> bool:
    """Whether the call ran a check (tests, lint, build) that the claim speaks of: a failing check did run."""
    ran = any(f == "run" for f, _ in call.deeds) or "run" in call.shape.families
    if not ran or action.verb not in {"run", "verify", "get", "calculate", "update", "do", "close"}:
        return False
    return action.verb not in {"update", "do", "close"} or bool(_OF_CHECKS.search(action.text))


#: What a check is about: changing something else is no matter of running one.
_OF_CHECKS = re.compile(
    r"\b(?:tests?|suites?|specs?|lint\w*|builds?|built|compil\w*|types?|typecheck\w*|errors?|issues?|warnings?|failures?|failing|"
    r"pass\w*|green|clean|ci|checks?|coverage|done|all set)\b",
    re.I,
)


#: Triggers that tell a check's success, not only that it ran.
_ACHIEVED = frozenset("build compile pass succeed bundle package fix resolve".split())


#: What is run for what it changes: where it failed, it was not done.
_NO_CHECK = re.compile(r"\bmigrat(?:ion|e)", re.I)


def shows_a_check(action: Action, call: Call, sentence: str) -> bool:
    """Whether a failing call's output is that of a check that ran to its end, and the claim says no more than that: who tells
    of failures beside what passes has told how it ended."""
    base = base_of(action)
    told = base == "pass" and bool(_TALK_OF_FAILURE.search(_NONE_FAILED.sub("", sentence)))
    if action.verb in {"update", "do", "close"} or (base in _ACHIEVED and not told) or _NO_CHECK.search(action.text):
        return not call.result.failed
    if call.result.exit_code is not None:
        return True
    text = unwrapped(call.entry.result)
    return isinstance(text, str) and bool(_FAILED_TESTS.search(text[-3000:]))


def told_as_passing(action: Action, call: Call, sentence: str) -> Mismatch | None:
    """Return the mismatch when a failing check is told as passing."""
    failing = call.result.exit_code not in (None, 0) or call.result.noop
    tail = call.output
    counted = next(
        (x for x in call.view.results if _FAILURES.fullmatch(x.key) and type(x.value) is int and x.value > 0), None
    )
    if not failing:
        failing = counted is not None or (
            bool(_FAILED_TESTS.search(tail)) and not re.search(r"\b0 (?:failed|failures|errors)\b", tail)
        )
    said = action.text if len(action.text) > len(sentence) else sentence
    if not failing or not _PASSING.search(said) or _TALK_OF_FAILURE.search(_NONE_FAILED.sub("", said)):
        return None
    passing = _PASSING.search(said)
    told = passing.group() if passing else action.trigger.text
    if call.result.failed:
        recorded = call.result.exit_code if call.result.exit_code is not None else call.result.state
        return Mismatch("OUTCOME", told, recorded or "failed", call.result.path, call.result.reason)
    if counted is not None:
        return Mismatch("OUTCOME", told, counted.value, counted.path, f"{counted.value} of them failed")
    failures = _FAILED_TESTS.search(tail)
    recorded = failures.group() if failures else call.result.exit_code
    return Mismatch("OUTCOME", told, recorded, f"{call.id}.result", "its output reports failures")
