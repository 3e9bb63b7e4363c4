"""Edits by hand, with an editor or a command line: whether one plainly concerns other files and names than a claim does."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from claimx.match.call import Call
from claimx.match.commands import abilities_of, command_in, file_of, is_generic, is_opaque
from claimx.match.gist import Gist
from claimx.types import Action, Slot, SlotType

_FILE = re.compile(r"^\W*[\w./@-]*\.[A-Za-z][A-Za-z0-9]{0,7}\W*$|^\W*\.\w+\W*$")
#: Names as code writes them: with a sign, a digit or a capital inside.
_CODED = re.compile(r"\w[_./:-]\w|\d|[a-z][A-Z]")
#: What may be done by hand.
HANDWORK = frozenset("update create add delete save set copy move rollback".split())
#: Commands whose text does not show what they do: scripts in files, task runners.
_SCRIPT = re.compile(
    r"\b(?:python3?|node|ruby|php|bash|sh|deno|bun)\s+(?!-|run\b)\S+|(?:^|[;&|]\s*|\n\s*)\.{0,2}/\S+|\bgo (?:run|generate)\b|"
    r"\b(?:sqlite3|psql|mysql|mariadb|duckdb)\b[^\n;|&]*(?:<\s*|\s(?:-f|--file|\.read)[ =]?)[\w./~-]+|"
    r"\bcargo (?:run|xtask|fix)\b|\b(?:npm|yarn|pnpm|bun) run (?!(?:test|build|lint|typecheck|check|format|dev|start|serve|preview)\b)\S|\bnpx \S|"
    r"\b(?:make|just|rake|task|gradlew?) (?!(?:test|check|build|lint|clean)\b)\w|\bterraform apply\b|\bhelm (?:install|upgrade)\b",
    re.I,
)
_SQL_SCRIPT = re.compile(r"\b(?:sqlite3|psql|mysql|mariadb|duckdb)\b[^\n;|&]*")
#: Commands whose text does not show what they touch: patterns of files, and what other tools keep.
_PATTERN = re.compile(
    r"\*|\bxargs\b|\bfind\b|\b(?:kubectl|git(?! (?:checkout -b|switch -c|branch|tag|rm|mv|add|fetch|blame)\b)|patch|rsync|scp|unzip|tar)\s+(?!status|log|diff|show)\S",
    re.I,
)
_FORMATTER = re.compile(
    r"--fix\b|--write\b|\s-w\b|\b(?:black|gofmt|prettier|isort|ruff format|autopep8|rustfmt|cargo fmt)\b", re.I
)
_OF_FORM = re.compile(r"\b(?:lint\w*|format\w*|style|imports?|whitespace|indent\w*|warnings?|issues?)\b", re.I)


def touches_other(action: Action, gist: Gist, call: Call) -> bool:
    """Whether an editor's or a command's change is to other files or names than those that the claim speaks of."""
    target = file_of(call.entry)
    names = [s.text.strip("`*'\" ") for s in action.slots if s.type in (SlotType.NAME, SlotType.ID)]
    files = [n for n in names if _FILE.search(n)]
    if target is not None:
        base = target.rsplit("/", 1)[-1].lower()
        if files and _REWORKED.match(action.trigger.text) and _is_part(files, target):
            return False
        if any(_is_about(action, s, target, call) for s in action.slots if s.text.strip("`*'\" ") in files):
            return False
        return bool(files) and not any(
            base == n.rsplit("/", 1)[-1].lower() or _stands_in(n.lower(), target.lower()) for n in files
        )
    if gist.verb not in HANDWORK or not any(f in HANDWORK for f, _ in call.deeds) or not _is_plain(call, action):
        return False
    return _names_nothing_of(files or names, gist, call)


#: What is done to a file itself; whatever else is told of one may stand in another: what is tested, listed or linked there.
_TO_ITSELF = re.compile(
    r"(?:re)?(?:updat|edit|modif|chang|fix|creat|writ|wrot|delet|remov|nam|refactor|patch|format|improv|mov|sav|adjust|work|clean)",
    re.I,
)
_ABOUT = re.compile(r"\b(?:for|of|about|covering|against|from|exercising|around)\s+(?:the\s+)?[`*'\"]*$", re.I)


def _is_about(action: Action, slot: Slot, target: str, call: Call) -> bool:
    """Whether what was changed in one file concerns another that the claim names: tests for it, a link or an entry of it."""
    name = slot.text.strip("`*'\" ").lower()
    stem = name.rsplit("/", 1)[-1].lstrip(".").partition(".")[0]
    if not stem or (_TESTS.search(action.object.text if action.object else "") and not _TESTS.search(target)):
        return False
    if action.object is not None and _ABOUT.search(action.text[: max(0, slot.start - action.start)]):
        words = re.split(r"[^a-z0-9]+", target.lower())
        return stem in words or stem in target.lower().replace("-", "_") or _stands_in(stem, call.view.text)
    return not _TO_ITSELF.match(action.trigger.text) and (
        _stands_in(name, call.view.text)
        or bool(_REFERS.match(action.trigger.text) and _stands_in(stem, call.view.text))
    )


#: Tests stand in files of tests, whatever a program names.
_TESTS = re.compile(r"tests?(?![a-z])|specs?(?![a-z])", re.I)
_REFERS = re.compile(r"(?:re)?(?:point|link|refer|direct|import|includ|mention|wire|hook|connect|switch|swap)", re.I)
#: What makes other files out of one.
_REWORKED = re.compile(
    r"(?:refactor|split|break|broke|extract|restructur|reorgani[sz]|modulari[sz]|divid|mov|turn|rework)", re.I
)


def _is_part(files: list[str], target: str) -> bool:
    """Whether a changed file is of the kind of one of the files, and called after it or in a folder that is:
    `billing/tax.py` of `billing.py`, and no page about it."""
    kind = target.lower().rpartition(".")[2]
    stems = {
        n.rsplit("/", 1)[-1].partition(".")[0].lower()
        for n in files
        if _KIN.get(kind, kind) == _KIN.get(n.lower().rpartition(".")[2], n.lower().rpartition(".")[2])
    }
    words = re.split(r"[^a-z0-9]+", target.lower())
    return any(s and s in words for s in stems)


#: Endings by which files of one language go.
_KIN = {"jsx": "js", "ts": "js", "tsx": "js", "mjs": "js", "cjs": "js", "vue": "js", "pyi": "py", "h": "c", "cc": "c", "cpp": "c", "hpp": "c", "kt": "java"}  # fmt: skip


def _stands_in(name: str, target: str) -> bool:
    """Whether a file's name stands in a path as such: `tides.py` is no part of `tests/test_tides.py`."""
    return bool(re.search(rf"(?<![\w-]){re.escape(name)}(?![\w-])", target))


