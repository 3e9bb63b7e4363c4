"""Claims that count: how many events or things they speak of, and whether the calls add up to it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from claimx.match.call import Call
from claimx.match.commands import is_editor
from claimx.match.evidence import Fit
from claimx.match.gist import base_of
from claimx.match.handwork import command_of
from claimx.match.nouns import fold_noun, singular
from claimx.match.view import MONEY_KEY
from claimx.types import Action, Mismatch, SlotType
from claimx.values import Count, parse
from claimx.values.keys import words_of
from claimx.verbs import FAMILIES, READING, TOOL_WORDS, lemma

_ALL = re.compile(
    r"\b(both|all (?:of )?(?:the |your |my )?(?:two|three|four|five|six|seven|eight|nine|ten|\d{1,2}))\b", re.I
)
_MOST = 50
#: Words of a tool's name that tell of many things at once.
_WHOLESALE = frozenset("bulk batch mass all many multi multiple".split())
#: Arguments that name the one thing of a call.
_NAMES_ONE = re.compile(r"(?:^|_)(?:ids?|number|no|code|sku|email|to|recipient|path|file|name|title|url)$|[a-z]Id$")
_THINGS = (SlotType.ID, SlotType.NAME, SlotType.PERSON, SlotType.CONTACT)


def counted(action: Action) -> int | None:
    """Return how many events or things a claim counts, None when it does not."""
    m = _ALL.search(action.text)
    if m:
        value = parse(SlotType.COUNT, m.group(1))
        if isinstance(value, Count):
            return int(value.number)
    for s in action.slots:
        if s.type is not SlotType.COUNT:
            continue
        after = action.text[s.end - action.start :] if s.start >= action.start else ""
        times = re.match(r"\s*times\b", after)
        if action.object is None and not times:
            continue
        gap = action.object.start - s.end if action.object else 99
        value = parse(SlotType.COUNT, s.text)
        if isinstance(value, Count) and value.number == int(value.number) and (0 <= gap <= 25 or times):
            return int(value.number)
    return None


def short_count(action: Action, fits: Sequence[Fit], related: Sequence[Fit], calls: Sequence[Call]) -> Mismatch | None:
    """A claim that counts more events than calls of its tool worked, where each call can carry but one.

    `fits` are those of its tool, `related` those of other tools, too, whose arguments may name some of the things; `calls` are
    all of the run, one of which may have counted them.
    """
    n = counted(action)
    if (
        n is None
        or not 2 <= n <= _MOST
        or action.verb in READING
        or action.verb in {"run", "do"}
        or action.verb not in FAMILIES
    ):
        return None
    took = {f.call.id for f in fits}
    if len(took) >= n or any(t is not None and t[0] == n for t in (_tally(c, action, n) for c in calls)):
        return None
    tallies = [_tally(f.call, action, n) for f in fits]
    counts = [t for t in tallies if t is not None]
    total = sum(t[0] for t in counts)
    if counts and (len(took) == 1 or (len(counts) == len(tallies) and total != n)):
        last = counts[-1] if len(took) > 1 else counts[0]
        sum_ = " + ".join(str(t[0]) for t in counts)
        return Mismatch("COUNT", _told(action, n), total, last[1], f"{sum_} is not {n}")
    gone = None if counts else _gone_since(action, [f.call for f in fits], calls)
    if gone is not None and gone[0] != n:
        return Mismatch("COUNT", _told(action, n), *gone, f"{gone[0]} fewer are counted after it than before it")
    if any(_takes_many(f.call) or _lists(f.call, n) for f in fits):
        return None
    if sum(_named_in(action, f) for f in related) >= n:
        return None
    for f in fits:
        view = f.call.view
        if any(s.size == n for s in view.sizes) or any(_is_number(leaf.value, n) for leaf in view.leaves):
            return None
        if re.search(rf"(?<![\w.]){n}(?![\w.]*\d)", view.text):
            return None
        near = [s.size for s in view.sizes if s.depth <= 2]
        if any(s > 1 for s in near) and not any(s < n for s in near):
            return None
        if "\n" in view.text and len(view.text) > 400:
            return None
    sizes = [s for f in fits for s in f.call.view.sizes if s.depth <= 2 and s.size]
    covered = max([s.size for s in sizes], default=0)
    if sum(s.size for s in sizes) == n or covered >= n:
        return None
    recorded, first = max(covered, len(took)), min(took)
    why = f"{recorded} of {n} {'is' if recorded == 1 else 'are'} recorded, in {first}"
    return Mismatch("COUNT", _told(action, n), recorded, first, why)


def _told(action: Action, n: int) -> str:
    """The words in which a claim counts."""
    m = _ALL.search(action.text)
    return next((s.text for s in action.slots if s.type is SlotType.COUNT), m.group(1) if m else str(n))


def _lists(call: Call, n: int) -> bool:
    """Whether one argument lists so many things in a text: names or addresses between commas, of a few words each."""
    texts = (x.value for x in call.view.args if isinstance(x.value, str) and len(x.value) < 2000)
    parts = ([p for p in re.split(r"[,;]", t) if p.strip()] for t in texts if not t.rstrip().endswith((".", "!", "?")))
    return any(len(p) == n and all(len(x.split()) <= 3 for x in p) for p in parts)


#: What runs a command once for each of many things, or several commands after each other.
_TAKES_MANY = re.compile(r"\*|\bxargs\b|\b(?:for|while|find|parallel)\b|&&|[;|\n]|\{[^{}]*,[^{}]*\}|\$\(")


def _takes_many(call: Call) -> bool:
    """Whether one call may carry many events: its name speaks of several things, and no argument names one of them."""
    if call.deeds and not is_editor(call.tool):
        return _TAKES_MANY.search(command_of(call)) is not None
    words = words_of(call.tool)
    if _WHOLESALE.isdisjoint(words) and not any(w != singular(w) and fold_noun(w) in call.shape.nouns for w in words):
        return False
    return not any(_NAMES_ONE.search(x.key) for x in call.view.args)


def _tally(call: Call, action: Action, n: int) -> tuple[int, str] | None:
    """What a call's result counts of what the claim counts, with its path: under a field that speaks of it, or as what is gone
    since before. The claim's own number where that is among them."""
    if call.result.failed:
        return None
    numbers = [(x, words_of(x.key)) for x in call.view.results if type(x.value) is int]
    did = base_of(action)
    things = {singular(w.lower()) for w in action.object.text.split()} if action.object is not None else set()
    found = [(x.value, x.path) for x, words in numbers if _counts_deed(words, did, action.verb)]
    found += [(x.value, x.path) for x, words in numbers if x.value == n and not things.isdisjoint(map(singular, words))]
    before = [x for x, words in numbers if "before" in words]
    found += [(abs(b.value - x.value), x.path) for b in before for x, words in numbers if "after" in words]
    return next((f for f in found if f[0] == n), found[0] if len(found) == 1 else None)


