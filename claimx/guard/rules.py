"""Rules of a team's own, as callables, and the two that every desk needs: whose record it is, which amounts are on it."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

from claimx.guard.amounts import Amounts
from claimx.guard.identifiers import squeezed
from claimx.guard.names import may_hold_amount
from claimx.guard.refusal import Code, Refusal, Retry, listed
from claimx.guard.seen import Seen
from claimx.guard.walk import Leaf, Record, dotted, plain_name, walk
from claimx.types import SlotType
from claimx.values import compare


@dataclass(frozen=True)
class Call:
    """A call that asks to run."""

    tool: str
    args: Mapping[str, Any]
    id: str | None = None
    walked: Sequence[Leaf | Record] | None = field(default=None, repr=False, compare=False)
    """The arguments as they were walked already; walked when they are asked for otherwise."""

    def leaves(self, field: str) -> list[Leaf]:
        """Return the arguments of a name, nested ones included; a dotted name is the whole path.

        >>> [x.value for x in Call("pay", {"to": {"orderId": "A1"}}).leaves("order_id")]
        ['A1']
        """
        name = plain_name(field)
        return [x for path, plain, x in self._leaves if path == field or plain == name]

    @cached_property
    def _leaves(self) -> list[tuple[str, str, Leaf]]:
        found = walk(self.args, "args") if self.walked is None else self.walked
        return [(dotted(x.path), plain_name(x.key), x) for x in found if isinstance(x, Leaf)]


class Facts(Protocol):
    """What a rule may look at: what the run has seen, and what the application said of it."""

    @property
    def seen(self) -> Seen: ...

    @property
    def context(self) -> Mapping[str, Any]: ...


#: Returns why a call must not run, None when it may. An asynchronous rule needs an asynchronous guard.
Rule = Callable[[Call, Facts], Refusal | Awaitable[Refusal | None] | None]

#: Returns the values that may be worked out for a field from what the run has seen: a total, a share.
Derived = Callable[[Call, Facts], Iterable[Any]]


def wrong_customer(
    field: str,
    *,
    owner: str | Callable[[Any], Any] = "customer_id",
    customer: str | Callable[[Facts], Any] = "customer_id",
) -> Rule:
    """Refuse a record that belongs to somebody else than the customer of this run.

    `owner` reads the owner of a record: a callable takes the argument's value (and may be asynchronous), a name is
    looked up in the records that this run has seen. `customer` is the name of a fact in the run's context, or a
    callable over the run. A record whose owner nothing tells is refused, too.
    """

    def rule(call: Call, facts: Facts) -> Refusal | Awaitable[Refusal | None] | None:
        mine = customer(facts) if callable(customer) else facts.context.get(customer)
        leaves = call.leaves(field)
        if not leaves:
            return None
        if mine is None:
            return Refusal(
                Code.OWNER_UNKNOWN, f"whose request this is is not known ({customer} is not set)", Retry.DO_NOT_RETRY
            )
        read = owner if callable(owner) else (lambda value: _owners_seen(facts.seen, value, field, owner))
        found = [read(leaf.value) for leaf in leaves]
        if any(inspect.isawaitable(f) for f in found):
            return _Later(found, lambda owners: _judge_owners(leaves, owners, mine))
        return _judge_owners(leaves, found, mine)

    return rule


def _owners_seen(seen: Seen, value: Any, field: str, name: str) -> list[Any]:
    key = plain_name(name)
    return [v for r in seen.records(value, field=field) for k, v in r.fields.items() if plain_name(str(k)) == key]


def _judge_owners(leaves: list[Leaf], owners: list[Any], mine: Any) -> Refusal | None:
    for leaf, found in zip(leaves, owners, strict=True):
        name = leaf.path.removeprefix("args.")
        held = [o for o in (found if isinstance(found, list | tuple | set | frozenset) else [found]) if o is not None]
        if not held:
            message = f"nothing in this run says whose {leaf.value} ({name}) is. Look it up before using it."
            return Refusal(Code.OWNER_UNKNOWN, message, Retry.LOOK_UP_AND_RETRY, leaf.path, leaf.value)
        if any(squeezed(str(o)) != squeezed(str(mine)) for o in held):
            message = (
                f"{leaf.value} ({name}) belongs to another customer. Do not use it; "
                "ask the user which of their own records they mean, or hand over."
            )
            return Refusal(Code.WRONG_CUSTOMER, message, Retry.DO_NOT_RETRY, leaf.path, leaf.value)
    return None


def amount_unmatched(
    field: str,
    *,
    of: str,
    amounts: str | Callable[[Call, Facts], Any] = "charges",
    what: str = "charge",
) -> Rule:
    """Refuse an amount that is none of those on the record that the call names.

    `of` is the argument that names the record. `amounts` reads the allowed ones: a callable takes call and run (and may
    be asynchronous) and returns amounts, a mapping of names to amounts or records of them; a name is looked up in the
    records that this run has seen. `what` is the word for one of them.
    """

    def rule(call: Call, facts: Facts) -> Refusal | Awaitable[Refusal | None] | None:
        asked = call.leaves(field)
        if not asked:
            return None
        record = next((x.value for x in call.leaves(of)), None)
        found = amounts(call, facts) if callable(amounts) else _amounts_seen(facts.seen, record, of, amounts)
        if inspect.isawaitable(found):
            return _Later([found], lambda got: _judge_amounts(asked, record, got[0], field, what))
        return _judge_amounts(asked, record, found, field, what)

    return rule


def _amounts_seen(seen: Seen, record: Any, of: str, name: str) -> list[Any]:
    key = plain_name(name)
    found = seen.records(record, field=of) if record is not None else []
    return [{k: v} for r in found for k, v in r.fields.items() if plain_name(str(k)) == key]


def _judge_amounts(asked: list[Leaf], record: Any, found: Any, field: str, what: str) -> Refusal | None:
    allowed = Amounts(open_units=True)
    for item in walk(list(found) if not isinstance(found, Mapping) else found, "allowed"):
        if isinstance(item, Leaf) and not isinstance(item.value, bool) and may_hold_amount(item.key):
            # A lone number is in the units of the argument that it is held against.
            key = item.key if item.keys and not _is_plain(item.keys) else field
            allowed.add(item.value, item.path, key=key, currency=item.currency)
    for leaf in asked:
        if allowed.find(leaf.value, key=leaf.key, currency=leaf.currency) is None:
            shown = f"{what}s are {listed(allowed.known())}" if len(allowed) else f"no {what} of it is known"
            message = f"no {what} of {leaf.value} ({leaf.path.removeprefix('args.')}) on {record}; {shown}."
            return Refusal(
                Code.AMOUNT_UNMATCHED, message, Retry.FIX_AND_RETRY, leaf.path, leaf.value, tuple(allowed.known())
            )
    return None


def _is_plain(keys: tuple[str, ...]) -> bool:
    """Whether a list of numbers stands right under its name, as in `"charges": [6400]`."""
    return len(keys) == 1


def allowed_set(
    field: str,
    allowed: Iterable[Any] | Callable[[Call, Facts], Any],
    *,
    kind: SlotType | str = SlotType.NAME,
    code: str = Code.NOT_ALLOWED,
) -> Rule:
    """Refuse a value that is none of a set, compared as values of a kind. A callable takes call and run."""

    def rule(call: Call, facts: Facts) -> Refusal | Awaitable[Refusal | None] | None:
        asked = call.leaves(field)
        if not asked:
            return None
        found = allowed(call, facts) if callable(allowed) else allowed
        if inspect.isawaitable(found):
            return _Later([found], lambda got: _judge_members(asked, got[0], kind, code))
        return _judge_members(asked, found, kind, code)

    return rule


def _judge_members(asked: list[Leaf], found: Iterable[Any], kind: SlotType | str, code: str) -> Refusal | None:
    members = list(found)
    for leaf in asked:
        if not any(leaf.value == m or compare(kind, str(leaf.value), m).is_same for m in members):
            name = leaf.path.removeprefix("args.")
            message = f"{leaf.value} ({name}) is not allowed here; allowed: {listed(members)}."
            return Refusal(
                code, message, Retry.FIX_AND_RETRY, leaf.path, leaf.value, tuple(str(m) for m in members[:40])
            )
    return None


class _Later:
    """A judgement that waits for what it is given; closing it closes that, too."""

    def __init__(self, found: list[Any], judge: Callable[[list[Any]], Refusal | None]) -> None:
        self._found = found
        self._judge = judge

    def __await__(self) -> Generator[Any, None, Refusal | None]:
        return self._wait().__await__()

    async def _wait(self) -> Refusal | None:
        return self._judge([await f if inspect.isawaitable(f) else f for f in self._found])

    def close(self) -> None:
        for f in self._found:
            if inspect.iscoroutine(f):
                f.close()
