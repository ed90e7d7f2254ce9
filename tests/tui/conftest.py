"""What the tests of the app share: a party around one broker in memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from .party import Party


@pytest.fixture
def party(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Party:
    return Party.at(tmp_path, monkeypatch)