def _gone_since(action: Action, took: Sequence[Call], calls: Sequence[Call]) -> tuple[int, str] | None:
    """How many fewer things one look-up counts after the calls of a removal than before them, with the path of the later count.

    None where anything else was changed in between.
    """
    if action.verb != "delete" or action.object is None or not took:
        return None
    first, last = min(c.index for c in took), max(c.index for c in took)
    things = {singular(w.lower()) for w in action.object.text.split()}
    known = {c.id for c in took}
    for after in (c for c in calls[last + 1 :] if c.reads and not c.result.failed):
        before = next(
            (c for c in reversed(calls[:first]) if c.tool == after.tool and c.entry.args == after.entry.args), None
        )
        if before is None or before.result.failed:
            continue
        between = calls[before.index + 1 : after.index]
        if any(not c.reads and not c.result.failed and c.id not in known for c in between):
            return None
        had = {x.path.partition(".")[2]: x.value for x in before.view.results if type(x.value) is int}
        for x in after.view.results:
            was = had.get(x.path.partition(".")[2])
            if type(x.value) is int and was is not None and not things.isdisjoint(map(singular, words_of(x.key))):
                return (was - x.value, x.path) if was >= x.value else None
    return None


def _counts_deed(words: Sequence[str], did: str, verb: str) -> bool:
    """Whether a field counts what was done: `removed` and `rows_deleted` of what was removed, not `removed_at`."""
    if not _NO_COUNT.isdisjoint(words):
        return False
    deeds = [lemma(w) for w in words]
    return did in deeds or any(w != d and TOOL_WORDS.get(d) == verb for w, d in zip(words, deeds, strict=True))


