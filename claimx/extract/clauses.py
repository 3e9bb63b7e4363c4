"""Where sentences end, and which clause an action stands in: what a person is shown as the claim's text."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

_BREAK = re.compile(
    r"(?<=[.!?…])[\"'”’)\]*_`]{0,6}[ \t]{1,20}(?=[\"'“‘(\[*_`#]{0,6}[A-Z0-9À-Þ✅❌⚠🎉])"  # end mark, space, a new sentence's start
    r"|\n+"  # every line is its own
)
_ABBREVIATION = re.compile(
    r"(?:^|[\s(])(?:Dr|Mr|Mrs|Ms|Prof|Sr|Jr|St|No|Nr|vs|approx|dept|ext|e\.g|i\.e|etc|Inc|Ltd|Co|Corp"
    r"|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept?|Oct|Nov|Dec|[A-Z])\.$"
)
_LIST_NUMBER = re.compile(r"(?:^|\n)\s*\(?\d{1,3}[.)]$")
_JOINT = re.compile(
    r"[;:,.!?–—]{1,4}\s{1,9}(?:(?:and|but|then|while|so)\s{1,9})?|\s(?:and|but|then|while|so)\s{1,9}|\s[-|/]\s{1,9}|\n\s{0,9}",
    re.IGNORECASE,
)
_LEAD = re.compile(r"(?:[-*+•>|#]+\s+|\d{1,3}[.)]\s+|[✅❌✔✓☑]\ufe0f?\s*)+")


#: A fence that names a language of programs or data: what stands in it is nobody's statement.
_CODE = re.compile(
    r"^[ \t]{0,3}```[ \t]*(?:diff|patch|py(?:thon)?|sh|bash|zsh|shell|console|powershell|js|jsx|javascript|ts|tsx|typescript|json[5lc]?|ya?ml|toml|ini|sql"
    r"|html?|xml|css|scss|java|kotlin|swift|go|rust|rs|c|cpp|c\+\+|cs|csharp|rb|ruby|php|dockerfile|makefile|hcl|terraform|graphql|proto|r|lua|perl)\b[^\n]*\n"
    r"(?:.*?)(?:^[ \t]{0,3}```|\Z)",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)


def code_of(text: str) -> list[tuple[int, int]]:
    """Return the (start, end) of every fenced block that names the language of its code.

    >>> t = "Try this:\\n```diff\\n+print('sent')\\n```\\nI sent it."
    >>> [t[a:b] for a, b in code_of(t)]
    ["```diff\\n+print('sent')\\n```"]
    """
    return [m.span() for m in _CODE.finditer(text)] if "```" in text else []


@lru_cache(maxsize=4)
def sentences_of(text: str) -> tuple[tuple[int, int], ...]:
    """Return the (start, end) of every sentence or line, without surrounding blanks.

    >>> t = "Dr. Wu called. I sent it.\\n- Done"
    >>> [t[a:b] for a, b in sentences_of(t)]
    ['Dr. Wu called.', 'I sent it.', '- Done']
    """
    out = []
    start = 0
    for m in _BREAK.finditer(text):
        head = text[max(start, m.start() - 12) : m.start()]
        if "\n" not in m.group() and (_ABBREVIATION.search(head) or _LIST_NUMBER.search(head)):
            continue
        if m.start() > start:
            out.append((start, m.start()))
        start = m.end()
    if start < len(text):
        out.append((start, len(text)))
    trimmed = []
    for s, e in out:
        while s < e and text[s].isspace():
            s += 1
        while e > s and text[e - 1].isspace():
            e -= 1
        if s < e:
            trimmed.append((s, e))
    return tuple(trimmed)


def clauses_of(text: str, groups: Sequence[Sequence[tuple[int, int]]]) -> list[tuple[int, int]]:
    """Return the clause of each action; `groups` holds each action's spans, its trigger first, in reading order.

    A sentence with one action is its clause whole. Between two actions of a sentence the clause ends at the last
    joint (comma, "and", dash ...) before the second one's first span.

    >>> t = "I cancelled it and sent a note."
    >>> [t[a:b] for a, b in clauses_of(t, [[(2, 11)], [(19, 23)]])]
    ['I cancelled it', 'sent a note.']
    """
    sentences = sentences_of(text)
    out: list[tuple[int, int]] = []
    at = 0
    homes: list[int] = []
    for group in groups:
        trigger = group[0]
        while at < len(sentences) - 1 and sentences[at][1] <= trigger[0]:
            at += 1
        homes.append(at)
    bounds: list[tuple[int, int]] = []
    for i, group in enumerate(groups):
        start, end = sentences[homes[i]] if sentences else (group[0][0], group[0][1])
        start, end = min(start, group[0][0]), max(end, group[0][1])
        if i and homes[i - 1] == homes[i]:
            cut = _joint_between(text, groups[i - 1], group)
            if cut:
                p_start, _ = bounds[-1]
                bounds[-1] = (p_start, cut[0])
                start = cut[1]
            else:
                start = bounds[-1][0]
        bounds.append((start, end))
    for start, end in bounds:
        lead = _LEAD.match(text, start, end)
        if lead and lead.end() < end:
            start = lead.end()
        while end > start and text[end - 1].isspace():
            end -= 1
        out.append((start, end))
    return out


def _joint_between(
    text: str, left: Sequence[tuple[int, int]], right: Sequence[tuple[int, int]]
) -> tuple[int, int] | None:
    """The last joint between two actions, as (end of the left clause, start of the right one)."""
    trigger = right[0]
    lo = max([e for s, e in left if e <= trigger[0]] or [left[0][1]])
    hi = min([s for s, e in right if s >= lo] or [trigger[0]])
    last = None
    for m in _JOINT.finditer(text, lo, hi):
        last = m
    return (last.start(), last.end()) if last else None