def hides_its_deed(call: Call, action: Action | None = None) -> bool:
    """Whether a command that worked runs a script or a task, which may have done anything: but a script of SQL, whatever it
    did to a database, wrote no file that a claim names."""
    shell = is_generic(call.tool) and "run" in abilities_of(call.tool)
    if not shell or call.result.failed:
        return False
    text = command_of(call)
    if action is not None and any(s.type is SlotType.NAME and _FILE.search(s.text) for s in action.slots):
        text = _SQL_SCRIPT.sub("", text)
    return _runs_script(text) or is_opaque(text)


@lru_cache(maxsize=8192)
def _runs_script(command: str) -> bool:
    return _SCRIPT.search(command) is not None


def may_touch(call: Call) -> bool:
    """Whether a command may have changed files that its text does not name."""
    text = command_of(call)
    changes = any(f in HANDWORK or f in {"format", "merge"} for f, _ in call.deeds)
    return hides_its_deed(call) or (changes and bool(_PATTERN.search(text) or _FORMATTER.search(text)))


def command_of(call: Call) -> str:
    """Return the text that a command line was called with."""
    args = call.entry.args
    return command_in(args) if isinstance(args, Mapping) else str(args or "")


def _is_plain(call: Call, action: Action) -> bool:
    """Whether a command's text shows all that it touches."""
    text = command_of(call)
    if not text.strip() or _runs_script(text) or _PATTERN.search(text):
        return False
    return not (_FORMATTER.search(text) and _OF_FORM.search(action.text))


def _names_nothing_of(names: list[str], gist: Gist, call: Call) -> bool:
    coded = [n for n in names if _CODED.search(n)]
    if not coded or not call.said.isdisjoint(gist.main):
        return False
    cores = ["".join(c for c in n.rsplit("/", 1)[-1].lower() if c.isalnum()) for n in coded]
    return not any(core and core in call.view.squeezed for core in cores)
