"""The tokenizer: the base encoder's word pieces, with signs that agents use in place of unused entries."""

from __future__ import annotations

import json
from pathlib import Path

#: Signs that stand for a status or open a line in agents' replies and that the base vocabulary lacks.
SIGNS = (
    "✅ ❌ ✔ ✓ ✗ ✘ ☑ ⚠ 🎉 📧 📅 🔄 🚀 💳 📦 ℹ 👍 🙏 😊 🔧 📝 📌 🔍 ⏳ ⏰ 💡 🛑 🚫 🟢 🔴 🟡 ➡ ⬆ ⬇ ▶ ★ ☐ ✨ 🏠 💰 🗑 📁 📄 🔒 🔓 🎵 ✉ 📞 ☎ ⟶ ↳ ❗ ❓"
).split()


def make_tokenizer_json(base: Path, signs: tuple[str, ...] = tuple(SIGNS)) -> str:
    """Return a tokenizer.json whose unused entries carry `signs` (those the vocabulary lacks) as tokens of their own.

    `base` is the folder of the base encoder. Raises ValueError when it has fewer unused entries than signs.
    """
    spec = json.loads((base / "tokenizer.json").read_text(encoding="utf-8"))
    vocab: dict[str, int] = spec["model"]["vocab"]
    unused = sorted((t for t in vocab if t.startswith("[unused")), key=vocab.__getitem__)
    missing = [s for s in signs if s not in vocab]
    if len(unused) < len(missing):
        raise ValueError(f"{len(missing)} signs but only {len(unused)} unused entries in {base}")
    for sign, entry in zip(missing, unused, strict=False):
        vocab[sign] = vocab.pop(entry)
    spec["model"]["vocab"] = dict(sorted(vocab.items(), key=lambda kv: kv[1]))
    plain = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": False}
    added = {t["content"] for t in spec["added_tokens"]}
    spec["added_tokens"] += [{"id": vocab[s], "content": s, **plain} for s in signs if s not in added]
    spec["added_tokens"].sort(key=lambda t: t["id"])
    spec["truncation"] = spec["padding"] = None
    return json.dumps(spec, ensure_ascii=False, separators=(",", ":"))
