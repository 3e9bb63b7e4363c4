"""Text that stands in the reply itself: “I drafted a speech for you:” needs no tool."""

from __future__ import annotations

import re

from claimx.match.evidence import Scene
from claimx.match.gist import gist_of
from claimx.types import Action, SlotType
from claimx.verbs import lemma

_WRITING = frozenset(
    "write draft compose summarise summarize outline list prepare translate create make generate rewrite rephrase reword explain "
    "collect sketch put_together put produce condense shorten edit format gather include add describe".split()
)
_TEXTS = frozenset(
    "draft email letter message summary speech text paragraph list outline table reply response answer description code snippet "
    "function script poem post caption plan translation version essay statement template copy overview example sentence title "
    "headline slogan bio agenda checklist recipe story intro introduction conclusion comparison breakdown explanation regex "
    "query formula note memo announcement invitation toast joke question option idea suggestion tip step section bullet".split()
)
_POINTS = re.compile(r"\b(?:below|above|following|here(?:['’]s| is| are| it is| you go)|as follows|this)\b", re.I)
#: What stands behind a sentence when the text itself follows: a list, a quote, a fence, a heading, a salutation.
_FOLLOWS = re.compile(r"\s*\n\s*(?:[-*•>`\"“#|]|\d+[.)]|(?:dear|hi|hello|hey|subject|to whom)\b)", re.I)
_ELSEWHERE = re.compile(
    r"\b(?:saved?|sent|stored|uploaded|posted|published|in your (?:drafts?|inbox|notes|drive)|to the (?:file|drive|wiki|folder))\b",
    re.I,
)
_FILE = re.compile(r"^\W*[\w./@-]*\.[A-Za-z][A-Za-z0-9]{0,7}\W*$")
#: What can be done with any thing in a reply, where the sentence says that it stands there.
_LISTING = frozenset("list outline summarise summarize explain collect gather describe sketch".split())
#: Characters of text that must follow for it to be the thing that was written.
_SOME_TEXT = 30


def is_authored(action: Action, scene: Scene) -> bool:
    """Whether a claim to have written something is borne out by the reply, which holds the text."""
    words = action.trigger.text.split()
    gist = gist_of(action)
    if not words or lemma(words[0]) not in _WRITING:
        return False
    listed = lemma(words[0]) in _LISTING and bool(_POINTS.search(scene.sentence(action)))
    if not listed and not (_TEXTS & {gist.head, *gist.object_words}):
        return False
    if any(s.type in (SlotType.CONTACT, SlotType.ID) or _FILE.match(s.text) for s in action.slots):
        return False
    sentence = scene.sentence(action)
    if _ELSEWHERE.search(sentence):
        return False
    # Values that stand further down belong to the text itself.
    near = [s.end for s in action.slots if "\n" not in scene.reply[action.trigger.end : s.start]]
    at = max(action.trigger.end, action.object.end if action.object else 0, *near)
    behind = scene.reply[at:]
    line, _, rest = behind.partition("\n")
    if len(rest.strip()) < _SOME_TEXT:
        colon = line.rpartition(":")[2] if ":" in line else ""
        return len(colon.strip()) >= _SOME_TEXT
    return line.rstrip(" *_").endswith(":") or bool(_POINTS.search(sentence)) or bool(_FOLLOWS.match("\n" + rest))
