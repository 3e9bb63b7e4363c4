"""Where the state of actions is kept: append-only, except for the document that follows from the rest."""

from __future__ import annotations

from threading import Lock
from typing import Any, Protocol

from claimx.completion.intent import Intent
from claimx.completion.receipt import AttemptReceipt, Opening
from claimx.completion.verification import CheckRecord


class CompletionStore(Protocol):
    """What an engine needs of persistence. Every method may raise CompletionError; none may lose what it accepted.

    Uniqueness is the store's part: one intent an action, one opening and one receipt an attempt, whoever asks first.
    """

    def put_intent(self, intent: Intent) -> Intent:
        """Keep an intent unless its action is known; return the one that is kept."""
        ...

    def intent(self, action_id: str) -> Intent | None: ...

    def open_attempt(self, opening: Opening) -> bool:
        """Keep that an attempt begins; False when this attempt was opened already."""
        ...

    def openings(self, action_id: str) -> list[Opening]: ...

    def close_attempt(self, receipt: AttemptReceipt) -> bool:
        """Keep the receipt of an attempt; False when it has one already, which stays."""
        ...

    def receipts(self, action_id: str) -> list[AttemptReceipt]:
        """Return the receipts of an action in the order in which they were kept."""
        ...

    def receipt(self, receipt_id: str) -> AttemptReceipt | None: ...

    def add_check(self, check: CheckRecord) -> None: ...

    def checks(self, action_id: str) -> list[CheckRecord]: ...

    def put_document(self, document: dict[str, Any]) -> None:
        """Keep the document of an action unless one of a later revision is kept."""
        ...

    def document(self, action_id: str) -> dict[str, Any] | None: ...

    def due(self, now: float) -> list[str]:
        """Return the ids of the actions whose next read is due, the longest waiting first."""
        ...


class MemoryStore:
    """Keeps everything in this process, for tests and short runs."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._intents: dict[str, Intent] = {}
        self._openings: dict[tuple[str, str, int], Opening] = {}
        self._receipts: dict[tuple[str, str, int], AttemptReceipt] = {}
        self._checks: list[CheckRecord] = []
        self._documents: dict[str, dict[str, Any]] = {}

    def put_intent(self, intent: Intent) -> Intent:
        with self._lock:
            return self._intents.setdefault(intent.action_id, intent)

    def intent(self, action_id: str) -> Intent | None:
        return self._intents.get(action_id)

    def open_attempt(self, opening: Opening) -> bool:
        with self._lock:
            return self._openings.setdefault((opening.action_id, opening.step, opening.attempt), opening) is opening

    def openings(self, action_id: str) -> list[Opening]:
        with self._lock:
            return [o for o in self._openings.values() if o.action_id == action_id]

    def close_attempt(self, receipt: AttemptReceipt) -> bool:
        with self._lock:
            return self._receipts.setdefault((receipt.action_id, receipt.step, receipt.attempt), receipt) is receipt

    def receipts(self, action_id: str) -> list[AttemptReceipt]:
        with self._lock:
            return [r for r in self._receipts.values() if r.action_id == action_id]

    def receipt(self, receipt_id: str) -> AttemptReceipt | None:
        with self._lock:
            return next((r for r in self._receipts.values() if r.receipt_id == receipt_id), None)

    def add_check(self, check: CheckRecord) -> None:
        with self._lock:
            self._checks.append(check)

    def checks(self, action_id: str) -> list[CheckRecord]:
        with self._lock:
            return [c for c in self._checks if c.action_id == action_id]

    def put_document(self, document: dict[str, Any]) -> None:
        with self._lock:
            kept = self._documents.get(document["action_id"])
            if kept is None or kept["revision"] <= document["revision"]:
                self._documents[document["action_id"]] = document

    def document(self, action_id: str) -> dict[str, Any] | None:
        return self._documents.get(action_id)

    def due(self, now: float) -> list[str]:
        with self._lock:
            waiting = [(d["next_check_at"], d["action_id"]) for d in self._documents.values()]
        return [a for at, a in sorted((at, a) for at, a in waiting if at is not None and at <= now)]
