"""The gate in front of the user: words of success pass only when the state is verified; otherwise safe words stand in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from claimx.completion.completions import Completions
from claimx.completion.document import Completion
from claimx.completion.entries import entries_of, with_states
from claimx.completion.telling import told_fields
from claimx.completion.wording import Template, Words
from claimx.errors import CompletionError
from claimx.types import ClaimStatus, CompletionState, LedgerEntry, Receipt, Verdict


@dataclass(frozen=True, slots=True)
class Part:
    """What may be said of one action of a reply. `passed` tells whether success may be told, `reason` (for operators) why
    it stands so; `document` is None where the action's records can't be read or trusted."""

    action_id: str
    passed: bool
    words: str
    reason: str
    document: Completion | None = None

    def to_dict(self) -> dict[str, Any]:
        return {
            "action_id": self.action_id,
            "passed": self.passed,
            "state": str(self.document.state) if self.document is not None else None,
            "words": self.words,
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True)
class Gated:
    """What may be sent. `passed` tells whether the draft may stand, `withheld` why not; `receipts` are the ids of the
    receipts that success rests on, `documents` the state that everything else must show, too, `parts` what may be said of
    each action."""

    text: str
    passed: bool
    withheld: str = ""
    receipts: tuple[str, ...] = ()
    documents: tuple[Completion, ...] = ()
    parts: tuple[Part, ...] = ()

    @property
    def unsupported(self) -> tuple[str, ...]:
        """The ids of the actions of which success may not be told."""
        return tuple(p.action_id for p in self.parts if not p.passed)

    def to_dict(self) -> dict[str, Any]:
        return {
            "text": self.text,
            "passed": self.passed,
            "withheld": self.withheld,
            "receipts": list(self.receipts),
            "documents": [d.to_dict() for d in self.documents],
            "parts": [p.to_dict() for p in self.parts],
        }


class HasActionId(Protocol):
    """Something with an action's id: `Work`, `Completion`, `Intent`."""

    @property
    def action_id(self) -> str: ...


Named = str | HasActionId


