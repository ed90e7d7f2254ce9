"""What was played before somebody sat down, in the form in which a screen takes up a saved game."""

from __future__ import annotations

from ...table.online.peer_game import PeerGame
from ...table.online.rules.history import Past
from ...table.transcript import Move, Transcript
from .chronicle import move_of


def earlier_of(game: PeerGame, past: Past) -> Transcript:
    """The game up to now."""
    moves: list[Move] = []
    before = past.start
    for change in past.changes:
        moves.append(move_of(change, before))
        before = change.after
    return Transcript(
        game.rules,
        game.players,
        past.start.first,
        seed="",
        faces={},
        start=past.start,
        moves=tuple(moves),
        lines=0,
        torn=False,
        owes_turn=False,
    )
