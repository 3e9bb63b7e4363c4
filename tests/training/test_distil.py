"""A student learns a teacher's distributions, and a cut tagger keeps what it was told to keep."""

from __future__ import annotations

from pathlib import Path

import pytest

pytestmark = pytest.mark.train


def tagger(*, layers: int = 2, neurons: int = 64, seed: int = 0):
    import torch
    from claimx.training.model import Tagger
    from transformers import BertConfig

    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=50, hidden_size=32, num_hidden_layers=layers, num_attention_heads=2, intermediate_size=neurons
    )
    return Tagger(config).eval()


def batch():
    import torch

    ids = torch.tensor([[1, 5, 6, 7, 2], [1, 8, 9, 2, 0]])
    tags = torch.tensor([[-100, 1, 0, 3, -100], [-100, 0, 1, -100, -100]])
    attributes = torch.full((2, 5, 3), -100)
    attributes[0, 1] = attributes[1, 2] = torch.tensor([0, 1, 0])
    links = torch.full((2, 5), -100)
    links[0, 3] = 1
    return {
        "input_ids": ids,
        "features": torch.zeros((2, 5, 3), dtype=torch.long),
        "attention_mask": (ids > 0).long(),
        "tags": tags,
        "attributes": attributes,
        "links": links,
        "key": torch.tensor([4, 9]),
    }


def test_the_loss_is_nothing_between_equals_and_something_between_others() -> None:
    from claimx.training.distil import distillation_loss

    one, other, b = tagger(), tagger(seed=1), batch()
    own = one.packed(b["input_ids"], b["features"], b["attention_mask"])
    theirs = other.packed(b["input_ids"], b["features"], b["attention_mask"])
    same = distillation_loss(one, one, own, own, b, temperature=1.5)
    differ = distillation_loss(one, other, own, theirs, b, temperature=1.5)
    assert abs(same.item()) < 1e-6
    assert differ.item() > 1e-3


def test_padding_teaches_nothing() -> None:
    from claimx.training.distil import distillation_loss

    one, other, b = tagger(), tagger(seed=1), batch()
    own = one.packed(b["input_ids"], b["features"], b["attention_mask"])
    theirs = other.packed(b["input_ids"], b["features"], b["attention_mask"]).clone()
    before = distillation_loss(one, other, own, theirs, b, temperature=1.0).item()
    theirs[1, 4] = 100.0
    assert distillation_loss(one, other, own, theirs, b, temperature=1.0).item() == pytest.approx(before)


def test_a_teacher_remembers_windows_across_a_restart(tmp_path: Path) -> None:
    import torch
    from claimx.training.distil import Teacher

    b = batch()
    first = Teacher(tagger(), tmp_path / "known.safetensors")
    said = first.packed(b)
    first.save()
    again = Teacher(tagger(seed=5), tmp_path / "known.safetensors").packed(b)
    inside = b["attention_mask"].bool()
    assert torch.allclose(said[inside], again[inside], atol=2e-2), "the cache answers, not the other weights"


def test_shrinking_to_the_same_shape_changes_nothing() -> None:
    import torch
    from claimx.training.shrink import shrink

    model, b = tagger(), batch()
    same = shrink(model, layers=[0, 1])
    args = b["input_ids"], b["features"], b["attention_mask"]
    assert torch.equal(model.packed(*args), same.packed(*args))


def test_neurons_that_never_speak_are_cut_first() -> None:
    import torch
    from claimx.training.shrink import shrink

    model, b = tagger(), batch()
    with torch.no_grad():
        for layer in model.encoder.encoder.layer:
            layer.output.dense.weight[:, 40:] = 0.0
    small = shrink(model, layers=[0, 1], neurons=40, batches=[b])
    args = b["input_ids"], b["features"], b["attention_mask"]
    assert small.config.intermediate_size == 40
    assert torch.allclose(model.packed(*args), small.packed(*args), atol=1e-5)


def test_layers_are_kept_in_the_order_given() -> None:
    import torch
    from claimx.training.shrink import shrink

    model = tagger(layers=3)
    small = shrink(model, layers=[0, 2])
    theirs = model.encoder.encoder.layer[2].output.dense.weight
    assert torch.equal(small.encoder.encoder.layer[1].output.dense.weight, theirs)
