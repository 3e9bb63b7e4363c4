"""The spaCy component `claimx`: annotates a Doc with actions, their attributes and values.

    nlp = spacy.blank("en")
    nlp.add_pipe("claimx")
    doc = nlp("I've refunded $64.")
    doc.spans["claimx"]          # ACTION, OBJECT and slot spans
    doc._.claimx                 # the Extraction, with exact character offsets

ACTION spans carry `span._.claimx_tense`, `claimx_modality`, `claimx_actor`, `claimx_verb`, `claimx_score`,
`claimx_is_claim`, `claimx_object` and `claimx_slots`. Spans are widened to whole tokens; the Extraction is exact.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import tee
from pathlib import Path
from typing import Any

from spacy.language import Language
from spacy.tokens import Doc, Span

from claimx.extract.labels import ACTION, OBJECT
from claimx.extract.model import Model, load_model
from claimx.extract.reading import read, read_stream
from claimx.types import Action, Extraction

SPANS_KEY = "claimx"
_ATTRIBUTES = ("tense", "modality", "actor", "verb", "score", "is_claim", "object", "slots")


def register_extensions() -> None:
    """Register the extension attributes on Doc and Span; calling it again changes nothing."""
    if not Doc.has_extension("claimx"):
        Doc.set_extension("claimx", default=None)
    for name in _ATTRIBUTES:
        if not Span.has_extension(f"claimx_{name}"):
            Span.set_extension(f"claimx_{name}", default=None)


class ClaimxComponent:
    """Pipeline component over a claimx model.

    `path` is a model folder, None for the shipped model. `threads` replies are read at a time in `pipe`; each reply runs
    by itself at its exact length, so an answer never depends on what else is in the batch.
    """

    def __init__(self, nlp: Language, name: str = "claimx", *, path: str | None = None, threads: int = 1) -> None:
        register_extensions()
        self.name = name
        self.path = path
        self.threads = threads
        self._model: Model | None = None

    @property
    def model(self) -> Model:
        """The loaded model; loading happens at first use."""
        if self._model is None:
            self._model = load_model(self.path)
        return self._model

    def __call__(self, doc: Doc) -> Doc:
        self.set_annotations([doc], self.predict([doc]))
        return doc

    def pipe(self, stream: Iterable[Doc], *, batch_size: int = 64) -> Iterator[Doc]:
        """Annotate a stream of docs, `threads` at a time, in order."""
        docs, texts = tee(stream)
        read_ahead = read_stream(self.model, (d.text for d in texts), threads=self.threads, batch_size=batch_size)
        for doc, (_, extraction) in zip(docs, read_ahead, strict=True):
            self.set_annotations([doc], [extraction])
            yield doc

    def predict(self, docs: Iterable[Doc]) -> list[Extraction]:
        """Read docs without changing them."""
        return [read(self.model, doc.text) for doc in docs]

    def set_annotations(self, docs: Iterable[Doc], predictions: Iterable[Extraction]) -> None:
        """Write predictions to `doc._.claimx` and `doc.spans["claimx"]`."""
        for doc, extraction in zip(docs, predictions, strict=True):
            annotate(doc, extraction)

    def to_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> None:
        """Copy the model folder, so that the pipeline loads where the original is not."""
        import shutil

        source = self.model.path
        target = Path(path)
        target.mkdir(parents=True, exist_ok=True)
        if source is not None:
            for file in source.iterdir():
                if file.suffix in {".onnx", ".json", ".md"}:
                    shutil.copy2(file, target / file.name)

    def from_disk(self, path: str | Path, *, exclude: Iterable[str] = ()) -> ClaimxComponent:
        """Use the model folder that `to_disk` wrote."""
        self.path = str(path)
        self._model = load_model(path)
        return self


def annotate(doc: Doc, extraction: Extraction) -> None:
    """Lay an extraction over a doc as spans; a pure function of its two arguments but for the doc it changes."""
    doc._.claimx = extraction
    spans: dict[tuple[int, int, str], Span] = {}

    def lay(start: int, end: int, label: str) -> Span | None:
        span = doc.char_span(start, end, label=label, alignment_mode="expand")
        if span is None or not len(span):
            return None
        return spans.setdefault((span.start, span.end, label), span)

    for action in extraction.actions:
        trigger = lay(action.trigger.start, action.trigger.end, ACTION)
        target = lay(action.object.start, action.object.end, OBJECT) if action.object else None
        slots = [s for s in (lay(slot.start, slot.end, str(slot.type)) for slot in action.slots) if s is not None]
        if trigger is not None:
            _describe(trigger, action, target, slots)
    for value in extraction.values:
        lay(value.start, value.end, str(value.type))
    doc.spans[SPANS_KEY] = [spans[k] for k in sorted(spans)]


def _describe(span: Span, action: Action, target: Span | None, slots: list[Span]) -> None:
    span._.claimx_tense = str(action.tense)
    span._.claimx_modality = str(action.modality)
    span._.claimx_actor = str(action.actor)
    span._.claimx_verb = action.verb
    span._.claimx_score = action.score
    span._.claimx_is_claim = action.is_claim
    span._.claimx_object = target
    span._.claimx_slots = slots


@Language.factory(
    "claimx",
    assigns=["doc.spans", "doc._.claimx"],
    default_config={"path": None, "threads": 1},
)
def make_claimx(nlp: Language, name: str, path: str | None, threads: int) -> ClaimxComponent:
    """Make the component; `path` is a model folder (None: the shipped model), `threads` the replies read at a time."""
    return ClaimxComponent(nlp, name, path=path, threads=threads)


def extraction_of(doc: Doc) -> Extraction:
    """Return what the component found; raise ValueError when it has not seen the doc."""
    found: Any = doc._.claimx if Doc.has_extension("claimx") else None
    if not isinstance(found, Extraction):
        raise ValueError("the doc was not processed by the component 'claimx'")
    return found
