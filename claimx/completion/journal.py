"""The chain over what an SQLite file keeps of actions: each record is linked to the one before, so that none is changed,
removed or slipped in unnoticed."""

from __future__ import annotations

import hashlib
import hmac
import json
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from claimx.errors import CompletionError
from claimx.ledger.keys import HmacKey

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
_LINKS = f"SELECT j.number, j.action_id, j.kind, j.record, j.previous, j.digest, CASE j.kind {_BODY} END FROM journal j"  # noqa: S608
_NEXT = "j.number IN (SELECT number + 1 FROM journal WHERE action_id = ?)"
_KEPT = " UNION ALL ".join(
    f"SELECT '{kind}', {name} FROM {table} WHERE action_id = ?"  # noqa: S608
    for kind, (table, name, _) in _TABLES.items()
)
_ACTIONS = " UNION ".join(f"SELECT action_id FROM {table}" for table, _, _ in _TABLES.values())  # noqa: S608
#: number, action, kind, record, previous, digest, and the body of the record that they lead to.
_Link = tuple[int, str, str, str, str, str, str | None]


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

    @property
    def has_key(self) -> bool:
        """Whether the digests are HMACs."""
        return self.head is not None and self.head.startswith("hmac-")

    def to_dict(self) -> dict[str, Any]:
        return {"ok": self.ok, "records": self.records, "head": self.head, "faults": list(self.faults)}


