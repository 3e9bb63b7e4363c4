"""Tasks out to four tools and labels back: nothing is lost on the way, and what is wrong is said where it is."""

from __future__ import annotations

import copy
import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from claimx.annotate import label_studio
from claimx.annotate.example import Example
from claimx.annotate.exchange import FORMATS, read_export, read_labelled, write_tasks
from claimx.annotate.marks import ATTRIBUTES, KINDS
from claimx.annotate.markup import compile_markup
from claimx.annotate.selection import Candidate
from claimx.errors import FormatError

MARKED = (
    "🎉 I ⟦sent|A1 paa⟧ ⟦Ana|PERSON1⟧ the ⟦invoice|O1⟧ ⟦INV-7|ID1,2⟧ and I'll ⟦void|A2 faa⟧ ⟦it|O2⟧. Total: ⟦$5|MONEY⟧",
    "⟦Could|MONEY⟧n't tell.",
    "Nothing was said here.",
)


def example(marked: str = MARKED[0], key: str = "r1") -> Example:
    text, actions, values = compile_markup(marked)
    return Example(key, text, actions, values, origin="in-house", domain="billing", voice="in-house")


def labels(e: Example) -> tuple:
    return e.text, e.actions, e.values


def as_export(path: Path, form: str) -> None:
    """What the tool gives back when a person accepts every task as it is."""
    if form == "label-studio":
        tasks = json.loads(path.read_text(encoding="utf-8"))
        for n, task in enumerate(tasks, 1):
            result = task.pop("predictions")[0]["result"]
            task |= {"id": n, "annotations": [{"id": n, "was_cancelled": False, "result": result}]}
        path.write_text(json.dumps(tasks), encoding="utf-8")
    elif form == "prodigy":
        rows = [{**json.loads(x), "answer": "accept", "_input_hash": 1} for x in path.read_text("utf-8").splitlines()]
        path.write_text("".join(json.dumps(r) + "\n" for r in rows), encoding="utf-8")


@pytest.mark.parametrize("form", FORMATS)
def test_labels_come_back_as_they_went(form: str, tmp_path: Path) -> None:
    sent = [example(m, f"r{n}") for n, m in enumerate(MARKED)]
    files = write_tasks(tmp_path / "tasks.json", [Candidate(e, 0.5, ("unsure",)) for e in sent], form)
    as_export(files[0], form)
    found = read_export(files[0])
    assert found.faults == []
    assert [labels(e) for e in found.examples] == [labels(e) for e in sent]
    assert [e.id for e in found.examples] == ["r0", "r1", "r2"]
    assert {e.domain for e in found.examples} == {"billing"}


def test_the_labelling_configuration_holds_the_whole_schema() -> None:
    root = ET.fromstring(label_studio.make_config())
    assert [x.get("value") for x in root.iter("Label")] == list(KINDS)
    choices = {c.get("name"): [x.get("value") for x in c] for c in root.iter("Choices")}
    assert choices == {k: list(v) for k, v in ATTRIBUTES.items()}
    assert all(c.get("perRegion") == "true" and c.get("whenLabelValue") == "ACTION" for c in root.iter("Choices"))


def test_label_studio_accepts_the_tasks() -> None:
    interface = pytest.importorskip("label_studio_sdk.label_interface", reason="label-studio-sdk is not installed")
    config = interface.LabelInterface(label_studio.make_config())
    config.validate()
    task = label_studio.make_task(Candidate(example(), 0.5), model="m")
    assert config.validate_prediction(task["predictions"][0], return_errors=True) == []


def task_of(e: Example) -> dict:
    made = label_studio.make_task(Candidate(e, 0.5), model="m")
    return {"id": 9, "data": made["data"], "annotations": [{"id": 1, "result": made["predictions"][0]["result"]}]}


def read(tmp_path: Path, task: dict):
    path = tmp_path / "export.json"
    path.write_text(json.dumps([task]), encoding="utf-8")
    return read_export(path)


def test_offsets_in_utf16_units_are_read_by_what_they_quote(tmp_path: Path) -> None:
    task = task_of(example())
    for item in task["annotations"][0]["result"]:
        if "value" in item:
            item["value"]["start"] += 1  # the emoji before it counts twice in JavaScript
            item["value"]["end"] += 1
    found = read(tmp_path, task)
    assert found.faults == []
    assert labels(found.examples[0]) == labels(example())


def broken(change) -> dict:
    task = copy.deepcopy(task_of(example()))
    change(task["annotations"][0]["result"])
    return task


def region(result: list, quote: str, kind: str = "labels") -> dict:
    return next(r for r in result if r.get("type") == kind and r["value"]["text"] == quote)


