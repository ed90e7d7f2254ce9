"""Abbreviated steps are the same steps as those written out."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wasabi_tx.engine.hand import Returning
from wasabi_tx.engine.step import Step
from wasabi_tx.engine.step_list import Block, Choices

ROW = tuple(Step("place", (1, square)) for square in range(6))


@st.composite
def blocks(draw: st.DrawFn) -> list[Block]:
    rows = st.lists(st.permutations(ROW).map(tuple), max_size=3)
    places = st.lists(st.integers(0, 5), unique=True).map(sorted)
    return draw(st.lists(st.tuples(rows, places), max_size=4))


@given(blocks(), st.slices(40))
def test_choices_are_the_list_of_their_blocks(made: list[Block], part: slice) -> None:
    choices = Choices(made)
    written = [row[place] for rows, places in made for row in rows for place in places]
    assert list(choices) == written
    assert choices == written == choices == Choices(made)
    assert choices != [*written, ROW[0]]
    assert choices != tuple(written)
    assert len(choices) == len(written)
    assert [choices[index] for index in range(len(choices))] == written
    assert [choices[index - len(written)] for index in range(len(choices))] == written
    assert choices[part] == written[part]
    assert bool(choices) == bool(written)


@pytest.mark.parametrize("none_below", [1, 3])
@given(st.sets(st.integers(512, 530), max_size=4).flatmap(lambda cards: st.permutations(sorted(cards))))
def test_ways_to_return_cards_are_every_order_of_every_choice(none_below: int, cards: list[int]) -> None:
    least = 0 if len(cards) < none_below else 1
    counts = range(least, len(cards) + 1)
    written = sorted(Step("exchange", order) for count in counts for order in permutations(cards, count))
    choices = Choices([Returning("exchange", none_below).row(tuple(cards))])
    assert list(choices) == written
    assert [choices[index] for index in range(len(choices))] == written
    (row,), _ = Returning("exchange", none_below).row(tuple(cards))
    assert row[1:3] == written[1:3]


def test_there_is_nothing_beyond_either_end() -> None:
    choices = Choices([((ROW,), (1, 4)), ((), (0,))])
    assert choices[1] == choices[-1] == ROW[4]
    for index in (2, -3):
        with pytest.raises(IndexError):
            choices[index]