class Journal:
    """Links records and checks their links; `key` makes the digests HMACs, which who can only write the file can't forge."""

    def __init__(self, path: str, key: bytes | HmacKey | None = None) -> None:
        self.path = path
        self.key = key.secret if isinstance(key, HmacKey) else key
        if self.key is not None and (not isinstance(self.key, bytes) or not self.key):
            raise CompletionError(f"a key is bytes or an HmacKey, not {type(self.key).__name__} or nothing")

    def add(self, db: sqlite3.Connection, action_id: str, kind: str, record: str, body: str) -> None:
        """Link a record that was just kept, in the transaction that keeps it."""
        last = db.execute("SELECT number, digest FROM journal ORDER BY number DESC LIMIT 1").fetchone()
        number, previous = (last[0] + 1, last[1]) if last else (1, "")
        digest = self.digest(number, action_id, kind, record, previous, body)
        values = (number, action_id, kind, record, previous, digest)
        db.execute("INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?)", values)

    def adopt(self, db: sqlite3.Connection) -> None:
        """Link what a file of an earlier version holds, as it is."""
        for kind, (table, name, _) in _TABLES.items():
            rows = db.execute(f"SELECT action_id, {name}, body FROM {table} ORDER BY rowid").fetchall()  # noqa: S608
            for action_id, record, body in rows:
                self.add(db, action_id, kind, record, body)

    def check_key(self, db: sqlite3.Connection) -> None:
        """Raise CompletionError when the file is kept with a key and none was given, the other way round, or with another."""
        found = db.execute("SELECT digest FROM journal ORDER BY number DESC LIMIT 1").fetchone()
        is_keyed = found is not None and str(found[0]).startswith("hmac-")
        if found is not None and is_keyed != (self.key is not None):
            kept, do = ("with a key", "open it with that key") if is_keyed else ("without a key", "open it without one")
            raise CompletionError(f"{self.path}: its records are chained {kept}: {do}")
        ends = "j.number IN (SELECT min(number) FROM journal UNION SELECT max(number) FROM journal)"
        if is_keyed and all(self._own_fault(r) for r in db.execute(f"{_LINKS} WHERE {ends}")):
            raise CompletionError(
                f"{self.path}: neither its first nor its last record fits this key: open it with the key that it is kept with "
                "(if this is the key, both were altered: restore the file from a backup)"
            )

    def bodies(self, db: sqlite3.Connection, action_id: str) -> list[tuple[str, str, str]]:
        """Return kind, name and body of an action's records in the order in which they were kept. Raises CompletionError
        that names the first one that is not what was written."""
        rows = db.execute(f"{_LINKS} WHERE j.action_id = ? ORDER BY j.number", (action_id,)).fetchall()
        after = db.execute(f"{_LINKS} WHERE {_NEXT} ORDER BY j.number", (action_id,)).fetchall()
        fault = next(self._faults(rows, after), None) or next(self._unlinked(db, action_id, rows), None)
        if fault is None:
            known = db.execute("SELECT revision FROM documents WHERE action_id = ?", (action_id,)).fetchone()
            counted = sum(kind != "intent" for _, _, kind, *_ in rows)
            if known is not None and known[0] > counted:
                fault = f"of {known[0]} records of action {action_id} {counted} are left: the others were removed"
        if fault is None and rows:
            fault = self._lost_since(db, rows[0][0])
        if fault is not None:
            raise CompletionError(
                f"{self.path}: {fault}. Nothing of action {action_id} may be told as done or written again: restore the "
                "file from a backup, or settle the action by hand; other actions stay readable"
            )
        return [(kind, record, body) for _, _, kind, record, _, _, body in rows if body is not None]

    def verify(self, db: sqlite3.Connection, head: str | None = None) -> Verified:
        """Verify every record of the file."""
        rows = db.execute(f"{_LINKS} ORDER BY j.number").fetchall()
        faults = list(self._faults(rows, rows))
        before = 0
        for number, *_ in rows:
            if number != before + 1:
                faults.append(_lost(before + 1, number - 1))
            before = number
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
        for document in db.execute("SELECT action_id, revision, state, next_check_at, body, digest FROM documents"):
            if document[4] and not self.fits_document(document):
                faults.append(f"the document of action {document[0]} was altered: rebuild it with Completions.document")
        if head is not None and head not in {r[5] for r in rows}:
            faults.append(f"the record with digest {head} is not in the file")
        return Verified(len(rows), rows[-1][5] if rows else None, tuple(dict.fromkeys(faults)))

    def document_digest(self, row: tuple[object, ...]) -> str:
        """The digest of a document's row: action, revision, state, when it is due, body."""
        return self.digest("document", *row)

    def fits_document(self, row: tuple[Any, ...]) -> bool:
        return _same(self.document_digest(row[:-1]), row[-1])

    def _faults(self, rows: Iterable[_Link], after: Iterable[_Link]) -> Iterator[str]:
        """What is wrong with records, `after` those that follow them: a record that was made anew with a digest that fits is
        told by the link of the one behind it."""
        linked_to = {r[0] - 1: r[4] for r in after if not self._own_fault(r)}
        for row in rows:
            fault = self._own_fault(row)
            if fault or linked_to.get(row[0], row[5]) != row[5]:
                yield f"{_named(row[2], row[3])} of action {row[1]} (record {row[0]}) {fault or 'was altered'}"

    def _own_fault(self, row: _Link) -> str:
        number, action_id, kind, record, previous, digest, body = row
        if body is None:
            return "was removed"
        fits = _same(self.digest(number, action_id, kind, record, previous, body), digest)
        return "" if fits else "was altered"

    def _lost_since(self, db: sqlite3.Connection, first: int) -> str | None:
        """Whether records were removed with their links since an action began: nothing shows whose they were."""
        count, last = db.execute("SELECT count(*), max(number) FROM journal WHERE number >= ?", (first,)).fetchone()
        if count == last - first + 1:
            return None
        numbers = (r[0] for r in db.execute("SELECT number FROM journal WHERE number >= ? ORDER BY number", (first,)))
        before, behind = next((b, n) for b, n in pairwise(numbers) if n != b + 1)
        return _lost(before + 1, behind - 1) + ", and may have been this action's"

    def _unlinked(self, db: sqlite3.Connection, action_id: str, rows: Iterable[_Link]) -> Iterator[str]:
        linked = {(r[2], r[3]) for r in rows}
        for kind, record in db.execute(_KEPT, (action_id,) * len(_TABLES)):
            if (kind, record) not in linked:
                yield f"{_named(kind, record)} of action {action_id} was not written by this store"

    def digest(self, *parts: object) -> str:
        """The digest of some parts; with the key its HMAC."""
        data = json.dumps(parts, ensure_ascii=False, separators=(",", ":"), default=repr).encode(
            "utf-8", "surrogatepass"
        )
        if self.key is not None:
            return "hmac-sha256:" + hmac.digest(self.key, data, "sha256").hex()
        return "sha256:" + hashlib.sha256(data).hexdigest()


def _same(digest: str, found: object) -> bool:
    """Whether a digest is the one that was found, which may be anything that somebody has put into the file."""
    return hmac.compare_digest(digest.encode(), str(found).encode("utf-8", "backslashreplace"))


def _lost(first: int, last: int) -> str:
    return f"record {first} was removed" if first == last else f"records {first} to {last} were removed"


def _named(kind: str, record: str) -> str:
    return "the intent" if kind == "intent" else f"{kind} {record}"
