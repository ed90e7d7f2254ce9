"""Turning points of a review, and how sure it claims to be of them."""

from __future__ import annotations

from dataclasses import replace

from wasabi_tx.games.review import ReviewedTurn, ReviewWish, turns_of
from wasabi_tx.text import Texts
from wasabi_tx.tui.draw.review import paint_review
from wasabi_tx.view.review import ReviewWords, review_view, turning_points

from .memory_games import played, seats
from .test_help import means_in

_, GAME = played(10_000, "short-classic", seats(1, 1), "review", careful=False)
TURNS = turns_of(GAME.record, 0)


def lost(*points: float, doubt: float = 0.0) -> list[ReviewedTurn]:
    """The first turns, each with what it gave away."""
    found = zip(TURNS, points, strict=False)
    return [ReviewedTurn(move, one, doubt, move.steps if one else (), ()) for move, one in found]


def words(turns: list[ReviewedTurn], width: int = 80, height: int = 24) -> str:
    texts = Texts("en")
    view = review_view(ReviewWish(GAME.record, 0), turns, [], texts)
    view = replace(view, count=len(turns))
    canvas = paint_review(view, 0, GAME.rules, 0, means_in("omakase", "en", "classic"), width, height)
    return "\n".join(canvas.words(y) for y in range(height))


def test_only_what_gave_away_more_than_a_point_turned_the_game() -> None:
    assert [turn.lost for turn in turning_points(lost(0.6, 1.5, 1.0, 4.0))] == [1.5, 4.0]
    assert turning_points(lost(0.6, 0.0, 0.9)) == []
    told = " ".join(words(lost(0.6, 0.0, 0.9)).split())
    assert "No turn gave away more than a point. Well played!" in told
    assert "in any turn" not in told, "something was"
    assert "Nothing better was found in any turn." in " ".join(words(lost(0.0, 0.0)).split())


def test_nothing_is_said_to_be_certain() -> None:
    turns = lost(2.0, 3.0, doubt=0.01)
    assert "give or take 0.1" in " ".join(words(turns).split())
    assert "give or take 0.0" not in words(turns)
    told = " ".join(" ".join(ReviewWords(GAME.record, 0, Texts("en")).turn(turns[0])).split())
    assert "(give or take 0.1)" in told


def test_bars_and_list_name_a_turning_point_by_its_turn() -> None:
    turns = lost(2.0, 0.0, 3.0)
    numbers = [turn.move.before.turn for turn in turns]
    rows = words(turns).split("\n")
    assert any(f"turn {numbers[2]}" in row for row in rows)
    below = next(y for y, row in enumerate(rows) if "TURN BY TURN" in row) + 2
    assert rows[below].split()[-2:] == [str(numbers[0]), str(numbers[2])]
