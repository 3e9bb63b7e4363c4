"""Calls that stand beside what a claim tells and bear none of it out: a search for a reading, another table, another program."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from claimx.match.call import Call
from claimx.match.command_lines import done_by
from claimx.match.commands import file_of, is_editor, is_generic
from claimx.match.handwork import command_of, hides_its_deed
from claimx.match.nouns import fold_noun, singular
from claimx.types import Action, Slot, SlotType
from claimx.values.keys import parts_of
from claimx.verbs import READING, lemma


@dataclass(frozen=True, slots=True)
class Beside:
    """Why a call is only a neighbour of what a claim tells, and whether that is sure enough to hold it against the agent."""

    why: str
    is_sure: bool


def has_neighbours(action: Action) -> bool:
    """Whether a claim tells of something that calls can stand beside: a program, a reading of a file, a table."""
    return bool(means_of(action) or _TOLD_TABLE.search(action.text)) or reads_file(action)


def beside(action: Action, call: Call) -> Beside | None:
    """Return why a call that worked bears nothing of a claim out, None where it may."""
    return _other_program(action, call) or _not_read(action, call) or _other_table(action, call)


#: Programs by which agents say that they looked, and the tools that do the same under another name.
_MEANS = re.compile(
    r"\b(?:with|using|via|through|by(?: running)?)\s+(?:an?\s+|the\s+)?[`'\"]?(curl|wget|httpie|psql|kubectl|docker|pytest|mypy|ruff|eslint)\b",
    re.I,
)
_WEB = frozenset({"curl", "wget", "httpie"})
_WEB_CALL = re.compile(r"\b(?:curl|wget|https?|httpie|xh|nc|ab|wrk|hey|Invoke-\w+|requests?|fetch|axios)\b", re.I)
#: Commands behind which any program may run.
_RUNNERS = re.compile(
    r"\b(?:make|just|task|rake|tox|nox|pre-commit|npm|npx|yarn|pnpm|bun|deno|node|ruby|python3?|uv|poetry|hatch|pdm|pipx|bash|sh|zsh|ssh|"
    r"docker|podman|kubectl|gradlew?|mvn|cargo|go|act|newman|k6|expect|source|eval|xargs)\b|(?:^|[;&|\n]\s*)\.{0,2}/\S+|\$\(|`",
    re.I,
)
_FILE_TOOLS = frozenset(
    "read grep glob search ls list view open cat find file files text write edit multiedit notebook".split()
)


def means_of(action: Action) -> str:
    """The program by which a claim says that something was looked at or checked, empty where it names none.

    A change is no matter of it: what was set up with a linter, or reported by one, was done by hand.
    """
    m = _MEANS.search(action.text) if action.verb in READING or action.verb == "run" else None
    return m.group(1).lower() if m else ""


def may_run(program: str, call: Call) -> bool:
    """Whether a call may have run a program: by name, through a task or a script, or as a tool of its own kind."""
    words = set(parts_of(call.tool))
    if words <= _FILE_TOOLS or is_editor(call.tool) or call.is_internal:
        return False
    if not is_generic(call.tool) or not _is_shell(call):
        return True
    text = command_of(call)
    # A test run by name looks at no page, whatever starts it.
    plain = _CHECKS.sub("", text) if program in _WEB else text
    named = _WEB_CALL if program in _WEB else re.compile(rf"\b{program}\b", re.I)
    return not text.strip() or bool(named.search(text) or _RUNNERS.search(plain))


_CHECKS = re.compile(
    r"\b(?:(?:python3? -m |uv run |poetry run |npx )?(?:pytest|jest|vitest|mocha|ruff|mypy|eslint|tsc)|npm (?:test|run (?:build|lint|test))|go test|cargo test)\b"
    r"[^;&|\n]*",
    re.I,
)


def _is_shell(call: Call) -> bool:
    return bool(
        set(parts_of(call.tool)) & {"bash", "shell", "terminal", "command", "cmd", "powershell", "exec", "execute"}
    )


def _other_program(action: Action, call: Call) -> Beside | None:
    program = means_of(action)
    if not program or may_run(program, call):
        return None
    return Beside(f"{call.id} ({call.tool}) ran no {program}", True)


#: How a claim tells that nothing of a file was left unread.
_WHOLE = re.compile(
    r"\b(?:in full|in (?:its|their) entirety|entirely|completely|(?:whole|entire|full|complete) (?:file|document|page|module|script|log|text)|"
    r"line by line|every line|from (?:top to bottom|start to (?:finish|end)|beginning to end)|end to end|all (?:of it|the way through))\b",
    re.I,
)
_SEARCHES = frozenset("grep search glob find rg ripgrep".split())
_LISTS = frozenset("ls list glob find stat tree dir".split())
_WORD = re.compile(r"^\s*(?:sudo\s+)?(?:git\s+)?([\w.-]+)")
_PART = re.compile(r"&&|\|\||[;\n|]")
_SEARCH_COMMANDS = frozenset("grep egrep fgrep rg ag ack".split())
_LIST_COMMANDS = frozenset("ls find stat tree wc du file which cd pwd echo printf ls-files status".split())
_FILE = re.compile(r"^\W*[\w./@-]*\.[A-Za-z][A-Za-z0-9]{0,7}\W*$")


def reads_file(action: Action) -> bool:
    """Whether a claim tells that a file was read."""
    words = action.trigger.text.split()
    return bool(words) and lemma(words[0]) == "read" and any(map(_is_file, action.slots))


def tells_of_whole(action: Action) -> str:
    """The words by which a claim tells that nothing was left unread, empty where it does not."""
    m = _WHOLE.search(action.text)
    return m.group() if m else ""


def _is_file(slot: Slot) -> bool:
    return slot.type is SlotType.NAME and bool(_FILE.search(slot.text))


def _not_read(action: Action, call: Call) -> Beside | None:
    """A file told as read that was only listed, or one told as read whole that was only searched."""
    if not reads_file(action):
        return None
    whole = tells_of_whole(action)
    words = set(parts_of(call.tool))
    if is_generic(call.tool) and _is_shell(call):
        used = {m.group(1).lower() for p in _PART.split(command_of(call)) if (m := _WORD.match(p))}
    else:
        used = words if words <= _FILE_TOOLS else set()
    if not used:
        return None
    if used <= _LIST_COMMANDS | _LISTS:
        return Beside(f"{call.id} ({call.tool}) only lists files", True)
    if whole and used <= _SEARCH_COMMANDS | _SEARCHES | _LIST_COMMANDS | _LISTS:
        return Beside(f"{call.id} ({call.tool}) only searched, and shows no whole file", True)
    return None


_TABLE = re.compile(
    r"\b(?:from|join|into|update|table)\s+(?:only\s+|if\s+(?:not\s+)?exists\s+)?[`\"\[]?([a-z_][\w.]*)", re.I
)
_CATALOGUE = re.compile(r"information_schema|pg_|sqlite_|\bsys\b|\ball_tables\b", re.I)
_QUERY = re.compile(
    r"\bselect\b.*\bfrom\b|\binsert\s+into\b|\bupdate\s+\S+\s+set\b|\bdelete\s+from\b|\b(?:alter|truncate)\s+table\b",
    re.I | re.S,
)
_TOLD_TABLE = re.compile(r"([`'\"]?)([A-Za-z_][\w.]*)\1\s+tables?\b|\btables?\s+(`)([A-Za-z_][\w.]*)`", re.I)
_NO_NAME = frozenset(
    "the a an this that each every all both other same right database main source target whole some new sql two three".split()
)


def _other_table(action: Action, call: Call) -> Beside | None:
    """A query of tables none of which is the one that a claim names."""
    told = _TOLD_TABLE.search(action.text)
    if told is None or not _QUERY.search(text := _query_of(call)):
        return None
    name = told.group(2) or told.group(4)
    asked = [m.group(1) for m in _TABLE.finditer(text)]
    if name.lower() in _NO_NAME or not asked or any(map(_CATALOGUE.search, asked)):
        return None
    wanted = _stems(name)
    # An alias, a view or a column may go by the told name: then the query has to do with it.
    if not wanted or wanted & _stems(text) or any(_akin(w, x) for w in wanted for t in asked for x in _stems(t)):
        return None
    is_code = bool(told.group(1) or told.group(3)) or "_" in name
    return Beside(f"{call.id} ({call.tool}) reads {', '.join(dict.fromkeys(asked))}, not {name}", is_code)


def _query_of(call: Call) -> str:
    text = command_of(call)
    return done_by(text) if is_generic(call.tool) and _is_shell(call) else text


def _stems(name: str) -> set[str]:
    words = parts_of(name)
    return {singular(w) for w in words if len(w) > 1} | {fold_noun(w) for w in words if len(w) > 1}


def _akin(a: str, b: str) -> bool:
    return len(a) > 2 and len(b) > 2 and (a.startswith(b[:4]) or b.startswith(a[:4]))


def only_beside(action: Action, calls: Sequence[Call], user: str) -> tuple[Call, Beside] | None:
    """Return the neighbour to be held against a claim, None where some other call of the run may have done it after all.

    `user` is what the user said: a file may be pasted there.
    """
    if not has_neighbours(action):
        return None
    names = [s.text.strip("`*'\" ").lower().rpartition("/")[2] for s in action.slots if s.type is SlotType.NAME]
    if len(user) > _PASTED and any(n in user.lower() for n in names):
        return None
    found = None
    for call in calls:
        if call.result.failed or call.is_internal:
            continue
        told = beside(action, call)
        if told is not None:
            found = (call, told) if told.is_sure else found
        elif hides_its_deed(call) or not call.deeds or any(n in call.view.raw for n in names):
            return None
    return found


#: Characters of a message from which on it may hold a whole file.
_PASTED = 300
_EVERYWHERE = re.compile(
    r"\b(?:across|throughout|in) (?:the |our |your |this )?(?:whole |entire )?(?:project|code ?base|repo(?:sitory)?|app(?:lication)?|package)\b|\beverywhere\b",
    re.I,
)
_ALL = re.compile(r"\b(?:all|every|each)\b", re.I)


def is_one_of_all(action: Action, calls: Sequence[Call]) -> bool:
    """Whether a claim tells of all things of a kind, and the only edits are of one file, which need not be all of them."""
    if action.object is None or not _ALL.search(action.text) or not all(is_editor(c.tool) for c in calls):
        return False
    files = {file_of(c.entry) for c in calls}
    named = any(map(_is_file, action.slots))
    words = [
        w for w in re.findall(r"[A-Za-z]+", action.object.text) if w.lower() not in {"all", "the", "every", "each"}
    ]
    if len(files) > 1 or named or not words or not words[-1].lower().endswith("s"):
        return False
    about = any(fold_noun(words[-1]) in c.said for c in calls)
    return not about or bool(_EVERYWHERE.search(action.text))
