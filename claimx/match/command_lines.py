"""Command lines taken apart: what they only say or look at, what the words of the others name, and what no word tells."""

from __future__ import annotations

import re
from functools import lru_cache

from claimx.match.command_table import Deeds, told_of_one
from claimx.match.nouns import fold_noun
from claimx.verbs import TOOL_WORDS, lemma

_HERE = re.compile(r"^([^\n]*\b(?:cat|tee)\b[^\n]*<<-?\s*['\"]?(\w+)['\"]?[^\n]*)\n.*?^\s*\2\s*$", re.M | re.S)
_MESSAGE = re.compile(
    r"(?:(?:\s-\w*m|--(?:message|body|title|notes))[= ]\s*|\b(?:echo|printf)\s+(?:-\w+\s+)*)(?:\"(?:[^\"\\]|\\.)*\"|'[^']*')",
    re.S,
)
_NEXT = re.compile(r"(&&|\|\||[;\n|])")
#: Commands that only look, whatever the names behind them say: `ls deploy`, `grep pytest`.
_LOOKS = re.compile(
    r"\s*(?:sudo\s+)?(?:cat|ls|head|tail|less|more|e?grep|rg|ag|stat|wc|tree|which|echo|printf|cd|pwd|sed\s+-n|nl|jq|cut|sort|uniq|diff|"
    r"find(?![^;|&]*(?:-delete|-exec))|git\s+(?:log|show|diff|status|grep|blame|ls-files))(?=\s|$)"
)
#: What a command is told so that it only shows what it would do.
_REHEARSED = re.compile(r"\s--(?:dry-run|what-?if|no-?op)\b", re.I)
_REDIRECTED = re.compile(r"(?<![-=2&])>>?.*|<<.*", re.S)


@lru_cache(maxsize=4096)
def done_by(text: str) -> str:
    """Return a command line without what it only says, writes into files or looks at.

    >>> done_by("ls deploy && git commit -m 'Run pytest'")
    'ls&& git commit'
    >>> done_by("grep -rn pytest . > hits.txt")
    'grep> hits.txt'
    """
    text = _MESSAGE.sub(lambda m: m.group().split()[0] if m.group()[0] in "ep" else "", text.replace("\\\n", " "))
    text = _HERE.sub(r"\1", text)
    return "".join(_looked(part) for part in _NEXT.split(text))


def _looked(part: str) -> str:
    if _REHEARSED.search(part):
        return " ls "
    looks = _LOOKS.match(part)
    if looks is None:
        return part
    rest = _REDIRECTED.search(part, looks.end())
    return looks.group() + (rest.group() if rest else "")


def links_of(text: str) -> list[str]:
    """The commands of a line that `done_by` returned, those left out that only look."""
    parts = (p.strip().strip("()").strip() for p in _NEXT.split(text)[::2])
    return [p for p in parts if p and not _LOOKS.match(p)]


#: What stands before the command that is meant.
_BEFORE = re.compile(
    r"(?:[A-Z_][A-Z0-9_]*=\S*|sudo(?:\s+-\w+)*|time|timeout\s+\d+\w?|watch|nohup|command|exec|env|npx(?:\s+-\S+)*|bunx|(?:pnpm|yarn|npm)\s+(?:dlx|exec(?:\s+--)?)|"
    r"uvx|(?:uv|poetry|pipenv|hatch|rye|pdm)\s+run|bundle\s+exec|python3?\s+-m|(?:docker|podman)\s+(?:compose\s+)?exec(?:\s+-\S+)*\s+\S+|"
    r"(?:ba|z)?sh\s+-\w*c)\s+[\"']?",
)
_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[-_:.][A-Za-z0-9]+)*")
_PARTS = re.compile(r"[^A-Za-z]+")
#: Words behind a command that may name what it does.
_MOST = 4
#: Words that are verbs elsewhere, and name things to command lines.
_THINGS = frozenset(
    "issue checkout order book file record report request schedule note stage process service charge post".split()
)
#: Commands behind which stand names that tell of nothing done, as behind those of git: `git checkout cancel-order`.
_NAMES_FOLLOW = frozenset(
    "mkdir touch cp mv rm ln tee code vim vi nano emacs open chmod chown tar zip unzip scp ssh rsync".split()
)
#: Commands of git that have commands of their own: `git remote add`.
_GIT_GROUPS = frozenset("remote stash submodule worktree notes lfs".split())
_FILE = re.compile(r"\w\.[A-Za-z]\w{0,4}$")
_TOLD_BY_FLAGS = frozenset("curl wget http https git-lfs".split())


