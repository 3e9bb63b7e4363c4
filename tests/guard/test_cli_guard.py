"""`claimx guard check`: recorded and proposed calls, reports, policies, exit codes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from claimx.cli import main
from claimx.errors import InputError
from claimx.guard import replay
from claimx.ledger import HmacKey, Keyring, Ledger, runs_of
from claimx.records import parse_run

FOUND = {"order_id": "SU-88421", "charges": [{"cents": 6400}]}
RUN: dict[str, Any] = {
    "id": "r1",
    "user": "Where is my mug? Order 88421.",
    "tools": [
        "get_order",
        {"name": "issue_refund", "parameters": {"properties": {"order_id": {}, "amount_cents": {}}}},
    ],
    "ledger": [
        {"id": "c1", "tool": "get_order", "args": {"order_id": "SU-88421"}, "result": FOUND},
        {
            "id": "c2",
            "tool": "issue_refund",
            "args": {"order_id": "SU-88412", "amount_cents": 6400},
            "result": {"ok": True},
        },
    ],
}


def write(path: Path, *rows: Any) -> str:
    path.write_text("".join((r if isinstance(r, str) else json.dumps(r)) + "\n" for r in rows), encoding="utf-8")
    return str(path)


def test_a_recorded_call_with_an_id_from_nowhere_is_found(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["guard", "check", write(tmp_path / "runs.jsonl", RUN)]) == 1
    out = capsys.readouterr().out
    assert "r1  refused  c2  issue_refund" in out
    assert "one digit transposed against SU-88421, seen at c1.result.order_id" in out
    assert "args.amount_cents = 6400: seen at c1.result.charges[0].cents" in out
    assert out.endswith("1 of 2 calls refused\n")


def test_calls_that_ask_to_run_are_decided_after_the_ledger(tmp_path: Path) -> None:
    good = {"id": "p1", "tool": "issue_refund", "args": {"order_id": "SU-88421", "amount_cents": 6400}}
    run = {**RUN, "ledger": RUN["ledger"][:1], "calls": [good, {"tool": "cancel_order"}]}
    out = tmp_path / "out.jsonl"
    assert main(["guard", "check", write(tmp_path / "runs.jsonl", run), "--out", str(out)]) == 1
    row = json.loads(out.read_text())
    assert (row["id"], row["ok"]) == ("r1", False)
    assert [(c["call_id"], c["allowed"]) for c in row["calls"]] == [("c1", True), ("p1", True), (None, False)]
    assert row["calls"][2]["refusals"][0]["code"] == "unknown_tool"


def test_a_clean_run_exits_with_zero_and_needs_no_reply(tmp_path: Path) -> None:
    assert main(["guard", "check", write(tmp_path / "a.json", {**RUN, "ledger": RUN["ledger"][:1]})]) == 0


def test_a_bad_line_does_not_stop_the_lines_after_it(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rows = ["{", {**RUN, "calls": {}}, {**RUN, "calls": [{"args": {}}]}, RUN]
    assert main(["guard", "check", write(tmp_path / "a.jsonl", *rows)]) == 2
    got = capsys.readouterr()
    assert "line 1: not JSON" in got.err
    assert "line 2: field 'calls' is dict, expected a list of calls" in got.err
    assert "line 3: field 'calls[0]' is no call: it needs 'tool'" in got.err
    assert "1 of 2 calls refused" in got.out


def test_a_policy_is_read_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    runs = write(tmp_path / "a.jsonl", RUN)
    assert main(["guard", "check", runs, "--policy", write(tmp_path / "p.json", {"fields": {"order_id": "FREE"}})]) == 0
    assert main(["guard", "check", runs, "--policy", write(tmp_path / "q.json", {"writs": []})]) == 2
    assert "q.json: a policy has no field 'writs'" in capsys.readouterr().err
    assert main(["guard", "check", runs, "--policy", write(tmp_path / "s.json", "no")]) == 2
    assert main(["guard", "check", runs, "--policy", str(tmp_path / "none.json")]) == 2


def test_tools_that_only_the_ledger_names_exist_unless_strictly_read() -> None:
    run = parse_run({"reply": "", "tools": ["a"], "ledger": [{"tool": "b_thing", "args": {}}]})
    assert [d.allowed for d in replay(run)] == [True]
    assert [d.allowed for d in replay(run, strict_tools=True)] == [False]


def test_what_stands_in_the_field_seen_counts() -> None:
    call = {"tool": "pay_out", "args": {"account_id": "AC-77120"}}
    assert not replay(parse_run({"reply": "", "calls": [call]}))[0].allowed
    assert replay(parse_run({"reply": "", "calls": [call], "seen": {"account": "AC-77120"}}))[0].allowed


def test_a_run_whose_calls_cannot_be_read_names_the_field() -> None:
    with pytest.raises(InputError, match="calls") as e:
        replay(parse_run({"reply": "", "calls": "x"}))
    assert e.value.field == "calls"


def signed_run(tmp_path: Path) -> tuple[dict[str, Any], str]:
    ring = Keyring.of(HmacKey("k1", b"0123456789abcdef" * 2))
    ring.save(tmp_path / "keys.json")
    ledger = Ledger(conversation="c", signer=ring)
    ledger.message("user", "refund SU-88421")
    ledger.tool(lambda order_id: {"ok": True}, name="cancel_order")(order_id="SU-88421")
    ledger.message("assistant", "Done.")
    (run,) = runs_of(ledger.rows())
    return json.loads(json.dumps(run.to_dict())), str(tmp_path / "keys.json")


def test_with_keys_a_run_is_refused_that_says_anything_else_than_its_signed_rows(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run, keys = signed_run(tmp_path)
    call = {"tool": "cancel_order", "args": {"order_id": "SU-88421"}}
    rows = [
        run,
        {**run, "user": "refund SU-88412"},
        {k: v for k, v in run.items() if k != "chain"},
        {**run, "calls": [call]},
    ]
    file, out = write(tmp_path / "runs.jsonl", *rows), tmp_path / "out.jsonl"
    assert main(["guard", "check", file, "--keys", keys, "--out", str(out)]) == 2
    err = capsys.readouterr().err
    assert "line 2: refused: run 'c': 'user' is not the message recorded in row 1" in err
    assert "line 3: refused: run 'c' carries no signed rows" in err
    assert "run 'c': not in its signed rows, taken as given: calls" in err
    proofs = [json.loads(line)["proof"] for line in out.read_text().splitlines()]
    assert [p["open"] for p in proofs] == [[], ["calls"]]
    assert proofs[0]["bound"] == ["id", "ledger", "reply", "user", "tools"]
    assert main(["guard", "check", write(tmp_path / "a.jsonl", rows[3]), "--keys", keys, "--all-bound"]) == 2
    assert "do not hold calls" in capsys.readouterr().err
    assert main(["guard", "check", write(tmp_path / "b.jsonl", run), "--keys", keys, "--all-bound"]) == 0
    assert main(["guard", "check", str(tmp_path / "b.jsonl"), "--all-bound"]) == 2


def test_a_record_that_is_no_run_is_told_and_not_passed_over(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    claim = {"call_id": "toolu_01", "result": {"ok": True}}
    assert main(["guard", "check", write(tmp_path / "claims.jsonl", claim, {})]) == 2
    err = capsys.readouterr().err
    assert "line 1: this is no run (fields: call_id, result)" in err
    assert "line 2: this is no run (fields: none)" in err
    assert main(["guard", "check", write(tmp_path / "quiet.jsonl", {"reply": "Hi."}, {"calls": []})]) == 0
