"""Stand-ins: keyed, of the same length and form as what they stand for, and alike where the originals were alike.

Digits are exchanged by a permutation that fixes 0, so that numbers that shared digits, differed by a slip or by a factor of
ten still do; values that are related in this way share one permutation, others have their own. Letters of names become other
names; letters inside mixed codes are exchanged for letters of their kind.
"""

from __future__ import annotations

import hashlib
import hmac
import random
import re
import string
from collections.abc import Iterable

from claimx.values import near_miss

_NAMES = (
    "Al Bo Cy Di Ed Ix Jo Ky Lu Mo Ny Oz Pi Ra Su Ty Vi Wu Xi Yu Ada Ben Cal Dov Eli Fay Gil Ida Jed Kit Lea Mia Ned Oda Pia "
    "Rex Sol Tia Uri Val Wes Yan Zoe Abel Bela Cora Dane Edna Finn Gwen Hugo Iris Jago Kira Lars Mara Nils Olga Pell Rhea "
    "Sven Tova Ursa Vera Wynn Yara Zeno Agnes Bruno Celia Doron Elena Felix Greta Hanno Ingar Jonas Klara Lotta Milan Nadia "
    "Orsin Petra Quill Ronan Silas Tamar Ulric Viggo Wanda Yoram Zelda Adrian Bettan Carmen Dorian Evelyn Florin Gideon "
    "Helena Isolde Jasper Katrin Leonie Marius Nestor Oriana Pascal Renata Stefan Tobias Ursina Verena Willem Yvonne Ambrose "
    "Beatrix Clemens Dagmara Estelle Fabrizi Gregory Henrike Ignazio Jocelyn Kasimir Leopold Matilda Norbert Ottilie "
    "Philipp Rosalin Soraya Tiberia Valerio Winifre Bertrand Caspian Dorothea Emmerich Florence Gottlieb Hildegar Isabella "
    "Josephin Konstant Leonidas Marcello Nathanie Ottokars Penelope Reinhard Sebastia Theodora Valentin Wilhelma Alexandra "
    "Benedikta Christoff Domenicus Eleonores Ferdinand Guinevere Hieronyma Josephine Katharina Leonardos Maximilia "
    "Nathaniel Ottoline Sebastian Theodoric Wilhelmin"
).split()
_CONSONANTS, _VOWELS = "bdfgklmnprstvz", "aeiou"


#: A few letters before a number say what is numbered: they stay.
_PREFIXED = re.compile(r"[A-Za-z]{1,4}\d+")


class StandIns:
    """Makes stand-ins under a key; the same key gives the same ones, and no two originals of a run share one."""

    def __init__(self, key: bytes, related: Iterable[str] = ()) -> None:
        self._key = key
        self._tables: dict[str, dict[str, str]] = {}
        self._heads = _clusters(sorted(set(related)))
        self._words: dict[str, str] = {}
        self._used: set[str] = set()

    def rng(self, *parts: str) -> random.Random:
        digest = hmac.new(self._key, "\x1f".join(parts).encode("utf-8", "surrogatepass"), hashlib.sha256).digest()
        return random.Random(int.from_bytes(digest, "big"))  # noqa: S311  seeded by the keyed digest on purpose

    def _table(self, digits: str) -> dict[str, str]:
        """The permutation of digits for a value, by its cluster: 0 stays, as many others as can be change."""
        head = self._heads.get(significant(digits), significant(digits))
        if head not in self._tables:
            rng = self.rng("digits", head)
            others = list("123456789")
            while any(a == b for a, b in zip("123456789", others, strict=True)):
                rng.shuffle(others)
            self._tables[head] = dict(zip("0123456789", ["0", *others], strict=True))
        return self._tables[head]

    def digits(self, text: str) -> str:
        """Exchange the digits of a text, all else staying as it is."""
        table = self._table("".join(c for c in text if c.isascii() and c.isdigit()))
        return "".join(table.get(c, c) for c in text)

    def code(self, text: str) -> str:
        """Exchange digits, and letters in parts that mix both (or in codes without any digit); a prefix stays."""
        parts = _parts(text)
        has_digit = any(c.isdigit() for c in text)
        is_hex = has_digit and all(c in string.hexdigits for p in parts for c in p if p.isalnum()) and len(text) >= 7
        out = []
        for part in parts:
            mixed = any(c.isalpha() for c in part) and (any(c.isdigit() for c in part) or not has_digit)
            kept = not is_hex and _PREFIXED.fullmatch(part)
            out.append(self._letters(part, is_hex) if (mixed and not kept) or (is_hex and part.isalpha()) else part)
        return self.digits("".join(out))

    def _letters(self, part: str, is_hex: bool) -> str:
        """Exchange letters one by one under one permutation a key, case kept; hexadecimal stays hexadecimal."""
        alphabet = "abcdef" if is_hex else string.ascii_lowercase
        others = list(alphabet)
        rng = self.rng("letters", alphabet)
        while any(a == b for a, b in zip(alphabet, others, strict=True)):
            rng.shuffle(others)
        table = dict(zip(alphabet, others, strict=True))
        return "".join(table.get(c, c) if c.islower() else table.get(c.lower(), c.lower()).upper() for c in part)

    def word(self, word: str) -> str:
        """Exchange a word of a name for another name of its length, in its letter case."""
        folded = word.casefold()
        if folded not in self._words:
            rng = self.rng("name", folded)
            options = [n.lower() for n in _NAMES if len(n) == len(word)]
            rng.shuffle(options)
            options = [o for o in options if o != folded and o not in self._used]
            made = options[0] if options else self._syllables(rng, len(word))
            while made in self._used or made == folded:
                made = self._syllables(rng, len(word))
                if len(word) < 3:
                    break
            self._used.add(made)
            self._words[folded] = made
        made = self._words[folded]
        if word.isupper() and len(word) > 1:
            return made.upper()
        return "".join(m.upper() if w.isupper() else m for w, m in zip(word, made, strict=True))

    def known_initial(self, letter: str) -> str | None:
        """The initial of the stand-in of a name of this run that begins with a letter; None when there is none."""
        found = [made for word, made in self._words.items() if word[:1] == letter.lower()]
        if len(found) != 1:
            return None
        return found[0][0].upper() if letter.isupper() else found[0][0]

    def _syllables(self, rng: random.Random, length: int) -> str:
        out = ""
        while len(out) < length:
            out += rng.choice(_CONSONANTS) + rng.choice(_VOWELS)
        return out[:length]


def significant(digits: str) -> str:
    """A number's digits without the zeros at its ends, which a factor of ten moves."""
    return digits.strip("0")


def _parts(text: str) -> list[str]:
    """Runs of letters and digits, and what stands between them."""
    out: list[str] = []
    for c in text:
        if out and c.isalnum() == out[-1][-1].isalnum():
            out[-1] += c
        else:
            out.append(c)
    return out


def _clusters(numbers: list[str]) -> dict[str, str]:
    """Map each number's significant digits to the head of its cluster: equal, contained, or one slip apart."""
    keys = sorted({significant(n) for n in numbers if significant(n)})
    head = {k: k for k in keys}

    def find(k: str) -> str:
        while head[k] != k:
            k = head[k]
        return k

    for i, a in enumerate(keys[:600]):
        for b in keys[i + 1 : 600]:
            contained = min(len(a), len(b)) >= 2 and (a in b or b in a)
            if contained or near_miss(a, b) is not None:
                first, second = sorted((find(a), find(b)))
                head[second] = first
    return {k: find(k) for k in keys}
