"""A file of completion states, looked at from outside: `claimx ledger verify` and the other commands."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path

import pytest

from claimx.cli import main
from claimx.completion import Check, Completions, Contract, Reading, SqliteStore, holds_completions, verify_file
from claimx.errors import CompletionError
from claimx.ledger import Ed25519Key, HmacKey, Keyring, Ledger

KEY = HmacKey("k1", b"s" * 32)


def kept(path: Path, key: HmacKey | None = None) -> None:
    """A file with one verified action: four records."""
    contract = Contract("close", verify=lambda subject: Check.holds(Reading(version=8)))
    with SqliteStore(path, key=key) as store:
        work = Completions([contract], store=store).begin("close", target={"id": "T-1"})
        work.attempt(lambda: {"ok": True}, {})
        work.reconcile()


def tampered(path: Path, change: str = "UPDATE checks SET body = replace(body, '8', '9')") -> None:
    db = sqlite3.connect(path)
    for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        db.execute(f"DROP TRIGGER {name}")
    db.executescript(change)
    db.close()


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "160")
    kept(tmp_path / "plain.db")
    kept(tmp_path / "keyed.db", KEY)
    Keyring.of(HmacKey("k0", b"o" * 32), KEY).save("keys.json")
    Keyring.of(Ed25519Key.generate("k2")).save("ed.json")
    return tmp_path


def test_verify_says_that_all_is_well_and_gives_the_head(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with SqliteStore("plain.db") as store:
        head = store.verify().head
    for args in ([], ["--head", str(head)], ["--keys", "ed.json"]):
        assert main(["ledger", "verify", "plain.db", *args]) == 0
        assert (
            f" VERIFIED  plain.db: 4 records of actions, chained without a key; head {head}" in capsys.readouterr().out
        )
    assert main(["ledger", "verify", "sqlite:///keyed.db", "--keys", "keys.json"]) == 0
    assert "chained with a key" in capsys.readouterr().out
    assert main(["ledger", "verify", "plain.db", "--out", "-"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "completions": "plain.db", "ok": True, "records": 4, "head": head, "faults": [],
    }  # fmt: skip


def test_verify_names_what_was_tampered_with(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("plain", "keyed"):
        tampered(place / f"{name}.db")
        assert main(["ledger", "verify", f"{name}.db", *(["--keys", "keys.json"] if name == "keyed" else [])]) == 1
        assert f" ALTERED  {name}.db: check 1 of action act_" in capsys.readouterr().out
    assert main(["ledger", "verify", "plain.db", "--head", "sha256:0"]) == 1


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["verify", "keyed.db"], "chained with a key: open it with that key; --keys takes a key file that holds it"),
        (["verify", "keyed.db", "--keys", "ed.json"], "--keys takes a key file that holds it (hmac-sha256)"),
        (["verify", "plain.db", "--keys", "keys.json"], "chained without a key"),
        (["verify", "plain.db", "--complete"], "--complete is for ledgers"),
        (["verify", "plain.db", "--conversation", "c"], "--conversation is for ledgers"),
        (["show", "plain.db"], "keeps completion states, not a ledger: `claimx ledger verify` verifies it"),
        (["export", "plain.db"], "keeps completion states, not a ledger"),
        (["verify", "old.db"], "made by an earlier version (schema 1 of"),
        (["verify", "later.db"], "made by a later version (schema 99"),
    ],
)
def test_wrong_use_is_told_in_one_line(
    args: list[str], says: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, version in (("old.db", 1), ("later.db", 99)):
        kept(place / name)
        tampered(place / name, f"PRAGMA user_version = {version}")
    assert main(["ledger", *args]) == 2
    err = capsys.readouterr().err
    assert says in err
    assert err.count("\n") == 1


def test_looking_writes_nothing_and_needs_no_right_to(place: Path) -> None:
    before = {p.name: p.read_bytes() for p in place.iterdir() if p.suffix == ".db"}
    assert verify_file("keyed.db", [KEY]).ok
    with pytest.raises(CompletionError, match="fits this key"):
        verify_file("keyed.db", [HmacKey("k", b"x" * 32)])
    assert [holds_completions(p) for p in ("plain.db", "keys.json", "none.db", ".")] == [True, False, False, False]
    assert {p.name: p.read_bytes() for p in place.iterdir() if p.suffix == ".db"} == before


def test_a_file_that_is_a_ledger_as_well_is_verified_as_both(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Ledger("plain.db", conversation="c1") as ledger, ledger.call("push", {}):
        pass
    assert main(["ledger", "verify", "plain.db"]) == 0
    out = capsys.readouterr().out
    assert "c1: 2 rows, 1 call" in out
    assert "plain.db: 4 records of actions" in out
    with SqliteStore("plain.db") as store:
        heads = [ledger.rows("c1")[-1].digest, store.verify().head]
    for head in heads:
        assert main(["ledger", "verify", "plain.db", "--head", str(head)]) == 0
    tampered(place / "plain.db")
    assert main(["ledger", "verify", "plain.db"]) == 1
    assert main(["ledger", "show", "plain.db"]) == 0
