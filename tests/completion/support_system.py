"""A made-up support system: the authority over its tickets, with a copy that lags and faults to be injected."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from claimx.completion import Check, Contract, Reading, Subject, Wording


class Clock:
    """A clock that only sleeping moves; what is planned happens when its time comes."""

    def __init__(self) -> None:
        self.now = 1_786_000_000.0
        self.slept: list[float] = []
        self._plans: list[tuple[float, Callable[[], object]]] = []

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        end = self.now + seconds
        for at, act in sorted(self._plans, key=lambda p: p[0]):
            if at <= end:
                self.now = max(self.now, at)
                self._plans.remove((at, act))
                act()
        self.now = end

    async def asleep(self, seconds: float) -> None:
        self.sleep(seconds)

    def plan(self, seconds: float, act: Callable[[], object]) -> None:
        self._plans.append((self.now + seconds, act))


class Support:
    """Tickets with notes and versions. `fault` is what goes wrong in the next write:

    silent      it reports success and changes nothing
    cut_after   it commits, then the answer is lost
    cut_before  the answer is lost before it commits
    slow        it is accepted and shows two seconds later
    throttled   it is turned away
    rejected    it is refused by a rule of the business
    """

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.tickets: dict[str, dict[str, Any]] = {"T-1842": {"status": "open", "notes": [], "version": 7}}
        self.copy = deepcopy(self.tickets)
        self.writes: list[tuple[str, str | None]] = []
        self.reads = 0
        self.fault = ""
        self.read_fault = ""
        self.keys: set[str] = set()

    def _write(self, name: str, ticket_id: str, key: str | None, change: Callable[[dict[str, Any]], None]) -> Any:
        fault, self.fault = self.fault, ""
        self.writes.append((name, key))
        self.clock.now += 0.5

        def commit() -> None:
            if key not in self.keys:
                ticket = self.tickets[ticket_id]
                change(ticket)
                ticket["version"] += 1
                self.keys.add(key or "")

        match fault:
            case "silent":
                return {"success": True}
            case "cut_after":
                commit()
                raise TimeoutError("read timed out")
            case "cut_before":
                raise TimeoutError("read timed out")
            case "throttled":
                return {"error": "429 too many requests"}
            case "rejected":
                return {"error": "not allowed: the ticket is under review"}
            case "slow":
                self.clock.plan(2.0, commit)
                return {"status": "accepted", "operation_id": "op-5"}
        commit()
        return {"success": True, "operation_id": f"op-{len(self.writes)}"}

    def add_note(self, ticket_id: str, note_id: str, idempotency_key: str | None = None) -> Any:
        return self._write("add_note", ticket_id, idempotency_key, lambda t: t["notes"].append(note_id))

    def close_ticket(self, ticket_id: str, idempotency_key: str | None = None) -> Any:
        return self._write("close_ticket", ticket_id, idempotency_key, lambda t: t.update(status="closed"))

    async def aclose_ticket(self, ticket_id: str, idempotency_key: str | None = None) -> Any:
        return self.close_ticket(ticket_id, idempotency_key)

    def apply_rules(self) -> None:
        """A ticket without a resolution note does not stay closed."""
        for ticket in self.tickets.values():
            if ticket["status"] == "closed" and not ticket["notes"]:
                ticket.update(status="open", version=ticket["version"] + 1)

    def read(self, ticket_id: str) -> tuple[dict[str, Any], Reading]:
        self.reads += 1
        if self.read_fault:
            raise ConnectionError(self.read_fault)
        ticket = self.tickets[ticket_id]
        return ticket, Reading(version=ticket["version"], as_of=self.clock.now, consistent=True, source="tickets")

    def read_copy(self, ticket_id: str) -> tuple[dict[str, Any], Reading]:
        self.reads += 1
        ticket = self.copy[ticket_id]
        return ticket, Reading(version=ticket["version"], source="copy")

    def version(self, intent: Any) -> int:
        return int(self.tickets[intent.target["ticket_id"]]["version"])


WORDING = Wording(request="close request", thing="the ticket", done="closed")


def is_closed(read: Callable[[str], tuple[dict[str, Any], Reading]]) -> Callable[[Subject], Check]:
    """A verifier of one write: the ticket is closed."""

    def verify(subject: Subject) -> Check:
        ticket, reading = read(subject.target["ticket_id"])
        if ticket["status"] == "closed":
            return Check.holds(reading, "the ticket is closed")
        if reading.version == subject.before and any(r.outcome.kind == "unknown" for r in subject.receipts):
            return Check.absent("the ticket was not touched", reading)
        return Check.not_yet("the ticket is open", reading)

    return verify


def closing(support: Support, **options: Any) -> Contract:
    """The contract of closing a ticket."""
    settings: dict[str, Any] = {
        "postcondition": "ticket.status == closed",
        "verify": is_closed(support.read),
        "observe": support.version,
        "wording": WORDING,
    }
    return Contract("support.close_ticket", **{**settings, **options})
