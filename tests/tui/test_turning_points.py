"""Turning points of a review, and how sure it claims to be of them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from wasabi_tx.engine.board import stack_tiles
from wasabi_tx.engine.scores import all_scores
from wasabi_tx.games.review import ReviewedTurn, ReviewWish, turns_of
from wasabi_tx.text import Texts
from wasabi_tx.tui.draw.board import paint_board
from wasabi_tx.tui.draw.review import paint_figures, paint_told, review_board
from wasabi_tx.tui.tiles import SMALL
from wasabi_tx.view.review import ReviewWords, review_view, turning_points

from .memory_games import played, seats
from .test_help import means_in

_, GAME = played(10_000, "short-classic", seats(1, 1), "review", careful=False)
TURNS = turns_of(GAME.record, 0)


def lost(*points: float, doubt: float = 0.0) -> list[ReviewedTurn]:
    """Return the first turns, each with the points that it gave away."""
    found = zip(TURNS, points, strict=False)
    return [ReviewedTurn(move, one, doubt, move.steps if one else (), ()) for move, one in found]


def words(turns: list[ReviewedTurn]) -> str:
    means, view = means_in("omakase", "en", "classic"), review_view(ReviewWish(GAME.record, 0), turns, [], Texts("en"))
    view = replace(view, count=len(turns))
    point = view.points[0] if view.points else view.best
    figures = paint_figures(view, 0, means, 36, small=False, roomy=False)
    told = paint_told(view, point, 0, means, 78, 8)
    return "\n".join(canvas.words(y) for canvas in (figures, told) for y in range(canvas.height))


def test_only_what_gave_away_more_than_a_point_turned_the_game() -> None:
    assert [turn.lost for turn in turning_points(lost(0.6, 1.5, 1.0, 4.0))] == [1.5, 4.0]
    assert turning_points(lost(0.6, 0.0, 0.9)) == []
    told = " ".join(words(lost(0.6, 0.0, 0.9)).split())
    assert "No turn missed more than a point. Well played!" in told
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


@pytest.mark.parametrize("edition", ["classic", "master"])
def test_a_stack_is_marked_only_where_tiles_lie_on_each_other(edition: str) -> None:
    _, game = played(10_000, edition, seats(1, 1), "stacks")
    seen, means = set[str](), means_in("omakase", "en", edition)
    for move in game.moves:
        verbs = {step.verb for step in move.steps} & {"switch", "wasabi", "stack", "chop", "spicy"}
        if not verbs or move.before.phase != "play" or move.before.mover is None:
            continue
        seen |= verbs
        turn = ReviewedTurn(move, 3.0, 0.1, move.steps, ())
        view = review_view(ReviewWish(game.record, move.seat), [turn], [], Texts("en"))
        board = review_board(view.points[0], game.rules, move.seat, "en")
        canvas = paint_board(board.squares, board.columns, SMALL, means.paints, board.frames)
        marked = sum(canvas.words(y).count("≡") for y in range(canvas.height))
        before = [stack_tiles(stack) for stack in move.before.board.stacks]
        after = [stack_tiles(stack) for stack in move.after.board.stacks]
        assert marked <= sum(max(len(was), len(now)) > 1 for was, now in zip(before, after, strict=True)), move.steps
    assert {"switch", "wasabi"} & seen, "the game has what swaps or covers tiles that lie alone"


def test_a_good_game_shows_its_best_moment() -> None:
    turns = lost(*[0.0] * len(TURNS))
    view = review_view(ReviewWish(GAME.record, 0), turns, [], Texts("en"))
    assert view.best is not None
    made = [all_scores(move.after)[0] - all_scores(move.before)[0] for move in TURNS]
    assert view.best.made == max(made)
    told = " ".join(words(turns).split())
    assert f"Your best turn was turn {view.best.turn}" in told
    board = review_board(view.best, GAME.rules, 0, "en")
    assert any(square.code for square in board.squares), "the board is there"
