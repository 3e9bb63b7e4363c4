"""What a team sets about its guard: which tools write, which fields are traced and how, what the agent cannot do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from claimx.errors import InputError
from claimx.types import SlotType

#: Kinds that a field may be given beside the types of slots: text is searched, free is never traced.
TEXT, FREE = "TEXT", "FREE"
KINDS = frozenset({*(str(k) for k in SlotType), TEXT, FREE})


@dataclass(frozen=True, slots=True)
class Policy:
    """Options of a guard.

    `writes` and `reads` name tools whose names leave it open or say it wrongly. `fields` maps a field (`order_id`,
    `issue_refund.order_id`, `send_email.to.address`) to the kind that its values are traced as; `TEXT` traces every
    identifier and amount inside a text, `FREE` nothing. `hand_over` names the tool that takes what the agent cannot do,
    `absent` maps invented names to the sentence that says so. `count_echoes` tells whether an identifier counts as seen
    that a look-up returns although the model brought it itself, from nowhere. `check_reads` traces look-ups, too.
    `minor_units` names fields of results that count cents though neither their name nor their record says so.
    """

    writes: frozenset[str] = frozenset()
    reads: frozenset[str] = frozenset()
    fields: Mapping[str, str] = field(default_factory=dict)
    hand_over: str | None = None
    absent: Mapping[str, str] = field(default_factory=dict)
    count_echoes: bool = True
    check_reads: bool = False
    minor_units: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        for name, kind in self.fields.items():
            if kind not in KINDS:
                raise InputError(f"field {name!r} is traced as {kind!r}, expected one of {', '.join(sorted(KINDS))}")
        both = sorted(self.writes & self.reads)
        if both:
            raise InputError(f"{', '.join(both)} cannot be both in 'writes' and in 'reads': take it out of one")

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of slots that look-ups will ask for."""
        return frozenset(k for k in self.fields.values() if k not in (TEXT, FREE))

    def to_dict(self) -> dict[str, Any]:
        return {
            "writes": sorted(self.writes),
            "reads": sorted(self.reads),
            "fields": dict(self.fields),
            "hand_over": self.hand_over,
            "absent": dict(self.absent),
            "count_echoes": self.count_echoes,
            "check_reads": self.check_reads,
            "minor_units": sorted(self.minor_units),
        }

    @classmethod
    def from_dict(cls, data: Any) -> Self:
        """Read a policy from its JSON shape. Raises InputError that names the field and the remedy."""
        if not isinstance(data, Mapping):
            raise InputError(f"a policy is a JSON object, not {type(data).__name__}")
        known = set(cls.__dataclass_fields__)
        for name in data:
            if name not in known:
                raise InputError(
                    f"a policy has no field {name!r}: it takes {', '.join(sorted(known))}", field=str(name)
                )
        for name in ("count_echoes", "check_reads"):
            if not isinstance(data.get(name, True), bool):
                raise InputError(f"field {name!r} is {data[name]!r}, expected true or false", field=name)
        hand_over = data.get("hand_over")
        if hand_over is not None and not isinstance(hand_over, str):
            raise InputError(f"field 'hand_over' is {hand_over!r}, expected the name of a tool", field="hand_over")
        return cls(
            writes=_names(data, "writes"),
            reads=_names(data, "reads"),
            fields=_texts(data, "fields"),
            hand_over=hand_over,
            absent=_texts(data, "absent"),
            count_echoes=data.get("count_echoes", True),
            check_reads=data.get("check_reads", False),
            minor_units=_names(data, "minor_units", "fields"),
        )


def _names(data: Mapping[str, Any], name: str, what: str = "tools") -> frozenset[str]:
    value = data.get(name, ())
    if isinstance(value, str) or not isinstance(value, Iterable) or not all(isinstance(v, str) for v in value):
        raise InputError(f"field {name!r} is {value!r}, expected a list of names of {what}", field=name)
    return frozenset(value)


def _texts(data: Mapping[str, Any], name: str) -> dict[str, str]:
    value = data.get(name, {})
    if not isinstance(value, Mapping) or not all(isinstance(v, str) for v in value.values()):
        raise InputError(f"field {name!r} is {value!r}, expected an object whose values are strings", field=name)
    return dict(value)
