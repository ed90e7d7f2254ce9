"""The moving picture shows the game that it says."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from tests.lab.pictures.moving import FILE, MOST_BYTES, SIZE, film
from wasabi_tx.tui.svg import HEIGHT, WIDTH

README = FILE.parents[2] / "README.md"


def test_the_picture_in_the_readme_is_small_and_as_large_as_the_screen() -> None:
    data = FILE.read_bytes()
    assert str(FILE.relative_to(README.parent)) in README.read_text(encoding="utf-8")
    assert data[:6] == b"GIF89a"
    size = int.from_bytes(data[6:8], "little"), int.from_bytes(data[8:10], "little")
    assert size == (SIZE[0] * WIDTH, SIZE[1] * HEIGHT)
    assert len(data) <= MOST_BYTES


@pytest.mark.long
async def test_it_goes_from_home_to_the_end() -> None:
    pictures = await film()
    seen = [" ".join("".join(ElementTree.fromstring(svg).itertext()).split()) for svg, _ in pictures]
    moments = (
        "Continue with Udon, Mochi, Miso",
        "Pick up Maki",
        "3 points and 1 cube",
        "covered four squares from a1 with Wasabi!",
        "Place on f6",
        "HOW THE POINTS WERE MADE",
    )
    places = [next((n for n, words in enumerate(seen) if moment in words), -1) for moment in moments]
    assert -1 not in places, list(zip(moments, places, strict=True))
    assert places == sorted(places)
    assert 15 < sum(seconds for _, seconds in pictures) < 40
    assert "Play again" in seen[-1]
