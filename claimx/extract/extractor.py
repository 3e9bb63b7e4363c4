"""Extraction without spaCy's ceremony: text in, Extraction out, one path for one reply and for many."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from claimx.extract.encoding import without_surrogates
from claimx.types import Extraction

if TYPE_CHECKING:
    from spacy.language import Language


def _resliced(found: Extraction, text: str) -> Extraction:
    """Quote the reply as given where spaCy could not hold it: lone surrogates are read as U+FFFD, one for one."""

    def quoted(span: Any) -> Any:
        return replace(span, text=text[span.start : span.end])

    actions = tuple(
        replace(
            quoted(a),
            trigger=quoted(a.trigger),
            object=quoted(a.object) if a.object else None,
            slots=tuple(map(quoted, a.slots)),
        )
        for a in found.actions
    )
    return replace(found, actions=actions, values=tuple(map(quoted, found.values)))


class Extractor:
    """Reads replies with a spaCy pipeline that holds the component `claimx`.

    `model` is a model folder (None: the shipped one) or a spaCy pipeline with the component in it. `threads` is the
    number of replies that `extract_many` reads at a time, each at its exact length on one thread. The model is loaded
    at first use; an extractor is cheap to make and can be pickled.
    """

    def __init__(self, model: str | Path | Language | None = None, *, threads: int = 1) -> None:
        self._source = model
        self.threads = threads
        self._nlp: Language | None = None

    @property
    def nlp(self) -> Language:
        """The spaCy pipeline, loaded at first use. Raises ModelError when the model cannot be read."""
        if self._nlp is None:
            self._nlp = self._load()
        return self._nlp

    def extract_full(self, text: str) -> Extraction:
        """Extract the actions, claims and values of one reply of any length."""
        return next(self.extract_stream([text]))

    def extract_many(self, texts: Iterable[str]) -> list[Extraction]:
        """Extract from many replies, in order."""
        return list(self.extract_stream(texts))

    def extract_stream(self, texts: Iterable[str]) -> Iterator[Extraction]:
        """Extract from a stream of replies, in order, `threads` at a time."""
        from claimx.extract.component import extraction_of

        nlp = self.nlp
        read: deque[str] = deque()

        def made() -> Iterator[Any]:
            for text in texts:
                read.append(text)
                yield nlp.make_doc(without_surrogates(text))

        docs: Iterable[Any] = made()
        for _, component in nlp.pipeline:
            docs = component.pipe(docs) if hasattr(component, "pipe") else map(component, docs)
        for doc in docs:
            text = read.popleft()
            found = extraction_of(doc)
            yield found if text.isascii() or doc.text == text else _resliced(found, text)

    def _load(self) -> Language:
        source = self._source
        if source is not None and not isinstance(source, str | os.PathLike):
            return source
        import spacy

        import claimx.extract.component  # noqa: F401  registers the factory where the entry point is not installed

        nlp = spacy.blank("en")
        # Replies may be longer than spaCy's default limit, which guards parsers that we do not run.
        nlp.max_length = 1_000_000_000
        component: Any = nlp.add_pipe(
            "claimx", config={"path": None if source is None else str(source), "threads": self.threads}
        )
        component.model  # noqa: B018  load now, so that a faulty folder is reported here
        return nlp

    def __getstate__(self) -> dict[str, object]:
        keeps = self._source is None or isinstance(self._source, str | os.PathLike)
        return {"_source": self._source, "threads": self.threads, "_nlp": None if keeps else self._nlp}

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state)
