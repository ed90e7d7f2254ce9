"""Bytes in, events out: the package uses no network, no clock and only the system's randomness, and hides no doubt."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
import wasabi_protocol
import wasabi_protocol.sealed

PACKAGE = Path(wasabi_protocol.__file__).parent
USED = {
    "__future__", "base64", "binascii", "collections", "contextlib", "dataclasses", "enum", "functools", "hashlib",
    "hmac", "importlib", "ipaddress", "itertools", "msgpack", "nacl", "re", "typing", "urllib", "wasabi_protocol",
}  # fmt: skip
CHANCE = {"os": ("urandom",), "secrets": ("token_bytes", "randbelow")}
"""The allowed sources of secrets, by module."""


@pytest.mark.parametrize("path", sorted(PACKAGE.rglob("*.py")), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_imports_nothing_that_sends_waits_or_guesses(path: Path) -> None:
    tree = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    whole = {alias.name for node in tree if isinstance(node, ast.Import) for alias in node.names}
    parts = {node.module or "" for node in tree if isinstance(node, ast.ImportFrom)}
    assert {name.split(".")[0] for name in whole | parts} - USED <= whole & CHANCE.keys()
    for node in tree:
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in whole:
            assert node.attr in CHANCE.get(node.value.id, (node.attr,)), f"{node.value.id}.{node.attr}"


def test_the_package_alone_loads_nothing_else() -> None:
    code = "import sys, wasabi_protocol; print([name for name in sys.modules if name.startswith('wasabi_protocol.')])"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert loaded == "[]\n"


@pytest.mark.parametrize("name", wasabi_protocol.__all__)
def test_a_public_name_is_documented_and_explained_by_the_package(name: str) -> None:
    assert getattr(wasabi_protocol, name).__doc__
    assert f"`{name}`" in (wasabi_protocol.__doc__ or "")


def test_other_names_are_not_there() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Nonsense'"):
        getattr(wasabi_protocol, "Nonsense")  # noqa: B009


def test_users_and_developers_are_told_that_nobody_has_audited_this() -> None:
    folder = PACKAGE.parent
    for path in (folder.parent / "README.md", folder / "README.md", folder / "06-sealed-decks.md"):
        assert re.search("unaudited|not been audited", path.read_text(encoding="utf-8"), re.IGNORECASE), path
    assert wasabi_protocol.sealed.__doc__ is not None
    assert "UNAUDITED" in wasabi_protocol.sealed.__doc__
    assert "What was done to earn trust" in wasabi_protocol.sealed.__doc__
