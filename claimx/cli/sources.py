"""Where commands find recorded calls: a ledger's store, or a file of runs that were exported from one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from claimx.cli.io import complain
from claimx.errors import InputError, LedgerError, VerificationError
from claimx.ledger import Binding, Keyring, Row, Store, check_proof, fold, open_store
from claimx.ledger.folding import CHAIN
from claimx.records import open_input, parse_run, read_records
from claimx.types import LedgerEntry, Run


@dataclass(frozen=True)
class Conversation:
    """What a source holds of one conversation. `rows` is None for an exported run without its signed rows."""

    name: str
    rows: list[Row] | None
    run: Run | None = None

    @property
    def entries(self) -> list[LedgerEntry]:
        return list(self.run.ledger) if self.run is not None else fold(self.rows or [])

    @property
    def readable(self) -> list[LedgerEntry]:
        """The calls of the rows that can be read, whatever became of the others."""
        if self.run is not None:
            return self.entries
        return fold(r for r in self.rows or () if r.damage is None)


def conversations_of(address: str, *, only: str | None = None) -> Iterator[Conversation]:
    """Yield the conversations of a store, or of a file of runs. Raises LedgerError if it hasn't the one asked for."""
    found = False
    for conversation in _runs(address) if _holds_runs(address) else _stored(address, only):
        if only is None or conversation.name == only:
            found = True
            yield conversation
    if only is not None and not found:
        raise LedgerError(f"{address}: no conversation {only!r}")


def open_existing(address: str) -> Store:
    """Open a store that is there; a ledger is never made by looking at it."""
    try:
        return open_store(address, must_exist=True)
    except LedgerError as e:
        if completions_in(address):
            raise LedgerError(
                f"{address}: it keeps completion states, not a ledger: `claimx ledger verify` verifies it, "
                "`Completions.document` reads an action"
            ) from e
        raise


@dataclass(frozen=True)
class CompletionFile:
    """A file that keeps completion states; `is_ledger` tells that it keeps recorded calls as well."""

    path: Path
    is_ledger: bool


def completions_in(address: str) -> CompletionFile | None:
    """The completion states at an address, None where there are none."""
    path = Path(address.removeprefix("sqlite:///"))
    if "://" in str(path) or not path.is_file() or path.suffix.lower() in (".jsonl", ".ndjson", ".json"):
        return None
    from claimx.completion.looking import holds_completions, tables_of

    return CompletionFile(path, "claimx_rows" in tables_of(path)) if holds_completions(path) else None


def proved_by(
    path: str | None,
    *,
    complete: bool = False,
    told: Callable[[Run, Binding], None] | None = None,
    also_open: Callable[[Run], tuple[str, ...]] = lambda run: (),
) -> Callable[..., Run]:
    """Return what reads a run and, with a key file, refuses one whose signed ledger doesn't verify.

    `told` is called with what the signed rows bind; `complete` refuses a run of which they leave something open.
    `also_open` names further fields that the verdict depends on and no row holds.
    """
    if complete and path is None:
        raise InputError("--all-bound goes with --keys: without keys nothing is bound")
    if path is None:
        return parse_run
    keys = Keyring.load(path)

    def read(data: Any, *, line: int | None = None) -> Run:
        run = parse_run(data, line=line)
        try:
            binding = check_proof(run, keys, complete=complete)
            binding = Binding(binding.bound, (*binding.open, *also_open(run)))
            if complete and binding.open:
                raise VerificationError(f"run {run.id!r}: its signed rows do not hold {', '.join(binding.open)}")
        except VerificationError as e:
            raise InputError(f"{f'line {line}: ' if line else ''}refused: {e}", line=line, field=CHAIN) from e
        if told is not None:
            told(run, binding)
        return run

    return read


def _stored(address: str, only: str | None) -> Iterator[Conversation]:
    store = open_existing(address)
    try:
        for name in store.conversations() if only is None else [only]:
            rows = store.read(name)
            if rows:
                yield Conversation(name, rows)
    finally:
        store.close()


def _runs(path: str) -> Iterator[Conversation]:
    with open_input(path) as stream:
        for record in read_records(stream):
            if record.error is not None:
                raise record.error
            try:
                run = parse_run(record.data, line=record.line)
            except InputError as e:
                raise InputError(f"{path}: neither a ledger nor a file of runs: {e}", line=e.line, field=e.field) from e
            chain = run.extra.get(CHAIN)
            rows = [Row.from_dict(r) for r in chain] if isinstance(chain, list) else None
            name = rows[0].conversation if rows else run.id or str(record.line)
            yield Conversation(name, rows, run)


def _holds_runs(address: str) -> bool:
    """Whether a file's first record is a run, not a row of a ledger."""
    path = Path(address)
    if "://" in address or path.suffix.lower() not in (".jsonl", ".ndjson", ".json") or not path.is_file():
        return False
    with open_input(address) as stream:
        first = next(iter(read_records(stream)), None)
    return first is not None and isinstance(first.data, dict) and "body" not in first.data


class Proofs:
    """What the signed rows of each run bind, told on the error stream where they leave something open."""

    def __init__(self) -> None:
        self._by_run: dict[int, tuple[Run, Binding]] = {}

    def __call__(self, run: Run, binding: Binding) -> None:
        self._by_run[id(run)] = (run, binding)
        if binding.open:
            complain(f"run {run.id!r}: not in its signed rows, taken as given: {', '.join(binding.open)}")

    def of(self, run: Run) -> dict[str, Any]:
        """Return the field `proof` of a run's row, once: `bound` and `open`; empty for a run without one."""
        found = self._by_run.pop(id(run), None)
        return {"proof": found[1].to_dict()} if found is not None else {}
