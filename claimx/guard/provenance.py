"""Provenance: every identifier, amount and address of a write call must trace to something that this run saw."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from claimx.guard import texts
from claimx.guard.amount_forms import is_no_number
from claimx.guard.identifiers import Identifiers
from claimx.guard.kinds import SELF, field_kind, kind_of, names_record, telling_name
from claimx.guard.names import is_free, names_its_own
from claimx.guard.parts import file_texts, inside_of, is_place, joined, parts_of_list, steps_of
from claimx.guard.policy import FREE, TEXT
from claimx.guard.refusal import Code, Refusal, Retry, Sighting, listed
from claimx.guard.schema import constants, subschema
from claimx.guard.seen import Found, Seen
from claimx.guard.shapes import is_firm_shape, shape_of
from claimx.guard.walk import Leaf, Record, shown
from claimx.types import SlotType

#: Names of what an amount is to be multiplied by.
_SCALES = frozenset({"exponent", "scale", "decimals", "decimal_places", "minor_digits", "nanos", "multiplier"})
_CODES = {
    SlotType.ID: Code.UNKNOWN_ID,
    SlotType.MONEY: Code.UNKNOWN_AMOUNT,
    SlotType.CONTACT: Code.UNKNOWN_CONTACT,
}


def trace(
    tool: str,
    items: Sequence[Leaf | Record],
    seen: Seen,
    *,
    fields: Mapping[str, str],
    parameters: Mapping[str, Any] | None,
    derived: Mapping[str, Callable[[], Iterable[Any]]] | None = None,
) -> tuple[list[Refusal], list[Sighting]]:
    """Trace the arguments of a call, as walked; return what came from nowhere and where the others were seen.

    `derived` maps a field to what works its values out; one that breaks vouches for nothing.
    """
    refusals, sightings = [], []
    for kind, leaf, schema in traced(tool, items, fields, parameters, seen.ids):
        if kind in (SlotType.ID, SlotType.MONEY) and is_no_number(leaf.value):
            refusals.append(_no_value(kind, leaf))
            continue
        found = _given_by_definition(leaf, tool, schema) or seen.find(
            kind, leaf.value, key=telling_name(leaf.keys), schema=schema, currency=leaf.currency
        )
        if found is None and kind is SlotType.ID and len(members := parts_of_list(leaf)) > 1:
            sought = [seen.find(kind, m.value, key=m.key) for m in members]
            found = sought[0] if all(sought) else None
        if found is None and kind is SlotType.MONEY:
            found = seen.work_out(leaf, items, schema)
        if found is None and derived:
            found = _worked_out(kind, leaf, field_kind(derived, tool, leaf), schema)
        if found is None:
            refusals.append(_refusal(kind, leaf, seen, schema))
        else:
            sightings.append(Sighting(leaf.path, leaf.value, found.path, found.reason))
    return refusals, sightings


def traced(
    tool: str,
    items: Sequence[Leaf | Record],
    fields: Mapping[str, str],
    parameters: Mapping[str, Any] | None,
    ids: Identifiers,
) -> Iterator[tuple[SlotType, Leaf, Mapping[str, Any] | None]]:
    """Yield the arguments that must be traced, with their kinds and schemas; those in texts and lists one by one.
    What looks like the identifiers of this run (`ids`) is traced, too."""
    is_of_a_series = ids.is_of_a_series
    records: dict[str, Mapping[Any, Any]] = {}
    written: list[str] = []
    for item in items:
        if isinstance(item, Record):
            records[item.path] = item.fields
            written += file_texts(item)
            known = subschema(parameters, ()) if item.path == "args" else None
            named = known.get("properties", {}) if known is not None else {}
            for key in item.fields:
                if isinstance(key, str) and key not in named and (names_record(key) or is_of_a_series(key)):
                    yield shape_of(key) or SlotType.ID, Leaf(f"{item.path}.{key}", (key,), key), None
            continue
        schema = subschema(parameters, item.keys) if parameters is not None else None
        said = field_kind(fields, tool, item)
        if said == FREE or (
            written and said is None and item.path.startswith(tuple(f"{w}{c}" for w in written for c in ".["))
        ):
            continue
        if said == TEXT:
            for inner, text in _inside(str(item.value)):
                yield inner, Leaf(item.path, item.keys, text), None
        elif said is not None:
            if item.value != "" and str(item.value).strip().lower() not in SELF:
                yield SlotType(said), item, schema
        elif (kind := kind_of(item, schema)) is not None:
            own = kind is SlotType.ID and names_its_own(tool, item.key) and not is_firm_shape(str(item.value))
            if not own and not (kind is SlotType.ID and is_place(item, records.get(item.path.rpartition(".")[0], {}))):
                yield kind, _scaled(item, records) if kind is SlotType.MONEY else item, schema
        elif isinstance(item.value, str) and (
            (is_of_a_series(item.value) and not is_free(item.key))
            or (ids.is_of_a_field(item.key, item.value) and not names_its_own(tool, item.key))
        ):
            yield SlotType.ID, item, schema
        else:
            holder = records.get(item.path.rpartition(".")[0], {})
            for part in (*parts_of_list(item), *steps_of(item, holder), *inside_of(item)):
                if (kind := kind_of(part)) is not None:
                    yield kind, part, schema
                elif isinstance(part.value, str) and is_of_a_series(part.value):
                    yield SlotType.ID, part, schema
    for leaf in joined(items, is_of_a_series):
        yield SlotType.ID, leaf, None


def _scaled(leaf: Leaf, records: Mapping[str, Mapping[Any, Any]]) -> Leaf:
    """An amount whose record says that it counts something else than it shows (`{"value": 6400, "exponent": 2}`): the record is
    the amount, and where that can't be read, none."""
    path = leaf.path.rpartition(".")[0]
    record = records.get(path, {})
    scale = next(
        (v for k, v in record.items() if str(k).lower() in _SCALES and v not in (0, 1, "0", "1", "", None, False)), None
    )
    if scale is None or path == "args":
        return leaf
    if isinstance(scale, int) and 0 < scale < 10:
        return Leaf(leaf.path, leaf.keys, dict(record), leaf.currency)
    return Leaf(
        leaf.path, leaf.keys, f"{leaf.value} × 1 {scale}" if isinstance(scale, str) else f"{leaf.value} × 10^{scale}"
    )


