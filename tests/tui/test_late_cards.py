"""At a table with late cards a recipe that was drawn is shown as one that comes, at every size and in words."""

from __future__ import annotations

import pytest

from wasabi_tx.table.game import CardsArrived

from .scripted import at_table, others_move, waiting_game

WORDS = {"en": "comes by your next turn", "it": "prossimo turno"}


@pytest.mark.parametrize("size", [(60, 18), (80, 24), (100, 30), (120, 40), (200, 50)])
@pytest.mark.parametrize("language", WORDS)
async def test_a_card_on_its_way_is_told_in_words_and_has_a_face_when_it_came(
    size: tuple[int, int], language: str
) -> None:
    game = waiting_game()
    game.late_cards = True
    assert game.viewer is not None
    late = game.position.seats[game.viewer].recipes[-1]
    face = game.faces[late]
    game.faces = {card: face for card, face in game.faces.items() if card != late}
    async with at_table(game, size, language) as seen:
        assert WORDS[language] in seen.panel("recipes")
        await seen.press("n")
        assert seen.table.followed.composing, "a turn can be planned without it"
        assert WORDS[language] in seen.panel("recipes")
        await seen.press("escape")
        game.faces = {**game.faces, late: face}
        await seen.hear(others_move(game), CardsArrived((game.viewer,)))
        assert seen.table.followed.chooses
        assert WORDS[language] not in seen.panel("recipes")
