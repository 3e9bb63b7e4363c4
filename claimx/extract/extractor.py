"""Text in, Extraction out, without spaCy's ceremony: one path for one reply and for many."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from claimx.extract.encoding import without_surrogates
from claimx.extract.model import Model, load_model
from claimx.extract.reading import read_stream
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
    """Reads replies with a model folder, or with a spaCy pipeline that holds the component `claimx`.

    `model` is a model folder (None: the shipped one) or such a pipeline. `threads` is the number of replies that
    `extract_many` reads at a time, each at its exact length on one thread. The model is loaded at first use; an extractor is
    cheap to make and can be pickled. With a folder spaCy is not even imported: the component and the extractor share one reader.
    """

    def __init__(self, model: str | Path | Language | None = None, *, threads: int = 1) -> None:
        self._source = model
        self.threads = threads
        self._model: Model | None = None
        self._nlp: Language | None = None

    @property
    def model(self) -> Model:
        """The model, loaded at first use. Raises ModelError when the folder cannot be read."""
        if self._model is None:
            if self._has_pipeline:
                component: Any = self.nlp.get_pipe("claimx")
                self._model = component.model
            else:
                self._model = load_model(cast("str | Path | None", self._source))
        return cast("Model", self._model)

    @property
    def nlp(self) -> Language:
        """The spaCy pipeline: the given one, or a blank English one with the component, made at first use."""
        if self._nlp is None:
            self._nlp = cast("Language", self._source) if self._has_pipeline else self._make_pipeline()
        return self._nlp

    def extract_full(self, text: str) -> Extraction:
        """Extract the actions, claims and values of one reply of any length."""
        return next(self.extract_stream([text]))

    def extract_many(self, texts: Iterable[str]) -> list[Extraction]:
        """Extract from many replies, in order."""
        return list(self.extract_stream(texts))

    def extract_stream(self, texts: Iterable[str]) -> Iterator[Extraction]:
        """Extract from a stream of replies, in order, `threads` at a time."""
        given: deque[str] = deque()

        def clean() -> Iterator[str]:
            for text in texts:
                given.append(text)
                yield without_surrogates(text)

        read = self._piped(clean()) if self._has_pipeline else read_stream(self.model, clean(), threads=self.threads)
        for seen, found in read:
            text = given.popleft()
            yield found if seen == text else _resliced(found, text)

    @property
    def _has_pipeline(self) -> bool:
        return self._source is not None and not isinstance(self._source, str | os.PathLike)

    def _piped(self, texts: Iterable[str]) -> Iterator[tuple[str, Extraction]]:
        """Run the given pipeline's components, whatever they are, and take what ours found."""
        from claimx.extract.component import extraction_of

        docs: Iterable[Any] = map(self.nlp.make_doc, texts)
        for _, component in self.nlp.pipeline:
            docs = component.pipe(docs) if hasattr(component, "pipe") else map(component, docs)
        for doc in docs:
            yield doc.text, extraction_of(doc)

    def _make_pipeline(self) -> Language:
        import spacy

        import claimx.extract.component  # noqa: F401  registers the factory where the entry point is not installed

        nlp = spacy.blank("en")
        # Replies may be longer than spaCy's default limit, which guards parsers that we do not run.
        nlp.max_length = 1_000_000_000
        path = None if self._source is None else str(self._source)
        component: Any = nlp.add_pipe("claimx", config={"path": path, "threads": self.threads})
        component._model = self.model
        return nlp

    def __getstate__(self) -> dict[str, object]:
        return {"_source": self._source, "threads": self.threads, "_model": None, "_nlp": None}

    def __setstate__(self, state: dict[str, object]) -> None:
        self.__dict__.update(state)
