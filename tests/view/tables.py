"""Tables for tests: a position from a few words."""

from __future__ import annotations

from wasabi_tx.engine.editions import rules_for
from wasabi_tx.engine.observe import Observation, observe
from wasabi_tx.engine.position_text import parse_position
from wasabi_tx.games.game import Player

PLAYERS = (Player("Ana"), Player("Bo", "normal"), Player("Chiara"), Player("Dan", "easy"))


def seen(
    squares: str = "",
    *,
    mine: str = "tiles Tu Av Ri",
    theirs: str = "tiles Cu Cr Eg",
    turn: str = "7, seat 1, play",
    more: str = "",
    edition: str = "classic",
    players: int = 2,
    seat: int | None = 0,
) -> Observation:
    """Return what a seat sees; `squares` are like `d3=Tu e3=Av/Cu`, the tiles of a stack from the bottom."""
    rules = rules_for(edition, players)
    there = dict(word.split("=") for word in squares.split())
    width = rules.grid.columns
    rows = []
    for start in range(0, rules.grid.size, width):
        names = rules.grid.names[start : start + width]
        rows.append(f"{start // width + 1} " + " ".join(there.get(name, ".") for name in names))
    letters = " ".join(name[0] for name in rules.grid.names[:width])
    seats = [mine, *[theirs] * (players - 1)]
    text = "\n".join(
        [
            f"position: {edition}, {players} players",
            f"turn: {turn}",
            "board:",
            f"  {letters}",
            *rows,
            *(f"seat {number} | {held}" for number, held in enumerate(seats, 1)),
            more,
        ]
    )
    _, position, faces = parse_position(text, rules_for)
    return observe(rules, position, seat, faces)
