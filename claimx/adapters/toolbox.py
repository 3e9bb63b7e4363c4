"""The tools that an agent could have called, as its records come to tell of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from claimx.types import Tool


class Toolbox:
    """Tools by their names; what tells a tool's parameters is kept before what does not."""

    def __init__(self, listed: Iterable[Any] = ()) -> None:
        self._tools: dict[str, Tool] = {}
        for definition in listed:
            self.add(definition)

    @property
    def all(self) -> tuple[Tool, ...]:
        """All tools known so far."""
        return tuple(self._tools.values())

    def add(self, definition: Any) -> None:
        """Take a definition or a name. What is neither is passed over.

        >>> box = Toolbox(["send", {"name": "send", "parameters": {"to": {}}}, 7])
        >>> [(t.name, t.parameters) for t in box.all]
        [('send', {'to': {}})]
        """
        try:
            tool = Tool.from_any(definition)
        except ValueError:
            return
        known = self._tools.get(tool.name)
        if known is None or (tool.parameters is not None and known.parameters is None):
            self._tools[tool.name] = tool
