"""Which stretches of a reply are not English. The model reads English alone, and must never pass other text as checked.

Common English words settle the usual case at once. Where they are few, a lexicon tells how much of a stretch is English
(names, headings and identifiers aside), and py3langid (a naive Bayes model over 97 languages, offline) how much it looks
like another language; both must say so before a stretch is called foreign. A line or sentence is judged at a time.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from importlib.resources import files
from typing import Any

from claimx.extract.clauses import code_of, sentences_of
from claimx.verb_families import FAMILY_OF
from claimx.verbs import lemma

#: Frequent English words that are rare or absent in the other languages of Latin script.
_ENGLISH = frozenset(
    "the and of to is that it for you your i i've i'm i'll we was with this have has been are be will would if not at "
    "from or an they which can as by on but my our their there here what when please let know no any all done its "
    "it's you're we've we'll don't didn't could should into after before sent found now".split()
)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]{0,200}`", re.DOTALL)
_NOT_BREAK = re.compile(r"[^\n]")
_ADDRESS = frozenset("/\\_@")
_MIN_LETTERS = 14
#: Enough text to tell a language by.
_MAX_LENGTH = 4000
#: Scripts that one language writes, by the first word of their letters' Unicode names.
_SCRIPTS = {
    "BENGALI": "bn", "TAMIL": "ta", "TELUGU": "te", "KANNADA": "kn", "MALAYALAM": "ml", "GUJARATI": "gu",
    "GURMUKHI": "pa", "SINHALA": "si", "LAO": "lo", "MYANMAR": "my", "KHMER": "km", "GEORGIAN": "ka", "ARMENIAN": "hy",
    "ETHIOPIC": "am", "THAI": "th", "HEBREW": "he", "GREEK": "el", "HANGUL": "ko", "HIRAGANA": "ja", "KATAKANA": "ja",
    "DEVANAGARI": "hi",
}  # fmt: skip
#: Scripts that several languages write: the identifier tells them apart.
_SHARED_SCRIPTS = frozenset({"LATIN", "CYRILLIC", "ARABIC", "CJK"})
#: What is said alone when something is done, too short for any identifier.
_DONE = {
    "de": "erledigt fertig gesendet verschickt versendet storniert gelöscht gebucht geschlossen bestätigt erstattet aktualisiert",
    "es": "hecho listo lista enviado enviada cancelado cancelada reservado confirmado confirmada eliminado actualizado",
    "fr": "terminé terminée envoyé envoyée annulé annulée réservé réservée confirmé confirmée supprimé supprimée voilà",
    "pt": "pronto feito feita enviado enviada concluído cancelado cancelada excluído atualizado",
    "it": "fatto inviato inviata annullato annullata prenotato confermato eliminato eliminata aggiornato",
    "nl": "klaar gedaan verzonden verstuurd geannuleerd geboekt bevestigd verwijderd bijgewerkt",
    "pl": "gotowe zrobione wysłane wysłano anulowane anulowano", "cs": "hotovo odesláno zrušeno",
    "sv": "klart skickat avbokat raderat", "da": "færdig sendt annulleret slettet", "no": "ferdig kansellert slettet",
    "fi": "valmis lähetetty peruttu", "tr": "tamam gönderildi yapıldı", "ro": "gata trimis anulat",
    "hu": "kész elküldve törölve", "id": "selesai terkirim dibatalkan",
}  # fmt: skip
_DONE_IN = {word: code for code, words in _DONE.items() for word in words.split()}
#: Words of languages that the identifier does not know in Latin letters; two of them in a stretch are enough.
_CUES = {
    "hi": "hai hain kar kardi diya diye gaya gayi gaye kiya kiye maine mene mera aapka aapki aapke nahi bhej hua hui raha wapas",
    "tl": "ang mga ko mo ng sa naman niyo iyong inyong po siya",
}  # fmt: skip
_CUE_OF = {word: code for code, words in _CUES.items() for word in words.split()}
#: Particles of names: "Hôtel de Crillon", "Calle de Alcalá".
_PARTICLES = frozenset(
    "de la da del dei della di du des en el al le les von van der den dos das und y e au aux".split()
)
#: English with an accent.
_LOANS = frozenset(
    "café cafés résumé résumés naïve façade crème brûlée entrée entrées jalapeño jalapeños fiancé fiancée cliché née "
    "sauté sautéed purée protégé soufflé décor déjà vu exposé piñata señor señora à la carte rosé pâté passé".split()
)
#: Below this share of English words a stretch may be foreign.
_SHARE = 0.5
#: What the identifier leaves to English at most where a stretch is called foreign, with and without an English word in it.
_LEFT_MIXED, _LEFT = 0.1, 0.25
#: The same for two words beside English.
_LEFT_PAIR = 0.03


@lru_cache(maxsize=1)
def _identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(["en", "de", "fr", "es", "it", "pt", "nl", "pl", "sv", "da", "no", "fi", "tr", "cs", "ro",
                              "hu", "id", "vi", "ru", "uk", "el", "ar", "he", "hi", "th", "ja", "ko", "zh"])  # fmt: skip
    return identifier


@lru_cache(maxsize=1)
def _lexicon() -> frozenset[str]:
    lines = files("claimx.extract").joinpath("english.txt").read_text(encoding="utf-8").splitlines()
    return frozenset(" ".join(line for line in lines if not line.startswith("#")).split())


@lru_cache(maxsize=4096)
def _is_english(word: str) -> bool:
    low = word.lower().replace("’", "'")
    lexicon = _lexicon()
    if low in _ENGLISH or low in lexicon or low in _LOANS or low.removesuffix("'s") in lexicon:
        return True
    base = lemma(low)
    return base in FAMILY_OF or (base != low and base in lexicon)


def language_of(text: str) -> str | None:
    """Return the ISO 639-1 code of a stretch of text, None when it holds too little language to tell.

    Text in letters that no language writes in prose (mathematical ones) is `und`, as ISO 639-2 has it.

    >>> language_of("I have sent the invoice to your address."), language_of("4821 / 17:30")
    ('en', None)
    >>> language_of("Bestelling geannuleerd."), language_of("Order 4821 cancelled."), language_of("Juan Pérez García")
    ('nl', 'en', None)
    """
    return _language_of(text, alone=True)


def _language_of(text: str, *, alone: bool) -> str | None:
    """Whether a stretch stands `alone`, without English beside it, decides how little is enough to call it foreign."""
    bare = " ".join(w for w in _CODE.sub(" ", text[:_MAX_LENGTH]).split() if _ADDRESS.isdisjoint(w))
    words = _WORD.findall(bare)
    if not words:
        return None
    letters = sum(map(len, words))
    other = [] if bare.isascii() else [c for w in words for c in w if c > "\u024f"]
    if len(other) >= (1 if alone else 4) and len(other) * 2 > letters:
        return _of_script(other, bare)
    known = sum(w.lower().replace("’", "'") in _ENGLISH for w in words)
    if known / len(words) >= 0.4 and len(words) > 2:
        return "en"
    return _of_words(words, bare, alone)


def _of_script(letters: list[str], bare: str) -> str:
    scripts = [unicodedata.name(c, "UNKNOWN").split()[0].split("-")[0] for c in letters[:200]]
    if any(s in ("HIRAGANA", "KATAKANA") for s in scripts):
        return "ja"
    script = max(scripts, key=scripts.count)
    if script in _SCRIPTS:
        return _SCRIPTS[script]
    if script not in _SHARED_SCRIPTS:
        return "und"
    return str(next(code for code, _ in _identifier().rank(bare) if code != "en"))


def _of_words(words: list[str], bare: str, alone: bool) -> str | None:
    """Judge words of Latin letters. A capital inside a stretch makes a name of a word, and names are of every language."""
    following = [*words[1:], ""]
    plain = [
        w
        for w, after in zip(words, following, strict=True)
        if w[0].islower() and len(w) > 1 and not (w in _PARTICLES and after[:1].isupper())
    ]
    first = words[0]
    if (plain or len(words) == 1) and first[0].isupper() and first[1:].islower():
        plain.insert(0, first)
    if not plain:
        return None
    if len(plain) > 1 and plain[0] is first and not _is_english(first) and _is_english(plain[-1]):
        plain = plain[1:]  # a name may stand first
    low = [w.lower() for w in plain]
    cues = [_CUE_OF[w] for w in low if w in _CUE_OF]
    if len(cues) > 1:
        return max(cues, key=cues.count)
    share = sum(map(_is_english, plain)) / len(plain)
    if share > _SHARE:
        return "en"
    done = next((_DONE_IN[w] for w in low if w in _DONE_IN), None)
    if done:
        return done
    if len(words) == 1:
        return None
    ranked = _identifier().rank(bare)
    code, probability = ranked[0]
    left = next(p for c, p in ranked if c == "en")
    if code == "en":
        return "en"
    if not alone and (len(plain) < 2 or sum(map(len, words)) < _MIN_LETTERS):
        return None
    if share == 0 and (len(plain) > 1 or probability >= 0.6):
        most = _LEFT if alone else _LEFT_MIXED if len(plain) > 2 else _LEFT_PAIR
    elif share < _SHARE or len(plain) > 3:
        most = _LEFT_MIXED
    else:
        return None
    return str(code) if left < most else None


def foreign_stretches(text: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """Return the main language and the (start, end) of the stretches that are in another language than English.

    Neighbouring stretches are joined; undecided ones take the language before them, at the start that after them.
    """
    prose = _without_code(text)
    parts = sentences_of(prose)
    codes = [_language_of(prose[s:e], alone=False) for s, e in parts]
    if "en" not in codes:
        codes = [_language_of(prose[s:e], alone=True) for s, e in parts]
    whole = None
    if not any(codes):
        whole = _language_of(prose, alone=True)
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
            if foreign and not prose[foreign[-1][1] : s].strip():
                foreign[-1] = (foreign[-1][0], e)
            else:
                foreign.append((s, e))
    main = max(weight, key=weight.__getitem__) if weight else whole or "en"
    return main, tuple(foreign)


def _without_code(text: str) -> str:
    """Blank out fenced code of a named language: what stands in it is nobody's statement, in no language."""
    for start, end in code_of(text):
        text = text[:start] + _NOT_BREAK.sub(" ", text[start:end]) + text[end:]
    return text
