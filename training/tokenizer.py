"""The tokenizer: the base encoder's word pieces, with signs that agents use in place of unused entries."""

from __future__ import annotations

import json
from pathlib import Path

from tokenizers import Tokenizer

from claimx.errors import ModelError

#: Signs that stand for a status or open a line in agents' replies and that the base vocabulary lacks.
SIGNS = (
    "✅ ❌ ✔ ✓ ✗ ✘ ☑ ⚠ 🎉 📧 📅 🔄 🚀 💳 📦 ℹ 👍 🙏 😊 🔧 📝 📌 🔍 ⏳ ⏰ 💡 🛑 🚫 🟢 🔴 🟡 ➡ ⬆ ⬇ ▶ ★ ☐ ✨ 🏠 💰 🗑 📁 📄 🔒 🔓 🎵 ✉ 📞 ☎ ⟶ ↳ ❗ ❓"
).split()


#: Opening, closing and masked piece, as the families of encoders call them.
SPECIAL = (("[CLS]", "[SEP]", "[MASK]"), ("<s>", "</s>", "<mask>"))


def special_ids(tokenizer: Tokenizer) -> tuple[int, int, int]:
    """Ids of the opening, the closing and the masked piece; raise ModelError when the vocabulary has none we know."""
    for names in SPECIAL:
        ids = tuple(tokenizer.token_to_id(t) for t in names)
        if None not in ids:
            return ids  # type: ignore[return-value]
    raise ModelError(
        "the base's tokenizer has neither [CLS], [SEP], [MASK] nor <s>, </s>, <mask>: take an encoder of the BERT, "
        "DistilBERT, ELECTRA, MPNet or RoBERTa family"
    )


def tokenizer_json_of(base: Path | str) -> str:
    """Return the tokenizer.json of any encoder with a fast tokenizer, with our signs where it has room for them.

    `base` is a folder or a name that transformers can resolve.
    """
    from transformers import AutoTokenizer

    backend = getattr(AutoTokenizer.from_pretrained(base), "backend_tokenizer", None)
    if backend is None:
        raise ModelError(
            f"{base} has no fast tokenizer (tokenizer.json): offsets into the text cannot be told without one"
        )
    return _with_signs(json.loads(backend.to_str()))


def _with_signs(spec: dict, signs: tuple[str, ...] = tuple(SIGNS)) -> str:
    vocab = spec["model"].get("vocab")
    unused = sum(t.startswith("[unused") for t in vocab) if isinstance(vocab, dict) else 0
    if unused >= len(signs):
        return _put_signs(spec, signs)
    spec["truncation"] = spec["padding"] = None
    return json.dumps(spec, ensure_ascii=False, separators=(",", ":"))


def make_tokenizer_json(base: Path, signs: tuple[str, ...] = tuple(SIGNS)) -> str:
    """Return a tokenizer.json whose unused entries carry `signs` (those the vocabulary lacks) as tokens of their own.

    `base` is the folder of the base encoder. Raises ValueError when it has fewer unused entries than signs.
    """
    try:
        return _put_signs(json.loads((base / "tokenizer.json").read_text(encoding="utf-8")), signs)
    except ValueError as e:
        raise ValueError(f"{base}: {e}") from e


def _put_signs(spec: dict, signs: tuple[str, ...]) -> str:
    vocab: dict[str, int] = spec["model"]["vocab"]
    unused = sorted((t for t in vocab if t.startswith("[unused")), key=vocab.__getitem__)
    missing = [s for s in signs if s not in vocab]
    if len(unused) < len(missing):
        raise ValueError(f"{len(missing)} signs but only {len(unused)} unused entries")
    for sign, entry in zip(missing, unused, strict=False):
        vocab[sign] = vocab.pop(entry)
    spec["model"]["vocab"] = dict(sorted(vocab.items(), key=lambda kv: kv[1]))
    plain = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": False}
    added = {t["content"] for t in spec["added_tokens"]}
    spec["added_tokens"] += [{"id": vocab[s], "content": s, **plain} for s in signs if s not in added]
    spec["added_tokens"].sort(key=lambda t: t["id"])
    spec["truncation"] = spec["padding"] = None
    return json.dumps(spec, ensure_ascii=False, separators=(",", ":"))
