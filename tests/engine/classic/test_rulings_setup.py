"""Setup: the kitchen, the gifts, the first recipes."""

from __future__ import annotations

import pytest

from tests.engine.classic.table import opening, table

GIFT = "give Tu; give Sh; give Av"
DRAWS = "draw 2; draw 2; draw 3"


@pytest.mark.parametrize(
    ("players", "kitchen"),
    [(2, "Ch1 Sp1 St1 Sw1 Wa1"), (3, "Ch1 Sp2 St1 Sw1 Wa2"), (4, "Ch2 Sp2 St2 Sw2 Wa2")],
)
def test_the_kitchen_holds_5_7_or_all_10_cards(players: int, kitchen: str) -> None:
    assert opening(players).line("kitchen") == kitchen


@pytest.mark.parametrize(("players", "columns"), [(2, 5), (3, 6), (4, 7)])
def test_the_play_area_has_5_6_or_7_columns(players: int, columns: int) -> None:
    grid = opening(players).rules.grid
    assert (grid.rows, grid.columns) == (6, columns)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_nobody_starts_with_a_card_a_cube_or_a_point(players: int) -> None:
    for seat in opening(players).position.seats:
        assert (seat.cards, seat.cubes, seat.points, seat.claimed) == ((), 0, 0, ())


@pytest.mark.parametrize("players", [2, 3, 4])
def test_everyone_has_ten_tokens_4_of_length_2_3_of_3_2_of_4_1_of_5(players: int) -> None:
    for seat in opening(players).position.seats:
        assert seat.tokens == bytes((0, 0, 4, 3, 2, 1))


@pytest.mark.parametrize(
    ("card", "line"), [("Ch", "chop b1"), ("Sp", "spicy"), ("St", "stack"), ("Sw", "switch a1 b1")]
)
def test_a_played_card_returns_to_the_kitchen_at_once(card: str, line: str) -> None:
    before = table(f"board:\n . Tu\n seat 1 | tiles Av Av Av | cards {card}")
    assert f"{card}1" not in before.line("kitchen")
    after = before.do(line)
    assert f"{card}1" in after.line("kitchen")
    assert after.cards(1) == ""


def test_wasabi_lies_on_the_board_until_taken_as_a_reward() -> None:
    played = table("board:\n Tu .\n seat 1 | tiles Ma Av Av | cards Wa | recipes tekkamaki 3.0 3.1").do("wasabi d5")
    assert (played.line("wasabi"), "Wa" in played.line("kitchen"), played.cards(1)) == ("d5", False, "")
    later = table("""
        board:
        Tu .
        wasabi: d5
        seat 1 | tiles Ma Av Av | recipes tekkamaki 3.0 3.1
    """).do("place Ma b1; claim tekkamaki; done; take Wa d5")
    assert (later.line("wasabi"), "Wa" in later.line("kitchen"), later.cards(1)) == ("", False, "Wa")


# Gifts


def test_the_starting_player_picks_3_tiles_for_the_left_neighbour() -> None:
    before = opening(3, first=2)
    assert (before.mover, before.position.phase) == (2, "give")
    after = before.do(GIFT)
    assert [after.tiles(n) for n in (1, 2, 3)] == ["", "", "Tu Sh Av"]
    assert (after.mover, after.position.phase) == (3, "give")


@pytest.mark.parametrize(("players", "first"), [(2, 1), (2, 2), (3, 2), (4, 3)])
def test_from_the_starting_player_on_each_gives_to_the_left_until_everyone_has_a_starting_hand(
    players: int, first: int
) -> None:
    at = opening(players, first)
    hands = ["Tu Sh Av", "Sa Cr Cu", "Ye Sc Ca", "Ee Oc Da"][:players]
    for turn, hand in enumerate(hands):
        giver = (first - 1 + turn) % players + 1
        assert at.mover == giver
        at = at.do("; ".join(f"give {tile}" for tile in hand.split()))
        assert at.tiles(giver % players + 1) == hand
    assert (at.mover, at.position.phase) == (first, "draw")


def test_the_three_tiles_are_of_three_different_categories() -> None:
    opening().refuses("give Tu; give Sa", "category-twice", tile="Sa")
    opening().refuses("give Tu; give Tu", "category-twice", tile="Tu")
    after = opening().do("give Tu; give Sh")
    assert {line.split()[1] for line in after.legal()} == {"Av", "Cu", "Ca", "Da", "Eg", "Te", "To", "Pi"}


@pytest.mark.parametrize("tile", ["Ri", "Ma", "Ro", "Ur", "Sq", "Wk", "Na", "Fl"])
def test_no_rice_maki_or_unique_is_given(tile: str) -> None:
    opening().refuses(f"give {tile}", "not-for-starting-hands", tile=tile)


def test_a_given_tile_comes_from_the_pantry_and_must_be_there() -> None:
    at = opening(4)
    assert "Tu3" in at.line("pantry")
    at = at.do("; ".join([GIFT] * 3))
    assert "Tu" not in at.line("pantry")
    at.refuses("give Tu", "pantry-empty", tile="Tu")


def test_nothing_but_gifts_is_possible_before_all_hands_are_dealt() -> None:
    for line in ("draw 2", "pass", "tile Tu", "place Tu a1", "done"):
        opening().refuses(line, "phase", now="give")


# First recipes


def test_then_each_draws_3_recipes_choosing_lengths_before_the_next_seat_draws() -> None:
    at = opening(3, first=3).do("; ".join([GIFT] * 3))
    for seat, draws, cards in (
        (3, "draw 2; draw 5; draw 2", "2.0 5.0 2.1"),
        (1, "draw 3; draw 3; draw 3", "3.0 3.1 3.2"),
        (2, "draw 4; draw 2; draw 3", "4.0 2.2 3.3"),
    ):
        assert (at.mover, at.legal()) == (seat, ["draw 2", "draw 3", "draw 4", "draw 5"])
        at = at.do(draws)
        assert at.seat(seat).recipes == tuple(_card(word) for word in cards.split())
    assert (at.mover, at.position.phase, at.position.turn) == (3, "play", 1)


def _card(word: str) -> int:
    deck, _, place = word.partition(".")
    return int(deck) << 8 | int(place)


def test_each_recipe_is_seen_before_the_next_is_drawn() -> None:
    """A draw ends its bundle, because the next choice is made with more knowledge."""
    at = opening().do("; ".join([GIFT] * 2))
    step = at.rules.parse("draw 2")[0]
    assert at.rules.closes(at.position, step, at.do("draw 2").position)


def test_the_first_turn_is_the_starting_players() -> None:
    at = opening(2, first=2).do("; ".join([GIFT, GIFT, DRAWS, DRAWS]))
    assert (at.mover, at.position.phase, at.position.turn, at.line("this turn")) == (2, "play", 1, "owed")
    after = at.do("place Tu a1; done; tile Ri")
    assert (after.mover, after.position.turn) == (1, 2)
