"""Search every turn that a position allows, for the gain of each and the best one.

A turn is judged when the mover stops placing, playing cards and completing recipes. Cards and recipes drawn after that
are luck, and the gains on the backs of drawn recipes are excluded with them.

Alternatives that cannot make a difference are not tried. Returning recipes gains nothing, and discarding a card only
costs it. In an edition whose tiles come from the pantry, all tiles that none of the mover's recipes needs are
equivalent, so only one of them is tried. A cup is moved only to make room for a tile, and to enough squares that at
least one of them is not in the way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import compress
from typing import NamedTuple, TypeAlias

from ..engine.claiming import complete_recipes, match_of
from ..engine.editions.classic.position import ClassicPosition
from ..engine.editions.classic.rules import ClassicRules
from ..engine.editions.master.position import MasterPosition
from ..engine.editions.master.rules import MasterRules
from ..engine.editions.master.steps import ACTION_LENGTH
from ..engine.observe import Observation
from ..engine.position import Position
from ..engine.rules import AnyRules
from ..engine.scores import best_seats
from ..engine.step import Step

Path: TypeAlias = "tuple[Path, Step] | None"
"""The last step of a turn, and the path before it."""


class TurnGain(NamedTuple):
    """The gain of a turn. The one that compares greater is better."""

    won: bool
    """True if the first edition ends with this turn and the mover wins: by the last token, or alone on a full board."""
    points: int
    """Points gained, including those for style."""
    style: int
    cards: int
    """Action cards played, as a negative number: fewer are better."""


MOST = 3_000_000
"""The most turns searched, because more would take too long."""


class WholeTurn(NamedTuple):
    """All steps of a turn up to where it is judged, and their gain."""

    gain: TurnGain
    steps: tuple[Step, ...]
    completed: frozenset[tuple[int, int]]
    """The completed recipes, each with its points for style."""


class TooManyTurns(Exception):
    """The position allows more turns than the search may try."""


def gain_of(rules: AnyRules, before: Position, after: Position, steps: Sequence[Step]) -> TurnGain:
    """Return what the mover has gained between two positions of a turn, with these steps."""
    old, new = before.seats[before.mover], after.seats[before.mover]
    cards = sum(rules.slots.get(step.verb) == "action" for step in steps)
    return TurnGain(_wins(before, after), new.score - old.score, new.cubes - old.cubes, -cards)


def _wins(before: Position, after: Position) -> bool:
    """Return whether the mover wins with this turn; later draws, which can score in the second edition, are luck."""
    if not isinstance(after, ClassicPosition):
        return False
    if after.outcome is not None:
        return after.outcome.winners == (before.mover,)
    return after.turn == before.turn and after.board.full and best_seats(after) == (before.mover,)


def can_be_planned(rules: AnyRules, turn: WholeTurn) -> bool:
    """Return whether nothing is turned up before the last step, so that the turn can be laid out at once."""
    served = [step.args[1] for step in turn.steps if step.verb == "serve"]
    return all(rules.edition.recipes[face].length != ACTION_LENGTH for face in served[:-1])


def every_turn(observation: Observation, most: int = MOST) -> Iterator[WholeTurn]:
    """Yield every turn of a seat that begins one; raise TooManyTurns if there are more than this."""
    for number, turn in enumerate(_TURNS[observation.rules.name](observation), 1):
        if number > most:
            raise TooManyTurns
        yield turn


def best_turns(turns: Iterable[WholeTurn]) -> tuple[WholeTurn, ...]:
    """Return the turns that gain the most, the shortest first; there is one for each position that they leave."""
    best: list[WholeTurn] = []
    for turn in turns:
        if not best or turn.gain > best[0].gain:
            best = [turn]
        elif turn.gain == best[0].gain:
            best.append(turn)
    return tuple(sorted(best, key=lambda turn: (len(turn.steps), turn.steps)))


def _steps(path: Path) -> tuple[Step, ...]:
    steps: list[Step] = []
    while path is not None:
        path, step = path
        steps.append(step)
    return tuple(reversed(steps))


_USELESS = ("discard", "done", "pass")


def _classic_turns(observation: Observation) -> Iterator[WholeTurn]:
    """Yield every turn of the first edition, one for each possible final position."""
    rules, start = observation.rules, observation.position
    assert isinstance(start, ClassicPosition)
    already = len(start.seats[start.mover].claimed)
    seen: set[object] = set()
    left: list[tuple[ClassicPosition, Path]] = [(start, None)]
    while left:
        position, path = left.pop()
        seat = position.seats[start.mover]
        flags = position.owed, position.extra, position.stacking, position.played, position.covers
        key = (tuple(position.board.stacks), position.laid, seat.tiles, seat.cards, frozenset(seat.claimed), flags)
        if key in seen:
            continue
        seen.add(key)
        if not position.owed or position.outcome is not None:
            taken = _steps(path)
            yield WholeTurn(gain_of(rules, start, position, taken), taken, frozenset(seat.claimed[already:]))
        steps = (step for step in rules.legal(position, observation.faces) if step.verb not in _USELESS)
        left.extend((rules.apply(position, step), (path, step)) for step in steps)


def _master_turns(observation: Observation) -> Iterator[WholeTurn]:
    """Yield every turn of the second edition: change the board, then serve everything on it or take the pool."""
    rules, start = observation.rules, observation.position
    assert isinstance(rules, MasterRules)
    assert isinstance(start, MasterPosition)
    reach = _Reach(rules, start, observation)
    seen: set[object] = set()
    left: list[tuple[MasterPosition, Path]] = [(start, None)]
    while left:
        position, path = left.pop()
        board, cards = position.board, position.seats[start.mover].cards
        key = tuple(board.stacks), tuple(board.blocked), position.laid, cards, position.owed
        if key in seen:
            continue
        seen.add(key)
        if not position.due:
            steps = _steps(path)
            played = sum(step.verb in _CARDS for step in steps)
            yield WholeTurn(
                TurnGain(False, position.pool, position.pool, -played), (*steps, rules.pool_step), frozenset()
            )
            if position.changed:
                yield _served(observation, position, steps, played)
        for steps in reach.changes(position):
            after, way = position, path
            for step in steps:
                after, way = rules.apply(after, step), (way, step)
            left.append((after, way))


_CARDS = ("chop", "spicy", "stack", "switch")


def _served(observation: Observation, position: MasterPosition, steps: tuple[Step, ...], played: int) -> WholeTurn:
    """Return the turn that serves every recipe on the board; those that give a card, and reveal another, come last."""
    rules, seat = observation.rules, position.seats[position.mover]
    points = style = 0
    completed, serves = [], []
    for card, face in complete_recipes(rules, position, seat, observation.faces):
        recipe = rules.edition.recipes[face]
        gives_card = recipe.length == ACTION_LENGTH
        cubes = recipe.style if not gives_card and match_of(rules, position, recipe).styled else 0
        points, style = points + recipe.points + cubes, style + cubes
        completed.append((face, cubes))
        serves.append((gives_card, Step("serve", (card, face))))
    serves.sort()
    return WholeTurn(
        TurnGain(False, points, style, -played), (*steps, *(step for _, step in serves)), frozenset(completed)
    )


class _Reach:
    """The changes that can be made to the board in the second edition, without those that make no difference."""

    def __init__(self, rules: MasterRules, start: MasterPosition, observation: Observation) -> None:
        self._rules = rules
        needed = {tile for face in observation.faces.values() for tile in rules.strips[face].tiles}
        there = list(compress(range(len(start.pantry)), start.pantry))
        useless = [tile for tile in there if tile not in needed]
        self._tiles = [tile for tile in range(1, len(start.pantry)) if tile in needed] + useless[:1]
        cards = start.seats[start.mover].cards
        placing = 1 + cards.count(rules.spicy)
        self._parking = 1 + placing + 2 * cards.count(rules.switch)
        """The number of squares tried for a cup: more than a turn can touch, so that one of them is never in the way.
        """

    def changes(self, position: MasterPosition) -> Iterator[tuple[Step, ...]]:
        rules, board = self._rules, position.board
        cards = position.seats[position.mover].cards
        tiles = [tile for tile in self._tiles if position.pantry[tile]]
        lying = list(compress(rules.squares, board.packed))
        if position.owed:
            yield from self._placing(position, rules.place_steps, tiles)
        if rules.spicy in cards:
            yield from self._placing(position, rules.spicy_rows, tiles)
        if rules.stack in cards:
            yield from ((rules.stack_rows[tile][square],) for tile in tiles for square in lying)
        if rules.chop in cards:
            yield from ((Step("chop", (square,)),) for square in lying)
        if rules.switch in cards:
            yield from ((step,) for step in rules.switches(board))

    def _placing(
        self, position: MasterPosition, rows: Sequence[Sequence[Step]], tiles: list[int]
    ) -> Iterator[tuple[Step, ...]]:
        """Yield a tile on every empty square, or on the square of a cup that is moved away first."""
        board = position.board
        for tile in tiles:
            row = rows[tile]
            for square in board.empty:
                yield (row[square],)
            for cup in board.blocked:
                for target in board.empty[: self._parking]:
                    yield Step("cup", (cup, target)), row[cup]


_TURNS: dict[str, Callable[[Observation], Iterator[WholeTurn]]] = {
    ClassicRules.name: _classic_turns,
    MasterRules.name: _master_turns,
}
