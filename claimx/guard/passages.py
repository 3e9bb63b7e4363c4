"""The words that a run saw: short values as they stand, and the texts in which others are searched."""

from __future__ import annotations

from claimx.guard.identifiers import squeezed
from claimx.values import fold

#: Texts in which an identifier written with blanks (an IBAN) is searched, in characters.
_SQUEEZED = 20_000


class Passages:
    """Words and texts, each with the path where it was seen first."""

    def __init__(self) -> None:
        self._texts: list[tuple[str, str, str]] = []
        self._words: dict[str, str] = {}

    def add_word(self, text: str, path: str) -> None:
        """File a short value as a whole."""
        self._words.setdefault(fold(text.strip()), path)

    def add_text(self, text: str, path: str) -> None:
        """File a text."""
        self._texts.append((path, fold(text), squeezed(text) if len(text) <= _SQUEEZED else ""))

    def find(self, text: str) -> tuple[str, str] | None:
        """Find a value without digits, or written with blanks, as it stands in a field or inside a text."""
        needle, core = fold(text.strip()), squeezed(text)
        if len(needle) < 2 or (core == needle and core.isdigit()):
            return None
        path = self._words.get(needle)
        if path is not None:
            return path, "it is the same there"
        for path, folded, whole in self._texts:
            at = folded.find(needle)
            while at >= 0:
                end = at + len(needle)
                if not folded[max(0, at - 1) : at].isalnum() and not folded[end : end + 1].isalnum():
                    return path, "it stands in the text there"
                at = folded.find(needle, at + 1)
            if len(core) >= 10 and core in whole and any(c.isdigit() for c in core):
                return path, "it stands in the text there, blanks aside"
        return None
