"""A ledger that was tampered with, in every field and every way: the first fault is named."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from claimx.errors import VerificationError
from claimx.ledger import (
    Ed25519Key,
    HmacKey,
    JsonlStore,
    Keyring,
    Kind,
    Ledger,
    MemoryStore,
    Row,
    Store,
    check_proof,
    digest_of,
    open_store,
    runs_of,
    verify,
)
from claimx.ledger.row import seal
from claimx.records import parse_run
from claimx.types import CallStatus, Run

RING = Keyring.of(HmacKey("k1", b"0123456789abcdef" * 2))
THIEF = HmacKey("k1", b"another secret of 32 bytes, same id")


def fill(store: Store, conversation: str = "c", signer: Any = RING) -> list[Row]:
    """A conversation with every kind of row: rows 1 to 9."""
    with Ledger(store, conversation=conversation, signer=signer, labels={"tenant": "t1"}) as ledger:

        @ledger.tool
        def refund(order: str, amount: float) -> dict[str, Any]:
            return {"ok": True, "lines": [{"id": 1}, {"id": 2}]}

        @ledger.tool
        def fail() -> None:
            raise ValueError("no")

        ledger.message("user", "please")
        with ledger.provider_call("toolu_1"):
            refund("A", 8.45)
        with pytest.raises(ValueError, match="no"):
            fail()
        with ledger.call("outer", {}):
            ledger.message("assistant", "done")
        ledger.checkpoint()
        return ledger.rows()


ROWS = fill(MemoryStore())


def test_what_was_written_verifies() -> None:
    found = verify(ROWS, RING, complete=True, head=ROWS[3].digest)
    assert found.ok
    assert (found.rows, found.calls, found.head, found.signed_by) == (9, 3, ROWS[-1].digest, {"k1": 9})
    assert found.to_dict()["fault"] is None
    assert [r.kind for r in ROWS] == [
        "message", "started", "finished", "started", "finished", "started", "message", "finished", "checkpoint",
    ]  # fmt: skip


def paths(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place in a JSON value that holds something: the leaves, and each container as a whole."""
    out = [at] if at else []
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in items:
        out += paths(inner, (*at, key))
    return out


def changed(value: Any) -> Any:
    if isinstance(value, bool) or value is None:
        return "changed"
    if isinstance(value, int | float):
        return value + 1
    if isinstance(value, str):
        return value + "x"
    return {**value, "more": 1} if isinstance(value, dict) else [*value, 1]


def edited(row: Row, path: tuple[Any, ...], edit: Callable[[Any, Any], None]) -> Row:
    data = json.loads(row.to_json())
    inner = data
    for key in path[:-1]:
        inner = inner[key]
    edit(inner, path[-1])
    return Row.from_dict(data)


def set_to_something_else(inner: Any, key: Any) -> None:
    inner[key] = changed(inner[key])


def remove(inner: Any, key: Any) -> None:
    del inner[key]


EVERY_FIELD = [(i, p) for i, row in enumerate(ROWS) for p in paths(row.to_dict())]


@pytest.mark.parametrize("edit", [set_to_something_else, remove], ids=["changed", "removed"])
def test_no_field_of_any_row_can_be_changed_or_removed(edit: Callable[[Any, Any], None]) -> None:
    assert len(EVERY_FIELD) > 130
    for i, path in EVERY_FIELD:
        rows = [*ROWS[:i], edited(ROWS[i], path, edit), *ROWS[i + 1 :]]
        fault = verify(rows, RING).fault
        assert fault is not None, f"row {i + 1}: {path} went unseen"
        assert fault.kind in ("altered", "forged", "damaged"), (path, fault)
        assert fault.seq == i + 1, (path, fault)


def test_no_field_can_be_added_either() -> None:
    for i, row in enumerate(ROWS):
        more = Row({**row.body, "approved_by": "ann"}, row.digest, row.signature)
        beside = Row.from_dict({**row.to_dict(), "note": "fine"})
        for bad in (more, beside):
            fault = verify([*ROWS[:i], bad, *ROWS[i + 1 :]], RING).fault
            assert fault is not None
            assert fault.seq == i + 1


