"""The app uses Textual as it is meant to be used: nothing private is imported, hidden or read without a reason."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from textual.message_pump import MessagePump

from .every_screen import CODE, import_all

ALLOWED = {("WasabiApp", "_driver")}
"""What has no public way; the code says why."""
OWN = re.compile(r"self\.(_[a-z]\w*)")
ASSIGNED = re.compile(r"self\.(_[a-z]\w*)(?:: [^=\n]+)? =")


def classes(kind: type[Any] = MessagePump) -> Iterator[type[Any]]:
    for one in kind.__subclasses__():
        yield one
        yield from classes(one)


@cache
def private_names(kind: type[Any]) -> frozenset[str]:
    """Return the private names that a class of Textual's has or assigns."""
    return frozenset(vars(kind)) | frozenset(ASSIGNED.findall(inspect.getsource(kind)))


def test_no_private_name_of_textual_is_read_or_hidden() -> None:
    import_all()
    found = set()
    for kind in classes():
        if kind.__module__.startswith("wasabi_tx.tui"):
            theirs = [one for one in kind.__mro__ if one.__module__.startswith("textual.")]
            for name in OWN.findall(inspect.getsource(kind)):
                if any(name in private_names(one) for one in theirs):
                    found.add((kind.__name__, name))
    assert found == ALLOWED


def test_nothing_private_of_textual_is_imported() -> None:
    private = re.compile(r"^\s*(?:from|import) textual(?:\.\w+)*(?:\._| import .*\b_)", re.MULTILINE)
    for path in CODE.parent.rglob("*.py"):
        # The driver of the browser tab says why.
        if path.relative_to(CODE.parent).as_posix() != "web/driver.py":
            assert not private.search(path.read_text()), path
