"""What a chain of commands had done before a link of it failed: `git commit && git push` whose push was rejected."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from claimx.match.call import Call
from claimx.match.command_lines import done_by
from claimx.match.commands import is_generic
from claimx.match.wording_of_results import EXIT_KEYS
from claimx.types import CallStatus

_JOINT = re.compile(r"\s*(&&|\|\||;|\n)\s*")
_COMMAND_KEYS = ("command", "cmd", "script", "input")
_Table = tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]


def _table(*rows: tuple[str, str]) -> _Table:
    """Rows of what a command is, and what its output then holds."""
    return tuple((re.compile(command), re.compile(output, re.M | re.I)) for command, output in rows)


#: By what a command shows that it worked.
_SHOWN = _table(
    (r"\bgit\b.*\bcommit\b", r"^\s*\[\S+(?: \(root-commit\))? [0-9a-f]{4,40}\]"),
    (r"\bgit\b.*\bpush\b", r"^\s*(?:[0-9a-f]{4,40}\.{2,3}[0-9a-f]{4,40}|\* \[new (?:branch|tag)\])\s+\S+\s+->\s+\S+\s*$"),
    (r"\bgit\b.*\bmerge\b", r"^Merge made by|^Fast-forward"),
    (r"\bgit\b.*\b(?:checkout -b|switch -c)\b", r"^Switched to a new branch"),
    (r"\b(?:pip3?|uv|poetry)\b.*\b(?:install|add|sync)\b", r"^\s*(?:Successfully installed|Installed \d+ package)"),
    (r"\b(?:npm|yarn|pnpm|bun)\b.*\b(?:i|ci|install|add)\b", r"^\s*added \d+ packages"),
    (r"\b(?:gh pr|glab mr|gh issue) create\b", r"https?://\S+/(?:pull|merge_requests|issues)/\d+"),
    (r"\bkubectl apply\b", r"^\S+/\S+ (?:created|configured|unchanged)\s*$"),
)  # fmt: skip
#: By what it shows that it failed.
_BROKEN = _table(
    (r"\bgit\b.*\bpush\b", r"\[(?:remote )?rejected\]|failed to push|Could not read from remote|has no upstream branch|No configured push destination"),
    (r"\bgit\b.*\bcommit\b", r"nothing to commit|no changes added|nothing added to commit|hook id:|pre-commit|husky|Please tell me who you are"),
    (r"\b(?:pip3?|uv|poetry)\b.*\b(?:install|add|sync)\b", r"No matching distribution|Could not find a version|^ERROR: (?:Could not|Cannot|Failed|Invalid|Ignored)|resolution failed|No solution found"),
    (r"\b(?:npm|yarn|pnpm)\b", r"^npm (?:ERR!|error)|^(?:yarn|pnpm)? ?ERR"),
    (r"\b(?:pytest|jest|vitest|mocha|rspec|go test|cargo test|(?:npm|yarn|pnpm|bun) (?:run )?test)\b", r"\b[1-9]\d* (?:failed|failing|failures?|errors?)\b|^(?:---\s)?FAIL\b|test result: FAILED"),
)  # fmt: skip
_PROGRAM = re.compile(r"\s*(?:sudo\s+)?([\w.+-]+)")
_EXIT_LINE = re.compile(r"^\s*(?:Exit code|Process exited with code|exit status)[: ]+-?\d+\s*\n", re.I)


def part_done(call: Call) -> Call | None:
    """Return what a failed chain of commands did before it broke, as a call that worked; None where nothing shows it.

    Links joined by `&&` in front of the one that broke have worked; other links only where the output shows it.
    """
    args = call.entry.args
    if not call.result.failed or not call.deeds or not is_generic(call.tool) or not isinstance(args, Mapping):
        return None
    key = next((k for k in args if str(k).lower() in _COMMAND_KEYS and isinstance(args[k], str)), None)
    if key is None:
        return None
    done = _links_done(args[key], "\n".join([*_texts(call.entry.result), call.entry.error or ""]))
    if not done:
        return None
    entry = replace(
        call.entry,
        args={**args, key: done},
        result=_without_exit(call.entry.result),
        status=CallStatus.SUCCESS,
        error=None,
        state=None,
    )
    part = Call(entry, call.definition, call.index, None, call.shape)
    part.is_part = True
    return None if part.result.failed else part


def _links_done(command: str, output: str) -> str:
    """The links of a command line that worked, joined again; empty where none is known to have."""
    parts = _JOINT.split(command.strip())
    links, joints = parts[::2], parts[1::2]
    if len(links) < 2:
        return ""
    bare = [done_by(x) for x in links]
    broken = next((i for i, x in enumerate(bare) if _is_broken(x, output, bare)), None)
    shown = {i for i, x in enumerate(bare) if i != broken and _shows(_SHOWN, x, output)}
    if broken and joints[broken - 1] == "&&":
        shown.add(broken - 1)
    done = set(shown)
    for i in shown:
        while i and joints[i - 1] == "&&":
            i -= 1
            done.add(i)
    return " && ".join(links[i] for i in sorted(done) if i != broken)


def _shows(table: _Table, link: str, output: str) -> bool:
    return any(command.search(link) and told.search(output) for command, told in table)


def _is_broken(link: str, output: str, links: list[str]) -> bool:
    """Whether the output tells of this link, and of no other that looks like it, that it failed."""
    program = _PROGRAM.match(link)
    name = program.group(1) if program else ""
    alone = sum(bool(m and m.group(1) == name) for m in map(_PROGRAM.match, links)) == 1
    if name and alone and re.search(rf"^(?:\S*sh: (?:line \d+: )?)?{re.escape(name)}: ", output, re.M):
        return True
    return _shows(_BROKEN, link, output)


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, Mapping):
        return [v for v in value.values() if isinstance(v, str)]
    return []


def _without_exit(value: Any) -> Any:
    """A result without what it says of the whole chain's end."""
    if isinstance(value, str):
        return _EXIT_LINE.sub("", value)
    if isinstance(value, Mapping):
        return {
            k: _without_exit(v)
            for k, v in value.items()
            if str(k).lower() not in EXIT_KEYS | {"is_error", "iserror", "success", "ok", "status"}
        }
    return value
