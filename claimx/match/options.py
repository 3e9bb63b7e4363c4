"""What a user may set about matching."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from claimx.errors import InputError
from claimx.types import FLAGGED, ClaimStatus

#: Stands for every tool in `MatchOptions.rules`.
ANY_TOOL = "*"
_INDEX = re.compile(r"\[\d+\]")


@dataclass(frozen=True, slots=True)
class ToolRule:
    """How the values of one tool's calls are read and compared.

    A field is named as it stands ("amount"), or by its way from the call ("args.total", "result.lines.price": positions in
    lists are left out). `compare_not` holds fields that neither confirm nor contradict anything; `units` the unit in which
    a field counts ("cents", "seconds", "percent", or a currency code such as "EUR"); `aliases` other names by which records
    know what replies name: {"the harbour office": ("loc_17",)}.
    """

    compare_not: frozenset[str] = frozenset()
    units: Mapping[str, str] = field(default_factory=dict)
    aliases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any], *, name: str = "rule") -> Self:
        """Read a rule from its JSON shape. Raises InputError, which names the faulty field."""
        _only(data, {"compare_not", "units", "aliases"}, name)
        return cls(
            compare_not=frozenset(_names(data.get("compare_not", ()), f"{name}.compare_not")),
            units={k: _text(v, f"{name}.units.{k}") for k, v in _object(data.get("units"), f"{name}.units").items()},
            aliases={
                k: tuple(_names(v, f"{name}.aliases.{k}"))
                for k, v in _object(data.get("aliases"), f"{name}.aliases").items()
            },
        )

    def joined(self, other: ToolRule) -> ToolRule:
        """Both rules at once; what this one says of a field or a name comes first."""
        if not (other.compare_not or other.units or other.aliases):
            return self
        return ToolRule(
            self.compare_not | other.compare_not, {**other.units, **self.units}, {**other.aliases, **self.aliases}
        )


def names_field(names: Iterable[str], key: str, path: str) -> str | None:
    """Return the name among `names` that means a field, given its key and its path from the entry's id.

    >>> names_field({"args.total"}, "total", "c1.args.total"), names_field({"total"}, "total", "c1.result.a[0].total")
    ('args.total', 'total')
    >>> names_field({"args.total"}, "total", "c1.result.total") is None
    True
    """
    way = _INDEX.sub("", path.partition(".")[2])
    return next((n for n in names if n in (key, way)), None)


@dataclass(frozen=True, slots=True)
class MatchOptions:
    """Options of `judge`.

    `ignore_tools` are never listed as unreported; `tool_hints` maps a verb family, an object, or both, to the tools that
    carry it; `compare_not` names argument and result fields whose values are never compared; `strict_values` makes an
    ungrounded value count like a misquote in the verdict; `blocking` holds the statuses that decide the verdict. A claim of
    which the extractor is less sure than `sure` (its score) may be confirmed but is never held against the agent.
    `result_cap` is the number of characters at which the recorder cuts results: what a result of that length lacks proves
    nothing, as with results that say themselves that they were cut. `rules` maps a tool's name, or "*" for all of them,
    to how its values are read.
    """

    ignore_tools: frozenset[str] = frozenset()
    tool_hints: Mapping[str, Iterable[str]] = field(default_factory=dict)
    compare_not: frozenset[str] = frozenset()
    strict_values: bool = False
    blocking: frozenset[ClaimStatus] = FLAGGED
    sure: float = 0.7
    result_cap: int | None = None
    rules: Mapping[str, ToolRule] = field(default_factory=dict)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """Read options from their JSON shape; what is not given keeps its default. Raises InputError, which names the field.

        >>> MatchOptions.from_dict({"rules": {"issue_refund": {"units": {"amount": "cents"}}}}).rules["issue_refund"].units
        {'amount': 'cents'}
        """
        known = {
            "ignore_tools",
            "tool_hints",
            "compare_not",
            "strict_values",
            "blocking",
            "sure",
            "result_cap",
            "rules",
        }
        _only(data, known, "options")
        given: dict[str, Any] = {}
        for key in ("ignore_tools", "compare_not"):
            if key in data:
                given[key] = frozenset(_names(data[key], key))
        if "tool_hints" in data:
            hints = _object(data["tool_hints"], "tool_hints")
            given["tool_hints"] = {k: _names(v, f"tool_hints.{k}") for k, v in hints.items()}
        if "blocking" in data:
            given["blocking"] = statuses_of(_names(data["blocking"], "blocking"))
        if "rules" in data:
            rules = _object(data["rules"], "rules")
            given["rules"] = {
                k: v if isinstance(v, ToolRule) else ToolRule.from_dict(_object(v, f"rules.{k}"), name=f"rules.{k}")
                for k, v in rules.items()
            }
        if "strict_values" in data:
            if not isinstance(data["strict_values"], bool):
                raise _fault("strict_values", "true or false", data["strict_values"])
            given["strict_values"] = data["strict_values"]
        if "sure" in data:
            given["sure"] = _number(data["sure"], "sure", 0.0, 1.0)
        if data.get("result_cap") is not None:
            given["result_cap"] = int(_number(data["result_cap"], "result_cap", 1, float("inf")))
        return cls(**given)

    def rule_of(self, tool: str) -> ToolRule | None:
        """The rule for a tool's calls, None where nothing was set for it."""
        if not self.rules and not self.compare_not:
            return None
        rule = self.rules.get(tool, ToolRule()).joined(self.rules.get(ANY_TOOL, ToolRule()))
        return rule.joined(ToolRule(self.compare_not))


def statuses_of(names: Iterable[str]) -> frozenset[ClaimStatus]:
    """Read the statuses that decide a verdict: flagged ones, or fewer of them."""
    allowed = sorted(str(s) for s in FLAGGED)
    for n in names:
        if n not in allowed:
            raise InputError(f"'blocking' names {n!r}, expected some of {', '.join(allowed)}", field="blocking")
    return frozenset(ClaimStatus(n) for n in names)


def _fault(name: str, wanted: str, given: object) -> InputError:
    return InputError(f"'{name}' is {type(given).__name__} {given!r:.60}, expected {wanted}", field=name)


def _only(data: Mapping[str, Any], known: set[str], name: str) -> None:
    odd = sorted(set(data) - known)
    if odd:
        raise InputError(f"{name} does not know {odd[0]!r}, only {', '.join(sorted(known))}", field=odd[0])


def _object(value: Any, name: str) -> Mapping[str, Any]:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise _fault(name, "an object", value)
    return value


def _text(value: Any, name: str) -> str:
    if not isinstance(value, str) or not value.strip():
        raise _fault(name, "a text", value)
    return value.strip()


def _names(value: Any, name: str) -> tuple[str, ...]:
    """A name, or several."""
    if isinstance(value, str):
        value = (value,)
    if isinstance(value, Mapping) or not isinstance(value, Iterable):
        raise _fault(name, "a list of names", value)
    return tuple(_text(v, name) for v in value)


def _number(value: Any, name: str, low: float, high: float) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not low <= value <= high:
        raise _fault(
            name, f"a number from {low:g} to {high:g}" if high < 1e9 else f"a number of {low:g} or more", value
        )
    return float(value)
