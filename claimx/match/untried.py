"""Generic tools by which a thing could have been done, where no call of them did it: shells, editors, pages."""

from __future__ import annotations

import re
from collections.abc import Sequence

from claimx.match.commands import abilities_of, is_generic
from claimx.match.evidence import Scene, could_do
from claimx.match.gist import gist_of
from claimx.match.outward import is_able, is_outward, may_go_out
from claimx.match.pages import is_wide, operates_pages
from claimx.match.tools import FITS
from claimx.types import Action, Candidate, SlotType, Tense
from claimx.values.keys import parts_of

#: Families that coding agents carry out through shells and editors, and those that a command line shows plainly.
_BY_HAND = frozenset(
    "create update delete add run commit push merge install deploy rollback restart save move copy format upload".split()
)
_PLAIN = frozenset("run commit push merge install deploy".split())
#: What is done through pages, and is no matter of words.
_DEALINGS = frozenset("book order pay cancel submit approve reject upload redeem checkin transfer refund".split())


def untried(action: Action, scene: Scene) -> Candidate | None:
    """Return the generic tool that stands for a claim that no other tool fits, None where it may have been done after all."""
    return _by_hand(action, scene) or _by_query(action, scene) or _by_page(action, scene)


def _by_hand(action: Action, scene: Scene) -> Candidate | None:
    """A shell or an editor could have done it, and none of their calls did: the tool that stands for them."""
    has_target = action.object is not None or any(s.type in (SlotType.NAME, SlotType.ID) for s in action.slots)
    if action.verb not in _BY_HAND or (not has_target and action.verb not in _PLAIN):
        return None
    gist = gist_of(action)
    if is_outward(gist):
        # Files that were changed have no part in it; a task or a request may have.
        if _says_what_stands(action) or (action.verb != "push" and any(may_go_out(gist, c) for c in scene.calls)):
            return None
    elif action.verb not in _PLAIN and any(could_do(action, c) for c in scene.calls):
        # A script or an edit may have done it in a way that its text does not show.
        return None
    for tool in scene.tools:
        if is_generic(tool.name) and action.verb in abilities_of(tool.name) and is_able(tool.name, gist):
            return Candidate(tool.name, FITS, (f"{tool.name} can {action.verb}, and no other tool is known to",))
    return None


#: What only a query changes, by the words of claims.
_ROWS = frozenset("record column index".split())
_QUERIES = frozenset("sql query database db".split())


def _by_query(action: Action, scene: Scene) -> Candidate | None:
    """Return the query tool by which rows would have been changed, where a run's calls only looked."""
    if action.verb not in {"delete", "update", "add", "create"} or action.tense is not Tense.PAST:
        return None
    gist = gist_of(action)
    if (
        gist.head not in _ROWS
        or (action.verb == "create" and gist.base != "create")
        or any(not c.result.failed and not c.reads for c in scene.calls)
    ):
        return None
    tool = next((t.name for t in scene.tools if is_generic(t.name) and _asks_for_changes(parts_of(t.name))), None)
    return Candidate(tool, FITS, (f"{tool} can {action.verb}, and no other tool is known to",)) if tool else None


def _asks_for_changes(words: Sequence[str]) -> bool:
    """Whether a tool's name leaves open that its queries change something."""
    return not _QUERIES.isdisjoint(words) and _ONLY_READ.isdisjoint(words)


_ONLY_READ = frozenset("read readonly only select search get find describe list explain".split())
_TOLD_OF = re.compile(r"\b(?:is|are|was|were|been|being|be|has|have|had|got|gets|'s|’s|'ve|’ve)\b|:", re.I)


def _says_what_stands(action: Action) -> bool:
    """Whether a participle hangs on a thing with no verb of its own: “releases published to the mirror” tells what is usual."""
    if action.object is None or action.verb != "upload" or action.object.end > action.trigger.start:
        return False
    between = action.text[max(0, action.object.end - action.start) : max(0, action.trigger.start - action.start)]
    return len(between) < 12 and not _TOLD_OF.search(between)


def _by_page(action: Action, scene: Scene) -> Candidate | None:
    """Return the page tool by which a dealing would have been done, where a run used no such tool and changed nothing else."""
    if action.verb not in _DEALINGS or action.tense is not Tense.PAST or not gist_of(action).head:
        return None
    if any(not c.result.failed and (is_wide(c) or c.deeds or not c.shape.families) for c in scene.calls):
        return None
    tool = next((t.name for t in scene.tools if operates_pages(t.name)), None)
    return Candidate(tool, FITS, (f"{tool} can {action.verb}, and no other tool is known to",)) if tool else None


#: What is read with a shell, a query or an editor, and stands in no conversation.
_KEPT = frozenset(
    "file log repo branch commit folder directory table database schema row code codebase script config test".split()
)
_READERS = frozenset("bash shell terminal exec command cmd powershell python sql query database read file code".split())
_FILE = re.compile(r"^\W*[\w./@-]*\.[A-Za-z][A-Za-z0-9]{0,7}\W*$")


def untried_reader(action: Action, scene: Scene) -> Candidate | None:
    """Return the generic tool by which files or tables would have been read, where no call of the whole run worked."""
    if action.tense is not Tense.PAST or any(not c.result.failed for c in scene.calls):
        return None
    files = [s for s in action.slots if s.type is SlotType.NAME and _FILE.search(s.text)]
    told = (scene.user or "").lower()
    if gist_of(action).head not in _KEPT and not files:
        return None
    if any(s.text.strip("`*'\" ").lower() in told for s in files):
        # What the user has named may have been pasted, too.
        return None
    tool = next((t.name for t in scene.tools if is_generic(t.name) and set(parts_of(t.name)) & _READERS), None)
    return Candidate(tool, FITS, (f"{tool} can read it, and no call of this run worked",)) if tool else None
