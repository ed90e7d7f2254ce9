"""The requirements on an edition file for the second edition's rules."""

from __future__ import annotations

import pytest

from wasabi_tx.engine.edition import EditionError, Problem
from wasabi_tx.engine.editions import edition_text, read_playable

MASTER = edition_text("master")


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("[setup]", "[layout]", Problem("setup", "missing")),
        ("tiles = 0", "tiles = 3", Problem("hand.tiles", "number", "3, 0 to 0")),
        ('effect = "chop"', 'effect = "slice"', Problem("action (Ch).effect", "unknown-effect", "slice")),
        ("length = 5\ngain", "length = 2\ngain", Problem("deck length", "twice", "2")),
        ("recipes = [2, 3, 4]", "recipes = [2, 3, 4, 5]", Problem("setup.recipes", "too-many", "4")),
        ("recipes = [2, 3, 4]", "recipes = [5, 5, 5, 5]", Problem("setup.recipes", "too-few-recipes", "5")),
        ('2 = ["b2", "d5"]', '2 = ["b2", "f5"]', Problem("setup.cups.2", "square", "f5")),
        ('2 = ["b2", "d5"]', '2 = ["b2", "b2"]', Problem("setup.cups.2", "squares", "b2 b2")),
        (
            'strip = "Av Ri"\nvalue = 2\nstyle = 0',
            'strip = "Av Ri"\nvalue = 2\nstyle = 1',
            Problem("recipe (avocado-nigiri).style", "number", "1, 0 to 0"),
        ),
        ("2 = 5, 3 = 6, 4 = 7", "2 = 5, 3 = 6, 4 = 11", Problem("board", "too-many-squares", "66")),
    ],
)
def test_a_file_that_cannot_be_played_is_refused_with_its_fault(old: str, new: str, problem: Problem) -> None:
    assert old in MASTER
    with pytest.raises(EditionError) as caught:
        read_playable(MASTER.replace(old, new, 1))
    assert problem in caught.value.problems


def test_every_length_needs_a_deck_back() -> None:
    with pytest.raises(EditionError) as caught:
        read_playable(MASTER.replace('[[deck]]\nlength = 5\ngain = 1\npool = 1\nours = ["length"]\n', ""))
    assert Problem("deck", "missing", "5") in caught.value.problems
