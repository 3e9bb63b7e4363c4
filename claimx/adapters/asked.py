"""What the user asked, and which turn it made: words that nobody has answered yet are one question."""

from __future__ import annotations

from claimx.adapters.content import join


class Asked:
    """The user's last words and the number of the turn that they began; no turn (0) before the first."""

    def __init__(self) -> None:
        self.words: str | None = None
        self.turn = 0
        self._is_answered = True

    def add(self, text: str) -> None:
        """The user said something: a new turn, unless the agent has not answered yet.

        >>> asked = Asked()
        >>> asked.add("Hi."); asked.add("Refund it."); asked.answered(); asked.add("And now?")
        >>> asked.turn, asked.words
        (2, 'And now?')
        """
        if not text.strip():
            return
        if self._is_answered:
            self.turn += 1
            self.words = text
        else:
            self.words = join([self.words or "", "\n", text])
        self._is_answered = False

    def answered(self) -> None:
        """The agent spoke, or did something."""
        self._is_answered = True
