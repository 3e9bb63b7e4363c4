"""The chain over what an SQLite file keeps of actions: each record is linked to the one before, so that none is changed,
removed or slipped in unnoticed."""

from __future__ import annotations

import hashlib
import hmac
import json
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from claimx.errors import CompletionError

#: Where each kind of record stands, what names it in its action, and how it is found again.
_TABLES = {
    "intent": ("intents", "action_id", "t.action_id = j.record"),
    "opening": ("openings", "step || '#' || attempt", "t.step || '#' || t.attempt = j.record"),
    "receipt": ("receipts", "receipt_id", "t.receipt_id = j.record"),
    "check": ("checks", "CAST(number AS TEXT)", "t.number = CAST(j.record AS INTEGER)"),
}
# All of these queries are made of the constants above.
_BODY = " ".join(
    f"WHEN '{kind}' THEN (SELECT body FROM {table} t WHERE t.action_id = j.action_id AND {found})"  # noqa: S608
    for kind, (table, _, found) in _TABLES.items()
)
_LINKS = (
    f"SELECT j.number, j.action_id, j.kind, j.record, j.previous, j.digest, CASE j.kind {_BODY} END, p.digest "  # noqa: S608
    "FROM journal j LEFT JOIN journal p ON p.number = j.number - 1"
)
_KEPT = " UNION ALL ".join(
    f"SELECT '{kind}', {name} FROM {table} WHERE action_id = ?"  # noqa: S608
    for kind, (table, name, _) in _TABLES.items()
)
_ACTIONS = " UNION ".join(f"SELECT action_id FROM {table}" for table, _, _ in _TABLES.values())  # noqa: S608
#: number, action, kind, record, previous, digest, and what they lead to: the record's body and the digest before.
_Link = tuple[int, str, str, str, str, str, str | None, str | None]


@dataclass(frozen=True, slots=True)
class Verified:
    """The outcome of verifying a whole file. `head` is the digest of its last record, to be kept elsewhere: no chain shows
    by itself that its end was cut off. `faults` names every record that is not what was written."""

    records: int
    head: str | None
    faults: tuple[str, ...] = ()

    @property
    def ok(self) -> bool:
        return not self.faults


class Journal:
    """Links records and checks their links; `key` makes the digests HMACs, which who can only write the file can't forge."""

    def __init__(self, path: str, key: bytes | None = None) -> None:
        self.path = path
        self.key = key

    def add(self, db: sqlite3.Connection, action_id: str, kind: str, record: str, body: str) -> None:
        """Link a record that was just kept, in the transaction that keeps it."""
        last = db.execute("SELECT number, digest FROM journal ORDER BY number DESC LIMIT 1").fetchone()
        number, previous = (last[0] + 1, last[1]) if last else (1, "")
        digest = self._digest(number, action_id, kind, record, previous, body)
        values = (number, action_id, kind, record, previous, digest)
        db.execute("INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?)", values)

    def adopt(self, db: sqlite3.Connection) -> None:
        """Link what a file of an earlier version holds, as it is."""
        for kind, (table, name, _) in _TABLES.items():
            rows = db.execute(f"SELECT action_id, {name}, body FROM {table} ORDER BY rowid").fetchall()  # noqa: S608
            for action_id, record, body in rows:
                self.add(db, action_id, kind, record, body)

    def check_key(self, db: sqlite3.Connection) -> None:
        """Raise CompletionError when the file is kept with a key and none was given, or the other way round."""
        found = db.execute("SELECT digest FROM journal ORDER BY number DESC LIMIT 1").fetchone()
        is_keyed = found is not None and str(found[0]).startswith("hmac-")
        if found is not None and is_keyed != (self.key is not None):
            kept, do = ("with a key", "open it with that key") if is_keyed else ("without a key", "open it without one")
            raise CompletionError(f"{self.path}: its records are chained {kept}: {do}")

    def bodies(self, db: sqlite3.Connection, action_id: str) -> list[tuple[str, str, str]]:
        """Return kind, name and body of an action's records in the order in which they were kept. Raises CompletionError
        that names the first one that is not what was written."""
        rows = db.execute(f"{_LINKS} WHERE j.action_id = ? ORDER BY j.number", (action_id,)).fetchall()
        fault = next(self._faults(rows), None) or next(self._unlinked(db, action_id, rows), None)
        if fault is None:
            known = db.execute("SELECT revision FROM documents WHERE action_id = ?", (action_id,)).fetchone()
            counted = sum(kind != "intent" for _, _, kind, *_ in rows)
            if known is not None and known[0] > counted:
                fault = f"of {known[0]} records of action {action_id} {counted} are left: the others were removed"
        if fault is not None:
            raise CompletionError(
                f"{self.path}: {fault}. Nothing of action {action_id} may be told as done or written again: restore the "
                "file from a backup, or settle the action by hand; other actions stay readable"
            )
        return [(kind, record, body) for _, _, kind, record, _, _, body, _ in rows]

    def verify(self, db: sqlite3.Connection, head: str | None = None) -> Verified:
        """Verify every record of the file."""
        rows = db.execute(f"{_LINKS} ORDER BY j.number").fetchall()
        faults = list(self._faults(rows))
        mine: dict[str, list[_Link]] = {}
        for row in rows:
            mine.setdefault(row[1], []).append(row)
        for action_id in [r[0] for r in db.execute(_ACTIONS)]:
            faults += self._unlinked(db, action_id, mine.get(action_id, []))
        for action_id, revision in db.execute("SELECT action_id, revision FROM documents").fetchall():
            counted = sum(r[2] != "intent" for r in mine.get(action_id, ()))
            if revision > counted:
                faults.append(
                    f"of {revision} records of action {action_id} {counted} are left: the others were removed"
                )
        if head is not None and head not in {r[5] for r in rows}:
            faults.append(f"the record with digest {head} is not in the file")
        return Verified(len(rows), rows[-1][5] if rows else None, tuple(dict.fromkeys(faults)))

    def _faults(self, rows: Iterable[_Link]) -> Iterator[str]:
        for number, action_id, kind, record, previous, digest, body, before in rows:
            name = f"{_named(kind, record)} of action {action_id} (record {number})"
            if body is None:
                yield f"{name} was removed"
            elif not hmac.compare_digest(self._digest(number, action_id, kind, record, previous, body), digest):
                yield f"{name} was altered"
            elif (before or "") != previous or (before is None and number > 1):
                yield f"the record before {name} was removed or altered"

    def _unlinked(self, db: sqlite3.Connection, action_id: str, rows: Iterable[_Link]) -> Iterator[str]:
        linked = {(r[2], r[3]) for r in rows}
        for kind, record in db.execute(_KEPT, (action_id,) * len(_TABLES)):
            if (kind, record) not in linked:
                yield f"{_named(kind, record)} of action {action_id} was not written by this store"

    def _digest(self, *parts: object) -> str:
        data = json.dumps(parts, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")
        if self.key is not None:
            return "hmac-sha256:" + hmac.digest(self.key, data, "sha256").hex()
        return "sha256:" + hashlib.sha256(data).hexdigest()


def _named(kind: str, record: str) -> str:
    return "the intent" if kind == "intent" else f"{kind} {record}"
