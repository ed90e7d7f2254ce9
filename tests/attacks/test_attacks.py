"""A few attacks: by a seat, by strangers, by a host. `python -m tests.lab.soaks.attacks` runs all."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.attacks.attack import attack


@pytest.mark.parametrize(
    ("name", "came"),
    [
        ("undone", "settled, the liar named, voted out"),
        pytest.param("joins", "settled", marks=pytest.mark.long),
        pytest.param("sessions", "settled", marks=pytest.mark.long),
        pytest.param("password", "4 commands connected, none sent the password", marks=pytest.mark.long),
        pytest.param("certificate", "4 commands connected, none sent the password", marks=pytest.mark.long),
    ],
)
async def test_an_attack_does_no_harm(name: str, came: str, tmp_path: Path) -> None:
    assert (await attack(name, tmp_path)).startswith(came)
