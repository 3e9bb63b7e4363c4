"""The words for each situation of an action: true, safe to send, and never a success that is not verified."""

from __future__ import annotations

import logging
import string
from collections.abc import Callable, Mapping
from typing import Any

from claimx.completion.contract import Contract, Wording
from claimx.completion.document import Completion
from claimx.completion.telling import one_line, told_fields
from claimx.completion.verification import Finding
from claimx.errors import CompletionError
from claimx.match.results import Outcome
from claimx.types import CompletionState

log = logging.getLogger("claimx.completion")
_PLAIN = Wording()
#: Characters of a reason that may be told.
_MOST_REASON = 300

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


class Words:
    """Makes the words for documents. Raises CompletionError for templates that can't be filled or stand under no name."""

    def __init__(self, contract_of: Callable[[str], Contract], templates: Mapping[str, Template]) -> None:
        self._contract_of = contract_of
        self._templates = dict(templates)
        for name, template in self._templates.items():
            last = name.rpartition(".")[2]
            if last not in TEMPLATES and last not in list(CompletionState):
                known = ", ".join([*TEMPLATES, *(s for s in CompletionState if s not in TEMPLATES)])
                raise CompletionError(
                    f"template {name!r} stands for no situation: expected {known}, or 'operation.' and one of them"
                )
            _check(name, template)

    def of(self, document: Completion) -> str:
        """Return the safe words for one action."""
        operation, now = document.intent.operation, situation(document)
        names = (f"{operation}.{now}", f"{operation}.{document.state}", now, str(document.state))
        template = next((self._templates[n] for n in names if n in self._templates), TEMPLATES[now])
        return self._fill(template, document, now)

    def untrusted(self, document: Completion | None) -> str:
        """Return the words for an action whose records can't be trusted, or can't even be read (None)."""
        template = self._templates.get("untrusted", TEMPLATES["untrusted"])
        if document is not None:
            return self._fill(template, document, "untrusted")
        template = template if isinstance(template, str) else TEMPLATES["untrusted"]
        return template.format_map(_Fields(Thing="This", thing="this", done="done", request="request", reason=""))

    def _fill(self, template: Template, document: Completion, instead: str) -> str:
        if not isinstance(template, str):
            try:
                words = template(document)
            except Exception:
                words = None
                log.exception(
                    "a template failed for action %s: the words that come with claimx stand in", document.action_id
                )
            if isinstance(words, str) and words.strip():
                return words
            if words is not None:
                log.error("a template for action %s gave no words (%.80r)", document.action_id, words)
            template = TEMPLATES[instead]
        w = self._contract_of(document.intent.operation).wording
        target = told_fields(document.intent.target)
        thing = _worded(w.thing, target, _PLAIN.thing)
        fields = {
            "request": _worded(w.request, target, _PLAIN.request),
            "thing": thing,
            "Thing": thing[:1].upper() + thing[1:],
            "done": _worded(w.done, target, _PLAIN.done),
            "reason": f" ({one_line(document.safe_reason, _MOST_REASON)})" if document.safe_reason else "",
        }
        return template.format_map(_Fields({**target, **fields}))


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


def _worded(words: str, target: Mapping[str, str], plain: str) -> str:
    """A contract's words, filled from a target; the plain ones where the target lacks what they name."""
    try:
        return " ".join(words.format_map(target).split())
    except (KeyError, ValueError, IndexError, AttributeError, TypeError):
        return plain


def _check(name: str, template: Template) -> None:
    if callable(template):
        return
    try:
        fields = [f for _, f, _, _ in string.Formatter().parse(template) if f is not None]
    except (ValueError, TypeError) as e:
        raise CompletionError(
            f"template {name!r} cannot be filled ({e}): braces that are none of a field are doubled"
        ) from e
    if wrong := [f for f in fields if not f.isidentifier()]:
        raise CompletionError(f"template {name!r} asks for {{{wrong[0]}}}, which is no name of a field")


class _Fields(dict[str, Any]):
    """A field that a template asks for and nobody has is left as it stands."""

    def __missing__(self, key: str) -> str:
        return "{" + key + "}"
