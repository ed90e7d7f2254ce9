"""The ends of a game."""

from __future__ import annotations

from tests.engine.classic.table import ONE_LEFT, table
from wasabi_tx.engine.position import Outcome

NINE = """carrot-top cool-kappa eel-be-back eight-arms-to-hold california-dreamer hakuna-ma-tofu i-eel-good
    aki-roll caterpillar-crawl""".replace("\n", " ")
"""Every token but the one of length 5."""


# 15. The end


def test_the_tenth_token_ends_the_game_at_once_and_its_owner_wins_whatever_the_points() -> None:
    before = table(f"""
        board:
        Tu Te . Ma Pi
        seat 1 | tiles Tu Av Av | recipes tuna-turner 2.1 2.2 | claimed {NINE}
        seat 2 | cubes 300
    """)
    over = before.do("place Tu c1; claim tuna-turner")
    assert over.position.outcome == ("tokens", (0,), (4 * 2 + 3 * 3 + 2 * 5 + 8 + 3, 300))
    assert (over.mover, over.position.phase, over.line("this turn"), over.line("changed")) == (0, "over", "-", "")
    assert over.position.turn == 9, "no other turn began"


def test_the_tenth_token_ends_the_game_even_if_this_turns_tile_is_still_owed() -> None:
    before = table(f"""
        board:
        Tu Te .  Ma Pi
        .  .  Tu .  .
        seat 1 | tiles Av Av Av | cards Sw | recipes tuna-turner 2.1 2.2 | claimed {NINE}
    """)
    over = before.do("switch c1 c2; claim tuna-turner")
    assert over.position.outcome is not None
    assert over.position.outcome.ending == "tokens"
    assert over.tiles(1) == "Av Av Av", "Step 2 does not take place"


def test_nine_tokens_do_not_end_the_game() -> None:
    before = table("board:\n Tu .\n seat 1 | tiles Ma | recipes tekkamaki | claimed " + NINE.replace("carrot-top", ""))
    assert before.do("place Ma b1; claim tekkamaki").position.outcome is None


def test_at_the_very_end_of_a_turn_with_every_square_filled_the_game_ends() -> None:
    before = table(ONE_LEFT + "seat 1 | tiles Av Av Av | recipes 2.1 2.2 2.3 | cubes 1")
    filled = before.do("place Av e6; done")
    assert filled.position.outcome is None
    assert filled.do("tile Pi").position.outcome == ("board", (0,), (1, 0))


def test_a_square_covered_by_a_wasabi_card_counts_as_filled() -> None:
    board = ONE_LEFT.replace("Sh Sh Sh", "Sh .  .").replace("Cr Cr Cr Sc .", "Cr Cr .  .  .")
    before = table(board + "wasabi: d5\nseat 1 | tiles Av Av Av | recipes 2.1 2.2 2.3")
    assert before.legal("place") == ["place Av c6"]
    over = before.do("place Av c6; done; tile Pi")
    assert over.position.outcome == ("board", (0, 1), (0, 0))


def test_a_wasabi_card_that_covers_the_last_squares_ends_the_game() -> None:
    before = table(ONE_LEFT.replace("Sc .", ".  .") + "seat 1 | tiles Av Av Av | cards Wa | recipes 2.1 2.2 2.3")
    over = before.do("place Av d6; wasabi d5; done; tile Pi")
    assert over.position.outcome == ("board", (0,), (1, 0))


def test_a_board_filled_and_chopped_again_in_the_same_turn_is_not_full() -> None:
    before = table(ONE_LEFT + "seat 1 | tiles Av Av Av | cards Ch | recipes 2.1 2.2 2.3")
    assert before.do("place Av e6; chop a1; done; tile Pi").position.outcome is None


def ended(mine: str, others: str) -> Outcome | None:
    """Return the outcome when the last square is filled and the two have claimed these recipes."""
    seats = f"""
        seat 1 | tiles Av Av Av | recipes 2.1 2.2 2.3 | claimed {mine}
        seat 2 | claimed {others}
    """
    outcome: Outcome | None = table(ONE_LEFT + seats).do("place Av e6; done; tile Pi").position.outcome
    return outcome


def test_points_and_cubes_count_together() -> None:
    assert ended("aki-roll", "carrot-top | cubes 4") == ("board", (1,), (5, 6))


def test_a_tie_goes_to_the_more_cubes() -> None:
    assert ended("aki-roll", "carrot-top | cubes 3") == ("board", (1,), (5, 5))


def test_tied_again_it_is_a_draw() -> None:
    assert ended("cool-kappa | cubes 3", "carrot-top | cubes 3") == ("board", (0, 1), (5, 5))


def test_nothing_can_be_done_when_the_game_is_over() -> None:
    over = table(ONE_LEFT + "seat 1 | tiles Av Av Av | recipes 2.1 2.2 2.3").do("place Av e6; done; tile Pi")
    assert over.legal() == []
    for line in ("pass", "done", "tile Ri", "leave 1", "exclude 2"):
        over.refuses(line, "game-over")
