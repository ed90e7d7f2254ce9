"""Composing a plan for a later turn while others move: when, on which position, and what is planned so far."""

from __future__ import annotations

from ..engine.observe import Observation
from ..games.game import Can, Game
from ..games.plans import MOST_PLANS
from ..text import Texts
from .plan_lines import plan_lines, say_not_played


def may_compose(game: Game) -> bool:
    """Return whether the viewer can plan a later turn now."""
    position = game.position
    return Can.PLAN in game.can and position.turn > 0 and not game.observation.my_turn and position.outcome is None


def foreseen(game: Game) -> Observation | None:
    """Return the observation on which the viewer plans the next unplanned turn; None if that cannot be planned."""
    plans = game.plans
    if game.viewer is None or not may_compose(game) or len(plans.turns) >= MOST_PLANS:
        return None
    return plans.foreseen(game.seen_by(game.viewer))


def plans_or_reason(game: Game, texts: Texts) -> tuple[str, ...]:
    """Return why the plan for this turn was not played, or else all plans in full."""
    return unplayed(game, texts) or plan_lines(game.plans, game.rules, texts)


def unplayed(game: Game, texts: Texts) -> tuple[str, ...]:
    """Return why the plan for this turn was not played; nothing if it was, or if it is not the viewer's turn."""
    why = game.plans.not_played
    mine = game.viewer is not None and game.observation.my_turn
    return say_not_played(why, game.rules, texts) if why is not None and mine and why.turn == game.position.turn else ()
