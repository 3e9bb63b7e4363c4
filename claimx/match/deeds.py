"""How well what a call of a generic tool did answers a claim, on the scale of tool names."""

from __future__ import annotations

from claimx.match.call import Call
from claimx.match.command_table import ONLY
from claimx.match.commands import is_editor, is_patcher
from claimx.match.gist import Gist
from claimx.match.kinship import APART, LOOSE, OWN, kinship
from claimx.match.outward import answers, is_outward, keeps_up, starts
from claimx.verbs import FAMILIES, READING, VAGUE

#: Families of changes by hand, of which one may be told as another.
CHANGES = frozenset("update create add delete rollback move save do copy set".split())
#: What an editor's change may be told as; whatever else is told, it is not done by writing a file.
_EDITS = CHANGES | READING | VAGUE | frozenset("enable disable merge install download format".split())
#: What stops, starts or fetches something, beside a change to a text that turns it off, on or out.
_OPERATED = frozenset(
    "stop start shut kill terminate launch boot halt suspend pause resume download fetch pull clone".split()
)
#: Objects that no edit of a file can merge or take back.
_VERSIONED = frozenset("branch pull_request commit deployment main master".split())
#: What a check that ran, and no more, has not done.
_EFFECTS = CHANGES | frozenset("deploy install upload restart push merge commit enable disable send".split())
#: Runs that are told apart by what is run.
_RUNS = frozenset("test lint linter build migration typecheck".split())


#: What no edit of a text moves; a function or a section is cut from one and put into another.
_FILES = frozenset("file folder directory".split())


def may_edit(gist: Gist) -> bool:
    """Whether an editor's change to a file can be what a claim tells of."""
    if gist.verb not in FAMILIES:
        return True
    if gist.verb == "close":
        return gist.base != "close"
    if gist.verb not in _EDITS or gist.base in _OPERATED:
        return False
    if gist.verb in {"merge", "rollback"} or gist.base == "tag":
        return _VERSIONED.isdisjoint(gist.main)
    return gist.verb != "install" or (
        bool(gist.head) and gist.head not in {"parcel", "dependency", "library", "module"}
    )


def deed_score(gist: Gist, call: Call) -> float:
    """Score a generic call by what it did, on the scale of tool names."""
    best = 0.0
    main = set(gist.main)
    if (
        gist.verb in {"copy", "move"}
        and is_patcher(call.tool)
        and (gist.verb == "copy" or not gist.main or not _FILES.isdisjoint(gist.main))
    ):
        return 0.0
    if is_editor(call.tool) and not may_edit(gist):
        return 0.0
    outward = is_outward(gist)
    for fam, nouns in call.deeds:
        if outward and not answers(gist, fam, nouns):
            continue
        kin = OWN if fam == "enable" and (starts(gist) or keeps_up(gist)) else kinship(gist.verb, fam)
        about = main & nouns or gist.clause & nouns
        if ONLY in nouns and main and not about and gist.base not in nouns:
            continue
        hidden = "script" in nouns and gist.verb in CHANGES
        if fam == "run" and gist.verb in _EFFECTS and not hidden and not about:
            # A check that ran has changed nothing; what a script did is not known.
            continue
        if fam == "run" and gist.verb == "run" and main & _RUNS and not main & nouns and "script" not in nouns:
            # Another run than the one that was told.
            continue
        if fam == "get" and gist.verb == "download":
            # What was looked at was not brought over.
            continue
        if (gist.verb, fam) in APART and fam == "delete":
            continue
        if {gist.verb, fam} <= CHANGES:
            kin = max(kin, 0.7)
        if not kin or (kin <= LOOSE and fam not in CHANGES):
            continue
        if main & nouns or (gist.base in nouns):
            score = kin
        elif gist.clause & nouns:
            score = kin * 0.85
        else:
            score = kin * (0.75 if not main or gist.verb not in READING else 0.65)
        best = max(best, score)
    return best
