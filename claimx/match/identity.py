"""Claims to have found or verified whose account it is, where only a number out of nowhere was looked up.

Tools that tell an account from a name, an e-mail address or a ZIP code give its number. Where the user has just told these,
no such tool worked, and the look-ups that did work took a number that neither a call nor the user gave, nobody was identified.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from claimx.match.call import Call
from claimx.match.evidence import Scene
from claimx.match.gist import gist_of
from claimx.match.shapes import ToolShape
from claimx.match.unseen import Missing
from claimx.types import Action
from claimx.values.keys import parts_of
from claimx.verbs import lemma

_FINDING = frozenset(
    "find locate identify verify authenticate lookup look_up look confirm pull retrieve validate".split()
)
_PARTIES = frozenset("account customer user client member patient guest subscriber identity profile".split())
#: What identifies a person, by the words of tools' names, and how the user's words show that it was told.
_MEANS = {
    "email": re.compile(r"\S@\S+\.\w"),
    "phone": re.compile(r"\bphone\b|(?:\d[\s().-]*){7,}", re.I),
    "name": re.compile(r"\bname\b|\bI(?:['’]m| am) [A-Z]", re.I),
    "zip": re.compile(r"\bzip\b|\b\d{5}(?:-\d{4})?\b", re.I),
    "postcode": re.compile(r"\bpost(?:al)? ?code\b", re.I),
    "postal": re.compile(r"\bpost(?:al)? ?code\b", re.I),
    "birth": re.compile(r"\bborn\b|\bbirth|\bdob\b", re.I),
    "dob": re.compile(r"\bborn\b|\bbirth|\bdob\b", re.I),
    "ssn": re.compile(r"\bssn\b|social security", re.I),
}
_NUMBER = re.compile(r"(?:^|_)(?:id|number|no|key)$|[a-z]Id$", re.I)


def unidentified(action: Action, found: Sequence[Call], scene: Scene) -> Missing | None:
    """Return the identifying tool that did not work behind a claim to have identified somebody, None where one did."""
    if not scene.user or not _identifies(action):
        return None
    told = f"{scene.user} {action.text}"
    tools = [n for n, shape in scene.toolset.shapes if any(_MEANS[w].search(told) for w in _means_of(shape))]
    if not tools or any(c.tool in tools and not c.result.failed for c in scene.calls):
        return None
    first = min(found, key=lambda c: c.index)
    opened = _from_nowhere(first, scene)
    if opened is None:
        return None
    key, value = opened
    tried = {c.tool for c in scene.calls}
    tool = next((t for t in tools if t in tried), tools[0])
    return Missing(tool, f"{first.id} ({first.tool}) took {key} {value!r}, which no call gave and the user did not say")


def _identifies(action: Action) -> bool:
    """Whether a claim says that a person or an account was found or verified."""
    words = action.trigger.text.split()
    if not words or lemma(words[0]) not in _FINDING:
        return False
    gist = gist_of(action)
    return gist.main[-1] in _PARTIES if gist.main else action.object is None or not gist.literal


def _means_of(shape: ToolShape) -> list[str]:
    """What an identifying tool asks for, by its name: `find_user_id_by_name_zip` a name and a ZIP code."""
    words = parts_of(shape.name)
    if not shape.reads or not shape.nouns & _PARTIES or "by" not in words:
        return []
    return [w for w in words[words.index("by") + 1 :] if w in _MEANS]


def _from_nowhere(call: Call, scene: Scene) -> tuple[str, str] | None:
    """The number by which a call opened a record, where neither an earlier call nor the user gave it."""
    args = call.entry.args
    if not isinstance(args, Mapping) or not call.entry.captured:
        return None
    for key, value in args.items():
        text = str(value).lower()
        if not isinstance(value, str | int) or not _NUMBER.search(str(key)) or not any(c.isdigit() for c in text):
            continue
        if text in (scene.user or "").lower():
            return None
        if any(text in c.view.raw for c in scene.calls[: call.index] if not c.result.failed):
            return None
        return str(key), str(value)
    return None
