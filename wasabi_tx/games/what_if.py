"""Alternative continuations of a game from one of its moves, between one of its players and bots."""

from __future__ import annotations

from dataclasses import replace

from ..engine.deal import Dealer
from ..engine.position import Position
from ..engine.rules import AnyRules
from ..engine.sealed_card import Card, Faces
from .game import Player
from .local import LocalGame, seeded_shuffle
from .transcript import GameRecord, Transcript

SEED = "what if"
BOT = "normal"
"""The bot in the place of every other person."""


def may_branch(game: GameRecord, at: int, seat: int) -> bool:
    """Return whether the seat still plays after this number of moves, and the game is not over there."""
    if not game.moves:
        return False
    position = _after(game, at)
    return position.outcome is None and seat in position.playing


def turn_start(game: GameRecord, turn: int) -> int:
    """Return how many moves were played before a turn."""
    return next((at for at, move in enumerate(game.moves) if move.before.turn >= turn), len(game.moves))


def what_if(game: GameRecord, at: int, seat: int) -> Transcript:
    """Return the game as it was after a number of its moves, with a person at the seat and bots at all others.

    Cards that nobody knows are dealt anew, the same ones each time.
    """
    position = _after(game, at)
    players = tuple(
        Player(player.name) if number == seat else replace(player, bot=player.bot or BOT)
        for number, player in enumerate(game.players)
    )
    return Transcript(
        rules=game.rules,
        players=players,
        first=position.first,
        seed=SEED,
        faces=_faces(game.rules, position, game.faces),
        start=game.moves[0].before,
        moves=game.moves[:at],
        lines=0,
        torn=False,
        owes_turn=False,
    )


def unsaved(earlier: Transcript) -> LocalGame:
    """Return the game that goes on from there and is not saved."""
    return LocalGame.resumed(earlier, lambda _text: None, erase=lambda _text: None)


def _after(game: GameRecord, at: int) -> Position:
    return game.moves[at].before if at < len(game.moves) else game.moves[-1].after


def _faces(rules: AnyRules, position: Position, known: Faces) -> dict[Card, int]:
    """Return the faces of all cards if they are known, otherwise those of the cards that players hold."""
    waiting = {card for deck in position.decks for card in deck}
    held = {card for seat in position.seats for card in seat.recipes}
    if waiting | held <= known.keys():
        return dict(known)
    seen = {card: face for card, face in known.items() if card not in waiting}
    return Dealer.imagined(rules, position, seen, seeded_shuffle(SEED)).faces
