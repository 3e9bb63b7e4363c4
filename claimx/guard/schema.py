"""What a tool's JSON schema says of a call's arguments: names that it does not know, names that it needs, closed sets."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from claimx.guard.walk import DEEPEST, opened

#: Alternatives inside alternatives, and references to references.
_MOST_DEPTH = 16
_ALTERNATIVES = {"anyOf": None, "oneOf": None, "allOf": None}.keys()


@dataclass(frozen=True, slots=True)
class Fault:
    """One argument that the schema does not allow. `kind` is unknown, missing or value; `options` what exists."""

    kind: str
    path: str
    name: str
    given: Any
    options: tuple[str, ...]


def faults_of(parameters: Mapping[str, Any], args: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield what a call's arguments have against the schema, nested objects and lists included.

    Names count as unknown where the schema lists properties and does not open itself by `additionalProperties` or
    `patternProperties`.
    """
    yield from _object(_as_schema(parameters), args, "args", parameters, 0)


def subschema(parameters: Mapping[str, Any] | None, keys: tuple[str, ...]) -> Mapping[str, Any] | None:
    """Return the schema of the argument under these names, None when the tool's definition does not describe it."""
    if parameters is None:
        return None
    here: Mapping[str, Any] | None = _as_schema(parameters)
    for key in keys:
        if here is None:
            return None
        here = _properties(_item(here, parameters), parameters).get(key)
    return _item(here, parameters) if here is not None else None


def constants(schema: Mapping[str, Any] | None) -> tuple[Any, ...]:
    """Return the values that an argument's schema itself gives: its members, constant and default."""
    if not schema:
        return ()
    members = schema.get("enum")
    out = list(members) if isinstance(members, list) else []
    return (*out, *(schema[k] for k in ("const", "default") if k in schema))


def _as_schema(parameters: Mapping[str, Any]) -> Mapping[str, Any]:
    """A bare mapping of names to schemas stands for an object with these properties."""
    if "properties" in parameters or "type" in parameters or "$ref" in parameters:
        return parameters
    named = {k: v for k, v in parameters.items() if isinstance(v, Mapping)}
    return {"properties": named} if named else parameters


def _object(
    schema: Mapping[str, Any], value: Mapping[str, Any], path: str, root: Mapping[str, Any], depth: int
) -> Iterator[Fault]:
    schema = _deref(schema, root)
    known = _properties(schema, root)
    if known and _is_closed(schema, root):
        for name, given in value.items():
            if name not in known:
                yield Fault("unknown", f"{path}.{name}", str(name), given, tuple(known))
    required = schema.get("required")
    for name in required if isinstance(required, list) else ():
        if name not in value:
            yield Fault("missing", f"{path}.{name}", str(name), None, tuple(known))
    if depth > DEEPEST:
        return
    for name, given in value.items():
        if name in known:
            yield from _value(known[name], given, f"{path}.{name}", str(name), root, depth + 1)


def _value(
    schema: Mapping[str, Any], value: Any, path: str, name: str, root: Mapping[str, Any], depth: int
) -> Iterator[Fault]:
    schema = _deref(schema, root)
    value = opened(value) if schema.get("type") in ("object", "array") else value
    members = schema.get("enum")
    if isinstance(members, list) and not isinstance(value, Mapping | list) and value not in members:
        yield Fault("value", path, name, value, tuple(map(str, members)))
    elif "const" in schema and value != schema["const"]:
        yield Fault("value", path, name, value, (str(schema["const"]),))
    if isinstance(value, Mapping):
        yield from _object(schema, value, path, root, depth)
    elif isinstance(value, list) and isinstance(schema.get("items"), Mapping):
        for i, v in enumerate(value):
            yield from _value(schema["items"], v, f"{path}[{i}]", name, root, depth + 1)


def _item(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    """The schema of a list's members, or the schema itself."""
    schema = _deref(schema, root)
    inner = schema.get("items")
    return _deref(inner, root) if isinstance(inner, Mapping) else schema


def _properties(schema: Mapping[str, Any], root: Mapping[str, Any], depth: int = 0) -> Mapping[str, Mapping[str, Any]]:
    """All properties that a schema names, those of its alternatives included."""
    schema = _deref(schema, root)
    out: dict[str, Mapping[str, Any]] = {}
    own = schema.get("properties")
    if type(own) is dict and _ALTERNATIVES.isdisjoint(schema) and all(type(v) is dict for v in own.values()):
        return own
    if isinstance(own, Mapping):
        out.update({str(k): v for k, v in own.items() if isinstance(v, Mapping)})
    if depth < _MOST_DEPTH:
        for word in _ALTERNATIVES:
            for part in schema.get(word) or ():
                if isinstance(part, Mapping):
                    out.update(_properties(part, root, depth + 1))
    return out


def _is_closed(schema: Mapping[str, Any], root: Mapping[str, Any]) -> bool:
    open_ = schema.get("additionalProperties", False)
    if open_ is not False or schema.get("patternProperties"):
        return False
    parts = [p for w in _ALTERNATIVES for p in schema.get(w) or () if isinstance(p, Mapping)]
    return all(_is_closed(_deref(p, root), root) for p in parts)


def _deref(schema: Mapping[str, Any], root: Mapping[str, Any]) -> Mapping[str, Any]:
    """Follow references into the same document; an unresolved one leaves everything open."""
    for _ in range(_MOST_DEPTH):
        ref = schema.get("$ref")
        if not isinstance(ref, str):
            return schema
        here: Any = root
        for part in re.sub(r"^#/?", "", ref).split("/"):
            here = here.get(part) if isinstance(here, Mapping) else None
        if not isinstance(here, Mapping):
            return {"additionalProperties": True}
        schema = here
    return {"additionalProperties": True}
