"""An archive as numbered shards of runs, each id once; what is left out or wrong is counted and told.

The same archive with the same options gives the same shards, so a later session can take up where one was killed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Any, NamedTuple

from claimx.adapters import Found, read_runs
from claimx.archive.facets import PATHS, Facets, facets_of, leads
from claimx.archive.identities import IdIndex, digest64
from claimx.archive.marks import canonical, mark_of
from claimx.archive.reading import Reader, read_source
from claimx.archive.selection import Selection, names_in
from claimx.archive.sources import Source
from claimx.archive.watching import REWRITTEN, BrokenSource, ChangedSource
from claimx.errors import InputError, InputNote
from claimx.types import Run

#: A shard is one file of the output: so many runs at most, or so many bytes of JSON.
SHARD_RUNS, SHARD_BYTES = 4096, 48 * 1024 * 1024
#: A chunk is what a worker gets at a time.
CHUNK_RUNS, CHUNK_BYTES = 64, 2 * 1024 * 1024
_LINE_BITS = 40


@dataclass(frozen=True, slots=True)
class Item:
    """A run to score. `content` is a digest of what is judged: equal contents get equal receipts."""

    run: Run
    file: str
    line: int
    facets: Facets
    content: bytes


@dataclass(frozen=True, slots=True)
class Reject:
    """A record that was not scored. `kind`: record, file, duplicate, conflict, crash; `note` for what was odd and cost no run."""

    file: str
    line: int
    kind: str
    reason: str
    id: str | None = None
    field: str | None = None

    def to_dict(self) -> dict[str, Any]:
        return {k: getattr(self, k) for k in ("file", "line", "kind", "reason", "id", "field")}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Reject:
        return cls(data["file"], data["line"], data["kind"], data["reason"], data.get("id"), data.get("field"))


@dataclass(slots=True)
class Shard:
    """Runs that go into one file. `marks` are digests of the chunks: of the runs, all their fields, and where they stand."""

    number: int
    chunks: list[list[Item]]
    marks: tuple[str, ...]
    runs: int


@dataclass(slots=True)
class Intake:
    """Reads the sources. The counts grow as shards are drawn; `read` counts runs and faulty records."""

    sources: Sequence[Source]
    reader: Reader = read_runs
    selection: Selection = field(default_factory=Selection)
    paths: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: PATHS)
    on_reject: Callable[[Reject], None] = lambda _: None
    shard_runs: int = SHARD_RUNS
    read: int = 0
    notes: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    rejected: Counter[str] = field(default_factory=Counter)
    #: Files that are no longer what they were when the score began, and what was read of them.
    changed: list[Reject] = field(default_factory=list)
    _ids: IdIndex = field(default_factory=IdIndex)
    _done: int = 0
    _within: int = 0
    #: Names in the condition that no run has had so far: misspelt ones stay.
    unseen: set[str] = field(default_factory=set)
    #: Facets that no run has had so far where a path of the user's own leads.
    unmapped: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self.unmapped = {name for name, own in self.paths.items() if own != PATHS[name]}
        if self.selection.where is not None:
            self.unseen = set(self.selection.where.names)

    @property
    def fraction(self) -> float | None:
        """How much of the archive was read (0 to 1), None when its size is not known."""
        total = sum(s.size for s in self.sources)
        return min(1.0, (self._done + self._within) / total) if total else None

    def shards(self) -> Iterator[Shard]:
        """Yield the shards in order."""
        number, total = 0, 0
        taken: list[_Taken] = []
        for found in self._items():
            taken.append(found)
            total += found.size
            if len(taken) >= self.shard_runs or total >= SHARD_BYTES:
                yield _shard(number, taken)
                number, total, taken = number + 1, 0, []
        if taken:
            yield _shard(number, taken)

    def tell_changed(self, file: str, line: int, reason: str) -> None:
        """Note that a file is no longer what it was when the score began."""
        self.notes += 1
        self.changed.append(Reject(file, line, "note", reason))
        self.on_reject(self.changed[-1])

    def tell_rewritten(self, shard: Shard, files: set[str]) -> None:
        """Note which of `files` have runs in a shard that no earlier session has seen, and take them out."""
        for item in (i for chunk in shard.chunks for i in chunk if i.file in files):
            files.discard(item.file)
            self.tell_changed(item.file, item.line, REWRITTEN.format(item.line))

    def _items(self) -> Iterator[_Taken]:
        for place, source in enumerate(self.sources):
            self._within = 0
            names: Counter[int] = Counter()
            for found in read_source(source, self.reader, self._advance):
                if isinstance(found.error, ChangedSource):
                    self.tell_changed(source.label, found.line, _reason(found.error))
                    continue
                if isinstance(found.error, InputNote):
                    self.notes += 1
                    self.on_reject(Reject(source.label, found.line, "note", _reason(found.error)))
                    continue
                self.read += 1
                if found.error is not None:
                    kind = "file" if isinstance(found.error, BrokenSource) else "record"
                    self._reject(Reject(source.label, found.line, kind, _reason(found.error), field=found.error.field))
                    continue
                item = self._accepted(found, source, place, names)
                if item is not None:
                    yield item
            self._done += source.size

    def _advance(self, at: int) -> None:
        self._within = at

    def _accepted(self, found: Found, source: Source, place: int, names: Counter[int]) -> _Taken | None:
        run = found.run
        assert run is not None  # noqa: S101  the caller has taken the errors out
        if not run.id:
            if names and found.line not in names:
                names.clear()
            names[found.line] += 1
            nth = names[found.line]
            run = replace(run, id=f"{source.label}:{found.line}" + (f"#{nth}" if nth > 1 else ""))
        if not run.id.isascii():  # ids that differ must differ in the output too, which holds no lone surrogates
            run = replace(run, id=run.id.encode("utf-8", "backslashreplace").decode("utf-8"))
        facets = facets_of(run, self.paths)
        if self.unseen:
            self.unseen -= names_in(run, facets).keys()
        if self.unmapped:
            self.unmapped -= {name for name in self.unmapped if leads(run, name, self.paths)}
        why = self.selection.refuses(run, facets)
        if why is not None:
            self.skipped[why] += 1
            return None
        try:
            judged, beside = canonical(run)
        except (RecursionError, ValueError, TypeError) as e:
            what = "nested too deeply" if isinstance(e, RecursionError) else f"cannot be written as JSON ({e})"
            self._reject(Reject(source.label, found.line, "record", f"the run is {what}"[:500], id=run.id))
            return None
        whole = digest64(judged + beside)
        first = self._ids.add(run.id, whole, place << _LINE_BITS | found.line)
        if first is not None:
            same = first.content == whole
            where = f"{self.sources[first.place >> _LINE_BITS].label}, line {first.place & (1 << _LINE_BITS) - 1}"
            reason = (
                f"the same run stands at {where}"
                if same
                else f"another run has this id at {where}: give each run an id of its own"
            )
            self._reject(Reject(source.label, found.line, "duplicate" if same else "conflict", reason, id=run.id))
            return None
        content = blake2b(judged, digest_size=16).digest()
        return _Taken(Item(run, source.label, found.line, facets, content), len(judged) + len(beside), whole)

    def _reject(self, reject: Reject) -> None:
        self.rejected[reject.kind] += 1
        self.on_reject(reject)


class _Taken(NamedTuple):
    """A run of a shard: how much JSON it is, and a digest of all its fields."""

    item: Item
    size: int
    whole: int


def _shard(number: int, taken: list[_Taken]) -> Shard:
    chunks: list[list[_Taken]] = [[]]
    room = CHUNK_BYTES
    for one in taken:
        if chunks[-1] and (len(chunks[-1]) >= CHUNK_RUNS or room < one.size):
            chunks.append([])
            room = CHUNK_BYTES
        chunks[-1].append(one)
        room -= one.size
    marks = tuple(mark_of((t.item, t.whole) for t in chunk) for chunk in chunks)
    return Shard(number, [[t.item for t in chunk] for chunk in chunks], marks, len(taken))


def _reason(error: InputError) -> str:
    """Leave the line out: it has a field of its own."""
    return str(error).removeprefix(f"line {error.line}: ")
