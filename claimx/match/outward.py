"""What lies beyond files: a package published, a service started, a pull request opened. No editor does that, and no check."""

from __future__ import annotations

import re
from functools import lru_cache

from claimx.match.call import Call, is_internal
from claimx.match.command_lines import done_by
from claimx.match.commands import abilities_of, is_generic
from claimx.match.gist import Gist
from claimx.match.handwork import command_of, hides_its_deed

#: Families of what is passed on to others or set going elsewhere.
_OUTWARD = frozenset("upload send notify push deploy call".split())
_STARTS = frozenset("start launch boot spin restart stop kill".split())
_SWITCHES = frozenset({"enable", "disable", "deploy", "restart"})
_SERVED = frozenset("server service app application container process daemon worker".split())
_SERVERS = frozenset("dev development local preview backend frontend web api".split())
_MAKES = frozenset("create submit request merge".split())
#: Families of deeds that leave the files of a project changed, and nothing else.
_OF_FILES = frozenset("create update add save delete copy move".split())
_FILED = frozenset({"file", "folder"})
_CHECKS = frozenset({"test", "lint", "check", "build"})
_SET_OFF = frozenset({"upload", "deploy"})
#: Tasks and requests whose text tells that something goes out, though not what.
_TASK = re.compile(
    r"\b(?:release|publish|deploy|ship|upload|bootstrap)\w*\b|\bcurl\b[^\n|;]*\s(?:-X ?(?:POST|PUT|PATCH|DELETE)|--data\S*|--json|-[dFT]\b|--form)|"
    r"\bwget\b[^\n|;]*--post|\b(?:gh|glab) api\b|\brequests\.(?:post|put|patch|delete)\b",
    re.I,
)


def is_outward(gist: Gist) -> bool:
    """Whether a claim is of something that editing files cannot bring about."""
    return gist.verb in _OUTWARD or starts(gist) or is_request_to_pull(gist)


def starts(gist: Gist) -> bool:
    """Whether a claim is of a process that was started or stopped, not of a setting that was switched."""
    # A server by no other name is a word that tells nothing, and leaves no object.
    is_served = not gist.main or not _SERVED.isdisjoint(gist.main)
    return gist.verb in _SWITCHES and gist.base in _STARTS and is_served


def keeps_up(gist: Gist) -> bool:
    """Whether a claim is of a server or the like that is running: “the dev server”, of whose words one tells something."""
    return gist.verb == "run" and bool(gist.main) and set(gist.main) <= _SERVED | _SERVERS


def is_request_to_pull(gist: Gist) -> bool:
    """Whether a claim is of a pull request that was opened or merged; a template for them is a file."""
    words = gist.object_words
    last = words[-2:] == ("pull", "request") or words[-2:] == ("merge", "request") or gist.head == "pull_request"
    return gist.verb in _MAKES and last


def answers(gist: Gist, fam: str, nouns: frozenset[str]) -> bool:
    """Whether a deed of a generic tool may be what an outward claim speaks of."""
    if is_request_to_pull(gist):
        return "pull_request" in nouns
    if fam in _OF_FILES and not (nouns.isdisjoint(_FILED)):
        return False
    if fam == "run" and not nouns.isdisjoint(_CHECKS):
        return False
    return not (gist.verb == "upload" and fam == "push")


@lru_cache(maxsize=8192)
def _goes_out(command: str) -> bool:
    return _TASK.search(command) is not None


def may_go_out(gist: Gist, call: Call) -> bool:
    """Whether a call that worked may have done an outward deed in a way that its text does not show; a push sets off releases."""
    if call.result.failed or not is_generic(call.tool) or "run" not in abilities_of(call.tool):
        return False
    if gist.verb in _SET_OFF and any(f == "push" for f, _ in call.deeds):
        return True
    return not call.deeds or hides_its_deed(call) or _goes_out(done_by(command_of(call)))


def is_able(tool: str, gist: Gist) -> bool:
    """Whether a tool can bring a claim about: editors write files alone, and an agent's own plan changes nothing else."""
    if not is_outward(gist):
        return True
    abilities = abilities_of(tool) if is_generic(tool) else frozenset()
    return not is_internal(tool) and not (abilities and "run" not in abilities)
