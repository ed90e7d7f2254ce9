"""Fixtures of the app's tests: a party around one broker in memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from .party import Party


@pytest.fixture
def party(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Party:
    return Party.at(tmp_path, monkeypatch)


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let keys on the end page work at once, without the pause in which people look at the result."""
    monkeypatch.setattr("wasabi_tx.tui.screens.ending.LOOKED_AT", 0.0)
