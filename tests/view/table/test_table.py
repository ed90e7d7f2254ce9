"""The table as data and as lines."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.view.tables import PLAYERS, seen
from wasabi_tx.engine.observe import Observation, observe
from wasabi_tx.text import LANGUAGES, Texts
from wasabi_tx.view.table.hand import hand_of
from wasabi_tx.view.table.plain_table import WIDTH, board_lines, cell_text, recipe_lines, table_lines, under_lines
from wasabi_tx.view.table.table import TableView, describe_table

CRUNCHY = "tiles Tu Av Ri | cards Ch | recipes tekkamaki crunchy-tuna"


def view(observation: Observation, language: str = "en", authors: dict[int, int] | None = None) -> TableView:
    return describe_table(observation, PLAYERS[: observation.rules.players], Texts(language), authors)


def recipe_line(observation: Observation, name: str) -> str:
    lines = recipe_lines(view(observation).recipes, observation.rules, Texts("en"))
    return next(line for line in lines if name in line)


def test_the_board_shows_tops_heights_covers_and_changes() -> None:
    observation = seen("a1=Ri b1=Av/Cu d2=Tu", more="wasabi: a5\nlaid: d2")
    lines = board_lines(view(observation, authors={0: 1, 25: 1}))
    assert lines[0] == "   a     b     c     d     e"
    assert lines[1] == "1  Ri◂2  Cu2   ·     ·     ·"
    assert lines[2] == "2  ·     ·     ·     Tu?   ·"
    assert lines[5] == "5  ▒▒    ▒▒    ·     ·     ·"
    assert lines[6] == "6  ▒▒◂2  ▒▒    ·     ·     ·"


def test_cups_have_a_mark_of_their_own() -> None:
    observation = seen(edition="master", mine="recipes mirugai", theirs="recipes crab-and-go", more="display: Ch Sw St")
    cells = {cell.name: cell_text(cell) for cell in view(observation).cells}
    assert (cells["b2"], cells["d5"], cells["a1"]) == ("U", "U", "·")


def test_seats_show_what_lies_open_and_nothing_else() -> None:
    seats = view(seen(mine=CRUNCHY, theirs="tiles Cu Cr Eg | recipes carrot-top | claimed cool-kappa")).seats
    mine, theirs = seats
    assert (mine.you, mine.to_move, mine.tiles, mine.cards, mine.lengths) == (
        True,
        True,
        ("Ri", "Tu", "Av"),
        ("Ch",),
        (2, 3),
    )
    assert (theirs.total, theirs.tokens[0], theirs.lengths) == (2, (2, 3), (2,))
    text = "\n".join(table_lines(view(seen(mine=CRUNCHY)), seen().rules, Texts("en")))
    assert "Carrot Top" not in text


def test_the_pantry_marks_what_the_own_recipes_miss() -> None:
    pantry = {item.code: item for item in view(seen("b3=Te", mine=CRUNCHY)).pantry}
    assert pantry["Ma"].missing
    assert not pantry["Tu"].missing
    assert not pantry["Te"].missing
    assert pantry["Te"].count == 2


def test_a_recipe_tells_how_far_it_has_come() -> None:
    assert "  0/3" in recipe_line(seen(mine=CRUNCHY), "Crunchy")
    assert "2/3★ a3–c3 Tu d3 completes it" not in recipe_line(seen("b3=Te c3=Ma", mine=CRUNCHY), "Crunchy")
    near = recipe_line(seen("b3=Te c3=Ma", mine=CRUNCHY), "Crunchy")
    assert "2/3★ b3–d3 Tu d3 completes it" in near
    lacking = recipe_line(seen("b3=Te d3=Tu", mine=CRUNCHY.replace("Ri", "Pi")), "Crunchy")
    assert "2/3★ b3–d3 needs Ma" in lacking


def test_one_tile_is_missing_or_several_are() -> None:
    texts = Texts("it")
    for squares, words in (("b3=Te d3=Tu", " manca Ma"), ("b3=Te", " mancano Ma Tu")):
        observation = seen(squares, mine="tiles Av Pi Pi | recipes crunchy-tuna")
        lines = recipe_lines(view(observation, "it").recipes, observation.rules, texts)
        assert lines[0].endswith(words)


def test_a_recipe_that_lies_complete_says_what_is_still_to_do() -> None:
    assert "done b3–d3★" in recipe_line(
        seen("b3=Te c3=Ma d3=Tu", mine=CRUNCHY, more="laid: d3\nthis turn: -"), "Crunchy"
    )
    assert "complete on b3–d3" in recipe_line(seen("b3=Te c3=Ma d3=Tu", mine=CRUNCHY), "Crunchy")


def test_a_recipe_tells_what_it_gives_beside_its_points() -> None:
    hand = "cards - | recipes mirugai sake-avo-maki"
    second = seen(mine=hand, theirs="cards -", more="display: Ch Sw St", edition="master")
    for language, card in (("en", "+card"), ("it", "+carta")):
        said = "\n".join(table_lines(view(second, language), second.rules, Texts(language)))
        assert f"Mirugai  2 pt {card}  Cl Ri" in said
        assert "Sake-Avo Maki  4 pt ★1  Sa Av No" in said
    first = seen(mine="tiles Tu Av Ri | recipes tekkamaki crunchy-tuna")
    assert "Tekkamaki  2 pt  " in recipe_line(first, "Tekka")
    assert "Crunchy Tuna  3 pt ★1  " in recipe_line(first, "Crunchy")


def test_a_recipe_without_a_token_says_so() -> None:
    claimed = "claimed carrot-top cool-kappa eel-be-back green-card"
    assert "no token for 2 tiles left" in recipe_line(seen(mine=f"{CRUNCHY} | {claimed}"), "Tekkamaki")


@pytest.mark.parametrize(("seat", "words"), [(0, "You have one token left."), (None, "Ana has one token left.")])
def test_the_last_token_is_announced_to_everybody_and_you_is_you(seat: int | None, words: str) -> None:
    observation = seen(seat=seat)
    position = observation.position.evolve()
    last, *others = position.seats
    last = last.evolve()
    last.tokens = bytes((*[0] * (len(last.tokens) - 1), 1))
    position.seats = [last, *others]
    assert view(replace(observation, position=position)).notices == (words,)


def test_the_last_token_and_a_run_of_passes_are_announced() -> None:
    notices = view(seen(more="this turn: owed, passes 2")).notices
    assert notices == ("2 passes in a row; at 6 the game ends.",)
    assert view(seen(more="this turn: owed, passes 1")).notices == ()


def test_the_final_round_is_announced() -> None:
    observation = seen(
        edition="master",
        mine="recipes mirugai",
        theirs="recipes crab-and-go",
        more="display: Ch Sw St\nfinal round: pantry, waiting 2",
    )
    assert view(observation).notices == ("The final round: the pantry is empty. Everybody has one last turn.",)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_no_line_is_wider_than_the_screen(language: str, players: int) -> None:
    long_names = tuple(type(player)("W" * 12, player.bot) for player in PLAYERS[:players])
    observation = seen(
        "a1=Ri b1=Av/Cu d2=Tu",
        mine="tiles Tu Av Ri | cards Ch Wa | recipes tekkamaki eight-arms-to-hold garden-variety",
        players=players,
        theirs="tiles - | cards -",
        more="this turn: owed, passes 5",
    )
    found = describe_table(observation, long_names, Texts(language), {3: 1})
    lines = table_lines(found, observation.rules, Texts(language))
    assert max(map(len, lines)) <= WIDTH
    assert len(lines) <= 24


def test_a_spectator_sees_no_hand() -> None:
    observation = seen(mine=CRUNCHY, seat=None)
    text = "\n".join(table_lines(view(observation), observation.rules, Texts("en")))
    assert "Crunchy" not in text
    assert "Hand" not in text


def test_what_lies_under_stacks_and_cards_can_be_looked_at() -> None:
    observation = seen("a1=Ri b1=Av/Cu a5=Tu", more="wasabi: a5")
    assert under_lines(view(observation), Texts("en")) == ["b1  Av/Cu", "a5  Tu"]
    assert under_lines(view(seen("a1=Ri")), Texts("en")) == ["There is nothing underneath."]


def test_things_in_hand_keep_their_numbers_until_they_are_gone() -> None:
    base = seen("b3=Te c3=Ma", mine="tiles Tu Av Ri | cards Ch | recipes tekkamaki crunchy-tuna")
    rules = base.rules
    assert list(hand_of(base).recipes) == [6, 7]
    position = rules.apply(base.position, rules.parse("place Tu d3")[0])
    placed = observe(rules, position, 0, base.faces)
    assert [rules.code(tile) for tile in hand_of(base).tiles.values()] == ["Ri", "Tu", "Av"]
    assert {key: rules.code(tile) for key, tile in hand_of(placed, hand_of(base)).tiles.items()} == {1: "Ri", 3: "Av"}
    claim = next(step for step in placed.legal() if step.verb == "claim" and step.args[0] >> 8 == 2)
    claimed = observe(rules, rules.apply(position, claim), 0, base.faces)
    assert list(hand_of(claimed, hand_of(base)).recipes) == [7]
    refilled = claimed.position
    for text in ("done", "take St", "tile Cu"):
        refilled = rules.apply(refilled, rules.parse(text)[0])
    hand = hand_of(observe(rules, refilled, 0, base.faces), hand_of(base))
    assert {key: rules.code(tile) for key, tile in hand.tiles.items()} == {1: "Ri", 2: "Cu", 3: "Av"}
    assert {key: rules.card_code(card) for key, card in hand.cards.items()} == {4: "Ch", 5: "St"}
