"""Mutants of a module: its syntax tree with one small change."""

from __future__ import annotations

import ast
import copy
from collections.abc import Container, Iterator
from dataclasses import dataclass

_COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}
_COMPUTED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.BitOr: ast.BitAnd,
}


@dataclass(frozen=True)
class Mutant:
    """One change: its place, and its effect on the line."""

    number: int
    line: int
    change: str
    tree: ast.Module


def count_mutants(source: str) -> int:
    """Return how many mutants a module has."""
    return sum(len(_changes(node)) for node in _code(ast.parse(source)))


def mutants(source: str, chosen: Container[int] | None = None) -> list[Mutant]:
    """Return every mutant of a module, or those with the chosen numbers, in the order of its lines."""
    tree = ast.parse(source)
    places = [(place, choice) for place in _code(tree) for choice in range(len(_changes(place)))]
    found: list[Mutant] = []
    for number, (place, choice) in enumerate(places):
        if chosen is not None and number not in chosen:
            continue
        twin = copy.deepcopy(tree)
        node = [other for other in _code(twin) for _ in _changes(other)][number]
        change = _changes(node)[choice]
        before = ast.unparse(node)
        _apply(node, change)
        line = getattr(place, "lineno", 0)
        found.append(Mutant(number, line, f"{_short(before)}  →  {_short(ast.unparse(node))}", twin))
    return found


def _short(text: str) -> str:
    return " ".join(text.split())[:70]


def _code(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield every node that runs: no annotations, no docstrings, nothing that is only for the type checker."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            continue
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        yield node
        skipped: set[int] = set()
        for name in ("annotation", "returns", "decorator_list"):
            value = getattr(node, name, None)
            skipped |= {id(one) for one in (value if isinstance(value, list) else [value])}
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            # An error's message is for people; its code and its seat are not.
            skipped |= {id(one) for one in node.exc.args if isinstance(one, ast.Constant | ast.JoinedStr)}
        if isinstance(node, ast.Assert):
            skipped |= {id(node.test), id(node.msg)}
        waiting += [child for child in ast.iter_child_nodes(node) if id(child) not in skipped]


def _changes(node: ast.AST) -> list[str]:
    match node:
        case ast.Compare(ops=[op]) if type(op) in _COMPARED:
            return ["compare"]
        case ast.BoolOp():
            return ["and-or"]
        case ast.UnaryOp(op=ast.Not()):
            return ["not"]
        case ast.BinOp(op=op, left=left, right=right) if type(op) in _COMPUTED:
            return [] if _text(left) or _text(right) else ["compute"]
        case ast.Constant(value=bool()):
            return ["flip"]
        case ast.Constant(value=int()):
            return ["more"]
        case ast.Raise():
            return ["silence"]
        case ast.If(body=[ast.Return() | ast.Continue()]) if not node.orelse:
            return ["never"]
    return []


def _text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def _apply(node: ast.AST, change: str) -> None:
    match node, change:
        case ast.Compare(ops=[op]), _:
            node.ops = [_COMPARED[type(op)]()]
        case ast.BoolOp(op=op), _:
            node.op = ast.Or() if isinstance(op, ast.And) else ast.And()
        case ast.UnaryOp(operand=operand), _:
            # Two negations, because the node keeps its place in the tree.
            node.operand = ast.UnaryOp(op=ast.Not(), operand=operand)
        case ast.BinOp(op=op), _:
            node.op = _COMPUTED[type(op)]()
        case ast.Constant(value=bool(value)), _:
            node.value = not value
        case ast.Constant(value=int(value)), _:
            node.value = value + 1
        case ast.Raise(), _:
            node.exc, node.cause = None, None
            _become_pass(node)
        case ast.If(), _:
            node.test = ast.Constant(value=False)
    ast.fix_missing_locations(node)


def _become_pass(node: ast.Raise) -> None:
    """Make a raise do nothing; it becomes an expression, because a node cannot remove itself from its tree."""
    node.__class__ = ast.Expr  # type: ignore[assignment]
    node.__dict__.pop("exc", None)
    node.__dict__.pop("cause", None)
    node.value = ast.Constant(value=None)  # type: ignore[attr-defined]
