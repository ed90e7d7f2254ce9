"""The inside of an online table is private: nobody outside accesses its driver, its client or their state."""

from __future__ import annotations

import ast
from pathlib import Path

import wasabi_tx

ROOT = Path(wasabi_tx.__file__).parent
ABOVE = ("table", "view", "plain", "tui", "cli")
"""The folders whose code may import an online table."""
HIDDEN = {"driver", "client", "_client"}


def reached(source: str) -> list[str]:
    """Return the private attributes that this code accesses, each with its line."""
    found = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Attribute) and node.attr in HIDDEN]
    return [f"{node.lineno}: .{node.attr}" for node in found]


def test_nobody_outside_reaches_a_client() -> None:
    paths = [path for folder in ABOVE for path in (ROOT / folder).rglob("*.py")]
    outside = [path for path in paths if not path.is_relative_to(ROOT / "table" / "online")]
    assert len(outside) > 100
    found = {str(path.relative_to(ROOT)): reached(path.read_text(encoding="utf-8")) for path in outside}
    assert {path: lines for path, lines in found.items() if lines} == {}


def test_reaching_for_a_client_is_found() -> None:
    assert reached("def over(table):\n    return table.driver.client.playing.over\n") == ["2: .client", "2: .driver"]
