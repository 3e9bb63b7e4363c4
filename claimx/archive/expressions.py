"""Conditions that people write on a command line, such as `fabricated_rate > 0.01`, evaluated without `eval`.

Only what stands in `_evaluate` is understood: names, dotted names, `tools["x"].rate`, numbers, strings, lists,
comparisons, `in`, `and or not`, `+ - * /`. There are no calls, no powers and no way to any Python object.
"""

from __future__ import annotations

import ast
import operator
import re
import warnings
from collections.abc import Callable, Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from claimx.archive.figures import ANY, fault_of_figures, paths_in
from claimx.errors import InputError

#: Longer conditions are refused: nobody writes them by hand.
MAX_LENGTH = 2_000
_MAX_DEPTH = 60

#: What people write who come from elsewhere, and what is written here.
_SLIPS = (
    (re.compile(r"&&|\|\|"), "here 'and' and 'or' are words"),
    (re.compile(r"=[<>]"), "at least is >=, at most is <="),
    (re.compile(r"(?<![=<>!:])=(?!=)"), "equal is =="),
    (re.compile(r"\d\s*%"), "one per cent is 0.01"),
    (re.compile(r"\d,\d"), "a figure is written with a point, 0.01"),
)
_EXAMPLES = {"--where": "agent == 'support' and calls > 0"}

_COMPARE: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
}
_ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


class Condition:
    """A parsed condition. `matches` evaluates it over a mapping of names to plain values and mappings."""

    def __init__(self, text: str, *, option: str = "condition") -> None:
        self.text = text
        self._option = option
        if len(text) > MAX_LENGTH:
            raise InputError(f"{option} is longer than {MAX_LENGTH} characters")
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of a pattern's backslash, to people who wrote no Python
                self._tree = ast.parse(text.strip(), mode="eval").body
            self.names = frozenset(_check(self._tree))
            if isinstance(self._tree, ast.List | ast.Tuple):
                raise ValueError("a list is no condition")
        except (SyntaxError, ValueError, RecursionError, MemoryError) as e:
            reason = e.msg if isinstance(e, SyntaxError) else str(e) or type(e).__name__
            slip = next((told for sign, told in _SLIPS if sign.search(text)), reason)
            example = _EXAMPLES.get(option, "fabricated_rate > 0.01 and runs >= 100")
            raise InputError(f'{option} {text!r} cannot be read: {slip}; write for instance "{example}"') from e

    def matches(self, names: Mapping[str, Any], *, strict: bool = False) -> bool:
        """Return whether the condition holds. A value that is missing makes every comparison with it false.

        With `strict` an unknown first name raises InputError and lists the known ones.
        """
        if strict:
            self.require(names)
        return bool(_evaluate(self._tree, names))

    def require(self, names: Iterable[str]) -> None:
        """Raise InputError when a first name is not among the known ones."""
        for name in sorted(self.names - set(names)):
            near = get_close_matches(name, names, 1)
            meant = f"; did you mean {near[0]!r}?" if near else ""
            raise InputError(
                f"{self._option} {self.text!r}: {name!r} is not known{meant} (known: {', '.join(sorted(names))})"
            )

    def require_fields(self, known: Mapping[str, Any]) -> None:
        """Raise InputError when a name, or a field of one, is not known. `known` holds what each name has, with ANY for any key."""
        self.require(known)
        for name, *keys in paths_in(self._tree):
            here, so_far = known[name], name
            for key in keys:
                if ANY not in here and key not in here:
                    near = get_close_matches(str(key), here, 1)
                    meant = f"; did you mean {near[0]!r}?" if near else ""
                    has = f"known: {', '.join(sorted(here))}" if here else "it is a single figure"
                    raise InputError(f"{self._option} {self.text!r}: {so_far} has no {key!r}{meant} ({has})")
                here, so_far = here.get(key, here.get(ANY)), f"{so_far}[{key!r}]" if ANY in here else f"{so_far}.{key}"
        if fault := fault_of_figures(self._tree, known):
            raise InputError(f"{self._option} {self.text!r}: {fault}")


def _check(node: ast.expr, depth: int = 0) -> set[str]:
    """Return the first names that an expression uses. Raises ValueError on anything that is not understood."""
    if depth > _MAX_DEPTH:
        raise ValueError("nested too deeply")
    below: list[ast.expr] = []
    match node:
        case ast.Constant(value=None | bool() | int() | float() | str()):
            return set()
        case ast.Name():
            return {node.id}
        case ast.Attribute():
            below = [node.value]
        case ast.Subscript(slice=ast.Constant(value=str() | int())):
            below = [node.value]
        case ast.BoolOp():
            below = node.values
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            below = [node.operand]
        case ast.BinOp() if type(node.op) in _ARITHMETIC:
            below = [node.left, node.right]
        case ast.Compare() if all(type(op) in _COMPARE for op in node.ops):
            below = [node.left, *node.comparators]
        case ast.List() | ast.Tuple():
            below = node.elts
        case _:
            raise ValueError(f"{type(node).__name__.lower()} is not understood at column {node.col_offset + 1}")
    return {name for child in below for name in _check(child, depth + 1)}


def _evaluate(node: ast.expr, names: Mapping[str, Any]) -> Any:
    match node:
        case ast.Constant():
            return node.value
        case ast.Name():
            return names.get(node.id)
        case ast.Attribute():
            return _member(_evaluate(node.value, names), node.attr)
        case ast.Subscript(slice=ast.Constant(value=str() | int() as key)):
            return _member(_evaluate(node.value, names), key)
        case ast.BoolOp(op=ast.And()):
            return all(_evaluate(v, names) for v in node.values)
        case ast.BoolOp():
            return any(_evaluate(v, names) for v in node.values)
        case ast.UnaryOp(op=ast.Not()):
            return not _evaluate(node.operand, names)
        case ast.UnaryOp():
            value = _evaluate(node.operand, names)
            return -value if _is_number(value) else None
        case ast.BinOp():
            left, right = _evaluate(node.left, names), _evaluate(node.right, names)
            return _computed(node.op, left, right)
        case ast.List() | ast.Tuple():
            return [_evaluate(v, names) for v in node.elts]
        case ast.Compare():
            left = _evaluate(node.left, names)
            for op, comparator in zip(node.ops, node.comparators, strict=True):
                right = _evaluate(comparator, names)
                if not _compared(op, left, right):
                    return False
                left = right
            return True
    raise AssertionError(type(node).__name__)  # _check has refused it


def _computed(op: ast.operator, left: Any, right: Any) -> Any:
    if not (_is_number(left) and _is_number(right)):
        return None
    try:
        return _ARITHMETIC[type(op)](left, right)
    except (ZeroDivisionError, OverflowError):
        return None


def _compared(op: ast.cmpop, left: Any, right: Any) -> bool:
    if isinstance(op, ast.Eq | ast.NotEq):
        return _COMPARE[type(op)](left, right)  # `x == None` asks whether a value is missing
    if right is None or (left is None and not isinstance(op, ast.In | ast.NotIn)):
        return False
    try:
        return _COMPARE[type(op)](left, right)
    except TypeError:
        return False


def _member(value: Any, key: str | int) -> Any:
    if isinstance(value, Mapping):
        return value.get(key)
    if isinstance(value, list) and isinstance(key, int) and -len(value) <= key < len(value):
        return value[key]
    return None


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
