"""Composing for a later turn, while others move: what it is composed on, how it is left, seen and taken back."""

from __future__ import annotations

from ...engine.observe import Observation
from ...table.ahead import MOST
from ...table.game import Can, Game
from ...text import Texts
from .ahead_lines import ahead_lines, say_not_played


def may_compose(game: Game) -> bool:
    """Whether the viewer can leave something for a later turn now."""
    position = game.position
    return Can.AHEAD in game.can and position.turn > 0 and not game.observation.my_turn and position.outcome is None


def foreseen(game: Game, instead: bool = False) -> Observation | None:
    """What the viewer composes on: after all that is left, or `instead` of the last of it; None if nothing can be."""
    ahead = game.ahead
    if game.viewer is None or not may_compose(game) or len(ahead.turns) >= MOST:
        return None
    return (ahead.before_last() if instead else ahead).foreseen(game.seen_by(game.viewer))


def left_lines(game: Game, texts: Texts) -> tuple[str, ...]:
    """What is left for later turns, in full, or why it was not played on this one."""
    return unplayed(game, texts) or ahead_lines(game.ahead, game.rules, texts)


def unplayed(game: Game, texts: Texts) -> tuple[str, ...]:
    """Why what was left for this turn was not played; nothing if it is not the viewer's turn, or nothing was left."""
    why = game.ahead.not_played
    mine = game.viewer is not None and game.observation.my_turn
    return say_not_played(why, game.rules, texts) if why is not None and mine and why.turn == game.position.turn else ()
