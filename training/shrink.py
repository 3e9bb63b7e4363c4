"""Cutting a trained tagger to a smaller shape: some of its layers, and the neurons of each that matter most.

A feed-forward neuron's importance is its mean absolute activation on given windows times the norm of its outgoing
weights, the first-order estimate of what the layer's output loses without it (cf. Molchanov et al., arXiv:1611.06440).
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence

import torch
from claimx.training.model import Tagger
from torch import Tensor

from claimx.errors import ModelError


def neuron_importance(model: Tagger, batches: Iterable[dict[str, Tensor]]) -> list[Tensor]:
    """Return one vector (intermediate size,) a layer."""
    sums: list[Tensor] = [torch.zeros(model.config.intermediate_size) for _ in model.encoder.encoder.layer]

    def watch(at: int) -> object:
        def hook(_module: object, _inputs: object, output: Tensor) -> None:
            sums[at] += output.detach().abs().mean(dim=(0, 1))

        return model.encoder.encoder.layer[at].intermediate.register_forward_hook(hook)

    handles = [watch(i) for i in range(len(sums))]
    model.eval()
    with torch.no_grad():
        for b in batches:
            model.packed(b["input_ids"], b["features"], b["attention_mask"])
    for h in handles:
        h.remove()  # type: ignore[attr-defined]
    return [
        s * layer.output.dense.weight.detach().norm(dim=0)
        for s, layer in zip(sums, model.encoder.encoder.layer, strict=True)
    ]


def shrink(
    model: Tagger, *, layers: Sequence[int], neurons: int | None = None, batches: Sequence[dict[str, Tensor]] = ()
) -> Tagger:
    """Return a copy with the given layers, in order, and the `neurons` most important feed-forward neurons of each.

    `batches` are windows as `collate` gives them; needed where `neurons` is smaller than the model's.
    """
    if not hasattr(model.config, "intermediate_size") or not hasattr(model.encoder, "encoder"):
        raise ModelError(
            f"a {model.config.model_type} encoder cannot be cut: start from a BERT encoder, or keep its shape"
        )
    config = copy.deepcopy(model.config)
    size = model.config.intermediate_size if neurons is None else min(neurons, model.config.intermediate_size)
    config.num_hidden_layers, config.intermediate_size = len(layers), size
    importance = neuron_importance(model, batches) if size < model.config.intermediate_size else None
    small = Tagger(config)
    state, own = model.state_dict(), small.state_dict()
    prefix = "encoder.encoder.layer."
    for name in own:
        source, keep = name, None
        if name.startswith(prefix):
            at, rest = name.removeprefix(prefix).split(".", 1)
            source = f"{prefix}{layers[int(at)]}.{rest}"
            if importance is not None:
                keep = importance[layers[int(at)]].topk(size).indices.sort().values
        value = state[source]
        if keep is not None and "intermediate.dense" in name:
            value = value[keep]
        elif keep is not None and name.endswith(".output.dense.weight") and "attention" not in name:
            value = value[:, keep]
        own[name] = value.clone()
    small.load_state_dict(own)
    return small.eval()
