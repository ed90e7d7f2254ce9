"""The text of the second edition's positions reads back to the same position."""

from __future__ import annotations

import pytest

from tests.engine.master.games import walk
from wasabi_tx.engine.editions import rules_for
from wasabi_tx.engine.errors import Malformed
from wasabi_tx.engine.position_text import format_position, parse_position

TEXT = """\
position: master, 2 players
turn: 9, seat 1, play, first 1
board:
     a b c d e
1    Ri . . . .
2    . . . . .
3    . . . . .
4    . . . . .
5    . . . . .
6    . . . . .
display: Ch Sp St
seat 1 | cards Ch
seat 2 | cards -
"""


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("leaving", [0.0, 0.02])
def test_every_position_of_a_game_reads_back(players: int, leaving: float) -> None:
    for moment in walk(players, players, leaving=leaving):
        text = format_position(moment.rules, moment.after, moment.faces)
        _, position, _ = parse_position(text, rules_for)
        assert moment.rules.digest(position) == moment.rules.digest(moment.after)


def test_lines_that_can_be_worked_out_may_be_left_out() -> None:
    rules, position, _ = parse_position(TEXT, rules_for)
    assert (position.pool, position.owed, position.chef, position.trigger) == (1, True, 0, "")  # type: ignore[attr-defined]
    assert len(position.decks[1]) == 16 - 4
    assert position.board.blocked == [rules.grid.parse_square("b2"), rules.grid.parse_square("d5")]


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("cups: b2", "cups"),
        ("cups: a1 b2", "cups"),
        ("moved: a5", "moved"),
        ("this turn: owing", "unknown-word"),
        ("this turn: serving", "phase"),
        ("this turn: owed, chef 2", "mover"),
        ("discards: Ch4", "actions"),
        ("deck 1: 0 1 2", "actions"),
        ("deck 1: x", "card"),
        ("final round: passes, waiting 1", "final-round"),
        ("final round: board, waiting 3", "unknown-word"),
        ("pool: many", "number"),
    ],
)
def test_a_line_that_contradicts_the_others_is_named(line: str, problem: str) -> None:
    with pytest.raises(Malformed) as caught:
        parse_position(TEXT + line + "\n", rules_for)
    assert caught.value.where["problem"] == problem


def test_a_display_of_more_cards_than_there_is_room_for_is_refused() -> None:
    with pytest.raises(Malformed) as caught:
        parse_position(TEXT.replace("Ch Sp St", "Ch Sp St Sw"), rules_for)
    assert caught.value.where["problem"] == "display"
