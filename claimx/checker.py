"""The one place that joins extraction, ledger and matching."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Protocol

from claimx.errors import InputError
from claimx.extract.clauses import sentences_of
from claimx.match import Judging, MatchOptions, ToolRule, judge
from claimx.match.assignment import Assignment
from claimx.records import parse_run
from claimx.types import FLAGGED, ClaimStatus, Extraction, JudgedClaim, LedgerEntry, Receipt, Run, Tool

if TYPE_CHECKING:
    from claimx.ledger.keyring import Keyring


class ReadsReplies(Protocol):
    """What a checker needs of an extractor."""

    def extract_full(self, text: str) -> Extraction: ...

    def extract_many(self, texts: Iterable[str]) -> list[Extraction]: ...


class Checker:
    """Checks runs. One checker serves any number of runs and threads.

    `extractor` defaults to the shipped model. With `keys` a run is refused (VerificationError) unless it carries the
    signed rows of its ledger and they verify. The other options are those of `claimx.match.MatchOptions`, one by one or,
    with `options`, all together. Raises InputError on an option that cannot be read.
    """

    def __init__(
        self,
        extractor: ReadsReplies | None = None,
        *,
        ignore_tools: Iterable[str] = (),
        tool_hints: Mapping[str, Iterable[str]] | None = None,
        compare_not: Iterable[str] = (),
        strict_values: bool = False,
        sure: float = 0.7,
        blocking: Iterable[ClaimStatus | str] = FLAGGED,
        result_cap: int | None = None,
        rules: Mapping[str, ToolRule | Mapping[str, Any]] | None = None,
        options: MatchOptions | None = None,
        keys: Keyring | None = None,
    ) -> None:
        if extractor is None:
            from claimx.extract import Extractor

            extractor = Extractor()
        self.extractor = extractor
        self.keys = keys
        self.options = options or MatchOptions.from_dict(
            {
                "ignore_tools": ignore_tools,
                "tool_hints": tool_hints,
                "compare_not": compare_not,
                "strict_values": strict_values,
                "sure": sure,
                "blocking": blocking,
                "result_cap": result_cap,
                "rules": rules,
            }
        )

    def check(self, run: Run | Mapping[str, Any]) -> Receipt:
        """Check one run, given as a Run or in its JSON shape. Raises InputError when the shape is wrong."""
        run = run if isinstance(run, Run) else parse_run(run)
        self.verify(run)
        return judge(self.extractor.extract_full(run.reply), run, options=self.options)

    async def acheck(self, run: Run | Mapping[str, Any]) -> Receipt:
        """Asynchronous twin of `check`; the work runs in a thread."""
        import asyncio  # a tenth of a second that a command has no use for

        return await asyncio.to_thread(self.check, run)

    def check_many(self, runs: Sequence[Run]) -> list[Receipt]:
        """Check runs in order; the extractor reads their replies together."""
        for run in runs:
            self.verify(run)
        extractions = self.extractor.extract_many([r.reply for r in runs])
        return [judge(e, r, options=self.options) for e, r in zip(extractions, runs, strict=True)]

    def verify(self, run: Run) -> None:
        """Raise VerificationError if keys are given and the run's ledger can't be proved with them."""
        if self.keys is not None:
            from claimx.ledger.proof import check_proof

            check_proof(run, self.keys)

    def stream(self, *, ledger: Sequence[LedgerEntry] = (), tools: Sequence[Any] = (), **fields: Any) -> Stream:
        """Start checking a reply that is still being written; see `Stream`."""
        run = Run("", tuple(ledger), tuple(Tool.from_any(t) for t in tools), **fields)
        return Stream(self, run)


#: Characters in front of an open sentence that it is read with.
_CONTEXT = 600
#: What closes a sentence, with the characters that may stand between it and the next one; other text is only kept.
_MAY_CLOSE = re.compile(r"[.!?…][^\w\s]{0,7}\s|\n")
_MARKS = 32


class Stream:
    """A reply that arrives in pieces: feed text, get the claims of each sentence as it closes, finish with the receipt.

    The final receipt is that of the whole reply. Claims given early are read with the sentences just before them, and take
    their calls in the order in which they were told.
    """

    def __init__(self, checker: Checker, run: Run) -> None:
        self.checker = checker
        self.run = run
        self._parts: list[str] = []
        self._context = ""
        self._open = ""
        #: Where in the reply the open text begins.
        self._at = 0
        self._judging: Judging | None = None
        self._used: Assignment | None = None

    @property
    def text(self) -> str:
        """What was fed so far."""
        if len(self._parts) > 1:
            self._parts = ["".join(self._parts)]
        return self._parts[0] if self._parts else ""

    def feed(self, delta: str, *, ledger: Sequence[LedgerEntry] | Run | None = None) -> list[JudgedClaim]:
        """Add text (and the ledger as it now stands); return the judged claims of the sentences that it closed.

        A checker with keys needs the proof as well: give the run that `Ledger.run` makes.
        """
        if isinstance(ledger, Run):
            self.run = replace(self.run, id=ledger.id, ledger=ledger.ledger, extra=ledger.extra)
        elif ledger is not None:
            self.run = replace(self.run, ledger=tuple(ledger))
        if ledger is not None:
            self._judging = None
        self._parts.append(delta)
        self._open += delta
        if not _MAY_CLOSE.search(self._open, max(0, len(self._open) - len(delta) - _MARKS)):
            return []
        sentences = sentences_of(self._open)
        return self._close(sentences[-2][1]) if len(sentences) > 1 else []

    def finish(self) -> Receipt:
        """Return the receipt of the whole reply."""
        return self.checker.check(replace(self.run, reply=self.text))

    def _close(self, end: int) -> list[JudgedClaim]:
        """Judge the claims of the open text up to `end`, and keep the rest open."""
        text, before = self._context + self._open[:end], len(self._context)
        fresh = [a for a in self.checker.extractor.extract_full(text).claims if a.trigger.start >= before]
        if self._judging is None:
            self.checker.verify(self.run)
            self._judging = Judging(self.run, options=self.checker.options, used=self._used)
            self._used = self._judging.used
        judged = self._judging.claims(fresh, reply=text)
        shift = self._at - before
        self._at += end
        self._open = self._open[end:]
        starts = [s for s, _ in sentences_of(text) if len(text) - s <= _CONTEXT]
        self._context = text[starts[0] :] if starts else ""
        return [replace(j, action=j.action.moved(shift)) for j in judged]


_default: Checker | None = None


def _shared() -> Checker:
    """The checker with the shipped model and no options, made once."""
    global _default
    if _default is None:
        _default = Checker()
    return _default


def check(
    reply: str | Run | Mapping[str, Any],
    ledger: Iterable[LedgerEntry | Mapping[str, Any]] = (),
    *,
    tools: Iterable[Any] = (),
    user: str | None = None,
) -> Receipt:
    """Check a reply against the calls of its run with the shipped model.

    `ledger` holds LedgerEntry objects or their JSON shape; `tools` names or definitions of what could have been called.
    A whole run (a Run or its JSON shape, such as `ledger.run(...)` gives) may stand for the reply, without the rest.
    """
    return _shared().check(_run_of(reply, ledger, tools, user))


async def acheck(
    reply: str | Run | Mapping[str, Any],
    ledger: Iterable[LedgerEntry | Mapping[str, Any]] = (),
    *,
    tools: Iterable[Any] = (),
    user: str | None = None,
) -> Receipt:
    """Asynchronous twin of `check`."""
    return await _shared().acheck(_run_of(reply, ledger, tools, user))


def _run_of(
    reply: str | Run | Mapping[str, Any],
    ledger: Iterable[LedgerEntry | Mapping[str, Any]],
    tools: Iterable[Any],
    user: str | None,
) -> Run:
    if isinstance(reply, Run | Mapping):
        if ledger or tools or user is not None:
            raise InputError("a whole run is given beside ledger, tools or user: give one or the other")
        return reply if isinstance(reply, Run) else parse_run(reply)
    entries = [e.to_dict() if isinstance(e, LedgerEntry) else dict(e) for e in ledger]
    listed = [t.to_dict() if isinstance(t, Tool) else t for t in tools]
    return parse_run({"reply": reply, "ledger": entries, "tools": listed, "user": user})