def unlink(result: list) -> None:
    result[:] = [r for r in result if r["type"] != "relation"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda r: region(r, "sent")["value"].update(labels=["Acton"]), "'Acton' is not in the schema: did you mean ACTION?"),
        (lambda r: r.remove(region(r, "sent", "choices")), "the tense of 'sent' is missing: choose one of past, present"),
        (lambda r: region(r, "sent", "choices")["value"].update(choices=["late"]), "the tense of 'sent' 'late' is not one of"),
        (lambda r: region(r, "$5")["value"].update(start=500, end=502), "offsets 500-502 are outside the text"),
        (lambda r: region(r, "$5")["value"].update(start=0, end=2), "the label was put on '$5'"),
        (unlink, "is linked to no action"),
        (lambda r: r.append({"type": "relation", "from_id": "m2", "to_id": "m3"}), "must join an action with its object"),
        (lambda r: r.append({"type": "relation", "from_id": "m2", "to_id": "nope"}), "no label of this reply"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_with_task_and_label(change, says: str, tmp_path: Path) -> None:
    found = read(tmp_path, broken(change))
    assert found.examples == []
    assert found.faulty == 1
    assert any(says in f and f.startswith("export.json: task 1 (id r1)") for f in found.faults), found.faults


def test_blanks_at_the_edge_of_a_label_are_left_out(tmp_path: Path) -> None:
    def widen(result: list) -> None:
        for kind in ("labels", "choices"):
            for r in result:
                if r["type"] == kind and r["value"]["text"] == "sent":
                    r["value"].update(start=r["value"]["start"] - 1, text=" sent")

    found = read(tmp_path, broken(widen))
    assert found.faults == []
    assert found.examples[0].actions[0]["trigger"]["text"] == "sent"


def test_skipped_tasks_and_rejected_ones_carry_no_labels(tmp_path: Path) -> None:
    task = task_of(example())
    task["annotations"][0]["was_cancelled"] = True
    assert read(tmp_path, task).skipped == 1
    path = tmp_path / "p.jsonl"
    path.write_text(json.dumps({"text": "hi", "spans": [], "answer": "reject"}) + "\n", encoding="utf-8")
    assert read_export(path).skipped == 1


def test_the_last_of_several_annotations_counts(tmp_path: Path) -> None:
    task = task_of(example())
    first = {**task["annotations"][0], "updated_at": "2026-01-01T00:00:00Z", "result": []}
    task["annotations"] = [{**task["annotations"][0], "updated_at": "2026-02-01T00:00:00Z"}, first]
    assert len(read(tmp_path, task).examples[0].actions) == 2


def test_prodigy_relations_are_found_by_their_tokens_alone(tmp_path: Path) -> None:
    path = write_tasks(tmp_path / "t.jsonl", [Candidate(example(), 0.5)], "prodigy")[0]
    task = json.loads(path.read_text(encoding="utf-8"))
    for r in task["relations"]:
        del r["head_span"], r["child_span"]
    for token in task["tokens"]:
        assert task["text"][token["start"] : token["end"]] == token["text"]
    path.write_text(json.dumps(task), encoding="utf-8")
    assert labels(read_export(path).examples[0]) == labels(example())


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ('{"foo": 1}', "not an export that can be read (fields: foo)"),
        ("[1,", "not JSON"),
    ],
)
def test_other_files_are_refused(content: str, says: str, tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(FormatError, match=says.replace("(", r"\(").replace(")", r"\)")):
        read_export(path)


def test_a_faulty_line_does_not_stop_the_next(tmp_path: Path) -> None:
    path = tmp_path / "d.jsonl"
    good = {"text": "Done.", "entities": [], "relations": []}
    path.write_text(
        "{oops\n" + json.dumps({"text": 3, "entities": []}) + "\n" + json.dumps(good) + "\n", encoding="utf-8"
    )
    found = read_export(path)
    assert found.faulty == 2
    assert "line 1: not JSON" in found.faults[0]
    assert "line 2: a line needs 'text' and 'entities'" in found.faults[1]
    assert [e.id for e in found.examples] == ["d/3"]


def test_a_folder_is_read_whole_and_a_text_once(tmp_path: Path) -> None:
    for name in ("a.jsonl", "b.jsonl"):
        (tmp_path / name).write_text(json.dumps(example().to_dict()) + "\n", encoding="utf-8")
    (tmp_path / "c.txt").write_text("=== domain=x voice=y\nI ⟦left|A1 paa⟧.\n", encoding="utf-8")
    found = read_labelled([tmp_path])
    assert len(found.examples) == 2
    assert found.repeated == 1