def resealed(row: Row, signer: Any = None, **body: Any) -> Row:
    """The row as someone would rewrite it who knows how digests are made: content and digest fit."""
    new = {**row.body, **body}
    signature = row.signature
    if signer is not None:
        import base64

        from claimx.ledger.row import signed_message

        signature = base64.b64encode(signer.sign(signed_message(digest_of(new)))).decode()
    return Row(new, digest_of(new), signature)


@pytest.mark.parametrize("i", range(len(ROWS)))
def test_a_row_rewritten_with_its_digest_is_forged(i: int) -> None:
    for bad in (resealed(ROWS[i], at="2020"), resealed(ROWS[i], THIEF, at="2020"), replace(ROWS[i], signature=None)):
        fault = verify([*ROWS[:i], bad, *ROWS[i + 1 :]], RING).fault
        assert fault is not None
        assert (fault.kind, fault.seq) == ("forged", i + 1)


def test_without_keys_the_row_after_it_tells_of_a_rewritten_one() -> None:
    fault = verify([*ROWS[:2], resealed(ROWS[2], result={"ok": False}), *ROWS[3:]]).fault
    assert fault is not None
    assert (fault.kind, fault.seq, fault.id) == ("altered", 3, "c_refund_1")
    assert not verify(ROWS).checked_signatures


@pytest.mark.parametrize("i", range(len(ROWS) - 1))
def test_a_dropped_row_is_named_by_its_number(i: int) -> None:
    fault = verify([*ROWS[:i], *ROWS[i + 1 :]], RING).fault
    assert fault is not None
    assert (fault.kind, fault.seq, fault.id) == ("dropped", i + 1, f"c#{i + 1}")


@pytest.mark.parametrize(("i", "j"), [(0, 1), (1, 4), (2, 3), (0, 8), (7, 8)])
def test_swapped_rows_are_named(i: int, j: int) -> None:
    rows = list(ROWS)
    rows[i], rows[j] = rows[j], rows[i]
    fault = verify(rows, RING).fault
    assert fault is not None
    assert (fault.kind, fault.seq) == ("swapped", j + 1)


def test_a_row_that_stands_twice_is_named() -> None:
    fault = verify([*ROWS[:3], ROWS[2], *ROWS[3:]], RING).fault
    assert fault is not None
    assert (fault.kind, fault.seq) == ("swapped", 3)
    assert "once more" in fault.reason


def test_a_row_of_another_conversation_is_named() -> None:
    other = fill(MemoryStore(), "d")
    fault = verify([*ROWS[:2], other[2], *ROWS[3:]], RING).fault
    assert fault is not None
    assert (fault.kind, fault.seq) == ("swapped", 3)
    assert "conversation 'd'" in fault.reason
    assert not verify(other, RING, conversation="c").ok


def test_a_row_of_an_earlier_state_with_a_true_signature_breaks_the_link() -> None:
    # The same conversation written twice with the same key: the rows of one don't fit into the other.
    other = fill(MemoryStore())
    fault = verify([*ROWS[:2], other[2], *ROWS[3:]], RING).fault
    assert fault is not None
    assert (fault.kind, fault.seq) == ("altered", 2)


def test_a_cut_end_is_found_by_the_checkpoint_and_by_a_digest_noted_earlier() -> None:
    assert verify(ROWS[:-1], RING).ok
    for fault in (verify(ROWS[:-1], RING, complete=True).fault, verify(ROWS[:-1], RING, head=ROWS[-1].digest).fault):
        assert fault is not None
        assert (fault.kind, fault.seq) == ("dropped", 9)
    assert not verify([], RING, complete=True).ok


def test_a_call_whose_end_was_cut_off_has_an_unknown_outcome() -> None:
    assert verify(ROWS[:2], RING).unfinished == ("c_refund_1",)


def sealed_chain(*events: tuple[Kind, dict[str, Any]]) -> list[Row]:
    """Rows with true digests, links and signatures: what a faulty or hostile recorder with the key would write."""
    rows: list[Row] = []
    for kind, fields in events:
        override = fields.pop("_", {})
        row = seal(rows[-1] if rows else None, kind=kind, conversation="c", at="2026", fields=fields, signer=None)
        rows.append(resealed(row, **override) if override else row)
    return rows


