"""The gate in front of the user: words of success pass only when the state is verified; otherwise safe words stand in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from claimx.completion.completions import Completions
from claimx.completion.contract import Wording
from claimx.completion.document import Completion
from claimx.completion.verification import Finding
from claimx.errors import CompletionError
from claimx.match.results import Outcome
from claimx.types import CompletionState

#: Makes the words for a document; a string is filled with {request} {thing} {Thing} {done} {reason} and the target's fields.
Template = str | Callable[[Completion], str]

TEMPLATES: dict[str, str] = {
    "verified": "{Thing} is {done}.",
    "accepted": "The {request} was accepted, but {thing} is not yet confirmed {done}. Verification is still running.",
    "unknown": "The {request} was sent, but whether {thing} is {done} is not known yet. Please do not send it again: "
    "verification is still running.",
    "unavailable": "The {request} was accepted, but whether {thing} is {done} cannot be checked at the moment. "
    "Please do not send it again.",
    "overdue": "The {request} was sent, but {thing} could not be confirmed {done} in time. A person will look into it; "
    "please do not send it again.",
    "incomplete": "The {request} is not finished: {thing} is not confirmed {done}. Please do not send it again.",
    "failed": "The {request} did not succeed{reason}: {thing} is not {done} as asked.",
    "not_executed": "The {request} was not carried out.",
    "untrusted": "{Thing} cannot be confirmed {done}.",
}


@dataclass(frozen=True, slots=True)
class Gated:
    """What may be sent. `passed` tells whether the draft may stand, `withheld` why not; `receipts` are the ids of the
    receipts that success rests on, `documents` the state that everything else must show, too."""

    text: str
    passed: bool
    withheld: str = ""
    receipts: tuple[str, ...] = ()
    documents: tuple[Completion, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        return {
            "text": self.text,
            "passed": self.passed,
            "withheld": self.withheld,
            "receipts": list(self.receipts),
            "documents": [d.to_dict() for d in self.documents],
        }


class Gate:
    """Decides what a user is told of actions, from the store alone: nothing that a caller or a model brings counts.

    `templates` overrides `TEMPLATES`, by situation (`accepted`), operation and state (`close_ticket.unverified`), or
    state. `allow` may let a draft stand although not all is verified, where it is known to say so: it gets the draft
    and the documents. It is never asked when a receipt cannot be trusted.
    """

    def __init__(
        self,
        completions: Completions,
        *,
        templates: Mapping[str, Template] | None = None,
        allow: Callable[[str, tuple[Completion, ...]], bool] | None = None,
    ) -> None:
        self.completions = completions
        self.templates: dict[str, Template] = {**TEMPLATES, **(templates or {})}
        self.allow = allow

    def reply(
        self, action_ids: str | Iterable[str], draft: str = "", *, receipts: Iterable[str] | None = None
    ) -> Gated:
        """Return the draft when every action is verified on receipts of its own, else safe words for each of them.

        `receipts` are the ids that the draft or its caller claims to rest on: each must have been issued for one of the
        actions. Without a draft, verified actions get safe words, too.
        """
        ids = [action_ids] if isinstance(action_ids, str) else list(action_ids)
        if not ids:
            raise ValueError("no action is named: what rests on no action is not for this gate")
        documents: list[Completion] = []
        try:
            documents += [self.completions.document(a) for a in ids]
            trusted = self._trusted(documents, receipts)
        except CompletionError as e:
            words = [self._fill("untrusted", d) for d in documents] or [
                TEMPLATES["untrusted"].format(Thing="This", done="done")
            ]
            return Gated(" ".join(dict.fromkeys(words)), False, str(e), (), tuple(documents))
        found = tuple(documents)
        safe = " ".join(self.words(d) for d in found)
        open_ = [d for d in found if d.state is not CompletionState.VERIFIED]
        if not open_:
            return Gated(draft or safe, True, "", trusted, found)
        why = "; ".join(f"{d.action_id} is {d.state}: {d.reason}" for d in open_)
        if draft and self.allow is not None and self.allow(draft, found):
            return Gated(draft, True, why, trusted, found)
        return Gated(safe, False, why, trusted, found)

    def words(self, document: Completion) -> str:
        """Return the safe words for one action."""
        keys = (
            f"{document.intent.operation}.{situation(document)}",
            f"{document.intent.operation}.{document.state}",
            situation(document),
        )
        return self._fill(next((k for k in keys if k in self.templates), situation(document)), document)

    def _fill(self, key: str, document: Completion) -> str:
        template = self.templates[key]
        if not isinstance(template, str):
            return template(document)
        w = self._wording(document)
        thing = w.thing.format_map(_Fields(document.intent.target))
        told = f" ({document.safe_reason})" if document.safe_reason else ""
        fields = {
            "request": w.request,
            "thing": thing,
            "Thing": thing[:1].upper() + thing[1:],
            "done": w.done,
            "reason": told,
        }
        return template.format_map(_Fields({**document.intent.target, **fields}))

    def _wording(self, document: Completion) -> Wording:
        return self.completions.contract(document.intent.operation).wording

    def _trusted(self, documents: list[Completion], claimed: Iterable[str] | None) -> tuple[str, ...]:
        """The receipts that were issued for the actions. Raises CompletionError for a claimed one that was not."""
        own = {r.receipt_id: d.action_id for d in documents for r in d.receipts}
        for d in documents:
            if d.state is CompletionState.VERIFIED and not d.receipts:
                raise CompletionError(f"{d.action_id} is verified and has no receipt")
        for receipt_id, action_id in own.items():
            self.completions.trusted(action_id, receipt_id)
        for receipt_id in claimed if claimed is not None else ():
            if receipt_id not in own:
                raise CompletionError(
                    f"receipt {receipt_id!r} was not issued for {', '.join(d.action_id for d in documents)}"
                )
        return tuple(own)


def situation(document: Completion) -> str:
    """Return the key of the template that tells how an action stands."""
    if document.state is CompletionState.VERIFIED:
        return "verified"
    if document.state is CompletionState.FAILED:
        return "failed" if document.receipts else "not_executed"
    kinds = {r.outcome.kind for r in document.receipts}
    if document.receipts and {r.step for r in document.receipts} != set(document.intent.steps):
        return "incomplete"
    if document.escalated:
        return "overdue"
    if Outcome.UNKNOWN in kinds or not kinds:
        return "unknown"
    last = document.last_check
    if last is None and document.next_check_at is None:
        return "unavailable"
    return "unavailable" if last is not None and last.finding is Finding.UNAVAILABLE else "accepted"


class _Fields(dict[str, Any]):
    """A field that a template asks for and nobody has is left as it stands."""

    def __missing__(self, key: str) -> str:
        return "{" + key + "}"
