"""Whether a condition compares figures: one that compares what are none would never hold, or always, without a word."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

#: In a description of what is known: any key.
ANY = "*"


def fault_of_figures(tree: ast.expr, known: Mapping[str, Any]) -> str:
    """Say what of a condition is compared and no figure; "" when all is well. `known` holds what each name has."""
    if not paths_in(tree):
        return "it names no figure"
    for node in ast.walk(tree):
        fault = ""
        if isinstance(node, ast.BinOp):
            fault = _no_figure(node.left, known) or _no_figure(node.right, known)
        elif isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            pairs = zip(node.ops, sides, sides[1:], strict=False)
            fault = next((f for op, a, b in pairs if (f := _in_comparison(op, a, b, known))), "")
        if fault:
            return fault
    return ""


def _in_comparison(op: ast.cmpop, left: ast.expr, right: ast.expr, known: Mapping[str, Any]) -> str:
    if isinstance(op, ast.In | ast.NotIn):
        listed = isinstance(right, ast.List | ast.Tuple) or _fields_at(right, known)
        return "" if listed else f"{ast.unparse(right)} holds no names"
    if any(isinstance(side, ast.Constant) and side.value is None for side in (left, right)):
        return ""  # asks whether something is missing
    return _no_figure(left, known) or _no_figure(right, known)


def _no_figure(node: ast.expr, known: Mapping[str, Any]) -> str:
    """Say why a side of a comparison of figures is none; "" when it is one."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return f"{node.value!r} is text: figures are written without quotes"
    if isinstance(node, ast.List | ast.Tuple):
        return f"{ast.unparse(node)} is a list: a figure is written with a point, 0.01"
    fields = _fields_at(node, known)
    if not fields:
        return ""
    name = ast.unparse(node)
    return f"{name} is no figure: name one, such as " + (
        f"{name}['NAME'].{min(fields[ANY])}" if ANY in fields else f"{name}.{min(fields)}"
    )


def _fields_at(node: ast.expr, known: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return what a name or a path has; nothing for a figure, and for all else."""
    if not isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
        return {}
    here: Mapping[str, Any] = known
    for path in paths_in(node):
        for key in path:
            here = here.get(key, here.get(ANY, {}))
    return here


def paths_in(node: ast.expr) -> list[list[Any]]:
    """Return the names in an expression, each with the keys that lead on from it."""
    keys: list[Any] = []
    inner: ast.AST = node
    while isinstance(inner, ast.Attribute | ast.Subscript):
        keys.append(inner.attr if isinstance(inner, ast.Attribute) else getattr(inner.slice, "value", None))
        inner = inner.value
    if isinstance(inner, ast.Name):
        return [[inner.id, *reversed(keys)]]
    return [p for child in ast.iter_child_nodes(inner) if isinstance(child, ast.expr) for p in paths_in(child)]
