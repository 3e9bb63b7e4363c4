"""Test runs against what is told of them: whether one ran at all, whether before or after an edit, and how many failed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from claimx.match.call import Call
from claimx.match.commands import abilities_of, is_editor, is_generic
from claimx.match.deeds import CHANGES
from claimx.match.evidence import Scene
from claimx.match.handwork import command_of, hides_its_deed
from claimx.match.view import read_slot
from claimx.types import Action, Mismatch, SlotType
from claimx.values import Count

#: Tests that are told to pass: what tests “pass to a handler” is no outcome.
_PASSING_TESTS = re.compile(
    r"\b(?:tests?|test suites?|suites?|specs?)\b[^.;:]{0,30}?\b(?:pass(?:es|ed|ing)?|green|succeed(?:s|ed)?)\b"
    r"(?=\W*(?:$|[.,;:!)]|now\b|again\b|still\b|too\b|locally\b|cleanly\b|successfully\b|after\b|before\b|and\b|without\b|with (?:no|the)\b|"
    r"as well\b|in (?:ci|\d)|on (?:ci|main|master)\b))",
    re.I,
)
#: What may show how tests ended that ran elsewhere: a code host's checks, a log, a report.
_SHOWS_OUTCOMES = re.compile(
    r"\b(?:gh|glab|tea|act|circleci|buildkite\w*|az pipelines|jenkins\w*)\b|\bci\b|log|report|junit|coverage|status|checks?\b|curl|wget|result",
    re.I,
)
_GIT = re.compile(r"\bgit\b[^&|;\n]*")
_OUTCOME = re.compile(
    r"\b\d+ (?:tests? )?pass(?:ed|ing)?\b|\btests? (?:all )?pass|\ball (?:tests|checks) pass|\bok\b.*\btests?\b", re.I
)


def unrun_tests(action: Action, scene: Scene) -> str | None:
    """Return the tool that could have run the tests that a claim tells as seen to pass, None where some call may have.

    Only where every call that worked is known for what it did, and none of them shows an outcome of tests.
    """
    if not _PASSING_TESTS.search(action.text):
        return None
    if _OUTCOME.search(scene.user or "") or any(_may_show_tests(c) for c in scene.calls):
        return None
    return next((t.name for t in scene.tools if is_generic(t.name) and "run" in abilities_of(t.name)), None)


def _may_show_tests(call: Call) -> bool:
    if is_editor(call.tool):
        return False
    if call.is_internal or not is_generic(call.tool):
        # Of a reader that names the file it read it is known that it ran nothing.
        return call.is_internal or not call.reads or _OUTCOME.search(call.view.raw) is not None
    ran = any(f == "run" and "lint" not in nouns for f, nouns in call.deeds)
    if not call.deeds or ran or hides_its_deed(call):
        return True
    return bool(_SHOWS_OUTCOMES.search(_GIT.sub("", command_of(call))) or _OUTCOME.search(call.view.raw))


_AGAIN = re.compile(r"re-?(?:ran|runs?|running|tested|checked|executed|verified)\b", re.I)
#: How a reply tells, before the run, of a change that was made.
_EDIT_TOLD = re.compile(
    r"\b(?:updat|fix|chang|edit|modif|patch|rewr|refactor|adjust|correct|replac|implement|add|mov|renam|clean)\w*\b",
    re.I,
)


def run_before_the_edit(action: Action, runs: Sequence[Call], scene: Scene) -> tuple[Call, Call] | None:
    """Return the only run and the edit that came after it, where a claim tells of a run made once more after the edit.

    An edit before the run, a second run or a script after the edit leave it open whether the run was the one meant.
    """
    if len(runs) != 1 or not _AGAIN.match(action.trigger.text) or not _EDIT_TOLD.search(scene.before(action, 200)):
        return None
    run = runs[0]
    named = [n.lower() for n in _FILE.findall(scene.before(action, 200))]
    edits = [c for c in scene.calls if _edits_files(c)]
    if not edits or edits[0].index <= run.index or (named and not any(n in c.view.raw for n in named for c in edits)):
        return None
    after = scene.calls[run.index + 1 :]
    if any(c.is_internal or hides_its_deed(c) or (not c.deeds and not c.reads) for c in after):
        return None
    return run, edits[0]


_FILE = re.compile(r"[\w-]+\.[A-Za-z]\w{0,7}\b")


def _edits_files(call: Call) -> bool:
    return (
        not call.reads and not call.result.failed and any(f in CHANGES and "file" in nouns for f, nouns in call.deeds)
    )


_ENDS = ("fail", "pass")
_TOLD = re.compile(
    r"^\s*(?:of (?:the |them )?)?((?:[\w-]+\s+){0,2}?)(?:are |were |have |had )?(fail|pass)(?:ed|ing|s|ures?|es)?\b",
    re.I,
)
#: Words by which a number is of some of the tests only.
_SOME = re.compile(
    r"\b(?:more|new|newly|additional|other|fewer|less|remaining|unrelated|flaky|previously|already)\b", re.I
)
_OF = re.compile(r"\bof\s+(?:the\s+|all\s+)?[*_`]*$", re.I)
_RECORDED = re.compile(r"\b(\d+) (?:tests? |examples? )?(fail|pass)(?:ed|ing|ures?)?\b", re.I)


def other_counts(action: Action, runs: Sequence[Call], scene: Scene) -> Mismatch | None:
    """The number of failed or passed tests that a claim tells, where every run's output counts them otherwise.

    What passed beside skipped tests and reruns is counted in many ways: where no failure is told, a number that any output or
    the user states, or that some of the counts add up to, is let stand.
    """
    if action.verb not in {"run", "get", "verify"}:
        return None
    recorded: dict[str, list[tuple[int, Call]]] = {e: [] for e in _ENDS}
    for call in runs:
        for n, end in _RECORDED.findall(call.output):
            recorded[end.lower()].append((int(n), call))
    failures = re.search(r"\bfail", action.text, re.I)
    for slot in action.slots:
        if slot.type is not SlotType.COUNT:
            continue
        at = max(0, slot.start - action.start)
        told, value = _TOLD.match(action.text[at + len(slot.text) :]), read_slot(slot)
        if told is None or _SOME.search(told.group(1)) or _OF.search(action.text[:at]):
            continue
        if not isinstance(value, Count) or value.vague or value.high is not None:
            continue
        shown = recorded[told.group(2).lower()]
        numbers = {n for n, _ in shown}
        if not shown or value.number in numbers | {sum(n for n, _ in shown), sum(numbers)}:
            continue
        if not failures and (_THINGS.search(told.group(1)) or _is_stated(int(value.number), scene)):
            continue
        n, call = shown[-1]
        return Mismatch("COUNT", slot.text, n, f"{call.id}.result", f"its output counts {n} {told.group(2).lower()}ed")
    return None


#: What passes beside single tests, and is counted on its own.
_THINGS = re.compile(
    r"\b(?:files?|suites?|packages?|modules?|checks?|jobs?|crates?|projects?|builds?|pipelines?|workflows?)\b", re.I
)
_COUNTED = re.compile(r"(?<![\w.,])\d{1,6}(?![\w,]|\.\d)")


def _is_stated(number: int, scene: Scene) -> bool:
    texts = [scene.user or "", *(c.output for c in scene.calls)]
    stated = [[int(n) for n in _COUNTED.findall(t)] for t in texts]
    if any(number in ns for ns in stated):
        return True
    # Passed and skipped ones of one output, or what several runs passed.
    pairs = {a + b for ns in stated if len(ns) <= _MOST_NUMBERS for i, a in enumerate(ns) for b in ns[i + 1 :]}
    passed = [int(n) for t in texts[1:] for n, end in _RECORDED.findall(t) if end.lower() == "pass"]
    sums = {0}
    for n in passed[:_MOST_RUNS]:
        sums |= {s + n for s in sums}
    return number in pairs | sums


_MOST_NUMBERS = 40
_MOST_RUNS = 10
