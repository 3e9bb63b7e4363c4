"""Which replies are chosen for a person: the doubtful and the contradicted first, none twice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from claimx.annotate.example import Example
from claimx.annotate.selection import Candidate, candidates_of, select
from claimx.cli import main
from claimx.extract.doubt import doubt_of
from claimx.extract.model import load_model
from claimx.records import parse_run

RUN = {
    "id": "r1",
    "reply": "I refunded $64 for the order #4821.",
    "tools": ["issue_refund"],
    "ledger": [
        {"id": "c1", "tool": "issue_refund", "args": {"order_id": "#4821", "amount": 64}, "result": {"ok": True}}
    ],
}
NEVER = {**RUN, "id": "r2", "ledger": []}
TOLD_NOTHING = {**RUN, "id": "r3", "reply": "The order to you and you and you."}


def candidate(key: str, text: str, worth: float = 0.5) -> Candidate:
    return Candidate(Example(key, text, [], []), worth)


def ids(chosen: list[Candidate]) -> list[str]:
    return [c.example.id for c in chosen]


def test_a_contradicted_claim_is_worth_more_than_a_confirmed_one(tiny_model: Path) -> None:
    runs = [("s", parse_run(r)) for r in (RUN, NEVER, TOLD_NOTHING)]
    confirmed, never, silent = candidates_of(runs, model=tiny_model)
    assert never.worth > silent.worth > confirmed.worth
    assert never.reasons[-1].startswith("never_ran: ")
    assert silent.reasons == ("not told of: c1",)
    assert [a["trigger"]["text"] for a in never.example.actions] == ["refunded"]
    assert never.example.actions[0]["slots"][0]["type"] == "MONEY"


def test_doubt_is_between_nothing_and_one(tiny_model: Path) -> None:
    model = load_model(tiny_model)
    sure, unsure = doubt_of(model, "I refunded the order."), doubt_of(model, "blorb the")
    assert 0 <= sure < 0.2
    assert doubt_of(model, "") == 0.0
    assert 0 <= unsure <= 1


def test_the_worthy_come_first_and_like_replies_later() -> None:
    pool = [
        candidate("a", "The crane lifted the container onto the late train this morning", 0.9),
        candidate("b", "The crane lifted a container onto that late train this evening", 0.8),
        candidate("c", "Your mortgage statement went out by post", 0.7),
    ]
    assert ids(select(pool, 3).taken) == ["a", "c", "b"]
    assert ids(select(pool, 1).taken) == ["a"]


def test_near_duplicates_empty_and_known_replies_are_left_out() -> None:
    long = "We have cancelled the order and sent the refund to your card, it should arrive by Monday"
    pool = [
        candidate("a", long + " 12", 0.9),
        candidate("b", long + " 99", 0.5),
        candidate("c", "  ", 0.9),
        candidate("d", "Something else happened to the parcel in the northern depot last night", 0.1),
    ]
    found = select(pool, 10, known=[Example("k", pool[3].example.text, [], [])])
    assert ids(found.taken) == ["a"]
    assert (found.seen, found.repeated, found.empty, found.known) == (4, 1, 1, 1)


def test_the_command_writes_tasks_and_reads_them_back(
    tiny_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "runs"
    folder.mkdir()
    (folder / "july.jsonl").write_text("".join(json.dumps(r) + "\n" for r in (RUN, TOLD_NOTHING)), encoding="utf-8")
    out = tmp_path / "tasks.json"
    assert main(["annotate", str(folder), "--out", str(out), "--for", "doccano", "--model", str(tiny_model)]) == 0
    assert "2 of 2 replies chosen" in capsys.readouterr().err
    assert (tmp_path / "tasks.labels.json").is_file()
    assert main(["annotate", "import", str(out), "--out", str(tmp_path / "labels.jsonl")]) == 0
    rows = [json.loads(x) for x in (tmp_path / "labels.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {r["id"] for r in rows} == {"r1", "r3"}
    assert {r["domain"] for r in rows} == {"july"}
    again = ["annotate", str(folder), "--out", str(out), "--known", str(tmp_path / "labels.jsonl")]
    assert main([*again, "--model", str(tiny_model)]) == 0
    assert "0 of 2 replies chosen" in capsys.readouterr().err


def test_transcripts_of_other_tools_are_read_with_every_text_under_an_id_of_its_own(
    tiny_model: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, order in (("may", "A-1"), ("june", "B-7")):
        function = {"name": "cancel_order", "arguments": json.dumps({"id": order})}
        call = {"id": "c1", "type": "function", "function": function}
        messages = [
            {"role": "user", "content": f"Cancel {order} please."},
            {"role": "assistant", "content": f"Let me look {order} up in {name}.", "tool_calls": [call]},
            {"role": "tool", "tool_call_id": "c1", "content": '{"status": "cancelled"}'},
            {"role": "assistant", "content": f"I cancelled the {name} order {order}."},
        ]
        (tmp_path / f"{name}.json").write_text(json.dumps(messages), encoding="utf-8")
    out = tmp_path / "tasks.jsonl"
    args = ["annotate", str(tmp_path / "may.json"), str(tmp_path / "june.json"), "--out", str(out), "--for", "doccano"]
    assert main([*args, "--model", str(tiny_model)]) == 0
    assert "read as openai-chat" in capsys.readouterr().err
    tasks = [json.loads(x) for x in out.read_text(encoding="utf-8").splitlines()]
    assert sum("I cancelled" in t["text"] for t in tasks) == 2
    assert sum("Let me look" in t["text"] for t in tasks) == 2
    assert len({t["claimx_id"] for t in tasks}) == 4
    assert main([*args, "--model", str(tiny_model), "--turns", "last"]) == 0
    assert len(out.read_text(encoding="utf-8").splitlines()) == 2


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (["annotate", "import", "--out", "x"], "name the export"),
        (["annotate", "EMPTY", "--out", "x"], "holds no run"),
        (["annotate", "nowhere.jsonl", "--out", "x"], "no such file"),
        (["annotate", "EMPTY", "--out", "x", "--limit", "0"], "--limit is 0"),
    ],
)
def test_wrong_use_is_told(args: list[str], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty = tmp_path / "empty.jsonl"
    empty.write_text("", encoding="utf-8")
    assert main([str(empty) if a == "EMPTY" else a for a in args]) == 2
    assert says in capsys.readouterr().err