@pytest.mark.parametrize(
    ("events", "says"),
    [
        ([(Kind.FINISHED, {"id": "c_t_1", "call": 1, "tool": "t"})], "had not started"),
        (
            [(Kind.STARTED, {"tool": "t"}), *[(Kind.FINISHED, {"id": "c_t_1", "call": 1, "tool": "t"})] * 2],
            "has finished before",
        ),
        ([(Kind.STARTED, {"tool": "t"}), (Kind.FINISHED, {"id": "c_t_1", "call": 1, "tool": "u"})], "another tool"),
        ([(Kind.STARTED, {"tool": "t", "_": {"id": "c_t_2"}})], "bears another id"),
        ([(Kind.MESSAGE, {"_": {"calls": 5}})], "counts 5 calls"),
        ([(Kind.MESSAGE, {"_": {"kind": "approved"}})], "no such row is known"),
        ([(Kind.MESSAGE, {"_": {"v": 2}})], "no such row is known"),
    ],
)
def test_what_no_recorder_writes_is_found_though_digests_and_links_hold(
    events: list[tuple[Kind, dict[str, Any]]], says: str
) -> None:
    fault = verify(sealed_chain(*[(k, dict(f)) for k, f in events])).fault
    assert fault is not None
    assert fault.kind == "forged"
    assert says in fault.reason


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({"key": "k2"}, "none of the ring's"),
        ({"algorithm": "none"}, "says it is signed by 'none'"),
        ({"key": None}, "not signed"),
    ],
)
def test_a_signature_of_another_key_or_algorithm_is_refused(body: dict[str, Any], says: str) -> None:
    fault = verify([resealed(ROWS[0], RING.signer, **body), *ROWS[1:]], RING).fault
    assert fault is not None
    assert says in fault.reason


def test_ed25519_finds_the_same_forgeries_with_the_public_key_alone() -> None:
    ring = Keyring.of(Ed25519Key.generate("k1"))
    rows = fill(MemoryStore(), signer=ring)
    assert verify(rows, ring.public()).ok
    for bad in (resealed(rows[2], Ed25519Key.generate("k1"), at="2020"), replace(rows[2], signature="AAAA")):
        fault = verify([*rows[:2], bad, *rows[3:]], ring.public()).fault
        assert fault is not None
        assert (fault.kind, fault.seq) == ("forged", 3)
    assert not verify([replace(rows[0], signature="not base64!"), *rows[1:]], ring.public()).ok


# -- in the stores -----------------------------------------------------------------------------------------------------


def test_tampering_in_a_jsonl_file_is_found(tmp_path: Path) -> None:
    path = tmp_path / "l.jsonl"
    fill(JsonlStore(path))
    lines = path.read_text().splitlines()

    def fault(*new: str) -> tuple[str, int]:
        path.write_text("".join(f"{line}\n" for line in new))
        found = verify(JsonlStore(path).read("c"), RING, conversation="c").fault
        assert found is not None
        return str(found.kind), found.seq

    assert fault(*lines[:2], lines[2].replace('"ok":true', '"ok":false'), *lines[3:]) == ("altered", 3)
    assert fault(*lines[:2], lines[2][:50], *lines[3:]) == ("damaged", 3)
    assert fault(*lines[:2], "garbage", *lines[3:]) == ("damaged", 3)
    assert fault(*lines[:2], *lines[3:]) == ("dropped", 3)
    assert fault(*lines[:2], lines[3], lines[2], *lines[4:]) == ("swapped", 4)