def counts_none(action: Action, call: Call) -> str | None:
    """The path at which a result counts none of what a claim says was done: `credited: 0`, and no amount beside it."""
    did = base_of(action)
    if call.reads or action.verb in READING:
        return None
    near = [x for x in call.view.results if x.depth <= 1 and type(x.value) in (int, float)]
    if any(x.value > 0 and (MONEY_KEY.search(x.key) or "count" in x.key.lower()) for x in near):
        return None
    # `moved_to: 0` is a place, and no count: the field is called after the deed alone.
    counts = [x for x in near if (w := words_of(x.key)) and len(w) == 1 and w[0] != did and lemma(w[0]) == did]
    return counts[0].path if counts and not any(x.value > 0 for x in counts) else None


_NO_COUNT = frozenset("at on by time timestamp ts id ids ms seconds version before after total max limit".split())


def told_as_all(action: Action, call: Call) -> Mismatch | None:
    """A number told as done that counts what a batch left over as well: six told, four done and two failed."""
    left_at = call.result.partial
    if not left_at:
        return None
    if call.result.failed_items:
        return _told_with_failed(action, call)
    sizes = {s.path: s.size for s in call.view.sizes if s.path.startswith(f"{call.id}.result")}
    sizes |= {x.path: x.value for x in call.view.results if type(x.value) is int and x.value >= 0}
    left = sizes.get(left_at, 0)
    beside = {p: n for p, n in sizes.items() if p != left_at and p.rpartition(".")[0] == left_at.rpartition(".")[0]}
    for slot in action.slots:
        value = parse(SlotType.COUNT, slot.text) if slot.type is SlotType.COUNT else None
        if not isinstance(value, Count):
            continue
        path = next((p for p, n in beside.items() if left and n + left == value.number), None)
        told = {v.number for s in action.slots if isinstance(v := parse(s.type, s.text), Count)}
        part = _OF.search(action.text[: max(0, slot.start - action.start)]) or not told.isdisjoint(beside.values())
        if path is not None and not part and value.number not in beside.values():
            return Mismatch("COUNT", slot.text, beside[path], path, f"{left} were left over at {left_at}")
    return None


def _told_with_failed(action: Action, call: Call) -> Mismatch | None:
    """A number told as done in which those are counted that failed."""
    result = call.result
    total = next((s.size for s in call.view.sizes if s.path == result.path), 0)
    done = total - len(result.failed_items)
    for slot in action.slots:
        value = parse(SlotType.COUNT, slot.text) if slot.type is SlotType.COUNT else None
        part = _OF.search(action.text[: max(0, slot.start - action.start)])
        if isinstance(value, Count) and value.number == total and not part:
            return Mismatch("COUNT", slot.text, done, result.path, f"{len(result.failed_items)} of {total} failed")
    return None


#: What stands before the number of which a part was done: "four of the six".
_OF = re.compile(r"\b(?:of|out of)\s+(?:the|your|all|these|those)?\s*[*_`]*$", re.I)


def _named_in(action: Action, fit: Fit) -> int:
    """How many of the things that a claim names one field of a call's arguments holds."""
    by_field: dict[str, set[str]] = {}
    for i, path in fit.agreement.held.items():
        if ".args" in path and action.slots[i].type in _THINGS:
            by_field.setdefault(re.sub(r"\[\d+\].*", "", path), set()).add(action.slots[i].text)
    return max(map(len, by_field.values()), default=0)


def _is_number(value: object, n: int) -> bool:
    return (isinstance(value, int | float) and not isinstance(value, bool) and value == n) or (
        isinstance(value, str) and value.strip() == str(n)
    )
