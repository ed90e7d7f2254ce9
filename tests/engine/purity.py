"""A check for constructs that a deterministic engine must not use. It is approximate: it recognizes sets by their
syntax.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

FORBIDDEN_MODULES = {
    "asyncio", "datetime", "io", "locale", "os", "pathlib", "random", "secrets", "shelve", "socket", "subprocess",
    "sys", "tempfile", "threading", "time", "uuid",
}  # fmt: skip
FORBIDDEN_NAMES = {"__import__", "float", "hash", "id", "input", "open", "print"}
ORDER_DOES_NOT_MATTER = {"all", "any", "bool", "frozenset", "len", "max", "min", "set", "sorted", "sum"}
IN_ORDER = {"dict", "enumerate", "filter", "iter", "list", "map", "next", "reversed", "tuple", "zip"}
SET_MAKERS = {"set", "frozenset"}
SET_METHODS = {"union", "intersection", "difference", "symmetric_difference"}
SET_TYPES = {"set", "frozenset", "Set", "AbstractSet", "MutableSet"}


def faults(source: str) -> list[str]:
    """Return each fault found, as `line: what`."""
    tree = ast.parse(source)
    found = [*_forbidden(tree), *_set_orders(tree)]
    return [f"{line}: {what}" for line, what in sorted(found)]


def _forbidden(tree: ast.AST) -> Iterator[tuple[int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, a.name) for a in node.names if a.name.split(".")[0] in FORBIDDEN_MODULES)
        elif isinstance(node, ast.ImportFrom):
            if not node.level and (node.module or "").split(".")[0] in FORBIDDEN_MODULES:
                yield node.lineno, str(node.module)
        elif isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Load) and node.id in FORBIDDEN_NAMES:
                yield node.lineno, node.id
        elif isinstance(node, ast.Constant):
            if isinstance(node.value, float | complex):
                yield node.lineno, "float"
        elif isinstance(node, ast.BinOp | ast.AugAssign) and isinstance(node.op, ast.Div):
            yield node.lineno, "division"


def _set_orders(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the places where the order of a set reaches a result: loops, lists, unpacking, joining, popping."""
    attributes = _attributes_that_are_sets(tree)
    harmless = _consumed_whole(tree)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    for scope in (tree, *functions):
        names = attributes | _variables_that_are_sets(scope)
        for node in _own_nodes(scope):
            what = _order_taken(node, names, harmless)
            if what:
                yield getattr(node, "lineno", 0), what


def _order_taken(node: ast.AST, names: set[str], harmless: set[ast.AST]) -> str:
    """Return how this node depends on the order of a set, or nothing."""
    match node:
        case ast.For() if _is_set(node.iter, names):
            return "loop over a set"
        case ast.ListComp() | ast.GeneratorExp() | ast.DictComp() if node not in harmless:
            return "comprehension over a set" if any(_is_set(g.iter, names) for g in node.generators) else ""
        case ast.Starred() if _is_set(node.value, names) and node not in harmless:
            return "unpacked set"
        case ast.Call(func=ast.Name(id=called)) if called in IN_ORDER and node not in harmless:
            return f"{called} of a set" if any(_is_set(argument, names) for argument in node.args) else ""
        case ast.Call(func=ast.Attribute(attr="join" | "extend" as called)):
            return f"{called} of a set" if any(_is_set(argument, names) for argument in node.args) else ""
        case ast.Call(func=ast.Attribute(attr="pop", value=value), args=[]) if _is_set(value, names):
            return "pop of a set"
    return ""


def _own_nodes(scope: ast.AST) -> Iterator[ast.AST]:
    """Yield every node of this scope that does not belong to an inner function."""
    for node in ast.iter_child_nodes(scope):
        if not isinstance(node, ast.FunctionDef):
            yield node
            yield from _own_nodes(node)


def _consumed_whole(tree: ast.AST) -> set[ast.AST]:
    """Return comprehensions and unpackings consumed by a set or by a function for which order does not matter."""
    harmless: set[ast.AST] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ORDER_DOES_NOT_MATTER:
            harmless.update(node.args)
        elif isinstance(node, ast.Set):
            harmless.update(node.elts)
    return harmless


def _attributes_that_are_sets(tree: ast.AST) -> set[str]:
    """Return fields of the file's classes, and module variables, that are annotated as a set."""
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.AnnAssign) and _is_set_type(node.annotation):
            names |= _name(node.target)
        elif isinstance(node, ast.Assign) and _is_set(node.value, set()):
            names.update(target.attr for target in node.targets if isinstance(target, ast.Attribute))
    return names


def _variables_that_are_sets(scope: ast.AST) -> set[str]:
    """Return parameters and variables of one function that are annotated as a set or assigned one."""
    names: set[str] = set()
    arguments = scope.args.args if isinstance(scope, ast.FunctionDef) else []
    names.update(a.arg for a in arguments if a.annotation is not None and _is_set_type(a.annotation))
    for node in _own_nodes(scope):
        if isinstance(node, ast.Assign) and _is_set(node.value, names):
            names.update(*(_name(target) for target in node.targets))
    return names


def _name(node: ast.expr) -> set[str]:
    if isinstance(node, ast.Attribute):
        return {node.attr}
    return {node.id} if isinstance(node, ast.Name) else set()


def _is_set_type(annotation: ast.expr) -> bool:
    outer = annotation.value if isinstance(annotation, ast.Subscript) else annotation
    return isinstance(outer, ast.Name) and outer.id in SET_TYPES


def _is_set(node: ast.expr, names: set[str]) -> bool:
    match node:
        case ast.Set() | ast.SetComp():
            return True
        case ast.Call(func=ast.Name(id=called)):
            return called in SET_MAKERS
        case ast.Call(func=ast.Attribute(attr=called)):
            return called in SET_METHODS
        case ast.BinOp(op=ast.BitAnd() | ast.BitOr() | ast.BitXor() | ast.Sub()):
            return _is_set(node.left, names) or _is_set(node.right, names)
        case ast.Name() | ast.Attribute():
            return bool(_name(node) & names)
    return False