@pytest.mark.parametrize(
    ("statement", "kind", "seq"),
    [
        ("UPDATE claimx_rows SET body = replace(body, '8.45', '84.5') WHERE seq = 2", "altered", 2),
        ("UPDATE claimx_rows SET body = 'x' WHERE seq = 2", "damaged", 2),
        ("UPDATE claimx_rows SET digest = 'sha256:0' WHERE seq = 2", "altered", 2),
        ("UPDATE claimx_rows SET signature = NULL WHERE seq = 2", "forged", 2),
        ("UPDATE claimx_rows SET conversation = 'd' WHERE seq = 2", "dropped", 2),
        ("UPDATE claimx_rows SET seq = 100 WHERE seq = 2", "swapped", 3),
        ("DELETE FROM claimx_rows WHERE seq = 2", "dropped", 2),
    ],
)
def test_tampering_in_a_database_behind_its_triggers_is_found(
    statement: str, kind: str, seq: int, tmp_path: Path
) -> None:
    path = tmp_path / "l.db"
    fill(open_store(path))
    with sqlite3.connect(path) as raw:
        for verb in ("update", "delete"):
            raw.execute(f"DROP TRIGGER claimx_rows_no_{verb}")
        raw.execute(statement)
    raw.close()
    store = open_store(path)
    fault = verify(store.read("c"), RING, conversation="c").fault
    store.close()
    assert fault is not None
    assert (fault.kind, fault.seq) == (kind, seq)


def test_a_row_that_cannot_be_read_stops_the_ledger_from_going_on_as_if_nothing_were(tmp_path: Path) -> None:
    path = tmp_path / "l.jsonl"
    fill(JsonlStore(path))
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:-1], lines[-1][:200]]) + "\n")
    failures: list[Exception] = []
    ledger = Ledger(path, conversation="c", signer=RING, on_error=failures.append)
    assert ledger.tool(lambda: 1, name="t")() == 1
    assert "cannot be read" in str(failures[0])
    with pytest.raises(Exception, match="claimx ledger verify"):
        ledger.entries()


# -- runs that carry their proof ---------------------------------------------------------------------------------------


def exported() -> dict[str, Any]:
    (run,) = runs_of(ROWS)
    data: dict[str, Any] = json.loads(json.dumps(run.to_dict()))
    return data


def refused(data: dict[str, Any], keys: Keyring = RING) -> str:
    with pytest.raises(VerificationError) as caught:
        check_proof(parse_run(data), keys)
    return str(caught.value)


def test_an_exported_run_proves_its_ledger() -> None:
    data = exported()
    check_proof(parse_run(data), RING)
    assert (data["id"], data["reply"], data["user"]) == ("c", "done", "please")
    assert [e["id"] for e in data["ledger"]] == ["c_refund_1", "c_fail_2", "c_outer_3"]


def test_a_run_whose_ledger_says_anything_else_than_its_rows_is_refused() -> None:
    data = exported()
    for i, entry in enumerate(data["ledger"]):
        for path in paths(entry):
            changed_run = json.loads(json.dumps(data))
            inner = changed_run["ledger"][i]
            for key in path[:-1]:
                inner = inner[key]
            new = changed(inner[path[-1]])
            inner[path[-1]] = str(CallStatus.TIMEOUT) if path == ("status",) else new
            assert "ledger" in refused(changed_run), path


def test_what_is_missing_added_or_moved_in_a_run_is_refused() -> None:
    data = exported()
    assert "c_fail_2 is missing from its 'ledger'" in refused(
        {**data, "ledger": [data["ledger"][0], data["ledger"][2]]}
    )
    more = [*data["ledger"], {"id": "c9", "tool": "send_email"}]
    assert "c9 is missing from its signed rows" in refused({**data, "ledger": more})
    assert "order" in refused({**data, "ledger": data["ledger"][::-1]})
    assert "carries no signed rows" in refused({k: v for k, v in data.items() if k != "chain"})
    assert "carries no signed rows" in refused({**data, "chain": []})
    assert "is dropped" in refused({**data, "chain": data["chain"][1:]})
    assert "is damaged" in refused({**data, "chain": [1]})
    assert "'reply' is not the one" in refused({**data, "reply": "I refunded $9."})
    assert "its id must name it" in refused({**data, "id": "another"})
    assert "is forged" in refused(data, Keyring.of(THIEF))


