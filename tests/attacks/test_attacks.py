"""A few attacks in every run of the suite: of a seat, of strangers, of a host. `python -m tests.attacks` has all."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.attacks.__main__ import attack


@pytest.mark.parametrize(
    ("name", "came"),
    [
        ("undone", "settled, the liar named, voted out"),
        ("joins", "settled"),
        ("sessions", "settled"),
        ("password", "4 commands connected, none sent the password"),
    ],
)
async def test_an_attack_does_no_harm(name: str, came: str, tmp_path: Path) -> None:
    assert (await attack(name, tmp_path)).startswith(came)
