"""Recipes: what they may say, and the stages that they name, each trained once."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from claimx.annotate.example import Example
from claimx.errors import CorpusError

pytestmark = pytest.mark.train
QUICK = {"epochs": 1, "batch_size": 6, "threads": 1, "augment_rate": 0.0}


@pytest.fixture(scope="module")
def stages(own: list[Example], encoder: Path):
    """Trains the stages of a recipe on six replies, from the small encoder."""
    from claimx.training.inhouse import start_of
    from claimx.training.pipeline import train_stages
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_str(start_of(str(encoder))[1])

    def run(recipe: dict[str, Any], work: Path, *, replies: slice = slice(0, 6), **paths: Path) -> None:
        train_stages(recipe, own[replies], own[6:8], base=str(encoder), tokenizer=tokenizer, work=work, **paths)

    return run


def tags_of(folder: Path):
    from claimx.training.saved import load_weights

    return load_weights(folder).tags.weight.detach()


def written(folder: Path) -> int:
    return (folder / "weights.safetensors").stat().st_mtime_ns


def test_without_a_teacher_one_tagger_is_trained(stages, tmp_path: Path) -> None:
    work = tmp_path / "work"
    stages({"train": QUICK}, work)
    assert (work / "weights.safetensors").is_file()
    assert not (work / "teacher").exists()
    assert list(tmp_path.glob("teacher-*")) == []


@pytest.fixture(scope="module")
def taught(stages, tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Path]:
    """A recipe with a teacher of three layers, whose student starts from two of them and hardly moves; and its folder."""
    recipe = {
        "start": "teacher", "teacher": {**QUICK, "seed": 1},
        "train": {**QUICK, "layers": [0, 2], "distil": 0.5, "variants": 1, "learning_rate": 1e-12, "head_learning_rate": 1e-12},
    }  # fmt: skip
    work = tmp_path_factory.mktemp("stages") / "work"
    stages(recipe, work)
    return recipe, work


def test_the_teacher_is_trained_first_and_the_student_starts_from_its_layers(taught) -> None:
    import torch
    from claimx.training.saved import load_weights

    _, work = taught
    teacher, student = load_weights(work / "teacher"), load_weights(work)
    assert (teacher.config.num_hidden_layers, student.config.num_hidden_layers) == (3, 2)
    assert torch.allclose(teacher.tags.weight, student.tags.weight, atol=1e-6)
    ours, theirs = student.encoder.encoder.layer[1].state_dict(), teacher.encoder.encoder.layer[2].state_dict()
    assert all(torch.allclose(ours[k], theirs[k], atol=1e-6) for k in ours)
    assert len(list(work.parent.glob("teacher-*.safetensors"))) == 1, "the student learned from the teacher's outputs"


def test_from_the_base_the_student_starts_anew(stages, taught, tmp_path: Path) -> None:
    import torch

    recipe, work = taught
    stages({**recipe, "start": "base"}, tmp_path / "work", teacher=work / "teacher")
    assert not torch.allclose(tags_of(tmp_path / "work"), tags_of(work / "teacher"), atol=1e-3)
    assert not (tmp_path / "work" / "teacher").exists(), "a teacher that was given is not trained"


def test_a_restart_trains_only_the_stages_that_are_not_finished(stages, taught) -> None:
    recipe, work = taught
    before = written(work / "teacher"), written(work)
    stages(recipe, work)
    assert (written(work / "teacher"), written(work)) == before
    (work / "weights.safetensors").unlink()
    stages(recipe, work)
    assert written(work / "teacher") == before[0]
    assert written(work) > before[1]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"train": {"epochs": 2}}, r"work holds a run with other .*\(settings\.epochs was 1, is 2\): give --fresh"),
        ({"teacher": {"seed": 2, "epochs": 3}}, r"teacher holds a run .*\(settings\.epochs was 1, is 3; settings\.seed was 1, is 2\)"),
        ({"data": slice(0, 5)}, r"teacher holds a run with other .*\(data differs\)"),
    ],
    ids=["student", "teacher", "data"],
)  # fmt: skip
def test_weights_of_another_recipe_or_other_data_are_not_taken_for_this_one(
    change: dict[str, Any], says: str, stages, taught
) -> None:
    recipe, work = taught
    before = written(work / "teacher"), written(work)
    changed = {**recipe, **{k: {**recipe[k], **v} for k, v in change.items() if k != "data"}}
    with pytest.raises(CorpusError, match=says):
        stages(changed, work, replies=change.get("data", slice(0, 6)))
    assert (written(work / "teacher"), written(work)) == before, "what lies there is left as it is"


def test_a_student_of_other_weights_is_told(stages, taught, tmp_path: Path) -> None:
    import torch
    from claimx.training.saved import load_weights, save_weights

    recipe, work = taught
    other = load_weights(work / "teacher")
    with torch.no_grad():
        other.tags.bias += 1.0
    save_weights(other, tmp_path / "other")
    with pytest.raises(CorpusError, match=r"\(base differs; teacher differs\)"):
        stages(recipe, work, teacher=tmp_path / "other", start_from=tmp_path / "other")


def test_how_many_threads_train_changes_nothing_that_is_learned(stages, taught) -> None:
    recipe, work = taught
    before = written(work)
    stages({**recipe, "train": {**recipe["train"], "threads": 2}}, work)
    assert written(work) == before


def test_weights_without_a_record_are_taken_and_told(stages, taught, tmp_path: Path, capsys) -> None:
    recipe, work = taught
    copy = shutil.copytree(work, tmp_path / "work")
    (copy / "run.json").unlink()
    stages(recipe, copy)
    assert "work holds weights without a record of recipe and data: taken as they are" in capsys.readouterr().err


def write(folder: Path, text: str) -> Path:
    path = folder / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[train]\nepoch = 3\n", r"mine.toml: \[train\] has unknown keys epoch \(known: .*epochs"),
        ("[teacher]\nlayer = 6\n", r"\[teacher\] has unknown keys layer "),
        ("[data]\ngeneratd = 3\n", r"\[data\] has unknown keys generatd \(known: generated, real, "),
        ("[export]\nint4 = true\n", r"\[export\] has unknown keys int4 \(known: int8\)"),
        ("[tran]\nepochs = 3\n", r"unknown keys tran \(known: data, export, start, teacher, train\)"),
        ("train = 3\n", r"mine.toml: train is 3, expected a table"),
        ("[train]\nepochs = \n", r"mine.toml: not TOML \("),
        ('start = "teacher"\n', r"start is 'teacher': write \"base\", or \"teacher\" where there is a \[teacher\] table"),
        ('start = "teach"\n[teacher]\n', r"start is 'teach'"),
        ("[teacher]\nepochs = 3\n", r"\[teacher\] is trained for nothing: give distil in \[train\]"),
    ],
)  # fmt: skip
def test_a_recipe_that_cannot_be_followed_is_told(text: str, says: str, tmp_path: Path) -> None:
    from claimx.training.pipeline import read_recipe

    with pytest.raises(CorpusError, match=says):
        read_recipe(write(tmp_path, text))


@pytest.mark.parametrize(
    "text",
    ["", "[train]\nepochs = 3\n", "[train]\ndistil = 0.5\n[teacher]\nepochs = 2\n[data]\n[export]\n",
     'start = "teacher"\n[teacher]\nepochs = 2\n'],
)  # fmt: skip
def test_a_recipe_may_leave_out_what_it_likes(text: str, tmp_path: Path) -> None:
    from claimx.training.pipeline import read_recipe

    assert isinstance(read_recipe(write(tmp_path, text)), dict)


def test_the_shipped_recipe_is_found_by_its_name_and_a_missing_one_is_told(tmp_path: Path) -> None:
    from claimx.training.pipeline import read_recipe

    assert read_recipe(tmp_path / "base.toml")["train"]["layers"] == [0, 1, 2]
    with pytest.raises(CorpusError, match=r"no recipe other\.toml: give a TOML file"):
        read_recipe(tmp_path / "other.toml")


@pytest.mark.parametrize("inside", ["start_from", "teacher"])
def test_starting_over_never_discards_the_weights_it_starts_from(inside: str, tmp_path: Path) -> None:
    weights = tmp_path / "work" / "earlier"
    weights.mkdir(parents=True)
    (weights / "weights.safetensors").write_bytes(b"x")
    recipe = tmp_path / "short.toml"
    recipe.write_text("[train]\nepochs = 1\n", encoding="utf-8")
    from claimx.training.pipeline import run

    with pytest.raises(CorpusError, match=r"earlier lies in .*work, which would be discarded: move it out"):
        run(recipe, out=tmp_path / "out", work=tmp_path / "work", fresh=True, **{inside: weights})
    assert (weights / "weights.safetensors").exists()


def test_going_back_needs_weights_to_go_back_to(stages, tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match="give such weights, or leave it out"):
        stages({"train": {**QUICK, "blend": 0.5}}, tmp_path / "work")


def test_a_blended_tagger_lies_between_the_weights_it_started_from_and_those_it_came_to(stages, tmp_path: Path) -> None:
    import torch
    from claimx.training.saved import load_weights

    stages({"train": QUICK}, tmp_path / "start")
    for name, share in (("whole", 1.0), ("part", 0.4)):
        stages({"train": {**QUICK, "seed": 3, "blend": share}}, tmp_path / name, start_from=tmp_path / "start")
    start, whole, part = (load_weights(tmp_path / n).state_dict() for n in ("start", "whole", "part"))
    assert any(not torch.equal(start[k], whole[k]) for k in start)
    for k, v in part.items():
        torch.testing.assert_close(v, torch.lerp(start[k], whole[k], 0.4) if v.is_floating_point() else whole[k])
