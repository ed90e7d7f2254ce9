"""Picture files: each is new, and only its owner can read it."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

from wasabi_tx.store.picture_files import new_picture


def test_no_picture_takes_the_place_of_another(tmp_path: Path) -> None:
    now = datetime(2026, 5, 4, 3, 2, 1, tzinfo=UTC)
    first, second = (new_picture(tmp_path / "games", "result", now, f"<svg>{n}</svg>") for n in (1, 2))
    assert [first.name, second.name] == ["result-20260504-030201.svg", "result-20260504-030201-2.svg"]
    assert first.read_text(encoding="utf-8") == "<svg>1</svg>"
    if sys.platform != "win32":
        assert first.stat().st_mode & 0o077 == 0
