"""Playing on from a position for one round: what a turn leads to when everybody then plays as a normal bot does.

What is hidden from a seat is dealt anew in every world, and the same worlds judge every turn that is compared.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from wasabi_tx.engine.card import Faces
from wasabi_tx.engine.deal import Dealer, Shuffle
from wasabi_tx.engine.observe import Observation, observe
from wasabi_tx.engine.position import NOBODY, Position
from wasabi_tx.engine.rules import AnyRules
from wasabi_tx.engine.step import Bundle

from .bot import assemble
from .greedy import best
from .levels import PLANNERS
from .wary import Expert, attention

SPREAD = 4.0
"""A rival this many points behind another one matters less by a factor of e."""
VICTORY = 5.0
"""Points that winning counts for beside the score."""


def play_on(observation: Observation, bundles: Sequence[Bundle], worlds: Sequence[Shuffle]) -> list[list[float]]:
    """For each world what the bundles are worth: the own points less the rivals', when the seat is to move again."""
    expert = PLANNERS[observation.rules.name].in_haste(observation)
    return [[_value(observation, bundle, world, expert) for bundle in bundles] for world in worlds]


def _value(observation: Observation, bundle: Bundle, world: Shuffle, expert: Expert) -> float:
    rules = observation.rules
    dealer = Dealer.imagined(rules, observation.position, observation.faces, world)
    after = _next_turn(rules, rules.apply_bundle(observation.position, bundle), bundle.seat, dealer, expert)
    return _margin(rules, after, bundle.seat, dealer.faces, expert)


def _next_turn(rules: AnyRules, position: Position, seat: int, dealer: Dealer, expert: Expert) -> Position:
    """The position when the seat begins its next turn, or when the game is over."""
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
            # Whoever shuffles a deck again while a player is to move has to be asked too.
            dealer.supply(position)
            seen = observe(rules, position, mover, dealer.faces)
            bundle = assemble(seen, lambda view: best(expert.options(view))[0].steps)
            position = rules.apply_bundle(position, bundle)
    return position


def _margin(rules: AnyRules, position: Position, seat: int, faces: Faces, expert: Expert) -> float:
    """How far the seat is ahead of its rivals, of those near the top more than of others."""
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