@lru_cache(maxsize=4096)
def worded(link: str) -> Deeds:
    """What the words of one command say it does, as the words of a tool's name would.

    >>> [f for f, _ in worded("gh issue close 5")], [f for f, _ in worded("aws ec2 stop-instances --instance-ids i-1")]
    (['close'], ['disable'])
    >>> "cherry-pick" in [f for f, _ in worded("git cherry-pick 1f2e")], worded("git add -A")
    (True, ())
    """
    command, *behind = _words_of(link) or [""]
    if command == "git":
        behind = behind[: 2 if behind and behind[0] in _GIT_GROUPS else 1]
    words = [command, *(w for w in behind if command not in _NAMES_FOLLOW and not _FILE.search(w))]
    parts = [p.lower() for w in words for p in _PARTS.split(w) if p]
    nouns = frozenset(fold_noun(p) for p in parts)
    if (parts and parts[0] in _TOLD_BY_FLAGS) or parts[:2] in (["git", "add"], ["git", "config"], ["git", "apply"]):
        return ()
    named = [f for p in parts if p not in _THINGS and (f := TOOL_WORDS.get(lemma(p))) is not None]
    if named:
        return ((named[0], nouns),)
    return tuple((lemma(p), nouns) for p in dict.fromkeys([*parts, *(w.lower() for w in words if "-" in w)]))


def is_unclear(link: str) -> bool:
    """Whether no word of a command tells what it does, so that it may have done anything."""
    words = _words_of(link)
    if not words or words[0].lower() in _HARMLESS:
        return False
    if words[0].lower() == "curl":
        return _SENDS.search(link) is not None
    return not any(lemma(p.lower()) in TOOL_WORDS for w in words for p in _PARTS.split(w) if p)


@lru_cache(maxsize=4096)
def _words_of(link: str) -> list[str]:
    """The command and the bare words behind it, flags and values left out."""
    while before := _BEFORE.match(link):
        link = link[before.end() :]
    tokens = link.split()
    if not tokens:
        return []
    first = tokens[0].strip("\"'").rsplit("/", 1)[-1]
    rest = (t.strip("\"'") for t in tokens[1:] if not t.startswith("-"))
    words: list[str] = []
    for t in rest:
        if len(words) == _MOST or not _WORD.fullmatch(t.replace("/", "-")):
            break
        words.append(t)
    return [first, *words] if _WORD.fullmatch(first) else []


_SENDS = re.compile(r"\s(?:-X ?(?:POST|PUT|PATCH|DELETE)|--request|--data\S*|--json|--form|--upload-file|-[dFT])\b")
#: Commands that change nothing beyond the shell they run in, and words of the shell itself.
_HARMLESS = frozenset(
    "export source set unset true false sleep test env whoami hostname uname date ps top htop df du free id ping dig nslookup host "
    "traceroute nc awk gawk sed tr basename dirname realpath readlink seq wait jobs history man type alias clear exit return read if then "
    "else fi for do done while case esac function column file xxd hexdump od strings md5sum sha256sum cksum base64 lsof ss netstat ip "
    "ifconfig nvidia-smi journalctl dmesg lsblk ls cat git wget rm mkdir touch cp mv tee ssh scp docker kubectl npm yarn pnpm pip pip3 "
    "ssh-keyscan bash sh zsh python python3 node systemctl service java ffprobe identify exiftool xmllint yq gron bat eza fd tokei cloc scc "
    "uptime nproc arch who uniq comm cmp paste tac rev bc expr pushd popd trap shift local declare "
    "openssl nmap tcpdump strace objdump nm otool getent locale tty stty tput ulimit umask pgrep vmstat iostat".split()
)


@lru_cache(maxsize=4096)
def further(link: str) -> Deeds:
    """What one command is known to do that the table of whole command lines lacks.

    >>> sorted(further("npx playwright test")[0][1])
    ['spec', 'test']
    """
    while before := _BEFORE.match(link):
        link = link[before.end() :]
    link = re.sub(r"^\S*/(?=\w)", "", link)
    return told_of_one(link)
