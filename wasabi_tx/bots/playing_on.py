"""Playing on from a position for one round: what a turn leads to if everyone then plays like a normal bot.

What is hidden from a seat is dealt afresh in every world, and all compared turns are judged in the same worlds.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from wasabi_tx.engine.deal import Dealer, Shuffle
from wasabi_tx.engine.observe import Observation, observe
from wasabi_tx.engine.position import NOBODY, Position
from wasabi_tx.engine.rules import AnyRules
from wasabi_tx.engine.sealed_card import Faces
from wasabi_tx.engine.step import Bundle

from .bot import assemble
from .greedy import best
from .levels import PLANNERS
from .wary import Expert, attention

SPREAD = 4.0
"""Points behind another rival that reduce a rival's weight by a factor of e."""
VICTORY = 5.0
"""Points that winning counts for in addition to the score."""


def play_on(observation: Observation, bundles: Sequence[Bundle], worlds: Sequence[Shuffle]) -> list[list[float]]:
    """Return for each world the value of each bundle: own points less the rivals', when the seat moves again."""
    expert = PLANNERS[observation.rules.name].in_haste(observation)
    return [[_value(observation, bundle, world, expert) for bundle in bundles] for world in worlds]


def _value(observation: Observation, bundle: Bundle, world: Shuffle, expert: Expert) -> float:
    rules = observation.rules
    dealer = Dealer.imagined(rules, observation.position, observation.faces, world)
    after = _next_turn(rules, rules.apply_bundle(observation.position, bundle), bundle.seat, dealer, expert)
    return _margin(rules, after, bundle.seat, dealer.faces, expert)


def _next_turn(rules: AnyRules, position: Position, seat: int, dealer: Dealer, expert: Expert) -> Position:
    """Return the position when the seat begins its next turn, or when the game is over."""
    turn = position.turn
    while position.outcome is None:
        mover = position.mover
        if mover == NOBODY:
            step = dealer.supply(position)
            assert step is not None
            position = rules.apply(position, step)
        elif mover == seat and position.turn > turn:
            break
        else:
            # The dealer must also be asked while a player is to move, to learn about reshuffled decks.
            dealer.supply(position)
            seen = observe(rules, position, mover, dealer.faces)
            bundle = assemble(seen, lambda view: best(expert.options(view))[0].steps)
            position = rules.apply_bundle(position, bundle)
    return position


def _margin(rules: AnyRules, position: Position, seat: int, faces: Faces, expert: Expert) -> float:
    """Return how far the seat is ahead of its rivals, giving those near the top more weight."""
    worth = _final(position) if position.outcome is not None else _between(rules, position, faces, expert)
    shares = attention(observe(rules, position, seat, {}), SPREAD)
    return worth(seat) - sum(share * worth(rival) for rival, share in shares.items())


def _final(position: Position) -> Callable[[int], float]:
    outcome = position.outcome
    assert outcome is not None
    won = {seat: VICTORY / len(outcome.winners) for seat in outcome.winners}
    return lambda seat: outcome.scores[seat] + won.get(seat, 0.0)


def _between(rules: AnyRules, position: Position, faces: Faces, expert: Expert) -> Callable[[int], float]:
    return lambda seat: expert.worth(observe(rules, position, seat, faces))
