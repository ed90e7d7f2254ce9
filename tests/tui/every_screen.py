"""Every place in the app's code that makes a screen, and the places that a run of the app comes by."""

from __future__ import annotations

import ast
import importlib
import inspect
import pkgutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import patch

from textual.screen import Screen

from wasabi_tx import tui

CODE = Path(tui.__file__).parent
OPENER = "open_page"
"""The method that makes pages for others: its callers count."""


class Made(NamedTuple):
    """A screen, the place in the code that made it, and how to make another one like it."""

    place: str
    screen: Screen[Any]
    again: Callable[[], Screen[Any]]


def _screens(kind: type[Screen[Any]] = Screen) -> Iterator[str]:
    for one in kind.__subclasses__():
        yield one.__name__
        yield from _screens(one)


def import_all() -> None:
    for module in pkgutil.walk_packages([str(CODE)], f"{tui.__name__}."):
        importlib.import_module(module.name)


def places() -> set[str]:
    """Return every function that makes a screen, by its file and its name."""
    import_all()
    kinds = set(_screens())
    return {
        f"{path.relative_to(CODE)} {name}"
        for path in CODE.rglob("*.py")
        for name in _makers(ast.parse(path.read_text()), kinds, [])
        if not name.endswith(OPENER)
    }


def _makers(node: ast.AST, kinds: set[str], names: list[str]) -> Iterator[str]:
    """Name the functions below a node that call one of these classes, as Python qualifies them."""
    if isinstance(node, ast.Call):
        called = getattr(node.func, "id", "") or getattr(node.func, "attr", "")
        if called in kinds or called == OPENER:
            yield ".".join(names).removesuffix(".<locals>")
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        names = [*names, node.name, *([] if isinstance(node, ast.ClassDef) else ["<locals>"])]
    for child in ast.iter_child_nodes(node):
        yield from _makers(child, kinds, names)


@contextmanager
def watched() -> Iterator[list[Made]]:
    """Note every screen that the app makes."""
    made: list[Made] = []

    def call(kind: type[Any], *args: Any, **named: Any) -> Any:
        one = type.__call__(kind, *args, **named)
        if isinstance(one, Screen):
            frame = inspect.currentframe()
            while (frame := frame.f_back if frame else None) and frame.f_code.co_name == OPENER:
                pass
            if frame is not None and frame.f_code.co_filename.startswith(str(CODE)):
                place = f"{Path(frame.f_code.co_filename).relative_to(CODE)} {frame.f_code.co_qualname}"
                made.append(Made(place, one, lambda: type.__call__(kind, *args, **named)))
        return one

    with patch.object(type(Screen), "__call__", call, create=True):
        yield made
