"""Legal steps, grouped into a summary."""

from __future__ import annotations

import pytest

from tests.view.tables import seen
from wasabi_tx.engine.observe import Observation
from wasabi_tx.text import Texts
from wasabi_tx.turn.step_groups import Group, group_steps, square_names
from wasabi_tx.view.table.hand import hand_of


def groups(observation: Observation, language: str = "en") -> dict[str, Group]:
    found = group_steps(observation.rules, hand_of(observation), observation.legal(), Texts(language))
    return {group.verb: group for group in found}


def test_placements_are_one_line_of_tiles_and_squares() -> None:
    place = groups(seen("a1=Ri c1=Tu"))["place"]
    assert place.places == ("Ri Tu Av", "b1 d1 e1 a2-e2 a3-e3 a4-e4 a5-e5 a6-e6")
    assert place.count == 3 * 28


def test_recipes_that_can_be_returned_are_numbers() -> None:
    found = groups(seen(mine="tiles Tu Av Ri | recipes tekkamaki green-dragon"))["pass"]
    assert found.places == ("6 7 all",)


def test_verbs_are_shown_in_the_language_of_the_screen() -> None:
    observation = seen(mine="tiles Tu Av Ri | recipes tekkamaki")
    assert set(groups(observation, "it")) == {"metti", "passa"}


def test_there_are_never_more_groups_than_verbs() -> None:
    observation = seen("a1=Ri c1=Tu", mine="tiles Tu Av Ri | cards Ch Sw | recipes tekkamaki green-dragon crunchy-tuna")
    found = groups(observation)
    assert len(found) == len({step.verb for step in observation.legal()}) <= 6
    assert sum(group.count for group in found.values()) == len(observation.legal())


@pytest.mark.parametrize(
    ("squares", "names"),
    [
        ([], ""),
        ([0], "a1"),
        ([0, 1], "a1 b1"),
        ([0, 1, 2], "a1-c1"),
        ([3, 4, 5, 6], "d1 e1 a2 b2"),
        ([4, 3, 2], "c1-e1"),
    ],
)
def test_runs_of_squares_are_shortened_within_a_row(squares: list[int], names: str) -> None:
    assert square_names(seen().rules, squares) == names