def test_a_checker_with_keys_refuses_what_does_not_verify_and_checks_what_does(tiny_model: Path) -> None:
    from claimx import Checker, Extractor

    store = MemoryStore()
    ledger = Ledger(store, conversation="c", signer=RING)
    ledger.tool(lambda amount: {"ok": True}, name="issue_refund")(amount=64)
    run = ledger.run("I refunded $64.")
    checker = Checker(Extractor(tiny_model), keys=RING)
    assert checker.check(run).verdict == "ok"
    assert checker.check(json.loads(json.dumps(run.to_dict()))).verdict == "ok"
    bare = Run(run.reply, run.ledger, run.tools, run.id)
    lied = replace(run, ledger=(replace(run.ledger[0], args={"amount": 640}),))
    for bad in (bare, lied):
        with pytest.raises(VerificationError):
            checker.check(bad)
        with pytest.raises(VerificationError):
            checker.check_many([run, bad])
        assert Checker(Extractor(tiny_model)).check(bad) is not None

    stream = checker.stream(tools=["issue_refund"])
    (claim,) = stream.feed("I refunded $64. And the order", ledger=run)
    assert claim.status == "confirmed"
    stream = checker.stream(tools=["issue_refund"])
    with pytest.raises(VerificationError):
        stream.feed("I refunded $64. And the order", ledger=run.ledger)


# -- what the rows of a run bind ---------------------------------------------------------------------------------------


def talked() -> dict[str, Any]:
    """A run whose rows record the user's words, the tools and the reply."""
    ledger = Ledger(MemoryStore(), conversation="c", signer=RING)
    ledger.offer({"name": "send_email", "description": "Send a mail.", "parameters": {"properties": {"to": {}}}})
    refund = ledger.tool(lambda amount: {"ok": True}, name="issue_refund")
    ledger.message("user", "refund 64 please")
    refund(amount=64)
    ledger.message("assistant", "I refunded $64 and sent you a mail.")
    (run,) = runs_of(ledger.rows())
    data: dict[str, Any] = json.loads(json.dumps(run.to_dict()))
    return data


def bound(data: dict[str, Any], **options: Any) -> tuple[tuple[str, ...], tuple[str, ...]]:
    found = check_proof(parse_run(data), RING, **options)
    return found.bound, found.open


EDITS: list[tuple[str, dict[str, Any], str]] = [
    ("another reply", {"reply": "I refunded $9."}, "'reply' is not the one recorded in row 4"),
    ("another user", {"user": "refund 640 please"}, "'user' is not the message recorded in row 1"),
    ("no tools", {"tools": []}, "tool 'send_email' of the signed rows is missing from its 'tools'"),
    ("a tool left out", {"tools": ["issue_refund"]}, "tool 'send_email'"),
    ("a tool described anew", {"tools": ["issue_refund", {"name": "send_email", "description": "Read."}]}, "'description' of tool 'send_email'"),
    ("other parameters", {"tools": ["issue_refund", {"name": "send_email", "description": "Send a mail.", "parameters": {}}]}, "'parameters' of tool 'send_email'"),
]  # fmt: skip


@pytest.mark.parametrize(("_", "edit", "says"), EDITS, ids=[e[0] for e in EDITS])
def test_whatever_a_verdict_depends_on_is_held_against_the_signed_rows(_: str, edit: dict[str, Any], says: str) -> None:
    assert bound(talked(), complete=True) == (("id", "ledger", "reply", "user", "tools"), ())
    assert says in refused({**talked(), **edit})


def test_what_the_signed_rows_do_not_hold_is_named_and_taken_as_given() -> None:
    more = {**talked(), "tools": [*talked()["tools"], "cancel_order"], "now": "2026-03-14T10:00:00Z"}
    assert bound(more)[1] == ("tools", "now")
    run = talked()
    assert bound({**run, "now": run["chain"][-1]["body"]["at"]}, complete=True)[0][-1] == "now"
    ledger = Ledger(MemoryStore(), conversation="c", signer=RING)
    ledger.tool(lambda: 1, name="ping")()
    calls_alone = json.loads(json.dumps(ledger.run("Pinged it.", user="ping it").to_dict()))
    assert bound(calls_alone) == (("id", "ledger"), ("reply", "user", "tools"))
    with pytest.raises(VerificationError, match="do not hold reply, user, tools: record them"):
        bound(calls_alone, complete=True)
    # Cutting off the signed reply frees the reply, and that is said.
    cut = {**run, "chain": run["chain"][:-1], "reply": "I refunded $640."}
    assert "reply" in bound(cut)[1]
