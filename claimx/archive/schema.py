"""The rows of the output: one a run, with its claims as a list of structs, in Arrow's types and in Parquet.

Every column is described in `COLUMNS` and `CLAIM_COLUMNS`, which the documentation quotes.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

#: Raised when a column changes its meaning or goes; new columns do not raise it.
SCHEMA_VERSION = 1

_TEXTS = pa.list_(pa.string())
_SLOT = pa.struct(
    [("type", pa.string()), ("text", pa.string()), ("start", pa.int32()), ("end", pa.int32()), ("value", pa.string())]
)
_MISMATCH = pa.struct([(n, pa.string()) for n in ("slot", "claimed", "recorded", "path", "reason")])
_CALL = pa.struct([(n, pa.string()) for n in ("id", "tool", "status", "args", "result")])

CLAIM_COLUMNS: tuple[tuple[str, Any, str], ...] = (
    ("status", pa.string(), "confirmed, unverified, unmatched, misquoted, tool_failed or never_ran"),
    ("flagged", pa.bool_(), "whether the ledger contradicts the claim (the last three)"),
    ("kind", pa.string(), "status, tool, verb and mismatched types joined by bars: what is counted as one kind"),
    ("tool", pa.string(), "the tool that fits, null when none is known"),
    ("verb", pa.string(), "what was claimed to be done, as a base form"),
    ("text", pa.string(), "the clause, as written"),
    ("phrasing", pa.string(), "the clause in lower case with its values masked: equal wordings group"),
    ("start", pa.int32(), "first code point of the clause in the reply"),
    ("end", pa.int32(), "end of the clause, exclusive"),
    ("trigger_start", pa.int32(), "first code point of the verb"),
    ("trigger_end", pa.int32(), "its end, exclusive"),
    ("object_start", pa.int32(), "first code point of what was acted on, null when nothing is named"),
    ("object_end", pa.int32(), "its end, exclusive"),
    ("tense", pa.string(), "past or present"),
    ("modality", pa.string(), "asserted; negated for a denial (`I found nothing`) that the ledger speaks to"),
    ("actor", pa.string(), "who is said to have done it"),
    ("score", pa.float32(), "how likely the model takes this to be a claim (0 to 1)"),
    ("reason", pa.string(), "why the claim has its status, for a person"),
    ("calls", _TEXTS, "ids of the calls that the reason rests on"),
    ("slots", pa.list_(_SLOT), "values in the claim; `value` is JSON"),
    ("mismatches", pa.list_(_MISMATCH), "values that the ledger contradicts; `recorded` is JSON, `path` leads to it"),
)
_CLAIM = pa.struct([(name, type_) for name, type_, _ in CLAIM_COLUMNS])

COLUMNS: tuple[tuple[str, Any, str], ...] = (
    ("id", pa.string(), "the run's id, exactly once in the whole output; `file:line` where the run has none"),
    ("file", pa.string(), "the input file"),
    ("line", pa.int64(), "the line or row in it, from 1"),
    ("time", pa.timestamp("us", "UTC"), "when the run was, null where nothing says"),
    ("agent", pa.string(), "which agent, null where nothing says"),
    ("model", pa.string(), "which model, null where nothing says"),
    ("version", pa.string(), "which version of the agent, null where nothing says"),
    ("verdict", pa.string(), "ok, unverified, unchecked, misquoted or fabricated"),
    ("ok", pa.bool_(), "false for misquoted and fabricated"),
    ("summary", pa.string(), "the receipt in one line for a person"),
    ("language", pa.string(), "the language the reply was read as (ISO 639-1)"),
    ("reply", pa.string(), "the reply, as given"),
    ("claims", pa.list_(_CLAIM), "the claims in the order of the reply"),
    ("ungrounded", _TEXTS, "values outside of claims that stand nowhere in the run"),
    ("unreported", _TEXTS, "ids of calls that succeeded and that the reply does not mention"),
    ("calls", pa.list_(_CALL), "flagged runs only: the calls, `args` and `result` as JSON, shortened"),
)
SCHEMA = pa.schema([(name, type_) for name, type_, _ in COLUMNS], metadata={"claimx_schema": str(SCHEMA_VERSION)})


def to_batch(rows: Sequence[Mapping[str, Any]]) -> bytes:
    """Return rows as an Arrow stream."""
    try:
        table = pa.Table.from_pylist(rows, schema=SCHEMA)
    except UnicodeEncodeError:  # lone surrogates, which UTF-8 cannot hold
        table = pa.Table.from_pylist([_encodable(r) for r in rows], schema=SCHEMA)
    out = pa.BufferOutputStream()
    with pa.ipc.new_stream(out, SCHEMA) as writer:
        writer.write_table(table)
    return bytes(out.getvalue())


def from_batches(batches: Iterable[bytes]) -> pa.Table:
    """Return the rows of Arrow streams as one table."""
    tables = [pa.ipc.open_stream(b).read_all() for b in batches]
    return pa.concat_tables(tables).combine_chunks() if tables else SCHEMA.empty_table()


def to_parquet(table: pa.Table) -> bytes:
    """Return a table as a Parquet file. Equal tables give equal bytes."""
    out = io.BytesIO()
    pq.write_table(table, out, compression="zstd", compression_level=3, row_group_size=max(1, len(table)))
    return out.getvalue()


def _encodable(value: Any) -> Any:
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, Mapping):
        return {k: _encodable(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [_encodable(v) for v in value]
    return value
