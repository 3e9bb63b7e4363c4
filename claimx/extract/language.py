"""Which stretches of a reply are not English. The model reads English alone, and must never pass other text as checked.

Common English words settle the usual case at once; py3langid (a naive Bayes model over 97 languages, offline) decides
the doubtful ones, a line or sentence at a time.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from claimx.extract.clauses import sentences_of

#: Frequent English words that are rare or absent in the other languages of Latin script.
_ENGLISH = frozenset(
    "the and of to is that it for you your i i've i'm i'll we was with this have has been are be will would if not at "
    "from or an they which can as by on but my our their there here what when please let know no any all done its "
    "it's you're we've we'll don't didn't could should into after before sent found now".split()
)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]{0,200}`", re.DOTALL)
_ADDRESS = frozenset("/\\_@")
_MIN_LETTERS = 14
#: Enough text to tell a language by.
_MAX_LENGTH = 4000


@lru_cache(maxsize=1)
def _identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(["en", "de", "fr", "es", "it", "pt", "nl", "pl", "sv", "da", "no", "fi", "tr", "cs", "ro",
                              "hu", "id", "vi", "ru", "uk", "el", "ar", "he", "hi", "th", "ja", "ko", "zh"])  # fmt: skip
    return identifier


def language_of(text: str) -> str | None:
    """Return the ISO 639-1 code of a stretch of text, None when it holds too little language to tell.

    >>> language_of("I have sent the invoice to your address."), language_of("4821 / 17:30")
    ('en', None)
    """
    bare = " ".join(w for w in _CODE.sub(" ", text[:_MAX_LENGTH]).split() if _ADDRESS.isdisjoint(w))
    words = _WORD.findall(bare)
    letters = sum(map(len, words))
    foreign_script = sum(1 for w in words for c in w if c > "\u024f")
    if foreign_script >= 4 and foreign_script * 2 > letters:
        return str(_identifier().classify(bare)[0])
    if letters < _MIN_LETTERS or len(words) < 3:
        return None
    known = sum(w.lower().replace("’", "'") in _ENGLISH for w in words)
    if known / len(words) >= 0.2:
        return "en"
    code, probability = _identifier().classify(bare)
    # Lists of names and headings hold few function words: without a clear answer they count as undecided.
    if code == "en":
        return "en"
    if known and probability < 0.999:
        return "en"
    return str(code) if probability >= 0.95 and letters >= 20 else None


def foreign_stretches(text: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Return the main language and the (start, end) of the stretches that are in another language than English.

    Neighbouring stretches are joined; undecided ones take the language before them, at the start that after them.
    """
    parts = sentences_of(text)
    codes = [language_of(text[s:e]) for s, e in parts]
    whole = None
    if not any(codes):
        whole = language_of(text)
        codes = [whole] * len(codes)
    weight: dict[str, int] = {}
    foreign: list[tuple[int, int]] = []
    last: str | None = next((c for c in codes if c), None)
    for (s, e), code in zip(parts, codes, strict=True):
        effective = code or last
        if code:
            weight[code] = weight.get(code, 0) + e - s
            last = code
        if effective not in (None, "en"):
            if foreign and not text[foreign[-1][1] : s].strip():
                foreign[-1] = (foreign[-1][0], e)
            else:
                foreign.append((s, e))
    main = max(weight, key=weight.__getitem__) if weight else whole or "en"
    return main, tuple(foreign)
