"""What generic tools did, read off the call itself: shells, SQL, HTTP, browsers, code, file editors."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from claimx.match.command_lines import done_by, further, is_unclear, links_of, worded
from claimx.match.command_table import Deeds, told_anywhere
from claimx.match.nouns import fold_noun
from claimx.match.programs import calls_commands, is_code, only_looks
from claimx.types import LedgerEntry
from claimx.values.keys import parts_of
from claimx.verbs import READING

_GENERIC = frozenset(
    "bash shell terminal exec execute run command cmd powershell python code interpreter sql query http request fetch curl browser "
    "computer write edit editor file str_replace apply patch multiedit notebook commands ssh cli aws gcloud az".split()
)
#: Words that stand beside those: where it runs, which data base it asks, what an editor takes.
_BESIDE = frozenset(
    "tool v sandbox remote local the a text in into to string line diff fs developer container db database postgres postgresql "
    "mysql mariadb sqlite duckdb snowflake bigquery bq clickhouse redshift databricks neon supabase statement statements".split()
)
_METHODS = {"POST": "create", "PUT": "update", "PATCH": "update", "DELETE": "delete", "GET": "get", "HEAD": "get"}
_SQL_TABLE = re.compile(r"\b(?:from|into|update|table)\s+[`\"]?([a-z_][\w.]*)", re.I)


@lru_cache(maxsize=4096)
def is_generic(tool: str) -> bool:
    """Whether a tool's name says nothing of what a call of it does, whichever MCP server it is of.

    >>> is_generic("Bash"), is_generic("mcp__acp__Bash"), is_generic("mcp__github__merge"), is_generic("acp_Bash")
    (True, True, False, False)
    """
    words = parts_of(tool.rsplit("__", 1)[-1] if tool.startswith("mcp__") else tool)
    if len(words) == 1 and words[0] in _LINES:
        return True
    return not _GENERIC.isdisjoint(words) and all(w in _GENERIC or w in _BESIDE or w.isdigit() for w in words)


def abilities_of(tool: str) -> frozenset[str]:
    """Families that a generic tool can carry out: editors change files, shells do anything, readers nothing."""
    words = set(parts_of(tool))
    if (
        words
        & {*_LINES, "bash", "shell", "terminal", "exec", "command", "commands", "cmd", "powershell", "python", "code"}
        and "read" not in words
    ):
        return frozenset(
            "create update delete add run commit push merge install deploy rollback restart save move copy format upload".split()
        )
    if words & {"edit", "write", "multiedit", "editor", "patch", "replace"}:
        return frozenset("create update delete add save".split())
    return frozenset()


def deeds_of(entry: LedgerEntry) -> tuple[tuple[str, frozenset[str]], ...]:
    """Return the (family, nouns) pairs of what a call of a generic tool did; empty for tools with a telling name.

    >>> deeds_of(LedgerEntry("c1", "bash", {"command": "pytest -q"}))[0][0]
    'run'
    >>> [f for f, _ in deeds_of(LedgerEntry("c2", "http_request", {"method": "DELETE", "url": "/orders/1"}))]
    ['delete']
    """
    if not is_generic(entry.tool):
        return ()
    args = entry.args if isinstance(entry.args, Mapping) else {"command": entry.args}
    lowered = {str(k).lower(): v for k, v in args.items()}
    method = lowered.get("method")
    url = lowered.get("url") or lowered.get("path") or lowered.get("endpoint")
    if isinstance(method, str) and method.upper() in _METHODS and isinstance(url, str):
        parts = [w for w in re.findall(r"[A-Za-z]{3,}", url.split("://")[-1].split("?")[0])]
        named = frozenset(fold_noun(w) for w in parts)
        found = [(_METHODS[method.upper()], named)]
        if method.upper() == "GET":
            found.append(("download", named))
        from claimx.verbs import TOOL_WORDS, lemma

        last = lemma(parts[-1]) if parts else ""
        if last in TOOL_WORDS and method.upper() in {"POST", "PUT", "PATCH"}:
            found.insert(0, (TOOL_WORDS[last], named))
        return tuple(found)
    words = parts_of(entry.tool)
    file = file_of(entry)
    if file and any(
        w in words for w in ("write", "edit", "multiedit", "patch", "replace", "file", "editor", "notebook")
    ):
        nouns = frozenset({"file", *map(fold_noun, parts_of(file))})
        if "read" in words or lowered.get("command") in {"view", "read"}:
            return (("get", nouns),)
        if lowered.get("command") == "create" or "write" in words:
            return (("create", nouns), ("update", nouns))
        return (("update", nouns), ("delete", nouns), ("add", nouns), ("create", nouns))
    if words and set(words) & {"edit", "write", "multiedit", "patch", "replace"} and "read" not in words:
        return tuple((f, frozenset({"file"})) for f in ("update", "create", "add", "delete"))
    text = command_in(args)[:4000]
    if is_code(words) and str(lowered.get("language", "")).lower() not in _SHELLS:
        return _deeds_in_code(text)
    program = next((w for w in words if w in _LINES - {"ssh", "cli"}), "")
    if program and not text.lstrip().startswith(program):
        text = f"{program} {text}"
    return _deeds_in_line(done_by(text)) if set(words) & _SHELLS else _deeds_in(text)


#: Arguments of a command's tool that are no part of the command: what the agent says of it, where and how long it runs.
_ASIDE = frozenset(
    "description cwd workdir working_directory working_dir workingdirectory timeout shell title reason justification explanation "
    "purpose language container_id session_id host hostname server user username instance_id target region profile context namespace".split()
)


def command_in(args: Mapping[Any, Any]) -> str:
    """Return the text that a command line or a program was called with.

    >>> command_in({"command": ["bash", "-lc", "ls src"], "workdir": "/r", "description": "Run the tests"})
    'bash -lc ls src'
    """
    own = [v for k, v in args.items() if str(k).lower() not in _ASIDE] or list(args.values())
    lists = (" ".join(map(str, v)) if isinstance(v, list | tuple) else v for v in own)
    return "\n".join(v for v in lists if isinstance(v, str))


#: Programs that are tools of their own, whose call gives the rest of the command line.
_LINES = frozenset("ssh cli aws gcloud az kubectl terraform helm gh docker".split())
_SHELLS = _LINES | frozenset("bash shell terminal exec execute command commands cmd powershell".split())


@lru_cache(maxsize=4096)
def _deeds_in(text: str) -> tuple[tuple[str, frozenset[str]], ...]:
    tables = {fold_noun(w) for m in _SQL_TABLE.finditer(text) for w in parts_of(m.group(1))}
    return tuple((f, nouns | tables) for f, nouns in told_anywhere(text))


@lru_cache(maxsize=4096)
def _deeds_in_line(text: str) -> Deeds:
    """What a command line did: what the table tells of the whole, and of each command what its own words name."""
    out = list(_deeds_in(text))
    for link in links_of(text):
        known = (*_deeds_in(link), *further(link))
        out += further(link)
        # Behind what is run or looked at stand names, which tell of nothing that was done: `pytest -k cancel`.
        if not any(f == "run" or f in READING for f, _ in known):
            out += worded(link)
    return tuple(dict.fromkeys(out))


@lru_cache(maxsize=8192)
def is_opaque(line: str) -> bool:
    """Whether a command line has a command that neither a table nor its words tell anything of: it may have done anything."""
    return any(not _deeds_in(x) and not further(x) and is_unclear(x) for x in links_of(done_by(line)))


@lru_cache(maxsize=4096)
def _deeds_in_code(text: str) -> tuple[tuple[str, frozenset[str]], ...]:
    """What a program did: words such as `df`, `head` or `top` are names in it, and no commands that look."""
    found = _deeds_in(text)
    if calls_commands(text):
        return found
    done = tuple(d for d in found if d[0] != "get")
    return done or (found if only_looks(text) else ())


_FILE_KEYS = ("file_path", "path", "filepath", "filename", "file", "notebook_path", "target_file")


def file_of(entry: LedgerEntry) -> str | None:
    """Return the path of the one file that an editor's call touches, None when it names none."""
    args = entry.args
    if not isinstance(args, Mapping):
        return None
    found = {str(k).lower(): v for k, v in args.items()}
    named = next((found[k] for k in _FILE_KEYS if isinstance(found.get(k), str)), None)
    if named is not None or not set(parts_of(entry.tool)) & _EDITORS:
        return named
    # Editors tell in prose which file they changed: "The file src/a.py has been updated".
    texts = [v for v in (entry.result, *found.values()) if isinstance(v, str)]
    told = next((m for t in texts if (m := _TOLD_FILE.search(t[-4000:]) or _TOLD_FILE.search(t[:4000]))), None)
    path = (told.group(1) or told.group(2)) if told else ""
    return path if "." in path or "/" in path else None


def is_patcher(tool: str) -> bool:
    """Whether a tool changes text inside of files, so that it copies and moves none."""
    return is_generic(tool) and bool(set(parts_of(tool)) & (_EDITORS - {"write"}))


@lru_cache(maxsize=4096)
def is_editor(tool: str) -> bool:
    """Whether a tool writes or changes the text of files."""
    return is_generic(tool) and bool(set(parts_of(tool)) & _EDITORS) and "read" not in parts_of(tool)


_EDITORS = frozenset("write edit multiedit patch replace editor notebook".split())
_TOLD_FILE = re.compile(
    r"\bfile (?:created|written|updated|edited|saved)(?: successfully)?(?: at| to)?:? [`'\"]?([\w./~@+-]*\.?[\w-]+)"
    r"|\b(?:the )?file [`'\"]?([\w./~@+-]+)[`'\"]? (?:has been|was|is now) (?:successfully )?(?:updated|created|edited|written|saved|modified)",
    re.I,
)
