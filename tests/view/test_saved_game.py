"""The description of a saved game in a list."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.tui.memory_games import played, seats
from wasabi_tx.engine.position import Outcome
from wasabi_tx.engine.scores import all_scores
from wasabi_tx.games.transcript import Transcript
from wasabi_tx.text import Texts
from wasabi_tx.view.saved_game import saved_line


def over(winners: tuple[int, ...], people: int = 1) -> Transcript:
    """Return a game in which these seats have won."""
    _, game = played(9, "classic", seats(people, 2 - people), "list")
    after = game.last.evolve()
    after.outcome = Outcome("board", winners, all_scores(after))
    return replace(game, moves=(*game.moves[:-1], replace(game.moves[-1], after=after)))


@pytest.mark.parametrize(
    ("winners", "language", "words"),
    [
        ((0,), "en", "First edition, Udon, won "),
        ((1,), "en", "First edition, Udon, lost "),
        ((0, 1), "en", "First edition, Udon, a draw "),
        ((0,), "it", "Prima edizione, Udon, vinta "),
        ((1,), "it", "Prima edizione, Udon, persa "),
        ((0, 1), "it", "Prima edizione, Udon, pari "),
    ],
)
def test_a_finished_game_says_how_it_ended_for_its_person(winners: tuple[int, ...], language: str, words: str) -> None:
    game = over(winners)
    mine, theirs = all_scores(game.last)
    assert saved_line(game, Texts(language)) == f"{words}{mine} : {theirs}"


def test_a_game_of_several_people_has_everybodys_points() -> None:
    game = over((0,), people=2)
    ana, bo = all_scores(game.last)
    assert saved_line(game, Texts("en")) == f"First edition, Ana: {ana}, Bo: {bo}"


def test_an_unfinished_game_says_where_it_is() -> None:
    _, game = played(9, "classic", seats(1, 1), "list")
    mine, theirs = all_scores(game.last)
    assert saved_line(game, Texts("en")) == f"First edition, Udon, turn {game.last.turn}, {mine} : {theirs}"
