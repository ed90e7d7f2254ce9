"""A seat that sends anything signed crashes no client, and nobody honest is blamed for it."""

from __future__ import annotations

import pytest

from .byzantine import Report, play


@pytest.mark.parametrize(
    "seed", ["test one", *(pytest.param(seed, marks=pytest.mark.long) for seed in ("test two", "1794907807 24"))]
)
def test_a_liar_raises_nothing_and_blames_nobody_else(seed: str) -> None:
    report = Report()
    play(f"byzantine {seed}", report)
    assert report.games == 1
    assert report.messages >= 10