def _inside(text: str) -> Iterator[tuple[SlotType, str]]:
    """The identifiers, amounts and addresses in a text that a call sends on."""
    addresses = list(texts.address_texts(text))
    for a in addresses:
        yield SlotType.CONTACT, a
    rest = text
    for found in addresses:
        rest = rest.replace(found, " ")
    amounts = list(texts.amount_texts(rest, bare=False))
    for m in amounts:
        yield SlotType.MONEY, m
        rest = rest.replace(m, " ")
    for date in texts.date_texts(rest):
        rest = rest.replace(date, " ")
    for token in texts.id_tokens(rest):
        if any(c.isalpha() for c in token) or len(token) >= 5:
            yield SlotType.ID, token


def _given_by_definition(leaf: Leaf, tool: str, schema: Mapping[str, Any] | None) -> Found | None:
    if schema and leaf.value in constants(schema):
        return Found(f"tools.{tool}.{leaf.key}", "the tool's definition gives it")
    return None


def _worked_out(
    kind: SlotType, leaf: Leaf, work_out: Callable[[], Iterable[Any]] | None, schema: Mapping[str, Any] | None
) -> Found | None:
    if work_out is None:
        return None
    values = Seen([str(kind)])
    try:
        for v in work_out():
            # A worked-out number is in the units of the field that it is for.
            values.add({leaf.key: v}, "derived", trusted=True)
    except Exception:
        return None
    hit = values.find(kind, leaf.value, key=leaf.key, schema=schema, currency=leaf.currency)
    return Found("derived", "it can be worked out from what this run has seen") if hit is not None else None


def _no_value(kind: SlotType, leaf: Leaf) -> Refusal:
    what = "amount" if kind is SlotType.MONEY else "identifier"
    name = shown(leaf.path.removeprefix("args."))
    message = f"{shown(leaf.value)} ({name}) is no {what}. Send one that this run has seen; do not make one up."
    return Refusal(Code.INVALID_VALUE, message, Retry.FIX_AND_RETRY, shown(leaf.path, 200), str(leaf.value))


def _refusal(kind: SlotType, leaf: Leaf, seen: Seen, schema: Mapping[str, Any] | None) -> Refusal:
    name, value = shown(leaf.path.removeprefix("args.")), shown(leaf.value)
    parts = [f"{value} ({name}) did not appear in this run."]
    near: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    if kind is SlotType.ID:
        close = seen.ids.near(leaf.value)
        near = tuple(text for text, _, _ in close)
        known = tuple(seen.ids.known())
        if close:
            text, path, slip = close[0]
            parts = [f"{value} ({name}) did not appear in this run: {slip} against {shown(text)}, seen at {path}."]
    elif kind is SlotType.MONEY:
        about = seen.amounts.near(leaf.value, key=leaf.key, schema=schema, currency=leaf.currency)
        known = tuple(seen.amounts.known())
        if about:
            parts = [f"{value} ({name}) did not appear in this run: {about}."]
    options = tuple(shown(k) for k in known[:40])
    if known:
        parts.append(f"Seen: {listed(options, total=len(known))}.")
    parts.append("Look it up before using it; if no tool returns it, ask the user. Do not make one up.")
    return Refusal(
        _CODES.get(kind, Code.UNKNOWN_VALUE),
        " ".join(parts),
        Retry.LOOK_UP_AND_RETRY,
        shown(leaf.path, 200),
        value if isinstance(leaf.value, str) else leaf.value,
        options,
        near,
    )