class Gate:
    """Decides what a user is told of actions, from the store alone: nothing that a caller or a model brings counts.

    `templates` overrides `TEMPLATES`, by operation and situation (`close_ticket.accepted`), operation and state
    (`close_ticket.unverified`), situation or state. Words that would be the same for several actions are told apart by
    their targets. `allow` may let a draft stand although not all is verified, where it is known to say so: it gets the
    draft and the documents. It is never asked when a receipt cannot be trusted.

    `check` reads the draft, so that it can't tell of more than the actions that it is given for: `claimx.check`, or
    anything that takes a reply and a ledger and returns a receipt. Every claim must be confirmed, also one that no known
    tool fits; a language that it can't read is let through. Without it a draft is taken to tell of these actions
    and of nothing else.
    """

    def __init__(
        self,
        completions: Completions,
        *,
        templates: Mapping[str, Template] | None = None,
        allow: Callable[[str, tuple[Completion, ...]], bool] | None = None,
        check: Callable[[str, list[LedgerEntry]], Receipt] | None = None,
    ) -> None:
        self.completions = completions
        self._words = Words(completions.contract, templates or {})
        self.allow = allow
        self.check = check

    def reply(
        self,
        actions: Named | Iterable[Named],
        draft: str = "",
        *,
        receipts: str | Iterable[str] | None = None,
        ledger: Iterable[LedgerEntry] = (),
    ) -> Gated:
        """Return the draft when every action that it tells of is verified on receipts of its own, else safe words for each.

        `actions` are the actions (or their ids) that the draft tells of. `receipts` are the ids that the draft or its
        caller claims to rest on: each must have been issued for one of the actions. `ledger` holds the run's other calls,
        for `check`. Without a draft, verified actions get safe words, too. Raises CompletionError when no action is named.
        """
        ids = _ids_of(actions)
        if not isinstance(draft, str | None):
            raise CompletionError(f"a draft is the text of a reply, not {type(draft).__name__}")
        draft = draft or ""
        draft = draft if any(c.isalnum() for c in draft) else ""  # what says nothing is no draft
        receipts = [receipts] if isinstance(receipts, str) else receipts
        parts = _told_apart([self._part(a) for a in ids])
        found = tuple(p.document for p in parts if p.document is not None)
        own = {r.receipt_id: d.action_id for d in found for r in d.receipts}
        forged = [r for r in receipts if r not in own] if receipts is not None else []
        if forged:
            why = f"receipt {forged[0]!r} was not issued for {', '.join(ids)}"
            parts = [replace(p, passed=False, words=self._words.untrusted(p.document), reason=why) for p in parts]
        safe = " ".join(dict.fromkeys(p.words for p in parts))
        kept = tuple(parts)
        open_ = [p for p in parts if not p.passed]
        trusted = tuple(own) if not forged and len(found) == len(parts) else ()
        why = "; ".join(dict.fromkeys(p.reason for p in open_))
        if open_:
            allowed = bool(trusted or not own) and not forged and len(found) == len(parts)
            if draft and allowed and self.allow is not None and self.allow(draft, found):
                return Gated(draft, True, why, trusted, found, kept)
            return Gated(safe, False, why, trusted, found, kept)
        why = self._overstated(draft, found, ledger) if draft else ""
        if why:
            return Gated(safe, False, why, trusted, found, kept)
        return Gated(draft or safe, True, "", trusted, found, kept)

    def _part(self, action_id: str) -> Part:
        document = None
        try:
            document = self.completions.document(action_id)
            if document.state is CompletionState.VERIFIED and not document.receipts:
                raise CompletionError(f"{action_id} is verified and has no receipt")
            for r in document.receipts:
                self.completions.trusted(action_id, r.receipt_id)
        except CompletionError as e:
            return Part(action_id, False, self._words.untrusted(document), str(e))
        passed = document.state is CompletionState.VERIFIED
        reason = f"{action_id} is {document.state}: {document.reason}"
        return Part(action_id, passed, self.words(document), reason, document)

    def _overstated(self, draft: str, documents: tuple[Completion, ...], ledger: Iterable[LedgerEntry]) -> str:
        """Why a draft tells of more than its actions, empty where it doesn't or nothing reads it."""
        if self.check is None:
            return ""
        given = with_states(ledger, documents)
        known = {e.id for e in given}
        entries = [*given, *(e for d in documents for e in entries_of(d) if e.id not in known)]
        receipt = self.check(draft, entries)
        more = [c for c in receipt.claims if c.status is not ClaimStatus.CONFIRMED]
        if not more and receipt.verdict in (Verdict.OK, Verdict.UNCHECKED):
            return ""
        said = "; ".join(f"{c.action.text!r}: {c.reason or c.status}" for c in more) or receipt.summary
        return f"the draft tells of more than its actions: {said}"

    def words(self, document: Completion) -> str:
        """Return the safe words for one action."""
        return self._words.of(document)


def _ids_of(actions: Any) -> list[str]:
    """The ids of what a caller named, each once. Raises CompletionError for anything that names no action."""
    one = isinstance(actions, str) or hasattr(actions, "action_id")
    try:
        given = [actions] if one else list(actions)
    except TypeError:
        given = []
    ids = [a if isinstance(a, str) else getattr(a, "action_id", None) for a in given]
    wrong = next((g for g, i in zip(given, ids, strict=True) if not isinstance(i, str) or not i), _NOTHING)
    if not ids or wrong is not _NOTHING:
        got = actions if wrong is _NOTHING else wrong
        raise CompletionError(
            f"no action is named ({got!r:.80}): give the id of the action that the reply tells of (Work.action_id), or "
            "several; what rests on no action is not for this gate"
        )
    return list(dict.fromkeys(i for i in ids if isinstance(i, str)))


_NOTHING: Any = object()


def _told_apart(parts: list[Part]) -> list[Part]:
    """Name the target before words that would be the same for several actions."""
    times = Counter(p.words for p in parts)
    out = []
    for p in parts:
        target = told_fields(p.document.intent.target) if p.document is not None else {}
        label = ", ".join(f"{k} {v}" for k, v in target.items()) or p.action_id
        out.append(replace(p, words=f"{label}: {p.words}") if times[p.words] > 1 else p)
    return out
