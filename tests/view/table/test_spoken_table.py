"""The table in whole words, for somebody who listens: names instead of codes, no signs, and all of it."""

from __future__ import annotations

import re

import pytest

from tests.games.seeded import SeededGame
from tests.view.tables import seen
from wasabi_tx.engine.board import stack_tiles
from wasabi_tx.engine.editions import PACKAGED, rules_for
from wasabi_tx.engine.observe import Observation, observe
from wasabi_tx.games.game import Player
from wasabi_tx.text import LANGUAGES, Texts
from wasabi_tx.view.table.spoken_table import SpokenTable
from wasabi_tx.view.table.table import describe_table

PLAYERS = (Player("Ana"), Player("Bo"), Player("Udon", "normal"))
SIGN = re.compile(r"[·►◂×★▒?|/*+<>]")


def spoken(observation: Observation, language: str = "en") -> SpokenTable:
    players = PLAYERS[: observation.rules.players]
    return SpokenTable(describe_table(observation, players, Texts(language)), observation.rules, Texts(language))


def later(edition: str) -> Observation:
    """Return what a seat sees after many moves."""
    game = SeededGame(rules_for(edition, 3), "spoken")
    for _ in range(60):
        if game.deal() is None and game.position.outcome is None:
            for step in game.draft().bundle().steps:
                game.position = game.rules.apply(game.position, step)
    return observe(game.rules, game.position, 0, game.dealer.faces)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("edition", PACKAGED)
def test_everything_is_said_in_words(edition: str, language: str) -> None:
    observation = later(edition)
    table, edition_data = spoken(observation, language), observation.rules.edition
    board = " ".join(table.board())
    names = {number: one.names[language] for number, one in enumerate(edition_data.ingredients, 1)}
    for square, stack in enumerate(observation.position.board.stacks):
        name = observation.rules.grid.names[square]
        (told,) = table.square(name)
        for tile in stack_tiles(stack):
            assert names[tile] in told
        assert not stack or f"{name} " in board
        assert all(f"{name} " in line for line in (*table.line(name[0]), *table.line(name[1:]))) or not stack
    everything = [*table.board(), *table.pantry(), *table.hand(), *table.seats()]
    codes = {one.code for one in edition_data.ingredients} | {one.code for one in edition_data.actions}
    codes -= set(names.values())
    for line in everything:
        assert not SIGN.search(line), line
        assert codes.isdisjoint(re.findall(r"\w+", line)), line


def test_a_line_a_square_and_a_recipe_in_a_sentence() -> None:
    table = spoken(seen("b3=Te c3=Ma", mine="tiles Tu Av Ri | cards Ch | recipes tekkamaki crunchy-tuna"))
    assert table.line("3") == ["Row 3: b3 Tempura, c3 Maki"]
    assert table.line("B") == ["Column b: b3 Tempura"]
    assert table.line("a") == ["Column a: empty"]
    assert table.square("B3") == ["b3: Tempura"]
    assert table.line("z") == table.square("z9") == table.line("") == []
    assert table.hand()[:2] == ["Tiles: 1 Rice, 2 Tuna, 3 Avocado", "Cards: 4 Chop!"]
    assert "2 of 3 on" in " ".join(table.hand())
    assert spoken(observe(table._rules, seen("b3=Te").position, None, {})).hand() == [], "a watcher has none"
