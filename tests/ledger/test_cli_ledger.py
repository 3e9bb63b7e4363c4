"""`claimx ledger show|verify|export|keygen`, `claimx audit` and `claimx check --keys`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from claimx.cli import main
from claimx.ledger import Keyring, Ledger


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a key file, its public half and a signed ledger of two conversations; the current folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "160")
    assert main(["ledger", "keygen", "keys.json", "--public", "public.json"]) == 0
    with Ledger("l.jsonl", conversation="c1", signer=Keyring.load("keys.json")) as ledger:

        @ledger.tool
        def issue_refund(order_id: str, amount: float) -> dict[str, Any]:
            return {"ok": True, "refund": "[R-1]"}

        ledger.message("user", "Refund #4821 please")
        with ledger.provider_call("toolu_1"):
            issue_refund("#4821", 64)
        ledger.message("assistant", "I refunded $64 for the order #4821.")
        with ledger.in_conversation("c2"), pytest.raises(TypeError):
            issue_refund()
        with ledger.in_conversation("c2"), ledger.call("outer", {}), ledger.call("inner", {}):
            pass
    return tmp_path


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def test_show_lists_the_calls_for_people_and_as_json(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ledger", "show", "l.jsonl"]) == 0
    out = capsys.readouterr().out
    for text in (
        "conversation c1  1 call\n",
        "conversation c2  3 calls\n",
        "c1_issue_refund_1",
        "success",
        "[R-1]",
        "c2_issue_refund_1",
        "TypeError",
        "  c2_inner_3",
    ):
        assert text in out
    assert main(["ledger", "show", "l.jsonl", "--conversation", "c1", "--out", "-"]) == 0
    (entry,) = lines(capsys.readouterr().out)
    assert (entry["conversation"], entry["id"], entry["call_id"]) == ("c1", "c1_issue_refund_1", "toolu_1")


def test_verify_says_that_all_is_well_or_names_the_first_fault(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ledger", "verify", "l.jsonl", "--keys", "public.json"]) == 0
    out = capsys.readouterr().out
    assert out.count("VERIFIED") == 2
    assert "signed by key-1" in out
    assert main(["ledger", "verify", "l.jsonl"]) == 0
    assert "signatures not checked" in capsys.readouterr().out

    text = (place / "l.jsonl").read_text()
    (place / "bad.jsonl").write_text(text.replace('"amount":64', '"amount":640'))
    assert main(["ledger", "verify", "bad.jsonl"]) == 1
    assert "ALTERED  c1_issue_refund_1 (row 2)" in capsys.readouterr().out
    assert main(["ledger", "verify", "bad.jsonl", "--out", "-"]) == 1
    first, second = lines(capsys.readouterr().out)
    assert (first["ok"], first["fault"]["kind"], first["fault"]["seq"], second["ok"]) == (False, "altered", 2, True)
    assert main(["ledger", "verify", "l.jsonl", "--complete"]) == 1
    assert main(["ledger", "verify", "l.jsonl", "--head", "sha256:0"]) == 1
    assert main(["ledger", "verify", "l.jsonl", "--conversation", "c2", "--keys", "keys.json"]) == 0


def test_export_gives_runs_that_check_accepts_with_keys_and_refuses_once_tampered_with(
    place: Path, tiny_model: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["ledger", "export", "l.jsonl", "--out", "runs.jsonl"]) == 0
    assert "1 conversation holds no reply: record replies with" in capsys.readouterr().err
    (run,) = lines((place / "runs.jsonl").read_text())
    assert (run["id"], run["user"], len(run["chain"])) == ("c1", "Refund #4821 please", 4)
    check = ["check", "--model", str(tiny_model), "--out", "receipts.jsonl"]
    assert main([*check, "runs.jsonl", "--keys", "public.json"]) == 0
    (receipt,) = lines((place / "receipts.jsonl").read_text())
    assert (receipt["verdict"], receipt["claims"][0]["calls"]) == ("ok", ["c1_issue_refund_1"])
    assert "chain" not in receipt
    assert main(["ledger", "verify", "runs.jsonl", "--keys", "public.json"]) == 0

    run["ledger"][0]["args"]["amount"] = 640
    (place / "bad.jsonl").write_text(f"{json.dumps(run)}\n{(place / 'runs.jsonl').read_text()}")
    assert main([*check, "bad.jsonl", "--keys", "public.json"]) == 2
    assert (
        "line 1: refused: run 'c1': 'ledger' differs from the signed rows at c1_issue_refund_1.args"
        in capsys.readouterr().err
    )
    assert [r["verdict"] for r in lines((place / "receipts.jsonl").read_text())] == ["ok"]


def test_export_joins_replies_that_were_kept_elsewhere(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    replies = [
        {"id": "c2", "reply": "I refunded it.", "tools": ["issue_refund"], "model": "m-1"},
        {"id": "c3", "reply": "I refunded it."},
    ]
    (place / "replies.jsonl").write_text("".join(json.dumps(r) + "\n" for r in replies) + "{oops\n")
    assert main(["ledger", "export", "l.jsonl", "--replies", "replies.jsonl"]) == 2
    captured = capsys.readouterr()
    known, unknown = lines(captured.out)
    assert [e["tool"] for e in known["ledger"]] == ["issue_refund", "outer", "inner"]
    assert (known["model"], known["tools"], len(known["chain"])) == ("m-1", [{"name": "issue_refund"}], 6)
    assert (unknown["ledger"], "chain" in unknown) == ([], False)
    assert "conversation 'c3' has no rows" in captured.err
    assert "line 3: not JSON" in captured.err
    assert main(["ledger", "export", "l.jsonl", "--no-proof"]) == 0
    assert "chain" not in lines(capsys.readouterr().out)[0]


def test_keys_are_made_rotated_and_never_lost(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first = Keyring.load("keys.json")
    assert main(["ledger", "keygen", "keys.json"]) == 2
    assert "exists already" in capsys.readouterr().err
    assert Keyring.load("keys.json") == first
    assert main(["ledger", "keygen", "keys.json", "--rotate", "--algorithm", "hmac-sha256"]) == 0
    second = Keyring.load("keys.json")
    assert (second.active, set(second.keys), set(second.retired)) == ("key-2", {"key-1", "key-2"}, {"key-1"})
    assert main(["ledger", "verify", "l.jsonl", "--keys", "keys.json"]) == 0
    assert main(["ledger", "keygen", "keys.json", "--public", "p.json"]) == 2
    assert "shared secret" in capsys.readouterr().err
    assert Keyring.load("public.json").active is None


CLAIMS = [
    {"call_id": "toolu_1", "key": "ok", "value": True},
    {"id": "c1", "claims": [{"tool": "issue_refund", "call": 1, "values": {"refund": "R-2"}}]},
    {"conversation": "c2", "call_id": "toolu_1", "status": "success"},
]


def test_audit_holds_claims_against_a_store_or_exported_runs(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "claims.jsonl").write_text("".join(json.dumps(c) + "\n" for c in CLAIMS))
    main(["ledger", "export", "l.jsonl", "--out", "runs.jsonl"])
    capsys.readouterr()
    for ledger in ("l.jsonl", "runs.jsonl"):
        assert main(["audit", "claims.jsonl", "--ledger", ledger, "--keys", "public.json", "--out", "-"]) == 1
        assert [f["verdict"] for f in lines(capsys.readouterr().out)] == ["OK", "MISQUOTED", "FABRICATED"]
    assert main(["audit", "claims.jsonl", "--ledger", "l.jsonl"]) == 1
    out = capsys.readouterr().out
    assert '"R-2", recorded is "[R-1]"' in out
    assert "3 claims: 1 OK, 1 MISQUOTED, 1 FABRICATED" in out
    (place / "good.jsonl").write_text(json.dumps(CLAIMS[0]))
    assert main(["audit", "good.jsonl", "--ledger", "l.jsonl"]) == 0

    text = (place / "l.jsonl").read_text()
    (place / "bad.jsonl").write_text(text.replace('"refund":"[R-1]"', '"refund":"R-2"'))
    assert main(["audit", "claims.jsonl", "--ledger", "bad.jsonl", "--keys", "public.json"]) == 2
    assert "c1_issue_refund_1 is altered" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["ledger", "show", "none.db"], "no such ledger"),
        (["ledger", "show", "empty.jsonl"], "holds no conversation"),
        (["ledger", "verify", "l.jsonl", "--conversation", "c9"], "no conversation 'c9'"),
        (["ledger", "verify", "l.jsonl", "--keys", "none.json"], "cannot be read"),
        (["ledger", "verify", "bare.jsonl"], "carries no signed rows to verify"),
        (["ledger", "export", "l.jsonl", "--conversation", "c2"], "holds no reply"),
        (["check", "bare.jsonl", "--keys", "l.jsonl"], "not a key file"),
        (["audit", "faulty.jsonl", "--ledger", "l.jsonl"], "field 'claims' is int"),
    ],
)
def test_wrong_use_is_told_in_one_line(
    args: list[str], says: str, place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (place / "empty.jsonl").touch()
    (place / "bare.jsonl").write_text('{"id": "c1", "reply": "x", "ledger": []}\n')
    (place / "faulty.jsonl").write_text('{"claims": 1}\n')
    assert main(args) == 2
    err = capsys.readouterr().err
    assert says in err
    assert err.count("\n") == 1


def test_a_head_that_was_noted_is_looked_for_in_every_conversation(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for conversation in ("c1", "c2"):
        (found,) = verified(["--conversation", conversation], capsys)
        assert [v["ok"] for v in verified(["--head", found["head"]], capsys)] == [True, True]
    kept = (place / "l.jsonl").read_text().splitlines(keepends=True)
    (place / "l.jsonl").write_text("".join(kept[:-1]))
    assert main(["ledger", "verify", "l.jsonl", "--head", found["head"]]) == 1
    assert "is not in the chain" in capsys.readouterr().out


def verified(args: list[str], capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    main(["ledger", "verify", "l.jsonl", *args, "--out", "-"])
    return lines(capsys.readouterr().out)


def test_numbers_and_their_nouns_agree(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (place / "claim.jsonl").write_text(json.dumps(CLAIMS[0]))
    main(["audit", "claim.jsonl", "--ledger", "l.jsonl"])
    main(["ledger", "verify", "l.jsonl", "--conversation", "c1"])
    out = capsys.readouterr().out
    assert "1 claim: 1 OK" in out
    assert "4 rows, 1 call, " in out
    with Ledger("quiet.jsonl", conversation="a") as ledger:
        ledger.checkpoint()
        with ledger.in_conversation("b"):
            ledger.checkpoint()
    assert main(["ledger", "export", "quiet.jsonl"]) == 2
    assert "2 conversations hold no reply" in capsys.readouterr().err


def test_a_torn_row_is_told_and_the_others_are_shown_and_exported(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (place / "l.jsonl").read_text().splitlines(keepends=True)
    torn = text[2].replace('"result":{"ok":true,', '"result":{"ok":tr')  # the end of c1's only call
    assert torn != text[2]
    (place / "torn.jsonl").write_text("".join([*text[:2], torn, *text[3:]]))
    assert main(["ledger", "show", "torn.jsonl"]) == 2
    captured = capsys.readouterr()
    assert "torn.jsonl: conversation 'c1': row 3 cannot be read (not JSON" in captured.err
    assert "restore the row from a backup" in captured.err
    assert "c1_issue_refund_1  unknown" in captured.out
    assert "c2_inner_3  success" in captured.out
    with Ledger("full.jsonl", conversation="c9") as ledger:
        ledger.message("assistant", "Hello.")
        with ledger.in_conversation("c8"):
            ledger.message("assistant", "Hello.")
    rows = (place / "full.jsonl").read_text()
    (place / "full.jsonl").write_text(rows.replace('"conversation":"c9","kind"', '"conversation":"c9",,"kind"'))
    assert main(["ledger", "export", "full.jsonl"]) == 2
    captured = capsys.readouterr()
    assert "conversation 'c9' is left out: row 1" in captured.err
    assert [r["id"] for r in lines(captured.out)] == ["c8"]
    replies = [{"id": "c9", "reply": "Hello."}, {"id": "c8", "reply": "Hello."}]
    (place / "replies.jsonl").write_text("".join(json.dumps(r) + "\n" for r in replies))
    assert main(["ledger", "export", "full.jsonl", "--replies", "replies.jsonl"]) == 2
    captured = capsys.readouterr()
    assert "conversation 'c9' is left out" in captured.err
    assert [r["id"] for r in lines(captured.out)] == ["c8"]


def test_a_ledger_is_shown_and_verified_by_who_may_only_read_it(
    place: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Ledger("l.db", conversation="c1", signer=Keyring.load("keys.json")) as ledger:
        ledger.tool(lambda: 1, name="t")()
    before = (place / "l.db").read_bytes()
    address = f"sqlite:///file:{place}/l.db?mode=ro&uri=true"
    assert main(["ledger", "verify", address, "--keys", "public.json"]) == 0
    assert main(["ledger", "show", address]) == 0
    assert "c1_t_1" in capsys.readouterr().out
    assert (place / "l.db").read_bytes() == before


@pytest.mark.parametrize("verb", ["show", "verify"])
def test_a_file_that_holds_neither_a_ledger_nor_runs_is_told(
    verb: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "claims.jsonl"
    file.write_text('{"call_id": "toolu_01", "result": {}}\n', encoding="utf-8")
    assert main(["ledger", verb, str(file)]) == 2
    assert "claims.jsonl: neither a ledger nor a file of runs" in capsys.readouterr().err
