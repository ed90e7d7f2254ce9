"""The ending of a game."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.view.tables import PLAYERS, seen
from wasabi_tx.engine.editions import RULES
from wasabi_tx.engine.observe import Observation
from wasabi_tx.engine.position import Outcome
from wasabi_tx.text import LANGUAGES, Texts
from wasabi_tx.view.table.ending import Ending, end_view, ending_lines, winner_words

MINE = "claimed tekkamaki crunchy-tuna+1 green-dragon | cubes 2"
THEIRS = "claimed carrot-top cool-kappa eel-be-back+0 green-card | cubes 4"


def ended(ending: str, winners: tuple[int, ...], mine: str = MINE, theirs: str = THEIRS) -> tuple[Observation, Ending]:
    observation = seen(mine=f"tiles Tu Av Ri | {mine}", theirs=f"tiles Cu Cr Eg | {theirs}")
    position = observation.position.evolve()
    position.outcome = Outcome(ending, winners, tuple(seat.score for seat in position.seats))
    return observation, end_view(observation.rules, position, PLAYERS[:2], Texts("en"))


def test_the_winner_and_what_the_points_are_made_of() -> None:
    _, view = ended("board", (0,))
    assert view.winners == ("Ana",)
    assert view.results[0].recipes == (("Tekkamaki", 2, 0), ("Crunchy Tuna", 3, 1), ("Green Dragon", 5, 0))
    assert (view.results[0].points, view.results[0].cubes, view.results[0].total) == (10, 2, 12)
    lines = ending_lines(view, Texts("en"))
    assert (
        lines[1] == "Ana wins: the points are equal, and Ana has more cubes."
        if view.by_cubes
        else lines[1] == "Ana wins."
    )
    assert "Ana: 12 in all, 10 points and 2 cubes" in lines
    assert "  Tekkamaki 2, Crunchy Tuna 3+1★, Green Dragon 5" in lines


def test_equal_totals_are_decided_by_cubes() -> None:
    _, view = ended("board", (1,))
    assert view.results[0].total == view.results[1].total
    assert view.by_cubes
    assert "Bo wins: the points are equal, and Bo has more cubes." in ending_lines(view, Texts("en"))


def test_a_draw_names_all() -> None:
    _, view = ended("passes", (0, 1))
    assert "Pareggio tra Ana, Bo." in ending_lines(view, Texts("it"))


def test_the_tenth_token_wins_whatever_the_points() -> None:
    _, view = ended("tokens", (0,), mine="claimed tekkamaki | cubes 0", theirs="claimed green-dragon | cubes 9")
    assert not view.by_cubes
    assert ending_lines(view, Texts("en"))[1] == "Ana wins."


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_ending_has_a_sentence(language: str) -> None:
    for rules in RULES.values():
        for ending in rules.endings:
            assert Texts(language).say(f"ending.{ending}")


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "You win: the points are equal, and you have more cubes."), ("it", "Vinci: i punti sono pari, ma hai")],
)
def test_you_win_by_cubes_as_you(language: str, words: str) -> None:
    _, view = ended("board", (1,))
    assert winner_words(replace(view, you=1), Texts(language)).startswith(words)
